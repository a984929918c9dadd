// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include "io/progress_text.hpp"

namespace pantile::driver {
namespace {

using std::chrono::milliseconds;

/// What is said so many milliseconds after any begin of the clock.
std::string said(ProgressText& text, int when, std::uint64_t done, std::uint64_t total) {
  return text.at(ProgressText::Clock::time_point(milliseconds(5'000'000 + when)), done, total);
}

TEST(ProgressText, EstimatesByWhatIsDone) {
  ProgressText text("reading");
  EXPECT_EQ(said(text, 0, 0, 1000), "reading: 0 %");
  EXPECT_EQ(said(text, 999, 100, 1000), "reading: 10 %");  // too early to say
  EXPECT_EQ(said(text, 2000, 250, 1000), "reading: 25 %, about 6 s left");
  EXPECT_EQ(said(text, 3000, 750, 1000), "reading: 75 %, about 1 s left");
  EXPECT_EQ(said(text, 9000, 750, 1000), "reading: 75 %, about 3 s left");  // it has become slower
  EXPECT_EQ(said(text, 9500, 999, 1000), "reading: 100 %, about 0 s left");
  EXPECT_EQ(said(text, 10000, 1000, 1000), "reading: 100 %");
}

TEST(ProgressText, DoesNotCountWhatAnEarlierRunHasDone) {
  ProgressText text("tiles");
  EXPECT_EQ(said(text, 0, 600, 1000), "tiles: 60 %");
  EXPECT_EQ(said(text, 4000, 600, 1000), "tiles: 60 %");  // nothing is known of this run's rate
  EXPECT_EQ(said(text, 4000, 700, 1000), "tiles: 70 %, about 12 s left");
  EXPECT_EQ(said(text, 8000, 800, 1000), "tiles: 80 %, about 8 s left");
}

TEST(ProgressText, HasNothingToEstimateWhereNothingIsToBeDone) {
  ProgressText text("writing");
  EXPECT_EQ(said(text, 0, 0, 0), "writing: 100 %");
  EXPECT_EQ(said(text, 5000, 0, 0), "writing: 100 %");
}

TEST(ProgressText, CountsBeyondWhatDoublesHold) {
  ProgressText text("x");
  std::uint64_t const total = std::uint64_t(1) << 62U;
  EXPECT_EQ(said(text, 0, 0, total), "x: 0 %");
  EXPECT_EQ(said(text, 1000, 1, total), "x: 0 %, about 4611686018427387904 s left");
}

}  // namespace
}  // namespace pantile::driver
