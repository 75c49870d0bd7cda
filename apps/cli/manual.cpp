#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/command_text.hpp"
#include "topology/ascii.hpp"

namespace semirec::cli {

namespace {

/// Text as troff prints it: no line begins a request, dashes can be copied.
std::string escaped(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

/// Lines as they are, each of its own.
std::string kept_lines(const std::string& text) {
  return text.empty() ? "" : ".nf\n" + escaped(text) + "\n.fi\n";
}

std::string line_of(const ArgumentText& argument) {
  std::string line = argument.positional() ? "\\fI" + escaped(argument.name) + "\\fR"
                                           : "\\fB" + escaped(argument.name) + "\\fR";
  if (!argument.letter.empty()) line = "\\fB" + escaped(argument.letter) + "\\fR, " + line;
  if (!argument.positional() && !argument.type.empty())
    line += " \\fI" + escaped(argument.type) + "\\fR";
  return line;
}

std::string arguments_of(const CommandText& command) {
  std::string text;
  for (const bool positional : {true, false})
    for (const ArgumentText& argument : command.arguments) {
      if (argument.positional() != positional) continue;
      std::string about = argument.about;
      if (!argument.words.empty())
        about += fmt::format("; one of: {}", fmt::join(argument.words, ", "));
      if (!argument.standard.empty()) about += "; without it " + argument.standard;
      if (argument.required) about += " (required)";
      text += ".TP\n" + line_of(argument) + "\n" + escaped(about) + "\n";
    }
  return text;
}

/// A section for each command without commands of its own.
std::string sections_of(const CommandText& command, const std::string& path) {
  std::string text;
  for (const CommandText& inner : command.commands) {
    const std::string name = path + " " + inner.name;
    if (!inner.commands.empty()) {
      text += sections_of(inner, name);
      continue;
    }
    std::string positional;
    for (const ArgumentText& argument : inner.arguments)
      if (argument.positional())
        positional += argument.required ? " " + argument.name : " [" + argument.name + "]";
    text += ".SS " + escaped(name + positional) + "\n" + escaped(inner.about) + "\n" +
            arguments_of(inner);
    if (!inner.footer.empty()) text += ".PP\n" + kept_lines(inner.footer);
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandText& program, const std::string& version) {
  // the first sentence to say what it is, the paragraphs behind as they stand
  std::string upper = program.name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return ascii::to_upper(c); });
  return ".TH " + upper + " 1 \"\" \"" + escaped(version) + "\"\n" + ".SH NAME\n" +
         escaped(program.name) + " \\- dynamics of whole vehicles\n" + ".SH SYNOPSIS\n\\fB" +
         escaped(program.name) + "\\fR \\fIcommand\\fR [\\fIarguments\\fR]\n" +
         ".SH DESCRIPTION\n" + kept_lines(program.about) + ".SH OPTIONS\n" + arguments_of(program) +
         ".SH COMMANDS\n" + sections_of(program, program.name);
}

}  // namespace semirec::cli
