// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory between two inaccessible pages: who reads or writes one element beside an operand ends the program,
///        with a line that names the operand and the distance. On POSIX systems; needs nothing of Kokkos.

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace pantile::testing {

/// Which inaccessible page an operand touches: its last byte is the last one before `behind`, or its first one the
/// first after `before`.
enum class Guard { behind, before };
inline constexpr Guard both_guards[] = {Guard::behind, Guard::before};

inline char const* to_string(Guard guard) { return guard == Guard::behind ? "guard behind" : "guard before"; }

/// \brief  Room for one operand at a time, between inaccessible pages.
class GuardedMemory {
 public:
  /// Exit status of a program that touches a guard.
  static constexpr int exit_status = 66;

  /// False where the system has no such memory; then it is ordinary memory.
  static bool available();

  /// \param name  of the operand, for the line that is printed
  GuardedMemory(std::string const& name, std::size_t capacity);
  GuardedMemory(GuardedMemory const&) = delete;
  GuardedMemory& operator=(GuardedMemory const&) = delete;
  ~GuardedMemory();

  /// \brief  Where an operand of so many bytes begins. All memory around it is filled with bytes `filler`.
  /// \param  gap  bytes between the operand and the inaccessible page
  std::byte* place(std::size_t bytes, Guard guard, std::size_t gap = 0);

  /// Is all accessible memory around the operand as `place` has left it?
  [[nodiscard]] bool surroundings_intact() const;

  /// Of all bytes that belong to no element: numbers of type float and double are NaN, integers -1.
  static constexpr std::byte filler{0xff};

 private:
  std::byte* m_begin = nullptr;  // of what is accessible
  std::size_t m_bytes = 0;
  std::byte* m_operand = nullptr;
  std::size_t m_operand_bytes = 0;
  int m_slot = -1;
  std::vector<std::byte> m_ordinary;
};

/// Distances between elements in memory, in elements.
struct Strides {
  std::size_t row = 1, col = 1;
};

/// \brief  A matrix whose first or last element is beside an inaccessible page. Elements are copied in and out byte by
///         byte: they may lie at any address.
template <class T>
class GuardedMatrix {
 public:
  std::size_t const rows, cols;
  Strides const strides;

  GuardedMatrix(std::string const& name, std::size_t rows_, std::size_t cols_, Strides strides_, Guard guard,
                std::size_t gap = 0)
      : rows(rows_),
        cols(cols_),
        strides(strides_),
        m_memory(name, bytes() + gap),
        m_data(m_memory.place(bytes(), guard, gap)) {}

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(m_data); }

  [[nodiscard]] T operator()(std::size_t i, std::size_t j) const {
    T value;
    std::memcpy(static_cast<void*>(&value), at(i, j), sizeof(T));
    return value;
  }
  void set(std::size_t i, std::size_t j, T const& value) {
    std::memcpy(at(i, j), static_cast<void const*>(&value), sizeof(T));
  }

  /// Element (i, j) becomes f(i, j).
  template <class F>
  void fill(F const& f) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) set(i, j, f(i, j));
    }
  }

  /// Has nothing between and around the elements been written?
  [[nodiscard]] bool gaps_intact() const {
    if (!m_memory.surroundings_intact()) return false;
    std::vector<unsigned char> inside(bytes(), 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) std::memset(inside.data() + offset(i, j), 1, sizeof(T));
    }
    for (std::size_t byte = 0; byte < inside.size(); ++byte) {
      if (inside[byte] == 0 && m_data[byte] != GuardedMemory::filler) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const {
    return (i * strides.row + j * strides.col) * sizeof(T);
  }
  [[nodiscard]] std::byte* at(std::size_t i, std::size_t j) const { return m_data + offset(i, j); }
  [[nodiscard]] std::size_t bytes() const {
    return rows == 0 || cols == 0 ? 0 : offset(rows - 1, cols - 1) + sizeof(T);
  }

  GuardedMemory m_memory;
  std::byte* m_data;
};

}  // namespace pantile::testing
