// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The ways in which hosts compute a product, each under a name: what its code has in common. A sweep over
///        shapes and strides tells which of them there are, and `path_cases.hpp` has cases for each.

#include <support/numbers.hpp>

#include <pantile/matmul.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace pantile::testing {

namespace matmul_impl = impl::matmul;
using Host = Kokkos::DefaultHostExecutionSpace;

/// How a matrix lies in memory.
enum class Storage {
  rows,           ///< row by row, a few elements between two of them
  columns,        ///< column by column, the same
  prefetch_rows,  ///< rows pages apart
  strided,        ///< neither rows nor columns are contiguous
  repeated,       ///< its columns are one and the same
  flat            ///< its rows are one and the same
};

struct Distance {
  Index row, col;
};

/// Distances between neighbours of a rows x cols matrix.
inline Distance distance_of(Storage storage, Index rows, Index cols) {
  switch (storage) {
    case Storage::rows: return {cols + 3, 1};
    case Storage::columns: return {1, rows + 5};
    case Storage::prefetch_rows: return {cols + 1031, 1};
    case Storage::strided: return {3 * cols + 1, 3};
    case Storage::repeated: return {1, 0};
    case Storage::flat: return {0, 1};
  }
  return {0, 0};
}

template <class TA, class TB, class TC, class Accumulator>
using ProblemOf = matmul_impl::Problem<TA, TB, TC, Accumulator>;

/// How the operand that is packed lies: each has code of its own to pack it.
template <class T>
std::string lying(impl::Matrix<T> const& x) {
  if (x.row_stride == 0 || x.col_stride == 0) return " from one line";
  return x.col_stride == 1 ? " from rows" : x.row_stride == 1 ? " from columns" : " from anywhere";
}

/// A plan of slices without what every slice does as a product by itself does it.
inline matmul_impl::HostPlan kind_of_slices(matmul_impl::HostPlan const& plan) {
  matmul_impl::HostPlan kind;
  kind.path = plan.path;
  kind.exchange = plan.exchange;
  return kind;
}

/// \brief  The name of the way that a plan for this problem, C fast along its rows, computes. The sums of parts, pieces
///         and blocks are the same code: their numbers do not count.
template <class TA, class TB, class TC, class Accumulator>
std::string path_of(matmul_impl::HostPlan const& plan, ProblemOf<TA, TB, TC, Accumulator> const& p) {
  using matmul_impl::Path;
  using Compute = compute_t<Accumulator>;
  if (plan.slices.count > 1) return "in slices: " + path_of(kind_of_slices(plan), p);
  std::string const who = plan.on_caller ? ", on the caller" : ", by threads";
  if (plan.path != Path::tiles) {
    return std::string(plan.path == Path::skinny_rows ? "skinny rows" : "skinny dots") +
           (plan.exchange ? ", exchanged" : "") + who;
  }
  std::string const sums = plan.in_c() ? "" : ", beside C";
  if (matmul_impl::computes_low<TA, TB, Compute>()) return "low precision" + sums + who;
  bool const converts_a = !matmul_impl::is_kernel_element<TA, Compute>,
             converts_b = !matmul_impl::is_kernel_element<TB, Compute>;
  if (converts_a || converts_b) {
    return std::string(converts_a ? converts_b ? "A and B" : "A" : "B") + " converted" + sums + who;
  }
  std::string const packed =
      (plan.pack_a ? ", A packed" + lying(p.a) : "") + (plan.pack_b ? ", B packed" + lying(p.b) : "");
  std::string const prefetch = !plan.hints.prefetches ? ""
                               : p.n() > impl::arch::host::wide_panels * Index{plan.panel_cols}
                                   ? ", prefetched along rows"
                                   : ", prefetched down columns";
  return "tiles" + packed + prefetch + (plan.edge_cols > 0 ? ", last columns in dots" : "") + sums + who;
}

/// The way of what the face's plan says.
template <class TA, class TB, class TC, class Accumulator>
std::string path_of(matmul_impl::Plan const& plan, ProblemOf<TA, TB, TC, Accumulator> const& p) {
  if (plan.scales_only) return "scale";
  if (plan.algorithm != MatmulAlgorithm::blocked) return to_string(plan.algorithm);
  return path_of(plan.host, p);
}

