// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Products and transpositions of matrices larger than memory, tile by tile within a budget of bytes. Operands
///        are files (FileStore), Views in host memory (ViewSource, ViewStore), or classes of your own derived from
///        TileSource and TileSink.

#include <pantile/concepts.hpp>
#include <pantile/element.hpp>
#include <pantile/error.hpp>
#include <pantile/file_store.hpp>
#include <pantile/out_of_core_plan.hpp>
#include <pantile/policy.hpp>
#include <pantile/tile_store.hpp>
#include <pantile/view_store.hpp>

#include <pantile/impl/out_of_core/call.hpp>
#include <pantile/impl/out_of_core/product.hpp>
#include <pantile/impl/out_of_core/transpose.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <source_location>

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
  using Sum = typename impl::AccumulatorFor<Accumulator, T, T, TC>::type;
  return impl::out_of_core::plan_call<T, TC, Sum>(alpha, A, B, beta, C_in, C, options, how, where);
}

}  // namespace explain

/// \brief  B = A^T, or A^H, by tiles within options.memory bytes.
///
/// \tparam Word     element type; or, without conjugation, a type of which an element is a whole number
/// \param  exec     execution-space instance that transposes tiles
/// \param  A        (m, n), of elements of one or more Words
/// \param  B        (n, m), of elements of the same size, in any order; not in A's storage
/// \param  options  memory; first_tile, on_tile and on_progress to resume after an interruption
/// \param  how      options of pantile::transpose for each tile
///
/// \pre    B is columns of A by rows of A; both have elements of the same bytes, whole Words; only elements of one Word
///         are conjugated
/// \pre    memory is enough for the smallest tiles (the error says how much); first_tile is at most the number of tiles
/// \throws pantile::Error  when one of these does not hold, or pantile::transpose refuses; before anything is written
/// \throws what A.read, B.write and the functions of the options throw; some tiles of B are then written
///
/// \par Asynchrony   returns when B is written. One thread reads and one writes while exec works; they may run on any
///                   core that the process' threads may use. exec is fenced
/// \par Allocation   the plan's memory, freed at the end, and what pantile::transpose allocates. On devices also two
///                   copies of each strip in exec's memory, without overlap of copies and kernels. No GPU has run this
/// \par Traffic      reads and writes every element once, in few contiguous runs; a result of up to ten budgets is
///                   written from front to back
/// \par Source       transposition by tiles that fit into memory: Aggarwal and Vitter, Comm. ACM 31(9), 1988
template <Element Word, ExecutionSpace Exec>
void transpose(Exec const& exec, TileSource& A, TileSink& B, OutOfCoreOptions const& options,
               TransposeOptions const& how = {}, std::source_location where = std::source_location::current()) {
  impl::out_of_core::transpose<Word>(exec, A, B, options, how, where);
}

/// \brief  C = alpha op(A) op(B) + beta C_in by tiles within options.memory bytes.
///
/// \tparam T            element type of A and B
/// \tparam TC           element type of C
/// \tparam Accumulator  as of pantile::matmul; tiles of C have this type until all of k is summed, so that each sum is
///                      rounded to TC once
/// \param  exec     execution-space instance that multiplies tiles
/// \param  A        (m, k) after op_a
/// \param  B        (k, n) after op_b
/// \param  C_in     (m, n): old values; may be C. Not read where beta is zero
/// \param  C        (m, n); not in A's or B's storage
/// \param  options  memory; first_tile, on_tile and on_progress to resume after an interruption
/// \param  how      options of pantile::matmul for each tile
///
/// \pre    shapes as above; elements of A and B have sizeof(T) bytes, those of C and C_in sizeof(TC)
/// \pre    memory is enough for the smallest tiles (the error says how much); first_tile is at most the number of tiles
/// \throws pantile::Error  when one of these does not hold, or pantile::matmul refuses; before anything is written
/// \throws what the operands' read and write and the functions of the options throw; some tiles of C are then written
///
/// \par Numerics     as pantile::matmul's; k is summed in steps of the plan's depth, which are added in rising k
/// \par Asynchrony   returns when C is written. One thread reads and one writes while exec works; they may run on any
///                   core that the process' threads may use. exec is fenced
/// \par Allocation   the plan's memory, freed at the end, and what pantile::matmul allocates. On devices the tile of C
///                   and copies of the panels are in exec's memory; no copy overlaps a product. No GPU has run this
/// \par Determinism  the same bits for the same plan
/// \par Traffic      as explain::matmul says: near 2 m n k / sqrt(M) elements for a square product in memory for M
/// \par Source       a tile of C stays in memory for all of k: Hong and Kung, STOC 1981; the bound on traffic: Smith,
///                   Lowery, Langou and van de Geijn, arXiv 1702.02017
template <Element T, Element TC = T, class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha,
          class Beta>
void matmul(Exec const& exec, Alpha const& alpha, TileSource& A, TileSource& B, Beta const& beta, TileSource& C_in,
            TileSink& C, OutOfCoreOptions const& options, MatmulOptions const& how = {},
            std::source_location where = std::source_location::current()) {
  using Sum = typename impl::AccumulatorFor<Accumulator, T, T, TC>::type;
  impl::out_of_core::multiply<T, TC, Sum>(exec, alpha, A, B, beta, C_in, C, options, how, where);
}

/// \brief  The same where C's old values are C's own.
template <Element T, Element TC = T, class Accumulator = DefaultAccumulator, ExecutionSpace Exec, class Alpha,
          class Beta>
void matmul(Exec const& exec, Alpha const& alpha, TileSource& A, TileSource& B, Beta const& beta, TileStore& C,
            OutOfCoreOptions const& options, MatmulOptions const& how = {},
            std::source_location where = std::source_location::current()) {
  matmul<T, TC, Accumulator>(exec, alpha, A, B, beta, C, C, options, how, where);
}

/// Catches operands that are no stores of tiles: does not compile, and says what to write.
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
