// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Leaves the opcodes of all programs that the tests ran in the file that PANTILE_TESTED_OPCODES names, for
///        opcodes.py.
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace pantile_interpreter::testing {
namespace {

class TestedOpcodes : public ::testing::Environment {
  void TearDown() override {
    char const* const path = std::getenv("PANTILE_TESTED_OPCODES");
    if (path == nullptr) return;
    std::ofstream file(path);
    for (std::string const& opcode : tested_opcodes()) file << opcode << '\n';
    EXPECT_TRUE(file.flush()) << path << " cannot be written";
  }
};

[[maybe_unused]] auto* const registered = ::testing::AddGlobalTestEnvironment(new TestedOpcodes);

}  // namespace
}  // namespace pantile_interpreter::testing
