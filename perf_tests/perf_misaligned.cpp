// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Operands that begin one element behind the vectors' alignment, and complex ones that begin at any of their
///        parts, as C and Fortran hand them over: matmul and transpose of every type, beside the same call on aligned
///        memory.
#include <peers/blas.hpp>
#include <support/product.hpp>

#include <pantile/transpose.hpp>

#include <complex>
#include <cstring>

namespace pantile::perf {

namespace {

/// A matrix' elements once more, so many bytes behind the alignment. They lie where no element may: copied as bytes.
template <class T>
class Shifted {
 public:
  Shifted(HostMatrix<T> const& matrix, std::size_t behind)
      : m_matrix(matrix), m_bytes("shifted", matrix.size() * sizeof(T) + 2 * alignment) {
    auto const rest = reinterpret_cast<std::uintptr_t>(m_bytes.data()) % alignment;
    m_begin = m_bytes.data() + (alignment - rest) % alignment + behind;
    fetch();
  }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(m_begin); }
  /// From the matrix, and back to it.
  void fetch() const { std::memcpy(m_begin, m_matrix.data(), m_matrix.size() * sizeof(T)); }
  void give() const { std::memcpy(static_cast<void*>(m_matrix.data()), m_begin, m_matrix.size() * sizeof(T)); }

 private:
  static constexpr std::size_t alignment = 64;  // of vectors, at most

