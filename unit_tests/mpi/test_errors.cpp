// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Calls that are refused: by every rank, with one and the same sentence, and nothing is written.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/refusal.hpp>

#include <pantile/mpi/add.hpp>
#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/redistribute.hpp>
#include <pantile/mpi/transpose.hpp>

#include <gmock/gmock.h>

#include <limits>
#include <string>

namespace pantile::testing {
namespace {

using mpi::Distribution;
using mpi::ProcessGrid;
using ::testing::AllOf;
using ::testing::HasSubstr;

using View = Kokkos::View<double**, Kokkos::LayoutLeft>;
using Part = Dealt<double, Kokkos::LayoutLeft>;

int last_rank() { return world_size() - 1; }

/// What rank 0 was told; a failure where another rank was told something else.
template <class Call>
std::string common_refusal(Call const& call) {
  std::string const mine = refusal(call);
  std::string first = mine;
  int length = static_cast<int>(first.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  first.resize(static_cast<std::size_t>(length));
  MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(mine, first);
  return first;
}

class MpiErrors : public ::testing::Test {
 protected:
  ProcessGrid grid{MPI_COMM_WORLD, world_size(), 1};
  Distribution square{grid, 8, 8, {2, 2}};
  HostMatrix<double> values = whole_numbers<double>(8, 8, 1);
  Part a{square, values}, b{square, values}, c{square, values};

  void expect_c_untouched() const { EXPECT_TRUE(equal(c.gathered(), values)); }
};

TEST_F(MpiErrors, GridsThatDoNotFitTheRanks) {
  auto const make = [](int rows, int cols) { return [=] { ProcessGrid(MPI_COMM_WORLD, rows, cols); }; };
  EXPECT_THAT(common_refusal(make(world_size(), 2)),
              HasSubstr("a grid must have no more places than the communicator has ranks: " +
                        std::to_string(world_size()) + "x2 of " + std::to_string(world_size())));
  EXPECT_THAT(common_refusal(make(0, 1)), HasSubstr("a grid must have rows and columns: 0x1 has none"));
  EXPECT_THAT(common_refusal(make(1, -1)), HasSubstr("1x-1 has none"));
  EXPECT_THAT(common_refusal(make(1 << 20, 1 << 20)), HasSubstr("no more places"));
}

TEST_F(MpiErrors, AGridThatOneRankAloneSeesOtherwise) {
  if (world_size() == 1) GTEST_SKIP() << "there is no other rank";
  int const cols = world_rank() == last_rank() ? 1 : world_size();
  EXPECT_THAT(common_refusal([&] { ProcessGrid(MPI_COMM_WORLD, 1, cols); }),
              HasSubstr("all ranks must call with the same global arguments"));
  int const rows = world_rank() == last_rank() ? 0 : 1;
  EXPECT_THAT(common_refusal([&] { ProcessGrid(MPI_COMM_WORLD, rows, 1); }),
              AllOf(HasSubstr("0x1 has none"), HasSubstr("(rank " + std::to_string(last_rank()) + ")")));
}

TEST_F(MpiErrors, NoCommunicator) {
  EXPECT_THAT(common_refusal([] { ProcessGrid(MPI_COMM_NULL, 1, 1); }), HasSubstr("must not be MPI_COMM_NULL"));
  if (world_size() == 1) return;
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  bool const lower = world_rank() < world_size() / 2;
  MPI_Comm_split(MPI_COMM_WORLD, lower ? 0 : 1, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? world_size() / 2 : 0, 1, &between);
  EXPECT_THAT(common_refusal([&] { ProcessGrid(between, 1, 1); }), HasSubstr("must not be an intercommunicator"));
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

TEST_F(MpiErrors, BlocksAndExtents) {
  auto const make = [this](std::int64_t rows, std::int64_t cols, mpi::BlockSize block) {
    return [=, this] { Distribution(grid, rows, cols, block); };
  };
  EXPECT_THAT(common_refusal(make(4, 4, {0, 2})), HasSubstr("blocks must have rows and columns: an edge of 0"));
  EXPECT_THAT(common_refusal(make(4, 4, {2, -2})), HasSubstr("an edge of -2"));
  EXPECT_THAT(common_refusal(make(-1, 4, {2, 2})), HasSubstr("extents must not be negative: -1"));
  EXPECT_THAT(common_refusal(make(4, std::int64_t(1) << 31, {2, 2})), HasSubstr("more than ScaLAPACK can count"));
  EXPECT_THAT(common_refusal(make(std::numeric_limits<int>::max(), 4, {2, 2})),
              HasSubstr("more than ScaLAPACK can count"));
  EXPECT_THAT(common_refusal(make((1 << 30) - 8, 4, {2, 2})), "accepted");
}

// Any one of the ranks, while the others have nothing to object to.
TEST_F(MpiErrors, BlocksAndExtentsOfOneRankAlone) {
  for (int rank = 0; rank < world_size(); ++rank) {
    bool const here = world_rank() == rank;
    auto const by_rank = HasSubstr("(rank " + std::to_string(rank) + ")");
    auto const refused = [&](std::int64_t rows, std::int64_t cols, mpi::BlockSize block) {
      return common_refusal([&] {
        Distribution(grid, here ? rows : 8, here ? cols : 8, here ? block : mpi::BlockSize{2, 2});
      });
    };
    EXPECT_THAT(refused(8, 8, {0, 2}), AllOf(HasSubstr("mpi::Distribution: blocks must have rows"), by_rank));
    EXPECT_THAT(refused(8, 8, {2, -1}), AllOf(HasSubstr("an edge of -1"), by_rank));
    EXPECT_THAT(refused(-3, 8, {2, 2}), AllOf(HasSubstr("extents must not be negative: -3"), by_rank));
    EXPECT_THAT(refused(8, std::int64_t(1) << 40, {2, 2}), AllOf(HasSubstr("more than ScaLAPACK can count"), by_rank));
    if (world_size() == 1) continue;
    auto const differ = HasSubstr("mpi::Distribution: all ranks must call with the same global arguments");
    EXPECT_THAT(refused(9, 8, {2, 2}), differ);
    EXPECT_THAT(refused(8, 7, {2, 2}), differ);
    EXPECT_THAT(refused(8, 8, {3, 2}), differ);
    EXPECT_THAT(refused(8, 8, {2, 1}), differ);
    // One makes a matrix where the others multiply some: neither waits for the other.
    std::string const said = refusal([&] {
      if (here) {
        Distribution(grid, 8, 8, {2, 2});
      } else {
        mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix);
      }
    });
    EXPECT_THAT(said, AllOf(HasSubstr(here ? "mpi::Distribution" : "mpi::matmul"),
                            HasSubstr("all ranks must call with the same global arguments")));
  }
  expect_c_untouched();
}

TEST_F(MpiErrors, ALocalViewOfTheWrongExtentsOnOneRank) {
  Part const spare(square, values);
  auto wrong = spare.matrix;
  if (world_rank() == last_rank()) wrong.local = View("wrong", wrong.local.extent(0) + 1, 3);
  std::string const text =
      "must be " + std::to_string(square.local_extents(last_rank(), 0).rows) + "x8, this rank's part";
  auto const by_last =
      AllOf(HasSubstr(text), HasSubstr("(rank " + std::to_string(last_rank()) + ")"), HasSubstr("'wrong'"));
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, a.matrix, b.matrix, 0.0, wrong); }),
              AllOf(HasSubstr("pantile::mpi::matmul: the local View of C"), by_last));
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, wrong, b.matrix, 0.0, c.matrix); }), by_last);
  EXPECT_THAT(common_refusal([&] { mpi::transpose(wrong, c.matrix); }), by_last);
  EXPECT_THAT(common_refusal([&] { mpi::redistribute(wrong, c.matrix); }), by_last);
  EXPECT_THAT(common_refusal([&] { mpi::add(1.0, wrong, 1.0, b.matrix, c.matrix); }), by_last);
  expect_c_untouched();
}

