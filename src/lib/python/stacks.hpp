// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Stacks of matrices: arrays whose last two axes are matrices, broadcast over the leading ones as NumPy does.

#include <python/array.hpp>
#include <python/explanation.hpp>

#include <array>
#include <cstddef>

namespace pantile::python {

/// The leading extents: all but the last two.
Extents leading(Array const& array);

/// \brief  The extents to which both broadcast.
/// \throws ValueError  where they differ and none of them is 1
Extents broadcast(Call const& call, Array const& a, Extents const& extents_a, Array const& b, Extents const& extents_b);

/// Repeats the elements, by strides of 0, until all axes but the last ones that are kept have these extents.
void repeat_leading(Array& array, Extents const& extents, std::size_t kept);

/// The matrix of the last two axes, offset elements from the first one.
pantile_matrix matrix(Array const& array, std::int64_t offset);

/// Goes through the offsets of the matrices of arrays that have the same leading extents.
class Walk {
 public:
  explicit Walk(std::initializer_list<Array const*> arrays);

  [[nodiscard]] std::int64_t count() const { return m_count; }
  [[nodiscard]] std::int64_t offset(std::size_t array) const { return m_offsets[array]; }
  void advance();

 private:
  std::vector<Array const*> m_arrays;
  Extents m_index;
  std::vector<std::int64_t> m_offsets;
  std::int64_t m_count = 1;
};

/// \brief  What the C face cannot see, which gets one matrix at a time.
/// \throws ValueError  elements of the result may be the same; its memory may reach into an operand's, unless both are
///                     the same array
void require_apart(Call const& call, Array const& result, std::initializer_list<Array const*> operands);

/// \brief  Calls one(exec, explanation, matrices...) for each matrix of the stacks, without the interpreter's lock: the
///         one place that loops over batches. The result is the first of the arrays.
/// \return the result, or what the call for the first matrices would do
template <class One, class... Operands>
nanobind::object for_each_matrix(Call const& call, One const& one, Array const& result, Operands const&... operands) {
  Walk walk({&result, &operands...});
  if (walk.count() > 1) require_apart(call, result, {&operands...});
  auto const at_present = [&]<std::size_t... I>(pantile_exec* exec, pantile_explanation* explanation,
                                                std::index_sequence<I...>) {
    return one(exec, explanation, matrix(result, walk.offset(0)), matrix(operands, walk.offset(I + 1))...);
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

}  // namespace pantile::python
