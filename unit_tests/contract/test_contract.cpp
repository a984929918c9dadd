// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What a tool sees of every operation: labels, instances, no fence, no allocation; and nothing on the terminal.
#include <contract/operations.hpp>

#include <support/tool_events.hpp>

#include <pantile/impl/arch/current.hpp>

#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace {

using namespace pantile::testing;
using Exec = Kokkos::DefaultExecutionSpace;
using Kind = ToolEvents::Kind;

class Contract : public ::testing::TestWithParam<ContractCall> {
 protected:
  void call(Exec const& exec) const { GetParam().call(exec, m_operands); }

  [[nodiscard]] static std::string label(char const* variant = GetParam().variant) {
    ContractCall const& c = GetParam();
    return std::string("pantile::") + c.operation + "[" + variant + "," + pantile::impl::arch::space_name<Exec>() +
           "," + c.element + "]";
  }
  /// Of the operation; transfers, most of which have no kernel, name their path.
  [[nodiscard]] static std::string region_label() {
    std::string const operation = GetParam().operation;
    return operation == "transfer" ? label("kernel") : "pantile::" + operation;
  }

  /// Events of a kind that are not the tool interface's own (it fences where a tool asks for it).
  static std::vector<std::string> labels(ToolEvents const& events, Kind kind) {
    std::vector<std::string> found;
    for (ToolEvents::Event const& event : events.of(kind)) {
      if (event.label.find("Tool Fence") == std::string::npos) found.push_back(event.label);
    }
    return found;
  }

 private:
  ContractOperands const m_operands;
};

TEST(Explanation, HasNoIntensityWithoutBytes) {
  pantile::Explanation explanation;
  explanation.flops = 6;
  EXPECT_EQ(explanation.intensity(), 0);
  explanation.bytes = 4;
  EXPECT_EQ(explanation.intensity(), 1.5);
}

TEST_P(Contract, RegionsNameTheOperationAndKernelsVariantSpaceAndElement) {
  ToolEvents const events;
  call(Exec{});
  Kokkos::fence();
  EXPECT_THAT(labels(events, Kind::region), ::testing::ElementsAre(region_label()));
  EXPECT_EQ(ToolEvents::open_regions(), 0);
  auto const kernels = labels(events, Kind::kernel);
  EXPECT_THAT(kernels, ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(kernels, ::testing::Each(::testing::StartsWith(std::string("pantile::") + GetParam().operation + "[")));
  EXPECT_THAT(kernels, ::testing::Each(::testing::EndsWith("," + pantile::impl::arch::space_name<Exec>() + "," +
                                                           GetParam().element + "]")));
  EXPECT_THAT(kernels, ::testing::Contains(label()));
  // Kokkos' simple kernel timer adds up what has one name.
  EXPECT_THAT(kernels, ::testing::Not(::testing::Contains(region_label())));
  EXPECT_EQ(events.count(Kind::deep_copy), 0U);
}

// Host backends give all instances of a space one id: there this sees the space only.
TEST_P(Contract, KernelsRunOnTheCallersInstance) {
  for (Exec const& instance : Kokkos::Experimental::partition_space(Exec{}, 1, 1)) {
    ToolEvents const events;
    call(instance);
    instance.fence();
    for (ToolEvents::Event const& kernel : events.of(Kind::kernel)) {
      EXPECT_EQ(kernel.device, device_of(instance)) << kernel.label;
    }
  }
}

TEST_P(Contract, LaterCallsNeitherFenceNorAllocate) {
  call(Exec{});
  Kokkos::fence();
  ToolEvents const events;
  call(Exec{});
  EXPECT_THAT(labels(events, Kind::fence), ::testing::IsEmpty());
  EXPECT_THAT(labels(events, Kind::allocation), ::testing::IsEmpty());
  EXPECT_GE(events.count(Kind::kernel), 1U);
  Kokkos::fence();
}

TEST_P(Contract, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  call(Exec{});
  Kokkos::fence();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

INSTANTIATE_TEST_SUITE_P(Operations, Contract, ::testing::ValuesIn(contract_calls),
                         [](auto const& row) { return std::string(row.param.name); });

// Hosts take such operands: test_alignment.cpp.
TEST(ContractOfDevices, ComplexOperandsAreAlignedAsWholeElements) {
  if constexpr (std::is_same_v<Exec::memory_space, Kokkos::HostSpace>) {
    GTEST_SKIP() << "no device";
  } else {
    using Complex = Kokkos::complex<double>;
    using Matrix = Kokkos::View<Complex**, Kokkos::LayoutRight, Exec::memory_space, Kokkos::MemoryUnmanaged>;
    Kokkos::View<double*, Exec::memory_space> const numbers("numbers", 100);
    auto const from = [&](std::size_t first) {
      return Matrix(reinterpret_cast<Complex*>(numbers.data() + first), 3, 3);
    };
    Matrix const a = from(0), b = from(20), c = from(40), odd = from(61);
    Exec const exec;
    EXPECT_NO_THROW(pantile::matmul(exec, 1.0, a, b, 0.0, c));
    EXPECT_THROW(pantile::matmul(exec, 1.0, odd, b, 0.0, c), pantile::Error);
    EXPECT_THROW(pantile::matmul(exec, 1.0, a, odd, 0.0, c), pantile::Error);
    EXPECT_THROW(pantile::matmul(exec, 1.0, a, b, 0.0, odd), pantile::Error);
    EXPECT_THROW(pantile::add(exec, 1.0, a, 1.0, b, odd), pantile::Error);
    EXPECT_THROW(pantile::transpose(exec, a, odd), pantile::Error);
    EXPECT_THROW(pantile::transpose(exec, odd), pantile::Error);
    Kokkos::fence();
  }
}

// The listener must be able to hear: what the tests above count as zero is seen when it happens.
TEST(ContractListener, HearsFencesAndAllocations) {
  ToolEvents const events;
  Kokkos::View<int*, Exec> const view("heard", 3);
  Exec{}.fence("heard fence");
  EXPECT_GE(events.count(Kind::allocation, "heard"), 1U);
  EXPECT_GE(events.count(Kind::fence, "heard fence"), 1U);
}

}  // namespace
