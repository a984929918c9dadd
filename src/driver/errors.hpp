// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How the driver program fails: always with one sentence and an exit status.

#include <stdexcept>

namespace pantile::driver {

/// The command line asks for something that there is not: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The files' contents, or the request together with them, cannot be done, or the result is not what the serial oracle
/// found: exit status 1.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pantile::driver
