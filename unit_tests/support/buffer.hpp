// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory of the tests' spaces as bytes that the host can write and read. Compiled once: Kokkos' copies take
///        seconds to compile per element type.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace pantile::testing {

/// Shared on copy, as a View is.
class Buffer {
 public:
  Buffer() = default;
  /// \param on_host  memory of the default host space, else of the default space
  Buffer(std::string const& label, std::size_t bytes, bool on_host);

  [[nodiscard]] void* data() const;

  /// Write all bytes; waits for everything in flight.
  void write(void const* source) const;
  /// Read all bytes; waits for everything in flight.
  void read(void* target) const;

 private:
  // One of them is in use.
  Kokkos::View<unsigned char*, Kokkos::DefaultExecutionSpace::memory_space> m_device;
  Kokkos::View<unsigned char*, Kokkos::DefaultHostExecutionSpace::memory_space> m_host;
};

}  // namespace pantile::testing
