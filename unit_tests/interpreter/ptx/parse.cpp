// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/fault.hpp>
#include <interpreter/ptx/program.hpp>
#include <interpreter/ptx/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace pantile_interpreter::ptx {

namespace {

class Parser {
 public:
  explicit Parser(Program& program) : m_program(program), m_text(program.text) {}

  void run() {
    for (skip_space(); m_at < m_text.size(); skip_space()) item();
  }

 private:
  [[noreturn]] void fail(std::string const& what) {
    throw Fault(m_program.origin + ", line " + std::to_string(line()) + ": " + what);
  }

  // Counts on from where it counted last.
  int line() {
    m_line += static_cast<int>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_counted),
                                          m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n'));
    m_counted = m_at;
    return m_line;
  }

  void skip_space() {
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) ++m_at;
  }

  bool skip(char letter) {
    skip_space();
    if (m_at >= m_text.size() || m_text[m_at] != letter) return false;
    ++m_at;
    return true;
  }

  // A name, or a directive with its dot.
  std::string_view word() {
    skip_space();
    std::size_t const first = m_at;
    if (m_at < m_text.size() && m_text[m_at] == '.') ++m_at;
    while (m_at < m_text.size() && is_name_part(m_text[m_at])) ++m_at;
    if (m_at == first) fail("expected a word before '" + std::string(m_text.substr(m_at, 1)) + "'");
    return m_text.substr(first, m_at - first);
  }

  // Up to the letter, which is passed too.
  std::string_view until(char letter) {
    std::size_t const first = m_at;
    std::size_t const found = m_text.find(letter, m_at);
    if (found == m_text.npos) fail(std::string("there is no ") + letter + " any more");
    m_at = found + 1;
    return m_text.substr(first, found - first);
  }

  void item() {
    bool external = false;
    for (;;) {
      std::string_view const directive = word();
      if (directive == ".version" || directive == ".target" || directive == ".address_size") {
        skip_line();
        return;
      }
      if (directive == ".file") return file();
      if (directive == ".section") {
        until('}');
        return;
      }
      if (directive == ".extern") external = true;
      if (directive == ".entry" || directive == ".func") return function(directive == ".entry");
      if (directive == ".global") return variable(Space::global, external);
      if (directive == ".const") return variable(Space::constant, external);
      if (directive == ".shared") return variable(Space::shared, external);
      if (directive != ".extern" && directive != ".visible" && directive != ".weak" && directive != ".common") {
        fail("the directive " + std::string(directive) + " is not known");
      }
    }
  }

  void skip_line() { rest_of_line(); }

  std::string_view rest_of_line() {
    std::size_t const first = m_at, end = std::min(m_text.find('\n', m_at), m_text.size());
    m_at = std::min(end + 1, m_text.size());
    return m_text.substr(first, end - first);
  }

  // 3 "/folder/name.hpp"; behind it may be its age and size.
  void file() {
    std::string_view const text = rest_of_line();
    auto const quoted = split_at(text, '"');
    if (quoted.size() < 2) return;
    std::string_view const path = quoted[1];
    m_program.files[number_of(quoted[0])] = path.substr(path.find_last_of('/') + 1);
  }

  // 3 20 7, function_name LABEL, inlined_at 2 88 5
  void location(std::string_view text) {
    auto const parts = split(text, ',');
    SourceLine found = position(parts.front());
    if (found.line == 0) return;  // of no line
    for (std::string_view const part : parts) {
      if (!part.starts_with("inlined_at")) continue;
      SourceLine const at = position(part.substr(10));
      auto const caller = m_places.find({at.file, at.line, at.column});
      if (caller != m_places.end()) found.caller = caller->second;
    }
    m_source = static_cast<int>(m_program.sources.size());
    m_program.sources.push_back(found);
    m_places[{found.file, found.line, found.column}] = m_source;
  }

  static SourceLine position(std::string_view text) {
    auto const numbers = words(text);
    if (numbers.size() < 3) return {};
    return {number_of(numbers[0]), number_of(numbers[1]), number_of(numbers[2])};
  }

  static int number_of(std::string_view text) { return static_cast<int>(number(trimmed(text)).value_or(0)); }

  static std::vector<std::string_view> split_at(std::string_view text, char letter) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at <= text.size();) {
      std::size_t const end = std::min(text.find(letter, at), text.size());
      pieces.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return pieces;
  }

  void variable(Space space, bool external) {
    Variable variable = declared(until(';'), space);
    variable.external = external;
    m_program.variables.insert_or_assign(variable.name, variable);
  }

  void parameters(Function& function) {
    if (!skip('(')) return;
    for (std::string_view one : split(until(')'), ',')) {
      std::size_t const space = one.find(".param");
      if (space == one.npos) fail("expected .param in '" + std::string(one) + "'");
      std::string declaration(one.substr(space + 6));
      // ".ptr .global .align 8" says what the pointer points to.
      if (std::size_t const pointer = declaration.find(".ptr"); pointer != declaration.npos) {
        declaration = declaration.substr(0, pointer) + " " + std::string(words(declaration).back());
      }
      Variable parameter = declared(declaration, Space::parameter);
      parameter.offset =
          (function.parameter_bytes + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
      function.parameter_bytes = parameter.offset + parameter.bytes;
      function.parameters.push_back(std::move(parameter));
    }
  }

  void function(bool entry) {
    Function function;
    function.entry = entry;
    if (skip('(')) until(')');  // what it returns
    function.name = word();
    parameters(function);
    while (!skip('{')) {
      if (skip(';')) {
        m_program.functions.try_emplace(function.name, std::move(function));
        return;
      }
      limit(function);
    }
    body(function);
    std::string const name = function.name;
    m_program.functions.insert_or_assign(name, std::move(function));
  }

  // .maxntid 128, 1, 1 and its like.
  void limit(Function& function) {
    std::string_view const directive = word();
    std::uint64_t product = 1;
    skip_space();
    while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0) {
      product *= number(word()).value_or(1);
      skip(',');
      skip_space();
    }
    if (directive == ".maxntid" || directive == ".reqntid") function.max_threads = static_cast<int>(product);
    if (directive == ".minnctapersm") function.min_ctas = static_cast<int>(product);
    if (directive == ".maxnreg") function.max_registers = static_cast<int>(product);
  }

  void body(Function& function) {
    int scope = 0;
    m_source = -1;
    m_places.clear();
    for (;;) {
      skip_space();
      if (m_at >= m_text.size()) fail("the body of " + function.name + " has no end");
      int const at_line = line();
      if (skip('{')) {
        function.parents.push_back(scope);
        scope = static_cast<int>(function.parents.size()) - 1;
      } else if (skip('}')) {
        if (scope == 0) return;
        scope = function.parents[static_cast<std::size_t>(scope)];
      } else {
        statement(function, at_line, scope);
      }
    }
  }

  void statement(Function& function, int at_line, int scope) {
    std::size_t end = m_at;
    while (end < m_text.size() && is_name_part(m_text[end])) ++end;
    std::size_t colon = end;
    while (colon < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[colon])) != 0) ++colon;
    if (end > m_at && colon < m_text.size() && m_text[colon] == ':') {
      function.statements.push_back({Statement::Kind::label, m_text.substr(m_at, end - m_at), at_line, scope});
      m_at = colon + 1;
      return;
    }
    bool const directive = m_text[m_at] == '.';
    std::string_view const rest = m_text.substr(m_at);
    if (rest.starts_with(".loc ") || rest.starts_with(".loc\t")) return location(rest_of_line().substr(5));
    if (rest.starts_with(".file")) {
      (void)word();
      return file();
    }
    std::string_view const text = trimmed(until(';'));
    if (text.empty() || text.starts_with(".pragma")) return;
    auto const kind = directive ? Statement::Kind::directive : Statement::Kind::instruction;
    function.statements.push_back({kind, text, at_line, scope, m_source});
  }

  Program& m_program;
  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_counted = 0;
  int m_line = 1;
  int m_source = -1;
  std::map<std::array<int, 3>, int> m_places;  // the last of Program::sources at each place of the function
};

}  // namespace

std::string Program::source_text(int source) const {
  std::string found;
  for (int depth = 0; source >= 0 && depth < 16; ++depth) {
    SourceLine const& at = sources[static_cast<std::size_t>(source)];
    auto const name = files.find(at.file);
    found += found.empty() ? "" : ", called at ";
    found += (name == files.end() ? "file " + std::to_string(at.file) : name->second) + ":" + std::to_string(at.line);
    source = at.caller;
  }
  return found;
}

void parse(std::string_view text, std::string_view origin, Program& program) {
  program.origin = origin;
  program.text = without_comments(text);
  while (!program.text.empty() && program.text.back() == '\0') program.text.pop_back();
  if (program.text.find(".version") == std::string::npos)
    throw Fault(program.origin + " is not PTX: it has no .version");
  Parser(program).run();
}

}  // namespace pantile_interpreter::ptx
