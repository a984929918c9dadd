// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/agreement.hpp>
#include <pantile/impl/mpi/contexts.hpp>

#include <dlfcn.h>
#include <cstdint>

#if defined(PANTILE_MPI_HAS_BLAS_LAYER)
#include <pantile/c/blas.h>
#endif

extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, char const* order, int rows, int cols);
void Cblacs_gridexit(int context);
}

namespace pantile::impl::mpi {
namespace {

std::string edges(int rows, int cols) { return std::to_string(rows) + "x" + std::to_string(cols); }

/// What can be asked without messages: without these there is nobody to agree with.
void require_communicator(MPI_Comm communicator, std::source_location where) {
  auto const require = [where](bool holds, char const* rule) {
    if (!holds) throw Error("mpi::ProcessGrid", rule, "", where);
  };
  require_running("mpi::ProcessGrid", where);
  int is_inter = 0;
  require(communicator != MPI_COMM_NULL, "the communicator must not be MPI_COMM_NULL");
  MPI_Comm_test_inter(communicator, &is_inter);
  require(is_inter == 0, "the communicator must not be an intercommunicator");
}

void require_ranks(MPI_Comm communicator, int rows, int cols, std::source_location where) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  Agreement agreement("mpi::ProcessGrid", where);
  agreement.require(rows >= 1 && cols >= 1,
                    [&] { return "a grid must have rows and columns: " + edges(rows, cols) + " has none"; });
  agreement.require(std::int64_t(rows) * cols <= size, [&] {
    return "a grid must have no more places than the communicator has ranks: " + edges(rows, cols) + " of " +
           std::to_string(size);
  });
  agreement.same(rows);
  agreement.same(cols);
  agreement.settle(communicator, [] { return std::string(); });
}

}  // namespace

// BLACS renumbers its handles of communicators when some are freed: they serve here only.
GridState::GridState(MPI_Comm caller, int grid_rows, int grid_cols) : rows(grid_rows), cols(grid_cols) {
  MPI_Comm_dup(caller, &communicator);
  int rank = 0, size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  if (rank < rows * cols) {
    row = rank / cols;
    col = rank % cols;
  }
  int const handle = Csys2blacs_handle(communicator);
  context = transposed_context = line_context = handle;
  Cblacs_gridinit(&context, "Row", rows, cols);
  Cblacs_gridinit(&transposed_context, "Col", cols, rows);
  Cblacs_gridinit(&line_context, "Row", 1, size);
  Cfree_blacs_system_handle(handle);
}

GridState::~GridState() {
  int is_finalised = 0;
  MPI_Finalized(&is_finalised);
  if (is_finalised != 0) return;
  for (int const ours : {context, transposed_context, line_context}) {
    if (ours >= 0) Cblacs_gridexit(ours);
  }
  MPI_Comm_free(&communicator);
}

}  // namespace pantile::impl::mpi

namespace pantile::mpi {

ProcessGrid::ProcessGrid(MPI_Comm communicator, int rows, int cols, std::source_location where) {
  impl::mpi::require_communicator(communicator, where);
  impl::mpi::require_ranks(communicator, rows, cols, where);
  m_state = std::make_shared<impl::mpi::GridState const>(communicator, rows, cols);
}

int ProcessGrid::rows() const noexcept { return m_state->rows; }
int ProcessGrid::cols() const noexcept { return m_state->cols; }
int ProcessGrid::row() const noexcept { return m_state->row; }
int ProcessGrid::col() const noexcept { return m_state->col; }
MPI_Comm ProcessGrid::communicator() const noexcept { return m_state->communicator; }

bool operator==(ProcessGrid const& a, ProcessGrid const& b) {
  if (a.m_state == b.m_state) return true;
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(a.communicator(), b.communicator(), &relation);
  return relation == MPI_CONGRUENT;
}

std::string local_products_library() {
  // As the loader finds it for ScaLAPACK. Naming it keeps the layer among the libraries of a program that is linked
  // with those only which it needs.
  void* found = dlsym(RTLD_DEFAULT, "dgemm_");
#if defined(PANTILE_MPI_HAS_BLAS_LAYER)
  if (found == nullptr) found = reinterpret_cast<void*>(&dgemm_);
#endif
  Dl_info info{};
  return found != nullptr && dladdr(found, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace pantile::mpi
