// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products of elements of low precision, whose sums are wider, of mixed ones, and of floats that may be
///         rounded.
#include <gpu/gemm.hpp>

namespace pantile::perf {

namespace {

/// Pantile beside the vendor's extended gemm, and beside Pantile's own float.
template <class T, class Result>
void add_low_precision_shapes(std::string const& element, std::vector<Shape> const& shapes) {
  for (Shape const& shape : shapes) {
    add_case("low_precision/" + element + "/" + shape.name(), [shape] {
      auto const p = make_device_product<T, T, Result>(shape);
      Contest contest = product_contest(p);
      bound_by_memory(contest, p);
      add_vendor_mixed(contest, p);
      bound_by_own<float>(contest, "own_float", p);
      return contest;
    });
  }
}

/// \brief  floats as pairs of tf32 or rounded to it, beside the vendor's with TF32, and Pantile's own in full. The
///         vendor has no like of the pairs: its peer is the product in full.
void add_rounded(std::string const& name, std::int64_t n, Precision precision) {
  add_case("low_precision/" + name + "/" + square(n).name(), [n, precision] {
    auto const p = make_device_product<float>(square(n), {.precision = precision});
    Contest contest = product_contest(p);
    add_vendor_mixed(contest, p, precision == Precision::tf32);
    bound_by_own<float>(contest, "own_float", p);
    return contest;
  });
}

/// float operands summed in double.
Contest mixed_contest(Shape const& shape) {
  auto const p = make_device_product<float, float, double>(shape);
  Contest contest = product_contest(p);
  bound_by_own<double>(contest, "own_double", p);
  return contest;
}

bool const low_precision_registered = on_start([] {
  using Half = Kokkos::Experimental::half_t;
  using Brain = Kokkos::Experimental::bhalf_t;
  std::vector<std::int64_t> edges = {4096};
  if (settings().smoke()) edges = {65};
  if (settings().full()) edges = {1024, 4096, 8192, 1023};
  std::vector<Shape> shapes;
  for (std::int64_t const n : edges) shapes.push_back(square(n));
  shapes.push_back(settings().smoke() ? Shape{8, 33, 40} : Shape{16, 8192, 8192});
  add_low_precision_shapes<Half, Half>("half", shapes);
  add_low_precision_shapes<Brain, Brain>("bhalf", shapes);
  add_low_precision_shapes<std::int8_t, std::int32_t>("int8", shapes);
  for (std::int64_t const n : edges) add_rounded("tf32", n, Precision::tf32);
  Shape const first = square(edges.front());
  add_rounded("three_tf32", first.n, Precision::three_tf32);
  add_case("mixed/float_to_double/" + first.name(), [first] { return mixed_contest(first); });
});

}  // namespace

}  // namespace pantile::perf
