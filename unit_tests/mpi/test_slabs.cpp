// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products in slabs: how they are cut, and what comes of it.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>
#include <support/tool_events.hpp>

#include <pantile/pinned.hpp>

#include <pantile/impl/mpi/product.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <string>

namespace pantile::testing {
namespace {

using impl::mpi::Cut;
using impl::mpi::plan_product;
using impl::mpi::ProductOperands;
using impl::mpi::ProductPlan;
using mpi::BlockSize;
using mpi::Distribution;
using mpi::ProcessGrid;

constexpr std::array<bool, 3> on_devices{true, true, true};

struct Planned {
  std::int64_t m, n, k;
  std::array<BlockSize, 3> blocks;
  std::size_t slab_bytes;
  std::array<bool, 3> on_device = on_devices;
  Op op_a = Op::none, op_b = Op::none;
};

ProductPlan plan_of(Planned const& p, ProcessGrid const& grid) {
  bool const transposed_a = transposes(p.op_a), transposed_b = transposes(p.op_b);
  Distribution const a(grid, transposed_a ? p.k : p.m, transposed_a ? p.m : p.k, p.blocks[0]),
      b(grid, transposed_b ? p.n : p.k, transposed_b ? p.k : p.n, p.blocks[1]), c(grid, p.m, p.n, p.blocks[2]);
  return plan_product({{&a, &b, &c}, p.on_device, 8}, p.op_a, p.op_b, p.slab_bytes);
}

std::string text_of(ProductPlan const& plan) {
  std::string text;
  for (Cut const cut : plan.cuts) text += cut == Cut::none ? "whole " : cut == Cut::rows ? "rows " : "cols ";
  return text + std::to_string(plan.slabs.count()) + " of " + std::to_string(plan.slabs.width) + ", " +
         std::to_string(plan.host_bytes);
}

TEST(MpiSlabs, PlansOnOnePlace) {
  ProcessGrid const one(MPI_COMM_WORLD, 1, 1);
  auto const expect = [&](Planned const& p, char const* plan) { EXPECT_EQ(text_of(plan_of(p, one)), plan); };
  std::array<BlockSize, 3> const blocks{BlockSize{3, 5}, BlockSize{7, 2}, BlockSize{4, 4}};
  // The smallest operand is whole, of equal ones C; one place cuts anywhere.
  expect({100, 100, 100, blocks, 8000}, "cols rows whole 10 of 10, 112000");
  expect({200, 100, 100, blocks, 8000}, "rows whole rows 20 of 10, 112000");
  expect({100, 200, 100, blocks, 8000}, "whole cols cols 20 of 10, 112000");
  expect({100, 100, 99, blocks, 8000}, "whole cols cols 10 of 10, 111040");
  expect({100, 100, 100, blocks, 8000, on_devices, Op::transpose, Op::transpose}, "rows cols whole 10 of 10, 112000");
  expect({100, 200, 100, blocks, 8000, on_devices, Op::none, Op::transpose}, "whole rows cols 20 of 10, 112000");
  // Slabs are a line at least, and one where they hold all.
  expect({100, 100, 100, blocks, 1}, "cols rows whole 100 of 1, 83200");
  expect({100, 100, 100, blocks, 80000}, "cols rows whole 1 of 100, 240000");
  expect({100, 100, 100, blocks, 79999}, "cols rows whole 2 of 99, 396800");
  expect({100, 100, 0, blocks, 8000}, "whole cols cols 10 of 10, 16000");
  expect({0, 0, 0, blocks, 8000}, "cols rows whole 1 of 0, 0");
  // What the host reaches takes none.
  expect({100, 100, 100, blocks, 8000, {false, false, false}}, "whole whole whole 1 of 0, 0");
  expect({100, 100, 100, blocks, 8000, {false, false, true}}, "whole cols cols 10 of 10, 16000");
  expect({100, 100, 100, blocks, 8000, {true, false, false}}, "cols rows whole 10 of 10, 16000");
}

TEST(MpiSlabs, PlansOnAGridCutWhereBlocksBegin) {
  int const places = world_size();
  ProcessGrid const grid(MPI_COMM_WORLD, 1, places);
  std::int64_t const n = 100 * 12 * places;
  // B's blocks have 6 columns, C's 4: of several places the first begins one of both every 12 x places.
  ProductPlan const plan = plan_of({10, n, 10, {BlockSize{2, 2}, BlockSize{2, 6}, BlockSize{2, 4}}, 30 * 10 * 8}, grid);
  EXPECT_EQ(plan.cuts, (std::array{Cut::none, Cut::cols, Cut::cols}));
  EXPECT_EQ(plan.slabs.width, places == 1 ? 30 : 24 * places);
  // Blocks that have little in common, or of which there are few, make one slab.
  for (auto const& [b, c] : {std::array{997, 1009}, std::array{1 << 30, 4}}) {
    ProductPlan const whole = plan_of({1, n, 1, {BlockSize{2, 2}, BlockSize{2, b}, BlockSize{2, c}}, 2400}, grid);
    EXPECT_EQ(whole.slabs.count(), places == 1 ? n / 300 : 1);
  }
}

/// This rank's part, where the default execution space has it.
template <class T, class Layout>
Dealt<T, Layout> dealt(ProcessGrid const& grid, HostMatrix<T> const& x, BlockSize block, std::size_t gap = 0) {
  return {{grid, static_cast<std::int64_t>(x.rows), static_cast<std::int64_t>(x.cols), block}, x, gap};
}

template <class T, class Layout>
void expect_product(ProcessGrid const& grid, std::array<std::size_t, 3> mnk, Op op, std::size_t slab_bytes) {
  auto const [m, n, k] = mnk;
  SCOPED_TRACE(std::to_string(grid.rows()) + "x" + std::to_string(grid.cols()) + ": " + std::to_string(m) + "x" +
               std::to_string(n) + "x" + std::to_string(k) + " " + to_string(op));
  bool const transposed = transposes(op);
  auto const a = whole_numbers<T>(transposed ? k : m, transposed ? m : k, 1),
             b = whole_numbers<T>(transposed ? n : k, transposed ? k : n, 2), c = whole_numbers<T>(m, n, 3);
  auto const da = dealt<T, Layout>(grid, a, {2, 3}, 1), db = dealt<T, Layout>(grid, b, {3, 2}),
             dc = dealt<T, Layout>(grid, c, {2, 2}, 2);
  using View = typename Dealt<T, Layout>::View;
  using Exec = typename View::execution_space;
  impl::mpi::Product<Exec, View, View, View>(Exec{}, op, op, {T(2), T(-3)}, da.matrix, db.matrix, dc.matrix, slab_bytes)
      .run();
  EXPECT_TRUE(equal(dc.gathered(), reference_matmul(T(2), applied(op, a), applied(op, b), T(-3), c).values));
  EXPECT_TRUE(dc.surroundings_intact());
  EXPECT_TRUE(equal(da.gathered(), a));
}

// Each operand is the smallest once.
TEST(MpiSlabs, ProductsInSlabs) {
  constexpr std::array<std::array<std::size_t, 3>, 4> shapes{{{11, 13, 60}, {70, 9, 10}, {9, 70, 10}, {30, 30, 30}}};
  for (ProcessGrid const& grid : all_grids()) {
    for (auto const& mnk : shapes) {
      for (Op const op : {Op::none, Op::transpose}) {
        expect_product<double, Kokkos::LayoutLeft>(grid, mnk, op, 200);
        expect_product<double, Kokkos::LayoutRight>(grid, mnk, op, 700);
      }
    }
  }
}

// The plan's, and Kokkos' own of each allocation; nothing where the host reaches all.
TEST(MpiSlabs, TakeTheMemoryThatIsPlanned) {
  ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  auto const n = static_cast<std::size_t>(24 * world_size());
  HostMatrix<double> const square(n, n);
  using Part = Dealt<double, Kokkos::LayoutLeft>;
  auto const a = dealt<double, Kokkos::LayoutLeft>(grid, square, {2, 3}),
             b = dealt<double, Kokkos::LayoutLeft>(grid, square, {3, 3}),
             c = dealt<double, Kokkos::LayoutLeft>(grid, square, {2, 2});
  using Exec = Part::View::execution_space;
  std::size_t const slab_bytes = n * 6 * sizeof(double);
  constexpr bool on_device = !impl::mpi::on_host<Part::View>;
  auto const plan = plan_product({{&a.matrix.distribution, &b.matrix.distribution, &c.matrix.distribution},
                                  {on_device, on_device, on_device},
                                  sizeof(double)},
                                 Op::none, Op::none, slab_bytes);
  free_staging();
  ToolEvents const events;
  impl::mpi::Product<Exec, Part::View, Part::View, Part::View>(Exec{}, Op::none, Op::none, {1.0, 0.0}, a.matrix,
                                                               b.matrix, c.matrix, slab_bytes)
      .run();
  std::uint64_t bytes = 0, header = 0;
  for (auto const& event : events.of(ToolEvents::Kind::allocation)) {
    bytes += event.bytes;
    header += 512;
  }
  EXPECT_GE(bytes, plan.host_bytes);
  EXPECT_LE(bytes, plan.host_bytes + header);
}

}  // namespace
}  // namespace pantile::testing
