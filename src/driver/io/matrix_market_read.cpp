// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Own reader, because Debian has no C++ library for it: Eigen's MarketIO takes malformed numbers and the declared
// memory unseen, CHOLMOD knows no integers and no 2^31 rows, fast_matrix_market is not packaged.

#include <algorithm>
#include <charconv>
#include <complex>
#include <limits>
#include <type_traits>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/line_reader.hpp"
#include "io/matrix_market.hpp"

namespace pantile::driver {

namespace {

using Complex = std::complex<double>;

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// Strict: one entry a line, blank lines allowed, comments only above the size; every number is checked for its range,
/// and the number of entries must be the declared one.
class MatrixMarketReader {
 public:
  MatrixMarketReader(std::filesystem::path const& path, Progress const& progress, std::size_t cap)
      : m_file(path), m_lines(m_file, progress), m_cap(cap) {}

  /// Without elements.
  Array look() {
    read_banner();
    read_size();
    require_plausible_size();
    return {m_type, {m_rows, m_columns}, Order::fortran, {}};
  }

  Array read() {
    Array array = look();
    array.storage = allocate_for(m_file.path(), array.count() * element_size(m_type));
    if (m_type == ElementType::float64) fill(array.elements<double>());
    if (m_type == ElementType::int64) fill(array.elements<std::int64_t>());
    if (m_type == ElementType::complex128) fill(array.elements<Complex>());
    std::string_view line;
    if (m_lines.next_filled(line)) fail_line("follows the last of the ", m_entries, " entries");
    m_lines.finish();
    return array;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(Parts const&... parts) const {
    fail_reading(m_file.path(), parts...);
  }

  template <class... Parts>
  [[noreturn]] void fail_line(Parts const&... parts) const {
    fail("line ", m_lines.number(), ' ', parts...);
  }

  void read_banner() {
    std::string_view line;
    if (!m_lines.next(line) || take_word(line) != "%%MatrixMarket") fail("it does not start with %%MatrixMarket");
    std::string const object = lower_case(take_word(line));
    if (object != "matrix") fail("it holds the Matrix Market object ", in_quotes(object), ", not a matrix");
    set_format(lower_case(take_word(line)));
    set_field(lower_case(take_word(line)));
    set_symmetry(lower_case(take_word(line)));
    std::string_view const extra = take_word(line);
    if (!extra.empty()) fail_line("has ", in_quotes(extra), " behind the symmetry");
  }

  void set_format(std::string const& word) {
    m_sparse = word == "coordinate";
    if (m_sparse || word == "array") return;
    fail_line("names the format ", in_quotes(word), ", which is neither array nor coordinate");
  }

  void set_field(std::string const& word) {
    if (word == "integer") m_type = ElementType::int64;
    if (word == "complex") m_type = ElementType::complex128;
    m_pattern = m_sparse && word == "pattern";
    if (m_type != ElementType::float64 || m_pattern || word == "real" || word == "double") return;
    fail_line("names the field ", in_quotes(word), ", which the format does not have");
  }

  void set_symmetry(std::string const& word) {
    m_symmetric = word != "general";
    m_skew = word == "skew-symmetric" && !m_pattern;
    m_hermitian = word == "hermitian" && m_type == ElementType::complex128;
    if (!m_symmetric || m_skew || m_hermitian || word == "symmetric") return;
    fail_line("names the symmetry ", in_quotes(word), ", which the field does not have");
  }

  void read_size() {
    std::string_view line;
    do {
      if (!m_lines.next_filled(line)) fail("it ends before the line with its size");
    } while (line.starts_with('%'));
    m_rows = take_count(line, "row count");
    m_columns = take_count(line, "column count");
    if (m_sparse) m_entries = take_count(line, "entry count");
    require_end_of(line);
    if (m_symmetric && m_rows != m_columns) {
      fail_line("declares ", m_rows, " x ", m_columns, ", but a matrix with symmetry is square");
    }
  }

  /// Everything that must hold before the size is trusted with memory: of an array file at most 16 times its own
  /// length, of a coordinate file at most the cap.
  void require_plausible_size() {
    Shape const shape{m_rows, m_columns};
    if (!shape.fits(element_size(m_type))) {
      fail_line("declares ", m_rows, " x ", m_columns, " elements of ", element_name(m_type), ", 2^63 bytes or more");
    }
    if (!m_sparse) {
      std::size_t const diagonal = m_skew ? 0 : m_rows;
      std::size_t const triangle = (shape.count() - std::min(m_rows, m_columns)) / 2 + diagonal;
      m_entries = !m_symmetric ? shape.count() : triangle;
    } else if (shape.count() > m_cap / element_size(m_type)) {
      fail_line("declares a sparse matrix of ", m_rows, " x ", m_columns, ", of which the dense form has more than ",
                m_cap, " bytes, the limit");
    }
    std::size_t const numbers = m_type == ElementType::complex128 ? 2 : m_pattern ? 0 : 1;
    std::size_t const shortest = 2 * (numbers + (m_sparse ? 2 : 0));  // a digit and a blank each
    if (m_entries > (m_lines.remaining() + 1) / shortest) {
      fail_line("declares ", m_entries, " entries of at least ", shortest, " bytes, but ", m_lines.remaining(),
                " bytes follow it");
    }
  }

  template <class T>
  void fill(std::span<T> elements) {
    if (elements.empty() && m_entries == 0) return;  // however long the other extent
    if (m_sparse) {
      std::fill(elements.begin(), elements.end(), T{});
      for (m_done = 0; m_done < m_entries; ++m_done) add_coordinate_entry(elements);
      return;
    }
    for (std::size_t j = 0; j < m_columns; ++j) {
      std::size_t i = !m_symmetric ? 0 : j;
      if (m_skew) elements[i++ + j * m_rows] = T{};
      for (; i < m_rows; ++i, ++m_done) {
        std::string_view line = next_entry();
        T const value = take_value<T>(line);
        require_end_of(line);
        elements[i + j * m_rows] = value;
        if (m_symmetric) elements[j + i * m_rows] = mirrored(value, i == j);
      }
    }
  }

  template <class T>
  void add_coordinate_entry(std::span<T> elements) {
    std::string_view line = next_entry();
    std::size_t const i = take_index(line, m_rows, "row");
    std::size_t const j = take_index(line, m_columns, "column");
    T const value = m_pattern ? T{1} : take_value<T>(line);
    require_end_of(line);
    add_to(elements[i + j * m_rows], value);
    if (!m_symmetric) return;
    bool const skew = m_skew;
    if (i < j || (skew && i == j)) {
      fail_line("holds row ", i + 1, ", column ", j + 1, ", outside the ", skew ? "strict " : "",
                "lower triangle that a matrix with symmetry stores");
    }
    T const other = mirrored(value, i == j);
    if (i != j) add_to(elements[j + i * m_rows], other);
  }

  std::string_view next_entry() {
    std::string_view line;
    if (!m_lines.next_filled(line)) fail("it ends after ", m_done, " of the ", m_entries, " entries that it declares");
    return line;
  }

  /// The value at the transposed place; checks what the symmetry demands of a diagonal.
  template <class T>
  T mirrored(T value, bool diagonal) const {
    if constexpr (std::is_same_v<T, Complex>) {
      if (m_hermitian) {
        if (diagonal && value.imag() != 0) fail_line("holds a complex number on the diagonal of a hermitian matrix");
        return diagonal ? value : std::conj(value);
      }
    }
    if (!m_skew) return value;
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (value == std::numeric_limits<T>::min()) fail_line("holds ", value, ", whose negative int64 does not have");
    }
    return T{} - value;
  }

