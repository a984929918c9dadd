// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of products, a stride apart, with one matrix for all and by addresses, beside the vendor's batched
///        gemm; and of transpositions beside a copy of as many bytes.
#include <gpu/device.hpp>
#include <gpu/vendor_blas.hpp>
#include <support/product_check.hpp>

#include <pantile/matmul.hpp>
#include <pantile/transpose.hpp>

#include <memory>

namespace pantile::perf {

namespace {

/// Square matrices one behind the other, or (rank 2) one of them.
template <class T, int Rank = 3>
using Squares =
    Kokkos::View<std::conditional_t<Rank == 3, T***, T**>, Kokkos::LayoutRight, typename Exec::memory_space>;

template <class T, int Rank = 3>
Squares<T, Rank> make_squares(std::int64_t count, std::int64_t n) {
  auto const unset = Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::squares");
  if constexpr (Rank == 3) {
    return Squares<T>(unset, count, n, n);
  } else {
    return Squares<T, 2>(unset, n, n);
  }
}
template <class T, int Rank = 3>
Squares<T, Rank> random_squares(std::int64_t count, std::int64_t n, std::uint64_t seed) {
  auto const squares = make_squares<T, Rank>(count, n);
  fill_random(Exec(), squares, seed);
  return squares;
}

/// The p-th matrix, and the elements from one to the next.
template <class View>
auto at(View const& squares, std::int64_t p) {
  if constexpr (View::rank() == 3) {
    return Kokkos::subview(squares, p, Kokkos::ALL, Kokkos::ALL);
  } else {
    return squares;
  }
}
template <class View>
long long step(View const& squares) {
  return View::rank() == 3 ? static_cast<long long>(squares.stride(0)) : 0;
}

/// All rows of all matrices.
template <class T>
Matrix<T> rows_of(Squares<T> const& squares) {
  return Matrix<T>(squares.data(), squares.extent(0) * squares.extent(1), squares.extent(2));
}

/// Every matrix' address, where kernels of the device read it.
template <class T>
class Addresses {
 public:
  explicit Addresses(Squares<T> const& squares) : m_squares(squares), m_held("addresses", squares.extent(0)) {
    auto const host = Kokkos::create_mirror_view(m_held);
    for (std::size_t p = 0; p < host.size(); ++p) {
      host(p) = reinterpret_cast<std::uintptr_t>(squares.data() + p * squares.stride(0));
    }
    Kokkos::deep_copy(m_held, host);
  }
  template <class Element>
  [[nodiscard]] Element* const* of() const {
    return reinterpret_cast<Element* const*>(m_held.data());
  }
  template <class Element>
  [[nodiscard]] MatrixPointers<Element, typename Exec::memory_space> pointers() const {
    std::size_t const n = m_squares.extent(1);
    return {of<Element>(), m_squares.extent(0), n, n, n, 1};
  }

 private:
  Squares<T> m_squares;
  Kokkos::View<std::uintptr_t*, typename Exec::memory_space> m_held;
};

/// Operands of C_p = A_p B_p; of rank 2 is what all products have in common.
template <class T, int RankA = 3, int RankB = 3>
class BatchedProduct {
 public:
  using Element = T;

  BatchedProduct(std::int64_t count_, std::int64_t n_) : count(count_), n(n_) {
    double const bytes = sizeof(T) * static_cast<double>(n * n) * static_cast<double>(count);
    std::int64_t const sets = sets_for((RankA + RankB - 3) * bytes);
    for (std::int64_t set = 0; set < sets; ++set) {
      auto const seed = static_cast<std::uint64_t>(2 * set + 1);
      m_a.push_back(random_squares<T, RankA>(count, n, seed));
      m_b.push_back(random_squares<T, RankB>(count, n, seed + 1));
      m_c.push_back(make_squares<T>(count, n));
    }
    Exec().fence("pantile::perf: operands");
  }

