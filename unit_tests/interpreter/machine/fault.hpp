// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  The one kind of error: a sentence that says what is wrong and where.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pantile_interpreter {

/// What a program did that it may not do, or what of it the interpreter does not know.
class Fault : public std::runtime_error {
 public:
  explicit Fault(std::string const& sentence) : std::runtime_error(sentence) {}
};

/// 0x and digits.
std::string hexadecimal(std::uint64_t number);

}  // namespace pantile_interpreter
