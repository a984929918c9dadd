// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every tile of the blocked matmul on the device by itself, whether the policy would take it or not: what the
///        rates in arch/<backend>/matmul_tiles.hpp are read from. Then candidates that no policy knows.
#include <gpu/gemm.hpp>

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/matmul/launch.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <string>

namespace pantile::perf {

namespace {

using Arch = impl::arch::Current<Exec>;
using impl::arch::DeviceTile;

std::string tile_name(DeviceTile const& s) {
  auto const text = [](int number) { return std::to_string(number); };
  return text(s.m) + "x" + text(s.n) + "x" + text(s.k) + "_warp_" + text(s.warp_m) + "x" + text(s.warp_n) + "_stages_" +
         text(s.stages) + "_teams_" + text(s.min_blocks);
}

/// Large enough that many tiles follow each other; of tiles for few rows or columns that many of those.
Shape shape_for(DeviceTile const& s) {
  if (settings().smoke()) return {130, 70, 60};
  if (s.m < 32) return {s.m, 16384, 8192};
  if (s.n < 32) return {16384, s.n, 8192};
  return square(4096);
}

/// The product by this tile alone, k in one piece.
template <class Tile, class P>
void multiply_by_tile(P const& p, std::int64_t i) {
  using impl::to_const_matrix;
  using impl::to_matrix;
  using TA = typename P::ViewA::value_type;
  using TB = typename P::ViewB::value_type;
  using TC = typename P::ViewC::value_type;
  using Accumulator = default_accumulator_t<TA, TB, TC>;
  constexpr DeviceTile s = Tile::shape;
  impl::matmul::Problem<TA, TB, TC, Accumulator> const problem{
      to_const_matrix(p.a(i)), to_const_matrix(p.b(i)), to_matrix(p.c(i)), false, false, 1, 0};
  impl::matmul::Plan plan;
  plan.team_size = s.threads();
  plan.scratch_bytes = s.scratch_bytes() + impl::tile::scratch_alignment;
  auto const tiles = impl::tile::TileGrid{problem.m(), problem.n(), s.m, s.n}.count();
  impl::matmul::launch_multistage<Tile>(p.exec(), problem, plan, tiles, {}, "pantile::perf: a tile");
}

template <class TA, class TC, class Tile>
void add_tile(std::string const& element) {
  if (!impl::matmul::has_scratch(impl::arch::machine(Exec()), Tile::shape)) return;
  std::string const engine = impl::arch::word_of(Tile::shape.engine);
  add_case("tiles/" + element + "/" + engine + "/" + tile_name(Tile::shape), [] {
    auto const precision = Tile::shape.engine == impl::arch::ProductEngine::tf32         ? Precision::tf32
                           : Tile::shape.engine == impl::arch::ProductEngine::three_tf32 ? Precision::three_tf32
                                                                                         : Precision::full;
    auto const p = make_device_product<TA, TA, TC>(shape_for(Tile::shape), {.precision = precision});
    Contest contest("GFLOP/s", p->amount());
    contest.before_judged_call([p] { p->spoil_results(); });
    contest.own(timed(p->exec(), [p](std::int64_t i) { multiply_by_tile<Tile>(*p, i); }), judge_of(p));
    return contest;
  });
}

template <class TA, class TC, class... Tile>
void add_tiles(std::string const& element, impl::arch::DeviceTiles<Tile...>) {
  (add_tile<TA, TC, Tile>(element), ...);
}

/// Those that the policy knows.
template <class TA, class TC = TA>
void add_known(std::string const& element) {
  using Compute = compute_t<default_accumulator_t<TA, TA, TC>>;
  if constexpr (Arch::device) add_tiles<TA, TC>(element, typename Arch::template MatmulTiles<TA, TA, Compute>{});
}

#if defined(KOKKOS_ENABLE_CUDA)

/// A tile with other numbers.
template <class Of, DeviceTile Shape>
struct Candidate : Of {
  static constexpr DeviceTile shape = Shape;
};

constexpr DeviceTile with(DeviceTile s, int m, int n, int k, int warp_m, int warp_n, int stages, int min_blocks) {
  s.m = m, s.n = n, s.k = k, s.warp_m = warp_m, s.warp_n = warp_n, s.stages = stages, s.min_blocks = min_blocks;
  return s;
}

template <class Of, class TA, class TC, DeviceTile... Shape>
void add_candidates(std::string const& element) {
  add_tiles<TA, TC>("candidates_" + element, impl::arch::DeviceTiles<Candidate<Of, Shape>...>{});
}

/// Where a better one may lie: in place of these, others that are to be tried.
void add_cuda_candidates() {
  using namespace impl::arch::cuda;
  using Complex = Kokkos::complex<double>;
  constexpr DeviceTile w = Floats::shape, d = DeepDoubles::shape, z = DeepComplexDoubles::shape;
  add_candidates<Floats, float, float, with(w, 128, 128, 16, 32, 64, 3, 2)>("float");
  add_candidates<DeepDoubles, double, double, with(d, 128, 128, 32, 64, 32, 3, 1)>("double");
  add_candidates<DeepComplexDoubles, Complex, Complex, with(z, 128, 64, 16, 32, 32, 3, 1),
                 with(z, 128, 64, 8, 32, 32, 4, 1)>("complex<double>");
}

#endif

bool const tiles_registered = on_start([] {
  using Half = Kokkos::Experimental::half_t;
  add_known<float>("float");
  add_known<double>("double");
  add_known<Kokkos::complex<float>>("complex<float>");
  add_known<Kokkos::complex<double>>("complex<double>");
  add_known<Half>("half");
  add_known<std::int8_t, std::int32_t>("int8");
#if defined(KOKKOS_ENABLE_CUDA)
  add_cuda_candidates();
#endif
});

}  // namespace

}  // namespace pantile::perf
