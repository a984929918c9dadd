// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  pantile::mpi beside ScaLAPACK called directly with the system's BLAS, in turns, on the ranks it is given:
///        mpirun -n 4 perf_mpi [edge of the blocks [seconds of a case [size...]]]
///
/// ScaLAPACK is one library in a process, and its dgemm_ is this program's, which goes to Pantile's layer while Pantile
/// has its turn and to the system's BLAS while ScaLAPACK has. Rank 0 prints a line of JSON for each case: medians, of
/// each turn the time of the slowest rank. What a rank cannot do, one rank says in one sentence; status 2 then.

#include <support/json.hpp>
#include <support/number.hpp>
#include <support/quantile.hpp>

#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/transpose.hpp>

#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using Gemm = void(char const*, char const*, int const*, int const*, int const*, double const*, double const*,
                  int const*, double const*, int const*, double const*, double*, int const*);

namespace {
Gemm* local_product = nullptr;
}

extern "C" {
void dgemm_(char const* op_a, char const* op_b, int const* m, int const* n, int const* k, double const* alpha,
            double const* a, int const* lda, double const* b, int const* ldb, double const* beta, double* c,
            int const* ldc) {
  local_product(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, char const* order, int rows, int cols);
void pdgemm_(char const*, char const*, int const*, int const*, int const*, double const*, double const*, int const*,
             int const*, int const*, double const*, int const*, int const*, int const*, double const*, double*,
             int const*, int const*, int const*);
void pdtran_(int const*, int const*, double const*, double const*, int const*, int const*, int const*, double const*,
             double*, int const*, int const*, int const*);
}

namespace pantile::perf {
namespace {

using View = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
using Matrix = mpi::DistributedMatrix<View>;

/// Ends the program on all ranks, after one has said why.
struct Ended {};

/// f() on every rank; where a rank cannot, the first of them says why, and all throw Ended.
template <class F>
void together(F const& f) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::optional<std::string> said;
  try {
    f();
  } catch (std::exception const& error) {
    said = error.what();
  }
  constexpr int none = std::numeric_limits<int>::max();
  int first = said ? rank : none;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == none) return;
  if (first == rank) std::fprintf(stderr, "perf_mpi: %s (rank %d)\n", said->c_str(), rank);
  throw Ended{};
}

Gemm* product_of(char const* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* const found = handle == nullptr ? nullptr : dlsym(handle, "dgemm_");
  if (found == nullptr) throw std::runtime_error(std::string("no dgemm_ in ") + library);
  return reinterpret_cast<Gemm*>(found);
}

std::string file_of(Gemm* function) {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(function), &info) != 0 ? info.dli_fname : "";
}

struct Settings {
  int ranks = 1, rank = 0, block = 64;
  double seconds = 2;
  std::array<int, 2> edges{0, 0};
  Gemm *layer = nullptr, *system = nullptr;
};

