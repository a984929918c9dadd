// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of products where kernels run by default: on a device its own launches, of operands and addresses in
///        its own memory. test_batched.cpp has what is of hosts.
#include <matmul/batches.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using BatchAlgorithm = pantile::MatmulAlgorithm;
using pantile::Op;

template <class TestCase>
class MatmulBatchesDefaultSpace : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulBatchesDefaultSpace, AllCases);

/// Kernels of devices know strides alone, so that fewer combinations do: every third of them.
template <class Exec>
constexpr std::size_t every = pantile::impl::arch::Current<Exec>::device ? 3 : 1;
constexpr std::size_t layout_count = std::size(batch_layouts), form_count = std::size(forms);

TYPED_TEST(MatmulBatchesDefaultSpace, WithOneMatrixForAllOrByPointers) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<Shape> const shapes{{4, 4, 4}, {1, 7, 3}, {7, 1, 3}, {17, 35, 21}};
  for (std::size_t f = 0; f < form_count; ++f) {
    for (std::size_t l = 0; l < layout_count; l += every<decltype(exec)>) {
      BatchLayout const &first = batch_layouts[0], &layout = batch_layouts[(l + f) % layout_count];
      for (Shape const shape : shapes) {
        SCOPED_TRACE(std::string(forms[f].name) + " " + layout.name + " " + to_string(shape));
        expect_right(exec, BatchCall<T>{shape, 5, layout, layout, layout, forms[f]});
        expect_right(exec, BatchCall<T>{shape, 5, first, first, layout, forms[f]});
      }
    }
  }
}

TYPED_TEST(MatmulBatchesDefaultSpace, OfEveryNumberAndMoreThanATile) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<Shape> const shapes{{1, 1, 1}, {5, 3, 300}, {70, 61, 53}, {0, 3, 2}, {3, 2, 0}, {130, 140, 20}};
  for (Shape const shape : shapes) {
    for (std::size_t const count : {0U, 1U, 3U}) {
      SCOPED_TRACE(to_string(shape) + ", " + std::to_string(count));
      BatchLayout const& layout = batch_layouts[4 * (count % 2)];  // whole packs at odd strides, too
      expect_right(exec, BatchCall<T>{shape, count, layout, layout, layout});
      expect_right(exec, BatchCall<T>{shape, count, layout, layout, layout, forms[4]});
    }
  }
}

TYPED_TEST(MatmulBatchesDefaultSpace, OfOperatorsAndAlgorithms) {
  using T = typename TypeParam::T;
  using Exec = typename TypeParam::Exec;
  std::vector<BatchAlgorithm> const algorithms{BatchAlgorithm::automatic, BatchAlgorithm::naive,
                                               BatchAlgorithm::blocked};
  std::size_t at = 0;
  for (Op const op_a : {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose}) {
    for (Op const op_b : {Op::none, Op::transpose, Op::conjugate_transpose}) {
      for (BatchAlgorithm const algorithm : algorithms) {
        for (Form const& form : forms) {
          bool const refused = every<Exec> > 1 && form.pointers && algorithm == BatchAlgorithm::blocked;
          if (refused || ++at % every<Exec> != 0) continue;
          SCOPED_TRACE(std::string(form.name) + " " + to_string(op_a) + " " + to_string(op_b) + " " +
                       to_string(algorithm));
          expect_right(Exec(), BatchCall<T>{.shape = {6, 5, 7},
                                            .count = 4,
                                            .form = form,
                                            .options = {.op_a = op_a, .op_b = op_b, .algorithm = algorithm}});
        }
      }
    }
  }
}

TYPED_TEST(MatmulBatchesDefaultSpace, ThatOnlyScale) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<std::pair<T, T>> const scalars{{T(0), scalar<T>(3, 2)}, {T(0), T(0)}};
  for (auto const& [alpha, beta] : scalars) {
    for (BatchLayout const& layout : batch_layouts) {
      SCOPED_TRACE(layout.name);
      expect_right(exec, BatchCall<T>{{4, 6, 5}, 3, layout, layout, layout, forms[0], alpha, beta});
    }
    expect_right(exec, BatchCall<T>{.shape = {4, 6, 5}, .count = 3, .form = forms[4], .alpha = alpha, .beta = beta});
  }
}

TYPED_TEST(MatmulBatchesDefaultSpace, DoNotReadCWhereBetaIsZero) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<Shape> const shapes{{4, 4, 4}, {30, 31, 32}};
  for (Shape const shape : shapes) {
    expect_right(exec, BatchCall<T>{.shape = shape, .count = 3, .alpha = T(1), .beta = T(0)});
    expect_right(exec, BatchCall<T>{.shape = shape, .count = 3, .form = forms[4], .alpha = T(1), .beta = T(0)});
  }
}

/// A batch that is one matrix as often as that, by a stride of zero.
TYPED_TEST(MatmulBatchesDefaultSpace, WithAStrideOfZero) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<Shape> const shapes{{4, 4, 4}, {9, 35, 21}};
  for (Shape const shape : shapes) {
    auto const [m, n, k] = shape;
    for (bool const common_a : {true, false}) {
      SCOPED_TRACE(to_string(shape) + (common_a ? ", one A" : ", one B"));
      PlacedBatch<T> a(common_a ? 1 : 3, m, k, batch_layouts[0], 1), b(common_a ? 3 : 1, k, n, batch_layouts[0], 2);
      PlacedBatch<T> c(3, m, n, batch_layouts[4], 3);
      PlacedBatch<T> const before = c;
      BatchOn<T, decltype(exec)> const a_there(a), b_there(b), c_there(c);
      auto const left = common_a ? a_there.repeated(3) : a_there.view();
      auto const right = common_a ? b_there.view() : b_there.repeated(3);
      pantile::matmul(exec, T(1), left, right, T(1), c_there.view());
      exec.fence();
      c_there.bring_back();
      for (std::size_t i = 0; i < 3; ++i) {
        auto const expected =
            reference_matmul(T(1), a.values(common_a ? 0 : i), b.values(common_a ? i : 0), T(1), before.values(i));
        ASSERT_TRUE(within(c.values(i), expected.values, expected.bound)) << "product " << i;
      }
      EXPECT_TRUE(c.surroundings_intact());
    }
  }
}

template <class Layout>
void expect_right_in_layout_of_kokkos() {
  using Exec = Kokkos::DefaultExecutionSpace;
  using View = Kokkos::View<double***, Layout, Exec>;
  View const a("a", 6, 3, 4), b("b", 6, 4, 5), c("c", 6, 3, 5);
  auto const a_host = Kokkos::create_mirror_view(a), b_host = Kokkos::create_mirror_view(b);
  for (std::size_t i = 0; i < a.size(); ++i) a_host.data()[i] = static_cast<double>(i % 11);
  for (std::size_t i = 0; i < b.size(); ++i) b_host.data()[i] = static_cast<double>(i % 13);
  Kokkos::deep_copy(a, a_host);
  Kokkos::deep_copy(b, b_host);
  pantile::matmul(1.0, typename View::const_type(a), b, 0.0, c);
  auto const c_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
  for (int p = 0; p < 6; ++p) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) {
        double sum = 0;
        for (int l = 0; l < 4; ++l) sum += a_host(p, i, l) * b_host(p, l, j);
        ASSERT_EQ(c_host(p, i, j), sum);
      }
    }
  }
}

TEST(MatmulBatchesInDefaultSpace, OfKokkosOwnLayouts) {
  expect_right_in_layout_of_kokkos<Kokkos::LayoutRight>();
  expect_right_in_layout_of_kokkos<Kokkos::LayoutLeft>();
}

}  // namespace
