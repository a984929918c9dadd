// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <hdf5.h>

#include <optional>
#include <utility>

#include "io/element_type.hpp"

namespace pantile::driver {

/// An object of the HDF5 library that is closed by `Close`; negative where a call failed.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : m_id(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (m_id >= 0) Close(m_id);
  }

  explicit operator bool() const { return m_id >= 0; }
  hid_t id() const { return m_id; }
  /// False where closing fails, as when the last bytes cannot be written.
  bool close() { return Close(std::exchange(m_id, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t m_id = H5I_INVALID_HID;
};
using Hdf5Type = Hdf5Handle<H5Tclose>;

/// The element type of a dataset's type; nothing for what has none here.
std::optional<ElementType> element_type_of_hdf5(hid_t type);

/// The type in memory, and in files that are written, for elements in this machine's byte order. Invalid where the
/// library cannot make it.
Hdf5Type hdf5_type_of(ElementType const& type);

}  // namespace pantile::driver
