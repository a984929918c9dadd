// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/element_type.hpp"

#include <bit>

namespace pantile::driver {

namespace {

constexpr bool table_follows_enum() {
  for (std::size_t i = 0; i < element_infos.size(); ++i) {
    if (static_cast<std::size_t>(element_infos[i].type) != i) return false;
  }
  return true;
}
static_assert(table_follows_enum());
static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big,
              "pantile::driver: .npy files know only little and big byte order");

}  // namespace

std::string npy_descr(ElementType type) {
  ElementInfo const& info = element_info(type);
  char const native = std::endian::native == std::endian::little ? '<' : '>';
  return std::string{info.component_size == 1 ? '|' : native, info.kind} + std::to_string(info.size);
}

std::optional<ElementType> parse_element_name(std::string_view name) {
  for (ElementInfo const& info : element_infos) {
    if (info.name == name) return info.type;
  }
  return std::nullopt;
}

std::string element_names() {
  std::string names;
  for (ElementInfo const& info : element_infos) {
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

}  // namespace pantile::driver
