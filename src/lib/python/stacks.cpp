// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/stacks.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pantile::python {
namespace {

/// First and last element's bytes, for arrays that are not empty.
std::pair<std::intptr_t, std::intptr_t> range(Array const& array) {
  std::int64_t first = 0, last = 0;
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    std::int64_t const reach = (array.extents[axis] - 1) * array.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  std::int64_t const size = element_size(array.element);
  auto const data = reinterpret_cast<std::intptr_t>(array.data);
  return {data + first * size, data + (last + 1) * size};
}

bool is_empty(Array const& array) { return std::count(array.extents.begin(), array.extents.end(), 0) > 0; }

/// Is each stride longer than what the shorter ones reach?
bool elements_are_apart(Array const& array) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    if (array.extents[axis] > 1) axes.emplace_back(std::abs(array.strides[axis]), array.extents[axis]);
  }
  std::sort(axes.begin(), axes.end());
  std::int64_t reach = 0;
  for (auto const& [stride, extent] : axes) {
    if (stride <= reach) return false;
    reach += stride * (extent - 1);
  }
  return true;
}

bool same(Array const& a, Array const& b) {
  return a.data == b.data && a.extents == b.extents && a.strides == b.strides;
}

bool goes_backwards(Array const* array) {
  return std::any_of(array->strides.begin(), array->strides.end(), [](std::int64_t stride) { return stride < 0; });
}

/// Does each array have the property along the axis?
template <class Property>
bool all(Arrays arrays, Property const& property) {
  return std::all_of(arrays.begin(), arrays.end(), [&](Array const* array) { return property(*array); });
}

/// Walks the axis from its end in each array, if that goes forwards in some and backwards in none.
void reverse_axis(Arrays arrays, std::size_t axis) {
  if (!all(arrays, [&](Array const& array) { return array.strides[axis] <= 0; })) return;
  for (Array* array : arrays) {
    std::int64_t const end = (array->extents[axis] - 1) * array->strides[axis];
    array->data = static_cast<char*>(array->data) + end * element_size(array->element);
    array->strides[axis] = -array->strides[axis];
  }
}

/// The order of axes before the last two says nothing: by the result's steps, more of them are one.
void sort_leading(Arrays arrays) {
  Extents const& steps = (*arrays.begin())->strides;
  for (std::size_t axis = 0; axis + 2 < steps.size(); ++axis) {
    for (std::size_t other = axis + 1; other + 2 < steps.size(); ++other) {
      if (steps[other] <= steps[axis]) continue;
      for (Array* array : arrays) {
        std::swap(array->extents[axis], array->extents[other]);
        std::swap(array->strides[axis], array->strides[other]);
      }
    }
  }
}

void move_axis(Array& array, std::size_t from, std::size_t to) {
  for (Extents* numbers : {&array.extents, &array.strides}) {
    auto const at = [&](std::size_t axis) { return numbers->begin() + static_cast<std::ptrdiff_t>(axis); };
    std::rotate(at(from), at(from + 1), at(to + 1));
  }
}

}  // namespace

Extents leading(Array const& array) { return {array.extents.begin(), array.extents.end() - 2}; }

Extents broadcast(Call const& call, Array const& a, Extents const& extents_a, Array const& b,
                  Extents const& extents_b) {
  bool const a_is_longer = extents_a.size() >= extents_b.size();
  Extents extents = a_is_longer ? extents_a : extents_b;
  Extents const& shorter = a_is_longer ? extents_b : extents_a;
  std::size_t const skipped = extents.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::int64_t& extent = extents[skipped + axis];
    call.require(extent == shorter[axis] || extent == 1 || shorter[axis] == 1, [&] {
      return std::string("extents ") + text(extents_a) + " of " + a.name + " and " + text(extents_b) + " of " + b.name +
             " do not broadcast";
    });
    if (extent == 1) extent = shorter[axis];
  }
  return extents;
}

