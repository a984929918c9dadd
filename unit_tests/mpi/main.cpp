// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  GoogleTest on every rank: all run all tests, rank 0 prints what one program would, each says what it finds
///        wrong.

#include <mpi/ranks.hpp>

#include <gmock/gmock.h>
#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <cstdio>

namespace {

class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (!result.failed()) return;
    std::printf("rank %d: %s:%d: %s\n", pantile::testing::world_rank(),
                result.file_name() == nullptr ? "" : result.file_name(), result.line_number(), result.message());
    std::fflush(stdout);
  }
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  testing::InitGoogleMock(&argc, argv);
  if (pantile::testing::world_rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  int status = 0;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    status = RUN_ALL_TESTS();
  }
  MPI_Finalize();
  return status;
}
