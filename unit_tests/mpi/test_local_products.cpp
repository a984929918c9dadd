// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Whose products are the local ones?

#include <mpi/ranks.hpp>
#include <support/tool_events.hpp>

#include <pantile/mpi/matmul.hpp>

#include <gmock/gmock.h>

#include <cstddef>
#include <filesystem>

extern "C" int pilaenv_(int const* context, char const* type, std::size_t type_length);

namespace pantile::testing {
namespace {

#if defined(PANTILE_BLAS_LAYER)
TEST(MpiLocalProducts, AreThoseOfTheBlasLayer) {
  EXPECT_EQ(std::filesystem::canonical(mpi::local_products_library()), std::filesystem::canonical(PANTILE_BLAS_LAYER));
}

// The layer runs kernels of Pantile where a product is not tiny: listen for them.
TEST(MpiLocalProducts, RunPantilesKernels) {
  mpi::ProcessGrid const grid(MPI_COMM_WORLD, 1, world_size());
  int const n = 256 * world_size();
  mpi::Distribution const d(grid, n, n, {64, 64});
  HostMatrix<double> const values(static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  Dealt<double, Kokkos::LayoutLeft> const a(d, values), b(d, values), c(d, values);
  ToolEvents const events;
  mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix);
  EXPECT_GT(events.count(ToolEvents::Kind::kernel, "pantile::matmul") +
                events.count(ToolEvents::Kind::region, "pantile::matmul"),
            0U);
}

// PBLAS' panels are wider in calls of pantile::mpi, and as they were for others: of 32 columns.
TEST(MpiLocalProducts, ArePanelsOf64Columns) {
  if (world_size() == 1) GTEST_SKIP() << "one rank has no panels to send";
  int const panels = 4, n = 64 * panels * world_size(), context = 0;
  mpi::ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  mpi::Distribution const d(grid, n, n, {64, 64});
  HostMatrix<double> const values(static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  Dealt<double, Kokkos::LayoutLeft> const a(d, values), b(d, values), c(d, values);
  EXPECT_EQ(pilaenv_(&context, "D", 1), 32);
  ToolEvents const events;
  mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix);
  EXPECT_EQ(events.count(ToolEvents::Kind::kernel, "pantile::matmul"), static_cast<std::size_t>(panels * world_size()));
  EXPECT_EQ(pilaenv_(&context, "D", 1), 32);
}
#endif

}  // namespace
}  // namespace pantile::testing
