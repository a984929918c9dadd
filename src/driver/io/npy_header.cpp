// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/npy_header.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};

/// A cursor over the dictionary's text. It goes forward only, and into records of records to a fixed depth.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::filesystem::path const& path) : m_text(text), m_path(path) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (accept('}')) break;
      expect(',');
    }
    skip_space();
    if (m_position != m_text.size()) fail("holds text behind its closing brace, ", rest());
    for (std::string_view const key : keys) {
      if (!m_seen.contains(key)) fail("has no key '", key, "'");
    }
    if (!m_header.shape.fits(element_size(m_header.type))) {
      fail("declares shape ", m_header.shape.text(), " of ", element_name(m_header.type),
           ", whose extents multiply to 2^63 bytes or more");
    }
    return m_header;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(Parts const&... parts) const {
    fail_reading(m_path, "the .npy header ", parts...);
  }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  char peek() const { return m_position < m_text.size() ? m_text[m_position] : '\0'; }
  std::string rest() const { return in_quotes(m_text.substr(m_position)); }

  void skip_space() {
    while (m_position < m_text.size() && is_space(m_text[m_position])) ++m_position;
  }

  bool accept(char wanted) {
    skip_space();
    if (m_position == m_text.size() || m_text[m_position] != wanted) return false;
    ++m_position;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail("has ", rest(), " where '", wanted, "' is needed");
  }

  void parse_entry() {
    std::string_view const key = parse_string("a key");
    expect(':');
    skip_space();
    if (std::ranges::find(keys, key) == keys.end()) fail("has the unknown key ", in_quotes(key));
    if (!m_seen.insert(key).second) fail("has the key '", key, "' twice");
    if (key == "descr") parse_descr();
    if (key == "fortran_order") m_header.order = parse_bool() ? Order::fortran : Order::c;
    if (key == "shape") parse_shape();
  }

  std::string_view parse_string(std::string_view role) {
    skip_space();
    char const quote = peek();
    if (quote != '\'' && quote != '"') fail("has ", rest(), " where ", role, " in quotes is needed");
    std::size_t const start = m_position + 1;
    std::size_t end = start;
    while (end < m_text.size() && m_text[end] != quote) end += m_text[end] == '\\' ? 2 : 1;
    if (end >= m_text.size()) fail("has a quote that never closes, ", rest());
    m_position = end + 1;
    return m_text.substr(start, end - start);
  }

  bool parse_bool() {
    for (bool const value : {false, true}) {
      std::string_view const word = value ? "True" : "False";
      if (m_text.substr(m_position, word.size()) == word) {
        m_position += word.size();
        return value;
      }
    }
    fail("has ", rest(), " as fortran_order, where True or False is needed");
  }

  void parse_descr() {
    std::size_t const start = m_position;
    if (peek() == '[') {
      std::size_t const size = parse_fields(1);
      if (size == 0) fail("declares elements of no bytes, ", in_quotes(m_text.substr(start, m_position - start)));
      m_header.type = ElementType(ElementType::record, size, std::string(m_text.substr(start, m_position - start)));
      return;
    }
    std::string_view const code = parse_string("a type code");
    m_header.type = parse_type(code);
    if (code[0] != '|') m_header.byte_order = code[0] == '<' ? std::endian::little : std::endian::big;
  }

  /// The bytes of a record: [('x', '<f4'), (('title', 'y'), [('z', '<i2', (3,))])].
  std::size_t parse_fields(int depth) {
    constexpr int deepest = 32;
    if (depth > deepest) fail("declares records that lie more than ", deepest, " deep in each other");
    expect('[');
    std::size_t size = 0;
    while (!accept(']')) {
      size += parse_field(depth);
      require_element_size(size);
      if (accept(']')) break;
      expect(',');
    }
    return size;
  }

  std::size_t parse_field(int depth) {
    expect('(');
    if (accept('(')) {
      parse_string("a title");
      expect(',');
      parse_string("a field's name");
      expect(')');
    } else {
      parse_string("a field's name");
    }
    expect(',');
    skip_space();
    std::size_t size = peek() == '[' ? parse_fields(depth + 1) : parse_type(parse_string("a type code")).size();
    if (accept(',')) {
      skip_space();
      if (peek() == '(') {
        size = parse_field_shape(size);
        accept(',');
      }
    }
    expect(')');
    return size;
  }

  /// The bytes of so many elements of `size`: (3,) or (2, 3).
  std::size_t parse_field_shape(std::size_t size) {
    expect('(');
    while (!accept(')')) {
      std::size_t const extent = parse_extent();
      require_element_size(extent);
      size *= extent;
      require_element_size(size);
      if (accept(')')) break;
      expect(',');
    }
    return size;
  }

  void require_element_size(std::size_t size) const {
    if (size >= std::size_t{1} << 31) fail("declares elements of 2^31 bytes or more");
  }

  ElementType parse_type(std::string_view code) const {
    if (code.size() > 1 && code[1] == 'O')
      fail("declares pickled Python objects, ", in_quotes(code), ", which are never read");
    std::optional<ElementType> const type = find_type(code);
    if (!type) {
      fail("declares the type ", in_quotes(code), ", which is none of ", element_names(),
           " (S, U and V with a length, record as a list of fields)");
    }
    return *type;
  }

  // '|' says that there is no byte order: right for one byte, and what NumPy makes of raw bytes (`V2`).
  static std::optional<ElementType> find_type(std::string_view code) {
    if (code.empty()) return std::nullopt;
    std::optional<ElementType> const type = parse_npy_code(code.substr(1));
    if (!type) return std::nullopt;
    ElementInfo const& info = element_info(*type);
    bool const ordered = code[0] == '<' || code[0] == '>';
    bool const orderless = code[0] == '|' && (info.component_size == 1 || info.kind == 'V');
    return ordered || orderless ? type : std::nullopt;
  }

  void parse_shape() {
    std::size_t const start = m_position;
    expect('(');
    bool comma = false;
    while (!accept(')')) {
      if (m_header.shape.rank() > 0 && !comma) expect(',');
      if (m_header.shape.rank() == Shape::max_rank) {
        fail("declares more than ", Shape::max_rank, " dimensions, shape ", in_quotes(m_text.substr(start)));
      }
      m_header.shape.push_back(parse_extent());
      comma = accept(',');
    }
    std::size_t const rank = m_header.shape.rank();
    if (rank == 0) fail("declares no dimension, shape (), where 1 to ", Shape::max_rank, " are needed");
    if (rank == 1 && !comma) fail("has a plain number in brackets as its shape, where a tuple is needed");
  }

  std::size_t parse_extent() {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
    skip_space();
    std::size_t const start = m_position;
    if (peek() == '-') fail("declares a negative extent, ", rest());
    std::size_t value = 0;
    while (is_digit(peek())) {
      auto const digit = static_cast<std::size_t>(peek() - '0');
      if (value > (largest - digit) / 10) {
        m_position = start;
        fail("declares an extent of 2^63 or more, ", rest());
      }
      value = 10 * value + digit;
      ++m_position;
    }
    if (m_position == start) fail("has ", rest(), " where an extent is needed");
    if (m_text[start] == '0' && m_position - start > 1) {
      m_position = start;
      fail("has an extent with a leading zero, ", rest());
    }
    if (peek() == 'L') ++m_position;  // Python 2 wrote long numbers so
    return value;
  }

  std::string_view m_text;
  std::filesystem::path const& m_path;
  std::size_t m_position = 0;
  NpyHeader m_header;
  std::set<std::string_view> m_seen;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view dictionary, std::filesystem::path const& path) {
  return HeaderParser(dictionary, path).parse();
}

