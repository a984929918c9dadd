// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/gpu_aware.hpp>

#include <mpi.h>
#if __has_include(<mpi-ext.h>)  // Open MPI's
#include <mpi-ext.h>
#endif

#include <cstdlib>

namespace pantile::impl::mpi {

#if defined(MPIX_GPU_SUPPORT_CUDA) || defined(MPIX_GPU_SUPPORT_HIP)
namespace {

/// MPICH, and those made of it.
bool mpich_takes(int kind) {
  int takes = 0;
  return MPIX_GPU_query_support(kind, &takes) == MPI_SUCCESS && takes != 0;
}

}  // namespace
#endif

bool mpi_takes_memory_of([[maybe_unused]] std::string_view space) {
  if (char const* const said = std::getenv("PANTILE_MPI_GPU_AWARE"); said != nullptr && *said != 0) {
    return std::string_view(said) == "1";
  }
#if defined(OMPI_HAVE_MPI_EXT_CUDA)
  if (space == "cuda") return MPIX_Query_cuda_support() == 1;
#endif
#if defined(OMPI_HAVE_MPI_EXT_ROCM)
  if (space == "hip") return MPIX_Query_rocm_support() == 1;
#endif
#if defined(MPIX_GPU_SUPPORT_CUDA)
  if (space == "cuda") return mpich_takes(MPIX_GPU_SUPPORT_CUDA);
#endif
#if defined(MPIX_GPU_SUPPORT_HIP)
  if (space == "hip") return mpich_takes(MPIX_GPU_SUPPORT_HIP);
#endif
  return false;
}

}  // namespace pantile::impl::mpi