  HostMatrix<T> m_matrix;
  Kokkos::View<std::byte*, Kokkos::HostSpace> m_bytes;
  std::byte* m_begin;
};

template <class T>
using Rows = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// Where BLAS may find an element: a complex one at any of its parts.
template <class T>
std::size_t behind() {
  if constexpr (is_complex_v<T> && BlasElement<T>) {
    return sizeof(typename T::value_type);
  } else {
    return sizeof(T);
  }
}

/// \param  multiply  (a, b, c), pointers to matrices of n x n
/// \param  other     its gemm is a peer, or null
template <class T, class TC, class Multiply>
Contest matmul_contest(std::int64_t n, Multiply const& multiply, [[maybe_unused]] Blas const* other = nullptr) {
  auto const p = std::make_shared<Product<Host, T, T, TC>>(Host(), square(n));
  Shifted<T> const a(p->a(), behind<T>()), b(p->b(), behind<T>());
  Shifted<TC> const c(p->c(), behind<TC>());
  auto const judge = [=] {
    c.give();
    return p->judge();
  };
  Contest contest("GFLOP/s", p->amount());
  contest.before_judged_call([=] {
    p->spoil_results();
    c.fetch();
  });
  contest.own(timed(Host(), [=] { multiply(a.data(), b.data(), c.data()); }), judge);
  contest.peer("aligned", timed(Host(), [=] { multiply(p->a().data(), p->b().data(), p->c().data()); }), judge_of(p));
  if constexpr (BlasElement<T>) {
    if (other != nullptr) {
      contest.peer("openblas", timed(Host(), [=] { other->multiply(n, n, n, a.data(), b.data(), c.data()); }), judge);
    }
  }
  return contest;
}

/// \param  transpose_to  (a, b), pointers to matrices of n x n
/// \param  other         its omatcopy is a peer, or null
template <class T, class Transpose>
Contest transpose_contest(std::int64_t n, Transpose const& transpose_to, [[maybe_unused]] Blas const* other = nullptr) {
  auto const from = random_matrix<T>(Host(), n, n, 1), to = make_matrix<T, Host>(n, n);
  Shifted<T> const a(from, behind<T>()), b(to, behind<T>());
  auto const judge_aligned = [=] { return transposed(Host(), from, to); };
  auto const judge = [=] {
    b.give();
    return judge_aligned();
  };
  Contest contest("GB/s", 2e-9 * static_cast<double>(n * n) * sizeof(T));
  contest.before_judged_call([=] {
    spoil(Host(), to);
    b.fetch();
  });
  contest.own(timed(Host(), [=] { transpose_to(a.data(), b.data()); }), judge);
  contest.peer("aligned", timed(Host(), [=] { transpose_to(from.data(), to.data()); }), judge_aligned);
  if constexpr (BlasElement<T>) {
    if (other != nullptr) {
      contest.peer("openblas_omatcopy", timed(Host(), [=] { other->transpose(n, n, a.data(), b.data()); }), judge);
    }
  }
  return contest;
}

/// \param  transpose_it  (a), a pointer to a matrix of n x n
/// \param  other  its imatcopy is a peer, or null
template <class T, class Transpose>
Contest in_place_contest(std::int64_t n, Transpose const& transpose_it, [[maybe_unused]] Blas const* other = nullptr) {
  auto const original = random_matrix<T>(Host(), n, n, 1), matrix = make_matrix<T, Host>(n, n);
  Shifted<T> const a(matrix, behind<T>());
  auto const judge_aligned = [=] { return transposed(Host(), original, matrix); };
  auto const judge = [=] {
    a.give();
    return judge_aligned();
  };
  Contest contest("GB/s", 2e-9 * static_cast<double>(n * n) * sizeof(T));
  contest.before_judged_call([=] {
    Kokkos::deep_copy(matrix, original);
    a.fetch();
  });
  contest.own(timed(Host(), [=] { transpose_it(a.data()); }), judge);
  contest.peer("aligned", timed(Host(), [=] { transpose_it(matrix.data()); }), judge_aligned);
  if constexpr (BlasElement<T>) {
    if (other != nullptr) {
      contest.peer("openblas_imatcopy", timed(Host(), [=] { other->transpose_in_place(n, a.data()); }), judge);
    }
  }
  return contest;
}

/// Products of these edges, or transpositions.
void add_cases(std::string const& name, bool product, std::function<Contest(std::int64_t)> const& make) {
  std::vector<std::int64_t> sizes =
      product ? std::vector<std::int64_t>{256, 1024} : std::vector<std::int64_t>{512, 4096};
  if (settings().smoke()) sizes = {19};
  if (settings().scale == Scale::quick) sizes = {256};
  for (std::int64_t const n : sizes) {
    std::string const edge = std::to_string(n);
    add_case("misaligned/" + name + "/" + edge + "x" + edge, [make, n] { return make(n); });
  }
}

template <class T, class TC = T>
void add_matmul(std::string const& element) {
  add_cases("matmul/" + element, true, [](std::int64_t n) {
    return matmul_contest<T, TC>(n, [n](T const* a, T const* b, TC* c) {
      matmul(Host(), TC(1), Rows<T const>(a, n, n), Rows<T const>(b, n, n), TC(0), Rows<TC>(c, n, n));
    });
  });
}
template <class T>
void add_transpose(std::string const& element) {
  add_cases("transpose/" + element, false, [](std::int64_t n) {
    return transpose_contest<T>(n,
                                [n](T const* a, T* b) { transpose(Host(), Rows<T const>(a, n, n), Rows<T>(b, n, n)); });
  });
  add_cases("transpose_in_place/" + element, false,
            [](std::int64_t n) { return in_place_contest<T>(n, [n](T* a) { transpose(Host(), Rows<T>(a, n, n)); }); });
}
/// BLAS' routines of std::complex, Pantile's own beside OpenBLAS'.
template <class T>
void add_blas(Blas const* own, std::string const& element) {
  add_cases("blas_gemm/" + element, true, [own](std::int64_t n) {
    auto const multiply = [=](T const* a, T const* b, T* c) { own->multiply(n, n, n, a, b, c); };
    return matmul_contest<T, T>(n, multiply, Blas::openblas());
  });
  add_cases("blas_omatcopy/" + element, false, [own](std::int64_t n) {
    return transpose_contest<T>(
        n, [=](T const* a, T* b) { own->transpose(n, n, a, b); }, Blas::openblas());
  });
  add_cases("blas_imatcopy/" + element, false, [own](std::int64_t n) {
    return in_place_contest<T>(
        n, [=](T* a) { own->transpose_in_place(n, a); }, Blas::openblas());
  });
}

bool const registered = on_start([] {
  add_matmul<float>("float");
  add_matmul<double>("double");
  add_matmul<Kokkos::complex<float>>("complex<float>");
  add_matmul<Kokkos::complex<double>>("complex<double>");
  add_matmul<std::int32_t>("int32");
  add_matmul<std::int8_t, std::int32_t>("int8");
#if defined(__FLT16_MAX__)  // the compiler has the type
  add_matmul<_Float16, float>("half");
#endif
#if defined(__BFLT16_MAX__)
  add_matmul<__bf16, float>("bhalf");
#endif
  add_transpose<std::int8_t>("1_byte");
  add_transpose<std::int16_t>("2_bytes");
  add_transpose<float>("4_bytes");
  add_transpose<double>("8_bytes");
  add_transpose<Kokkos::complex<double>>("16_bytes");
  if (Blas const* const own = Blas::own()) {
    add_blas<std::complex<float>>(own, "complex<float>");
    add_blas<std::complex<double>>(own, "complex<double>");
  }
});

}  // namespace

}  // namespace pantile::perf
