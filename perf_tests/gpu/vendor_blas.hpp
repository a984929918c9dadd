// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The vendor's BLAS of the device, opened at run time: cuBLAS. Building needs neither its headers nor itself.

#include <pantile/policy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace pantile::perf {

/// Number types as the library's extended gemm tells them apart.
enum class BlasType { f32, f64, c32, c64, f16, bf16, i8, i32 };

template <class T>
constexpr BlasType blas_type_of() {
  if constexpr (std::is_same_v<T, float>) return BlasType::f32;
  if constexpr (std::is_same_v<T, double>) return BlasType::f64;
  if constexpr (std::is_same_v<T, Kokkos::complex<float>>) return BlasType::c32;
  if constexpr (std::is_same_v<T, Kokkos::complex<double>>) return BlasType::c64;
  if constexpr (std::is_same_v<T, std::int8_t>) return BlasType::i8;
  if constexpr (std::is_same_v<T, std::int32_t>) return BlasType::i32;
  if constexpr (std::is_same_v<T, Kokkos::Experimental::half_t> && !std::is_same_v<T, float>) return BlasType::f16;
  return BlasType::bf16;
}

/// Elements that have a gemm and a geam of their own.
template <class T>
concept FullBlasElement = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                          std::is_same_v<T, Kokkos::complex<float>> || std::is_same_v<T, Kokkos::complex<double>>;

/// A matrix as BLAS sees it, column-major, and what is done to it first: nothing, (conjugate) transposition.
struct BlasMatrix {
  void const* data;
  std::int64_t leading;
  Op op = Op::none;
};

/// Column-major square matrices one behind the other, so many elements apart; of zero one of them for all products.
struct BlasBatch {
  void* data;
  long long step;
};

/// \brief  The library on the device that the contests run on.
///
/// Looked for where PANTILE_PERF_CUBLAS says, then by the loader, then below /usr/local/cuda*, then in the folder of
/// Python's package that PANTILE_PERF_CUBLAS_FOLDERS lists (scripts/gpu_bench asks python3 for it). float is computed
/// as float: the default mathematics mode of the library takes no TF32.
class VendorBlas {
 public:
  /// Null where there is none; `description` then says why.
  static VendorBlas const* open();
  /// Name, version and file; or what was tried in vain.
  static std::string description();

  [[nodiscard]] std::string name() const { return "cublas"; }

  /// C (m, n) = op(A) op(B), all column-major, op as each matrix says.
  template <FullBlasElement T>
  void multiply(int m, int n, int k, BlasMatrix const& a, BlasMatrix const& b, T* c, int ldc) const;

  /// \brief  The same of mixed types: sums in float, or in int32 where A is int8. False where the library refuses the
  ///         call.
  /// \param  tf32  floats may be rounded to TF32
  bool multiply_mixed(BlasType operands, BlasType result, int m, int n, int k, BlasMatrix const& a, BlasMatrix const& b,
                      void* c, int ldc, bool tf32 = false) const;

  /// So many C_p (n, n) = A_p B_p, a step apart or (scattered) at addresses that the device reads.
  template <FullBlasElement T>
  void multiply_strided(int n, BlasBatch const& a, BlasBatch const& b, BlasBatch const& c, int count) const;
  template <FullBlasElement T>
  void multiply_scattered(int n, T const* const* a, T const* const* b, T* const* c, int count) const;

  /// C (m, n) = op(A) + beta B, all column-major; without B's elements where beta is zero.
  template <FullBlasElement T>
  void add(int m, int n, BlasMatrix const& a, T beta, BlasMatrix const& b, T* c, int ldc) const;

 private:
  VendorBlas(void* library, void* handle) : m_library(library), m_handle(handle) {}
  template <class Function>
  [[nodiscard]] Function symbol(char const* name) const;

  void* m_library;
  void* m_handle;
};

}  // namespace pantile::perf
