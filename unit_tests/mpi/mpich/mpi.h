// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// In the place of MPICH's header: what says which memory it takes.

#define MPI_SUCCESS 0
#define MPIX_GPU_SUPPORT_CUDA 0
#define MPIX_GPU_SUPPORT_HIP 2

int MPIX_GPU_query_support(int kind, int* is_supported);
