// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  pantile::mpi beside ScaLAPACK called directly with the system's BLAS, in turns, on the ranks it is given:
///        mpirun -n 4 perf_mpi [--out=FILE] [--limit=SECONDS] [edge of the blocks [seconds of a case [size...]]]
///
/// ScaLAPACK is one library in a process, and its dgemm_ is this program's, which goes to Pantile's layer while Pantile
/// has its turn and to the system's BLAS, or that of PANTILE_PERF_BLAS, while ScaLAPACK has. Rank 0 writes the lines of
/// support/main.cpp, of all ranks together, at the end of FILE (else on standard output): rates by the slowest rank's
/// time of each turn, by_rank and spread_by_rank by each one's own. A rank with another FILE than rank 0 leaves its
/// context there. What a rank cannot do, one rank says in one sentence, and so where a case is not done within
/// --limit (by default 600 s more than the seconds of a case); status 2 then.

#include <mpi/watch.hpp>
#include <support/context.hpp>
#include <support/json.hpp>
#include <support/lines.hpp>
#include <support/number.hpp>
#include <support/quantile.hpp>

#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/transpose.hpp>

#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
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
  if (handle == nullptr) throw std::runtime_error(dlerror());
  void* const found = dlsym(handle, "dgemm_");
  if (found == nullptr) throw std::runtime_error(std::string("no dgemm_ in ") + library);
  return reinterpret_cast<Gemm*>(found);
}

/// Where links end: which BLAS a system has chosen.
std::string file_of(Gemm* function) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(function), &info) == 0) return "";
  std::error_code none;
  auto const file = std::filesystem::canonical(info.dli_fname, none);
  return none ? info.dli_fname : file.string();
}

struct Settings {
  int ranks = 1, rank = 0, block = 64;
  double seconds = 2;
  std::optional<double> limit;
  std::string out;
  std::vector<int> sizes;
  std::array<int, 2> edges{0, 0};
  Gemm *layer = nullptr, *system = nullptr;

  [[nodiscard]] std::string plan() const {
    return "grid " + std::to_string(edges[0]) + "x" + std::to_string(edges[1]) + ", blocks of " + std::to_string(block);
  }
};

void read_arguments(Settings& s, int argc, char** argv) {
  int place = 0;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    if (word.starts_with("--out=")) {
      s.out = word.substr(6);
    } else if (word.starts_with("--limit=")) {
      s.limit = number(word.substr(8), 1e-3, "--limit");
    } else if (word.starts_with("--kokkos-")) {
      continue;
    } else if (word.starts_with("--")) {
      throw std::invalid_argument("unknown option " + word);
    } else if (place == 0) {
      s.block = number(word, 1, "the edge of the blocks");
      ++place;
    } else if (place == 1) {
      s.seconds = number(word, 0., "the seconds of a case");
      ++place;
    } else {
      s.sizes.push_back(number(word, 1, "a size"));
    }
  }
  if (s.sizes.empty()) s.sizes = {256, 1024, 2048};
}

