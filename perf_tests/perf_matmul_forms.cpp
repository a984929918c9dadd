// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul of other layouts, strides, alignments and operators beside the contiguous row-major product of the
///        same size: what each of them costs against the plain call.
#include <peers/gemm.hpp>

namespace pantile::perf {

namespace {

template <class T>
using Strided = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace>;

/// How an operand lies in memory. Every form is a Strided View, so that one instantiation serves all.
enum class Place {
  right,       ///< contiguous rows
  left,        ///< contiguous columns
  padded,      ///< rows of a wider matrix, five elements longer
  misaligned,  ///< padded, and beginning one element behind the alignment
  spaced       ///< every second column of a wider matrix
};

template <class T>
Strided<T> place(Place where, std::int64_t n) {
  auto const count = static_cast<std::size_t>(n);
  if (where == Place::left) {
    return Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace>("left", count, count);
  }
  if (where == Place::right) return HostMatrix<T>("right", count, count);
  if (where == Place::spaced) {
    Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace> const whole("spaced", count, count, 2);
    return Kokkos::subview(whole, Kokkos::ALL, Kokkos::ALL, 0);
  }
  HostMatrix<T> const whole("padded", count + 1, count + 5);
  std::size_t const first = where == Place::misaligned ? 1 : 0;
  return Kokkos::subview(whole, std::pair<std::size_t, std::size_t>(0, count),
                         std::pair<std::size_t, std::size_t>(first, first + count));
}

struct Form {
  std::string name;
  Place a = Place::right, b = Place::right, c = Place::right;
  Op op_a = Op::none, op_b = Op::none;
};

template <class T>
Contest form_contest(Form const& form, std::int64_t n) {
  auto const plain = make_host_product<T>(square(n));
  auto const a = place<T>(form.a, n), b = place<T>(form.b, n), c = place<T>(form.c, n);
  Kokkos::deep_copy(a, plain->a());
  Kokkos::deep_copy(b, plain->b());
  using Formed = Product<Host, T, T, T, Kokkos::LayoutStride>;
  auto const formed =
      std::make_shared<Formed>(Host(), square(n), MatmulOptions{.op_a = form.op_a, .op_b = form.op_b}, a, b, c);
  Contest contest = product_contest(formed);
  contest.before_judged_call([=] {
    plain->spoil_results();
    formed->spoil_results();
  });
  contest.peer("contiguous", watch_of(plain), judge_of(plain));
  add_peak<typename Twin<T>::real>(contest);
  return contest;
}

std::vector<Form> layouts() {
  std::vector<Form> forms;
  for (int mix = 1; mix < 8; ++mix) {
    auto const pick = [mix](int bit) { return (mix & bit) != 0 ? Place::left : Place::right; };
    std::string name = "layouts_";
    for (int const bit : {4, 2, 1}) name += (mix & bit) != 0 ? 'L' : 'R';
    forms.push_back({.name = name, .a = pick(4), .b = pick(2), .c = pick(1)});
  }
  return forms;
}

std::vector<Form> places() {
  std::vector<Form> forms;
  for (auto const& [name, where] : {std::pair<std::string, Place>{"padded", Place::padded},
                                    {"misaligned", Place::misaligned},
                                    {"spaced", Place::spaced}}) {
    forms.push_back({.name = name + "_A", .a = where});
    forms.push_back({.name = name + "_B", .b = where});
    forms.push_back({.name = name + "_C", .c = where});
    forms.push_back({.name = name + "_ABC", .a = where, .b = where, .c = where});
  }
  return forms;
}

std::vector<Form> operators(std::vector<Op> const& ops) {
  std::vector<Form> forms;
  for (Op const op_a : ops) {
    for (Op const op_b : ops) {
      if (op_a == Op::none && op_b == Op::none) continue;
      forms.push_back(
          {.name = std::string("ops_") + to_string(op_a) + "_" + to_string(op_b), .op_a = op_a, .op_b = op_b});
    }
  }
  return forms;
}

template <class T>
void add_forms(std::string const& element, std::vector<Form> const& forms) {
  std::vector<std::int64_t> sizes{256, 512, 1024};
  if (settings().smoke()) sizes = {9};
  if (settings().scale == Scale::quick) sizes = {256};
  for (std::int64_t const n : sizes) {
    for (Form const& form : forms) {
      add_case("forms/" + element + "/" + std::to_string(n) + "/" + form.name,
               [form, n] { return form_contest<T>(form, n); });
    }
  }
}

bool const registered = on_start([] {
  add_forms<double>("double", layouts());
  add_forms<double>("double", places());
  add_forms<double>("double", operators({Op::none, Op::transpose}));
  add_forms<float>("float", operators({Op::none, Op::transpose}));
  add_forms<Kokkos::complex<double>>("complex<double>",
                                     operators({Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose}));
});

}  // namespace

}  // namespace pantile::perf
