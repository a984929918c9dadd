// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  A program as its text says it: variables, functions, statements. Nothing is decoded yet.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pantile_interpreter::ptx {

enum class Type : unsigned char {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  pred
};

/// Type::none for a word that is no type; `word` is without its dot.
Type type_named(std::string_view word);
std::size_t bytes_of(Type type);

enum class Space : unsigned char { generic, global, shared, local, parameter, constant };

struct Variable {
  std::string name;
  Space space = Space::generic;
  std::size_t alignment = 1;
  std::size_t bytes = 0;
  std::size_t offset = 0;              // of parameters, local and shared variables
  std::vector<unsigned char> initial;  // empty: zeros
  struct Reference {
    std::size_t at = 0;
    std::string name;
  };
  std::vector<Reference> references;  // words of `initial` that are addresses of other variables
  bool external = false;
};

/// A line of the sources (.loc), and the one that called what was inlined there.
struct SourceLine {
  int file = 0, line = 0, column = 0;
  int caller = -1;  // of Program::sources
};

struct Statement {
  enum class Kind : unsigned char { label, directive, instruction };
  Kind kind = Kind::instruction;
  std::string_view text;  // without the ; or the label's colon
  int line = 0;
  int scope = 0;    // number of the braces around it; 0 is the function's own
  int source = -1;  // of Program::sources, where the text says it
};

struct Function {
  std::string name;
  bool entry = false;
  std::vector<Variable> parameters;
  std::size_t parameter_bytes = 0;
  int max_threads = 0;
  int min_ctas = 0;  // of a multiprocessor
  int max_registers = 0;
  std::vector<Statement> statements;
  std::vector<int> parents{-1};  // scope -> scope around it
};

struct Program {
  std::string text;  // what the views of statements look at
  std::string origin;
  std::map<std::string, Variable, std::less<>> variables;
  std::map<std::string, Function, std::less<>> functions;
  std::map<int, std::string> files;  // names without folders
  std::vector<SourceLine> sources;

  /// "loops.hpp:88, called at kernel.hpp:20, ..."; empty for -1.
  [[nodiscard]] std::string source_text(int source) const;
};

/// Reads "origin", a PTX file's text, into `program`, which must stay where it is. \throws Fault with the line.
void parse(std::string_view text, std::string_view origin, Program& program);

/// Reads what follows a state space in a declaration: ".align 16 .b8 name[40] = {...}".
Variable declared(std::string_view declaration, Space space);

}  // namespace pantile_interpreter::ptx
