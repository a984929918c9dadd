// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Does MPI send from the memory of a device, and receive there?

#include <string_view>

namespace pantile::impl::mpi {

/// \brief  What the environment variable PANTILE_MPI_GPU_AWARE says, 1 or not; else what MPI says of itself: Open
///         MPI's MPIX_Query_cuda_support and _rocm_support, MPICH's MPIX_GPU_query_support. Others are not asked.
/// \param  space  the device's execution space: cuda, hip
bool mpi_takes_memory_of(std::string_view space);

}  // namespace pantile::impl::mpi
