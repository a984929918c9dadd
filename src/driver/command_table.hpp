// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The program's commands and options as plain data, taken from what parses them: for suggestions, shell
///        completion and the man page.

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace pantile::driver {

/// An option, or an operand: then its only name has no dash.
struct OptionInfo {
  std::vector<std::string> names;    ///< "-o", "--output"
  std::string value;                 ///< what follows it, as the usage text says: "FILE", "{C,F}"; empty for a flag
  std::vector<std::string> choices;  ///< the words that its value may be; empty where there are others
  std::string help;

  [[nodiscard]] bool is_operand() const { return !names.front().starts_with('-'); }
  [[nodiscard]] bool is_file() const { return value == "FILE"; }
};

struct CommandInfo {
  std::string name;
  std::string help;
  std::vector<OptionInfo> options;
};

/// The program itself, whose options stand before any command, and its commands.
struct CommandTable {
  CommandInfo program;
  std::vector<CommandInfo> commands;
};

/// A command's own options, without the hidden ones.
CommandInfo info_of(CLI::App const& app);
CommandTable table_of(CLI::App const& app);

/// "; did you mean 'tiled'?" for the word of these that is nearest to `given`; empty where none begins with it, from
/// three letters on, or differs in up to a third of its letters.
std::string suggestion(std::string_view given, std::vector<std::string> const& words);

/// Scripts that complete the program's command line, for --completion.
std::string bash_completion(CommandTable const& table);
std::string zsh_completion(CommandTable const& table);

/// The man page, for --man.
std::string man_page(CommandTable const& table);

}  // namespace pantile::driver