std::string format_npy_header(ArrayView const& view) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t growth_digits = 21;  // NumPy's room for the growing extent to get longer in place
  bool const fortran = view.order == Order::fortran && view.shape.rank() > 1;
  std::size_t const growing = view.shape[fortran ? view.shape.rank() - 1 : 0];

  std::string_view const quote = view.type == ElementType::record ? "" : "'";
  std::string text = concat("{'descr': ", quote, npy_descr(view.type), quote,
                            ", 'fortran_order': ", fortran ? "True" : "False", ", 'shape': ", view.shape.text(), ", }");
  text.append(growth_digits - std::to_string(growing).size(), ' ');
  auto const is_ascii = [](char letter) { return static_cast<unsigned char>(letter) < 0x80; };
  bool const short_ascii = text.size() + alignment < (std::size_t{1} << 16) && std::ranges::all_of(text, is_ascii);
  std::size_t const length_bytes = short_ascii ? 2 : 4;
  text.append(alignment - (npy_magic.size() + 2 + length_bytes + text.size() + 1) % alignment, ' ');
  text += '\n';

  std::string header(npy_magic);
  header += {short_ascii ? '\x01' : '\x03', '\x00'};
  for (std::size_t byte = 0; byte < length_bytes; ++byte) header += static_cast<char>(text.size() >> (8 * byte) & 0xff);
  return header + text;
}

}  // namespace pantile::driver
