// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  From statements to decoded instructions. What each opcode becomes is said by the families at the end.

#include <interpreter/ptx/instruction.hpp>
#include <interpreter/ptx/program.hpp>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace pantile_interpreter::ptx {

/// An instruction's text in pieces.
struct Operation {
  std::vector<std::string_view> words;  // of the opcode, split at its dots: ld, global, v2, f32
  std::vector<std::string_view> operands;
  std::vector<Type> types;  // those among the words, in order

  [[nodiscard]] std::string_view base() const { return words.front(); }
  [[nodiscard]] bool has(std::string_view word) const;
  /// Are all words behind the base types or among these? Otherwise the opcode is another one.
  [[nodiscard]] bool only(std::initializer_list<std::string_view> known) const;
  [[nodiscard]] Type type() const { return types.empty() ? Type::none : types.back(); }
};

/// The module's variables as instructions name them.
struct Symbols {
  Program const* program = nullptr;
  std::map<std::string, std::uint64_t, std::less<>> addresses;  // of global and constant variables
  Memory const* memory = nullptr;
};

/// Decodes one function. Registers are numbered by name until allocate_registers gives them places.
class Decoder {
 public:
  Decoder(Function const& function, Symbols const& symbols);

  Code run();

  // What the families call while they decode an instruction. Each adds an operand. \throws Fault for what it does not
  // know.

  /// A register to be written, or several in braces; `_` is none.
  void destination(std::string_view text);
  /// A register, a number, a special register or a variable's address, of `type`; or several in braces.
  void source(std::string_view text, Type type);
  /// [register+offset] or [variable+offset]; the offset goes to Instruction::offset.
  void address(std::string_view text);
  /// Is [name+offset] in the space of parameters that of a call, not of the kernel?
  [[nodiscard]] bool is_of_a_call(std::string_view text) const;
  void predicate_destination(std::string_view text);
  /// The predicate becomes Instruction::condition[which]; with ! before it Instruction::negated is set.
  void predicate_source(std::string_view text, unsigned which = 0);
  /// Bytes of the register that an operand is; 0 for other operands.
  [[nodiscard]] unsigned register_bytes(std::string_view text) const;
  /// The instruction that a label stands before is filled in at the end.
  void branch_target(std::string_view label);
  void branch_table(std::string_view label);
  [[nodiscard]] Instruction& instruction() { return *m_instruction; }

  /// Numbers that stand where the opcode demands one.
  [[nodiscard]] std::uint64_t immediate(std::string_view text) const;

  [[noreturn]] void fail(std::string const& what) const;

 private:
  struct Register {
    unsigned number = 0;
    unsigned bytes = 0;
    bool predicate = false;
  };
  struct Declared {
    unsigned bytes = 0;
    bool predicate = false;
    bool many = false;  // %r<10>: a digit follows the name
  };

  void declare(Statement const& statement);
  /// Gives a variable of this kernel its place: what is declared in it, and what it uses of the module's shared memory.
  Variable const& place_local(Variable variable);
  void declare_registers(std::string_view text, int scope);
  void decode(Statement const& statement);
  [[nodiscard]] Declared const* declared_in(int scope, std::string_view name) const;
  [[nodiscard]] Register const* find(std::string_view name) const;
  Register const& known(std::string_view name);
  unsigned fixed(Special what, std::uint64_t value, unsigned bytes);
  unsigned special(std::string_view name, unsigned bytes);
  unsigned symbol(std::string_view text, unsigned bytes);
  void add_destination(unsigned number);
  void add_source(unsigned number);
  void resolve_labels();

  Function const& m_function;
  Symbols const& m_symbols;
  Code m_code;
  Instruction* m_instruction = nullptr;
  Statement const* m_statement = nullptr;
  std::vector<std::map<std::string, Declared, std::less<>>> m_declared;              // by scope
  mutable std::map<std::pair<int, std::string>, Register, std::less<>> m_registers;  // by scope and name
  mutable std::vector<unsigned> m_register_bytes;                                    // by number
  mutable unsigned m_predicates = 0;
  std::map<std::tuple<Special, std::uint64_t, unsigned>, unsigned> m_fixed;
  std::map<std::string, Variable, std::less<>> m_local;
  std::map<std::string, std::vector<std::string_view>, std::less<>> m_tables;
  std::map<std::string, std::uint32_t, std::less<>> m_labels;
  std::vector<std::pair<std::size_t, std::string_view>> m_branches, m_table_branches;  // instruction, label
};

/// Gives registers places by when they live, so that a warp's fit the cache. `bytes`: of each number.
void allocate_registers(Code& code, std::vector<unsigned> const& bytes);

/// A family's function decodes the operations that it knows; false for others.
using Family = bool (*)(Decoder&, Operation const&);
bool decode_arithmetic(Decoder& decoder, Operation const& operation);
bool decode_half(Decoder& decoder, Operation const& operation);
bool decode_bits(Decoder& decoder, Operation const& operation);
bool decode_comparison(Decoder& decoder, Operation const& operation);
bool decode_conversion(Decoder& decoder, Operation const& operation);
bool decode_move(Decoder& decoder, Operation const& operation);
bool decode_access(Decoder& decoder, Operation const& operation);
bool decode_atomic(Decoder& decoder, Operation const& operation);
bool decode_copy(Decoder& decoder, Operation const& operation);
bool decode_control(Decoder& decoder, Operation const& operation);
bool decode_barrier(Decoder& decoder, Operation const& operation);
bool decode_exchange(Decoder& decoder, Operation const& operation);
bool decode_matrix(Decoder& decoder, Operation const& operation);

}  // namespace pantile_interpreter::ptx
