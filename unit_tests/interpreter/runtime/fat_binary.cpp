// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/fat_binary.hpp>

#include <lz4.h>

#include <cstring>
#include <stdexcept>

namespace pantile_interpreter::runtime {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t header_magic = 0xba55ed50;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;

struct Wrapper {
  std::uint32_t magic, version;
  unsigned char const* data;
  void const* unused;
};

struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t payload_bytes;
};

/// Before each part; what it says of options and names is of no use here.
struct PartHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
  std::uint32_t compressed_bytes, options;
  std::uint16_t minor, major;
  std::uint32_t architecture, name, name_bytes;
  std::uint64_t flags, unused, plain_bytes;
};
static_assert(sizeof(PartHeader) == 64);

template <class T>
T read(std::span<unsigned char const> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) throw std::runtime_error("a fat binary ends within a header");
  T result;
  std::memcpy(&result, bytes.data() + at, sizeof(T));
  return result;
}

std::string decompressed(std::span<unsigned char const> packed, std::size_t plain_bytes) {
  std::string plain(plain_bytes, '\0');
  int const written = LZ4_decompress_safe(reinterpret_cast<char const*>(packed.data()), plain.data(),
                                          static_cast<int>(packed.size()), static_cast<int>(plain_bytes));
  if (written < 0 || static_cast<std::size_t>(written) != plain_bytes) {
    throw std::runtime_error("a compressed part of a fat binary is damaged");
  }
  return plain;
}

std::string contents(PartHeader const& part, std::span<unsigned char const> payload) {
  if ((part.flags & flag_zstd) != 0) {
    throw std::runtime_error("a part of a fat binary is compressed by zstd: build with nvcc's --no-compress");
  }
  if ((part.flags & flag_lz4) != 0) {
    if (part.compressed_bytes > payload.size())
      throw std::runtime_error("a compressed part is longer than its fat binary");
    return decompressed(payload.first(part.compressed_bytes), part.plain_bytes);
  }
  return {reinterpret_cast<char const*>(payload.data()), payload.size()};
}

/// Text is padded with zeros.
void trim_text(std::string& text) { text.resize(std::strlen(text.c_str())); }

}  // namespace

std::vector<Image> images_in(std::span<unsigned char const> bytes) {
  auto const header = read<Header>(bytes, 0);
  if (header.magic != header_magic) throw std::runtime_error("no fat binary: its first bytes are wrong");
  if (header.header_bytes > bytes.size() || header.payload_bytes > bytes.size() - header.header_bytes) {
    throw std::runtime_error("a fat binary is longer than what holds it");
  }
  auto const parts = bytes.subspan(header.header_bytes, header.payload_bytes);
  std::vector<Image> images;
  for (std::size_t at = 0; at < parts.size();) {
    auto const part = read<PartHeader>(parts, at);
    std::size_t const left = parts.size() - at;
    if (part.header_bytes < sizeof(PartHeader) || part.header_bytes > left ||
        part.payload_bytes > left - part.header_bytes) {
      throw std::runtime_error("a part of a fat binary is longer than it");
    }
    auto const payload = parts.subspan(at + part.header_bytes, part.payload_bytes);
    if (part.kind == 1 || part.kind == 2) {
      auto const kind = part.kind == 1 ? Image::Kind::ptx : Image::Kind::machine_code;
      images.push_back({kind, static_cast<int>(part.architecture), contents(part, payload)});
      if (kind == Image::Kind::ptx) trim_text(images.back().bytes);
    }
    at += part.header_bytes + part.payload_bytes;
  }
  return images;
}

std::vector<Image> images_of(void const* wrapper) {
  Wrapper outer;
  std::memcpy(&outer, wrapper, sizeof outer);
  if (outer.magic != wrapper_magic) throw std::runtime_error("no fat binary: its wrapper's first bytes are wrong");
  Header header;
  std::memcpy(&header, outer.data, sizeof header);
  return images_in({outer.data, header.header_bytes + header.payload_bytes});
}

Image const* choose_ptx(std::vector<Image> const& images, int architecture) {
  Image const* best = nullptr;
  for (Image const& image : images) {
    if (image.kind != Image::Kind::ptx || image.architecture > architecture) continue;
    if (best == nullptr || image.architecture > best->architecture) best = &image;
  }
  return best;
}

Image const* choose_machine_code(std::vector<Image> const& images, int architecture) {
  for (Image const& image : images) {
    if (image.kind == Image::Kind::machine_code && image.architecture == architecture) return &image;
  }
  return nullptr;
}

}  // namespace pantile_interpreter::runtime
