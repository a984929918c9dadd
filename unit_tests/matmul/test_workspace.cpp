// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products in memory that the caller gives.
#include <matmul/cases.hpp>
#include <support/workspace.hpp>

#include <cstdint>

namespace {

using namespace pantile::testing;
using pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
void expect_right(Shape const& shape, MatmulOptions options, Takes takes) {
  SCOPED_TRACE(to_string(shape) + " " + to_string(options.algorithm));
  Exec const exec;
  Call<T> const call(shape);
  Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::left);
  expect_right_in_given_memory(
      takes, [&] { return Placed<T, Exec>("C", call.c, Placement::right); },
      [&](auto const& C, pantile::Workspace const& workspace) {
        options.workspace = workspace;
        pantile::matmul(exec, call.alpha, A.view(), B.view(), call.beta, C.view(), options);
      },
      [&](auto const& C) {
        return pantile::explain::matmul(exec, call.alpha, A.view(), B.view(), call.beta, C.view(), options);
      });
}

template <class T>
void expect_right_for_all() {
  MatmulOptions const tiled{.algorithm = MatmulAlgorithm::tiled, .tile = {32, 16, 8}};
  for (Shape const& shape : {Shape{200, 210, 190}, Shape{333, 65, 700}, Shape{3, 3000, 400}}) {
    expect_right<T>(shape, {}, Takes::as_planned);
    expect_right<T>(shape, tiled, Takes::some);
    expect_right<T>(shape, {.algorithm = MatmulAlgorithm::naive}, Takes::none);
  }
  expect_right<T>({7, 5, 6}, {}, Takes::as_planned);
  expect_right<T>({260, 270, 300}, {}, Takes::some);  // B, down whose columns it is read, is packed
}

TEST(MatmulWorkspace, Float) { expect_right_for_all<float>(); }
TEST(MatmulWorkspace, ComplexDouble) { expect_right_for_all<Kokkos::complex<double>>(); }
TEST(MatmulWorkspace, Integers) { expect_right_for_all<std::int32_t>(); }

}  // namespace
