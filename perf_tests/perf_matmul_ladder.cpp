// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The rungs of matmul beside each other: naive, grid_stride, tiled, and on CUDA the documents' kernels in CUDA
///         C.
#include <support/measure.hpp>

#include <pantile/matmul.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/matmul.hpp>
#endif

namespace {

using Algorithm = pantile::MatmulAlgorithm;
using pantile::perf::random_matrix;

template <class T>
void rung(benchmark::State& state, Algorithm algorithm) {
  std::int64_t const n = state.range(0);
  auto const a = random_matrix<T>("A", n, n), b = random_matrix<T>("B", n, n), c = random_matrix<T>("C", n, n);
  pantile::perf::measure(state, Kokkos::DefaultExecutionSpace{}, [&](auto const& exec) {
    pantile::matmul(exec, T(1), a, b, T(0), c, {.algorithm = algorithm});
  });
  pantile::perf::count_flops(state, 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n));
}

template <class T>
void add_rungs(char const* element, std::int64_t largest_naive, std::int64_t largest) {
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::grid_stride, Algorithm::tiled}) {
    std::string const name = std::string("matmul/") + element + "/" + to_string(algorithm);
    auto const body = [algorithm](benchmark::State& state) { rung<T>(state, algorithm); };
    benchmark::RegisterBenchmark((name + "/smoke").c_str(), body)->Arg(33)->UseManualTime();
    for (std::int64_t n = 128; n <= (algorithm == Algorithm::tiled ? largest : largest_naive); n *= 2) {
      benchmark::RegisterBenchmark(name.c_str(), body)->Arg(n)->UseManualTime();
    }
  }
}

#if defined(PANTILE_PERF_CUDA_C)
using CudaC = void (*)(int, int, int, float const*, float const*, float*, void*);

void twin(benchmark::State& state, CudaC kernel) {
  int const n = static_cast<int>(state.range(0));
  auto const a = random_matrix<float>("A", n, n), b = random_matrix<float>("B", n, n),
             c = random_matrix<float>("C", n, n);
  pantile::perf::measure(state, Kokkos::Cuda{},
                         [&](auto const&) { kernel(n, n, n, a.data(), b.data(), c.data(), nullptr); });
  pantile::perf::count_flops(state, 2.0 * n * n * static_cast<double>(n));
}

void add_twins() {
  for (auto const& [name, kernel] :
       {std::pair<char const*, CudaC>{"matmul/float/cuda_c_naive", pantile::perf::cuda_c::naive},
        {"matmul/float/cuda_c_shared_tile", pantile::perf::cuda_c::shared_tile}}) {
    auto const body = [kernel = kernel](benchmark::State& state) { twin(state, kernel); };
    for (std::int64_t const n : {1600, 4096}) benchmark::RegisterBenchmark(name, body)->Arg(n)->UseManualTime();
  }
}
#else
void add_twins() {}
#endif

bool const registered = [] {
  add_rungs<float>("float", 1024, 2048);
  add_rungs<double>("double", 1024, 2048);
  add_rungs<std::int32_t>("int32", 1024, 2048);
  add_twins();
  return true;
}();

}  // namespace