/// What both call with: Pantile's operands, and ScaLAPACK's context for the same ones.
struct Square {
  Square(Settings const& s, mpi::ProcessGrid const& grid, int context, int size)
      : n(size), distribution(grid, n, n, {s.block, s.block}) {
    auto const [rows, cols] = distribution.local_extents();
    std::mt19937_64 generator(static_cast<std::uint64_t>(s.rank) + 1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (View* view : {&a, &b, &c, &other_c}) {
      *view = View("operand", rows, cols);
      for (std::size_t i = 0; i < view->span(); ++i) view->data()[i] = uniform(generator);
    }
    int const edge = std::min(s.block, n);
    descriptor = {1, context, n, n, edge, edge, 0, 0, std::max(1, static_cast<int>(rows))};
  }

  int n;
  mpi::Distribution distribution;
  View a, b, c, other_c;
  std::array<int, 9> descriptor{};
};

double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

double time_of(std::function<void()> const& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const begin = MPI_Wtime();
  call();
  return slowest(MPI_Wtime() - begin);
}

/// In turns, for so many seconds and three times at least; both results must agree within `tolerance`.
void contest(Settings const& s, std::string const& name, Square const& operands, double work, char const* rate,
             double tolerance, std::function<void()> const& by_pantile, std::function<void()> const& by_scalapack) {
  std::vector<double> pantile_times, scalapack_times;
  double spent = 0;
  for (int turn = 0; turn < 4 || spent < s.seconds; ++turn) {
    local_product = s.layer;
    double const first = time_of(by_pantile);
    local_product = s.system;
    double const second = time_of(by_scalapack);
    if (turn == 0) continue;  // warm-up
    pantile_times.push_back(first);
    scalapack_times.push_back(second);
    spent += first + second;
  }
  double difference = 0;
  for (std::size_t i = 0; i < operands.c.span(); ++i) {
    difference = std::max(difference, std::abs(operands.c.data()[i] - operands.other_c.data()[i]));
  }
  difference = slowest(difference);
  if (s.rank != 0) return;
  auto const figures = [&](std::vector<double> const& times, Gemm* product) {
    JsonObject object;
    object.add("median_seconds", quantile(times, 0.5));
    object.add(rate, work / quantile(times, 0.5) * 1e-9);
    object.add("local_products", file_of(product));
    return object;
  };
  JsonObject line;
  line.add("case", name + "/double/" + std::to_string(operands.n));
  line.add("grid", std::to_string(s.edges[0]) + "x" + std::to_string(s.edges[1]));
  line.add("block", static_cast<double>(s.block));
  line.add("turns", static_cast<double>(pantile_times.size()));
  if (difference <= tolerance) {
    line.add("pantile", figures(pantile_times, s.layer));
    line.add("scalapack", figures(scalapack_times, s.system));
    line.add("ratio", quantile(scalapack_times, 0.5) / quantile(pantile_times, 0.5));
  } else {
    line.add("error", "the results differ");
  }
  if (std::printf("%s\n", line.text().c_str()) >= 0 && std::fflush(stdout) == 0) return;
  std::fprintf(stderr, "perf_mpi: cannot write the standard output: %s\n", std::strerror(errno));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void contests(Settings const& s, mpi::ProcessGrid const& grid, int context, int n) {
  std::optional<Square> operands;
  together([&] { operands.emplace(s, grid, context, n); });
  Square const& x = *operands;
  Matrix const a{x.distribution, x.a}, b{x.distribution, x.b}, c{x.distribution, x.c};
  int const one = 1;
  double const unit = 1, zero = 0;
  int const* const d = x.descriptor.data();
  // Elements are below 1: each result is off by gamma_n n at most (Higham, section 3.5).
  double const nu = n * std::numeric_limits<double>::epsilon() / 2, bound = 2 * nu / (1 - nu) * n;
  contest(
      s, "matmul", x, 2.0 * n * n * n, "gflops", bound, [&] { mpi::matmul(1.0, a, b, 0.0, c); },
      [&] {
        pdgemm_("N", "N", &n, &n, &n, &unit, x.a.data(), &one, &one, d, x.b.data(), &one, &one, d, &zero,
                x.other_c.data(), &one, &one, d);
      });
  contest(
      s, "transpose", x, 2.0 * sizeof(double) * n * n, "gigabytes_per_second", 0, [&] { mpi::transpose(a, c); },
      [&] { pdtran_(&n, &n, &unit, x.a.data(), &one, &one, d, &zero, x.other_c.data(), &one, &one, d); });
}

void run(int argc, char** argv) {
  Settings s;
  MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  std::vector<int> sizes;
  together([&] {
    if (argc > 1) s.block = number(argv[1], 1, "the edge of the blocks");
    if (argc > 2) s.seconds = number(argv[2], 0., "the seconds of a case");
    for (int i = 3; i < argc; ++i) sizes.push_back(number(argv[i], 1, "a size"));
    s.layer = product_of(PANTILE_BLAS_LAYER);
    s.system = product_of("libblas.so.3");
  });
  if (sizes.empty()) sizes = {256, 1024, 2048};
  MPI_Dims_create(s.ranks, 2, s.edges.data());
  mpi::ProcessGrid const grid(MPI_COMM_WORLD, s.edges[0], s.edges[1]);
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", s.edges[0], s.edges[1]);
  for (int const n : sizes) contests(s, grid, context, n);
}

}  // namespace
}  // namespace pantile::perf

int main(int argc, char** argv) {
  int provided = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    pantile::perf::run(argc, argv);
  } catch (pantile::perf::Ended const&) {
    status = 2;
  } catch (std::exception const& error) {  // on this rank, and nobody knows of the others
    std::fprintf(stderr, "perf_mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return status;
}
