// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/decoder.hpp>

#include <interpreter/machine/fault.hpp>
#include <interpreter/ptx/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace pantile_interpreter::ptx {

namespace {

constexpr std::array families{decode_arithmetic, decode_half,     decode_bits,   decode_comparison, decode_conversion,
                              decode_move,       decode_access,   decode_atomic, decode_copy,       decode_control,
                              decode_barrier,    decode_exchange, decode_matrix};

Operation operation_of(std::string_view text) {
  Operation operation;
  std::size_t end = 0;
  while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
  operation.words = split(text.substr(0, end), '.');
  operation.operands = split(text.substr(end), ',');
  for (std::size_t k = 1; k < operation.words.size(); ++k) {
    if (Type const type = type_named(operation.words[k]); type != Type::none) operation.types.push_back(type);
  }
  return operation;
}

std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

bool Operation::has(std::string_view word) const {
  return std::find(words.begin() + 1, words.end(), word) != words.end();
}

bool Operation::only(std::initializer_list<std::string_view> known) const {
  return std::all_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    return type_named(word) != Type::none || std::find(known.begin(), known.end(), word) != known.end();
  });
}

Decoder::Decoder(Function const& function, Symbols const& symbols)
    : m_function(function), m_symbols(symbols), m_declared(function.parents.size()) {
  m_code.name = function.name;
  m_code.origin = symbols.program->origin;
  m_code.program = symbols.program;
  m_code.max_threads = function.max_threads;
  m_code.min_ctas = function.min_ctas;
  m_code.max_registers = function.max_registers;
  m_code.parameter_bytes = function.parameter_bytes;
}

Code Decoder::run() {
  // Labels may stand before their use and behind it; tables are named by the label before them.
  std::string_view label;
  for (Statement const& statement : m_function.statements) {
    m_statement = &statement;
    switch (statement.kind) {
      case Statement::Kind::label:
        label = statement.text;
        m_labels.insert_or_assign(std::string(label), static_cast<std::uint32_t>(m_code.instructions.size()));
        break;
      case Statement::Kind::directive:
        if (statement.text.starts_with(".branchtargets")) {
          m_tables.insert_or_assign(std::string(label), split(statement.text.substr(14), ','));
        } else {
          declare(statement);
        }
        break;
      case Statement::Kind::instruction: decode(statement);
    }
  }
  static Statement const end{Statement::Kind::instruction, "ret", 0, 0, -1};
  if (m_code.instructions.empty() ||
      m_labels.end() != std::find_if(m_labels.begin(), m_labels.end(),
                                     [&](auto const& one) { return one.second == m_code.instructions.size(); }) ||
      !m_code.texts.back().starts_with("ret")) {
    m_statement = &end;
    decode(end);
  }
  resolve_labels();
  m_code.predicates = m_predicates;
  allocate_registers(m_code, m_register_bytes);
  return std::move(m_code);
}

void Decoder::fail(std::string const& what) const {
  throw Fault("kernel " + m_function.name + ", line " + std::to_string(m_statement->line) + " of " + m_code.origin +
              " (" + std::string(m_statement->text) + "): " + what);
}

void Decoder::declare(Statement const& statement) {
  std::string_view const text = statement.text;
  if (text.starts_with(".reg")) return declare_registers(trimmed(text.substr(4)), statement.scope);
  if (text.starts_with(".local") || text.starts_with(".shared")) {
    bool const local = text.starts_with(".local");
    place_local(declared(text.substr(local ? 6 : 7), local ? Space::local : Space::shared));
    return;
  }
  if (text.starts_with(".param") || text.starts_with(".callprototype"))
    return;  // of calls, which are told when they run
  fail("this directive is not known");
}

Variable const& Decoder::place_local(Variable variable) {
  bool const local = variable.space == Space::local;
  std::size_t& end = local ? m_code.local_bytes : m_code.static_shared;
  variable.offset = aligned(end, variable.alignment);
  end = variable.offset + variable.bytes;
  if (local) end = aligned(end, 16);
  return m_local.insert_or_assign(variable.name, variable).first->second;
}

