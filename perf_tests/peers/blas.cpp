// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/blas.hpp>
#include <support/contest.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace pantile::perf {

namespace {

// cblas.h and blis.h both declare the names of CBLAS, so that no unit can include both; what is used is declared here.
enum Order { row_major = 101 };
enum Transpose { no_transpose = 111, transposed_operand = 112 };
constexpr int blis_no_transpose = 0;

/// CBLAS hands real scalars over by value and complex ones by address.
template <class T>
using CblasScalar = std::conditional_t<std::is_floating_point_v<T>, T, void const*>;

template <class T>
CblasScalar<T> cblas_scalar(T const& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return &value;
  }
}

template <class T>
using Gemm = void (*)(Order, Transpose, Transpose, int, int, int, CblasScalar<T>, T const*, int, T const*, int,
                      CblasScalar<T>, T*, int);
template <class T>
using Gemv = void (*)(Order, Transpose, int, int, CblasScalar<T>, T const*, int, T const*, int, CblasScalar<T>, T*,
                      int);
template <class T>
using OutOfPlace = void (*)(Order, Transpose, int, int, CblasScalar<T>, T const*, int, T*, int);
template <class T>
using InPlace = void (*)(Order, Transpose, int, int, CblasScalar<T>, T*, int, int);
template <class T>
using BlisGemm = void (*)(int, int, std::int64_t, std::int64_t, std::int64_t, T const*, T const*, std::int64_t,
                          std::int64_t, T const*, std::int64_t, std::int64_t, T const*, T*, std::int64_t, std::int64_t);

/// The letter of T at the star: cblas_*gemm.
template <class T>
std::string spell(std::string pattern) {
  char const letter = std::is_same_v<T, float>                 ? 's'
                      : std::is_same_v<T, double>              ? 'd'
                      : std::is_same_v<T, std::complex<float>> ? 'c'
                                                               : 'z';
  std::replace(pattern.begin(), pattern.end(), '*', letter);
  return pattern;
}

/// Debian's name for this machine's folder of libraries.
std::string multiarch() {
#if defined(__x86_64__)
  return "/usr/lib/x86_64-linux-gnu/";
#elif defined(__aarch64__)
  return "/usr/lib/aarch64-linux-gnu/";
#else
  return "/usr/lib/";
#endif
}

/// Before the first case: a library that is named and cannot be opened ends the program, one that is looked for in vain
/// is said.
bool const looked_for = on_start([] {
  JsonObject& context = program().context;
  if (Blas::openblas() == nullptr) context.add("absent:openblas", "no libopenblas.so was found");
  if (Blas::blis() == nullptr) context.add("absent:blis", "no libblis.so was found");
  if (Blas::mkl() == nullptr) context.add("absent:mkl", "PANTILE_PERF_MKL names no libmkl_rt.so");
  Blas::before();
  if (std::getenv("PANTILE_PERF_PANTILE_BLAS") != nullptr) Blas::own();
#if !defined(PANTILE_PERF_EIGEN)
  context.add("absent:eigen", "the programs were built without it");
#endif
#if !defined(PANTILE_PERF_KOKKOS_KERNELS)
  context.add("absent:kokkos_kernels", "the programs were built without it");
#endif
});

std::vector<Blas const*> those_there(std::initializer_list<Blas const*> libraries) {
  std::vector<Blas const*> found;
  std::copy_if(libraries.begin(), libraries.end(), std::back_inserter(found), [](auto* one) { return one != nullptr; });
  return found;
}

}  // namespace

template <class Function>
Function Blas::symbol(char const* name) const {
  void* const address = dlsym(m_library, name);
  if (address == nullptr) throw std::runtime_error(m_path + " has no " + name);
  return reinterpret_cast<Function>(address);
}

template <class T, class Function>
Function Blas::known(Function (&found)[most], char const* pattern) const {
  Function& one = found[m_number];
  if (one == nullptr) one = symbol<Function>(spell<T>(pattern).c_str());
  return one;
}

Blas const* Blas::open(std::string const& name, char const* variable, std::vector<std::string> const& paths) {
  std::vector<std::string> candidates = paths;
  if (char const* const given = std::getenv(variable)) candidates = {given};
  for (std::string const& path : candidates) {
    if (void* const library = dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW)) {
      static int opened = 0;
      auto* const blas = new Blas(opened++, name, library, path);  // open until the process ends
      blas->set_threads(host_threads());
      return blas;
    }
  }
  if (candidates.size() == 1) throw std::runtime_error(std::string(variable) + ": " + dlerror());
  return nullptr;
}

Blas const* Blas::openblas() {
  static Blas const* const library =
      open("openblas", "PANTILE_PERF_OPENBLAS",
           {multiarch() + "openblas-openmp/libopenblas.so.0", "libopenblas.so.0", "libopenblas.so"});
  return library;
}

Blas const* Blas::blis() {
  static Blas const* const library =
      open("blis", "PANTILE_PERF_BLIS",
           {multiarch() + "blis-openmp/libblis.so.4", "libblis-mt.so.4", "libblis.so.4", "libblis.so"});
  return library;
}

Blas const* Blas::mkl() {
  static Blas const* const library = open("mkl", "PANTILE_PERF_MKL", {});
  return library;
}

Blas const* Blas::before() {
  static Blas const* const library = open("before", "PANTILE_PERF_BEFORE", {});
  return library;
}

