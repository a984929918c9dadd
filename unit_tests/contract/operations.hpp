// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The calls that keep the contract of asynchronous operations. A new operation or variant is one line.

#include <pantile/add.hpp>
#include <pantile/fill.hpp>
#include <pantile/histogram.hpp>
#include <pantile/matmul.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/arch/current.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::testing {

/// A function for fill that nvcc takes anywhere.
struct SumOfCoordinates {
  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const { return static_cast<double>(i + j); }
};

/// The matrices of a batch by their addresses.
struct ContractPointers {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Batch = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;
  explicit ContractPointers(Batch const& batch) : of(batch), addresses("addresses", batch.extent(0)) {
    auto const all = Kokkos::create_mirror_view(addresses);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all(i) = reinterpret_cast<std::uintptr_t>(batch.data() + i * batch.stride(0));
    }
    Kokkos::deep_copy(addresses, all);
  }
  [[nodiscard]] MatrixPointers<double, Exec::memory_space> operator()() const {
    return {reinterpret_cast<double* const*>(addresses.data()), of.extent(0), of.extent(1), of.extent(2), of.stride(1)};
  }

  Batch of;
  Kokkos::View<std::uintptr_t*, Exec> addresses;
};

/// Views that every call may use.
struct ContractOperands {
  using Exec = Kokkos::DefaultExecutionSpace;
  template <class T>
  using Right = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;
  Right<double> a{"a", 70, 40}, b{"b", 40, 50}, c{"c", 70, 50};
  Right<double> d{"d", 70, 50}, e{"e", 50, 70}, square{"square", 60, 60};
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> left{"left", 70, 50};
  Kokkos::View<double***, Kokkos::LayoutRight, Exec> batch_a{"batch_a", 60, 30, 20}, batch_b{"batch_b", 60, 20, 30},
      batch_c{"batch_c", 60, 30, 30};
  ContractPointers pointers_a{batch_a}, pointers_b{batch_b};
  Right<double> tiny{"tiny", 7, 7}, tiny_product{"tiny_product", 7, 7};
  Kokkos::View<int*, Exec> samples{"samples", 1000};
  Kokkos::View<std::int32_t*, Exec> counts{"counts", 16};
  Kokkos::View<std::uint64_t, Exec> ignored{"ignored"};
  Kokkos::View<double*, Exec> x{"x", 1000}, y{"y", 1000};
  Right<double> large{"large", 250, 250}, product{"product", 250, 250};
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec> fa{"fa", 70, 40}, fb{"fb", 40, 50}, fc{"fc", 70, 50};
};

struct ContractCall {
  char const* name;       ///< of the test
  char const* operation;  ///< as in labels
  char const* variant;    ///< as in labels of kernels
  char const* element;    ///< as in labels
  void (*call)(Kokkos::DefaultExecutionSpace const&, ContractOperands const&);
};

using ContractExec = Kokkos::DefaultExecutionSpace;
using ContractViews = ContractOperands const;

