// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products of one element type: squares, odd edges, few rows or columns, few sums of many products; and the
///        rungs beside the documents' kernels in CUDA C, of which numba_kernels.py has cases of the same names.
#include <gpu/gemm.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/matmul.hpp>
#endif

namespace pantile::perf {

namespace {

template <class T>
Contest vendor_contest(Shape const& shape, MatmulOptions const& options = {}, std::int64_t padding = 0) {
  auto const p = make_device_product<T>(shape, options, padding);
  Contest contest = product_contest(p);
  bound_by_memory(contest, p);
  add_vendor_gemm(contest, p);
  return contest;
}

template <class T>
void add_shapes(std::string const& group, std::vector<Shape> const& shapes) {
  for (Shape const& shape : shapes) {
    add_case(group + "/" + element_name_v<T> + "/" + shape.name(), [shape] { return vendor_contest<T>(shape); });
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

/// int32 is measured by Pantile's own float.
void add_integers(std::string const& group, std::vector<Shape> const& shapes) {
  for (Shape const& shape : shapes) {
    add_case(group + "/int32/" + shape.name(), [shape] {
      auto const p = make_device_product<std::int32_t>(shape);
      Contest contest = product_contest(p, "GOP/s");
      bound_by_memory(contest, p);
      bound_by_own<float>(contest, "own_float", p);
      return contest;
    });
  }
}

void add_matmul_cases() {
  Settings const& set = settings();
  if (set.smoke()) {
    add_shapes<float>("square", squares({65}));
    add_shapes<double>("square", squares({65}));
    add_shapes<Kokkos::complex<double>>("square", squares({33}));
    add_integers("square", squares({65}));
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
    add_integers("square", squares({1024, 4096}));
  }
  std::vector<Shape> const shapes = skinny();
  add_shapes<float>("skinny", shapes);
  add_shapes<double>("skinny", shapes);
  add_shapes<Kokkos::complex<float>>("skinny", {shapes[0]});
  add_integers("skinny", {shapes[0], shapes[1]});
}

/// Operators and strides at one size: the rate should not depend on them.
void add_matmul_form_cases() {
  auto const add = []<class T>(T, std::int64_t n) {
    std::string const prefix = std::string("forms/") + element_name_v<T> + "/" + std::to_string(n) + "/";
    Op const transposed = is_complex_v<T> ? Op::conjugate_transpose : Op::transpose;
    struct Form {
      char const* name;
      MatmulOptions options;
      std::int64_t padding;
    };
    for (Form const& form :
         {Form{"nn", {}, 0}, Form{"nt", {.op_b = transposed}, 0}, Form{"tn", {.op_a = transposed}, 0},
          Form{"tt", {.op_a = transposed, .op_b = transposed}, 0}, Form{"padded_by_1", {}, 1}}) {
      add_case(prefix + form.name, [n, form] { return vendor_contest<T>(square(n), form.options, form.padding); });
    }
  };
  std::int64_t const n = settings().smoke() ? 65 : 4096;
  add(float{}, n);
  add(double{}, n);
  bool const quick = settings().scale == Scale::quick;
  if (!quick) add(Kokkos::complex<double>{}, settings().smoke() ? 33 : 2048);
}

using CudaC = void (*)(int, int, int, float const*, float const*, float*, void*);

template <class T>
void add_rung(MatmulAlgorithm algorithm, std::int64_t n, CudaC twin = nullptr) {
  add_case(std::string("ladder/") + to_string(algorithm) + "/" + element_name_v<T> + "/" + std::to_string(n), [=] {
    auto const p = make_device_product<T>(square(n), {.algorithm = algorithm});
    Contest contest = product_contest(p);
    if constexpr (std::is_same_v<T, float>) {
      auto const call = [p, twin, edge = static_cast<int>(n)](std::int64_t i) {
        twin(edge, edge, edge, p->a(i).data(), p->b(i).data(), p->c(i).data(), native_stream(p->exec()));
      };
      if (twin != nullptr) contest.peer("cuda_c", timed(p->exec(), call), judge_of(p));
    }
    return contest;
  });
}

void add_matmul_ladder() {
  CudaC naive = nullptr, shared_tile = nullptr, strided = nullptr;
#if defined(PANTILE_PERF_CUDA_C)
  naive = cuda_c::naive;
  shared_tile = cuda_c::shared_tile;
  strided = cuda_c::grid_stride;
#endif
  std::vector<std::int64_t> edges = {128, 512, 1024};
  if (on_device) edges = {1024, 4096};
  if (settings().smoke()) edges = {65};
  for (std::int64_t const n : edges) {
    add_rung<float>(MatmulAlgorithm::naive, n, naive);
    add_rung<float>(MatmulAlgorithm::grid_stride, n, strided);
    add_rung<float>(MatmulAlgorithm::tiled, n, shared_tile);
  }
  for (MatmulAlgorithm const algorithm : {MatmulAlgorithm::naive, MatmulAlgorithm::tiled}) {
    add_rung<double>(algorithm, edges.front());
    add_rung<std::int32_t>(algorithm, edges.front());
  }
}

bool const matmul_registered = on_start([] {
  add_matmul_cases();
  add_matmul_form_cases();
  add_matmul_ladder();
});

}  // namespace

}  // namespace pantile::perf
