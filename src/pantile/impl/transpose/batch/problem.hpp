// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised batch of transpositions: a copy between two arrays of three directions.

#include <pantile/impl/transpose/problem.hpp>
#include <pantile/impl/view/batch.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace pantile::impl::transpose {

/// One of the directions: how far neighbours are apart in source and target.
struct Direction {
  Index count, source, target;

  /// Could both be walked as one, this one faster?
  [[nodiscard]] bool precedes(Direction const& outer) const {
    return outer.source == count * source && outer.target == count * target;
  }
};

/// \brief  A copy of one matrix, and of as many more as there are: a stride further on in source and target, or at
///         addresses, and then `first` has no memory where hosts cannot read these.
template <class T>
struct BatchProblem {
  Problem<T> first;
  Index count;
  BatchPlace<T const> source;
  BatchPlace<T> target;

  KOKKOS_INLINE_FUNCTION Problem<T> at(Index i) const {
    Problem<T> one = first;
    one.source.data = source.of(first.source.data, i);
    one.target.data = target.of(first.target.data, i);
    return one;
  }
  /// The same of matrices that have no addresses, of which kernels do not ask for them.
  KOKKOS_INLINE_FUNCTION Problem<T> strided_at(Index i) const {
    Problem<T> one = first;
    one.source.data += i * source.stride;
    one.target.data += i * target.stride;
    return one;
  }
  [[nodiscard]] bool has_addresses() const { return target.addresses != nullptr; }

  /// A of the batch to B, both strided. A matrix then has the directions that are fast in source and target, whichever
  /// of the batch's three they are.
  static BatchProblem of(Batch<T const> const& a, Batch<T> const& b, Index count, bool conjugates) {
    Direction d[3] = {{count, a.place.stride, b.place.stride},
                      {a.first.rows, a.first.row_stride, b.first.col_stride},
                      {a.first.cols, a.first.col_stride, b.first.row_stride}};
    // Along columns what is fastest in the source, along rows what is in the target, or comes next there.
    auto const fastest = [&](Index Direction::*stride, int from) {
      auto const before = [&](Direction const& x, Direction const& y) {
        return x.count > 1 && (y.count <= 1 || x.*stride < y.*stride);
      };
      for (int other = from + 1; other < 3; ++other) {
        if (before(d[other], d[from])) std::swap(d[other], d[from]);
      }
    };
    fastest(&Direction::source, 0);
    fastest(&Direction::target, 1);
    Direction cols = d[0], rows = d[1], outer = d[2];
    for (Direction* const inner : {&rows, &cols}) {
      if (inner->precedes(outer)) {
        inner->count *= std::exchange(outer.count, 1);
      } else if (outer.precedes(*inner)) {
        *inner = {inner->count * std::exchange(outer.count, 1), outer.source, outer.target};
      }
    }
    return {{{a.first.data, rows.count, cols.count, rows.source, cols.source},
             {b.first.data, rows.count, cols.count, rows.target, cols.target},
             conjugates,
             false},
            outer.count,
            {outer.source},
            {outer.target}};
  }
};

}  // namespace pantile::impl::transpose
