// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/arch/host/tuning/mpi.hpp>
#include <pantile/impl/mpi/pblas.hpp>

#include <pantile/impl/mpi/contexts.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <utility>

// One signature for every letter: all arguments go by address.
using Gemm = void(char const* op_a, char const* op_b, int const* m, int const* n, int const* k, void const* alpha,
                  void const* a, int const* ia, int const* ja, int const* desc_a, void const* b, int const* ib,
                  int const* jb, int const* desc_b, void const* beta, void* c, int const* ic, int const* jc,
                  int const* desc_c);
using Redistribute = void(int const* m, int const* n, void const* a, int const* ia, int const* ja, int const* desc_a,
                          void* b, int const* ib, int const* jb, int const* desc_b, int const* context);
using PanelColumns = int(int const* context, char const* type, std::size_t type_length);
extern "C" {
Gemm psgemm_, pdgemm_, pcgemm_, pzgemm_;
Redistribute pigemr2d_, pdgemr2d_, pzgemr2d_;
}

namespace {

/// Columns of the panels that PBLAS sends and multiplies by, while pantile::mpi calls it; 0 while others do.
thread_local int panel_columns = 0;

}  // namespace

/// \brief  What PBLAS asks for the columns of its panels, whoever called it.
///
/// ScaLAPACK's own says 32, and is there to be replaced. Weak: a program's replacement is obeyed, in our calls too.
extern "C" [[gnu::weak]] int pilaenv_(int const* context, char const* type, std::size_t type_length) {
  if (panel_columns > 0) return panel_columns;
  static auto* const others = reinterpret_cast<PanelColumns*>(dlsym(RTLD_NEXT, "pilaenv_"));
  return others != nullptr ? others(context, type, type_length) : 32;
}

namespace pantile::impl::mpi {
namespace {

using pantile::mpi::ProcessGrid;

/// Panels of a call of ours.
class Panels {
 public:
  Panels() { panel_columns = arch::host::product_panel_columns; }
  ~Panels() { panel_columns = 0; }
  Panels(Panels const&) = delete;
  Panels& operator=(Panels const&) = delete;
};

constexpr int first = 1;  // row and column at which operands begin, as Fortran counts

/// ScaLAPACK's description of a matrix of columns.
using Descriptor = std::array<int, 9>;
int rows(Descriptor const& d) { return d[2]; }
int cols(Descriptor const& d) { return d[3]; }

/// On grid, which is the part's own or equal to it. A row-major part is the transposed matrix on the transposed grid.
Descriptor descriptor(Part const& part, ProcessGrid const& grid) {
  auto const& d = *part.distribution;
  GridState const& state = GridAccess::state(grid);
  // A block larger than the matrix is taken as large as it: ScaLAPACK multiplies blocks by edges of the grid.
  auto const block = [](int edge, std::int64_t extent) {
    return static_cast<int>(std::clamp<std::int64_t>(extent, 1, edge));
  };
  std::array<int, 2> extents{static_cast<int>(d.rows()), static_cast<int>(d.cols())};
  std::array<int, 2> blocks{block(d.block().rows, d.rows()), block(d.block().cols, d.cols())};
  if (part.row_major) {
    std::swap(extents[0], extents[1]);
    std::swap(blocks[0], blocks[1]);
  }
  int const context = part.row_major ? state.transposed_context : state.context;
  return {1, context, extents[0], extents[1], blocks[0], blocks[1], 0, 0, static_cast<int>(part.leading)};
}

/// conjugate, which PBLAS has not without a transposition, comes here with real elements only.
char letter(Op op) { return op == Op::transpose ? 'T' : op == Op::conjugate_transpose ? 'C' : 'N'; }

}  // namespace

void gemm(Number number, Op op_a, Op op_b, void const* alpha, Part const& a, Part const& b, void const* beta,
          Part const& c) {
  constexpr std::array<Gemm*, 4> gemms{psgemm_, pdgemm_, pcgemm_, pzgemm_};
  ProcessGrid const& grid = c.distribution->grid();
  if (!grid.contains_this_rank()) return;
  // Of row-major parts the transposes lie in memory: C^T = op_b(B)^T op_a(A)^T.
  bool const swapped = c.row_major;
  Part const& left = swapped ? b : a;
  Part const& right = swapped ? a : b;
  char const op_left = letter(swapped ? op_b : op_a), op_right = letter(swapped ? op_a : op_b);
  Descriptor const of_left = descriptor(left, grid), of_right = descriptor(right, grid), of_c = descriptor(c, grid);
  int const m = rows(of_c), n = cols(of_c), k = op_left == 'N' ? cols(of_left) : rows(of_left);
  Panels const panels;
  gemms[static_cast<std::size_t>(number)](&op_left, &op_right, &m, &n, &k, alpha, left.data, &first, &first,
                                          of_left.data(), right.data, &first, &first, of_right.data(), beta, c.data,
                                          &first, &first, of_c.data());
}

void redistribute(std::size_t element_bytes, Part const& a, Part const& b) {
  auto* const move = element_bytes == 4 ? pigemr2d_ : element_bytes == 8 ? pdgemr2d_ : pzgemr2d_;
  Descriptor const of_a = descriptor(a, a.distribution->grid()), of_b = descriptor(b, b.distribution->grid());
  int const m = rows(of_b), n = cols(of_b);
  move(&m, &n, a.data, &first, &first, of_a.data(), b.data, &first, &first, of_b.data(),
       &GridAccess::state(b.distribution->grid()).line_context);
}

}  // namespace pantile::impl::mpi
