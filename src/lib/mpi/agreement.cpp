// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/agreement.hpp>

#include <array>

namespace pantile::impl::mpi {

using pantile::mpi::Distribution;

void require_running(char const* operation, std::source_location where) {
  int is_initialised = 0, is_finalised = 0;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  if (is_initialised == 0 || is_finalised != 0) {
    throw Error(operation, "MPI must be initialised, and not finalised yet", "", where);
  }
}

// FNV-1a (Fowler, Noll, Vo), 64 bits.
void Agreement::mix(void const* data, std::size_t bytes) {
  auto const* const p = static_cast<unsigned char const*>(data);
  for (std::size_t i = 0; i < bytes; ++i) m_digest = (m_digest ^ p[i]) * 0x100000001b3u;
}

void Agreement::same(Distribution const& distribution) {
  auto const [block_rows, block_cols] = distribution.block();
  for (std::int64_t number :
       {distribution.rows(), distribution.cols(), std::int64_t(block_rows), std::int64_t(block_cols),
        std::int64_t(distribution.grid().rows()), std::int64_t(distribution.grid().cols())}) {
    same(number);
  }
}

void Agreement::settle_texts(MPI_Comm communicator, std::string operands) const {
  int rank = 0, size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  // The lowest rank with a broken rule; the smallest and, complemented, the largest digest.
  auto const refusing = static_cast<std::uint64_t>(m_rule.empty() ? size : rank);
  std::array<std::uint64_t, 3> votes{refusing, m_digest, ~m_digest};
  MPI_Allreduce(MPI_IN_PLACE, votes.data(), 3, MPI_UINT64_T, MPI_MIN, communicator);
  int const first = static_cast<int>(votes[0]);
  if (first == size) {
    if (votes[1] == ~votes[2]) return;
    throw Error(m_operation,
                "all ranks must call with the same global arguments: extents, blocks, grid, layout, element type, "
                "operators, scalars, and local Views on devices or none",
                "", m_where);
  }
  std::array<std::uint64_t, 2> lengths{m_rule.size(), operands.size()};
  MPI_Bcast(lengths.data(), 2, MPI_UINT64_T, first, communicator);
  std::string rule = m_rule;
  rule.resize(lengths[0]);
  operands.resize(lengths[1]);
  MPI_Bcast(rule.data(), static_cast<int>(rule.size()), MPI_CHAR, first, communicator);
  MPI_Bcast(operands.data(), static_cast<int>(operands.size()), MPI_CHAR, first, communicator);
  throw Error(m_operation, rule + " (rank " + std::to_string(first) + ")", operands, m_where);
}

void Agreement::require_one_communicator(Distribution const& first, Distribution const& second) const {
  int relation = MPI_IDENT;
  MPI_Comm_compare(first.grid().communicator(), second.grid().communicator(), &relation);
  if (relation == MPI_IDENT || relation == MPI_CONGRUENT) return;
  throw Error(m_operation, "the grids of all operands must be made of one communicator", "", m_where);
}

}  // namespace pantile::impl::mpi
