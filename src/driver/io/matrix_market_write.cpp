// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <bit>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/matrix_market.hpp"

namespace pantile::driver {

namespace {

struct Float16 {
  std::uint16_t bits;
};

struct Bfloat16 {
  std::uint16_t bits;
};

double widened(Float16 value) {
  // The fields of a double, with an exponent that is smaller by the difference of the biases, 1023 - 15.
  double size = std::bit_cast<double>((value.bits & 0x7fffULL) << 42) * 0x1p1008;
  using Limits = std::numeric_limits<double>;
  if (size >= 0x1p16) size = size == 0x1p16 ? Limits::infinity() : Limits::quiet_NaN();
  return value.bits >> 15 ? -size : size;
}

double widened(Bfloat16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16); }

double widened(double value) { return value; }

class MatrixMarketWriter {
 public:
  MatrixMarketWriter(std::filesystem::path const& path, ArrayView const& view, Progress const& progress)
      : m_path(path), m_view(view), m_file(path), m_meter(progress, view.bytes()) {}

  void write() {
    require_matrix_market_takes(m_path, m_view.type, m_view.shape);
    append(concat("%%MatrixMarket matrix array ", field(), " general\n", rows(), ' ', columns(), '\n'));
    write_elements();
    m_file.write(m_text);
    m_meter.finish();
    m_file.commit();
  }

 private:
  std::size_t rows() const { return m_view.shape[0]; }
  std::size_t columns() const { return m_view.shape.rank() == 1 ? 1 : m_view.shape[1]; }

  void append(std::string_view text) {
    constexpr std::size_t flush_size = std::size_t{1} << 20;
    m_text += text;
    if (m_text.size() < flush_size) return;
    m_file.write(m_text);
    m_text.clear();
  }

  void append_number(auto number) {
    char digits[32];
    auto const [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    append({digits, static_cast<std::size_t>(end - digits)});
  }

  std::string_view field() const {
    switch (element_info(m_view.type).kind) {
      case 'c': return "complex";
      case 'i':
      case 'u': return "integer";
      default: return "real";
    }
  }

  void write_elements() {
    if (m_view.shape.count() == 0) return;  // however long the other extent
    switch (m_view.type) {
      case ElementType::float16: return write_elements_as<Float16>();
      case ElementType::bfloat16: return write_elements_as<Bfloat16>();
      case ElementType::float32: return write_elements_as<float>();
      case ElementType::float64: return write_elements_as<double>();
      case ElementType::complex64: return write_elements_as<std::complex<float>>();
      case ElementType::complex128: return write_elements_as<std::complex<double>>();
      case ElementType::int8: return write_elements_as<std::int8_t>();
      case ElementType::int16: return write_elements_as<std::int16_t>();
      case ElementType::int32: return write_elements_as<std::int32_t>();
      case ElementType::int64: return write_elements_as<std::int64_t>();
      case ElementType::uint8: return write_elements_as<std::uint8_t>();
      case ElementType::uint16: return write_elements_as<std::uint16_t>();
      case ElementType::uint32: return write_elements_as<std::uint32_t>();
      case ElementType::uint64: return write_elements_as<std::uint64_t>();
      default: return;  // refused before
    }
  }

  template <class T>
  void write_elements_as() {
    std::size_t const row_stride = m_view.order == Order::c ? columns() : 1;
    std::size_t const column_stride = m_view.order == Order::c ? 1 : rows();
    for (std::size_t j = 0; j < columns(); ++j) {
      for (std::size_t i = 0; i < rows(); ++i) {
        T value;
        std::memcpy(&value, m_view.data + (i * row_stride + j * column_stride) * sizeof(T), sizeof(T));
        append_value(value);
        append("\n");
        m_meter.advance(sizeof(T));
      }
    }
  }

  template <class T>
  void append_value(T const& value) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        fail_writing(m_path, "Matrix Market's integers are read as int64, which does not hold ", value);
      }
    }
    if constexpr (std::is_integral_v<T>) {
      append_number(value);
    } else if constexpr (requires { value.real(); }) {
      append_float(widened(value.real()));
      append(" ");
      append_float(widened(value.imag()));
    } else {
      append_float(widened(value));
    }
  }

  // The sign of a nan carries nothing, and not every reader takes "-nan".
  void append_float(double value) {
    if (std::isnan(value)) return append("nan");
    append_number(value);
  }

  std::filesystem::path const& m_path;
  ArrayView const& m_view;
  OutputFile m_file;
  std::string m_text;
  ProgressMeter m_meter;
};

}  // namespace

void require_matrix_market_takes(std::filesystem::path const& path, ElementType const& type, Shape const& shape) {
  if (shape.rank() > 2) {
    fail_writing(path, "Matrix Market holds matrices, not ", shape.rank(), " dimensions, shape ", shape.text());
  }
  if (!is_number(type)) {
    fail_writing(path, "Matrix Market holds numbers of at most 64 bits a part, not ", element_name(type), " elements");
  }
}

void write_matrix_market(std::filesystem::path const& path, ArrayView const& view, Progress const& progress) {
  require_valid(view);
  MatrixMarketWriter(path, view, progress).write();
}

}  // namespace pantile::driver
