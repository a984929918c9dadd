// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/measure.hpp"
#include "operations/oracle.hpp"

#include <pantile/histogram.hpp>

namespace pantile::driver {

namespace {

template <class T>
void widen(Array const& from, Array& to) {
  auto const in = from.elements<T>();
  auto const out = to.elements<std::int64_t>();
  std::transform(in.begin(), in.end(), out.begin(), [](T value) { return static_cast<std::int64_t>(value); });
}

/// Bins or samples as a View of their rank, LayoutStride for the reason given in device_array.hpp.
template <std::size_t Rank, class Operand>
auto view_of(Operand const& operand) {
  if constexpr (Rank == 1) {
    return operand.bytes();
  } else {
    return operand.matrix();
  }
}

/// Serial recount: sums and, for real weights, the bound of n roundings of sum |w| in a bin with n samples.
template <class Index, class T>
Verification verify_histogram(HistogramTask const& task, Progress const& progress) {
  using WideT = Wide<T>;
  using Real = typename WideT::real_type;
  bool const tuples = task.counts.shape.rank() == 2;
  HostMatrix<Index> const indices(task.indices);
  HostMatrix<T> const counts(task.counts);
  std::int64_t const bins0 = counts.rows, bins1 = counts.cols;
  std::int64_t const samples = tuples ? indices.rows : static_cast<std::int64_t>(task.indices.count());
  std::vector<typename WideT::type> sums(task.counts.count());
  std::vector<Real> sizes(sums.size());
  std::vector<double> numbers(sums.size());
  std::uint64_t outside = 0;
  constexpr std::int64_t step = 1 << 22;
  for (std::int64_t s = 0; s < samples; ++s) {
    std::int64_t const i = tuples ? indices(s, 0) : indices.data[s], j = tuples ? indices(s, 1) : 0;
    if (i < 0 || i >= bins0 || j < 0 || j >= bins1) {
      ++outside;
      continue;
    }
    T const weight = task.weights == nullptr ? T(1) : task.weights->elements<T>()[static_cast<std::size_t>(s)];
    auto const bin = static_cast<std::size_t>(i * bins1 + j);
    sums[bin] += WideT::of(weight);
    sizes[bin] += finite_part(std::abs(static_cast<Real>(weight)));
    numbers[bin] += 1;
    if (progress && s % step == step - 1) progress(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(samples));
  }
  if (progress) progress(static_cast<std::uint64_t>(samples), static_cast<std::uint64_t>(samples));

  Verification result{.scope = "all " + std::to_string(sums.size()) + " bins",
                      .oracle = "a serial count in " + oracle_name<T>()};
  Judge<T> judge(result);
  for (std::int64_t i = 0; i < bins0; ++i) {
    for (std::int64_t j = 0; j < bins1; ++j) {
      auto const bin = static_cast<std::size_t>(i * bins1 + j);
      Tolerance<Real> tolerance;
      if constexpr (!std::is_integral_v<T>) {
        tolerance = {sizes[bin], compounded(numbers[bin], roundoff<T>()), Real(0), static_cast<Real>(largest<T>())};
      }
      judge.compare(i, j, counts(i, j), sums[bin], tolerance);
    }
  }
  bool const counted = task.options.out_of_range == OutOfRange::count;
  if (counted && outside != task.ignored && result.first_wrong.empty()) {
    result.largest_fraction = std::numeric_limits<double>::infinity();
    result.first_wrong = "the number of samples out of range is " + std::to_string(task.ignored) + ", but should be " +
                         std::to_string(outside);
  }
  return result;
}

template <std::size_t Rank, class Index, class T>
Measurement run_histogram(HistogramTask const& task, RunOptions const& run_options) {
  Exec const exec;
  Measurement result;
  Kokkos::Timer const timer;
  DeviceInput<Index> const indices(exec, task.indices);
  DeviceOutput<T> const counts(task.counts);
  std::optional<DeviceInput<T>> weights;
  if (task.weights != nullptr) weights.emplace(exec, *task.weights);
  Kokkos::View<std::uint64_t, Exec::memory_space> const ignored("ignored");
  exec.fence("pantile driver: operands are there");
  result.transfer_in = timer.seconds();

  HistogramOptions options = task.options;
  if (options.out_of_range == OutOfRange::count) options.ignored = ignored.data();
  auto const call = [&](auto const& operation) {
    auto const samples = view_of<Rank>(indices);
    auto const bins = view_of<Rank>(counts);
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (!weights) return operation(exec, samples, bins, options);
    }
    return operation(exec, samples, weights->bytes(), bins, options);
  };
  result.explanation = call([](auto const&... arguments) { return pantile::explain::histogram(arguments...); });
  measure(
      exec, run_options.repeat, result, [] {},
      [&] { call([](auto const&... arguments) { pantile::histogram(arguments...); }); });
  result.transfer_out = timed(exec, [&] { counts.copy_to_host(exec); });
  Kokkos::deep_copy(task.ignored, ignored);
  if (run_options.verify) result.verification = verify_histogram<Index, T>(task, run_options.progress);
  return result;
}

template <class Index, class T>
Measurement run_any_rank(HistogramTask const& task, RunOptions const& run_options) {
  if (task.counts.shape.rank() == 1) return run_histogram<1, Index, T>(task, run_options);
  return run_histogram<2, Index, T>(task, run_options);
}

Measurement run_weighted(HistogramTask const& task, RunOptions const& run_options) {
  switch (task.counts.type) {
    case ElementType::float32: return run_any_rank<std::int64_t, float>(task, run_options);
    case ElementType::float64: return run_any_rank<std::int64_t, double>(task, run_options);
    case ElementType::int32: return run_any_rank<std::int64_t, std::int32_t>(task, run_options);
    case ElementType::int64: return run_any_rank<std::int64_t, std::int64_t>(task, run_options);
    case ElementType::uint32: return run_any_rank<std::int64_t, std::uint32_t>(task, run_options);
    default:
      throw InputError("histogram does not take weights of " + element_name(task.counts.type) +
                       ", but float32, float64, int32, int64 and uint32");
  }
}

}  // namespace

