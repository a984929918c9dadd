// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Memory held between kernels of an instance: kept, grown, one for each instance, and of one thread at a time.
#include <pantile/impl/launch/workspace.hpp>

#include <support/tool_events.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using pantile::impl::launch::workspace;
using Exec = Kokkos::DefaultExecutionSpace;

void* address(Exec const& exec, std::size_t bytes) { return workspace(exec, bytes).data(); }

TEST(Workspace, IsKeptAndGrows) {
  Exec const exec;
  void* const first = address(exec, 1000);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(address(exec, 1000), first);
  EXPECT_EQ(address(exec, 10), first);
  void* const grown = address(exec, 1 << 20);
  EXPECT_EQ(address(exec, 1000), grown);
  Kokkos::View<char*, Exec::memory_space, Kokkos::MemoryUnmanaged> const all(static_cast<char*>(grown), 1 << 20);
  Kokkos::deep_copy(exec, all, 'x');  // every byte is there
  exec.fence();
}

// Kernels may still use the memory that is freed.
TEST(Workspace, WaitsForItsInstanceBeforeItGrows) {
  using pantile::testing::ToolEvents;
  Exec const exec;
  address(exec, 4 << 20);
  ToolEvents const events;
  address(exec, 4 << 20);
  EXPECT_EQ(events.count(ToolEvents::Kind::fence, "pantile::workspace"), 0U);
  address(exec, 16 << 20);
  EXPECT_EQ(events.count(ToolEvents::Kind::fence, "pantile::workspace"), 1U);
}

TEST(Workspace, InstancesDoNotShare) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  using pantile::impl::kokkos_ext::instance_queue;
  if (instance_queue(instances[0]) == instance_queue(instances[1])) GTEST_SKIP() << "this space has one queue";
  void* const first = address(instances[0], 1000);
  void* const second = address(instances[1], 1000);
  EXPECT_NE(first, second);
  EXPECT_EQ(address(instances[0], 1000), first);
}

// More instances than are remembered: the oldest is forgotten, and asks anew.
TEST(Workspace, InstancesComeAndGo) {
  pantile::testing::ToolEvents const events;
  // Together, since a stream may have the name of one that has ended.
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, std::vector<int>(20, 1));
  for (Exec const& instance : instances) EXPECT_NE(address(instance, 4096), nullptr);
  EXPECT_NE(address(Exec{}, 1000), nullptr);
  if (pantile::impl::kokkos_ext::instance_queue(Exec{}) != nullptr) {
    EXPECT_GT(events.count(pantile::testing::ToolEvents::Kind::fence, "pantile::workspace"), 0U);
  }
}

TEST(Workspace, OneThreadLaunchesAtATime) {
  Exec const exec;
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        auto const lease = workspace(exec, 1000);
        int const now = ++inside;
        if (now > most) most = now;
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
}

}  // namespace
