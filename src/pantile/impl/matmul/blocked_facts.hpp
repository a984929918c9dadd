// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a problem to what the choice of a blocked matmul on hosts depends on.

#include <pantile/impl/arch/host/kernels.hpp>
#include <pantile/impl/matmul/blocked_policy.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::matmul {

/// How an element is computed in the kernels: a number type, once or twice.
template <class Compute>
struct BlockedElement {
  using Real = typename RealOf<Compute>::type;
  static constexpr bool complex = is_complex_v<Compute>;
  static constexpr bool available = arch::has_gemm_kernels<Real>;
};

/// Elements that the kernels can take where they lie: their compute type, or its signed twin.
template <class T, class Compute>
inline constexpr bool is_kernel_element = std::is_same_v<compute_t<T>, Compute> && sizeof(T) == sizeof(Compute);

/// The format of an element narrower than the numbers it is summed in; void for all others.
template <class T>
using narrow_format_t = std::conditional_t<std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>, arch::Bytes,
                        std::conditional_t<is_half<T>, arch::Half16,
                        std::conditional_t<is_brain<T>, arch::Brain16, void>>>;

/// The format of both A and B, where their products are summed in the format's type.
template <class TA, class TB, class Compute>
struct NarrowOf {
  using Format = narrow_format_t<TA>;
  static constexpr bool available = false;
};
template <class TA, class TB, class Compute>
  requires(!std::is_void_v<narrow_format_t<TA>> && std::is_same_v<narrow_format_t<TA>, narrow_format_t<TB>> &&
           BlockedElement<Compute>::available)
struct NarrowOf<TA, TB, Compute> {
  using Format = narrow_format_t<TA>;
  static constexpr bool available = std::is_same_v<Compute, typename Format::Sum>;
};

template <class TA, class TB, class TC, class Accumulator>
BlockedFacts blocked_facts(Problem<TA, TB, TC, Accumulator> const& p) {
  using Compute = compute_t<Accumulator>;
  using Element = BlockedElement<Compute>;
  BlockedFacts facts;
  if constexpr (Element::available) {
    auto const& kernels = *arch::host_kernels<arch::GemmKernels<typename Element::Real>>();
    int const parts = Element::complex ? 2 : 1;
    facts.available = true;
    facts.panel_rows = kernels.rows / parts;
    facts.panel_cols = kernels.cols / parts;
    facts.lanes = kernels.lanes / parts;
    facts.element_bytes = sizeof(Compute);
    facts.real_products = parts * parts;
    facts.blocks = {kernels.blocks.mc / parts, kernels.blocks.kc, kernels.blocks.nc / parts};
    facts.reach = kernels.reach;
    facts.a_unit_rows = p.a.row_stride == 1;
    facts.a_unit_cols = p.a.col_stride == 1;
    facts.a_repeats = p.a.col_stride == 0;
    facts.b_unit_rows = p.b.row_stride == 1;
    facts.b_unit_cols = p.b.col_stride == 1 || p.b.cols == 1;
    facts.c_unit_cols = p.c.col_stride == 1 || p.c.cols == 1;
    facts.b_row_stride = p.b.row_stride;
    auto const b_places = reinterpret_cast<std::uintptr_t>(p.b.data) | static_cast<std::uintptr_t>(p.b.row_stride) * sizeof(TB);
    facts.b_splits = b_places % (static_cast<std::size_t>(facts.lanes) * sizeof(Compute)) != 0;
    facts.same_elements =
        is_kernel_element<TA, Compute> && is_kernel_element<TB, Compute> && is_kernel_element<TC, Compute>;
    using Narrow = NarrowOf<TA, TB, Compute>;
    if constexpr (Narrow::available) {
      auto const& narrow = *arch::host_kernels<arch::NarrowKernels<typename Narrow::Format>>();
      facts.narrow = {narrow.group, narrow.rows, narrow.cols, narrow.blocks, is_kernel_element<TC, Compute>};
    }
  }
  return facts;
}

}  // namespace pantile::impl::matmul
