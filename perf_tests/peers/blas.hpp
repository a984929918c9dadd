// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  OpenBLAS, BLIS and others side by side. They export the names of BLAS, so each is opened at run time for
///        itself alone.

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pantile::perf {

/// Elements that BLAS has routines for; Kokkos::complex lies in memory as std::complex does.
template <class T>
concept BlasElement = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::complex<float>> ||
                      std::is_same_v<T, std::complex<double>>;

/// \brief  One library, using as many threads as the run's OpenMP does.
///
/// Looked for where PANTILE_PERF_OPENBLAS, PANTILE_PERF_BLIS and PANTILE_PERF_MKL say, then in Debian's folders of the
/// builds with OpenMP (the others have threads of their own beside those of this process), then by the linker's names;
/// oneMKL only where the variable says, and where PANTILE_PERF_BEFORE does the BLAS layer of another Pantile, such as
/// that before a change.
class Blas {
 public:
  /// Null where there is none.
  static Blas const* openblas();
  static Blas const* blis();
  static Blas const* mkl();
  static Blas const* before();
  /// Pantile's own, where it is built: its names must not be seen by the others either.
  static Blas const* own();
  /// The others that there are, and those of them that have omatcopy and imatcopy.
  static std::vector<Blas const*> all();
  static std::vector<Blas const*> with_transposes();

  [[nodiscard]] std::string const& name() const { return m_name; }
  /// Version and processor as the library itself tells, and its file.
  [[nodiscard]] std::string description() const;
  /// All threads of the host when opened.
  void set_threads(int threads) const;

  /// C = A B, all contiguous and row-major.
  template <BlasElement T>
  void multiply(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b, T* c) const;

  /// y = A x by gemv, A row-major (m, n), or y = A^T x. OpenBLAS, float and double.
  template <BlasElement T>
  void multiply_vector(bool transposed, std::int64_t m, std::int64_t n, T const* a, T const* x, T* y) const;

  /// B = A^T by omatcopy, A row-major (m, n); and A = A^T by imatcopy, A (n, n). See with_transposes.
  template <BlasElement T>
  void transpose(std::int64_t m, std::int64_t n, T const* a, T* b) const;
  template <BlasElement T>
  void transpose_in_place(std::int64_t n, T* a) const;

 private:
  /// Libraries at most.
  static constexpr int most = 5;

  Blas(int number, std::string name, void* library, std::string path)
      : m_number(number), m_name(std::move(name)), m_library(library), m_path(std::move(path)) {}
  static Blas const* open(std::string const& name, char const* variable, std::vector<std::string> const& paths);
  template <class Function>
  [[nodiscard]] Function symbol(char const* name) const;
  /// The routine for T, looked up once in each library that has the names of CBLAS.
  template <class T, class Function>
  [[nodiscard]] Function known(Function (&found)[most], char const* pattern) const;
  [[nodiscard]] bool is_pantile() const { return m_name == "pantile" || m_name == "before"; }

  int m_number;  ///< among those that are open
  std::string m_name;
  void* m_library;
  std::string m_path;
};

}  // namespace pantile::perf
