// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What MPICH is asked, and what its answers mean; mpich/mpi.h stands in for its header.
#include <pantile/impl/mpi/gpu_aware.hpp>

#include <mpi.h>

#include <gmock/gmock.h>

#include <cstdlib>

namespace {
int taken_kind = -1, status = MPI_SUCCESS;
}

int MPIX_GPU_query_support(int kind, int* is_supported) {
  *is_supported = kind == taken_kind;
  return status;
}

namespace pantile::testing {
namespace {

using impl::mpi::mpi_takes_memory_of;

class MpichGpuAware : public ::testing::Test {
 protected:
  MpichGpuAware() {
    unsetenv("PANTILE_MPI_GPU_AWARE");
    taken_kind = -1;
    status = MPI_SUCCESS;
  }
};

TEST_F(MpichGpuAware, TakesWhatItSays) {
  EXPECT_FALSE(mpi_takes_memory_of("cuda"));
  EXPECT_FALSE(mpi_takes_memory_of("hip"));
  taken_kind = MPIX_GPU_SUPPORT_CUDA;
  EXPECT_TRUE(mpi_takes_memory_of("cuda"));
  EXPECT_FALSE(mpi_takes_memory_of("hip"));
  taken_kind = MPIX_GPU_SUPPORT_HIP;
  EXPECT_FALSE(mpi_takes_memory_of("cuda"));
  EXPECT_TRUE(mpi_takes_memory_of("hip"));
  EXPECT_FALSE(mpi_takes_memory_of("sycl"));
}

TEST_F(MpichGpuAware, TakesNothingWhereTheQuestionFails) {
  taken_kind = MPIX_GPU_SUPPORT_CUDA;
  status = 1;
  EXPECT_FALSE(mpi_takes_memory_of("cuda"));
}

TEST_F(MpichGpuAware, IsOverruledByTheVariable) {
  setenv("PANTILE_MPI_GPU_AWARE", "1", 1);
  EXPECT_TRUE(mpi_takes_memory_of("hip"));
  taken_kind = MPIX_GPU_SUPPORT_HIP;
  setenv("PANTILE_MPI_GPU_AWARE", "0", 1);
  EXPECT_FALSE(mpi_takes_memory_of("hip"));
  unsetenv("PANTILE_MPI_GPU_AWARE");
}

}  // namespace
}  // namespace pantile::testing
