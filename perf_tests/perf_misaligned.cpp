// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Operands that begin one element behind the vectors' alignment, and complex ones that begin at any of their
///        parts, as C and Fortran hand them over: matmul and transpose of every type, beside the same call on aligned
///        memory.
#include <peers/blas.hpp>
#include <peers/gemm.hpp>
#include <support/settings.hpp>

#include <pantile/transpose.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

/// The library names no 16-bit integer; a user's own specialisation makes one.
template <>
struct pantile::element_traits<std::int16_t>
    : pantile::impl::ElementTraitsBase<std::int16_t, pantile::ElementKind::integer, std::int32_t, std::uint32_t> {
  static constexpr char const* name = "int16";
};

namespace {

using pantile::perf::Blas;
using pantile::perf::Contest;
using pantile::perf::Host;
using pantile::perf::settings;
using pantile::perf::timed;

constexpr std::size_t alignment = 64;  // of vectors, at most

/// Memory for elements of T that begins so many bytes behind the alignment.
template <class T>
struct Memory {
  Kokkos::View<std::byte*, Kokkos::HostSpace> bytes;
  T* data;

  Memory(std::int64_t count, std::size_t behind)
      : bytes("operand", static_cast<std::size_t>(count) * sizeof(T) + 2 * alignment) {
    auto const rest = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment;
    data = reinterpret_cast<T*>(bytes.data() + (alignment - rest) % alignment + behind);
  }
};

/// Random numbers, integers among them small enough for every type; from this byte on.
template <class T>
Memory<T> random_memory(std::int64_t count, std::size_t behind, std::uint64_t seed) {
  Memory<T> const memory(count, behind);
  for (std::int64_t i = 0; i < count; ++i) {
    auto const at = (seed << 40) + static_cast<std::uint64_t>(i);
    if constexpr (std::is_integral_v<T>) {
      memory.data[i] = static_cast<T>(pantile::perf::random_bits(at) >> 58);
    } else if constexpr (std::is_class_v<T>) {  // complex
      memory.data[i] = pantile::perf::random_value<T>(at);
    } else {
      memory.data[i] = static_cast<T>(pantile::perf::random_value<float>(at));
    }
  }
  return memory;
}

/// Are the results the same, to so much? Elements may have any alignment.
template <class T>
std::string differs(T const* x, T const* y, std::int64_t count, double bound) {
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      wrong += x[i] == y[i] ? 0 : 1;
    } else if constexpr (std::is_class_v<T>) {
      wrong += static_cast<double>(abs(x[i] - y[i])) <= bound ? 0 : 1;
    } else {
      wrong += std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])) <= bound ? 0 : 1;
    }
  }
  return pantile::perf::wrong_elements(wrong, 1, count);
}

/// Three operands, of which the last is written: aligned, or so many bytes behind.
template <class T, class TC>
struct Operands {
  Memory<T> a, b;
  Memory<TC> c;

  Operands(std::int64_t count_a, std::int64_t count_b, std::int64_t count_c, bool aligned, std::size_t behind)
      : a(random_memory<T>(count_a, aligned ? 0 : behind, 1)),
        b(random_memory<T>(count_b, aligned ? 0 : behind, 2)),
        c(count_c, aligned ? 0 : behind * sizeof(TC) / sizeof(T)) {}
};

/// The contest of a call, given both sets of operands, and what its results may differ by.
template <class T, class TC, class Call, class Peers>
void contest_of(benchmark::State& state, Contest& contest, Operands<T, TC> const& misaligned,
                Operands<T, TC> const& aligned, std::int64_t results, double bound, Call const& call,
                Peers const& peers) {
  auto const verdict = [=](Operands<T, TC> const& mine) {
    return [=] { return differs(mine.c.data, aligned.c.data, results, bound); };
  };
  contest.before_first_call([=] {
    std::memset(static_cast<void*>(misaligned.c.data), 0x7f, static_cast<std::size_t>(results) * sizeof(TC));
  });
  call(aligned);
  Kokkos::fence();
  contest.own(timed([=] { call(misaligned); }), verdict(misaligned));
  contest.peer("aligned", timed([=] { call(aligned); }), [] { return std::string(); });
  peers(verdict(misaligned));
  contest.run(state, settings());
}

