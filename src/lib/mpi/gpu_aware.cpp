// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/gpu_aware.hpp>

#include <mpi.h>
#if __has_include(<mpi-ext.h>)  // Open MPI's
#include <mpi-ext.h>
#endif

#include <cstdlib>

namespace pantile::impl::mpi {

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
  return false;
}

}  // namespace pantile::impl::mpi
