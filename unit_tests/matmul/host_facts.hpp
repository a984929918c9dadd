// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What plans on hosts are tested with.

#include <pantile/impl/matmul/host/plan.hpp>

#include <cstdint>

namespace pantile::testing {

/// Doubles with the register tiles and blocks of AVX-512, row-major.
inline impl::matmul::HostFacts avx512_doubles(std::int64_t b_row_stride = 4096) {
  impl::matmul::HostFacts facts;
  facts.available = true;
  facts.panel_rows = 8;
  facts.panel_cols = 24;
  facts.lanes = 8;
  facts.in_place_cols = 32;
  facts.blocks = {96, 512, 2048};
  facts.in_place = impl::arch::host::in_place_512_bits;
  facts.last_level_bytes = facts.cache_bytes = 32 << 20;
  facts.a = facts.c = {1001, 1};
  facts.b = {b_row_stride, 1};
  return facts;
}

}  // namespace pantile::testing
