// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Own reader, because Debian's only C++ one (xtensor's xnpy) trusts the header: fixed key order, sizes unchecked.

#include "io/npy.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"

namespace pantile::driver {

namespace {

std::size_t little_endian(std::span<std::byte const> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
  return value;
}

/// Reads from the magic string to the length of the dictionary. \return  the version, and that length
std::pair<unsigned, std::size_t> read_preamble(InputFile& file) {
  constexpr std::string_view zip_magic = "PK\x03\x04";
  std::array<std::byte, npy_magic.size() + 2> start{};
  std::size_t const got = file.read_some(start);
  std::string_view const text(reinterpret_cast<char const*>(start.data()), got);
  if (text.starts_with(zip_magic)) fail_reading(file.path(), "it is a zip archive (.npz); unpack its members");
  if (!text.starts_with(npy_magic)) fail_reading(file.path(), "it does not start with the mark of an .npy file");
  if (got < start.size()) fail_reading(file.path(), "the .npy header ends at byte ", got, ", before its version");

  auto const major = std::to_integer<unsigned>(start[npy_magic.size()]);
  auto const minor = std::to_integer<unsigned>(start[npy_magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    fail_reading(file.path(), "its .npy format version is ", major, ".", minor, ", where 1.0, 2.0 or 3.0 is needed");
  }
  std::array<std::byte, 4> length{};
  auto const used = std::span(length).first(major == 1 ? 2 : 4);
  file.read_exactly(used);
  return {major, little_endian(used)};
}

/// The same letters in UTF-8, of Latin-1.
std::string from_latin1(std::string_view text) {
  std::string result;
  for (char const letter : text) {
    auto const code = static_cast<unsigned char>(letter);
    if (code < 0x80) {
      result += letter;
    } else {
      result += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    }
  }
  return result;
}

NpyHeader read_header(InputFile& file) {
  auto const [version, length] = read_preamble(file);
  if (length > npy_header_cap) {
    fail_reading(file.path(), "the .npy header declares ", length, " bytes of itself, more than ", npy_header_cap);
  }
  if (length > file.remaining()) {
    fail_reading(file.path(), "the .npy header declares ", length, " bytes of itself, but ", file.remaining(),
                 " follow");
  }
  std::string text(length, '\0');
  file.read_exactly(std::as_writable_bytes(std::span(text)));
  return parse_npy_header(version < 3 ? from_latin1(text) : text, file.path());
}

void require_size(InputFile const& file, NpyHeader const& header) {
  if (!file.has_size() || header.bytes() == file.remaining()) return;
  fail_reading(file.path(), "the .npy header declares shape ", header.shape.text(), " of ", element_name(header.type),
               ", which is ", header.bytes(), " bytes, but ", file.remaining(), " bytes follow it");
}

template <std::size_t Size>
void swap_elements(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += Size) std::reverse(bytes.data() + i, bytes.data() + i + Size);
}

}  // namespace

void swap_bytes(std::span<std::byte> bytes, std::size_t component_size) {
  switch (component_size) {
    case 2: return swap_elements<2>(bytes);
    case 4: return swap_elements<4>(bytes);
    case 8: return swap_elements<8>(bytes);
    case 16: return swap_elements<16>(bytes);
    default: return;
  }
}

bool is_npy(std::filesystem::path const& path) {
  std::array<std::byte, npy_magic.size()> start{};
  std::size_t const got = InputFile(path).read_some(start);
  return std::string_view(reinterpret_cast<char const*>(start.data()), got) == npy_magic;
}

NpyFile look_at_npy(std::filesystem::path const& path) {
  InputFile file(path);
  NpyFile result{.header = read_header(file)};
  require_size(file, result.header);
  result.offset = file.size() - file.remaining();
  result.size = file.size();
  std::error_code error;
  auto const changed = std::filesystem::last_write_time(path, error);
  if (error) fail_reading(path, error.message());
  result.changed = std::chrono::duration_cast<std::chrono::nanoseconds>(changed.time_since_epoch()).count();
  return result;
}

Array read_npy(std::filesystem::path const& path, Progress const& progress) {
  InputFile file(path);
  NpyHeader const header = read_header(file);
  require_size(file, header);

  Array array{header.type, header.shape, header.order, allocate_for(path, header.bytes())};
  std::span<std::byte> left(array.data(), header.bytes());
  ProgressMeter meter(progress, left.size());
  while (!left.empty()) {
    auto const piece = left.first(std::min<std::size_t>(left.size(), ProgressMeter::step));
    file.read_exactly(piece);
    if (header.byte_order != std::endian::native) swap_bytes(piece, element_info(header.type).component_size);
    left = left.subspan(piece.size());
    meter.advance(piece.size());
  }
  std::byte more{};
  if (file.read_some({&more, 1}) > 0) fail_reading(path, "more follows the array of shape ", header.shape.text());
  meter.finish();
  return array;
}

void write_npy(std::filesystem::path const& path, ArrayView const& view, Progress const& progress) {
  require_valid(view);
  OutputFile file(path);
  file.write(format_npy_header(view));
  std::span<std::byte const> left(view.data, view.bytes());
  ProgressMeter meter(progress, left.size());
  while (!left.empty()) {
    auto const piece = left.first(std::min<std::size_t>(left.size(), ProgressMeter::step));
    file.write(piece);
    left = left.subspan(piece.size());
    meter.advance(piece.size());
  }
  meter.finish();
  file.commit();
}

}  // namespace pantile::driver
