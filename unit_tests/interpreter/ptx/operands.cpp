// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operands of an instruction become.
#include <interpreter/machine/fault.hpp>
#include <interpreter/ptx/decoder.hpp>
#include <interpreter/ptx/text.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace pantile_interpreter::ptx {

namespace {

struct NamedSpecial {
  std::string_view name;
  Special what;
};

constexpr std::array specials{
    NamedSpecial{"%tid.x", Special::thread_x},
    NamedSpecial{"%tid.y", Special::thread_y},
    NamedSpecial{"%tid.z", Special::thread_z},
    NamedSpecial{"%ntid.x", Special::threads_x},
    NamedSpecial{"%ntid.y", Special::threads_y},
    NamedSpecial{"%ntid.z", Special::threads_z},
    NamedSpecial{"%ctaid.x", Special::cta_x},
    NamedSpecial{"%ctaid.y", Special::cta_y},
    NamedSpecial{"%ctaid.z", Special::cta_z},
    NamedSpecial{"%nctaid.x", Special::ctas_x},
    NamedSpecial{"%nctaid.y", Special::ctas_y},
    NamedSpecial{"%nctaid.z", Special::ctas_z},
    NamedSpecial{"%laneid", Special::lane},
    NamedSpecial{"%warpid", Special::warp},
    NamedSpecial{"%lanemask_lt", Special::lanes_below},
    NamedSpecial{"%lanemask_le", Special::lanes_to},
    NamedSpecial{"%lanemask_ge", Special::lanes_from},
    NamedSpecial{"%lanemask_gt", Special::lanes_above},
    NamedSpecial{"%lanemask_eq", Special::lane_bit},
    NamedSpecial{"%dynamic_smem_size", Special::dynamic_shared_bytes},
    NamedSpecial{"%clock", Special::constant},
    NamedSpecial{"%clock64", Special::constant},
    NamedSpecial{"%globaltimer", Special::constant},
    NamedSpecial{"%smid", Special::constant},
};

std::vector<std::string_view> listed(std::string_view text) {
  if (!text.starts_with('{')) return {text};
  return split(text.substr(1, text.size() - 2), ',');
}

std::pair<std::string_view, std::int64_t> base_and_offset(std::string_view text) {
  std::size_t const sign = text.find_first_of("+-", 1);
  if (sign == text.npos) return {trimmed(text), 0};
  std::string_view const digits = trimmed(text.substr(text[sign] == '+' ? sign + 1 : sign));
  return {trimmed(text.substr(0, sign)), static_cast<std::int64_t>(number(digits).value_or(0))};
}

}  // namespace

void Decoder::add_destination(unsigned number) {
  Instruction& to = *m_instruction;
  if (to.destinations + to.sources >= to.operand.size() || number > std::numeric_limits<std::uint16_t>::max()) {
    fail("it has more operands, or its kernel more registers, than the interpreter has room for");
  }
  to.operand[to.destinations++] = static_cast<std::uint16_t>(number);
}

void Decoder::add_source(unsigned number) {
  Instruction& to = *m_instruction;
  auto const place = static_cast<std::size_t>(to.destinations + to.sources);
  if (place >= to.operand.size() || number > std::numeric_limits<std::uint16_t>::max()) {
    fail("it has more operands, or its kernel more registers, than the interpreter has room for");
  }
  to.operand[place] = static_cast<std::uint16_t>(number);
  ++to.sources;
}

unsigned Decoder::fixed(Special what, std::uint64_t value, unsigned bytes) {
  auto const [place, fresh] = m_fixed.try_emplace({what, value, bytes}, 0U);
  if (fresh) {
    place->second = static_cast<unsigned>(m_register_bytes.size());
    m_register_bytes.push_back(bytes);
    m_code.fixed.push_back({static_cast<std::uint16_t>(place->second), static_cast<std::uint8_t>(bytes), what, value});
  }
  return place->second;
}

unsigned Decoder::special(std::string_view name, unsigned bytes) {
  for (NamedSpecial const& one : specials) {
    if (one.name == name) return fixed(one.what, 0, bytes);
  }
  fail("'" + std::string(name) + "' is not known here");
}

