// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Prints a hash of the bits of several products; same_bits.cmake runs it with different numbers of threads.
#include <matmul/cases.hpp>

#include <cstdio>
#include <cstring>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;

/// FNV-1a over the bytes of all values.
template <class T>
std::uint64_t hash(HostMatrix<T> const& x) {
  std::uint64_t result = 14695981039346656037ULL;
  for (T const& value : x.values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char const byte : bytes) result = (result ^ byte) * 1099511628211ULL;
  }
  return result;
}

template <class T>
void print_hashes() {
  for (Shape const shape : {Shape{131, 67, 300}, Shape{5, 700, 33}, Shape{3, 3, 5000}, Shape{1, 900, 700},
                            Shape{600, 4, 500}, Shape{20, 20, 4000}, Shape{300, 310, 320}, Shape{64, 15, 1100},
                            Shape{13, 31, 1000}, Shape{12, 40, 9000}, Shape{50, 2, 30000}, Shape{70, 60, 4500}}) {
    // Factors whose products are rounded: fused or not, they must be so in every tile.
    Call<T> const call(shape, T(0.3), T(0.7));
    for (Algorithm const algorithm : own_algorithms) {
      if (algorithm != Algorithm::automatic && shape.m * shape.n > 10000) continue;  // the fast one has most variants
      Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::left),
          C("C", call.c, Placement::padded_right);
      pantile::matmul(Exec{}, call.alpha, A.view(), B.view(), call.beta, C.view(), {.algorithm = algorithm});
      Kokkos::fence();
      std::printf("%s %s %s %016llx\n", pantile::element_name_v<T>, to_string(shape).c_str(), to_string(algorithm),
                  static_cast<unsigned long long>(hash(C.values())));
    }
  }
}

/// Of few rows by a B whose rows are contiguous: a thread's part of it may be of short rows, or near.
template <class T>
void print_streamed_rows() {
  for (Shape const shape : {Shape{1, 4000, 300}, Shape{2, 1000, 300}, Shape{1, 900, 300}, Shape{4, 3000, 500}}) {
    Call<T> const call(shape, T(0.3), T(0.7));
    Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::right),
        C("C", call.c, Placement::right);
    pantile::matmul(Exec{}, call.alpha, A.view(), B.view(), call.beta, C.view());
    Kokkos::fence();
    std::printf("%s %s %016llx\n", pantile::element_name_v<T>, to_string(shape).c_str(),
                static_cast<unsigned long long>(hash(C.values())));
  }
}

/// Of batches that are shared among threads, and of one whose products all threads compute.
template <class T>
void print_batches() {
  for (auto const& [count, n] : {std::pair{5000, 4}, {700, 13}, {100, 48}, {20, 100}, {5, 300}}) {
    auto const edge = static_cast<std::size_t>(n), whole = static_cast<std::size_t>(count) * edge;
    auto const a = random_matrix<T>(whole, edge, 1), b = random_matrix<T>(whole, edge, 2);
    HostMatrix<T> c(whole, edge);
    using View = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    using In = Kokkos::View<T const***, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    pantile::matmul(Kokkos::DefaultHostExecutionSpace{}, T(0.3), In(a.values.data(), count, n, n),
                    In(b.values.data(), count, n, n), T(0), View(c.values.data(), count, n, n));
    std::printf("%s %d of %d %016llx\n", pantile::element_name_v<T>, count, n,
                static_cast<unsigned long long>(hash(c)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  print_hashes<float>();
  print_hashes<double>();
  print_hashes<Kokkos::complex<double>>();
  print_streamed_rows<float>();
  print_streamed_rows<double>();
  print_streamed_rows<Kokkos::complex<double>>();
  print_batches<float>();
  print_batches<double>();
  print_batches<Kokkos::complex<double>>();
}
