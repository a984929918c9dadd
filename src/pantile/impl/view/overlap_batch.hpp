// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Do strided batches share memory? Exact, as of matrices. Are all addresses those of memory?

#include <pantile/impl/view/batch.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/overlap.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pantile::impl {

/// A strided batch as footprints a step apart: its direction of the largest stride, and matrices of the other two.
using Slabs = Repeated<Footprint>;

/// The directions of a strided batch, the largest stride first; those of one step or none last.
struct Direction {
  Index count, stride;
};
template <class T>
std::array<Direction, 3> directions(Batch<T> const& batch, Index count) {
  Matrix<T> const& first = batch.first;
  std::array<Direction, 3> all{
      {{count, batch.place.stride}, {first.rows, first.row_stride}, {first.cols, first.col_stride}}};
  for (Direction& one : all) one.stride = one.count <= 1 ? 0 : one.stride;
  std::sort(all.begin(), all.end(), [](Direction const& a, Direction const& b) { return a.stride > b.stride; });
  return all;
}

template <class T>
Slabs slabs_of(Batch<T> const& batch, Index count) {
  auto const [outer, slow, fast] = directions(batch, count);
  // Elements that repeat are as one.
  Index const apart = outer.stride == 0 && outer.count > 1 ? 1 : outer.count;
  return {footprint(Matrix<T>{batch.first.data, slow.count, fast.count, slow.stride, fast.stride}), apart,
          outer.stride * static_cast<Index>(sizeof(T))};
}

/// True if the two share a byte. Ranges that do not meet, and matrices that follow each other: in a few steps; else as
/// many as there are slabs whose ranges meet.
inline bool share_memory(Slabs const& a, Slabs const& b) {
  if (a.count == 0 || a.first.empty() || b.count == 0 || b.first.empty()) return false;
  if (a.end() <= b.first.begin || b.end() <= a.first.begin) return false;
  return any_meet(a, b, [](Footprint const& x, Footprint const& y) { return share_memory(x, y); });
}

/// True if no two elements of the batch share memory.
template <class T>
bool has_distinct_elements(Batch<T> const& batch, Index count) {
  auto const [outer, slow, fast] = directions(batch, count);
  if (count == 0 || batch.first.count() == 0) return true;
  if (!has_distinct_elements(Matrix<T>{batch.first.data, slow.count, fast.count, slow.stride, fast.stride}))
    return false;
  if (outer.count <= 1) return true;
  if (outer.stride == 0) return false;
  Slabs const slabs = slabs_of(batch, count);
  for (std::int64_t i = 1; i < slabs.count && i * slabs.step < slabs.first.span(); ++i) {
    if (share_memory(slabs.first, slabs.at(i))) return false;
  }
  return true;
}

/// An operand's addresses, where the host can read them: none is null.
template <class View>
void check_addresses(Checker const& check, std::string_view name, View const& view) {
  if constexpr (PointerBatch<View> && AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>) {
    if (view.rows == 0 || view.cols == 0) return;
    for (std::size_t i = 0; i < view.count; ++i) {
      check.require(view.addresses[i] != nullptr, [&] {
        return std::string(name) + " must have no null pointer: its matrix " + std::to_string(i) + " has no memory";
      });
    }
  }
}

}  // namespace pantile::impl
