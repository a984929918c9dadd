// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Arrays of any library, as they lie in memory: nothing is copied.

#include <python/call.hpp>

#include <pantile/c/types.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pantile::python {

using Extents = std::vector<std::int64_t>;

struct Array {
  char const* name = "";             ///< of the parameter
  nanobind::object object;           ///< the caller's array, or the result
  std::shared_ptr<void const> held;  ///< keeps the memory where it is; given up with the interpreter's lock only
  void* data = nullptr;
  pantile_element element = 0;
  Extents extents, strides;  ///< strides in elements
  bool on_device = false;
  void* stream = nullptr;  ///< the device's, in which the array is made; null: the default one

  [[nodiscard]] std::size_t rank() const { return extents.size(); }
  /// A new axis of extent 1, so that `axis` is its number.
  void insert_axis(std::size_t axis);
  /// One of extent 1.
  void remove_axis(std::size_t axis);
};

enum class Access { read, write };

/// \brief  By DLPack, the buffer protocol or `__cuda_array_interface__`, in this order.
/// \throws TypeError   no array, or of elements that the C face has no number for
/// \throws ValueError  not writable, where it must be
Array import_array(Call const& call, char const* name, nanobind::handle given, Access access);

/// \brief  The caller's `out`, or, for None, a new array from the library of `like`.
/// \param  dtype  of the new array, in that library's words
Array result_array(Call const& call, nanobind::handle out, nanobind::handle like, nanobind::handle dtype,
                   Extents const& extents);

/// The array's dtype; None where it has none.
nanobind::object dtype_of(nanobind::handle array);

/// The element of NumPy's name, 0 for others.
pantile_element element_named(std::string_view name);

/// "float32"
std::string element_name(pantile_element element);
std::int64_t element_size(pantile_element element);

/// "(2, 3)"
std::string text(Extents const& extents);

}  // namespace pantile::python
