// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of small products and transpositions beside loops over what the peers have for one of them, shared
///        among as many threads.
#include <peers/blas.hpp>
#include <peers/eigen.hpp>
#include <peers/machine.hpp>
#include <support/operands.hpp>
#include <support/product_check.hpp>
#include <support/twin.hpp>

#include <pantile/matmul.hpp>
#include <pantile/transpose.hpp>

#if defined(PANTILE_PERF_KOKKOS_KERNELS)
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_Serial_Impl.hpp>
#endif

namespace pantile::perf {

namespace {

template <class T, class Layout>
using Batch = Kokkos::View<T***, Layout, Kokkos::HostSpace>;

template <class T, class Layout>
struct Squares {
  std::int64_t count, n;
  Batch<T, Layout> a, b, c;

  Squares(std::int64_t count_, std::int64_t n_)
      : count(count_), n(n_), a("a", count, n, n), b("b", count, n, n), c("c", count, n, n) {
    fill_random(Host(), a, 1);
    fill_random(Host(), b, 2);
  }
  /// The i-th matrix of a batch.
  static auto at(Batch<T, Layout> const& batch, std::int64_t i) {
    return Kokkos::subview(batch, i, Kokkos::ALL, Kokkos::ALL);
  }
  /// Of the first, a middle and the last product.
  [[nodiscard]] Verdict judge() const {
    Verdict verdict;
    for (std::int64_t const i : {std::int64_t(0), count / 2, count - 1}) {
      Verdict const one = check_product(Host(), at(a, i), at(b, i), at(c, i), MatmulOptions{});
      if (!one.wrong.empty()) verdict.wrong = "product " + std::to_string(i) + ": " + one.wrong;
    }
    return verdict;
  }
};

/// A loop over the products of contiguous operands, shared among threads.
template <class P, class Call>
Stopwatch loop_over(std::shared_ptr<P> const& p, Call call) {
  auto const step = static_cast<std::size_t>(p->n * p->n);
  return timed(Host(), [=, a = twin(p->a.data()), b = twin(p->b.data()), c = twin(p->c.data())] {
    on_all_threads(static_cast<std::size_t>(p->count), 1, [=](std::size_t begin, std::size_t end) {
      call(end - begin, a + begin * step, b + begin * step, c + begin * step);
    });
  });
}

#if defined(PANTILE_PERF_KOKKOS_KERNELS)
/// KokkosBatched's product by one thread, of each of the batch.
template <class T, class Layout>
Stopwatch kokkos_batched(std::shared_ptr<Squares<T, Layout>> const& p) {
  using Not = KokkosBatched::Trans::NoTranspose;
  using Gemm = KokkosBatched::SerialGemm<Not, Not, KokkosBatched::Algo::Gemm::Blocked>;
  return timed(Host(), [a = p->a, b = p->b, c = p->c, count = p->count] {
    Kokkos::parallel_for("KokkosBatched::SerialGemm", Kokkos::RangePolicy<Host>(0, count), [=](std::int64_t i) {
      using Problem = Squares<T, Layout>;
      Gemm::invoke(T(1), Problem::at(a, i), Problem::at(b, i), T(0), Problem::at(c, i));
    });
  });
}
#endif

template <class T, class Layout>
Contest product_contest(std::int64_t count, std::int64_t n) {
  auto const p = std::make_shared<Squares<T, Layout>>(count, n);
  auto const judge = [p] { return p->judge(); };
  auto const edge = static_cast<double>(n);
  Contest contest("GFLOP/s", 2e-9 * static_cast<double>(count) * edge * edge * edge);
  contest.before_judged_call([p] { spoil(Host(), p->c); });
  contest.plan(to_string(explain::matmul(Host(), 1, p->a, p->b, 0, p->c)));
  contest.own(timed(Host(), [p] { matmul(Host(), 1, p->a, p->b, 0, p->c); }), judge);
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>) {
    auto const one_by_one = [n](auto multiply) {
      return [=](std::size_t left, auto const* a, auto const* b, auto* c) {
        for (std::int64_t const step = n * n; left > 0; --left, a += step, b += step, c += step)
          multiply(n, n, n, a, b, c);
      };
    };
    for (Blas const* const blas : Blas::all()) {
      contest.peer(blas->name(), loop_over(p, one_by_one([blas](auto... operands) { blas->multiply(operands...); })),
                   judge);
    }
#if defined(PANTILE_PERF_EIGEN)
    contest.peer("eigen", loop_over(p, one_by_one([](auto... operands) { eigen::multiply<T>(operands...); })), judge);
    contest.peer("eigen_fixed", loop_over(p, [n](auto... operands) { eigen::multiply_fixed(n, operands...); }), judge);
#endif
  }
#if defined(PANTILE_PERF_KOKKOS_KERNELS)
  contest.peer("kokkos_batched", kokkos_batched(p), judge);
#endif
  add_peak<T>(contest);
  return contest;
}

template <class T>
Contest transpose_contest(std::int64_t count, std::int64_t n) {
  auto const p = std::make_shared<Squares<T, Kokkos::LayoutRight>>(count, n);
  auto const differs = [a = p->a, c = p->c, n](std::int64_t i, std::int64_t j) {
    return !(c(i, j / n, j % n) == a(i, j % n, j / n));
  };
  auto const judge = [=] { return none_differs(Host(), count, n * n, differs); };
  Contest contest("GB/s", 2e-9 * static_cast<double>(p->a.size()) * sizeof(T));
  contest.before_judged_call([p] { spoil(Host(), p->c); });
  contest.plan(to_string(explain::transpose(Host(), p->a, p->c)));
  contest.own(timed(Host(), [p] { transpose(Host(), p->a, p->c); }), judge);
#if defined(PANTILE_PERF_EIGEN)
  contest.peer("eigen",
               loop_over(p,
                         [n](std::size_t left, auto const* a, auto const*, auto* c) {
                           for (; left > 0; --left, a += n * n, c += n * n) eigen::transpose<T>(n, n, a, c);
                         }),
               judge);
#endif
  add_copies(contest, p->c.data(), p->a.data(), p->a.size() * sizeof(T));
  return contest;
}

template <class T>
void add_element(std::string const& element) {
  bool const full = settings().full(), smoke = settings().smoke();
  std::vector<std::int64_t> edges{4, 8, 16, 24, 32, 48, 100};
  if (!full) edges = smoke ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{4, 16, 48};
  std::int64_t const count = smoke ? 10 : 10000;
  for (std::int64_t const n : edges) {
    std::string const size = std::to_string(count) + "x" + std::to_string(n);
    add_case("batched/" + element + "/" + size, [=] { return product_contest<T, Kokkos::LayoutRight>(count, n); });
    add_case("batched_interleaved/" + element + "/" + size,
             [=] { return product_contest<T, Kokkos::LayoutLeft>(count, n); });
    add_case("batched_transpose/" + element + "/" + size, [=] { return transpose_contest<T>(count, n); });
  }
}

bool const registered = on_start([] {
  add_element<double>("double");
  add_element<float>("float");
});

}  // namespace

}  // namespace pantile::perf
