// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpu/device.hpp>
#include <gpu/vendor_blas.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace pantile::perf {

namespace {

// From the documentation of cuBLAS: names, argument lists and the values of the enumerators used here.
constexpr int success = 0;
constexpr int default_mathematics = 0;
constexpr int op_n = 0, op_t = 1, op_c = 2;
constexpr int compute_float = 68, compute_int32 = 72, compute_tf32 = 77;
constexpr int default_algorithm = -1;

int spelt(Op op) {
  if (op == Op::conjugate_transpose) return op_c;
  return op == Op::transpose ? op_t : op_n;
}

/// cudaDataType
int spelt(BlasType type) {
  switch (type) {
    case BlasType::f32: return 0;
    case BlasType::f64: return 1;
    case BlasType::f16: return 2;
    case BlasType::i8: return 3;
    case BlasType::c32: return 4;
    case BlasType::c64: return 5;
    case BlasType::i32: return 10;
    case BlasType::bf16: return 14;
  }
  return -1;
}

template <class T>
using Gemm = int (*)(void*, int, int, int, int, int, T const*, T const*, int, T const*, int, T const*, T*, int);
template <class T>
using Geam = int (*)(void*, int, int, int, int, T const*, T const*, int, T const*, T const*, int, T*, int);
template <class T>
using GemmStridedBatched = int (*)(void*, int, int, int, int, int, T const*, T const*, int, long long, T const*, int,
                                   long long, T const*, T*, int, long long, int);
template <class T>
using GemmBatched = int (*)(void*, int, int, int, int, int, T const*, T const* const*, int, T const* const*, int,
                            T const*, T* const*, int, int);
using GemmEx = int (*)(void*, int, int, int, int, int, void const*, void const*, int, int, void const*, int, int,
                       void const*, void*, int, int, int, int);

template <class T>
std::string spell(std::string pattern) {
  char const letter = std::is_same_v<T, float>                    ? 'S'
                      : std::is_same_v<T, double>                 ? 'D'
                      : std::is_same_v<T, Kokkos::complex<float>> ? 'C'
                                                                  : 'Z';
  std::replace(pattern.begin(), pattern.end(), '*', letter);
  return pattern;
}

void check(int status, char const* what) {
  if (status != success) throw std::runtime_error(std::string(what) + " returned status " + std::to_string(status));
}

std::string& report() {
  static std::string text;
  return text;
}

/// Files to try, in this order.
std::vector<std::string> candidates() {
  if (char const* const given = std::getenv("PANTILE_PERF_CUBLAS")) return {given};
  std::vector<std::string> folders = {""};
  for (char const* const version : {"", "-13", "-13.0", "-12"}) {
    folders.push_back(std::string("/usr/local/cuda") + version + "/lib64/");
  }
  if (char const* const listed = std::getenv("PANTILE_PERF_CUBLAS_FOLDERS")) {
    std::istringstream list(listed);
    for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder + "/");
  }
  std::vector<std::string> files;
  for (char const* const name : {"libcublas.so.13", "libcublas.so.12"}) {
    for (std::string const& folder : folders) files.push_back(folder + name);
  }
  return files;
}

bool device_is_nvidia() {
#if defined(KOKKOS_ENABLE_CUDA)
  return std::is_same_v<Exec, Kokkos::Cuda>;
#else
  return false;
#endif
}

/// Does the library make a handle here?
bool works(void* library) {
  auto* const create = reinterpret_cast<int (*)(void**)>(dlsym(library, "cublasCreate_v2"));
  auto* const destroy = reinterpret_cast<int (*)(void*)>(dlsym(library, "cublasDestroy_v2"));
  void* handle = nullptr;
  if (create == nullptr || create(&handle) != success) return false;
  if (destroy != nullptr) destroy(handle);
  return true;
}

void* open_library() {
  // A library that was named is taken as it is: stand_in_cublas.cpp works on hosts.
  if (!device_is_nvidia() && std::getenv("PANTILE_PERF_CUBLAS") == nullptr) {
    report() = std::string("none: no BLAS of a vendor is known for ") + Exec::name();
    return nullptr;
  }
  std::string failures;
  for (std::string const& file : candidates()) {
    void* const library = dlopen(file.c_str(), RTLD_LOCAL | RTLD_NOW);
    if (library != nullptr && !works(library)) {  // one for a newer driver, say
      failures += std::string(failures.empty() ? "" : "; ") + file + " makes no handle";
      continue;
    }
    if (library != nullptr) {
      report() = file;
      return library;
    }
    failures += std::string(failures.empty() ? "" : "; ") + dlerror();
  }
  report() = "none: " + failures;
  return nullptr;
}

bool const described = on_start([] { program().context.add("vendor_blas", VendorBlas::description()); });

}  // namespace

template <class Function>
Function VendorBlas::symbol(char const* name) const {
  void* const address = dlsym(m_library, name);
  if (address == nullptr) throw std::runtime_error(std::string("cuBLAS has no ") + name);
  return reinterpret_cast<Function>(address);
}

