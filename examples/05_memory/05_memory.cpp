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

static void by_hand(Exec const& exec, HostMatrix const& array, example::Checks& check) {
  std::cout << pantile::explain::to_device(exec, array);
  auto const d_array = pantile::to_device(exec, array);                 // read-only
  auto const d_result = pantile::device_like(exec, array, "d_result");  // same extents and layout, uninitialised
  int const rows = array.extent_int(0), cols = array.extent_int(1);
  Kokkos::parallel_for(
      "example: double", Kokkos::RangePolicy<Exec>(exec, 0, rows), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < cols; ++j) d_result(i, j) = 2 * d_array(i, j);
      });
  auto const result = pantile::copy_to_host(exec, d_result);
  exec.fence();
  example::print(result, true);
  check(example::all_equal(result, [&](int i, int j) { return 2 * (i * cols + j); }), "doubled, and back");
}

static void strides_and_layouts(Exec const& exec, HostMatrix const& array, example::Checks& check) {
  auto const block = Kokkos::subview(array, Kokkos::ALL, Kokkos::make_pair(1, 3));  // two columns: rows lie apart
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec::memory_space> const d_block("d_block", 4, 2);
  std::cout << pantile::explain::copy(exec, d_block, block);
  pantile::copy(exec, d_block, block);

  HostMatrix const other("other", 4, 4);
  pantile::copy(exec, Kokkos::subview(other, Kokkos::ALL, Kokkos::make_pair(2, 4)), d_block);
  exec.fence();
  example::print(other, true);
  check(example::all_equal(other, [](int i, int j) { return j < 2 ? 0 : i * 4 + j - 1; }),
        "two columns, through LayoutLeft, into two others");
}

static void pinned_and_mapped(Exec const& exec, HostMatrix const& array, example::Checks& check) {
  // Pinned: copies to and from a device are fast and do not hold up the host.
  auto const staging = pantile::pinned<float>("staging", array.extent(0), array.extent(1));
  Kokkos::deep_copy(staging, array);
  auto const d_array = pantile::device_copy(exec, staging);

  // Mapped: a kernel writes the host's memory itself. No copy, but every access passes the bus.
  auto const sums = pantile::mapped<float>("sums", array.extent(0));
  int const cols = array.extent_int(1);
  Kokkos::parallel_for(
      "example: row sums", Kokkos::RangePolicy<Exec>(exec, 0, array.extent(0)), KOKKOS_LAMBDA(int i) {
        sums(i) = 0;
        for (int j = 0; j < cols; ++j) sums(i) += d_array(i, j);
      });
  exec.fence();
  for (int i = 0; i < sums.extent_int(0); ++i) std::cout << sums(i) << (i + 1 < sums.extent_int(0) ? ' ' : '\n');
  check(sums(0) == 6 && sums(3) == 54, "pinned memory copied, mapped memory written by a kernel");
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  HostMatrix const array("array", 4, 4);
  example::set_arange(array);
  example::Checks check;
  by_hand(exec, array, check);
  strides_and_layouts(exec, array, check);
  pinned_and_mapped(exec, array, check);
  return check.status();
}
