// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/fault.hpp>
#include <interpreter/ptx/program.hpp>
#include <interpreter/ptx/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pantile_interpreter::ptx {

namespace {

struct NamedType {
  std::string_view name;
  Type type;
  std::size_t bytes;
};

constexpr std::array types{
    NamedType{"b8", Type::b8, 1},     NamedType{"b16", Type::b16, 2},       NamedType{"b32", Type::b32, 4},
    NamedType{"b64", Type::b64, 8},   NamedType{"b128", Type::b128, 16},    NamedType{"u8", Type::u8, 1},
    NamedType{"u16", Type::u16, 2},   NamedType{"u32", Type::u32, 4},       NamedType{"u64", Type::u64, 8},
    NamedType{"s8", Type::s8, 1},     NamedType{"s16", Type::s16, 2},       NamedType{"s32", Type::s32, 4},
    NamedType{"s64", Type::s64, 8},   NamedType{"f16", Type::f16, 2},       NamedType{"f16x2", Type::f16x2, 4},
    NamedType{"bf16", Type::bf16, 2}, NamedType{"bf16x2", Type::bf16x2, 4}, NamedType{"tf32", Type::tf32, 4},
    NamedType{"f32", Type::f32, 4},   NamedType{"f64", Type::f64, 8},       NamedType{"pred", Type::pred, 4},
};

// The value of an element of an initialiser, or the variable that it is the address of.
void add_initial(Variable& variable, std::string_view text, std::size_t at, std::size_t bytes) {
  if (auto const value = number(text)) {
    for (std::size_t k = 0; k < bytes; ++k) variable.initial[at + k] = static_cast<unsigned char>(*value >> (8 * k));
    return;
  }
  if (text.starts_with("generic(")) text = trimmed(text.substr(8, text.size() - 9));
  variable.references.push_back({at, std::string(text)});
}

void read_initial(Variable& variable, std::string_view text, std::size_t element) {
  variable.initial.assign(variable.bytes, 0);
  if (text.starts_with('{')) text = text.substr(1, text.rfind('}') - 1);
  std::size_t at = 0;
  for (std::string_view const one : split(text, ',')) {
    if (at + element > variable.bytes) throw Fault("the initial value of " + variable.name + " is longer than itself");
    add_initial(variable, one, at, element);
    at += element;
  }
}

}  // namespace

Type type_named(std::string_view word) {
  for (auto const& one : types) {
    if (one.name == word) return one.type;
  }
  return Type::none;
}

std::size_t bytes_of(Type type) {
  for (auto const& one : types) {
    if (one.type == type) return one.bytes;
  }
  return 0;
}

Variable declared(std::string_view declaration, Space space) {
  Variable variable;
  variable.space = space;
  std::size_t const equal = declaration.find('=');
  auto const parts = words(declaration.substr(0, equal));
  std::size_t element = 1;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::string_view const part = parts[k];
    if (part == ".align" && k + 1 < parts.size()) {
      variable.alignment = static_cast<std::size_t>(number(parts[++k]).value_or(1));
    } else if (part.starts_with('.')) {
      if (Type const type = type_named(part.substr(1)); type != Type::none) element = bytes_of(type);
      if (part == ".v2") element *= 2;
      if (part == ".v4") element *= 4;
    } else if (variable.name.empty()) {
      variable.name = part.substr(0, part.find('['));
    }
  }
  variable.bytes = element;
  for (std::string_view rest = declaration.substr(0, equal); rest.find('[') != rest.npos;) {
    rest.remove_prefix(rest.find('[') + 1);
    variable.bytes *= static_cast<std::size_t>(number(trimmed(rest.substr(0, rest.find(']')))).value_or(0));
  }
  variable.alignment = std::max(variable.alignment, element);
  if (equal != declaration.npos) read_initial(variable, trimmed(declaration.substr(equal + 1)), element);
  return variable;
}

}  // namespace pantile_interpreter::ptx
