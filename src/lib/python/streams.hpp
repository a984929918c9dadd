// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  On which of a device's streams a call works, and for which others it waits first. Knows no Python.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pantile::python {

struct Streams {
  void* work = nullptr;        ///< null: the default instance's
  std::vector<void*> awaited;  ///< whose work must be done before; none of them twice
};

/// \brief  Of the streams on which arrays are made, in the order of the arrays. Null, and 1 in the words of
///         `__cuda_array_interface__`, are the device's default stream: the default instance's work follows that of it.
inline Streams order_of(std::vector<void*> const& made_on) {
  void* const default_one = reinterpret_cast<void*>(std::uintptr_t{1});
  Streams streams;
  for (void* const given : made_on) {
    void* const stream = given == nullptr ? default_one : given;
    if (std::find(streams.awaited.begin(), streams.awaited.end(), stream) == streams.awaited.end()) {
      streams.awaited.push_back(stream);
    }
  }
  auto const own =
      std::find_if(streams.awaited.begin(), streams.awaited.end(), [&](void* stream) { return stream != default_one; });
  if (own == streams.awaited.end()) return {};
  streams.work = *own;
  streams.awaited.erase(own);
  return streams;
}

}  // namespace pantile::python
