// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a problem to the facts that the host's policy depends on, and the format that products are computed in.

#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/table.hpp>
#include <pantile/impl/matmul/host/plan.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::matmul {

/// How a number is computed in the kernels: once or twice.
template <class Compute>
struct HostElement {
  using Real = typename RealOf<Compute>::type;
  using Format = std::conditional_t<is_complex_v<Compute>, arch::Pairs<Real>, Real>;
  static constexpr bool available = arch::has_gemm_kernels<Real>;
};

/// Elements that the kernels can take where they lie: their compute type, or its signed twin.
template <class T, class Compute>
inline constexpr bool is_kernel_element = std::is_same_v<compute_t<T>, Compute> && sizeof(T) == sizeof(Compute);

/// The format of an element of low precision; void for all others.
template <class T>
using low_format_t = std::conditional_t<
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>, arch::Bytes,
    std::conditional_t<is_half<T>, arch::Half16, std::conditional_t<is_brain<T>, arch::Brain16, void>>>;

/// Are A and B of one such format, and their products summed in its type?
template <class TA, class TB, class Compute>
constexpr bool computes_low() {
  using Format = low_format_t<TA>;
  if constexpr (!std::is_void_v<Format> && std::is_same_v<Format, low_format_t<TB>> &&
                HostElement<Compute>::available) {
    return std::is_same_v<Compute, arch::sum_t<Format>>;
  }
  return false;
}

/// The format of a product: A's and B's own if it is one, else the sums'.
template <class TA, class TB, class Compute>
using format_t =
    std::conditional_t<computes_low<TA, TB, Compute>(), low_format_t<TA>, typename HostElement<Compute>::Format>;

template <class TA, class TB, class Compute>
auto const& kernels_of() {
  return *arch::host_kernels<arch::GemmKernels<format_t<TA, TB, Compute>>>();
}

/// \param  alignment  of what a register holds, a power of two: divisions are a part of the time of small products
template <class T>
OperandFacts operand_facts(Matrix<T> const& x, bool must_pack, std::size_t alignment) {
  auto const split = [&](Index stride) {
    auto const places = reinterpret_cast<std::uintptr_t>(x.data) | static_cast<std::uintptr_t>(stride) * sizeof(T);
    return (places & (alignment - 1)) != 0;
  };
  return {x.row_stride, x.col_stride, must_pack, split(x.row_stride), split(x.col_stride)};
}

template <class TA, class TB, class TC, class Accumulator>
HostFacts host_facts(Problem<TA, TB, TC, Accumulator> const& p) {
  using Compute = compute_t<Accumulator>;
  HostFacts facts;
  if constexpr (HostElement<Compute>::available) {
    auto const& kernels = kernels_of<TA, TB, Compute>();
    constexpr int parts = is_complex_v<Compute> ? 2 : 1;
    facts.available = true;
    static_cast<arch::GemmShape&>(facts) = kernels.shape;
    facts.element_bytes = sizeof(Compute);
    facts.real_products = parts * parts;
    std::size_t const alignment = static_cast<std::size_t>(facts.lanes) * sizeof(Compute);
    facts.a = operand_facts(p.a, kernels.must_pack || !is_kernel_element<TA, Compute>, alignment);
    facts.b = operand_facts(p.b, kernels.must_pack || !is_kernel_element<TB, Compute>, alignment);
    facts.c = operand_facts(p.c, false, alignment);
    facts.c_along_columns = !p.c.fast_along_row();
    facts.c_is_sum = is_kernel_element<TC, Compute>;
    facts.reads_c = !(p.beta == Accumulator(0));
    auto const near = arch::near_caches();
    facts.first_level_bytes = near.first;
    facts.second_level_bytes = near.second;
    facts.last_level_bytes = arch::last_level_caches().most;
    facts.cache_bytes = arch::last_level_caches().least;
  }
  return facts;
}

}  // namespace pantile::impl::matmul
