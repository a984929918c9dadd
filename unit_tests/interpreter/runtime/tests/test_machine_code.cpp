// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What is read of a cubin, from one made by hand. Those of nvcc are read by test_limits.cu.
#include <interpreter/runtime/machine_code.hpp>

#include <gmock/gmock.h>

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using pantile_interpreter::runtime::resources_in;
using ::testing::HasSubstr;

template <class T>
std::string bytes_of(T const& value) {
  return {reinterpret_cast<char const*>(&value), sizeof value};
}

/// Sections in the order in which they are added; the first is empty, the last holds the names.
class Elf {
 public:
  void add(std::string const& name, std::string const& contents, std::uint32_t type = SHT_PROGBITS,
           std::uint32_t info = 0, std::uint32_t link = 0) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<std::uint32_t>(m_names.size());
    header.sh_type = type;
    header.sh_info = info;
    header.sh_link = link;
    header.sh_size = contents.size();
    header.sh_offset = sizeof(Elf64_Ehdr) + m_bytes.size();
    m_names += name + '\0';
    if (type != SHT_NOBITS) m_bytes += contents;
    m_sections.push_back(header);
  }

  std::string finished() {
    std::string const names = m_names + ".shstrtab" + '\0';
    add(".shstrtab", names, SHT_STRTAB);
    Elf64_Ehdr file{};
    std::memcpy(file.e_ident, ELFMAG, SELFMAG);
    file.e_ident[EI_CLASS] = ELFCLASS64;
    file.e_shoff = sizeof file + m_bytes.size();
    file.e_shnum = static_cast<std::uint16_t>(m_sections.size());
    file.e_shstrndx = static_cast<std::uint16_t>(m_sections.size() - 1);
    std::string all = bytes_of(file) + m_bytes;
    for (Elf64_Shdr const& section : m_sections) all += bytes_of(section);
    return all;
  }

 private:
  std::string m_names = std::string(1, '\0'), m_bytes;
  std::vector<Elf64_Shdr> m_sections = {Elf64_Shdr{}};
};

std::string attribute(char which, std::uint32_t symbol, std::uint32_t value) {
  return std::string{'\x04', which, '\x08', '\0'} + bytes_of(symbol) + bytes_of(value);
}

/// Two kernels: "one" with a stack, "two" with many registers.
std::string two_kernels() {
  Elf elf;
  elf.add(".strtab", std::string("\0one\0two\0", 9), SHT_STRTAB);
  Elf64_Sym none{}, one{}, two{};
  one.st_name = 1;
  two.st_name = 5;
  elf.add(".symtab", bytes_of(none) + bytes_of(one) + bytes_of(two), SHT_SYMTAB, 0, 1);
  std::string const unsized("\x03\x1b\xff\x00", 4);  // its value is where the size would be
  elf.add(".nv.info", attribute('\x2f', 2, 168) + attribute('\x2f', 1, 40) + unsized + attribute('\x12', 1, 9) +
                          attribute('\x11', 1, 400));
  elf.add(".text.one", "code");
  elf.add(".text.two", "code");
  return elf.finished();
}

TEST(MachineCode, RegistersAndStack) {
  auto const kernels = resources_in(two_kernels());
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels.at("one").registers, 40);
  EXPECT_EQ(kernels.at("one").local, 400U);
  EXPECT_EQ(kernels.at("two").registers, 168);
  EXPECT_EQ(kernels.at("two").local, 0U);
}

TEST(MachineCode, WhatIsNoElfFile) {
  EXPECT_THAT([] { (void)resources_in("text"); }, ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("too early")));
  EXPECT_THAT([] { (void)resources_in(std::string(64, 'x')); },
              ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("no ELF file")));
}

TEST(MachineCode, NoLengthOfADamagedFileIsReadBeyondItsEnd) {
  std::string const whole = two_kernels();
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 7) {
    EXPECT_THROW((void)resources_in(std::string_view(whole).substr(0, bytes)), std::runtime_error) << bytes;
  }
}

}  // namespace