/// Each rank's text, on rank 0.
std::vector<std::string> gathered(std::string const& text, Settings const& s) {
  int const length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(s.ranks)), begins(lengths.size() + 1);
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::partial_sum(lengths.begin(), lengths.end(), begins.begin() + 1);
  std::string all(static_cast<std::size_t>(begins.back()), ' ');
  MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    texts.push_back(all.substr(static_cast<std::size_t>(begins[rank]), static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

/// Rank 0's text, on every rank.
std::string of_first(std::string text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string const whole(text.data());
  return whole.substr(0, whole.find_first_of(",\n"));
}

/// As the other programs have it, and of all ranks: their number, hosts and processors.
JsonObject context_of(Settings const& s) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  auto const hosts = gathered(host.data(), s), processors = gathered(affinity(), s);
  std::vector<JsonObject> places(hosts.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    places[rank].add("host", hosts[rank]);
    places[rank].add("affinity", processors[rank]);
  }
  JsonObject context;
  add_context(context);
  context.add("ranks", s.ranks);
  if (s.rank == 0) context.add("places", places);
  context.add("mpi", mpi_library());
  context.add("grid", s.plan());
  context.add("local_products", file_of(s.layer));
  context.add("peer:scalapack", "ScaLAPACK, local products by " + file_of(s.system));
  return context;
}

/// Rank 0's lines, and what ends a case that does not end.
class Run {
 public:
  explicit Run(Settings const& settings)
      : s(settings),
        m_watch(s.limit.value_or(s.seconds + 600) + delay(), [this](std::string const& what) { last_words(what); }) {
    m_watch.begin("the context");
    JsonObject head;
    head.add("context", context_of(s));
    std::string const first = of_first(s.out);
    together([&] {
      if (s.rank == 0) m_lines.emplace(s.out);
      if (m_lines) m_lines->say(head.text());
      if (s.rank != 0 && s.out != first && !s.out.empty()) Lines(s.out).say(head.text());
    });
    m_watch.end();
  }

  void begin(std::string const& name) {
    m_watch.begin(name);
    say("{\"begin\": " + json_text(name) + "}");
  }
  void turn(char const* whose) { m_turn = whose; }
  void end(JsonObject const& line) {
    say(line.text());
    m_watch.end();
  }
  void aside(std::string const& what, std::function<void()> const& f) {
    m_watch.begin(what);
    together(f);
    m_watch.end();
  }

  Settings const& s;

 private:
  /// Rank 0 speaks; should it be what hangs, rank 1 does. The others follow where the launcher has not ended them.
  [[nodiscard]] double delay() const { return s.rank == 0 ? 0 : s.rank == 1 ? 5 : 10; }

  void say(std::string const& text) {
    together([&] {
      if (m_lines) m_lines->say(text);
    });
  }

  void last_words(std::string const& what) {
    if (s.rank > 1) return;
    JsonObject line;
    line.add("case", what);
    std::array<char, 64> said{};
    std::snprintf(said.data(), said.size(), "not done within %g s", s.limit.value_or(s.seconds + 600));
    char const* const turn = m_turn;
    std::string const error = said.data() + std::string(turn[0] == 0 ? "" : ", in the turn of ") + turn;
    line.add("error", error);
    try {
      if (m_lines) m_lines->say(line.text());
    } catch (std::exception const&) {  // the sentence below is what counts
    }
    std::fprintf(stderr, "perf_mpi: %s: %s (rank %d)\n", what.c_str(), error.c_str(), s.rank);
    std::fflush(stderr);
  }

  std::optional<Lines> m_lines;
  std::atomic<char const*> m_turn = "";
  Watch m_watch;
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

/// Of each turn this rank's time and that of the slowest.
struct Times {
  std::vector<double> own, all;

  /// How long the slowest took.
  double add(std::function<void()> const& call, bool counts) {
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    call();
    double const mine = MPI_Wtime() - begin, most = slowest(mine);
    if (counts) own.push_back(mine), all.push_back(most);
    return most;
  }
  [[nodiscard]] std::vector<double> rates(double work) const {
    std::vector<double> found;
    for (double const seconds : all) found.push_back(work / seconds);
    return found;
  }
};

/// Distance of the quartiles over the median.
double spread(std::vector<double> const& times) {
  return (quantile(times, 0.75) - quantile(times, 0.25)) / quantile(times, 0.5);
}

/// Each rank's value, on rank 0.
std::vector<double> by_rank(Settings const& s, double own) {
  std::vector<double> values(static_cast<std::size_t>(s.ranks));
  MPI_Gather(&own, 1, MPI_DOUBLE, values.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return values;
}

/// An operation of both, and the unit of its rates: `work` a second.
struct Operation {
  std::string name, unit;
  double work;
  double tolerance;  ///< of the difference of the results
  std::function<void()> by_pantile, by_scalapack;
};

double difference_of(Square const& operands) {
  double difference = 0;
  for (std::size_t i = 0; i < operands.c.span(); ++i) {
    double const apart = std::abs(operands.c.data()[i] - operands.other_c.data()[i]);
    if (!(apart <= difference)) difference = std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
  }
  return slowest(difference);
}

/// In turns, for so many seconds and three times at least; both results must agree.
void contest(Run& run, Square const& operands, Operation const& operation) {
  Settings const& s = run.s;
  std::string const name = operation.name + "/double/" + std::to_string(operands.n);
  run.begin(name);
  Times pantile, scalapack;
  double spent = 0;
  for (int turn = 0; turn < 4 || spent < s.seconds; ++turn) {
    bool const counts = turn > 0;  // the first is a warm-up
    local_product = s.layer;
    run.turn("Pantile");
    double const first = pantile.add(operation.by_pantile, counts);
    local_product = s.system;
    run.turn("ScaLAPACK");
    double const second = scalapack.add(operation.by_scalapack, counts);
    if (counts) spent += first + second;
  }
  run.turn("");
  double const difference = difference_of(operands);
  std::vector<double> const ranks = by_rank(s, operation.work / quantile(pantile.own, 0.5)),
                            ranks_spreads = by_rank(s, spread(pantile.own));
  JsonObject line, peers, spreads, samples, checks, wrong;
  line.add("case", name);
  line.add("unit", operation.unit);
  if (difference <= operation.tolerance) {
    double const rate = operation.work / quantile(pantile.all, 0.5),
                 other = operation.work / quantile(scalapack.all, 0.5);
    line.add("pantile", rate);
    line.add("by_rank", ranks);
    line.add("spread_by_rank", ranks_spreads);
    line.add("ratio", rate / other);
    peers.add("scalapack", other);
    spreads.add("pantile", spread(pantile.all));
    spreads.add("scalapack", spread(scalapack.all));
    samples.add("pantile", pantile.rates(operation.work));
  } else {
    wrong.add("pantile", "the results of both differ by " + json_number(difference, 3));
  }
  checks.add("difference", difference);
  line.add("peers", peers);
  line.add("bounds", JsonObject());
  line.add("spread", spreads);
  line.add("samples", samples);
  line.add("checks", checks);
  line.add("wrong", wrong);
  line.add("rounds", static_cast<double>(pantile.all.size()));
  line.add("plan", s.plan());
  run.end(line);
}

void contests(Run& run, mpi::ProcessGrid const& grid, int context, int n) {
  std::optional<Square> operands;
  run.aside("operands of " + std::to_string(n), [&] { operands.emplace(run.s, grid, context, n); });
  Square const& x = *operands;
  Matrix const a{x.distribution, x.a}, b{x.distribution, x.b}, c{x.distribution, x.c};
  int const one = 1;
  double const unit = 1, zero = 0;
  int const* const d = x.descriptor.data();
  // Elements are below 1: each result is off by gamma_n n at most (Higham, section 3.5).
  double const nu = n * std::numeric_limits<double>::epsilon() / 2, bound = 2 * nu / (1 - nu) * n;
  contest(run, x,
          {"matmul", "GFLOP/s", 2e-9 * n * n * n, bound, [&] { mpi::matmul(1.0, a, b, 0.0, c); },
           [&] {
             pdgemm_("N", "N", &n, &n, &n, &unit, x.a.data(), &one, &one, d, x.b.data(), &one, &one, d, &zero,
                     x.other_c.data(), &one, &one, d);
           }});
  contest(run, x,
          {"transpose", "GB/s", 2e-9 * sizeof(double) * n * n, 0, [&] { mpi::transpose(a, c); },
           [&] { pdtran_(&n, &n, &unit, x.a.data(), &one, &one, d, &zero, x.other_c.data(), &one, &one, d); }});
}

void run(int argc, char** argv) {
  Settings s;
  MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  together([&] {
    read_arguments(s, argc, argv);
    s.layer = product_of(PANTILE_BLAS_LAYER);
    char const* const named = std::getenv("PANTILE_PERF_BLAS");
    s.system = product_of(named != nullptr ? named : "libblas.so.3");
  });
  MPI_Dims_create(s.ranks, 2, s.edges.data());
  Run all(s);
  mpi::ProcessGrid const grid(MPI_COMM_WORLD, s.edges[0], s.edges[1]);
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", s.edges[0], s.edges[1]);
  for (int const n : s.sizes) contests(all, grid, context, n);
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
