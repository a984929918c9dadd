// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised histogram: samples as a matrix of index tuples, bins of any rank as extents and strides.

#include <pantile/impl/view/matrix.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::histogram {

/// Stands for weights that the caller did not give, and for their View.
struct Absent {
  using non_const_value_type = Absent;
};

/// Bins of rank 1, 2 or 3. Integer counts arrive as their unsigned type: signed overflow wraps and is never undefined.
template <class Word, int Rank>
struct Bins {
  Word* data = nullptr;
  Index extent[Rank];
  Index stride[Rank];

  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr Index count() const {
    Index product = 1;
    for (int d = 0; d < Rank; ++d) product *= extent[d];
    return product;
  }

  /// The same bins side by side at storage, last index fastest.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Bins packed(Word* storage) const {
    Bins copy = *this;
    copy.data = storage;
    Index step = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      copy.stride[d] = step;
      step *= extent[d];
    }
    return copy;
  }

  /// Bin number `flat` in the order of packed().
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Word& at(Index flat) const {
    Index offset = 0;
    for (int d = Rank - 1; d > 0; --d) {
      offset += flat % extent[d] * stride[d];
      flat /= extent[d];
    }
    return data[offset + flat * stride[0]];
  }

  /// f(bin, number) for the bins from begin to end in the order of packed(): divisions per row, not per bin.
  template <class F>
  void each(Index begin, Index end, F const& f) const {
    bool in_one_row = true;
    for (int d = 0; d + 1 < Rank; ++d) in_one_row = in_one_row && stride[d] == stride[d + 1] * extent[d + 1];
    Index const row = in_one_row ? count() : extent[Rank - 1];
    for (Index row_end; begin < end; begin = row_end) {
      row_end = std::min(end, begin - begin % row + row);
      Word* const bin = &at(begin);
      auto const along_row = [&](auto step) {
        for (Index b = 0; b < row_end - begin; ++b) f(bin[b * step], begin + b);
      };
      if (stride[Rank - 1] == 1) {
        along_row(UnitStride{});
      } else {
        along_row(stride[Rank - 1]);
      }
    }
  }

  /// Bin of sample s, or null if any of its indices is out of range: negative ones are huge when seen as unsigned.
  template <class I>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Word* find(Matrix<I const> const& indices, Index s) const {
    Index offset = 0;
    for (int d = 0; d < Rank; ++d) {
      auto const index = static_cast<std::uint64_t>(indices(s, d));
      if (index >= static_cast<std::uint64_t>(extent[d])) return nullptr;
      offset += static_cast<Index>(index) * stride[d];
    }
    return data + offset;
  }
};

/// What a sample adds to its bin.
template <class W, class Word>
struct Weights {
  Vector<W const> values;
  KOKKOS_INLINE_FUNCTION Word operator()(Index s) const { return convert<Word>(values(s)); }
};
template <class Word>
struct Weights<Absent, Word> {
  KOKKOS_INLINE_FUNCTION Word operator()(Index) const { return Word(1); }
};

/// \brief  bins(indices(s, :)) += weights(s) for every sample s; samples out of range are added up in *ignored.
///         ignored is null where all are known to be in range, or where their number is not requested.
template <class I, class W, class Word, int Rank>
struct Problem {
  Matrix<I const> indices;  // (samples, Rank)
  Weights<W, Word> weights;
  Bins<Word, Rank> bins;
  std::uint64_t* ignored = nullptr;
  bool accumulate = false;
  bool known_inside = false;  ///< all samples are known to be in range

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Index samples() const { return indices.rows; }

  /// The same; where the bins' first index is the fastest one, with indices in reverse order, so that the last one is.
  [[nodiscard]] Problem last_fastest() const {
    Problem p = *this;
    if (bins.stride[0] >= bins.stride[Rank - 1]) return p;
    p.indices.data += (Rank - 1) * indices.col_stride;
    p.indices.col_stride = -indices.col_stride;
    std::reverse(p.bins.extent, p.bins.extent + Rank);
    std::reverse(p.bins.stride, p.bins.stride + Rank);
    return p;
  }
};

}  // namespace pantile::impl::histogram
