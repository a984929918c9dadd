// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Calls from many threads at once, from parallel regions, and through forks. Each test runs in a process of its
///        own under CTest, so that Kokkos is initialised in the circumstances that the test is about.

#include <blas/routines.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace pantile::testing::blas {
namespace {

/// Sizes on both sides of what is shared among threads.
bool products_are_right(unsigned seed) {
  return product_is_right<double>(9, 8, 7, seed) && product_is_right<float>(140, 90, 101, seed) &&
         product_is_right<Cd>(70, 81, 90, seed) && product_is_right<double>(130, 131, 129, seed);
}

/// Exit status of a child that runs the test under a time limit; a hang ends as a signal.
int status_of_child(std::function<bool()> const& test) {
  pid_t const child = fork();
  if (child == 0) {
    alarm(60);
    _exit(test() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

int wrong_products_of_threads(unsigned threads, int rounds) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> team;
  for (unsigned id = 0; id < threads; ++id) {
    team.emplace_back([&wrong, id, rounds] {
      for (int round = 0; round < rounds; ++round) wrong += products_are_right(100 * id + round) ? 0 : 1;
    });
  }
  for (std::thread& thread : team) thread.join();
  return wrong;
}

TEST(BlasThreads, EightAtOnceFromTheFirstCallOn) { EXPECT_EQ(wrong_products_of_threads(8, 5), 0); }

TEST(BlasThreads, ThreadsThatComeAndGo) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(wrong_products_of_threads(2, 1), 0);
}

TEST(BlasThreads, CopiesAtOnce) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> team;
  for (int id = 0; id < 8; ++id) {
    team.emplace_back([&wrong, id] {
      Operand<double> const a(CblasColMajor, 301, 280, 1, id);
      Operand<double> b(CblasColMajor, 280, 301, 0, id), expected = b;
      for (int i = 0; i < b.rows; ++i) {
        for (int j = 0; j < b.cols; ++j) expected(i, j) = 2 * a(j, i);
      }
      cblas_omatcopy(CblasColMajor, CblasTrans, 301, 280, 2.0, a.memory.data(), a.ld, b.memory.data(), b.ld);
      wrong += b.memory == expected.memory ? 0 : 1;
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(wrong, 0);
}

#if defined(_OPENMP)
/// The first call of the process comes from within the region.
TEST(BlasThreads, WithinAParallelRegionOfTheCaller) {
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  for (unsigned round = 0; round < 5; ++round) wrong += products_are_right(round) ? 0 : 1;
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(products_are_right(1));
}

TEST(BlasThreads, WithinNestedRegions) {
  int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    wrong += products_are_right(1) ? 0 : 1;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    wrong += products_are_right(2) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
}
#endif

TEST(BlasFork, ChildOfAProgramThatHasUsedIt) {
  ASSERT_TRUE(products_are_right(1));
  EXPECT_EQ(status_of_child([] { return products_are_right(2); }), 0);
  EXPECT_TRUE(products_are_right(3));
}

TEST(BlasFork, ChildOfAProgramThatHasOnlyLoadedIt) {
  EXPECT_EQ(status_of_child([] { return products_are_right(2); }), 0);
  EXPECT_TRUE(products_are_right(3));
}

TEST(BlasFork, ThreadsInTheChild) {
  ASSERT_TRUE(products_are_right(1));
  EXPECT_EQ(status_of_child([] { return wrong_products_of_threads(4, 2) == 0; }), 0);
}

TEST(BlasFork, GrandChild) {
  ASSERT_TRUE(products_are_right(1));
  EXPECT_EQ(status_of_child(
                [] { return products_are_right(2) && status_of_child([] { return products_are_right(3); }) == 0; }),
            0);
}

/// Forks in the middle of other threads' calls.
TEST(BlasFork, WhileOtherThreadsCall) {
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> team;
  for (unsigned id = 0; id < 3; ++id) {
    team.emplace_back([&, id] {
      while (!stop) wrong += products_are_right(id) ? 0 : 1;
    });
  }
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(status_of_child([i] { return products_are_right(i); }), 0);
  stop = true;
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// The library's own handlers, as this program has none.
TEST(BlasErrors, OneLineAndOn) {
  double c = 3;
  ::testing::internal::CaptureStderr();
  fortran_gemm('N', 'N', 1, 1, 1, 1.0, &c, 0, &c, 1, 1.0, &c, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "libpantile_blas: argument 8 of DGEMM is not valid\n");
  ::testing::internal::CaptureStderr();
  cblas_gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, -1, 1, 1, 1.0, &c, 1, &c, 1, 1.0, &c, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "libpantile_blas: argument 4 of cblas_dgemm is not valid\n");
  ::testing::internal::CaptureStderr();
  cblas_gemm(7, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1.0, &c, 1, &c, 1, 1.0, &c, 1);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "libpantile_blas: argument 1 of cblas_dgemm is not valid: order is 7, neither 101 (rows) nor 102 "
            "(columns)\n");
  EXPECT_EQ(c, 3);
}

}  // namespace
}  // namespace pantile::testing::blas
