// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Each allocation of each call fails once: the call throws and has written nothing, or it completes; and the
///        next one is right.
#include <contract/operations.hpp>

#include <support/failing_allocation.hpp>

#include <pantile/impl/launch/host_workspace.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <tuple>
#include <vector>

namespace pantile::testing {

namespace {

/// Operands of the calls below, beside those of the contract.
struct MoreOperands {
  template <class T>
  using Right = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  Right<float> floats{"floats", 120, 130};
  Right<double> doubles{"doubles", 130, 140}, sums{"sums", 120, 140}, spread{"spread", 240, 280};
  Right<std::int8_t> bytes_a{"bytes_a", 120, 130}, bytes_b{"bytes_b", 130, 140};
  Right<std::int32_t> words{"words", 120, 140};
  Right<double> flat{"flat", 60, 90};
  // Whose workspace is more than a stack takes.
  Right<float> wide_floats{"wide_floats", 400, 410};
  Right<double> wide_a{"wide_a", 400, 410}, wide_b{"wide_b", 410, 420}, wide_c{"wide_c", 400, 420};
  Right<std::int8_t> wide_bytes_a{"wide_bytes_a", 400, 1210}, wide_bytes_b{"wide_bytes_b", 1210, 420};
  Right<std::int32_t> wide_words{"wide_words", 400, 420};
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> many_counts{"many_counts", 5000};
};

auto all_views(ContractOperands const& o, MoreOperands const& m) {
  return std::tie(o.a, o.b, o.c, o.d, o.e, o.square, o.left, o.samples, o.counts, o.ignored, o.x, o.y, o.large,
                  o.product, o.tiny, o.tiny_product, o.fa, o.fb, o.fc, m.floats, m.doubles, m.sums, m.spread, m.bytes_a,
                  m.bytes_b, m.words, m.flat, m.wide_floats, m.wide_a, m.wide_b, m.wide_c, m.wide_bytes_a,
                  m.wide_bytes_b, m.wide_words, m.many_counts);
}

/// The bytes of all operands.
class Snapshot {
 public:
  Snapshot(ContractOperands const& o, MoreOperands const& m) {
    std::apply([this](auto const&... view) { (save(view), ...); }, all_views(o, m));
  }
  void restore(ContractOperands const& o, MoreOperands const& m) const {
    std::size_t next = 0;
    auto const load = [&](auto const& view) {
      auto const& bytes = m_bytes[next++];
      std::memcpy(static_cast<void*>(view.data()), bytes.data(), bytes.size());
    };
    std::apply([&](auto const&... view) { (load(view), ...); }, all_views(o, m));
  }
  friend bool operator==(Snapshot const&, Snapshot const&) = default;

 private:
  template <class View>
  void save(View const& view) {
    auto const* const data = reinterpret_cast<unsigned char const*>(view.data());
    m_bytes.emplace_back(data, data + view.span() * sizeof(typename View::value_type));
  }
  std::vector<std::vector<unsigned char>> m_bytes;
};

/// Values that fit every operand: small, and samples within the bins.
template <class View>
void fill_with_digits(View const& view) {
  for (std::size_t i = 0; i < view.span(); ++i) {
    view.data()[i] = static_cast<typename View::value_type>((i * 7 + view.span()) % 16);
  }
}

/// MoreOperands::flat, seen as columns by rows.
MoreOperands::Right<double> upright(MoreOperands const& m) {
  return MoreOperands::Right<double>(m.flat.data(), 90, 60);
}

struct Call {
  char const* name;
  void (*call)(ContractExec const&, ContractViews&, MoreOperands const&);
};
// A line per call.
// clang-format off
constexpr Call more_calls[] = {
    {"matmul_converted", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       matmul(q, 2.0, m.floats, m.doubles, 1.0, m.sums);
     }},
    {"matmul_low_precision", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       matmul(q, 2, m.bytes_a, m.bytes_b, 1, m.words);
     }},
    {"matmul_wide", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       matmul(q, 2.0, m.wide_a, m.wide_b, 1.0, m.wide_c);
     }},
    {"matmul_wide_converted", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       matmul(q, 2.0, m.wide_floats, m.wide_b, 1.0, m.wide_c);
     }},
    {"matmul_wide_low_precision", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       matmul(q, 2, m.wide_bytes_a, m.wide_bytes_b, 1, m.wide_words);
     }},
    {"matmul_beside", [](ContractExec const& q, ContractViews& o, MoreOperands const& m) {
       Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace> const c(
           m.spread.data(), Kokkos::LayoutStride(120, 560, 140, 2));
       Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const a(o.large.data(), 120, 130);
       matmul(q, 2.0, a, m.doubles, 1.0, c);
     }},
    {"transpose_rectangle_in_place", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       transpose(q, m.flat, upright(m));
     }},
    {"histogram_refuses", [](ContractExec const& q, ContractViews& o, MoreOperands const&) {
       histogram(q, o.samples, o.counts);
     }},
    {"histogram_many", [](ContractExec const& q, ContractViews& o, MoreOperands const& m) {
       histogram(q, o.samples, m.many_counts);
     }},
    {"copy_across", [](ContractExec const& q, ContractViews& o, MoreOperands const&) { copy(q, o.c, o.left); }},
};
// clang-format on

