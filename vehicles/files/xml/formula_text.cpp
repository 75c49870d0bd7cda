#include "vehicles/files/xml/formula_text.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace semirec {

namespace {

bool may_begin_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool may_follow_in_name(char c) {
  return may_begin_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

/// The shortest digits that give the same number, in brackets where it has a sign.
std::string digits_of(double value) {
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string text(digits.data(), end);
  return value < 0.0 ? "(" + text + ")" : text;
}

std::string filled(const std::string& braces, const Scope& scope) {
  const Value value = parse_value(braces, scope);
  if (const double* number = std::get_if<double>(&value)) return digits_of(*number);
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  throw std::invalid_argument("is '" + braces + "', which is a point, expected a number or a word");
}

/// What stands for braces whose names the scope knows; else the braces.
std::string filled_if_known(const std::string& braces, const Scope& scope, bool in_formula) {
  bool known = false;
  for (const std::string& name : find_names(braces)) known = known || scope.find(name) != nullptr;
  if (!known) return braces;
  try {
    if (in_formula) return filled(braces, scope);
    const Value value = parse_value(braces, scope);
    if (const std::string* word = std::get_if<std::string>(&value)) return *word;
    std::string out;
    for (const double number : parse_numbers(braces, scope)) {
      std::array<char, 40> digits{};
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
      out += (out.empty() ? "" : " ") + std::string(digits.data(), end);
    }
    return out;
  } catch (const std::invalid_argument&) {
    return braces;  // names of both files: the other one refuses or knows them
  }
}

}  // namespace

std::string fill_in_known(const std::string& text, const Scope& scope) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      out += text[i++];
      continue;
    }
    out += filled_if_known(text.substr(i, end + 1 - i), scope, is_formula(text));
    i = end + 1;
  }
  return out;
}

bool is_formula(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  return first != std::string::npos && text[first] == '=';
}

std::string fill_in(const std::string& text, const Scope& scope) {
  if (!is_formula(text))
    throw std::invalid_argument("is '" + text.substr(0, 60) +
                                "', which does not begin with '=', expected an expression such as "
                                "'= 2*chassis.vz'");
  std::string out;
  for (std::size_t i = text.find('=') + 1; i < text.size();) {
    if (text[i] != '{') {
      out += text[i++];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string::npos)
      throw std::invalid_argument("is '" + text.substr(0, 60) +
                                  "', which has a brace that is not closed, expected '}'");
    out += filled(text.substr(i, end + 1 - i), scope);
    i = end + 1;
  }
  return out;
}

std::string with_suffix_in_formula(const std::string& text, const std::set<std::string>& local,
                                   const std::string& suffix) {
  const auto own_part = [&](const std::string& name) {
    // the longest beginning that is local, up to a point or the end
    for (std::size_t end = name.size(); end > 0; --end) {
      if (end < name.size() && name[end] != '.') continue;
      if (local.count(name.substr(0, end)) != 0) return end;
    }
    return std::size_t{0};
  };
  std::string out;
  bool in_braces = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '{' || c == '}') in_braces = c == '{';
    if (in_braces || !may_follow_in_name(c)) {
      out += c;
      ++i;
      continue;
    }
    std::string name;
    while (i < text.size() && may_follow_in_name(text[i])) name += text[i++];
    if (may_begin_name(name[0]))
      if (const std::size_t own = own_part(name); own > 0) name.insert(own, suffix);
    out += name;
  }
  return out;
}

}  // namespace semirec
