// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_table.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <utility>

namespace pantile::driver {

namespace {

std::vector<std::string> choices_of(std::string const& value) {
  std::vector<std::string> words;
  if (!value.starts_with('{')) return words;
  std::istringstream list(value.substr(1, value.size() - 2));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

}  // namespace

CommandInfo info_of(CLI::App const& app) {
  CommandInfo command{.name = app.get_name(), .help = app.get_description(), .options = {}};
  for (CLI::Option const* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    OptionInfo info{.names = {}, .value = {}, .choices = {}, .help = option->get_description()};
    if (option->get_items_expected_max() > 0) info.value = option->get_type_name();
    info.choices = choices_of(info.value);
    if (option->get_positional()) info.names.push_back(option->get_name());
    for (std::string const& name : option->get_snames()) info.names.push_back("-" + name);
    for (std::string const& name : option->get_lnames()) info.names.push_back("--" + name);
    command.options.push_back(std::move(info));
  }
  return command;
}

CommandTable table_of(CLI::App const& app) {
  CommandTable table{.program = info_of(app), .commands = {}};
  for (CLI::App const* command : app.get_subcommands({})) table.commands.push_back(info_of(*command));
  return table;
}

}  // namespace pantile::driver
