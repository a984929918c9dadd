// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products of one element type: squares, odd edges, few rows or columns, few sums of many products.
#include <gpu/gemm.hpp>

namespace pantile::perf::gpu {

namespace {

template <class T>
void add_shapes(std::string const& group, std::vector<Shape> const& shapes) {
  for (Shape const& shape : shapes) {
    add_case(group + "/" + element_name_v<T> + "/" + text_of(shape),
             [shape](std::string const& name) { return gemm_contest<T>(name, shape); });
  }
}

std::vector<Shape> squares(std::vector<std::int64_t> const& edges) {
  std::vector<Shape> shapes;
  for (std::int64_t const edge : edges) shapes.push_back(square(edge));
  return shapes;
}

/// Few rows, few columns, and few sums of many products, which need the depth to be shared among teams.
std::vector<Shape> skinny() {
  if (settings().smoke()) return {{8, 33, 40}, {33, 8, 40}, {8, 8, 700}};
  std::vector<Shape> shapes = {{16, 8192, 8192}, {8192, 16, 8192}, {64, 64, 1 << 20}};
  if (settings().full()) {
    shapes.insert(shapes.end(), {{8, 8192, 8192},
                                 {64, 8192, 8192},
                                 {8192, 8, 8192},
                                 {8192, 64, 8192},
                                 {8, 8, 1 << 20},
                                 {16, 16, 1 << 20},
                                 {256, 256, 1 << 17},
                                 {1, 8192, 8192},
                                 {8192, 8192, 16}});
  }
  return shapes;
}

/// int32 is measured by Pantile's own float, which does as many operations.
std::string integer_contest(std::string const& name, Shape const& shape) {
  auto const whole = std::make_shared<Product<std::int32_t, std::int32_t, std::int32_t>>(shape, MatmulOptions{});
  auto const real = std::make_shared<Product<float, float, float>>(shape, MatmulOptions{});
  double const amount = operations<float>(shape) * 1e-9;
  Contest contest("GOP/s", amount);
  own_product(contest, whole);
  bound_by_memory<std::int32_t, std::int32_t, std::int32_t>(contest, shape, amount);
  contest.bound(
      "own_float", [real](std::int64_t i) { matmul(instance(), 1, real->a(i), real->b(i), 0, real->c(i)); }, amount);
  return contest.run(name);
}

}  // namespace

void add_matmul_cases() {
  Settings const& set = settings();
  if (set.smoke()) {
    add_shapes<float>("square", squares({65}));
    add_shapes<double>("square", squares({65}));
    add_shapes<Kokkos::complex<double>>("square", squares({33}));
    add_case("square/int32/65x65x65", [](std::string const& name) { return integer_contest(name, square(65)); });
  } else {
    add_shapes<float>("square", squares({1024, 2048, 4096, 8192}));
    add_shapes<double>("square", squares({1024, 2048, 4096, 8192}));
    if (set.full()) add_shapes<float>("square", squares({16384}));
    add_shapes<float>("odd", {square(1023), {4097, 4095, 4093}});
    add_shapes<double>("odd", {square(1023), {4097, 4095, 4093}});
    add_shapes<Kokkos::complex<float>>(
        "square", squares(set.full() ? std::vector<std::int64_t>{1024, 4096} : std::vector<std::int64_t>{4096}));
    add_shapes<Kokkos::complex<double>>(
        "square", squares(set.full() ? std::vector<std::int64_t>{1024, 4096} : std::vector<std::int64_t>{2048}));
    for (std::int64_t const n : {1024, 4096}) {
      add_case("square/int32/" + text_of(square(n)),
               [n](std::string const& name) { return integer_contest(name, square(n)); });
    }
  }
  std::vector<Shape> const shapes = skinny();
  add_shapes<float>("skinny", shapes);
  add_shapes<double>("skinny", shapes);
  add_shapes<Kokkos::complex<float>>("skinny", {shapes[0]});
  for (Shape const& shape : {shapes[0], shapes[1]}) {
    add_case("skinny/int32/" + text_of(shape),
             [shape](std::string const& name) { return integer_contest(name, shape); });
  }
}

/// Operators and strides at one size: the rate should not depend on them.
void add_matmul_form_cases() {
  auto const add = []<class T>(T, std::int64_t n) {
    std::string const prefix = std::string("forms/") + element_name_v<T> + "/" + std::to_string(n) + "/";
    Op const turned = is_complex_v<T> ? Op::conjugate_transpose : Op::transpose;
    struct Form {
      char const* name;
      MatmulOptions options;
      std::int64_t padding;
    };
    for (Form const& form : {Form{"nn", {}, 0}, Form{"nt", {.op_b = turned}, 0}, Form{"tn", {.op_a = turned}, 0},
                             Form{"tt", {.op_a = turned, .op_b = turned}, 0}, Form{"padded_by_1", {}, 1}}) {
      add_case(prefix + form.name, [n, form](std::string const& name) {
        return gemm_contest<T>(name, square(n), form.options, form.padding);
      });
    }
  };
  std::int64_t const n = settings().smoke() ? 65 : 4096;
  add(float{}, n);
  add(double{}, n);
  bool const quick = settings().scale == Scale::quick;
  if (!quick) add(Kokkos::complex<double>{}, settings().smoke() ? 33 : 2048);
}

}  // namespace pantile::perf::gpu