/// A call that works in memory, given or its own, and how much it takes.
struct MemoryCall {
  char const* name;
  std::size_t (*bytes)(ContractExec const&, ContractViews&, MoreOperands const&);
  void (*call)(ContractExec const&, ContractViews&, MoreOperands const&, Workspace const&);
};
constexpr HistogramOptions copies_of_bins{.algorithm = HistogramAlgorithm::scratch, .out_of_range = OutOfRange::ignore};
// clang-format off
constexpr MemoryCall memory_calls[] = {
    {"matmul", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       return explain::matmul(q, 2.0, m.wide_a, m.wide_b, 1.0, m.wide_c).workspace_bytes;
     },
     [](ContractExec const& q, ContractViews&, MoreOperands const& m, Workspace const& w) {
       matmul(q, 2.0, m.wide_a, m.wide_b, 1.0, m.wide_c, {.workspace = w});
     }},
    {"matmul_tiled", [](ContractExec const& q, ContractViews& o, MoreOperands const&) {
       return explain::matmul(q, 2.0, o.a, o.b, 1.0, o.c, {.algorithm = MatmulAlgorithm::tiled}).workspace_bytes;
     },
     [](ContractExec const& q, ContractViews& o, MoreOperands const&, Workspace const& w) {
       matmul(q, 2.0, o.a, o.b, 1.0, o.c, {.algorithm = MatmulAlgorithm::tiled, .workspace = w});
     }},
    {"transpose", [](ContractExec const& q, ContractViews& o, MoreOperands const&) {
       return explain::transpose(q, o.d, o.e, {.algorithm = TransposeAlgorithm::padded}).workspace_bytes;
     },
     [](ContractExec const& q, ContractViews& o, MoreOperands const&, Workspace const& w) {
       transpose(q, o.d, o.e, {.algorithm = TransposeAlgorithm::padded, .workspace = w});
     }},
    {"transpose_rectangle_in_place", [](ContractExec const& q, ContractViews&, MoreOperands const& m) {
       return explain::transpose(q, m.flat, upright(m)).workspace_bytes;
     },
     [](ContractExec const& q, ContractViews&, MoreOperands const& m, Workspace const& w) {
       transpose(q, m.flat, upright(m), {.workspace = w});
     }},
    {"histogram", [](ContractExec const& q, ContractViews& o, MoreOperands const&) {
       return explain::histogram(q, o.samples, o.counts, copies_of_bins).workspace_bytes;
     },
     [](ContractExec const& q, ContractViews& o, MoreOperands const&, Workspace const& w) {
       HistogramOptions options = copies_of_bins;
       options.workspace = w;
       histogram(q, o.samples, o.counts, options);
     }},
};
// clang-format on

/// Frees the blocks that hosts' kernels keep between calls: a request that none can meet drops one.
void drop_workspaces() {
  constexpr std::size_t too_much = std::numeric_limits<std::size_t>::max() / 4;
  for (int i = 0; i < 64; ++i) EXPECT_EQ(impl::launch::HostWorkspaces::get().take(too_much).data(), nullptr);
}

class Allocations : public ::testing::Test {
 protected:
  void SetUp() override {
    std::apply([](auto const&... view) { (fill_with_digits(view), ...); }, all_views(operands, more));
  }

  template <class F>
  void fail_each_allocation(char const* name, F const& call) {
    SCOPED_TRACE(name);
    Snapshot const before(operands, more);
    call();
    call();  // what is kept between calls is there
    before.restore(operands, more);
    call();
    exec.fence();
    Snapshot const expected(operands, more);
    for (bool const cold : {false, true}) fail_each_allocation(call, before, expected, cold);
  }

  template <class F>
  void fail_each_allocation(F const& call, Snapshot const& before, Snapshot const& expected, bool cold) {
    SCOPED_TRACE(cold ? "without workspaces" : "with the workspaces of the last call");
    for (long nth = 0, failed = 1; failed != 0; ++nth) {
      before.restore(operands, more);
      bool threw = false;
      if (cold) drop_workspaces();
      try {
        FailingAllocation const fails(nth);
        call();
      } catch (std::exception const&) {
        threw = true;
      }
      exec.fence();
      failed = FailingAllocation::happened() ? 1 : 0;
      ASSERT_TRUE(failed != 0 || !threw);
      ASSERT_TRUE(Snapshot(operands, more) == (threw ? before : expected))
          << (threw ? "thrown, but something was written" : "not thrown, but not complete") << ", allocation " << nth;
      before.restore(operands, more);
      call();
      exec.fence();
      ASSERT_TRUE(Snapshot(operands, more) == expected) << "the call after allocation " << nth << " failed";
      m_failed += failed;
    }
  }

  ContractExec const exec{};
  ContractOperands operands;
  MoreOperands more;
  long m_failed = 0;
};

TEST_F(Allocations, OfTheContractsCalls) {
  for (ContractCall const& each : contract_calls) {
    fail_each_allocation(each.name, [&] { each.call(exec, operands); });
  }
  EXPECT_GT(m_failed, 0);
}

/// Where no block is kept, a call allocates one; with memory of the caller's, no more than where Kokkos alone does.
TEST_F(Allocations, NoneInGivenMemory) {
  for (MemoryCall const& each : memory_calls) {
    SCOPED_TRACE(each.name);
    std::vector<std::byte> memory(each.bytes(exec, operands, more));
    each.call(exec, operands, more, {});
    auto const allocations = [&](Workspace const& given, bool cold) {
      if (cold) drop_workspaces();
      FailingAllocation const none(std::numeric_limits<long>::max());
      each.call(exec, operands, more, given);
      return none.seen();
    };
    long const of_kokkos = allocations({}, false);
    EXPECT_EQ(allocations({}, true), of_kokkos + 1);
    EXPECT_EQ(allocations({memory.data(), memory.size()}, true), of_kokkos);
  }
}

TEST_F(Allocations, OfOtherPaths) {
  for (Call const& each : more_calls) {
    fail_each_allocation(each.name, [&] { each.call(exec, operands, more); });
  }
  EXPECT_GT(m_failed, 0);
}

}  // namespace
}  // namespace pantile::testing
