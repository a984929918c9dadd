// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What a call costs beside its arithmetic: products of tiny matrices, and the allocations that a call makes.
#include <peers/gemm.hpp>
#include <support/settings.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  std::size_t const rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Every allocation of this program, the ones inside Kokkos included, comes through here.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, std::max(static_cast<std::size_t>(alignment), alignof(std::max_align_t)));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using pantile::perf::Host;
using pantile::perf::Product;

/// Allocations of a call once the first calls are done. Kokkos' own memory spaces allocate through operator new as
/// well; a tool that listens to them would be told of a kernel, and tiny products have none otherwise.
double allocations_per_call(Product<double> const& p) {
  constexpr int calls = 100;
  Host const exec;
  pantile::matmul(exec, 1.0, p.a, p.b, 0.0, p.c);
  std::int64_t const begin = allocations;
  for (int call = 0; call < calls; ++call) pantile::matmul(exec, 1.0, p.a, p.b, 0.0, p.c);
  return static_cast<double>(allocations - begin) / calls;
}

void fixed_cost(benchmark::State& state, std::int64_t n) {
  Product<double> const p({n, n, n});
  pantile::perf::Contest contest("Mcall/s", 1e-6);
  contest.before_first_call([=] { pantile::perf::spoil(p.c); });
  contest.own(pantile::perf::timed([=, exec = Host()] { pantile::matmul(exec, 1.0, p.a, p.b, 0.0, p.c); }), p.keep());
  pantile::perf::add_gemm_peers(contest, p);
  contest.run(state, pantile::perf::settings());
  state.counters["allocations"] = allocations_per_call(p);
}

bool const registered = pantile::perf::on_start([] {
  for (std::int64_t const n : {1, 2, 4, 8}) {
    pantile::perf::add_case(
        "fixed_cost/double/" + std::to_string(n) + "x" + std::to_string(n) + "x" + std::to_string(n),
        [n](benchmark::State& state) { fixed_cost(state, n); });
  }
});

}  // namespace
