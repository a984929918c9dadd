// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The operands of a command: first what their files say of themselves, enough to refuse and to know whether
///        memory suffices, then their elements.

#include "errors.hpp"
#include "io/array.hpp"
#include "io/npy.hpp"
#include "session.hpp"

#include <pantile/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pantile::driver {

struct Operand {
  std::string_view name;
  std::filesystem::path path;
  NpyFile file;  ///< where all operands and the result are .npy files, so that tiles are possible
  Array array;   ///< without elements until they are read; the standard input's are there at once
  double seconds_to_read = 0;

  /// Old values of C are another matrix than the result.
  [[nodiscard]] std::string_view told_name() const { return name == "C" ? "C_in" : name; }
};
using Operands = std::vector<Operand>;

/// A result that is not there yet.
struct Result {
  std::string_view name;
  ElementType type;
  Shape shape;
};

/// In a journal before the bytes of its tiles.
inline constexpr std::string_view journal_memory = "memory ";

/// "3x4"
std::string extents(Shape const& shape);

/// "A 'a.npy' 3x4 float32, B 'b.npy' 4x5 float32"
std::string describe(Operands const& operands);
std::string describe(Operand const& operand);

/// Looks at the files that are given. Throws FileError for what cannot be read, or a result that cannot be written;
/// InputError where the result's file is the report's or, but with --force, an operand's, and where --memory asks for
/// tiles, but one of the files is no .npy file.
Operands look_at_operands(Session& session, TileArguments const& tiles = {});

/// Reads the elements; prints and records what they are and the time. Throws FileError.
void read_operands(Session& session, Operands& operands);

/// Prints and records what a file holds; `place` stands before the file, "in" or "to", and `end` behind it.
void tell_matrix(Session& session, std::string_view name, std::filesystem::path const& path, ArrayView const& array,
                 std::string_view place, std::string_view end = "");

/// How long f() takes.
template <class F>
double seconds(F const& f) {
  auto const start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Throws InputError unless the array has this many dimensions.
void require_rank(Operand const& operand, std::string_view operation, std::size_t rank);

/// Throws InputError where this process cannot have the memory for operands and result, or the device has it not.
void require_room(Session& session, Operands const& operands, Result const& result);

/// Bytes for tiles; nothing where operands and result have room. Throws as require_room does, and InputError where
/// tiles are needed and --verify or --repeat ask for all in memory. Starts Kokkos where a device computes.
std::optional<std::uint64_t> budget(Session& session, TileArguments const& tiles, Operands const& operands,
                                    Result const& result);

/// f(), with the library's refusals in the words of the driver: the rule, and the operands by their files.
template <class F>
auto naming_operands(Operands const& operands, F const& f) {
  try {
    return f();
  } catch (pantile::Error const& error) {
    throw InputError(error.operation() + ": " + error.rule() + (operands.empty() ? "" : "; ") + describe(operands));
  }
}

}  // namespace pantile::driver