void require_integer_indices(Array const& array) {
  char const kind = element_info(array.type).kind;
  if (kind != 'i' && kind != 'u')
    throw InputError("histogram: indices must be integers, not " + element_name(array.type));
}

std::optional<Array> widened_indices(Array const& array, bool weighted) {
  require_integer_indices(array);
  if (array.type == ElementType::int64 || (array.type == ElementType::int32 && !weighted)) return std::nullopt;
  Array wide{.type = ElementType::int64, .shape = array.shape, .order = array.order, .storage = {}};
  wide.storage = AlignedBytes(array.count() * sizeof(std::int64_t));
  switch (array.type) {
    case ElementType::int8: widen<std::int8_t>(array, wide); break;
    case ElementType::int16: widen<std::int16_t>(array, wide); break;
    case ElementType::int32: widen<std::int32_t>(array, wide); break;
    case ElementType::uint8: widen<std::uint8_t>(array, wide); break;
    case ElementType::uint16: widen<std::uint16_t>(array, wide); break;
    case ElementType::uint32: widen<std::uint32_t>(array, wide); break;
    // From 2^63 on they become negative, and stay out of range.
    case ElementType::uint64: widen<std::uint64_t>(array, wide); break;
    default: break;
  }
  return wide;
}

Measurement run(HistogramTask const& task, RunOptions const& run_options) {
  if (task.weights != nullptr) return run_weighted(task, run_options);
  if (task.indices.type == ElementType::int32) return run_any_rank<std::int32_t, std::int64_t>(task, run_options);
  return run_any_rank<std::int64_t, std::int64_t>(task, run_options);
}

}  // namespace pantile::driver
