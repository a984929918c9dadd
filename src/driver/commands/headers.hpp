// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the files of a command say of themselves: enough to refuse, and to know whether memory suffices, before
///        elements are read.

#include "commands/steps.hpp"
#include "io/npy.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace pantile::driver {

/// An operand of which only the header was read.
struct HeaderOperand {
  std::string_view name;
  std::filesystem::path const& path;
  NpyFile file;  ///< of .npy files where tiles are possible
  Array array;   ///< without elements
};

struct OperandFile {
  std::string_view name;
  std::filesystem::path const& path;  ///< empty where it is not given
};

/// A result that is not there yet.
struct FutureResult {
  std::string_view name;
  ElementType type;
  Shape shape;
};

/// In a journal before the bytes of its tiles.
inline constexpr std::string_view journal_memory = "memory ";

/// What the files of a command say before they are read.
class Headers {
 public:
  /// Looks at the files that are given; throws FileError. InputError if --memory asks for tiles where one of them or
  /// the result is no .npy file.
  Headers(Session const& session, TileArguments const& tiles, std::vector<OperandFile> const& operands);

  /// Not where one of them is the standard input.
  [[nodiscard]] bool known() const { return m_known; }
  [[nodiscard]] std::vector<NamedArray> operands() const;
  [[nodiscard]] HeaderOperand const& operator[](std::size_t i) const { return m_operands[i]; }

  /// Bytes for tiles; nothing where operands and result have room. Throws as require_room does. Starts Kokkos where a
  /// device computes.
  [[nodiscard]] std::optional<std::uint64_t> budget(Session& session, TileArguments const& tiles,
                                                    FutureResult const& result) const;

  /// Throws InputError where this process cannot have the memory for operands and result, or the device has it not.
  void require_room(Session& session, FutureResult const& result) const;

 private:
  [[nodiscard]] double bytes_with(FutureResult const& result) const;

  std::filesystem::path const& m_output;
  std::deque<HeaderOperand> m_operands;  // NamedArray points to them
  bool m_known = true;
  bool m_all_npy = false;
};

}  // namespace pantile::driver
