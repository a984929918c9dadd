// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  life [finalize|region]: calls from the first static constructor to the last static destructor, in a program
///        without Kokkos; or after Kokkos was finalised; or the first of them by the threads of a parallel region.
///        Prints nothing; the exit status says all.

#include <blas/routines.hpp>

#include <Kokkos_Core.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace {

using namespace pantile::testing::blas;

/// B = alpha op(A), and the same in A's own memory where that is square; zero of alpha never reads A.
template <class T>
bool copy_is_right(int trans, int rows, int cols, T alpha, unsigned seed) {
  Operand<T> a(CblasColMajor, rows, cols, 2, seed);
  if (alpha == T(0)) a(rows - 1, 0) = T(std::numeric_limits<double>::quiet_NaN());
  Operand<T> b(CblasColMajor, transposes(trans) ? cols : rows, transposes(trans) ? rows : cols, 3, seed + 1),
      wanted = b;
  for (int i = 0; i < wanted.rows; ++i) {
    for (int j = 0; j < wanted.cols; ++j) wanted(i, j) = alpha == T(0) ? T(0) : alpha * operated(a, trans, i, j);
  }
  cblas_omatcopy(CblasColMajor, trans, rows, cols, alpha, a.memory.data(), a.ld, b.memory.data(), b.ld);
  if (b.memory != wanted.memory) return false;
  if (rows != cols) return true;
  cblas_imatcopy(CblasColMajor, trans, rows, cols, alpha, a.memory.data(), a.ld, a.ld);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      if (a(i, j) != wanted(i, j)) return false;
    }
  }
  return true;
}

bool right(unsigned seed) {
  bool copies = true;
  for (int const trans : {+CblasNoTrans, +CblasTrans, +CblasConjTrans, +CblasConjNoTrans}) {
    copies = copies && copy_is_right(trans, 5, 7, 3.0, seed) && copy_is_right(trans, 6, 6, 1.0, seed) &&
             copy_is_right(trans, 6, 6, 0.0, seed) && copy_is_right(trans, 4, 4, Cf(2, -1), seed);
  }
  return copies && product_is_right<double>(130, 131, 129, seed) && product_is_right<Cf>(5, 6, 7, seed);
}

/// How many parallel regions within each other may be active: the caller's, which a call leaves as it is.
int nested_levels() {
#if defined(_OPENMP)
  return omp_get_max_active_levels();
#else
  return 0;
#endif
}

struct Outermost {
  bool first = right(1);
  ~Outermost() {
    if (!right(2)) _exit(5);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool const finalizes = argc > 1 && std::string_view(argv[1]) == "finalize";
  if (finalizes) {
    if (Kokkos::is_initialized()) return 1;
    Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
    if (!right(3)) return 2;
    Kokkos::finalize();
    return right(4) ? 0 : 3;
  }
  if (argc > 1 && std::string_view(argv[1]) == "region") {
    std::atomic<int> wrong = 0;
#if defined(_OPENMP)
#pragma omp parallel num_threads(2)
#endif
    {
      int const levels = nested_levels();
      if (!right(8) || nested_levels() != levels) ++wrong;
    }
    return wrong == 0 && right(9) ? 0 : 8;
  }
  static Outermost const outermost;
  std::atexit([] {
    if (!right(6)) _exit(6);
  });
  return outermost.first && Kokkos::is_initialized() && right(7) ? 0 : 4;
}