inline constexpr ContractCall contract_calls[] = {
    {"matmul_naive", "matmul", "naive", "double",
     [](ContractExec const& q, ContractViews& o) {
       matmul(q, 2.0, o.a, o.b, 1.0, o.c, {.algorithm = MatmulAlgorithm::naive});
     }},
    {"matmul_grid_stride", "matmul", "grid_stride", "double",
     [](ContractExec const& q, ContractViews& o) {
       matmul(q, 2.0, o.a, o.b, 1.0, o.c, {.algorithm = MatmulAlgorithm::grid_stride});
     }},
    {"matmul_tiled", "matmul", "tiled", "double",
     [](ContractExec const& q, ContractViews& o) {
       matmul(q, 2.0, o.a, o.b, 1.0, o.c, {.algorithm = MatmulAlgorithm::tiled});
     }},
    {"matmul_scale", "matmul", "scale", "double",
     [](ContractExec const& q, ContractViews& o) { matmul(q, 0.0, o.a, o.b, 2.0, o.c); }},
    {"matmul_tiny", "matmul", impl::arch::Current<ContractExec>::device ? "naive" : "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { matmul(q, 1, o.tiny, o.tiny, 0, o.tiny_product); }},
    {"matmul_automatic_small", "matmul", "blocked", "float",
     [](ContractExec const& q, ContractViews& o) { matmul(q, 1, o.fa, o.fb, 0, o.fc); }},
    {"matmul_automatic", "matmul", "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { matmul(q, 1, o.large, o.large, 0, o.product); }},
    {"matmul_batch", "matmul", "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { matmul(q, 1, o.batch_a, o.batch_b, 0, o.batch_c); }},
    {"matmul_batch_naive", "matmul", "naive", "double",
     [](ContractExec const& q, ContractViews& o) {
       matmul(q, 1, o.batch_a, o.batch_b, 0, o.batch_c, {.algorithm = MatmulAlgorithm::naive});
     }},
    {"transpose_batch_naive", "transpose", "naive", "double",
     [](ContractExec const& q, ContractViews& o) {
       transpose(q, o.batch_a, o.batch_b, {.algorithm = TransposeAlgorithm::naive});
     }},
    {"transpose_pointers", "transpose", impl::arch::Current<ContractExec>::device ? "naive" : "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { transpose(q, o.pointers_a(), o.pointers_b()); }},
    {"transpose_pointers_naive", "transpose", "naive", "double",
     [](ContractExec const& q, ContractViews& o) {
       transpose(q, o.pointers_a(), o.pointers_b(), {.algorithm = TransposeAlgorithm::naive});
     }},
    {"transpose_naive", "transpose", "naive", "double",
     [](ContractExec const& q, ContractViews& o) { transpose(q, o.d, o.e, {.algorithm = TransposeAlgorithm::naive}); }},
    {"transpose_tiled", "transpose", "tiled", "double",
     [](ContractExec const& q, ContractViews& o) { transpose(q, o.d, o.e, {.algorithm = TransposeAlgorithm::tiled}); }},
    {"transpose_padded", "transpose", "padded", "double",
     [](ContractExec const& q, ContractViews& o) {
       transpose(q, o.d, o.e, {.algorithm = TransposeAlgorithm::padded});
     }},
    {"transpose_in_place", "transpose", "padded_in_place", "double",
     [](ContractExec const& q, ContractViews& o) {
       transpose(q, o.square, {.algorithm = TransposeAlgorithm::padded});
     }},
    {"transpose_automatic", "transpose", "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { transpose(q, o.d, o.e); }},
    {"transpose_automatic_in_place", "transpose", "blocked_in_place", "double",
     [](ContractExec const& q, ContractViews& o) { transpose(q, o.square); }},
    {"add_automatic", "add", "blocked", "double",
     [](ContractExec const& q, ContractViews& o) { add(q, 1.0, o.c, 2.0, o.d, o.d); }},
    {"add_naive", "add", "naive", "double",
     [](ContractExec const& q, ContractViews& o) {
       add(q, 1.0, o.c, 2.0, o.d, o.d, {.algorithm = AddAlgorithm::naive});
     }},
    {"add_tiled", "add", "tiled", "double",
     [](ContractExec const& q, ContractViews& o) {
       add(q, 1.0, o.c, 2.0, o.d, o.d, {.algorithm = AddAlgorithm::tiled});
     }},
    {"add_grid_stride", "add", "grid_stride", "double",
     [](ContractExec const& q, ContractViews& o) {
       add(q, 1.0, o.c, 2.0, o.d, o.d, {.algorithm = AddAlgorithm::grid_stride});
     }},
    {"histogram_global", "histogram", "global_atomic", "int32",
     [](ContractExec const& q, ContractViews& o) {
       histogram(q, o.samples, o.counts,
                 {.algorithm = HistogramAlgorithm::global_atomic,
                  .out_of_range = OutOfRange::count,
                  .ignored = o.ignored.data()});
     }},
    {"histogram_scratch", "histogram", "scratch", "int32",
     [](ContractExec const& q, ContractViews& o) {
       histogram(
           q, o.samples, o.counts,
           {.algorithm = HistogramAlgorithm::scratch, .out_of_range = OutOfRange::count, .ignored = o.ignored.data()});
     }},
    {"fill_naive", "fill", "naive", "double",
     [](ContractExec const& q, ContractViews& o) { fill(q, o.c, SumOfCoordinates{}); }},
    {"fill_grid_stride", "fill", "grid_stride", "double",
     [](ContractExec const& q, ContractViews& o) { fill(q, o.c, 3.0, {.algorithm = FillAlgorithm::grid_stride}); }},
    {"reverse_copy", "reverse", "copy", "double",
     [](ContractExec const& q, ContractViews& o) { reverse(q, o.x, o.y); }},
    {"reverse_in_place", "reverse", "in_place", "double",
     [](ContractExec const& q, ContractViews& o) { reverse(q, o.x); }},
    {"transfer_kernel", "transfer", "copy", "double",
     [](ContractExec const& q, ContractViews& o) { copy(q, o.left, o.c); }},
};

}  // namespace pantile::testing
