// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Which processors share a cache: machines that are not there, as Linux describes them.
#include <support/machines.hpp>

#include <pantile/impl/arch/host/topology.hpp>

#include <gmock/gmock.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace pantile::impl::arch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Topology, ListsOfProcessors) {
  EXPECT_THAT(processors_of("0"), ElementsAre(0));
  EXPECT_THAT(processors_of("0-7"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(processors_of("0-2,64-66,100"), ElementsAre(0, 1, 2, 64, 65, 66, 100));
  for (char const* const none : {"", "x", "3-1", "0-", "0-3,x"}) EXPECT_THAT(processors_of(none), IsEmpty());
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
  void cache(int index, int level, std::string const& processors, int of = 0) const {
    std::string const at = "cpu" + std::to_string(of) + "/cache/index" + std::to_string(index);
    write(at + "/level", std::to_string(level));
    write(at + "/shared_cpu_list", processors);
  }
  [[nodiscard]] HostCaches read(std::string const& allowed = "") const {
    return read_host_caches(processors_of(allowed), m_folder.string());
  }

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

// Masks of a process, as taskset, a batch system or the binding of threads leave them.
TEST(Topology, OnlyWhatTheProcessMayUseCounts) {
  FakeMachine const epyc;  // 64 cores with two hardware threads each, eight cores a cache
  for (int core = 0; core < 64; ++core) {
    std::string const first = std::to_string(core / 8 * 8), last = std::to_string(core / 8 * 8 + 7);
    std::string const more = std::to_string(core / 8 * 8 + 64), most = std::to_string(core / 8 * 8 + 71);
    std::string const siblings = std::to_string(core) + "," + std::to_string(core + 64);
    for (int const of : {core, core + 64}) {
      epyc.cache(2, 2, siblings, of);
      epyc.cache(3, 3, first + "-" + last + "," + more + "-" + most, of);
      epyc.write("cpu" + std::to_string(of) + "/topology/thread_siblings_list", siblings);
    }
  }
  epyc.write("online", "0-127");
  EXPECT_EQ(epyc.read().threads_per_cache(64), 8) << "all";
  EXPECT_EQ(epyc.read("0,8,16,24,32,40,48,56").threads_per_cache(8), 1) << "a core of each";
  EXPECT_EQ(epyc.read("0,8,16,24,64,72,80,88").threads_per_cache(4), 1) << "with its hardware threads";
  EXPECT_EQ(epyc.read("0,8,16,24,64,72,80,88").threads_per_cache(8), 2) << "a thread for each of these";
  EXPECT_EQ(epyc.read("16-23").threads_per_cache(8), 8) << "one cache";
  EXPECT_EQ(epyc.read("16-19").threads_per_cache(4), 4) << "a part of one";
  EXPECT_EQ(epyc.read("0-3,8-11,16-19").threads_per_cache(12), 4) << "a part of each";
  EXPECT_EQ(epyc.read("0-9").threads_per_cache(10), 8) << "the last one has fewer";
  EXPECT_EQ(epyc.read("6-15").threads_per_cache(10), 2) << "the first one has: groups of two lie in one cache each";
  EXPECT_EQ(epyc.read("4-19").threads_per_cache(16), 4);
  EXPECT_EQ(epyc.read("0").threads_per_cache(8), 8) << "all threads on one processor";
  EXPECT_EQ(epyc.read("126-200").all_processors, 2) << "others are not online";
}

TEST(Topology, TheProcessIsWhereAnyOfItsThreadsMayRun) {
  std::vector<int> const all = processors_of_process();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  auto const bind_to_last = [&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(all.back(), &one);
    return ::sched_setaffinity(0, sizeof one, &one) == 0;
  };
  std::thread([&] {
    ASSERT_TRUE(bind_to_last());
    EXPECT_EQ(processors_of_process(), all) << "the calling thread's are not all";
  }).join();
  pid_t const child = ::fork();  // which has one thread
  if (child == 0) ::_exit(bind_to_last() && processors_of_process() == std::vector<int>{all.back()} ? 0 : 1);
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
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
