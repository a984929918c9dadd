// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  life [finalize]: calls from the first static constructor to the last static destructor, in a program without
///        Kokkos or, with the argument, after Kokkos was finalised. Prints nothing; the exit status says all.

#include <blas/routines.hpp>

#include <Kokkos_Core.hpp>

#include <unistd.h>
#include <cstdlib>
#include <string_view>

namespace {

bool right(unsigned seed) {
  using namespace pantile::testing::blas;
  return product_is_right<double>(130, 131, 129, seed) && product_is_right<Cf>(5, 6, 7, seed);
}

struct Outermost {
  bool first = right(1);
  ~Outermost() {
    if (!right(2)) _exit(5);
  }
};

}  // namespace

int main(int argc, char** argv) {
  bool const finalizes = argc > 1 && std::string_view(argv[1]) == "finalize";
  if (finalizes) {
    if (Kokkos::is_initialized()) return 1;
    Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
    if (!right(3)) return 2;
    Kokkos::finalize();
    return right(4) ? 0 : 3;
  }
  static Outermost const outermost;
  std::atexit([] {
    if (!right(6)) _exit(6);
  });
  return outermost.first && right(7) ? 0 : 4;
}
