// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_table.hpp"
#include "io/file_error.hpp"

#include <string_view>

namespace pantile::driver {

namespace {

std::vector<std::string> option_names(CommandInfo const& command) {
  std::vector<std::string> names;
  for (OptionInfo const& option : command.options) {
    if (!option.is_operand()) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// The cases of bash_completion for the word behind each option of a command.
std::string bash_cases(CommandInfo const& command, std::string const& place) {
  std::string text;
  for (OptionInfo const& option : command.options) {
    if (option.is_operand() || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (std::string const& name : option.names) patterns.push_back(place + ":" + name);
    std::string const words = option.is_file() ? "files=yes" : "words='" + joined(option.choices, " ") + "'";
    text += "        " + joined(patterns, "|") + ") " + words + " ;;\n";
  }
  return text;
}

/// Between single quotes, with these characters behind a backslash.
std::string quoted(std::string_view text, std::string_view special) {
  std::string result = "'";
  for (char const c : text) {
    if (special.find(c) != special.npos) result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

/// What zsh's _arguments takes for an option or an operand.
std::string zsh_argument(OptionInfo const& option) {
  std::string const action = option.is_file() ? "_files" : "(" + joined(option.choices, " ") + ")";
  std::string const value = option.value.empty() ? "" : ":value:" + action;
  if (option.is_operand()) return " " + quoted(":" + option.names.front() + ":" + action, "");
  std::string text;
  for (std::string const& name : option.names) {
    std::string const excluded = option.names.size() > 1 ? "(" + joined(option.names, " ") + ")" : "";
    std::string const help = quoted("[" + option.help, ":").insert(1, excluded + name);
    text += " " + help.substr(0, help.size() - 1) + "]" + value + "'";
  }
  return text;
}

std::string zsh_arguments(CommandInfo const& command) {
  std::string text = "_arguments -s";
  for (OptionInfo const& option : command.options) text += " \\\n           " + zsh_argument(option);
  return text;
}

}  // namespace

std::string bash_completion(CommandTable const& table) {
  std::vector<std::string> commands;
  std::string cases = bash_cases(table.program, "program"), options;
  for (CommandInfo const& command : table.commands) {
    commands.push_back(command.name);
    cases += bash_cases(command, command.name);
    options += "            " + command.name + ") words='" + joined(option_names(command), " ") + "' ;;\n";
  }
  return "# Completes the command line of pantile in bash.\n"
         "_pantile() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local command=program words='' files=''\n"
         "    ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}\n"
         "    case $command:$before in\n" +
         cases +
         "        *) case $command in\n"
         "            program) words='" +
         joined(commands, " ") + " " + joined(option_names(table.program), " ") + "' ;;\n" + options +
         "            esac\n"
         "            [[ $command == program || $word == -* ]] || { words=''; files=yes; } ;;\n"
         "    esac\n"
         "    if [[ $files ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "    else\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "    fi\n"
         "}\n"
         "complete -o filenames -F _pantile pantile\n";
}

std::string zsh_completion(CommandTable const& table) {
  std::string commands, cases;
  for (CommandInfo const& command : table.commands) {
    commands += "        " + quoted(command.name + ":" + command.help, "") + "\n";
    cases += "        " + command.name + ") " + zsh_arguments(command) + " ;;\n";
  }
  return "# Completes the command line of pantile in zsh.\n"
         "_pantile() {\n"
         "    local state context line\n"
         "    typeset -A opt_args\n"
         "    local -a commands=(\n" +
         commands +
         "    )\n"
         "    " +
         zsh_arguments(table.program) +
         " \\\n            '1: :->command' '*:: :->rest' && return\n"
         "    case $state in\n"
         "    command) _describe command commands ;;\n"
         "    rest) case $words[1] in\n" +
         cases +
         "        esac ;;\n"
         "    esac\n"
         "}\n"
         "compdef _pantile pantile\n";
}

}  // namespace pantile::driver