TEST_F(MpiErrors, NoMemoryAndSharedMemory) {
  auto without = a.matrix;
  if (world_rank() == last_rank()) without.local = View(nullptr, a.matrix.local.extent(0), 8);
  bool const empty = square.local_extents(last_rank(), 0).rows == 0;
  if (!empty) {
    EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, without, b.matrix, 0.0, c.matrix); }),
                HasSubstr("must not be null"));
    auto same = a.matrix;
    if (world_rank() == last_rank()) same.local = c.matrix.local;
    EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, b.matrix, same, 0.0, c.matrix); }),
                HasSubstr("the local View of C must not overlap that of B"));
    EXPECT_THAT(common_refusal([&] { mpi::transpose(same, c.matrix); }), HasSubstr("must not overlap that of A"));
  }
  expect_c_untouched();
}

TEST_F(MpiErrors, ExtentsThatDoNotFit) {
  Part const tall({grid, 9, 8, {2, 2}}, whole_numbers<double>(9, 8, 2));
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, a.matrix, tall.matrix, 0.0, c.matrix); }),
              HasSubstr("columns of op(A) (8) must equal rows of op(B) (9)"));
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, tall.matrix, b.matrix, 0.0, c.matrix); }),
              AllOf(HasSubstr("C must be 9x8"), HasSubstr("of 9x8 in blocks of 2x2 on a grid of")));
  EXPECT_THAT(common_refusal([&] { mpi::transpose(tall.matrix, c.matrix); }), HasSubstr("B must be 8x9"));
  EXPECT_THAT(common_refusal([&] { mpi::redistribute(tall.matrix, c.matrix); }),
              HasSubstr("B must have A's extents, 9x8"));
  expect_c_untouched();
}

