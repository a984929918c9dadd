// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products and transpositions of matrices larger than memory: tile by tile, from files (FileStore), from
///        Views in host memory (ViewSource, ViewStore) or from wherever a TileSource reads them, within a budget of
///        bytes.

#include <pantile/concepts.hpp>
#include <pantile/element.hpp>
#include <pantile/error.hpp>
#include <pantile/file_store.hpp>
#include <pantile/matmul.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/out_of_core/call.hpp>
#include <pantile/impl/out_of_core/options.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/product.hpp>
#include <pantile/impl/out_of_core/tile_view.hpp>
#include <pantile/impl/out_of_core/transpose.hpp>
#include <pantile/impl/out_of_core/view_store.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <source_location>

namespace pantile::impl::out_of_core {

/// The faces that a product's tiles call.
template <class Accumulator>
struct MatmulCalls {
  MatmulOptions options;
  std::source_location where;

  template <class Exec, class A, class B, class C>
  void multiply(Exec const& exec, Accumulator const& alpha, A const& a, B const& b, Accumulator const& beta,
                C const& c) const {
    pantile::matmul<Accumulator>(exec, alpha, a, b, beta, c, options, where);
  }
  template <class Exec, class To, class From>
  void copy(Exec const& exec, To const& to, From const& from) const {
    pantile::copy(exec, to, from, where);
  }
  template <class Exec, class View>
  auto to_device(Exec const& exec, View const& view) const {
    return pantile::to_device(exec, view, where);
  }
};

/// Tiles in host memory; devices transpose copies.
template <class Exec, class A, class B>
void transpose_packed(Exec const& exec, A const& a, B const& b, TransposeOptions const& how,
                      std::source_location where) {
  if constexpr (AccessibleFrom<B, Exec>) {
    pantile::transpose(exec, a, b, how, where);
  } else {
    auto const there = pantile::device_like(exec, b, "pantile::out_of_core: a tile");
    pantile::transpose(exec, pantile::to_device(exec, a, where), there, how, where);
    pantile::copy(exec, b, there, where);
  }
}

}  // namespace pantile::impl::out_of_core

