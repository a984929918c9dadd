// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/add.hpp>
#include <pantile/matmul.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

/// A type of the user's own needs no line in Pantile at all.
enum class Month : std::uint8_t {};
template <>
struct pantile::element_traits<Month> {
  static constexpr char const* name = "month";
  static constexpr pantile::ElementKind kind = pantile::ElementKind::integer;
  using accumulator_type = std::int32_t;
  using compute_type = std::uint32_t;
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  // In the library by the manifest's line: -30000 - 30000 wraps modulo 2^16.
  Kokkos::View<std::int16_t**, Exec> const x("x", 4, 4), y("y", 4, 4);
  Kokkos::deep_copy(x, std::int16_t(-30000));
  pantile::add(Exec{}, 1, x, 1, x, y);
  Kokkos::fence();
  bool const wraps = y(3, 3) == static_cast<std::int16_t>(-60000);
  bool const named = pantile::explain::add(Exec{}, 1, x, 1, x, y).path.find("int16]") != std::string::npos;
  // Compiled here: products of the user's own type, summed in its accumulator.
  Kokkos::View<Month**, Exec> const months("months", 2, 9);
  Kokkos::View<std::int32_t**, Exec> const gram("gram", 2, 2);
  Kokkos::deep_copy(months, Month(200));
  pantile::matmul(Exec{}, 1, months, months, 0, gram, {.op_b = pantile::Op::transpose});
  Kokkos::fence();
  bool const sums = gram(1, 0) == 9 * 200 * 200;
  return wraps && named && sums ? EXIT_SUCCESS : EXIT_FAILURE;
}
