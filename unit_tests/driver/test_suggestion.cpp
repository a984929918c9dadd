// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include "command_table.hpp"

namespace pantile::driver {
namespace {

TEST(Suggestion, IsTheNearestWordThatIsNear) {
  std::vector<std::string> const words{"tiled", "naive", "grid_stride", "automatic", "C", "transpose", "transpose_all"};
  struct Case {
    std::string given, expected;
  };
  for (auto const& [given, expected] : {
           Case{"tild", "tiled"},           // left out
           Case{"tilled", "tiled"},         // added
           Case{"tiles", "tiled"},          // replaced
           Case{"tield", "tiled"},          // swapped
           Case{"atuomatci", "automatic"},  // both ends
           Case{"gird_srtide", "grid_stride"},
           Case{"grid", "grid_stride"},    // begun
           Case{"transpos", "transpose"},  // the first of two that are as near
           Case{"transpose_al", "transpose_all"},
           Case{"ti", ""},     // too short to be a beginning
           Case{"tlide", ""},  // two swaps of five letters
           Case{"blocked", ""},
           Case{"c", ""},  // nothing of the word is right
           Case{"", ""},
           Case{std::string(5000, 't'), ""},
       }) {
    EXPECT_EQ(suggestion(given, words), expected.empty() ? "" : "; did you mean '" + expected + "'?") << given;
  }
  EXPECT_EQ(suggestion("a", {}), "");
}

}  // namespace
}  // namespace pantile::driver
