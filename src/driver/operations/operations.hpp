// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The library's operations on arrays whose element type is known at run time only. No Kokkos here: the commands
///        compile quickly, and the templates stay in one file per operation.

#include "io/array.hpp"
#include "io/progress.hpp"
#include "scalar.hpp"

#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pantile::driver {

/// What the serial oracle says of a result.
struct Verification {
  std::string scope{};          ///< "all 4096 elements", "7 of 1600 rows"
  std::string oracle{};         ///< "a serial sum in float64"
  double largest_error = 0;     ///< |result - oracle|, the maximum
  double largest_fraction = 0;  ///< of its bound; more than 1 is wrong. Types that must be exact: 0 or infinite
  std::int64_t unproved = 0;    ///< elements of which theory excludes no value: see Tolerance
  std::string first_wrong{};    ///< empty when all is well
};

/// How often an operation is run, and whether its result is checked.
struct RunOptions {
  int repeat = 0;  ///< runs after the first one
  bool verify = false;
  Progress progress{};  ///< of the verification
};

/// What a run took, in seconds.
struct Measurement {
  Explanation explanation;
  double transfer_in = 0, transfer_out = 0;
  double first_run = 0;
  std::vector<double> later_runs;
  std::optional<Verification> verification;

  /// Median of the later runs; the first run when there is none.
  [[nodiscard]] double second_run() const;
};

struct MatmulTask {
  Array const& a;
  Array const& b;
  Array const* c_in;  ///< null: C's old values are not read
  Array& c;           ///< filled in
  Scalar alpha = 1, beta = 0;
  MatmulOptions options{};
  std::optional<ElementType> accumulator{};
};

/// Element type of C for operands of these types. Throws InputError for types that do not go together.
ElementType matmul_result_type(ElementType a, ElementType b);

/// C = alpha op(A) op(B) + beta C. Kokkos must run. Throws pantile::Error and InputError; then c is undefined.
Measurement run(MatmulTask const& task, RunOptions const& run_options);

/// C = alpha A + beta B.
struct AddTask {
  Array const& a;
  Array const& b;
  Array& c;
  Scalar alpha = 1, beta = 1;
  AddOptions options{};
};
Measurement run(AddTask const& task, RunOptions const& run_options);

/// B = A^T, or A^H.
struct TransposeTask {
  Array const& a;
  Array& b;
  TransposeOptions options{};
};
Measurement run(TransposeTask const& task, RunOptions const& run_options);

/// Throws InputError where these options conjugate what is no number.
void require_conjugates(ElementType const& type, TransposeOptions const& options);

/// counts = histogram of the indices, weighted or not, with one or two dimensions of bins.
struct HistogramTask {
  Array const& indices;    ///< int64, or int32 without weights; (samples), or (samples, 2)
  Array const* weights;    ///< null: every sample counts one
  Array& counts;           ///< int64, or of the weights' type
  std::uint64_t& ignored;  ///< filled in: number of samples out of range, where options count them
  HistogramOptions options{};
};
Measurement run(HistogramTask const& task, RunOptions const& run_options);

/// Throws InputError for other types.
void require_integer_indices(Array const& array);

/// A copy in int64 of indices that HistogramTask does not take, so that not every pair of types must be compiled; none
/// where it takes them. Throws InputError as require_integer_indices.
std::optional<Array> widened_indices(Array const& array, bool weighted);

/// Whether operands are copied to a device, which computes.
extern bool const computes_on_device;
/// Bytes that are free there; nothing where the host computes. Kokkos must run.
std::optional<std::uint64_t> free_device_memory();

/// The types that all operations take, and in which products may be summed.
inline constexpr std::array<ElementType::Id, 8> common_elements{
    ElementType::float32, ElementType::float64, ElementType::complex64, ElementType::complex128,
    ElementType::int32,   ElementType::int64,   ElementType::uint32,    ElementType::uint64};
/// "float32, ... and uint64"
std::string common_element_names();
/// Behind these names: what products take too.
extern std::string_view const matmul_also;

}  // namespace pantile::driver
