// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arguments.hpp"

#include <string>
#include <variant>

namespace pantile::driver {

/// The text that --help asks for.
struct Help {
  std::string text;
};

/// Throws UsageError.
std::variant<Arguments, Help> parse_command_line(int argc, char** argv);

}  // namespace pantile::driver