// The address of a variable or parameter in its own space.
unsigned Decoder::symbol(std::string_view text, unsigned bytes) {
  auto const [name, offset] = base_and_offset(text);
  auto const add = static_cast<std::uint64_t>(offset);
  for (Variable const& parameter : m_function.parameters) {
    if (parameter.name == name) return fixed(Special::parameter, parameter.offset + add, bytes);
  }
  if (auto const local = m_local.find(name); local != m_local.end()) {
    Special const what = local->second.space == Space::local ? Special::local : Special::constant;
    return fixed(what, local->second.offset + add, bytes);
  }
  auto const& variables = m_symbols.program->variables;
  if (auto const variable = variables.find(name); variable != variables.end()) {
    if (variable->second.space != Space::shared)
      return fixed(Special::constant, m_symbols.addresses.find(name)->second + add, bytes);
    bool const dynamic = variable->second.external || variable->second.bytes == 0;
    return dynamic ? fixed(Special::dynamic_shared, add, bytes)
                   : fixed(Special::constant, place_local(variable->second).offset + add, bytes);
  }
  return special(text, bytes);
}

void Decoder::destination(std::string_view text) {
  for (std::string_view const one : listed(text)) {
    if (one == "_") {
      m_register_bytes.push_back(8);
      add_destination(static_cast<unsigned>(m_register_bytes.size()) - 1);  // nobody reads it
      continue;
    }
    Register const& found = known(one);
    if (found.predicate) fail("'" + std::string(one) + "' is a predicate");
    add_destination(found.number);
  }
}

void Decoder::source(std::string_view text, Type type) {
  auto const bytes = static_cast<unsigned>(std::max<std::size_t>(bytes_of(type), 2));
  for (std::string_view const one : listed(text)) {
    if (auto const value = number(one)) {
      add_source(fixed(Special::constant, *value, bytes));
    } else if (Register const* const found = find(one); found != nullptr && !found->predicate) {
      add_source(found->number);
    } else {
      add_source(symbol(one, bytes));
    }
  }
}

bool Decoder::is_of_a_call(std::string_view text) const {
  if (text.size() < 2) return false;
  std::string_view const name = base_and_offset(trimmed(text.substr(1, text.size() - 2))).first;
  return find(name) == nullptr &&
         std::ranges::none_of(m_function.parameters, [&](Variable const& parameter) { return parameter.name == name; });
}

void Decoder::address(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) fail("expected an address in brackets");
  auto const [base, offset] = base_and_offset(trimmed(text.substr(1, text.size() - 2)));
  m_instruction->offset = offset;
  m_instruction->narrow = false;
  if (auto const value = number(base)) return add_source(fixed(Special::constant, *value, 8));
  if (Register const* const found = find(base); found != nullptr) {
    m_instruction->narrow = found->bytes == 4;
    return add_source(found->number);
  }
  add_source(symbol(base, 8));
}

void Decoder::predicate_destination(std::string_view text) {
  Instruction& to = *m_instruction;
  std::size_t which = 0;
  for (std::string_view const one : split(text, '|')) {
    if (which >= to.predicate.size()) fail("more predicates than two");
    if (one == "_") {
      to.predicate[which++] = static_cast<std::uint16_t>(m_predicates++);
      continue;
    }
    Register const& found = known(one);
    if (!found.predicate) fail("'" + std::string(one) + "' is not a predicate");
    to.predicate[which++] = static_cast<std::uint16_t>(found.number);
  }
}

void Decoder::predicate_source(std::string_view text, unsigned which) {
  Instruction& to = *m_instruction;
  if (text.starts_with('!')) {
    to.negated = true;
    text = trimmed(text.substr(1));
  }
  Register const& found = known(text);
  if (!found.predicate) fail("'" + std::string(text) + "' is not a predicate");
  to.condition[which] = static_cast<std::uint16_t>(found.number);
}

std::uint64_t Decoder::immediate(std::string_view text) const {
  auto const value = number(text);
  if (!value) fail("'" + std::string(text) + "' must be a number");
  return *value;
}

void Decoder::branch_target(std::string_view label) { m_branches.emplace_back(m_code.instructions.size() - 1, label); }

void Decoder::branch_table(std::string_view label) {
  m_table_branches.emplace_back(m_code.instructions.size() - 1, label);
}

}  // namespace pantile_interpreter::ptx