  /// Of the i-th call.
  [[nodiscard]] auto const& a(std::int64_t i = 0) const { return m_a[place(i)]; }
  [[nodiscard]] auto const& b(std::int64_t i = 0) const { return m_b[place(i)]; }
  [[nodiscard]] auto const& c(std::int64_t i = 0) const { return m_c[place(i)]; }
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % m_c.size(); }
  [[nodiscard]] std::size_t sets() const { return m_c.size(); }

  /// Drawn elements of ten of the products; all of the first result that is right is kept, later ones are compared.
  Verdict judge() {
    constexpr std::int64_t judged = 10;
    Verdict verdict;
    double worst = 0;
    for (std::int64_t s = 0; s < judged; ++s) {
      std::int64_t const p = s * (count - 1) / (judged - 1);
      verdict = check_product(Exec(), at(a(), p), at(b(), p), at(c(), p), MatmulOptions{});
      worst = verdict.figures["error"] = std::max(worst, verdict.figures["error"]);
      if (!verdict.wrong.empty()) {
        verdict.wrong = "product " + std::to_string(p) + ": " + verdict.wrong;
        return verdict;
      }
    }
    if (m_reference.data() == nullptr) {
      m_reference = make_squares<T>(count, n);
      Kokkos::deep_copy(Exec(), m_reference, c());
      return verdict;
    }
    Verdict const other = check_against(Exec(), rows_of<T>(c()), rows_of<T>(m_reference), n, Precision::full);
    verdict.wrong = other.wrong;
    verdict.figures.insert(other.figures.begin(), other.figures.end());
    return verdict;
  }

  std::int64_t const count, n;

