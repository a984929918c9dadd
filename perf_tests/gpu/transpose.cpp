// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transposition beside a copy of as many bytes, the vendor's library and the course's kernels in CUDA C.
#include <gpu/device.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/transpose.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/transpose.hpp>
#endif

#include <memory>

namespace pantile::perf {

namespace {

template <class T>
struct TransposeOperands {
  std::int64_t m, n;
  Exec exec{};
  std::vector<Matrix<T>> a{}, b{};

  TransposeOperands(std::int64_t rows, std::int64_t cols, bool in_place) : m(rows), n(cols) {
    std::int64_t const sets = sets_for(2.0 * static_cast<double>(m * n) * sizeof(T));
    for (std::int64_t set = 0; set < sets; ++set) {
      a.push_back(random_matrix<T>(exec, m, n, static_cast<std::uint64_t>(set + 1)));
      if (!in_place) b.push_back(make_matrix<T>(n, m));
    }
    exec.fence("pantile::perf: operands");
  }
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % a.size(); }
};

template <class T>
void add_vendor(Contest& contest, std::shared_ptr<TransposeOperands<T>> const& o, Judge const& judge) {
  if constexpr (FullBlasElement<T>) {
    VendorBlas const* const blas = VendorBlas::open();
    if (blas == nullptr) return;
    // In columns: B (m, n) is the transpose of what A's memory is, (n, m).
    auto const call = [o, blas](std::int64_t i) {
      auto const [rows, cols] = std::pair(static_cast<int>(o->m), static_cast<int>(o->n));
      T* const b = o->b[o->place(i)].data();
      blas->add<T>(rows, cols, {o->a[o->place(i)].data(), o->n, Op::transpose}, T(0), {b, o->m, Op::none}, b, rows);
    };
    contest.peer(blas->name(), timed(o->exec, call), judge);
  }
}

template <class T>
void add_twin([[maybe_unused]] Contest& contest, [[maybe_unused]] std::shared_ptr<TransposeOperands<T>> const& o,
              [[maybe_unused]] Judge const& judge) {
#if defined(PANTILE_PERF_CUDA_C)
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    for (auto const& [name, kernel] : {std::pair{"cuda_c_tile", cuda_c::transpose_tile<T>},
                                       std::pair{"cuda_c_padded", cuda_c::transpose_padded<T>}}) {
      auto const call = [o, kernel = kernel](std::int64_t i) {
        kernel(o->m, o->n, o->a[o->place(i)].data(), o->b[o->place(i)].data(), native_stream(o->exec));
      };
      contest.peer(name, timed(o->exec, call), judge);
    }
  }
#endif
}

template <class T>
double matrix_bytes(std::int64_t m, std::int64_t n) {
  return static_cast<double>(m) * static_cast<double>(n) * sizeof(T);
}

template <class T>
Contest out_of_place(std::int64_t m, std::int64_t n, TransposeOptions const& options) {
  auto const o = std::make_shared<TransposeOperands<T>>(m, n, false);
  Judge const judge = [o] { return transposed(o->exec, o->a[0], o->b[0]); };
  Contest contest("GB/s", 2e-9 * matrix_bytes<T>(m, n));
  contest.before_judged_call([o] { spoil(o->exec, o->b[0]); });
  contest.plan(to_string(explain::transpose(o->exec, o->a[0], o->b[0], options)));
  auto const own = [o, options](std::int64_t i) { transpose(o->exec, o->a[o->place(i)], o->b[o->place(i)], options); };
  contest.own(timed(o->exec, own), judge);
  add_vendor(contest, o, judge);
  add_twin(contest, o, judge);
  bound_by_copy(contest, matrix_bytes<T>(m, n));
  return contest;
}

template <class T>
Contest in_place(std::int64_t n) {
  auto const o = std::make_shared<TransposeOperands<T>>(n, n, true);
  auto const original = make_matrix<T>(n, n);
  Contest contest("GB/s", 2e-9 * matrix_bytes<T>(n, n));
  contest.before_judged_call([=] { Kokkos::deep_copy(o->exec, original, o->a[0]); });
  contest.plan(to_string(explain::transpose(o->exec, o->a[0])));
  contest.own(timed(o->exec, [o](std::int64_t i) { transpose(o->exec, o->a[o->place(i)]); }),
              [=] { return transposed(o->exec, original, o->a[0]); });
  bound_by_copy(contest, matrix_bytes<T>(n, n));
  return contest;
}

template <class T>
void add_extents(char const* element, std::vector<std::pair<std::int64_t, std::int64_t>> const& shapes,
                 TransposeOptions const& options = {}, std::string const& group = "transpose") {
  for (auto const& [m, n] : shapes) {
    add_case(group + "/" + element + "/" + std::to_string(m) + "x" + std::to_string(n),
             [m = m, n = n, options] { return out_of_place<T>(m, n, options); });
  }
}

template <class T>
void add_in_place(char const* element, std::vector<std::int64_t> const& edges) {
  for (std::int64_t const n : edges) {
    add_case(std::string("transpose_in_place/") + element + "/" + std::to_string(n) + "x" + std::to_string(n),
             [n] { return in_place<T>(n); });
  }
}

/// The rungs, for the documents' element and for one that meets other banks of scratch.
void add_transpose_ladder() {
  std::int64_t const n = settings().smoke() ? 65 : on_device ? 8192 : 4096;
  using enum TransposeAlgorithm;
  for (TransposeAlgorithm const algorithm : {naive, tiled, padded}) {
    std::string const group = std::string("ladder/transpose_") + to_string(algorithm);
    add_extents<float>("float", {{n, n}}, {.algorithm = algorithm}, group);
    add_extents<double>("double", {{n, n}}, {.algorithm = algorithm}, group);
  }
}

bool const transpose_registered = on_start([] {
  add_transpose_ladder();
  using Half = Kokkos::Experimental::half_t;
  using Wide = Kokkos::complex<double>;
  if (settings().smoke()) {
    add_extents<float>("float", {{65, 130}});
    add_extents<double>("double", {{65, 130}});
    add_extents<std::int8_t>("int8", {{65, 130}});
    add_extents<Half>("half", {{65, 130}});
    add_in_place<float>("float", {65});
    return;
  }
  add_extents<float>("float", {{8192, 8192}, {16384, 16384}, {8191, 8193}});
  add_extents<double>("double", {{8192, 8192}, {16384, 16384}, {8191, 8193}});
  add_in_place<float>("float", {8192});
  add_in_place<double>("double", {8192});
  add_extents<std::int8_t>("int8", {{16384, 16384}});
  add_extents<Half>("half", {{16384, 16384}});
  add_extents<Wide>("complex<double>", {{8192, 8192}});
  if (!settings().full()) return;
  add_extents<float>("float", {{32768, 32768}, {16383, 16385}, {1000003, 7}, {7, 1000003}, {1000000, 64}});
  add_extents<double>("double", {{32768, 32768}, {16383, 16385}});
  add_extents<std::int8_t>("int8", {{32768, 32768}, {16383, 16385}});
  add_extents<Half>("half", {{32768, 32768}, {16383, 16385}});
  add_in_place<float>("float", {16384, 8191});
  add_in_place<double>("double", {16384});
});

}  // namespace

}  // namespace pantile::perf
