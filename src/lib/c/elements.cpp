// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/elements.hpp>

#include <algorithm>
#include <cstddef>

namespace pantile::c {
namespace {

struct Facts {
  char const* name;
  std::size_t size, alignment;
};

/// By number, from 1 on.
constexpr Facts facts[] = {{"float", 4, 4}, {"double", 8, 8}, {"complex<float>", 8, 4}, {"complex<double>", 16, 8},
                           {"int8", 1, 1},  {"uint8", 1, 1},  {"int32", 4, 4},          {"uint32", 4, 4},
                           {"int64", 8, 8}, {"uint64", 8, 8}, {"half", 2, 2},           {"bfloat16", 2, 2}};
static_assert(std::size(facts) == PANTILE_BFLOAT16);

Facts const& facts_of(pantile_element element) { return facts[element - 1]; }

}  // namespace

bool is_element(pantile_element element) { return element >= 1 && element <= PANTILE_BFLOAT16; }
std::string element_name(pantile_element element) { return facts_of(element).name; }
std::size_t element_size(pantile_element element) { return facts_of(element).size; }
std::size_t element_alignment(pantile_element element) { return facts_of(element).alignment; }

std::string list(std::initializer_list<Typed> operands) {
  std::string text;
  for (Typed const& operand : operands) {
    text += (text.empty() ? "" : ", ") + std::string(operand.name) + " is " + element_name(operand.element);
  }
  return text;
}

pantile_element common_element(std::initializer_list<Typed> operands) {
  pantile_element const first = operands.begin()->element;
  bool const same = std::all_of(operands.begin(), operands.end(), [&](auto const& o) { return o.element == first; });
  if (!same) {
    throw Refusal(PANTILE_NOT_SUPPORTED, "the library holds operands of one element type, and " + list(operands));
  }
  return first;
}

void refuse_element(Typed const& operand) {
  throw Refusal(PANTILE_NOT_SUPPORTED, "the library does not hold this operation for the element type of " +
                                           std::string(operand.name) + ", which is " + element_name(operand.element));
}

}  // namespace pantile::c
