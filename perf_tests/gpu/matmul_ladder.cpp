// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The rungs of matmul beside the documents' kernels in CUDA C; numba_kernels.py has cases of the same names.
#include <gpu/gemm.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/matmul.hpp>
#endif

namespace pantile::perf::gpu {

namespace {

using CudaC = void (*)(int, int, int, float const*, float const*, float*, void*);

template <class T>
std::string rung(std::string const& name, std::int64_t n, MatmulAlgorithm algorithm, [[maybe_unused]] CudaC twin) {
  auto const p = std::make_shared<Product<T, T, T>>(square(n), MatmulOptions{.algorithm = algorithm});
  Contest contest("GFLOP/s", operations<T>(square(n)) * 1e-9);
  own_product(contest, p);
  if constexpr (std::is_same_v<T, float>) {
    if (twin != nullptr) {
      contest.peer(
          "cuda_c",
          [p, twin, edge = static_cast<int>(n)](std::int64_t i) {
            twin(edge, edge, edge, p->a(i).data(), p->b(i).data(), p->c(i).data(), native_stream());
          },
          [p] { return p->judge(); });
    }
  }
  return contest.run(name);
}

template <class T>
void add_rung(MatmulAlgorithm algorithm, std::int64_t n, CudaC twin = nullptr) {
  add_case(std::string("ladder/") + to_string(algorithm) + "/" + element_name_v<T> + "/" + std::to_string(n),
           [=](std::string const& name) { return rung<T>(name, n, algorithm, twin); });
}

}  // namespace

void add_ladder_cases() {
  CudaC naive = nullptr, shared_tile = nullptr, strided = nullptr;
#if defined(PANTILE_PERF_CUDA_C)
  naive = cuda_c::naive;
  shared_tile = cuda_c::shared_tile;
  strided = cuda_c::grid_stride;
#endif
  std::vector<std::int64_t> edges = {1024, 4096};
  if (settings().smoke()) edges = {65};
  for (std::int64_t const n : edges) {
    add_rung<float>(MatmulAlgorithm::naive, n, naive);
    add_rung<float>(MatmulAlgorithm::grid_stride, n, strided);
    add_rung<float>(MatmulAlgorithm::tiled, n, shared_tile);
  }
  add_rung<double>(MatmulAlgorithm::naive, edges.front());
  add_rung<double>(MatmulAlgorithm::tiled, edges.front());
}

}  // namespace pantile::perf::gpu