void repeat_leading(Array& array, Extents const& extents, std::size_t kept) {
  while (array.rank() < extents.size() + kept) array.insert_axis(0);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (array.extents[axis] == extents[axis]) continue;
    array.extents[axis] = extents[axis];
    array.strides[axis] = 0;
  }
}

void join_axes(Arrays arrays, std::size_t kept, std::size_t least) {
  Array const& first = **arrays.begin();
  for (std::size_t axis = 0; axis + 2 < first.rank(); ++axis) {
    if (first.extents[axis] > 0) reverse_axis(arrays, axis);
  }
  sort_leading(arrays);
  if (first.rank() <= kept || std::any_of(arrays.begin(), arrays.end(), goes_backwards)) return;
  for (std::size_t axis = first.rank() - kept - 1; axis-- > 0 && first.rank() > least;) {
    bool const one = all(arrays, [&](Array const& array) {
      return array.strides[axis] == array.strides[axis + 1] * array.extents[axis + 1];
    });
    if (!one) continue;
    for (Array* array : arrays) {
      array->extents[axis + 1] *= array->extents[axis];
      array->remove_axis(axis);
    }
  }
}

void put_longest_last(Arrays arrays) {
  Array const& first = **arrays.begin();
  std::size_t const none = first.rank() - 2;
  std::size_t longest = none;
  for (std::size_t axis = 0; axis < none; ++axis) {
    bool const forwards = all(arrays, [&](Array const& array) { return array.strides[axis] >= 0; });
    if (forwards && (longest == none || first.extents[axis] > first.extents[longest])) longest = axis;
  }
  for (Array* array : arrays) {
    if (longest == none) {
      array->insert_axis(none);
    } else {
      move_axis(*array, longest, none - 1);
    }
  }
}

pantile_matrix matrix(Array const& array, std::int64_t offset) {
  std::size_t const row = array.rank() - 2, col = array.rank() - 1;
  char* const data = static_cast<char*>(array.data) + offset * element_size(array.element);
  return {data, array.element, array.extents[row], array.extents[col], array.strides[row], array.strides[col]};
}

pantile_batch batch(Array const& array, std::int64_t offset) {
  std::size_t const axis = array.rank() - 3;
  return {matrix(array, offset), array.extents[axis], array.strides[axis], nullptr};
}

Walk::Walk(std::size_t kept, std::initializer_list<Array const*> arrays)
    : m_arrays(arrays), m_index(m_arrays.front()->rank() - kept), m_offsets(m_arrays.size()) {
  for (std::size_t axis = 0; axis < m_index.size(); ++axis) m_count *= m_arrays.front()->extents[axis];
}

void Walk::advance() {
  for (std::size_t axis = m_index.size(); axis-- > 0;) {
    bool const wraps = ++m_index[axis] == m_arrays.front()->extents[axis];
    if (wraps) m_index[axis] = 0;
    for (std::size_t a = 0; a < m_arrays.size(); ++a) {
      std::int64_t const steps = wraps ? 1 - m_arrays[a]->extents[axis] : 1;
      m_offsets[a] += steps * m_arrays[a]->strides[axis];
    }
    if (!wraps) return;
  }
}

void require_forwards(Call const& call, Array const& array) {
  call.require(array.strides.back() >= 0 && array.strides[array.rank() - 2] >= 0, [&] {
    return std::string(array.name) +
           " must not have a negative stride in its last two axes: only leading ones may; copy it first";
  });
}

void require_apart(Call const& call, Array const& result, std::initializer_list<Array const*> operands) {
  if (is_empty(result)) return;
  call.require(elements_are_apart(result),
               [&] { return std::string(result.name) + " must not have elements that overlap each other"; });
  for (Array const* operand : operands) {
    if (is_empty(*operand) || same(*operand, result)) continue;
    auto const [begin, end] = range(result);
    auto const [operand_begin, operand_end] = range(*operand);
    call.require(end <= operand_begin || operand_end <= begin, [&] {
      return std::string("memory of ") + result.name + " must not reach into that of " + operand->name;
    });
  }
}

}  // namespace pantile::python
