// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The inaccessible pages themselves: what touches them ends the program and says where.
#include <support/guarded.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <csignal>
#include <cstdint>

namespace {

using pantile::testing::Guard;
using pantile::testing::GuardedMatrix;
using pantile::testing::GuardedMemory;

class Guarded : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
  }
};
class GuardedDeathTest : public Guarded {};

void read(double const* p) { static_cast<void>(*static_cast<double const volatile*>(p)); }
void write(double* p) { *static_cast<double volatile*>(p) = 1; }
auto const ends = ::testing::ExitedWithCode(GuardedMemory::exit_status);

TEST_F(GuardedDeathTest, ReadsBehindAreNamed) {
  GuardedMatrix<double> const a("A", 3, 5, {7, 1}, Guard::behind);
  double* const last = a.data() + 2 * 7 + 4;
  read(last);  // the last one itself is there
  EXPECT_EXIT(read(last + 1), ends, "guarded memory: A was touched 1 bytes behind its last byte");
  EXPECT_EXIT(write(last + 2), ends, "guarded memory: A was touched 9 bytes behind its last byte");
}

TEST_F(GuardedDeathTest, ReadsBeforeAreNamed) {
  GuardedMatrix<double> const b("a long name", 2, 2, {2, 1}, Guard::before);
  read(b.data());
  EXPECT_EXIT(read(b.data() - 1), ends, "guarded memory: a long name was touched 8 bytes before its first byte");
}

TEST_F(GuardedDeathTest, AGapToThePageIsAccessible) {
  GuardedMatrix<double> const a("A", 1, 3, {3, 1}, Guard::behind, 4), b("B", 1, 3, {3, 1}, Guard::before, 4);
  auto* const behind = reinterpret_cast<char const volatile*>(a.data() + 3);
  auto* const before = reinterpret_cast<char const volatile*>(b.data());
  EXPECT_EQ(behind[3], static_cast<char>(0xff));
  EXPECT_EQ(before[-4], static_cast<char>(0xff));
  EXPECT_EXIT(static_cast<void>(behind[4]), ends, "A was touched 5 bytes behind");
  EXPECT_EXIT(static_cast<void>(before[-5]), ends, "B was touched 5 bytes before");
}

TEST_F(GuardedDeathTest, OtherFaultsEndTheProgramAsEver) {
  GuardedMatrix<double> const a("A", 1, 1, {1, 1}, Guard::behind);
  EXPECT_DEATH(std::raise(SIGSEGV), "");
}

TEST_F(Guarded, ElementsKeepTheirValues) {
  GuardedMatrix<std::complex<float>> a("A", 4, 3, {5, 1}, Guard::behind, 4);
  a.fill(
      [](std::size_t i, std::size_t j) { return std::complex<float>(static_cast<float>(i), static_cast<float>(j)); });
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(a(i, j), std::complex<float>(static_cast<float>(i), static_cast<float>(j)));
    }
  }
  EXPECT_TRUE(a.gaps_intact());
}

TEST_F(Guarded, WritesBetweenAndAroundElementsAreSeen) {
  for (Guard const guard : pantile::testing::both_guards) {
    GuardedMatrix<std::int32_t> a("A", 3, 2, {4, 1}, guard);
    a.fill([](std::size_t, std::size_t) { return 5; });
    EXPECT_TRUE(a.gaps_intact());
    a.data()[2] = 0;
    EXPECT_FALSE(a.gaps_intact()) << "between two rows";
    a.data()[2] = -1;
    EXPECT_TRUE(a.gaps_intact());
    std::int32_t* const beside = guard == Guard::behind ? a.data() - 1 : a.data() + 10;
    *beside = 5;
    EXPECT_FALSE(a.gaps_intact()) << "where there is no inaccessible page";
  }
}

TEST_F(Guarded, MemoryOfNoBytesIsBesideThePage) {
  GuardedMatrix<double> const a("A", 0, 5, {5, 1}, Guard::behind);
  EXPECT_TRUE(a.gaps_intact());
}

TEST_F(Guarded, ManyOperandsOneAfterTheOther) {
  for (int turn = 0; turn < 500; ++turn) {
    GuardedMatrix<double> const a("A", 10, 10, {10, 1}, Guard::behind);
    ASSERT_NE(a.data(), nullptr);
  }
}

}  // namespace
