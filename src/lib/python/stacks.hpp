// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Stacks of matrices: arrays whose last two axes are matrices, broadcast over the leading ones as NumPy does.

#include <python/array.hpp>

#include <cstddef>

namespace pantile::python {

/// The leading extents: all but the last two.
Extents leading(Array const& array);

/// \brief  The extents to which both broadcast.
/// \throws ValueError  where they differ and none of them is 1
Extents broadcast(Call const& call, Array const& a, Extents const& extents_a, Array const& b, Extents const& extents_b);

/// Repeats the elements, by strides of 0, until all axes but the last ones that are kept have these extents.
void repeat_leading(Array& array, Extents const& extents, std::size_t kept);

using Arrays = std::initializer_list<Array*>;

/// \brief  As few and as long axes as the arrays have together, but `least` of them and the last ones that are kept.
///         Axes before the last two are reversed where no array goes forwards there, and put into the order of the
///         result, the first array; where one still goes backwards then, none are joined.
void join_axes(Arrays arrays, std::size_t kept, std::size_t least);

/// Makes the longest leading axis in which no array goes backwards the last of them, or a new one of extent 1.
void put_longest_last(Arrays arrays);

/// The matrix of the last two axes, offset elements from the first one.
pantile_matrix matrix(Array const& array, std::int64_t offset);
/// The matrices along the axis before them.
pantile_batch batch(Array const& array, std::int64_t offset);

/// Goes through the offsets of what arrays of the same leading extents have in their last axes, which are kept.
class Walk {
 public:
  Walk(std::size_t kept, std::initializer_list<Array const*> arrays);

  [[nodiscard]] std::int64_t count() const { return m_count; }
  [[nodiscard]] std::int64_t offset(std::size_t array) const { return m_offsets[array]; }
  void advance();

 private:
  std::vector<Array const*> m_arrays;
  Extents m_index;
  std::vector<std::int64_t> m_offsets;
  std::int64_t m_count = 1;
};

/// ValueError where a matrix goes backwards, which the C face cannot take.
void require_forwards(Call const& call, Array const& array);

/// \brief  What the C face cannot see, which gets a part of the arrays at a time.
/// \throws ValueError  elements of the result may be the same; its memory may reach into an operand's, unless both are
///                     the same array
void require_apart(Call const& call, Array const& result, std::initializer_list<Array const*> operands);

/// \brief  Calls one(exec, explanation, parts...) for each part of the arrays, matrices or batches of the last axes
///         that are kept, without the interpreter's lock: the one place that loops. Returns the first of the arrays, or
///         what the call for the first parts would do.
template <class Part, class One, class... Operands>
nanobind::object for_each_part(Call const& call, std::size_t kept, Part const& part, One const& one,
                               Array const& result, Operands const&... operands) {
  for (Array const* array : {&result, &operands...}) require_forwards(call, *array);
  Walk walk(kept, {&result, &operands...});
  if (walk.count() > 1) require_apart(call, result, {&operands...});
  auto const at_present = [&]<std::size_t... I>(pantile_exec* exec, pantile_explanation* explanation,
                                                std::index_sequence<I...>) {
    return one(exec, explanation, part(result, walk.offset(0)), part(operands, walk.offset(I + 1))...);
  };
  auto const places = std::index_sequence_for<Operands...>();
  if (call.explains()) {
    return explained(call, {&result, &operands...}, [&](pantile_exec* exec, pantile_explanation* explanation) {
      return at_present(exec, explanation, places);
    });
  }
  call.run({&result, &operands...}, [&](pantile_exec* exec) {
    pantile_status status = PANTILE_OK;
    for (std::int64_t done = 0; done < walk.count() && status == PANTILE_OK; ++done, walk.advance()) {
      status = at_present(exec, nullptr, places);
    }
    return status;
  });
  return result.object;
}

/// \brief  All matrices by one call of `one` where strides allow it; else as many of them as have a stride in common.
///         One matrix alone is no batch.
template <class One, class... Operands>
nanobind::object for_each_batch(Call const& call, One const& one, Array& result, Operands&... operands) {
  join_axes({&result, &operands...}, 2, 0);
  put_longest_last({&result, &operands...});
  std::size_t const longest = result.rank() - 3;
  if (result.extents[longest] != 1) return for_each_part(call, 3, batch, one, result, operands...);
  for (Array* array : {&result, &operands...}) array->remove_axis(longest);
  return for_each_part(call, 2, matrix, one, result, operands...);
}

}  // namespace pantile::python