TEST_F(MpiErrors, GridsAndBlocksThatDiffer) {
  Part const other_blocks({grid, 8, 8, {3, 2}}, values);
  EXPECT_THAT(common_refusal([&] { mpi::add(1.0, a.matrix, 1.0, other_blocks.matrix, c.matrix); }),
              HasSubstr("A, B and C must have one distribution"));
  if (world_size() > 1) {
    Part const other({ProcessGrid(MPI_COMM_WORLD, 1, world_size()), 8, 8, {2, 2}}, values);
    EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, other.matrix, b.matrix, 0.0, c.matrix); }),
                HasSubstr("all operands must be on one grid"));
    EXPECT_THAT(common_refusal([&] { mpi::transpose(other.matrix, c.matrix); }), HasSubstr("must be on one grid"));
    Distribution const alone(ProcessGrid(MPI_COMM_SELF, 1, 1), 8, 8, {2, 2});
    mpi::DistributedMatrix const mine{alone, View("mine", 8, 8)};
    EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, mine, b.matrix, 0.0, c.matrix); }),
                HasSubstr("the grids of all operands must be made of one communicator"));
    EXPECT_THAT(common_refusal([&] { mpi::redistribute(mine, c.matrix); }), HasSubstr("made of one communicator"));
  }
  expect_c_untouched();
}

TEST_F(MpiErrors, Operators) {
  using Complex = Kokkos::complex<double>;
  auto const numbers = whole_numbers<Complex>(8, 8, 1);
  Dealt<Complex, Kokkos::LayoutLeft> const x(square, numbers), y(square, numbers), z(square, numbers);
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, x.matrix, y.matrix, 0.0, z.matrix, {.op_a = Op::conjugate}); }),
              HasSubstr("op_a must not be conjugate for complex elements"));
  EXPECT_THAT(
      common_refusal([&] { mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix, {.op_b = static_cast<Op>(9)}); }),
      HasSubstr("op_b must be none, transpose, conjugate or conjugate_transpose, not 9"));
  EXPECT_TRUE(equal(z.gathered(), numbers));
  expect_c_untouched();
}

TEST_F(MpiErrors, GlobalArgumentsOfOneRankAlone) {
  if (world_size() == 1) GTEST_SKIP() << "there is no other rank";
  bool const is_last = world_rank() == last_rank();
  auto const same_arguments = HasSubstr("all ranks must call with the same global arguments");
  EXPECT_THAT(common_refusal([&] { mpi::matmul(is_last ? 2.0 : 1.0, a.matrix, b.matrix, 0.0, c.matrix); }),
              same_arguments);
  Op const op = is_last ? Op::transpose : Op::none;
  EXPECT_THAT(common_refusal([&] { mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix, {.op_a = op}); }),
              same_arguments);
  Distribution const twos(grid, 8, 8, {2, 2}), threes(grid, 8, 8, {2, 3});
  Distribution const& blocks = is_last ? threes : twos;
  EXPECT_THAT(common_refusal([&] {
                mpi::redistribute(a.matrix, mpi::DistributedMatrix{blocks, c.matrix.local});
              }),
              same_arguments);
  EXPECT_THAT(common_refusal([&] { mpi::transpose(a.matrix, c.matrix, {.conjugate = is_last}); }), same_arguments);
  expect_c_untouched();
}

// One rank in another operation altogether: both calls end, with an error that names its operation.
TEST_F(MpiErrors, AnotherOperationOnOneRank) {
  if (world_size() == 1) GTEST_SKIP() << "there is no other rank";
  std::string const said = refusal([&] {
    if (world_rank() == last_rank()) {
      mpi::transpose(a.matrix, c.matrix);
    } else {
      mpi::redistribute(a.matrix, c.matrix);
    }
  });
  EXPECT_THAT(said, AllOf(HasSubstr("all ranks must call with the same global arguments"),
                          HasSubstr(world_rank() == last_rank() ? "mpi::transpose" : "mpi::redistribute")));
  expect_c_untouched();
}

}  // namespace
}  // namespace pantile::testing
