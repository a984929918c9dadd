// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Address space by the hundred gigabytes, of which only the pages that are written take memory: for offsets
///        that 32 bits do not hold.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

namespace pantile::testing {

/// Zeroes, to be read and written. Null where the system refuses.
class SparseMemory {
 public:
  explicit SparseMemory(std::int64_t bytes)
      : m_bytes(static_cast<std::size_t>(bytes)),
        m_data(::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  SparseMemory(SparseMemory const&) = delete;
  SparseMemory& operator=(SparseMemory const&) = delete;
  ~SparseMemory() {
    if (m_data != MAP_FAILED) ::munmap(m_data, m_bytes);
  }

  template <class T>
  [[nodiscard]] T* as() const {
    return m_data == MAP_FAILED ? nullptr : static_cast<T*>(m_data);
  }

 private:
  std::size_t m_bytes;
  void* m_data;
};

/// From row to row of a matrix in such memory: four rows on an offset has 32 bits, within any kernel's block of rows.
inline constexpr std::int64_t far_apart = (std::int64_t{1} << 29) + 16;

/// Elements that `rows` such rows take.
constexpr std::int64_t far_span(std::int64_t rows) { return rows * far_apart; }

}  // namespace pantile::testing
