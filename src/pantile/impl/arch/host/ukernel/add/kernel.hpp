// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Addition of rows of host matrices at the speed of memory.

#include <pantile/impl/arch/host/ukernel/add/functions.hpp>
#include <pantile/impl/arch/host/ukernel/shuffle.hpp>

namespace pantile::impl::arch::adding {

/// \tparam Parts  numbers of an element: two for complex ones
template <class S, class Real, int Parts>
struct Adder {
  using Vector = Register<S, Real>;
  static constexpr int width = lanes<S, Real>;
  static constexpr int line = 64;

  /// alpha a + beta b: textbook products, the sum formed as alpha a first. That product is rounded, so that a row's
  /// chunks and its ends have the same bits, wherever threads cut it.
  struct Combine {
    Vector alpha, alpha_cross, beta, beta_cross;

    template <bool ReadsB>
    PANTILE_INLINE Vector operator()(Vector const& a, [[maybe_unused]] Vector const& b) const {
      Vector sum = rounded(alpha * a);
      if constexpr (Parts == 2) sum += alpha_cross * swap_pairs<S, Real>(a);
      if constexpr (ReadsB) {
        sum += beta * b;
        if constexpr (Parts == 2) sum += beta_cross * swap_pairs<S, Real>(b);
      }
      return sum;
    }
  };

  template <bool ReadsB, bool Past>
  static PANTILE_INLINE void row(Combine const& combine, Real const* a, Real const* b, Real* c, Index count) {
    Index i = 0;
    if constexpr (Past) {
      // Up to the next line of c. rows() sees to it that elements do not lie across lines.
      Index const place = static_cast<Index>(reinterpret_cast<std::uintptr_t>(c) % line);
      Index const head = place == 0 ? 0 : (line - place) / static_cast<Index>(sizeof(Real));
      i = head < count ? head : count;
      for (Index k = 0; k < i; k += width) some<ReadsB>(combine, a, b, c, k, i - k);
    }
    constexpr int steps = line / S::bytes;
    for (; i + line / static_cast<int>(sizeof(Real)) <= count; i += steps * width) {
      Vector v[steps];
      for (int k = 0; k < steps; ++k) {
        Index const at = i + k * width;
        v[k] = combine.template operator()<ReadsB>(load<S>(a + at), ReadsB ? load<S>(b + at) : Vector{});
      }
      for (int k = 0; k < steps; ++k) put<Past>(c + i + k * width, v[k]);
    }
    for (; i < count; i += width) some<ReadsB>(combine, a, b, c, i, count - i);
  }

  /// Up to a register of them.
  template <bool ReadsB>
  static PANTILE_INLINE void some(Combine const& combine, Real const* a, Real const* b, Real* c, Index at, Index left) {
    int const count = static_cast<int>(left < width ? left : width);
    Vector const v = combine.template operator()<ReadsB>(load_first<S>(a + at, count),
                                                         ReadsB ? load_first<S>(b + at, count) : Vector{});
    store_first<S>(c + at, v, count);
  }

  template <bool ReadsB, bool Past>
  static PANTILE_INLINE void all(Combine const& combine, Rows<Real> const& x) {
    for (Index i = 0; i < x.rows; ++i) {
      row<ReadsB, Past>(combine, x.a + i * x.a_ld * Parts, ReadsB ? x.b + i * x.b_ld * Parts : nullptr,
                        x.c + i * x.c_ld * Parts, x.cols * Parts);
    }
  }

  static void rows(Rows<Real> const& x) {
    Combine const combine{broadcast<S>(x.alpha[0]), cross(x.alpha[1], typename LanesUpTo<width>::type{}),
                          broadcast<S>(x.beta[0]), cross(x.beta[1], typename LanesUpTo<width>::type{})};
    bool const whole = reinterpret_cast<std::uintptr_t>(x.c) % (Parts * sizeof(Real)) == 0;
    if (x.past && whole) {
      if (x.b != nullptr) {
        all<true, true>(combine, x);
      } else {
        all<false, true>(combine, x);
      }
      stream_end();
    } else if (x.b != nullptr) {
      all<true, false>(combine, x);
    } else {
      all<false, false>(combine, x);
    }
  }

 private:
  /// (-part, part, -part, part ...): what the other part of a complex number is multiplied with.
  template <int... I>
  static PANTILE_INLINE Vector cross(Real part, Lanes<I...>) {
    return Vector{(I % 2 == 0 ? static_cast<Real>(-part) : part)...};
  }

  template <bool Past>
  static PANTILE_INLINE void put(Real* p, Vector const& v) {
    if constexpr (Past) {
      stream<S>(p, v);
    } else {
      store<S>(p, v);
    }
  }
};

/// All kernels of an instruction set.
template <class S>
inline constexpr AddKernels kernels{&Adder<S, float, 1>::rows,         &Adder<S, double, 1>::rows,
                                    &Adder<S, float, 2>::rows,         &Adder<S, double, 2>::rows,
                                    &Adder<S, std::uint32_t, 1>::rows, &Adder<S, std::uint64_t, 1>::rows};

}  // namespace pantile::impl::arch::adding

namespace pantile::impl::arch {

template <class S>
constexpr AddKernels const* native_kernels(AddKernels const*) {
  return &adding::kernels<S>;
}

}  // namespace pantile::impl::arch
