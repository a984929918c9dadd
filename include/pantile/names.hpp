// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Names of policy.hpp's enumerators, for labels, messages and the driver's command line.

#include <pantile/policy.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>

namespace pantile {

namespace impl {

/// Names of an enumeration's values, which count from zero.
template <class Enum>
struct EnumeratorNames;
template <>
struct EnumeratorNames<MatmulAlgorithm> {
  static constexpr char const* all[] = {"automatic", "naive", "grid_stride", "tiled", "blocked", "vendor"};
};
template <>
struct EnumeratorNames<TransposeAlgorithm> {
  static constexpr char const* all[] = {"automatic", "naive", "tiled", "padded", "blocked"};
};
template <>
struct EnumeratorNames<AddAlgorithm> {
  static constexpr char const* all[] = {"automatic", "naive", "grid_stride", "tiled", "blocked"};
};
template <>
struct EnumeratorNames<FillAlgorithm> {
  static constexpr char const* all[] = {"automatic", "naive", "grid_stride"};
};
template <>
struct EnumeratorNames<HistogramAlgorithm> {
  static constexpr char const* all[] = {"automatic", "global_atomic", "scratch"};
};
template <>
struct EnumeratorNames<OutOfRange> {
  static constexpr char const* all[] = {"refuse", "ignore", "count"};
};
template <>
struct EnumeratorNames<Op> {
  static constexpr char const* all[] = {"none", "transpose", "conjugate", "conjugate_transpose"};
};
template <>
struct EnumeratorNames<Precision> {
  static constexpr char const* all[] = {"full", "three_tf32", "tf32"};
};
template <>
struct EnumeratorNames<Coordinates> {
  static constexpr char const* all[] = {"element", "thread"};
};

}  // namespace impl

/// One of policy.hpp's enumerations.
template <class T>
concept Enumeration = requires { impl::EnumeratorNames<T>::all; };

/// Does the value have a name? A value made by a cast may have none.
template <Enumeration Enum>
constexpr bool is_enumerator(Enum value) {
  auto const number = static_cast<long>(value);
  return number >= 0 && number < static_cast<long>(std::size(impl::EnumeratorNames<Enum>::all));
}

/// The name of a value, "unknown" where it has none.
template <Enumeration Enum>
constexpr char const* to_string(Enum value) {
  return is_enumerator(value) ? impl::EnumeratorNames<Enum>::all[static_cast<int>(value)] : "unknown";
}

namespace impl {

/// "a, b or c": the names that an option can have, for messages.
template <Enumeration Enum>
[[gnu::cold]] std::string enumerator_list() {
  std::string list;
  auto const& names = EnumeratorNames<Enum>::all;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    list += (i == 0 ? "" : i + 1 < std::size(names) ? ", " : " or ") + std::string(names[i]);
  }
  return list;
}

/// Of a value without a name: "algorithm must be naive or tiled, not 7".
template <Enumeration Enum>
[[gnu::cold]] std::string enumerator_refusal(char const* option, Enum value) {
  return std::string(option) + " must be " + enumerator_list<Enum>() + ", not " +
         std::to_string(static_cast<int>(value));
}
/// Of an option that another choice does not use: "tile is for algorithm tiled, not blocked".
template <Enumeration Enum>
[[gnu::cold]] std::string unused_refusal(char const* option, Enum chosen, std::initializer_list<Enum> users,
                                         char const* choice = "algorithm") {
  std::string list;
  for (Enum const user : users) list += (list.empty() ? "" : " or ") + std::string(to_string(user));
  return std::string(option) + " is for " + choice + " " + list + ", not " + to_string(chosen);
}

/// The same as checks of a call.
template <class Check, Enumeration Enum>
void require_enumerator(Check const& check, char const* option, Enum value) {
  check.require(is_enumerator(value), [&] { return enumerator_refusal(option, value); });
}

template <class Check, Enumeration Enum>
void require_used(Check const& check, char const* option, bool is_set, Enum chosen, std::initializer_list<Enum> users,
                  char const* choice = "algorithm") {
  bool const used = std::find(users.begin(), users.end(), chosen) != users.end();
  check.require(!is_set || used || !is_enumerator(chosen),
                [&] { return unused_refusal(option, chosen, users, choice); });
}

}  // namespace impl

}  // namespace pantile
