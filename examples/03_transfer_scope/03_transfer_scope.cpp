// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, ROC examples: `with roc.register(A, B, C):` moves arrays to the device and results back around a call; first
// and second call are timed and compared with np.dot, rtol = 1e-5 (row 4). HSA examples: the same with blocksize =
// gridsize = 20 (row 5), a tile edge that is no power of two.
//
// Look at the braces of timed_run(): the scope opens where arrays are handed in and closes where C has its result.
// Differs from Numba: arrays have roles, so that A and B do not travel back and C does not travel in; on host backends
// nothing travels at all, and "GPU" is the name that the documents print for what runs the kernel. Nothing is compiled
// at the first call; it pays for memory that nobody has touched yet.

#include <pantile/matmul.hpp>
#include <pantile/transfer_scope.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using HostMatrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;

constexpr int blocksize = 20, gridsize = 20, N = gridsize * blocksize;
using Tile = Kokkos::View<float[blocksize][blocksize], Kokkos::LayoutRight, Exec::scratch_memory_space,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// One workgroup per tile of C; its items stand one after the other in rows of 20, the wavefront's lanes along a row.
template <class In, class Out>
struct MatmulFast {
  In A, B;
  Out C;

  KOKKOS_FUNCTION void operator()(Member const& group) const {
    Tile const sA(group.team_scratch(0)), sB(group.team_scratch(0)), sum(group.team_scratch(0));
    int const x = group.league_rank() / gridsize * blocksize, y = group.league_rank() % gridsize * blocksize;
    auto const items = Kokkos::TeamVectorRange(group, blocksize * blocksize);
    // MENDED: `if x >= C.shape[0] or y >= C.shape[1]: return` stood here, and items that leave are missed at the
    // barriers. N is gridsize * blocksize, there is nothing outside; example 02 has the edges.
    // MENDED: `tmp = 0` is an int64, and int64 plus float32 a float64: all sums were of 64 bits. Here they are floats.
    Kokkos::parallel_for(items, [&](int p) { sum(p / blocksize, p % blocksize) = 0; });
    for (int i = 0; i < gridsize; ++i) {
      Kokkos::parallel_for(items, [&](int p) {
        int const tx = p / blocksize, ty = p % blocksize;  // MENDED: ty, not tx, is the next item: rows are read along
        sA(tx, ty) = A(x + tx, ty + i * blocksize);
        sB(tx, ty) = B(tx + i * blocksize, y + ty);
      });
      group.team_barrier();  // preloaded
      Kokkos::parallel_for(items, [&](int p) {
        for (int j = 0; j < blocksize; ++j) {
          sum(p / blocksize, p % blocksize) += sA(p / blocksize, j) * sB(j, p % blocksize);
        }
      });
      group.team_barrier();  // computed
    }
    Kokkos::parallel_for(items,
                         [&](int p) { C(x + p / blocksize, y + p % blocksize) = sum(p / blocksize, p % blocksize); });
  }
};

struct Kernel {
  template <class In, class Out>
  void operator()(Exec const& exec, In const& A, In const& B, Out const& C) const {
    auto const policy =
        Policy(exec, gridsize * gridsize, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(3 * Tile::shmem_size()));
    Kokkos::parallel_for("example: matmulfast", policy, MatmulFast<In, Out>{A, B, C});
  }
};

struct Call {
  template <class In, class Out>
  void operator()(Exec const& exec, In const& A, In const& B, Out const& C) const {
    pantile::matmul(exec, 1.0f, A, B, 0.0f, C);
  }
};

// Time of the call alone, as the documents take it.
template <class F>
static double timed_run(F const& f, HostMatrix const& A, HostMatrix const& B, HostMatrix const& C) {
  Exec const exec;
  pantile::TransferScope scope(exec);
  auto const dA = scope.in(A), dB = scope.in(B);
  auto const dC = scope.out(C);
  return example::seconds([&] { f(exec, dA, dB, dC); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  HostMatrix const A("A", N, N), B("B", N, N), C("C", N, N), by_kernel("by kernel", N, N), ans("ans", N, N);
  example::set_random(A, 1);
  example::set_random(B, 2);
  double const host_time = example::seconds([&] { Kokkos::deep_copy(ans, example::dot(A, B)); });

  example::Checks check;
  std::printf("1st GPU time: %.6f\n", timed_run(Kernel(), A, B, by_kernel));
  std::printf("2nd GPU time: %.6f\n", timed_run(Kernel(), A, B, by_kernel));
  std::printf("CPU time: %.6f\n", host_time);
  check(example::all_close(by_kernel, ans, 1e-5), "the kernel, rtol 1e-5");

  auto const median = [&](auto const& f) {
    std::array<double, 3> times{timed_run(f, A, B, C), timed_run(f, A, B, C), timed_run(f, A, B, C)};
    std::sort(times.begin(), times.end());
    return times[1];
  };
  std::printf("medians of 3 on %s: kernel %.6f s, ", Exec::name(), median(Kernel()));
  Kokkos::deep_copy(C, -1.0f);
  std::printf("pantile %.6f s\n", median(Call()));
  check(example::all_close(C, by_kernel, example::rtol_of_sums<float>(N)), "pantile::matmul beside the kernel");
  return check.status();
}
