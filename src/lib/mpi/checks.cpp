// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/checks.hpp>

namespace pantile::impl::mpi {
namespace {

void require_one_grid(Agreement& agreement, Distribution const& first, Distribution const& second) {
  agreement.require(first.grid() == second.grid(), [] {
    return std::string("all operands must be on one grid, or on grids of the same edges: redistribute others before");
  });
}

void require_op(Agreement& agreement, char const* name, Op op, bool is_complex) {
  agreement.require(is_enumerator(op), [&] { return enumerator_refusal(name, op); });
  agreement.require(op != Op::conjugate || !is_complex, [&] {
    return std::string(name) +
           " must not be conjugate for complex elements: ScaLAPACK conjugates only what it transposes";
  });
  agreement.same(op);
}

}  // namespace

void require_product(Agreement& agreement, Distribution const& a, Distribution const& b, Distribution const& c, Op op_a,
                     Op op_b, bool is_complex) {
  require_op(agreement, "op_a", op_a, is_complex);
  require_op(agreement, "op_b", op_b, is_complex);
  auto const shape_of = [](Distribution const& x, bool transposed) {
    return transposed ? Shape(x.cols(), x.rows()) : Shape(x.rows(), x.cols());
  };
  check_product(agreement, shape_of(a, transposes(op_a)), shape_of(b, transposes(op_b)), shape_of(c, false));
  require_one_grid(agreement, a, c);
  require_one_grid(agreement, b, c);
}

void require_transposed(Agreement& agreement, Distribution const& a, Distribution const& b) {
  agreement.require(b.rows() == a.cols() && b.cols() == a.rows(), [&] {
    return "B must be " + std::to_string(a.cols()) + "x" + std::to_string(a.rows()) + " (columns of A by rows of A)";
  });
  require_one_grid(agreement, a, b);
}

void require_same_extents(Agreement& agreement, Distribution const& a, Distribution const& b) {
  agreement.require(a.rows() == b.rows() && a.cols() == b.cols(), [&] {
    return "B must have A's extents, " + std::to_string(a.rows()) + "x" + std::to_string(a.cols());
  });
}

void require_one_distribution(Agreement& agreement, Distribution const& a, Distribution const& b,
                              Distribution const& c) {
  agreement.require(a == c && b == c, [] {
    return std::string(
        "A, B and C must have one distribution, of extents, blocks and grid: redistribute others before");
  });
}

}  // namespace pantile::impl::mpi
