// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of products beside the oracle: one call, on the instance that it is given.

#include <matmul/cases.hpp>
#include <support/batches.hpp>

#include <cstddef>

namespace pantile::testing {

/// Which operands are one matrix for all, or batches by pointers.
struct Form {
  char const* name;
  bool common_a, common_b, pointers;
};
inline constexpr Form forms[] = {{"batches", false, false, false}, {"one B", false, true, false},
                                 {"one A", true, false, false},    {"one of both", true, true, false},
                                 {"pointers", false, false, true}, {"pointers and one B", false, true, true}};

template <class T>
struct BatchCall {
  Shape shape;
  std::size_t count;
  BatchLayout layout_a = batch_layouts[0], layout_b = batch_layouts[0], layout_c = batch_layouts[0];
  Form form = forms[0];
  T alpha = scalar<T>(2, -1), beta = scalar<T>(3, 2);
  MatmulOptions options{};
};

template <class Exec, class T>
void multiply(Exec const& exec, BatchCall<T> const& call, BatchOn<T, Exec> const& a, BatchOn<T, Exec> const& b,
              BatchOn<T, Exec> const& c) {
  auto const run = [&](auto const& A, auto const& B, auto const& C) {
    pantile::matmul(exec, call.alpha, A, B, call.beta, C, call.options);
    exec.fence();
  };
  auto const with_b = [&](auto const& A, auto const& batch_b, auto const& C) {
    if (call.form.common_b) return run(A, b.at(0), C);
    run(A, batch_b, C);
  };
  if (call.form.pointers) {
    with_b(a.pointers(), b.pointers(), c.pointers());
  } else if (call.form.common_a) {
    with_b(a.at(0), b.view(), c.view());
  } else {
    with_b(a.view(), b.view(), c.view());
  }
}

/// Run the call on this instance; C must be right and nothing around it written. C is poisoned where it is not read.
template <class Exec, class T>
void expect_right(Exec const& exec, BatchCall<T> const& call) {
  auto const [m, n, k] = call.shape;
  bool const ta = transposes(call.options.op_a), tb = transposes(call.options.op_b);
  std::size_t const count_a = call.form.common_a ? 1 : call.count, count_b = call.form.common_b ? 1 : call.count;
  PlacedBatch<T> a(count_a, ta ? k : m, ta ? m : k, call.layout_a, 1),
      b(count_b, tb ? n : k, tb ? k : n, call.layout_b, 2);
  PlacedBatch<T> c(call.count, m, n, call.layout_c, 3);
  if (call.beta == T(0)) c.fill(poison<T>());
  PlacedBatch<T> const before = c;
  BatchOn<T, Exec> const c_there(c);
  multiply(exec, call, BatchOn<T, Exec>(a), BatchOn<T, Exec>(b), c_there);
  c_there.bring_back();
  for (std::size_t i = 0; i < call.count; ++i) {
    auto const expected =
        reference_matmul(call.alpha, apply(call.options.op_a, a.values(call.form.common_a ? 0 : i)),
                         apply(call.options.op_b, b.values(call.form.common_b ? 0 : i)), call.beta, before.values(i));
    ASSERT_TRUE(within(c.values(i), expected.values, expected.bound)) << "product " << i;
  }
  EXPECT_TRUE(c.surroundings_intact());
}

}  // namespace pantile::testing
