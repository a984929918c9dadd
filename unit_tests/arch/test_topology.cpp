// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Which processors share a cache: machines that are not there, as Linux describes them.
#include <support/machines.hpp>

#include <pantile/impl/arch/host/caches.hpp>

#include <gtest/gtest.h>

#include <unistd.h>
#include <climits>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace pantile::impl::arch;

TEST(Topology, ListsOfProcessorsAreCounted) {
  EXPECT_EQ(processors_in("0"), 1);
  EXPECT_EQ(processors_in("0-7"), 8);
  EXPECT_EQ(processors_in("0-3,64-67,100"), 9);
  EXPECT_EQ(processors_in(""), 0);
  EXPECT_EQ(processors_in("x"), 0);
  EXPECT_EQ(processors_in("3-1"), 0);
  EXPECT_EQ(processors_in("0-"), 0);
}

class FakeMachine {
 public:
  FakeMachine()
      : m_folder(std::filesystem::temp_directory_path() / ("pantile_topology_" + std::to_string(::getpid()))) {}
  ~FakeMachine() { std::filesystem::remove_all(m_folder); }
  FakeMachine(FakeMachine const&) = delete;
  FakeMachine& operator=(FakeMachine const&) = delete;

  void write(std::string const& file, std::string const& line) const {
    auto const path = m_folder / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << line << '\n';
  }
  void cache(int index, int level, std::string const& processors) const {
    std::string const at = "cpu0/cache/index" + std::to_string(index);
    write(at + "/level", std::to_string(level));
    write(at + "/shared_cpu_list", processors);
  }
  [[nodiscard]] HostCaches read() const { return read_host_caches(m_folder.string()); }

 private:
  std::filesystem::path m_folder;
};

TEST(Topology, AChipletOfEightCoresHasItsOwnCache) {
  FakeMachine const epyc;  // 64 cores with two hardware threads each
  epyc.cache(0, 1, "0,64");
  epyc.cache(1, 1, "0,64");
  epyc.cache(2, 2, "0,64");
  epyc.cache(3, 3, "0-7,64-71");
  epyc.write("cpu0/topology/thread_siblings_list", "0,64");
  epyc.write("online", "0-127");
  HostCaches const found = epyc.read();
  EXPECT_EQ(found.threads_per_cache(64), 8) << "a thread for each core";
  EXPECT_EQ(found.threads_per_cache(128), 16) << "two for each";
  EXPECT_EQ(found.threads_per_cache(4), 8);
  EXPECT_EQ(found.threads_per_cache(256), 32) << "two for each processor";
}

TEST(Topology, AMachineWithoutAThirdLevelSharesTheSecond) {
  FakeMachine const arm;
  arm.cache(0, 1, "0");
  arm.cache(1, 2, "0-3");
  arm.write("online", "0-15");
  EXPECT_EQ(arm.read().threads_per_cache(16), 4);
}

TEST(Topology, MachinesOfManyKinds) {
  for (pantile::testing::Machine const& machine : pantile::testing::machines) {
    SCOPED_TRACE(machine.name);
    FakeMachine const fake;
    fake.cache(0, 1, machine.siblings);
    fake.cache(1, 1, machine.siblings);
    fake.cache(2, 2, machine.l2);
    if (machine.l3[0] != '\0') fake.cache(3, 3, machine.l3);
    fake.write("cpu0/topology/thread_siblings_list", machine.siblings);
    fake.write("online", machine.online);
    HostCaches const found = fake.read(), expected = machine.caches();
    EXPECT_EQ(found.processors, expected.processors);
    EXPECT_EQ(found.processors_of_core, expected.processors_of_core);
    EXPECT_EQ(found.all_processors, expected.all_processors);
    // A thread for each core; then for each of its hardware threads; then several for each of these.
    for (int threads = 1; threads <= 256; ++threads) {
      int each = 1;
      while (threads > each * machine.cores * machine.threads_of_core) ++each;
      int const per_cache =
          threads <= machine.cores ? machine.cores_of_cache : each * machine.cores_of_cache * machine.threads_of_core;
      EXPECT_EQ(found.threads_per_cache(threads), per_cache) << threads << " threads";
    }
  }
}

TEST(Topology, WhereNothingIsSaidAllThreadsShare) {
  FakeMachine const silent;
  EXPECT_EQ(silent.read().threads_per_cache(64), INT_MAX);
  EXPECT_GE(host_caches().threads_per_cache(1), 1);
}

}  // namespace
