// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Fat binaries made by hand: plain, compressed, of several parts, and damaged ones.
#include <interpreter/runtime/fat_binary.hpp>

#include <gmock/gmock.h>

#include <lz4.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace {

using pantile_interpreter::runtime::choose_machine_code;
using pantile_interpreter::runtime::choose_ptx;
using pantile_interpreter::runtime::Image;
using pantile_interpreter::runtime::images_in;
using pantile_interpreter::runtime::images_of;
using ::testing::HasSubstr;

using Bytes = std::vector<unsigned char>;

template <class T>
void append(Bytes& bytes, T value) {
  auto const* const first = reinterpret_cast<unsigned char const*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

constexpr std::uint64_t lz4 = 0x2000, zstd = 0x8000;

/// One part; its header is 64 bytes.
Bytes part(std::uint16_t kind, std::uint32_t architecture, std::string const& payload, std::uint64_t flags = 0,
           std::size_t plain_bytes = 0) {
  Bytes bytes;
  append<std::uint16_t>(bytes, kind);
  append<std::uint16_t>(bytes, 0x101);
  append<std::uint32_t>(bytes, 64);
  std::size_t const padded = (payload.size() + 7) / 8 * 8;
  append<std::uint64_t>(bytes, padded);
  append<std::uint32_t>(bytes, flags == 0 ? 0 : static_cast<std::uint32_t>(payload.size()));
  append<std::uint32_t>(bytes, 0);
  append<std::uint32_t>(bytes, 0);
  append<std::uint32_t>(bytes, architecture);
  append<std::uint64_t>(bytes, 0);
  append<std::uint64_t>(bytes, flags);
  append<std::uint64_t>(bytes, 0);
  append<std::uint64_t>(bytes, plain_bytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  bytes.resize(64 + padded);
  return bytes;
}

Bytes fat_binary(std::vector<Bytes> const& parts) {
  Bytes all;
  for (Bytes const& one : parts) all.insert(all.end(), one.begin(), one.end());
  Bytes bytes;
  append<std::uint32_t>(bytes, 0xba55ed50);
  append<std::uint16_t>(bytes, 1);
  append<std::uint16_t>(bytes, 16);
  append<std::uint64_t>(bytes, all.size());
  bytes.insert(bytes.end(), all.begin(), all.end());
  return bytes;
}

std::string compressed(std::string const& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  int const bytes =
      LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()));
  packed.resize(static_cast<std::size_t>(bytes));
  return packed;
}

std::string error_of(Bytes const& bytes) {
  try {
    (void)images_in(bytes);
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "none";
}

TEST(FatBinary, PartsComeInTheirOrderWithoutPadding) {
  auto const images = images_in(fat_binary({part(2, 90, "code"), part(1, 80, ".version 8.4")}));
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].kind, Image::Kind::machine_code);
  EXPECT_EQ(images[0].architecture, 90);
  EXPECT_EQ(images[0].bytes.substr(0, 4), "code");
  EXPECT_EQ(images[1].kind, Image::Kind::ptx);
  EXPECT_EQ(images[1].bytes, ".version 8.4");
}

TEST(FatBinary, CompressedTextIsThatBeforeIt) {
  std::string text;
  for (int line = 0; line < 1000; ++line) text += "add.s32 %r" + std::to_string(line % 7) + ", %r1, %r2;\n";
  std::string const packed = compressed(text);
  ASSERT_LT(packed.size(), text.size());
  auto const images = images_in(fat_binary({part(1, 90, packed, lz4, text.size())}));
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].bytes, text);
}

TEST(FatBinary, TheWrapperLeadsToIt) {
  Bytes const inner = fat_binary({part(1, 90, "text")});
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    void const* data;
    void const* unused = nullptr;
  } wrapper;
  wrapper.data = inner.data();
  EXPECT_EQ(images_of(&wrapper).size(), 1U);
  wrapper.magic = 1;
  EXPECT_THROW((void)images_of(&wrapper), std::runtime_error);
}

TEST(FatBinary, TheNewestTextThatTheDeviceTakes) {
  auto const images =
      images_in(fat_binary({part(1, 70, "old"), part(1, 90, "mine"), part(1, 100, "new"), part(2, 80, "")}));
  EXPECT_EQ(choose_ptx(images, 90)->bytes, "mine");
  EXPECT_EQ(choose_ptx(images, 80)->bytes, "old");
  EXPECT_EQ(choose_ptx(images, 60), nullptr);
  EXPECT_EQ(choose_machine_code(images, 90), nullptr);
  EXPECT_NE(choose_machine_code(images, 80), nullptr);
}

TEST(FatBinary, DamageIsSaidInASentence) {
  EXPECT_EQ(error_of(fat_binary({part(1, 90, "text")})), "none");
  EXPECT_THAT(error_of({1, 2, 3}), HasSubstr("ends within a header"));
  Bytes wrong = fat_binary({});
  wrong[0] ^= 1;
  EXPECT_THAT(error_of(wrong), HasSubstr("first bytes are wrong"));
  Bytes cut = fat_binary({part(1, 90, "text")});
  cut.resize(cut.size() - 8);
  EXPECT_THAT(error_of(cut), HasSubstr("longer than what holds it"));
  Bytes long_part = part(1, 90, "text");
  long_part[8] = 200;
  EXPECT_THAT(error_of(fat_binary({long_part})), HasSubstr("longer than it"));
  EXPECT_THAT(error_of(fat_binary({part(1, 90, "text", zstd, 10)})), HasSubstr("--no-compress"));
  std::string packed = compressed(std::string(1000, 'x'));
  EXPECT_THAT(error_of(fat_binary({part(1, 90, packed, lz4, 999)})), HasSubstr("damaged"));
  packed.resize(packed.size() / 2);
  EXPECT_THAT(error_of(fat_binary({part(1, 90, packed, lz4, 1000)})), HasSubstr("damaged"));
}

}  // namespace