namespace pantile::out_of_core {

namespace explain {

/// \brief  The tiles that `transpose` takes, what it will read and write, and its memory; same checks and errors.
template <Element Word>
TransposePlan transpose(TileSource const& A, TileSink const& B, OutOfCoreOptions const& options,
                        TransposeOptions const& how = {},
                        std::source_location where = std::source_location::current()) {
  return impl::out_of_core::checked_plan(A.shape(), B.shape(), sizeof(Word), how.conjugate, options, where);
}

/// \brief  The tiles that `matmul` takes, what it will read and write, and its memory; same checks and errors.
template <Element T, Element TC = T, class Accumulator = DefaultAccumulator, class Alpha, class Beta>
MatmulPlan matmul(Alpha const& alpha, TileSource& A, TileSource& B, Beta const& beta, TileSource& C_in, TileSink& C,
                  OutOfCoreOptions const& options, MatmulOptions const& how = {},
                  std::source_location where = std::source_location::current()) {
  namespace room = impl::out_of_core;
  using Sum = typename impl::AccumulatorFor<Accumulator, T, T, TC>::type;
  bool const reads_a_and_b = impl::to_scalar<Sum>(alpha) != Sum(0), reads_c = impl::to_scalar<Sum>(beta) != Sum(0);
  return room::checked_plan(room::stores_of(A, B, reads_c ? &C_in : nullptr, C, how),
                            {sizeof(T), sizeof(TC), sizeof(Sum)}, reads_a_and_b, options, where);
}

}  // namespace explain

/// \brief  B = A^T, or A^H, by tiles of which at most options.memory bytes are in memory.
///
/// \tparam Word     element type, or a word of which elements consist that are only moved
/// \param  exec     execution-space instance that transposes tiles
/// \param  A        (m, n), of elements of one or more Words
/// \param  B        (n, m), of as many bytes an element, in any order; another place than A's
/// \param  options  memory; first_tile, on_tile and on_progress to resume after an interruption
/// \param  how      as of pantile::transpose, for each tile
///
/// \pre    B is columns of A by rows of A; both have elements of the same bytes, whole Words; only elements of one Word
///         are conjugated
/// \pre    memory is at least what the smallest tiles take, which the error says; first_tile is not beyond the last one
/// \throws pantile::Error  when one of these does not hold, or pantile::transpose refuses; before anything is written
/// \throws what A.read, B.write and the functions of the options throw; B then has some of its tiles
///
/// \par Asynchrony   returns when B has all tiles. A thread reads and one writes, on any core of the process's threads,
///                   while exec works; exec is fenced
/// \par Allocation   the plan's memory, freed at the end; what pantile::transpose allocates beside it. On devices each
///                   strip twice in exec's memory too; copies and kernels follow each other there. No GPU has run this
/// \par Traffic      every element once each way, in few pieces; a result of ten budgets and less from front to back
/// \par Source       tiles that memory holds: Aggarwal and Vitter, Comm. ACM 31(9), 1988
template <Element Word, ExecutionSpace Exec>
void transpose(Exec const& exec, TileSource& A, TileSink& B, OutOfCoreOptions const& options,
               TransposeOptions const& how = {}, std::source_location where = std::source_location::current()) {
  namespace room = impl::out_of_core;
  Kokkos::Profiling::ScopedRegion const region("pantile::out_of_core::transpose");
  StoreShape const a = A.shape(), b = B.shape();
  auto const plan = explain::transpose<Word>(A, B, options, how, where);
  auto const words = static_cast<std::int64_t>(a.element_bytes / sizeof(Word));
  room::transpose_tiles(plan, A, B, options, [&](Part const& tile, Part const& strip, auto const* from, auto* to) {
    for (std::int64_t word = 0; word < words; ++word) {
      auto const all = room::packed(reinterpret_cast<Word*>(to) + word, tile.transposed(), b.order, words);
      Part const in_tile{strip.row - tile.row, strip.col - tile.col, strip.rows, strip.cols};
      room::transpose_packed(exec, room::packed(reinterpret_cast<Word const*>(from) + word, strip, a.order, words),
                             room::part_of(all, in_tile.transposed()), how, where);
    }
    exec.fence("pantile::out_of_core: a strip");
  });
}

/// \brief  C = alpha op(A) op(B) + beta C_in by tiles of which at most options.memory bytes are in memory.
///
/// \tparam T            element type of A and B
/// \tparam TC           element type of C
/// \tparam Accumulator  as of pantile::matmul; a tile of C has this type until all of k is summed, so that each sum is
///                      rounded to TC once
/// \param  exec     execution-space instance that multiplies tiles
/// \param  A        (m, k) after op_a
/// \param  B        (k, n) after op_b
/// \param  C_in     (m, n): old values; may be C. Not read where beta is zero
/// \param  C        (m, n); another place than A's and B's
/// \param  options  memory; first_tile, on_tile and on_progress to resume after an interruption
/// \param  how      as of pantile::matmul, for each tile
///
/// \pre    shapes as said; elements of A and B have sizeof(T) bytes, those of C and C_in sizeof(TC)
/// \pre    memory is at least what the smallest tiles take, which the error says; first_tile is not beyond the last one
/// \throws pantile::Error  when one of these does not hold, or pantile::matmul refuses; before anything is written
/// \throws what the operands' read and write and the functions of the options throw; C then has some of its tiles
///
/// \par Numerics     as pantile::matmul's; k is summed in steps of plan_matmul's depth, which are added in rising k
/// \par Asynchrony   returns when C has all tiles. A thread reads and one writes, on any core of the process's threads,
///                   while exec works; exec is fenced
/// \par Allocation   the plan's memory, freed at the end; what pantile::matmul allocates beside it. On devices the tile
///                   of C and copies of the panels are in exec's memory; no copy overlaps a product. No GPU has run it
/// \par Determinism  the same bits for the same plan
/// \par Traffic      plan_matmul's: near 2 m n k / sqrt(M) elements for a square product, M of which memory holds
/// \par Source       a tile of C that stays while k goes by: Hong and Kung, STOC 1981; the bound, Smith, Lowery, Langou
///                   and van de Geijn, arXiv 1702.02017
template <Element T, Element TC = T, class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha,
          class Beta>
void matmul(Exec const& exec, Alpha const& alpha, TileSource& A, TileSource& B, Beta const& beta, TileSource& C_in,
            TileSink& C, OutOfCoreOptions const& options, MatmulOptions const& how = {},
            std::source_location where = std::source_location::current()) {
  namespace room = impl::out_of_core;
  using Sum = typename impl::AccumulatorFor<Accumulator, T, T, TC>::type;
  Kokkos::Profiling::ScopedRegion const region("pantile::out_of_core::matmul");
  auto const a = impl::to_scalar<Sum>(alpha), b = impl::to_scalar<Sum>(beta);
  auto const plan = explain::matmul<T, TC, Accumulator>(alpha, A, B, beta, C_in, C, options, how, where);
  auto const stores = room::stores_of(A, B, b == Sum(0) ? nullptr : &C_in, C, how);
  room::TileProduct<T, TC, Sum, Exec, room::MatmulCalls<Sum>> product(exec, plan, stores, {how, where}, a, b);
  room::MatmulLoop(plan, stores, options).run(product);
}

/// \brief  The same where C's old values are C's own.
template <Element T, Element TC = T, class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha,
          class Beta>
void matmul(Exec const& exec, Alpha const& alpha, TileSource& A, TileSource& B, Beta const& beta, TileStore& C,
            OutOfCoreOptions const& options, MatmulOptions const& how = {},
            std::source_location where = std::source_location::current()) {
  matmul<T, TC, Accumulator>(exec, alpha, A, B, beta, C, C, options, how, where);
}

/// Operands that are no places of tiles: does not compile, and says what to write.
template <class T, class Exec, class X, class A, class B, class Y, class C>
  requires(!ProductStores<A, B, C>)
void matmul(Exec const&, X const&, A const&, B const&, Y const&, C const&, OutOfCoreOptions const&) {
  impl::out_of_core::refuse_operands<A, B, C>();
}
template <class Word, class Exec, class A, class B>
  requires(!TransposeStores<A, B>)
void transpose(Exec const&, A const&, B const&, OutOfCoreOptions const&) {
  impl::out_of_core::refuse_operands<A, B>();
}

}  // namespace pantile::out_of_core