VendorBlas const* VendorBlas::open() {
  static VendorBlas const* const opened = []() -> VendorBlas const* {
    void* const library = open_library();
    if (library == nullptr) return nullptr;
    auto* const blas = new VendorBlas(library, nullptr);  // open until the process ends
    try {
      check(blas->symbol<int (*)(void**)>("cublasCreate_v2")(&blas->m_handle), "cublasCreate");
      check(blas->symbol<int (*)(void*, void*)>("cublasSetStream_v2")(blas->m_handle, native_stream(Exec())),
            "cublasSetStream");
      check(blas->symbol<int (*)(void*, int)>("cublasSetMathMode")(blas->m_handle, default_mathematics),
            "cublasSetMathMode");
      int version = 0;
      check(blas->symbol<int (*)(void*, int*)>("cublasGetVersion_v2")(blas->m_handle, &version), "cublasGetVersion");
      report() = "cuBLAS " + std::to_string(version) + " (" + report() + ")";
    } catch (std::exception const& error) {
      report() = "none: " + report() + ": " + error.what();
      return nullptr;
    }
    return blas;
  }();
  return opened;
}

std::string VendorBlas::description() {
  open();
  return report();
}

template <FullBlasElement T>
void VendorBlas::multiply(int m, int n, int k, BlasMatrix const& a, BlasMatrix const& b, T* c, int ldc) const {
  static auto const gemm = symbol<Gemm<T>>(spell<T>("cublas*gemm_v2").c_str());
  T const one(1), zero(0);
  check(gemm(m_handle, spelt(a.op), spelt(b.op), m, n, k, &one, static_cast<T const*>(a.data),
             static_cast<int>(a.leading), static_cast<T const*>(b.data), static_cast<int>(b.leading), &zero, c, ldc),
        "gemm of cuBLAS");
}

bool VendorBlas::multiply_mixed(BlasType operands, BlasType result, int m, int n, int k, BlasMatrix const& a,
                                BlasMatrix const& b, void* c, int ldc, bool tf32) const {
  static auto const gemm = symbol<GemmEx>("cublasGemmEx");
  bool const integer = operands == BlasType::i8;
  float const one = 1, zero = 0;
  std::int32_t const whole_one = 1, whole_zero = 0;
  void const* const alpha = integer ? static_cast<void const*>(&whole_one) : &one;
  void const* const beta = integer ? static_cast<void const*>(&whole_zero) : &zero;
  return gemm(m_handle, spelt(a.op), spelt(b.op), m, n, k, alpha, a.data, spelt(operands), static_cast<int>(a.leading),
              b.data, spelt(operands), static_cast<int>(b.leading), beta, c, spelt(result), ldc,
              integer ? compute_int32
              : tf32  ? compute_tf32
                      : compute_float,
              default_algorithm) == success;
}

template <FullBlasElement T>
void VendorBlas::multiply_strided(int n, BlasBatch const& a, BlasBatch const& b, BlasBatch const& c, int count) const {
  static auto const gemm = symbol<GemmStridedBatched<T>>(spell<T>("cublas*gemmStridedBatched").c_str());
  T const one(1), zero(0);
  check(gemm(m_handle, op_n, op_n, n, n, n, &one, static_cast<T const*>(a.data), n, a.step,
             static_cast<T const*>(b.data), n, b.step, &zero, static_cast<T*>(c.data), n, c.step, count),
        "gemmStridedBatched of cuBLAS");
}

template <FullBlasElement T>
void VendorBlas::multiply_scattered(int n, T const* const* a, T const* const* b, T* const* c, int count) const {
  static auto const gemm = symbol<GemmBatched<T>>(spell<T>("cublas*gemmBatched").c_str());
  T const one(1), zero(0);
  check(gemm(m_handle, op_n, op_n, n, n, n, &one, a, n, b, n, &zero, c, n, count), "gemmBatched of cuBLAS");
}

template <FullBlasElement T>
void VendorBlas::add(int m, int n, BlasMatrix const& a, T beta, BlasMatrix const& b, T* c, int ldc) const {
  static auto const geam = symbol<Geam<T>>(spell<T>("cublas*geam").c_str());
  T const one(1);
  check(geam(m_handle, spelt(a.op), spelt(b.op), m, n, &one, static_cast<T const*>(a.data), static_cast<int>(a.leading),
             &beta, static_cast<T const*>(b.data), static_cast<int>(b.leading), c, ldc),
        "geam of cuBLAS");
}

#define PANTILE_PERF_BLAS(T)                                                                                           \
  template void VendorBlas::multiply(int, int, int, BlasMatrix const&, BlasMatrix const&, T*, int) const;              \
  template void VendorBlas::multiply_strided<T>(int, BlasBatch const&, BlasBatch const&, BlasBatch const&, int) const; \
  template void VendorBlas::multiply_scattered(int, T const* const*, T const* const*, T* const*, int) const;           \
  template void VendorBlas::add(int, int, BlasMatrix const&, T, BlasMatrix const&, T*, int) const;
PANTILE_PERF_BLAS(float)
PANTILE_PERF_BLAS(double)
PANTILE_PERF_BLAS(Kokkos::complex<float>)
PANTILE_PERF_BLAS(Kokkos::complex<double>)
#undef PANTILE_PERF_BLAS

}  // namespace pantile::perf
