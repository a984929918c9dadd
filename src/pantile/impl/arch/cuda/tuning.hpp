// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of NVIDIA's GPUs by which tiles are chosen: perf_tests/notes/tuning.md.

#include <pantile/impl/arch/device_tuning.hpp>

namespace pantile::impl::arch::cuda {

inline constexpr DeviceTuning tuning{.memory_bytes_per_clock = 14, .least_fill = 0.85, .scratch_of_driver = 1024};

}  // namespace pantile::impl::arch::cuda