template <class T>
using Rows = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// Every operand one element behind the alignment.
template <class T, class TC>
void matmul_contest(benchmark::State& state, std::int64_t n) {
  auto const count = n * n;
  Operands<T, TC> const misaligned(count, count, count, false, sizeof(T)), aligned(count, count, count, true, 0);
  Contest contest("GFLOP/s", pantile::perf::Shape{n, n, n}.operations(pantile::is_complex_v<T>) * 1e-9);
  auto const call = [=](Operands<T, TC> const& o) {
    pantile::matmul(Host(), TC(1), Rows<T>(o.a.data, n, n), Rows<T>(o.b.data, n, n), TC(0), Rows<TC>(o.c.data, n, n));
  };
  double bound = 0;
  if constexpr (!std::is_integral_v<TC>) bound = pantile::perf::product_bound<TC>(n);
  contest_of(state, contest, misaligned, aligned, count, bound, call, [](auto const&) {});
}

template <class T>
void transpose_contest(benchmark::State& state, std::int64_t n) {
  auto const count = n * n;
  Operands<T, T> const misaligned(count, 0, count, false, sizeof(T)), aligned(count, 0, count, true, 0);
  Contest contest("GB/s", 2e-9 * static_cast<double>(count) * sizeof(T));
  auto const call = [=](Operands<T, T> const& o) {
    pantile::transpose(Host(), Rows<T>(o.a.data, n, n), Rows<T>(o.c.data, n, n));
  };
  contest_of(state, contest, misaligned, aligned, count, 0, call, [](auto const&) {});
}

/// \param  behind  bytes between the alignment and the matrix
/// \param  call    transposes the matrix of n x n in place
template <class T, class Call, class Peers>
void in_place_contest(benchmark::State& state, std::int64_t n, std::size_t behind, Call const& call,
                      Peers const& peers) {
  auto const count = n * n;
  Memory<T> const original = random_memory<T>(count, 0, 1), transposed(count, 0), misaligned(count, behind),
                  aligned(count, 0);
  for (std::int64_t i = 0; i < count; ++i) transposed.data[i % n * n + i / n] = original.data[i];
  auto const verdict = [=](Memory<T> const& mine) {
    return [=] { return differs(mine.data, transposed.data, count, 0); };
  };
  Contest contest("GB/s", 2e-9 * static_cast<double>(count) * sizeof(T));
  contest.before_first_call([=] {
    for (Memory<T> const& matrix : {misaligned, aligned}) {
      std::memcpy(static_cast<void*>(matrix.data), original.data, static_cast<std::size_t>(count) * sizeof(T));
    }
  });
  contest.own(timed([=] { call(misaligned.data); }), verdict(misaligned));
  contest.peer("aligned", timed([=] { call(aligned.data); }), verdict(aligned));
  peers(contest, misaligned.data, verdict(misaligned));
  contest.run(state, settings());
}

template <class T>
void transpose_in_place_contest(benchmark::State& state, std::int64_t n) {
  in_place_contest<T>(
      state, n, sizeof(T), [n](T* a) { pantile::transpose(Host(), Rows<T>(a, n, n)); },
      [](Contest&, T*, auto const&) {});
}

