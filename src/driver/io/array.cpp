// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/array.hpp"

#include <new>

#include "io/file_error.hpp"

namespace pantile::driver {

Shape::Shape(std::initializer_list<std::size_t> extents) {
  for (std::size_t const extent : extents) push_back(extent);
}

void Shape::push_back(std::size_t extent) {
  if (m_rank == max_rank) throw std::invalid_argument("pantile::driver: a shape has at most 3 dimensions");
  m_extents[m_rank++] = extent;
}

std::size_t Shape::count() const {
  std::size_t product = 1;
  for (std::size_t const extent : extents()) product *= extent;
  return product;
}

bool Shape::fits(std::size_t element_size) const {
  constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  std::size_t product = element_size;
  for (std::size_t const extent : extents()) {
    if (extent == 0) continue;
    if (extent > largest / product) return false;
    product *= extent;
  }
  return true;
}

std::string Shape::text() const {
  std::string result = "(";
  for (std::size_t i = 0; i < m_rank; ++i) {
    if (i > 0) result += ", ";
    result += std::to_string(m_extents[i]);
  }
  return result + (m_rank == 1 ? ",)" : ")");
}

AlignedBytes::AlignedBytes(std::size_t size) : m_size(size) {
  if (size == 0) return;
  m_data.reset(static_cast<std::byte*>(::operator new(size, std::align_val_t{alignment})));
}

void AlignedBytes::Free::operator()(std::byte* bytes) const noexcept {
  ::operator delete(bytes, std::align_val_t{alignment});
}

AlignedBytes allocate_for(std::filesystem::path const& path, std::size_t size) {
  try {
    return AlignedBytes(size);
  } catch (std::bad_alloc const&) {
    fail_reading(path, "its elements need ", size, " bytes of memory, which this machine does not give");
  }
}

void require_valid(ArrayView const& view) {
  bool const valid = view.shape.rank() > 0 && view.shape.fits(element_size(view.type)) &&
                     (view.data != nullptr || view.shape.count() == 0);
  if (valid) return;
  throw std::invalid_argument(concat("pantile::driver: no array has shape ", view.shape.text(), ", type ",
                                     element_name(view.type), view.data ? "" : " and no data"));
}

void Array::require_element_size(std::size_t size) const {
  if (size == element_size(type)) return;
  throw std::invalid_argument(
      concat("pantile::driver: elements of ", element_name(type), " have ", element_size(type), " bytes, not ", size));
}

}  // namespace pantile::driver
