// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Counting histograms of host memory: several copies of the bins, so that the addition of a sample need not
///        wait for that of an equal one before it (store-to-load forwarding).

#include <pantile/impl/arch/host/tuning/histogram.hpp>
#include <pantile/impl/arch/host/ukernel/histogram/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch::counting {

template <class S, class Word>
struct Counter {
  static constexpr int width = lanes<S, Word>;
  using Sample __attribute__((may_alias)) = Word;  // the caller's own integer type of this width

  /// \brief  A piece of the samples. Branches: a sample out of range is a mispredicted branch, one in range waits for
  ///         nothing. The samples are fetched ahead, since misses of the bins hold up the hardware's own fetching.
  template <int Copies, bool Branches>
  static PANTILE_INLINE void count_piece(Sample const* data, Index count, std::uint64_t bound, std::uint32_t* copies) {
    Index const step = copy_step(bound);
    std::uint32_t outside = 0;
    auto const add = [&](std::uint32_t* copy, std::uint64_t bin) {
      if constexpr (Branches) {
        if (bin < bound) [[likely]] {
          ++copy[bin];
        } else {
          ++outside;
        }
      } else {
        ++copy[bin];
      }
    };
    constexpr int unrolled = 8;
    Index i = 0;
    for (; i + unrolled <= count; i += unrolled) {
      __builtin_prefetch(reinterpret_cast<char const*>(data + i) + host::counted_ahead_bytes);
      std::uint64_t bins[unrolled];  // all at once: one by one, compilers make branches of the choice
      for (int k = 0; k < unrolled; ++k) {
        bins[k] = data[i + k];
        if constexpr (!Branches) bins[k] = bins[k] < bound ? bins[k] : bound;
      }
      for (int k = 0; k < unrolled; ++k) add(copies + (k % Copies) * step, bins[k]);
    }
    for (; i < count; ++i) add(copies, data[i] < bound ? data[i] : bound);
    copies[bound] += outside;
  }

  /// Branches, unless many of the piece before were out of range.
  template <int Copies>
  static PANTILE_INLINE void count_into(Samples<Word> const& x, std::uint32_t* copies) {
    constexpr Index piece = host::counted_piece;
    std::uint32_t before = 0;
    bool branches = true;
    for (Index begin = 0; begin < x.count; begin += piece) {
      Index const count = x.count - begin < piece ? x.count - begin : piece;
      if (branches) {
        count_piece<Copies, true>(x.data + begin, count, x.bound, copies);
      } else {
        count_piece<Copies, false>(x.data + begin, count, x.bound, copies);
      }
      std::uint32_t outside = 0;
      for (int k = 0; k < Copies; ++k) outside += copies[k * copy_step(x.bound) + static_cast<Index>(x.bound)];
      branches = outside - before < piece / host::branched_share;
      before = outside;
    }
  }

  static void count(Samples<Word> const& x, std::uint32_t* copies, int number) {
    if (number == host::histogram_copies) {
      count_into<host::histogram_copies>(x, copies);
    } else {
      count_into<1>(x, copies);
    }
  }

  static bool inside(Word const* numbers, Index count, std::uint64_t const* bounds, int bounded) {
    constexpr int registers = 6;  // neighbours in turn: a multiple of 1, 2 and 3
    using Vector = Register<S, Word>;
    Vector most[registers] = {};
    Index i = 0;
    auto const join = [](Vector& so_far, Vector const& v) { so_far = v > so_far ? v : so_far; };
    for (; i + registers * width <= count; i += registers * width) {
      for (int k = 0; k < registers; ++k) join(most[k], load<S>(numbers + i + k * width));
    }
    for (int k = 0; k < registers; ++k) {
      if (i + width > count) continue;
      join(most[k], load<S>(numbers + i));
      i += width;
    }
    int which = static_cast<int>(i % bounded);
    bool all = true;
    auto const look = [&](Word number) {
      all = all && number < bounds[which];
      which = which + 1 == bounded ? 0 : which + 1;
    };
    for (; i < count; ++i) look(numbers[i]);
    // Lanes that are in turn for the same bounds, into as few registers as have all turns.
    int const kept = bounded == 3 ? 3 : 1;
    for (int k = 0; k < 3; ++k) join(most[k], most[k + 3]);
    if (kept == 1) {
      join(most[0], most[1]);
      join(most[0], most[2]);
    }
    which = 0;
    for (int k = 0; k < kept; ++k) {
      for (int lane = 0; lane < width; ++lane) look(most[k][lane]);
    }
    return all || count == 0;
  }

  static constexpr CountKernel<Word> kernel{&count, &inside};
};

/// All kernels of an instruction set.
template <class S>
inline constexpr HistogramKernels kernels{Counter<S, std::uint8_t>::kernel, Counter<S, std::uint16_t>::kernel,
                                          Counter<S, std::uint32_t>::kernel, Counter<S, std::uint64_t>::kernel};

}  // namespace pantile::impl::arch::counting

namespace pantile::impl::arch {

template <class S>
constexpr HistogramKernels const* native_kernels(HistogramKernels const*) {
  return &counting::kernels<S>;
}

}  // namespace pantile::impl::arch