/// The way of a tiny product.
template <class TA, class TB, class TC, class Accumulator>
std::string path_of(matmul_impl::TinyPlan const& plan, ProblemOf<TA, TB, TC, Accumulator> const& p) {
  using matmul_impl::Path;
  switch (plan.path) {
    case Path::skinny_dots: return "tiny, dots";
    case Path::column_dots: return "tiny, dots of rows";
    case Path::column_rows: return "tiny, along columns";
    default: break;
  }
  std::string const b = plan.exchange ? lying(p.a.transposed()) : lying(p.b);
  if (plan.path == Path::transposed_tiles) return "tiny, C transposed" + b;
  return "tiny, " + (plan.pack_b ? "B packed" + b : "straight") + (plan.edge_cols > 0 ? ", last columns in dots" : "");
}

/// The way of a call: what the face would do with this problem on this machine.
template <class TA, class TB, class TC, class Accumulator>
std::string path_of(impl::arch::Machine const& machine, ProblemOf<TA, TB, TC, Accumulator> const& p,
                    MatmulOptions const& options) {
  std::string path;
  auto plan = matmul_impl::choose(machine, matmul_impl::make_query<impl::arch::Current<Host>>(p, options));
  if (plan.host.tiny) return path_of<TA, TB, TC, Accumulator>(static_cast<matmul_impl::TinyPlan&>(plan.host), p);
  matmul_impl::as_planned(p, plan.exchange, [&](auto const& along_rows) {
    plan.host.exchange = plan.host.exchange != plan.exchange;
    path = path_of(plan, along_rows);
  });
  return path;
}

/// A product's extents, how op(A), op(B) and C lie in memory, and what is asked for.
struct PathCase {
  Index m = 0, n = 0, k = 0;
  Storage a = Storage::rows, b = Storage::rows, c = Storage::rows;
  MatmulAlgorithm algorithm = MatmulAlgorithm::automatic;
};

inline std::string to_string(PathCase const& x) {
  auto const at = [](Storage storage) { return std::to_string(static_cast<int>(storage)); };
  return std::to_string(x.m) + "x" + std::to_string(x.n) + "x" + std::to_string(x.k) + " storages " + at(x.a) +
         at(x.b) + at(x.c) + " " + to_string(x.algorithm);
}

/// The problem of a case with these addresses.
template <class TA, class TB, class TC, class Accumulator>
ProblemOf<TA, TB, TC, Accumulator> problem_of(PathCase const& x, TA const* a, TB const* b, TC* c) {
  auto const da = distance_of(x.a, x.m, x.k), db = distance_of(x.b, x.k, x.n), dc = distance_of(x.c, x.m, x.n);
  return {{a, x.m, x.k, da.row, da.col},
          {b, x.k, x.n, db.row, db.col},
          {c, x.m, x.n, dc.row, dc.col},
          false,
          false,
          Accumulator(1),
          Accumulator(1)};
}

/// The way of a case, which depends on no address: each operand gets a range of its own.
template <class TA, class TB, class TC, class Accumulator>
std::string path_of(impl::arch::Machine const& machine, PathCase const& x) {
  auto const at = [](int place) { return std::uintptr_t(place) << 52; };
  auto const p = problem_of<TA, TB, TC, Accumulator>(x, reinterpret_cast<TA const*>(at(1)),
                                                     reinterpret_cast<TB const*>(at(2)), reinterpret_cast<TC*>(at(3)));
  return path_of(machine, p, {.algorithm = x.algorithm});
}

/// f(case) for all of these extents with every mix of storages, chosen by the library and with each other variant asked
/// for.
template <class F>
void for_each_case(std::span<Index const> ms, std::span<Index const> ns, std::span<Index const> ks, F const& f) {
  static constexpr Storage of_a[] = {Storage::rows, Storage::columns, Storage::strided, Storage::repeated};
  static constexpr Storage of_b[] = {Storage::rows, Storage::columns, Storage::prefetch_rows, Storage::strided,
                                     Storage::flat};
  static constexpr Storage of_c[] = {Storage::rows, Storage::columns, Storage::strided};
  auto const extents = [&](Storage a, Storage b, Storage c, MatmulAlgorithm algorithm) {
    for (Index const m : ms) {
      for (Index const n : ns) {
        for (Index const k : ks) f(PathCase{m, n, k, a, b, c, algorithm});
      }
    }
  };
  for (Storage const a : of_a) {
    for (Storage const b : of_b) {
      for (Storage const c : of_c) {
        for (MatmulAlgorithm const algorithm : {MatmulAlgorithm::automatic, MatmulAlgorithm::blocked})
          extents(a, b, c, algorithm);
      }
    }
  }
  for (MatmulAlgorithm const algorithm :
       {MatmulAlgorithm::naive, MatmulAlgorithm::grid_stride, MatmulAlgorithm::tiled}) {
    extents(Storage::rows, Storage::columns, Storage::rows, algorithm);
  }
}

}  // namespace pantile::testing
