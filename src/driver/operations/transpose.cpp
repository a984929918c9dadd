// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/measure.hpp"
#include "operations/oracle.hpp"
#include "operations/tiled.hpp"

#include <pantile/out_of_core.hpp>
#include <pantile/transpose.hpp>

#include <cstring>
#include <span>

namespace pantile::driver {

/// The library has no number of two bytes that every compiler knows.
struct TwoBytes {
  std::uint16_t bits;
};

}  // namespace pantile::driver

template <>
struct pantile::element_traits<pantile::driver::TwoBytes> {
  static constexpr char const* name = "two_bytes";
  static constexpr ElementKind kind = ElementKind::integer;
  using accumulator_type = pantile::driver::TwoBytes;
  using compute_type = pantile::driver::TwoBytes;
};

namespace pantile::driver {

void require_conjugates(ElementType const& type, TransposeOptions const& options) {
  if (!options.conjugate || is_number(type)) return;
  throw InputError("transpose: --conjugate needs numbers, but " + element_name(type) + " elements are only moved");
}

namespace {

/// f(std::type_identity<Word>{}) for the widest word of which an element of this size consists.
template <class F>
auto with_word(std::size_t size, F const& f) {
  if (size % 16 == 0) return f(std::type_identity<Kokkos::complex<double>>{});
  if (size % 8 == 0) return f(std::type_identity<std::int64_t>{});
  if (size % 4 == 0) return f(std::type_identity<std::uint32_t>{});
  if (size % 2 == 0) return f(std::type_identity<TwoBytes>{});
  return f(std::type_identity<std::uint8_t>{});
}

std::string hexadecimal(std::span<std::byte const> bytes) {
  std::string text;
  for (std::byte const byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(byte));
    text += digits;
  }
  return text;
}

/// Every element, bit by bit; in blocks, so that large matrices are not read a cache line per element.
template <class T>
Verification verify_transpose(TransposeTask const& task, Progress const& progress) {
  constexpr std::int64_t block = 64;
  HostMatrix<std::byte> const a(task.a), b(task.b);
  std::size_t const size = element_size(task.a.type);
  auto const element = [size](HostMatrix<std::byte> const& matrix, std::int64_t i, std::int64_t j) {
    return std::span(matrix.data + matrix.index(i, j) * static_cast<std::int64_t>(size), size);
  };
  Verification result{.scope = "all " + std::to_string(a.rows * a.cols) + " elements", .oracle = "a serial loop"};
  T conjugated;
  auto const expected = [&](std::int64_t i, std::int64_t j) {
    auto const bytes = element(a, j, i);
    if (!task.options.conjugate) return bytes;
    std::memcpy(&conjugated, bytes.data(), sizeof(T));
    conjugated = conjugate(conjugated);
    return std::as_bytes(std::span(&conjugated, 1)).first(size);
  };
  for (std::int64_t i0 = 0; i0 < b.rows && result.first_wrong.empty(); i0 += block) {
    std::int64_t const i1 = std::min(i0 + block, b.rows);
    for (std::int64_t j0 = 0; j0 < b.cols; j0 += block) {
      std::int64_t const j1 = std::min(j0 + block, b.cols);
      for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
          if (std::ranges::equal(element(b, i, j), expected(i, j)) || !result.first_wrong.empty()) continue;
          result.largest_fraction = result.largest_error = std::numeric_limits<double>::infinity();
          result.first_wrong = "element (" + std::to_string(i) + ", " + std::to_string(j) + ") has the bytes " +
                               hexadecimal(element(b, i, j)) + ", but should have " + hexadecimal(expected(i, j));
        }
      }
    }
    if (progress) progress(static_cast<std::uint64_t>(i1), static_cast<std::uint64_t>(b.rows));
  }
  return result;
}

/// Words of an element that are not next to each other in rows of a matrix are moved one matrix after the other.
template <class T>
Measurement run_transpose(TransposeTask const& task, RunOptions const& run_options) {
  Exec const exec;
  Measurement result;
  Kokkos::Timer const timer;
  DeviceInput<T> const a(exec, task.a);
  DeviceOutput<T> const b(task.b);
  exec.fence("pantile driver: operands are there");
  result.transfer_in = timer.seconds();

  std::size_t const words = element_size(task.a.type) / sizeof(T);
  result.explanation = pantile::explain::transpose(exec, a.matrix(), b.matrix(), task.options);
  result.explanation.bytes *= static_cast<double>(words);
  measure(
      exec, run_options.repeat, result, [] {},
      [&] {
        for (std::size_t word = 0; word < words; ++word) {
          pantile::transpose(exec, a.matrix(word), b.matrix(word), task.options);
        }
      });
  result.transfer_out = timed(exec, [&] { b.copy_to_host(exec); });
  if (run_options.verify) result.verification = verify_transpose<T>(task, run_options.progress);
  return result;
}

/// f(std::type_identity<T>{}) for the T as which elements are moved.
template <class F>
auto with_moved(ElementType const& type, TransposeOptions const& options, F const& f) {
  require_conjugates(type, options);
  if (options.conjugate && element_info(type).kind == 'c') return with_element("transpose", type, f);
  return with_word(element_size(type), f);
}

}  // namespace

Measurement run(TransposeTask const& task, RunOptions const& run_options) {
  return with_moved(task.a.type, task.options,
                    [&]<class T>(std::type_identity<T>) { return run_transpose<T>(task, run_options); });
}

out_of_core::TransposePlan plan(TiledTranspose const& task, out_of_core::OutOfCoreOptions const& options) {
  return with_moved(task.type, task.options, [&]<class T>(std::type_identity<T>) {
    return out_of_core::explain::transpose<T>(task.a, task.b, options, task.options);
  });
}

void run(TiledTranspose const& task, out_of_core::OutOfCoreOptions const& options) {
  with_moved(task.type, task.options, [&]<class T>(std::type_identity<T>) {
    out_of_core::transpose<T>(Exec(), task.a, task.b, options, task.options);
  });
}

}  // namespace pantile::driver