Blas const* Blas::own() {
#if defined(PANTILE_PERF_OWN_BLAS)
  static Blas const* const library = open("pantile", "PANTILE_PERF_PANTILE_BLAS", {PANTILE_PERF_OWN_BLAS});
  return library;
#else
  return nullptr;
#endif
}

std::vector<Blas const*> Blas::all() { return those_there({openblas(), blis(), mkl(), before()}); }
std::vector<Blas const*> Blas::with_transposes() { return those_there({openblas(), before()}); }

void Blas::set_threads(int threads) const {
  if (is_pantile()) return;  // it takes those of this program's Kokkos
  if (m_name == "blis") {
    symbol<void (*)(std::int64_t)>("bli_thread_set_num_threads")(threads);
  } else if (m_name == "mkl") {
    symbol<void (*)(int)>("MKL_Set_Num_Threads")(threads);
  } else {
    symbol<void (*)(int)>("openblas_set_num_threads")(threads);
  }
}

std::string Blas::description() const {
  std::ostringstream text;
  if (m_name == "blis") {
    int const machine = symbol<int (*)()>("bli_arch_query_id")();
    text << "BLIS " << symbol<char const* (*)()>("bli_info_get_version_str")() << ' '
         << symbol<char const* (*)(int)>("bli_arch_string")(machine);
  } else if (m_name == "mkl") {
    char version[200] = {};
    symbol<void (*)(char*, int)>("MKL_Get_Version_String")(version, sizeof version - 1);
    text << version;
  } else if (is_pantile()) {
    text << "Pantile's BLAS layer";
  } else {
    text << symbol<char const* (*)()>("openblas_get_config")();
  }
  text << " (" << m_path << ')';
  return text.str();
}

template <BlasElement T>
void Blas::multiply(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b, T* c) const {
  T const one(1), zero(0);
  if (m_name == "blis") {
    // BLIS's own face: its CBLAS face would look BLAS' names up in the whole process.
    static auto const gemm = symbol<BlisGemm<T>>(spell<T>("bli_*gemm").c_str());
    gemm(blis_no_transpose, blis_no_transpose, m, n, k, &one, a, k, 1, b, n, 1, &zero, c, n, 1);
    return;
  }
  static Gemm<T> found[most] = {};
  auto const gemm = known<T>(found, "cblas_*gemm");
  auto const rows = static_cast<int>(m), cols = static_cast<int>(n), depth = static_cast<int>(k);
  gemm(row_major, no_transpose, no_transpose, rows, cols, depth, cblas_scalar(one), a, depth, b, cols,
       cblas_scalar(zero), c, cols);
}

template <BlasElement T>
void Blas::multiply_vector(bool transposed, std::int64_t m, std::int64_t n, T const* a, T const* x, T* y) const {
  static auto const gemv = symbol<Gemv<T>>(spell<T>("cblas_*gemv").c_str());
  T const one(1), zero(0);
  auto const cols = static_cast<int>(n);
  gemv(row_major, transposed ? transposed_operand : no_transpose, static_cast<int>(m), cols, cblas_scalar(one), a, cols,
       x, 1, cblas_scalar(zero), y, 1);
}

template <BlasElement T>
void Blas::transpose(std::int64_t m, std::int64_t n, T const* a, T* b) const {
  static OutOfPlace<T> found[most] = {};
  auto const copy = known<T>(found, "cblas_*omatcopy");
  T const one(1);
  auto const rows = static_cast<int>(m), cols = static_cast<int>(n);
  copy(row_major, transposed_operand, rows, cols, cblas_scalar(one), a, cols, b, rows);
}

template <BlasElement T>
void Blas::transpose_in_place(std::int64_t n, T* a) const {
  static InPlace<T> found[most] = {};
  auto const copy = known<T>(found, "cblas_*imatcopy");
  T const one(1);
  auto const edge = static_cast<int>(n);
  copy(row_major, transposed_operand, edge, edge, cblas_scalar(one), a, edge, edge);
}

template void Blas::multiply(std::int64_t, std::int64_t, std::int64_t, float const*, float const*, float*) const;
template void Blas::multiply(std::int64_t, std::int64_t, std::int64_t, double const*, double const*, double*) const;
template void Blas::multiply(std::int64_t, std::int64_t, std::int64_t, std::complex<float> const*,
                             std::complex<float> const*, std::complex<float>*) const;
template void Blas::multiply(std::int64_t, std::int64_t, std::int64_t, std::complex<double> const*,
                             std::complex<double> const*, std::complex<double>*) const;
template void Blas::multiply_vector(bool, std::int64_t, std::int64_t, float const*, float const*, float*) const;
template void Blas::multiply_vector(bool, std::int64_t, std::int64_t, double const*, double const*, double*) const;
template void Blas::transpose(std::int64_t, std::int64_t, float const*, float*) const;
template void Blas::transpose(std::int64_t, std::int64_t, double const*, double*) const;
template void Blas::transpose(std::int64_t, std::int64_t, std::complex<float> const*, std::complex<float>*) const;
template void Blas::transpose(std::int64_t, std::int64_t, std::complex<double> const*, std::complex<double>*) const;
template void Blas::transpose_in_place(std::int64_t, float*) const;
template void Blas::transpose_in_place(std::int64_t, double*) const;
template void Blas::transpose_in_place(std::int64_t, std::complex<float>*) const;
template void Blas::transpose_in_place(std::int64_t, std::complex<double>*) const;

}  // namespace pantile::perf