  template <class T>
  void add_to(T& element, T value) const {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      using Limits = std::numeric_limits<T>;
      if (value > 0 ? element > Limits::max() - value : element < Limits::min() - value) {
        fail_line("adds ", value, " to an element that is ", element, " already, which int64 does not hold");
      }
    }
    element += value;
  }

  template <class T>
  T take_value(std::string_view& line) const {
    if constexpr (std::is_same_v<T, Complex>) {
      double const real = take_number<double>(line);
      double const imaginary = take_number<double>(line);
      return {real, imaginary};
    } else {
      return take_number<T>(line);
    }
  }

  template <class T>
  T take_number(std::string_view& line) const {
    std::string_view const word = take_word(line);
    if (word.empty()) fail_line("ends where a number is needed");
    bool const plus = word.starts_with('+') && !word.starts_with("+-");  // which from_chars does not know
    char const* const end = word.data() + word.size();
    T value{};
    auto const [stop, error] = std::from_chars(word.data() + (plus ? 1 : 0), end, value);
    if (error == std::errc::result_out_of_range) {
      fail_line("holds ", in_quotes(word), ", which is outside the range of ", element_name(element_type_of<T>));
    }
    if (error != std::errc{} || stop != end) {
      fail_line("holds ", in_quotes(word), " where a number of type ", element_name(element_type_of<T>), " is needed");
    }
    return value;
  }

  std::size_t take_count(std::string_view& line, std::string_view role) const {
    std::int64_t const count = take_number<std::int64_t>(line);
    if (count < 0) fail_line("holds the negative ", role, ' ', count);
    return static_cast<std::size_t>(count);
  }

  /// An index of the file counts from 1, the one returned from 0.
  std::size_t take_index(std::string_view& line, std::size_t extent, std::string_view role) const {
    std::int64_t const index = take_number<std::int64_t>(line);
    if (index < 1 || static_cast<std::size_t>(index) > extent) {
      fail_line("holds the ", role, " index ", index, ", outside 1 to ", extent);
    }
    return static_cast<std::size_t>(index) - 1;
  }

  void require_end_of(std::string_view line) const {
    std::string_view const word = take_word(line);
    if (!word.empty()) fail_line("holds ", in_quotes(word), " behind all that it should hold");
  }

  InputFile m_file;
  LineReader m_lines;
  std::size_t m_cap;
  bool m_sparse = false;
  bool m_pattern = false;    ///< entries without numbers
  bool m_symmetric = false;  ///< in whichever way
  bool m_skew = false, m_hermitian = false;
  ElementType m_type = ElementType::float64;
  std::size_t m_rows = 0;
  std::size_t m_columns = 0;
  std::size_t m_entries = 0;
  std::size_t m_done = 0;
};

}  // namespace

Array look_at_matrix_market(std::filesystem::path const& path) {
  return MatrixMarketReader(path, {}, densified_cap).look();
}

Array read_matrix_market(std::filesystem::path const& path, Progress const& progress, std::size_t cap) {
  return MatrixMarketReader(path, progress, cap).read();
}

}  // namespace pantile::driver
