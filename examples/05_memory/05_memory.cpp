// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, memory: arrays moved by hand with to_device, copy_to_host, device_array_like, pinned_array and
// mapped_array (row 7).
//
// Look at what explain says of the transfers: on host backends nothing is copied where nothing has to be.
// Differs from Numba: subarrays and a change of layout are no errors, in either direction: they are packed on the way.
// Device memory lives as long as a View refers to it, as Numba's lives as long as its handle.

#include <pantile/transfer.hpp>

#include <common/example.hpp>

#include <iostream>

using Exec = Kokkos::DefaultExecutionSpace;
using HostMatrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

template <class In, class Out>
static void a_kernel(Exec const& exec, In const& d_array, Out const& d_result) {
  int const cols = d_array.extent_int(1);
  Kokkos::parallel_for(
      "example: double", Kokkos::RangePolicy<Exec>(exec, 0, d_array.extent_int(0)), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < cols; ++j) d_result(i, j) = 2 * d_array(i, j);
      });
}

// There and back: plain Kokkos, then the guide's verbs.
static void by_hand(Exec const& exec, HostMatrix const& array, bool print, example::Checks& check) {
  HostMatrix const result("result", array.extent(0), array.extent(1));
  auto const plain = [&] {
    Matrix const d_array("d_array", array.extent(0), array.extent(1)), d_result("d_result", d_array.layout());
    Kokkos::deep_copy(exec, d_array, array);
    a_kernel(exec, d_array, d_result);
    Kokkos::deep_copy(exec, result, d_result);
    // MENDED: the guide says that copies without a stream are done when they return. With one, the host must wait:
    exec.fence();
  };
  auto const verbs = [&] {
    auto const d_array = pantile::to_device(exec, array);                 // read-only
    auto const d_result = pantile::device_like(exec, array, "d_result");  // same extents and layout, uninitialised
    a_kernel(exec, d_array, d_result);
    pantile::copy(exec, result, d_result);
    exec.fence();
  };
  if (print) std::cout << pantile::explain::to_device(exec, array);
  example::compare(check, "doubled, and back", result, 0, plain, verbs);
  if (print) example::print(result, true);
  check(example::all_equal(result, [&](int i, int j) { return 2 * array(i, j); }), "twice the array");
}

// Half of the columns, so that rows lie apart, into a LayoutLeft matrix of the device.
static void strides_and_layouts(Exec const& exec, HostMatrix const& array, bool print, example::Checks& check) {
  int const cols = array.extent_int(1);
  auto const block = Kokkos::subview(array, Kokkos::ALL, Kokkos::make_pair(cols / 4, 3 * cols / 4));
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec::memory_space> const d_block("d_block", array.extent(0), cols / 2);
  auto const plain = [&] {
    // MENDED: Numba refuses an array that is not contiguous, deep_copy one of another layout in another memory. It is
    // packed on the host first.
    auto const packed = Kokkos::create_mirror(d_block);
    Kokkos::deep_copy(packed, block);
    Kokkos::deep_copy(exec, d_block, packed);
    exec.fence();
  };
  if (print) std::cout << pantile::explain::copy(exec, d_block, block);
  example::compare(check, "columns into LayoutLeft", d_block, 0, plain, [&] { pantile::copy(exec, d_block, block); });

  HostMatrix const other("other", array.extent(0), cols);
  pantile::copy(exec, Kokkos::subview(other, Kokkos::ALL, Kokkos::make_pair(cols / 2, cols)), d_block);
  exec.fence();
  if (print) example::print(other, true);
  check(example::all_equal(other, [&](int i, int j) { return j < cols / 2 ? 0 : array(i, j - cols / 4); }),
        "and from there into columns of another array");
}

// What Kokkos calls pinned memory; where all is the host's there is none.
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

template <class In, class Out>
static void row_sums(Exec const& exec, In const& d_array, Out const& sums) {
  int const cols = d_array.extent_int(1);
  Kokkos::parallel_for(
      "example: row sums", Kokkos::RangePolicy<Exec>(exec, 0, d_array.extent_int(0)), KOKKOS_LAMBDA(int i) {
        float sum = 0;
        for (int j = 0; j < cols; ++j) sum += d_array(i, j);
        sums(i) = sum;
      });
  exec.fence();
}

static void pinned_and_mapped(Exec const& exec, HostMatrix const& array, bool print, example::Checks& check) {
  std::size_t const rows = array.extent(0), cols = array.extent(1);
  Kokkos::View<float*, Kokkos::HostSpace> const result("result", rows);
  auto const plain = [&] {
    Kokkos::View<float**, Kokkos::LayoutRight, PinnedSpace> const staging("staging", rows, cols);
    Kokkos::View<float*, PinnedSpace> const sums("sums", rows);
    Matrix const d_array("d_array", rows, cols);
    Kokkos::deep_copy(staging, array);
    Kokkos::deep_copy(exec, d_array, staging);
    row_sums(exec, d_array, sums);
    Kokkos::deep_copy(result, sums);
  };
  auto const verbs = [&] {
    // Pinned: copies to and from a device are fast and do not hold up the host.
    auto const staging = pantile::pinned<float>("staging", rows, cols);
    Kokkos::deep_copy(staging, array);
    auto const d_array = pantile::device_copy(exec, staging);
    // Mapped: a kernel writes the host's memory itself. No copy, but every access passes the bus.
    auto const sums = pantile::mapped<float>("sums", rows);
    row_sums(exec, d_array, sums);
    Kokkos::deep_copy(result, sums);
  };
  example::compare(check, "pinned memory copied, mapped memory written by a kernel", result, 0, plain, verbs);
  if (print) example::print(result);
  check(example::every(result,
                       [&](std::size_t i) {  // of cols numbers that rise by one
                         double const n = static_cast<double>(cols),
                                      sum = n * (static_cast<double>(i) * n + (n - 1) / 2);
                         return std::abs(result(i) - sum) <= example::rtol_of_sums<float>(static_cast<int>(cols)) * sum;
                       }),
        "the sums of the rows");
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  example::Checks check;
  for (int const n : {4, 1000}) {
    HostMatrix const array("array", n, n);
    example::set_arange(array);
    by_hand(exec, array, n == 4, check);
    strides_and_layouts(exec, array, n == 4, check);
    pinned_and_mapped(exec, array, n == 4, check);
  }
  return check.status();
}
