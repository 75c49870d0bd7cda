#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/command_text.hpp"

namespace semirec::cli {

namespace {

/// Calls `each` with a command and the words that lead to it: `semirec export fmu`.
template <class Each>
void walk_commands(const CommandText& command, const std::string& path, const Each& each) {
  each(command, path);
  for (const CommandText& inner : command.commands)
    walk_commands(inner, path + " " + inner.name, each);
}

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// What both shells decide alike, in variables whose names mean nothing to either (`path`,
/// `options` and `commands` do to zsh): the command that the words lead to, what may follow it, and
/// the values of an option that takes few. Needs `before`, the word in front of the one that is
/// completed; `pass` goes through the words, with `$word` for each.
std::string decisions(const CommandText& program, const std::string& pass) {
  std::string steps;
  std::string follows;
  std::string values;
  walk_commands(program, program.name, [&](const CommandText& command, const std::string& path) {
    std::vector<std::string> options;
    std::vector<std::string> names;
    for (const CommandText& inner : command.commands) {
      names.push_back(inner.name);
      steps += fmt::format("      '{} {}') said='{} {}' ;;\n", path, inner.name, path, inner.name);
    }
    for (const ArgumentText& argument : command.arguments) {
      if (argument.positional()) {
        names.insert(names.end(), argument.words.begin(), argument.words.end());
        continue;
      }
      options.push_back(argument.name);
      if (!argument.words.empty())
        values += fmt::format("    '{} {}') few='{}' ;;\n", path, argument.name,
                              words_of(argument.words));
    }
    follows += fmt::format("    '{}') flags='{}' names='{}' ;;\n", path, words_of(options),
                           words_of(names));
  });
  return fmt::format(
      "  local said={} flags= names= few= word\n"
      "  {}; do\n"
      "    case \"$said $word\" in\n{}    esac\n"
      "  done\n"
      "  case \"$said\" in\n{}  esac\n"
      "  case \"$said $before\" in\n{}  esac\n",
      program.name, pass, steps, follows, values);
}

}  // namespace

std::string bash_completion(const CommandText& program) {
  return fmt::format(
      "# Completion for bash, written by: {0} completion bash\n"
      "_{0}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "{1}"
      "  COMPREPLY=()\n"
      "  if [[ -n $few ]]; then COMPREPLY=($(compgen -W \"$few\" -- \"$current\"))\n"
      "  elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))\n"
      "  elif [[ -n $names ]]; then COMPREPLY=($(compgen -W \"$names\" -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "# where it has nothing to say, names of files\n"
      "complete -o bashdefault -o default -F _{0} {0}\n",
      program.name, decisions(program, "for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\""));
}

std::string zsh_completion(const CommandText& program) {
  return fmt::format(
      "#compdef {0}\n"
      "# Completion for zsh, written by: {0} completion zsh\n"
      "_{0}() {{\n"
      "  local before=${{words[CURRENT-1]}}\n"
      "{1}"
      "  if [[ -n $few ]]; then compadd -- ${{=few}}\n"
      "  elif [[ $PREFIX == -* ]]; then compadd -- ${{=flags}}\n"
      "  elif [[ -n $names ]]; then compadd -- ${{=names}}\n"
      "  else _files\n"
      "  fi\n"
      "}}\n"
      "_{0} \"$@\"\n",
      program.name, decisions(program, "for word in \"${(@)words[2,CURRENT-1]}\""));
}

}  // namespace semirec::cli
