// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <bit>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/array.hpp"

namespace pantile::driver {

/// What the dictionary at the front of an .npy file says.
struct NpyHeader {
  ElementType type{};
  Shape shape;
  Order order = Order::c;
  std::endian byte_order = std::endian::native;

  std::size_t bytes() const { return shape.count() * element_size(type); }
};

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Longest dictionary that is read, in bytes. NumPy itself writes 118 for plain arrays.
inline constexpr std::size_t npy_header_cap = std::size_t{64} << 10;

/// Reads the dictionary: just the literal that NumPy writes, in any key order and spacing; nothing is evaluated. Throws
/// FileError, which names `path`, for anything else, more than three dimensions or 2^63 bytes. Letters beyond ASCII are
/// in UTF-8.
NpyHeader parse_npy_header(std::string_view dictionary, std::filesystem::path const& path);

/// All that stands before the data, from the magic string to the newline; the same bytes as NumPy's
/// (from 1.24 on) for this array in this machine's byte order, but that fields with names beyond ASCII make
/// version 3.0, where NumPy has 1.0 for those of Latin-1.
std::string format_npy_header(ArrayView const& view);

}  // namespace pantile::driver