void Decoder::declare_registers(std::string_view text, int scope) {
  std::size_t end = 0;
  while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
  Type const type = type_named(text.substr(1, end - 1));
  if (type == Type::none || type == Type::b128) fail("registers of this type are not known");
  for (std::string_view const one : split(text.substr(end), ',')) {
    std::size_t const many = one.find('<');
    Declared const what{std::max(2U, static_cast<unsigned>(bytes_of(type))), type == Type::pred, many != one.npos};
    m_declared[static_cast<std::size_t>(scope)].insert_or_assign(std::string(trimmed(one.substr(0, many))), what);
  }
}

Decoder::Declared const* Decoder::declared_in(int scope, std::string_view name) const {
  auto const& names = m_declared[static_cast<std::size_t>(scope)];
  if (auto const whole = names.find(name); whole != names.end() && !whole->second.many) return &whole->second;
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
  auto const prefix = end == name.size() ? names.end() : names.find(name.substr(0, end));
  return prefix != names.end() && prefix->second.many ? &prefix->second : nullptr;
}

Decoder::Register const* Decoder::find(std::string_view name) const {
  int scope = m_statement->scope;
  while (scope >= 0) {
    if (Declared const* const declared = declared_in(scope, name)) {
      auto const [place, fresh] = m_registers.try_emplace({scope, std::string(name)});
      if (fresh) {
        unsigned const number = declared->predicate ? m_predicates++ : static_cast<unsigned>(m_register_bytes.size());
        if (!declared->predicate) m_register_bytes.push_back(declared->bytes);
        place->second = {number, declared->bytes, declared->predicate};
      }
      return &place->second;
    }
    scope = m_function.parents[static_cast<std::size_t>(scope)];
  }
  return nullptr;
}

Decoder::Register const& Decoder::known(std::string_view name) {
  Register const* const found = find(name);
  if (found == nullptr) fail("'" + std::string(name) + "' is not known here");
  return *found;
}

unsigned Decoder::register_bytes(std::string_view text) const {
  if (text.starts_with('{')) text = split(text.substr(1, text.size() - 2), ',').front();
  Register const* const found = find(text);
  return found == nullptr || found->predicate ? 0 : found->bytes;
}

void Decoder::decode(Statement const& statement) {
  m_code.instructions.emplace_back();
  m_code.texts.push_back(statement.text);
  m_code.lines.push_back(statement.line);
  m_code.sources.push_back(statement.source);
  m_instruction = &m_code.instructions.back();
  std::string_view text = statement.text;
  if (text.starts_with('@')) {
    std::size_t end = 1;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
    m_instruction->guard_not = text[1] == '!';
    Register const& guard =
        known(text.substr(m_instruction->guard_not ? 2 : 1, end - (m_instruction->guard_not ? 2 : 1)));
    if (!guard.predicate) fail("what guards it is not a predicate");
    m_instruction->guard = static_cast<std::int16_t>(guard.number);
    text = trimmed(text.substr(end));
  }
  Operation const operation = operation_of(text);
  bool const decoded =
      std::any_of(families.begin(), families.end(), [&](Family family) { return family(*this, operation); });
  if (!decoded || m_instruction->handler == nullptr) {
    fail("the interpreter does not know the opcode " + std::string(text.substr(0, text.find_first_of(" \t\n"))));
  }
}

void Decoder::resolve_labels() {
  auto const place = [&](std::string_view label) {
    auto const found = m_labels.find(label);
    if (found == m_labels.end()) fail("there is no label " + std::string(label));
    return found->second;
  };
  for (auto const& [index, label] : m_branches) m_code.instructions[index].target = place(label);
  for (auto const& [index, label] : m_table_branches) {
    auto const table = m_tables.find(label);
    if (table == m_tables.end()) fail("there is no table " + std::string(label));
    m_code.instructions[index].target = static_cast<std::uint32_t>(m_code.tables.size());
    auto& targets = m_code.tables.emplace_back();
    for (std::string_view const one : table->second) targets.push_back(place(one));
  }
}

}  // namespace pantile_interpreter::ptx
