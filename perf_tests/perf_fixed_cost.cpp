// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What a call costs beside its arithmetic: products of tiny matrices, by the face and by the BLAS layer, and
///         the allocations that a call makes.
#include <peers/gemm.hpp>

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

namespace pantile::perf {

namespace {

/// Allocations of a call once the first calls are done. Kokkos' own memory spaces allocate through operator new as
/// well; a tool that listens to them would be told of a kernel, and tiny products have none otherwise.
double allocations_per_call(HostProduct<double> const& p) {
  Stopwatch const watch = watch_of(p);
  auto const allocated = [&](std::int64_t calls) {
    std::int64_t const begin = allocations;
    watch(calls);
    return static_cast<double>(allocations - begin);
  };
  return (allocated(200) - allocated(100)) / 100;  // without those of the stopwatch
}

Contest fixed_cost(std::int64_t n) {
  auto const p = make_host_product<double>(square(n));
  Contest contest("Mcall/s", 1e-6);
  contest.before_judged_call([p] { p->spoil_results(); });
  contest.own(watch_of(p), judge_of(p));
  add_gemm_peers(contest, p);
  contest.figure("allocations", [p](Contest const&) { return allocations_per_call(p); });
  return contest;
}

/// dgemm of the BLAS layer beside the others'.
Contest blas_cost(Blas const* own, std::int64_t n) {
  auto const p = make_host_product<double>(square(n));
  Contest contest("Mcall/s", 1e-6);
  contest.before_judged_call([p] { p->spoil_results(); });
  contest.own(timed(Host(), [p, own, n] { own->multiply(n, n, n, p->a().data(), p->b().data(), p->c().data()); }),
              judge_of(p));
  add_gemm_peers(contest, p);
  return contest;
}

bool const registered = on_start([] {
  for (std::int64_t const n : {1, 2, 4, 7, 8}) {
    add_case("fixed_cost/double/" + square(n).name(), [n] { return fixed_cost(n); });
    if (Blas const* const own = Blas::own()) {
      add_case("fixed_cost/blas/double/" + square(n).name(), [own, n] { return blas_cost(own, n); });
    }
  }
});

}  // namespace

}  // namespace pantile::perf