/// BLAS' routines of std::complex, which begins at any multiple of its parts.
template <class T>
void blas_matmul_contest(benchmark::State& state, Blas const& own, std::int64_t n) {
  auto const count = n * n;
  std::size_t const part = sizeof(typename T::value_type);
  Operands<T, T> const misaligned(count, count, count, false, part), aligned(count, count, count, true, 0);
  Contest contest("GFLOP/s", pantile::perf::Shape{n, n, n}.operations(true) * 1e-9);
  auto const by = [=](Blas const& blas) {
    return [=, &blas](Operands<T, T> const& o) { blas.multiply(n, n, n, o.a.data, o.b.data, o.c.data); };
  };
  double const bound = pantile::perf::product_bound<Kokkos::complex<typename T::value_type>>(n);
  contest_of(state, contest, misaligned, aligned, count, bound, by(own), [&](auto const& verdict) {
    if (Blas const* const blas = Blas::openblas()) {
      contest.peer("openblas", timed([=] { by (*blas)(misaligned); }), verdict);
    }
  });
}

template <class T>
void blas_transpose_contest(benchmark::State& state, Blas const& own, std::int64_t n) {
  auto const count = n * n;
  std::size_t const part = sizeof(typename T::value_type);
  Operands<T, T> const misaligned(count, 0, count, false, part), aligned(count, 0, count, true, 0);
  Contest contest("GB/s", 2e-9 * static_cast<double>(count) * sizeof(T));
  auto const by = [=](Blas const& blas) {
    return [=, &blas](Operands<T, T> const& o) { blas.transpose(n, n, o.a.data, o.c.data); };
  };
  contest_of(state, contest, misaligned, aligned, count, 0, by(own), [&](auto const& verdict) {
    if (Blas const* const blas = Blas::openblas()) {
      contest.peer("openblas_omatcopy", timed([=] { by (*blas)(misaligned); }), verdict);
    }
  });
}

template <class T>
void blas_in_place_contest(benchmark::State& state, Blas const& own, std::int64_t n) {
  in_place_contest<T>(
      state, n, sizeof(typename T::value_type), [n, &own](T* a) { own.transpose_in_place(n, a); },
      [n](Contest& contest, T* a, auto const& verdict) {
        if (Blas const* const blas = Blas::openblas()) {
          contest.peer("openblas_imatcopy", timed([=] { blas->transpose_in_place(n, a); }), verdict);
        }
      });
}

using Body = std::function<void(benchmark::State&, std::int64_t)>;

/// Products of these edges, or transpositions.
void add_cases(std::string const& name, bool product, Body const& body) {
  std::vector<std::int64_t> sizes =
      product ? std::vector<std::int64_t>{256, 1024} : std::vector<std::int64_t>{512, 4096};
  if (settings().smoke()) sizes = {19};
  if (settings().scale == pantile::perf::Scale::quick) sizes = {256};
  for (std::int64_t const n : sizes) {
    std::string const edge = std::to_string(n);
    pantile::perf::add_case("misaligned/" + name + "/" + edge + "x" + edge,
                            [body, n](benchmark::State& state) { body(state, n); });
  }
}

template <class T, class TC = T>
void add_matmul(std::string const& element) {
  add_cases("matmul/" + element, true,
            [](benchmark::State& state, std::int64_t n) { matmul_contest<T, TC>(state, n); });
}
template <class T>
void add_transpose(std::string const& element) {
  add_cases("transpose/" + element, false,
            [](benchmark::State& state, std::int64_t n) { transpose_contest<T>(state, n); });
  add_cases("transpose_in_place/" + element, false,
            [](benchmark::State& state, std::int64_t n) { transpose_in_place_contest<T>(state, n); });
}
template <class T>
void add_blas(Blas const& own, std::string const& element) {
  add_cases("blas_gemm/" + element, true,
            [&own](benchmark::State& state, std::int64_t n) { blas_matmul_contest<T>(state, own, n); });
  add_cases("blas_omatcopy/" + element, false,
            [&own](benchmark::State& state, std::int64_t n) { blas_transpose_contest<T>(state, own, n); });
  add_cases("blas_imatcopy/" + element, false,
            [&own](benchmark::State& state, std::int64_t n) { blas_in_place_contest<T>(state, own, n); });
}

bool const registered = pantile::perf::on_start([] {
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
    add_blas<std::complex<float>>(*own, "complex<float>");
    add_blas<std::complex<double>>(*own, "complex<double>");
  }
});

}  // namespace
