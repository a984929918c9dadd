// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transposition beside a copy of as many bytes, the vendor's library and the course's kernels in CUDA C.
#include <gpu/operands.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/transpose.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/transpose.hpp>
#endif

#include <memory>

namespace pantile::perf::gpu {

namespace {

template <class T>
struct NotTransposed {
  Matrix<T> a, b;
  KOKKOS_FUNCTION void operator()(std::int64_t index, std::int64_t& wrong) const {
    auto const cols = static_cast<std::int64_t>(a.extent(1));
    wrong += a(index / cols, index % cols) == b(index % cols, index / cols) ? 0 : 1;
  }
};

template <class T>
struct TransposeOperands {
  std::int64_t m, n;
  std::vector<Matrix<T>> a, b;
  Matrix<T> original{};  ///< of a matrix in place

  TransposeOperands(std::int64_t rows, std::int64_t cols, bool in_place) : m(rows), n(cols) {
    std::int64_t const sets = sets_for(2.0 * static_cast<double>(m * n) * sizeof(T));
    for (std::int64_t set = 0; set < sets; ++set) {
      a.push_back(random_matrix<T>(m, n, static_cast<std::uint64_t>(set + 1)));
      if (!in_place) b.push_back(make_matrix<T>(n, m));
    }
    if (in_place) original = make_matrix<T>(m, n);
    instance().fence("pantile::perf: operands");
  }
  [[nodiscard]] std::size_t place(std::int64_t i) const { return static_cast<std::size_t>(i) % a.size(); }
  [[nodiscard]] Verdict judge() const {
    auto const wrong =
        count_if(m * n, NotTransposed<T>{original.data() == nullptr ? a[0] : original, b.empty() ? a[0] : b[0]});
    return all_equal(wrong, m * n);
  }
};

template <class T>
void add_vendor(Contest& contest, std::shared_ptr<TransposeOperands<T>> const& o) {
  if constexpr (FullBlasElement<T>) {
    VendorBlas const* const blas = VendorBlas::open();
    if (blas == nullptr) return;
    // In columns: B (m, n) is the transpose of what A's memory is, (n, m).
    contest.peer(
        blas->name(),
        [o, blas](std::int64_t i) {
          auto const [rows, cols] = std::pair(static_cast<int>(o->m), static_cast<int>(o->n));
          T* const b = o->b[o->place(i)].data();
          blas->add<T>(rows, cols, {o->a[o->place(i)].data(), o->n, Op::transpose}, T(0), {b, o->m, Op::none}, b, rows);
        },
        [o] { return o->judge(); });
  }
}

template <class T>
void add_twin([[maybe_unused]] Contest& contest, [[maybe_unused]] std::shared_ptr<TransposeOperands<T>> const& o) {
#if defined(PANTILE_PERF_CUDA_C)
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    for (auto const& [name, kernel] : {std::pair{"cuda_c_tile", cuda_c::transpose_tile<T>},
                                       std::pair{"cuda_c_padded", cuda_c::transpose_padded<T>}}) {
      contest.peer(
          name,
          [o, kernel = kernel](std::int64_t i) {
            kernel(o->m, o->n, o->a[o->place(i)].data(), o->b[o->place(i)].data(), native_stream());
          },
          [o] { return o->judge(); });
    }
  }
#endif
}

template <class T>
double moved(std::int64_t m, std::int64_t n) {
  return 2e-9 * static_cast<double>(m) * static_cast<double>(n) * sizeof(T);
}

template <class T>
void add_copy(Contest& contest, std::int64_t m, std::int64_t n) {
  contest.bound("copy", DeviceCopy(m * n * static_cast<std::int64_t>(sizeof(T))), moved<T>(m, n));
}

template <class T>
std::string out_of_place(std::string const& name, std::int64_t m, std::int64_t n) {
  auto const o = std::make_shared<TransposeOperands<T>>(m, n, false);
  Contest contest("GB/s", moved<T>(m, n));
  contest.before_judged_call([o] { spoil(o->b[0]); });
  contest.plan(to_string(explain::transpose(instance(), o->a[0], o->b[0])));
  contest.own([o](std::int64_t i) { transpose(instance(), o->a[o->place(i)], o->b[o->place(i)]); },
              [o] { return o->judge(); });
  add_vendor(contest, o);
  add_twin(contest, o);
  add_copy<T>(contest, m, n);
  return contest.run(name);
}

template <class T>
std::string in_place(std::string const& name, std::int64_t n) {
  auto const o = std::make_shared<TransposeOperands<T>>(n, n, true);
  Contest contest("GB/s", moved<T>(n, n));
  contest.before_judged_call([o] { Kokkos::deep_copy(instance(), o->original, o->a[0]); });
  contest.plan(to_string(explain::transpose(instance(), o->a[0])));
  contest.own([o](std::int64_t i) { transpose(instance(), o->a[o->place(i)]); }, [o] { return o->judge(); });
  add_copy<T>(contest, n, n);
  return contest.run(name);
}

template <class T>
void add_extents(char const* element, std::vector<std::pair<std::int64_t, std::int64_t>> const& shapes) {
  for (auto const& [m, n] : shapes) {
    add_case(std::string("transpose/") + element + "/" + std::to_string(m) + "x" + std::to_string(n),
             [m = m, n = n](std::string const& name) { return out_of_place<T>(name, m, n); });
  }
}

template <class T>
void add_in_place(char const* element, std::vector<std::int64_t> const& edges) {
  for (std::int64_t const n : edges) {
    add_case(std::string("transpose_in_place/") + element + "/" + std::to_string(n) + "x" + std::to_string(n),
             [n](std::string const& name) { return in_place<T>(name, n); });
  }
}

}  // namespace

void add_transpose_cases() {
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
}

}  // namespace pantile::perf::gpu