 private:
  std::vector<Squares<T, RankA>> m_a;
  std::vector<Squares<T, RankB>> m_b;
  std::vector<Squares<T>> m_c;
  Squares<T> m_reference;
};

/// Pantile's call, and the vendor's, take (i): the number of the call.
template <class P, class Own, class Vendor>
Contest batch_contest(std::shared_ptr<P> const& p, std::string const& plan, Own const& own, Vendor const& vendor) {
  Judge const judge = [p] { return p->judge(); };
  auto const n = static_cast<double>(p->n);
  double const amount = 2e-9 * static_cast<double>(p->count) * n * n * n;
  Contest contest("GFLOP/s", amount);
  contest.before_judged_call([p] { spoil(Exec(), p->c()); });
  contest.plan(plan);
  contest.own(timed(Exec(), own), judge);
  VendorBlas const* const blas = VendorBlas::open();
  auto const call = [vendor, blas](std::int64_t i) { vendor(*blas, i); };
  if (blas != nullptr) contest.peer(blas->name(), timed(Exec(), call), judge);
  double const bytes = sizeof(typename P::Element) * static_cast<double>(p->a().size() + p->b().size() + p->c().size());
  bound_by_copy(contest, std::floor(bytes / 2), amount);
  return contest;
}

template <class T, int RankA, int RankB>
Contest strided_contest(std::int64_t count, std::int64_t n) {
  auto const p = std::make_shared<BatchedProduct<T, RankA, RankB>>(count, n);
  auto const own = [p](std::int64_t i) { matmul(Exec(), 1, p->a(i), p->b(i), 0, p->c(i)); };
  // Column-major, as of one product: C^T = B^T A^T.
  auto const vendor = [p](VendorBlas const& blas, std::int64_t i) {
    blas.multiply_strided<T>(static_cast<int>(p->n), {p->b(i).data(), step(p->b(i))}, {p->a(i).data(), step(p->a(i))},
                             {p->c(i).data(), step(p->c(i))}, static_cast<int>(p->count));
  };
  return batch_contest(p, to_string(explain::matmul(Exec(), 1, p->a(), p->b(), 0, p->c())), own, vendor);
}

template <class T>
Contest pointers_contest(std::int64_t count, std::int64_t n) {
  struct Lists {
    Addresses<T> a, b, c;
  };
  auto const p = std::make_shared<BatchedProduct<T>>(count, n);
  std::vector<Lists> all;
  for (std::size_t set = 0; set < p->sets(); ++set) {
    auto const i = static_cast<std::int64_t>(set);
    all.push_back({Addresses<T>(p->a(i)), Addresses<T>(p->b(i)), Addresses<T>(p->c(i))});
  }
  auto const of = [p, all](std::int64_t i) -> Lists const& { return all[p->place(i)]; };
  auto const own = [of](std::int64_t i) {
    Lists const& lists = of(i);
    matmul(Exec(), 1, lists.a.template pointers<T const>(), lists.b.template pointers<T const>(), 0,
           lists.c.template pointers<T>());
  };
  auto const vendor = [of, p](VendorBlas const& blas, std::int64_t i) {
    Lists const& lists = of(i);
    blas.multiply_scattered<T>(static_cast<int>(p->n), lists.b.template of<T const>(), lists.a.template of<T const>(),
                               lists.c.template of<T>(), static_cast<int>(p->count));
  };
  auto const plan = explain::matmul(Exec(), 1, all[0].a.template pointers<T const>(),
                                    all[0].b.template pointers<T const>(), 0, all[0].c.template pointers<T>());
  return batch_contest(p, to_string(plan), own, vendor);
}

template <class T>
struct SquaresDiffer {
  Squares<T> a, b;
  KOKKOS_FUNCTION bool operator()(std::int64_t p, std::int64_t place) const {
    auto const n = static_cast<std::int64_t>(a.extent(1));
    return !(b(p, place / n, place % n) == a(p, place % n, place / n));
  }
};

template <class T>
Contest transpose_contest(std::int64_t count, std::int64_t n) {
  double const bytes = sizeof(T) * static_cast<double>(count) * static_cast<double>(n * n);
  std::vector<Squares<T>> a, b;
  for (std::int64_t set = sets_for(2 * bytes); set > 0; --set) {
    a.push_back(random_squares<T>(count, n, static_cast<std::uint64_t>(set)));
    b.push_back(make_squares<T>(count, n));
  }
  Exec().fence("pantile::perf: operands");
  Contest contest("GB/s", 2e-9 * bytes);
  contest.before_judged_call([to = b[0]] { spoil(Exec(), to); });
  contest.plan(to_string(explain::transpose(Exec(), a[0], b[0])));
  auto const own = [a, b](std::int64_t i) {
    std::size_t const set = static_cast<std::size_t>(i) % a.size();
    transpose(Exec(), a[set], b[set]);
  };
  contest.own(timed(Exec(), own), [=, from = a[0], to = b[0]] {
    return none_differs(Exec(), count, n * n, SquaresDiffer<T>{from, to});
  });
  bound_by_copy(contest, bytes);
  return contest;
}

template <class T>
void add_batches() {
  std::vector<std::int64_t> edges{4, 8, 16, 24, 32, 48, 100};
  if (!settings().full())
    edges = settings().smoke() ? std::vector<std::int64_t>{5} : std::vector<std::int64_t>{4, 16, 48};
  std::int64_t const count = settings().smoke() ? 11 : 10000;
  struct Family {
    char const* name;
    Contest (*make)(std::int64_t, std::int64_t);
  };
  Family const families[] = {{"batched", strided_contest<T, 3, 3>},
                             {"batched_one_a", strided_contest<T, 2, 3>},
                             {"batched_one_b", strided_contest<T, 3, 2>},
                             {"batched_pointers", pointers_contest<T>},
                             {"batched_transpose", transpose_contest<T>}};
  for (std::int64_t const n : edges) {
    std::string const size = std::to_string(count) + "x" + std::to_string(n);
    for (Family const& family : families) {
      add_case(std::string(family.name) + "/" + element_name_v<T> + "/" + size,
               [=, make = family.make] { return make(count, n); });
    }
  }
}

bool const batches_registered = on_start([] {
  add_batches<float>();
  add_batches<double>();
});

}  // namespace

}  // namespace pantile::perf
