// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products of elements of low precision, whose sums are wider, of mixed ones, and of floats that may be
///         rounded.
#include <gpu/gemm.hpp>

namespace pantile::perf::gpu {

namespace {

/// \brief  Pantile beside the vendor's extended gemm where it takes types and shapes, and beside Pantile's own float.
template <class T, class Result>
std::string low_precision_contest(std::string const& name, Shape const& shape) {
  auto const p = std::make_shared<Product<T, T, Result>>(shape, MatmulOptions{});
  auto const real = std::make_shared<Product<float, float, float>>(shape, MatmulOptions{});
  double const amount = operations<float>(shape) * 1e-9;
  Contest contest("GFLOP/s", amount);
  own_product(contest, p);
  bound_by_memory<T, T, Result>(contest, shape, amount);
  if (VendorBlas const* const blas = VendorBlas::open()) {
    auto const enqueue = [p, blas](std::int64_t i) {
      auto const [m, n, k] = p->shape();
      return blas->multiply_mixed(blas_type_of<T>(), blas_type_of<Result>(), static_cast<int>(n), static_cast<int>(m),
                                  static_cast<int>(k), blas_matrix(p->b(i), Op::none), blas_matrix(p->a(i), Op::none),
                                  p->c(i).data(), static_cast<int>(n));
    };
    if (enqueue(0)) {
      contest.peer(
          blas->name(), [enqueue](std::int64_t i) { enqueue(i); }, [p] { return p->judge(); });
    }
  }
  contest.bound(
      "own_float", [real](std::int64_t i) { matmul(instance(), 1, real->a(i), real->b(i), 0, real->c(i)); }, amount);
  return contest.run(name);
}

template <class T, class Result>
void add_low_precision_shapes(std::string const& group, std::vector<Shape> const& shapes) {
  for (Shape const& shape : shapes) {
    add_case(group + "/" + text_of(shape),
             [shape](std::string const& name) { return low_precision_contest<T, Result>(name, shape); });
  }
}

/// \brief  floats as pairs of tf32 or rounded to it, beside the vendor's with TF32, and Pantile's own in full. The
///         vendor has no like of the pairs: its peer is the product in full.
std::string rounded_contest(std::string const& name, Shape const& shape, Precision precision) {
  auto const p = std::make_shared<Product<float, float, float>>(shape, MatmulOptions{.precision = precision});
  double const amount = operations<float>(shape) * 1e-9;
  Contest contest("GFLOP/s", amount);
  own_product(contest, p);
  if (VendorBlas const* const blas = VendorBlas::open()) {
    bool const tf32 = precision == Precision::tf32;
    auto const enqueue = [p, blas, tf32](std::int64_t i) {
      auto const [m, n, k] = p->shape();
      return blas->multiply_mixed(BlasType::f32, BlasType::f32, static_cast<int>(n), static_cast<int>(m),
                                  static_cast<int>(k), blas_matrix(p->b(i), Op::none), blas_matrix(p->a(i), Op::none),
                                  p->c(i).data(), static_cast<int>(n), tf32);
    };
    if (enqueue(0)) {
      contest.peer(
          blas->name(), [enqueue](std::int64_t i) { enqueue(i); }, [p] { return p->judge(); });
    }
  }
  contest.bound(
      "own_float", [p](std::int64_t i) { matmul(instance(), 1, p->a(i), p->b(i), 0, p->c(i)); }, amount);
  return contest.run(name);
}

/// float operands summed in double.
std::string mixed_contest(std::string const& name, Shape const& shape) {
  auto const p = std::make_shared<Product<float, float, double>>(shape, MatmulOptions{});
  auto const wide = std::make_shared<Product<double, double, double>>(shape, MatmulOptions{});
  double const amount = operations<double>(shape) * 1e-9;
  Contest contest("GFLOP/s", amount);
  own_product(contest, p);
  contest.bound(
      "own_double", [wide](std::int64_t i) { matmul(instance(), 1, wide->a(i), wide->b(i), 0, wide->c(i)); }, amount);
  return contest.run(name);
}

}  // namespace

void add_low_precision_matmul_cases() {
  using Half = Kokkos::Experimental::half_t;
  using Brain = Kokkos::Experimental::bhalf_t;
  std::vector<std::int64_t> edges = {4096};
  if (settings().smoke()) edges = {65};
  if (settings().full()) edges = {1024, 4096, 8192, 1023};
  std::vector<Shape> shapes;
  for (std::int64_t const n : edges) shapes.push_back(square(n));
  shapes.push_back(settings().smoke() ? Shape{8, 33, 40} : Shape{16, 8192, 8192});
  add_low_precision_shapes<Half, Half>("low_precision/half", shapes);
  add_low_precision_shapes<Brain, Brain>("low_precision/bhalf", shapes);
  add_low_precision_shapes<std::int8_t, std::int32_t>("low_precision/int8", shapes);
  for (std::int64_t const n : edges) {
    add_case("low_precision/tf32/" + text_of(square(n)),
             [n](std::string const& name) { return rounded_contest(name, square(n), Precision::tf32); });
  }
  for (std::int64_t const n : {edges.front()}) {
    add_case("low_precision/three_tf32/" + text_of(square(n)),
             [n](std::string const& name) { return rounded_contest(name, square(n), Precision::three_tf32); });
    add_case("mixed/float_to_double/" + text_of(square(n)),
             [n](std::string const& name) { return mixed_contest(name, square(n)); });
  }
}

}  // namespace pantile::perf::gpu
