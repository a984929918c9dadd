// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Counting histograms of host memory: several copies of the bins, so that equal samples do not wait for each
///        other's addition to come back from the store buffer.

#include <pantile/impl/arch/host/ukernel/histogram/functions.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

namespace pantile::impl::arch::counting {

template <class S, class Word>
struct Counter {
  static constexpr int width = lanes<S, Word>;
  using Sample __attribute__((may_alias)) = Word;  // the caller's own integer type of this width

  /// Bin of a sample; the one behind the last for those out of range, without a branch.
  static PANTILE_INLINE std::uint64_t place(Word sample, std::uint64_t bound) {
    std::uint64_t const bin = sample;
    return bin < bound ? bin : bound;
  }

  template <int Copies>
  static PANTILE_INLINE void count_into(Samples<Word> const& x, std::uint32_t* copies) {
    Index const step = copy_step(x.bound);
    // In a register: the additions could alias the bound in memory.
    std::uint64_t const bound = x.bound;
    Sample const* const data = x.data;
    Index const count = x.count;
    constexpr int unrolled = 8;
    Index i = 0;
    for (; i + unrolled <= count; i += unrolled) {
      std::uint64_t bins[unrolled];
      for (int k = 0; k < unrolled; ++k) bins[k] = place(data[i + k], bound);
      for (int k = 0; k < unrolled; ++k) ++copies[(k % Copies) * step + static_cast<Index>(bins[k])];
    }
    for (; i < count; ++i) ++copies[place(data[i], bound)];
  }

  static void count(Samples<Word> const& x, std::uint32_t* copies, int number) {
    if (number == 4) {
      count_into<4>(x, copies);
    } else {
      count_into<1>(x, copies);
    }
  }

  static bool inside(Samples<Word> const& x) {
    constexpr int registers = 4;
    using Vector = Register<S, Word>;
    Vector most[registers] = {};
    Index i = 0;
    for (; i + registers * width <= x.count; i += registers * width) {
      for (int k = 0; k < registers; ++k) {
        Vector const v = load<S>(x.data + i + k * width);
        most[k] = v > most[k] ? v : most[k];
      }
    }
    Word largest = 0;
    for (int k = 0; k < registers; ++k) {
      for (int lane = 0; lane < width; ++lane) largest = most[k][lane] > largest ? most[k][lane] : largest;
    }
    for (; i < x.count; ++i) largest = x.data[i] > largest ? x.data[i] : largest;
    return x.count == 0 || largest < x.bound;
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
