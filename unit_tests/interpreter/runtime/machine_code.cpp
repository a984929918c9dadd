// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/machine_code.hpp>

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace pantile_interpreter::runtime {
namespace {

// Attributes in .nv.info: the number of a function's symbol, then a value.
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_registers = 0x2f;
constexpr std::uint8_t format_sized = 0x04;  // an attribute whose value has a size before it

template <class T>
T read(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) throw std::runtime_error("a cubin ends too early");
  T result;
  std::memcpy(&result, bytes.data() + at, sizeof(T));
  return result;
}

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  std::string_view contents;
};

std::string_view text_at(std::string_view table, std::size_t at) {
  if (at >= table.size()) throw std::runtime_error("a cubin names something beyond its table of names");
  return std::string_view(table.data() + at, ::strnlen(table.data() + at, table.size() - at));
}

std::string_view contents_of(std::string_view cubin, Elf64_Shdr const& header) {
  if (header.sh_type == SHT_NOBITS) return {};
  if (header.sh_offset > cubin.size() || header.sh_size > cubin.size() - header.sh_offset) {
    throw std::runtime_error("a cubin's section is longer than it");
  }
  return cubin.substr(header.sh_offset, header.sh_size);
}

std::vector<Section> sections_of(std::string_view cubin) {
  auto const file = read<Elf64_Ehdr>(cubin, 0);
  if (std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64) {
    throw std::runtime_error("a cubin is no ELF file for 64 bits");
  }
  std::vector<Section> sections(file.e_shnum);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    sections[k].header = read<Elf64_Shdr>(cubin, file.e_shoff + k * sizeof(Elf64_Shdr));
    sections[k].contents = contents_of(cubin, sections[k].header);
  }
  if (file.e_shstrndx >= sections.size()) throw std::runtime_error("a cubin has no table of its sections' names");
  std::string_view const names = sections[file.e_shstrndx].contents;
  for (Section& section : sections) section.name = text_at(names, section.header.sh_name);
  return sections;
}

std::string_view symbol_name(std::vector<Section> const& sections, std::uint32_t number) {
  for (Section const& table : sections) {
    if (table.header.sh_type != SHT_SYMTAB) continue;
    auto const symbol = read<Elf64_Sym>(table.contents, number * sizeof(Elf64_Sym));
    if (table.header.sh_link >= sections.size()) break;
    return text_at(sections[table.header.sh_link].contents, symbol.st_name);
  }
  throw std::runtime_error("a cubin has no table of symbols");
}

void read_attributes(std::vector<Section> const& sections, std::string_view info,
                     std::map<std::string, KernelResources, std::less<>>& kernels) {
  for (std::size_t at = 0; at + 4 <= info.size();) {
    auto const format = read<std::uint8_t>(info, at);
    auto const attribute = read<std::uint8_t>(info, at + 1);
    auto const size = read<std::uint16_t>(info, at + 2);
    at += 4;
    if (format != format_sized) continue;  // the value is where the size would be
    if (attribute == attribute_frame_size || attribute == attribute_registers) {
      KernelResources& kernel = kernels[std::string(symbol_name(sections, read<std::uint32_t>(info, at)))];
      auto const value = read<std::uint32_t>(info, at + 4);
      if (attribute == attribute_registers) {
        kernel.registers = static_cast<int>(value);
      } else {
        kernel.local = value;
      }
    }
    at += size;
  }
}

}  // namespace

std::map<std::string, KernelResources, std::less<>> resources_in(std::string_view cubin) {
  auto const sections = sections_of(cubin);
  std::map<std::string, KernelResources, std::less<>> kernels;
  for (Section const& section : sections) {
    if (section.name == ".nv.info") read_attributes(sections, section.contents, kernels);
  }
  return kernels;
}

}  // namespace pantile_interpreter::runtime
