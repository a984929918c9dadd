// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  How much memory a process may still take, by what files of /proc and /sys say.
#include <io/memory.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include <unistd.h>

namespace {

using namespace pantile::driver;

constexpr std::uint64_t MiB = std::uint64_t{1} << 20;

class AvailableMemory : public testing::Test {
 protected:
  AvailableMemory()
      : m_root(std::filesystem::temp_directory_path() / ("pantile_memory_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(m_root);
    write("proc/meminfo", "MemTotal:       8388608 kB\nMemFree:         100 kB\nMemAvailable:    4194304 kB\n");
  }
  ~AvailableMemory() override { std::filesystem::remove_all(m_root); }

  void write(std::string const& name, std::string const& text) const {
    std::filesystem::create_directories((m_root / name).parent_path());
    std::ofstream(m_root / name) << text;
  }

  [[nodiscard]] std::uint64_t available() const { return available_memory(m_root); }

  std::filesystem::path m_root;
};

TEST_F(AvailableMemory, IsWhatTheSystemCallsSo) { EXPECT_EQ(available(), 4096 * MiB); }

TEST_F(AvailableMemory, OfACgroupOfTheSecondVersion) {
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/job/step/memory.current", "1048576\n");
  EXPECT_EQ(available(), 4096 * MiB);
  write("sys/fs/cgroup/job/memory.max", "536870912\n");
  write("sys/fs/cgroup/job/memory.current", "209715200\n");
  EXPECT_EQ(available(), 312 * MiB) << "the one above counts too";
  write("sys/fs/cgroup/job/memory.stat", "anon 104857600\ninactive_file 104857600\n");
  EXPECT_EQ(available(), 412 * MiB) << "files that may be dropped are free";
  write("sys/fs/cgroup/job/step/memory.max", "2097152\n");
  EXPECT_EQ(available(), MiB);
  write("sys/fs/cgroup/job/step/memory.current", "3000000\n");
  EXPECT_EQ(available(), 0U);
}

TEST_F(AvailableMemory, OfACgroupOfTheFirstVersion) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/elsewhere\n4:memory:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "104857600\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "52428800\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 10485760\n");
  EXPECT_EQ(available(), 60 * MiB);
}

TEST_F(AvailableMemory, WithSwap) {
  write("proc/meminfo", "MemAvailable:    4194304 kB\nSwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n");
  EXPECT_EQ(available(), 4096 * MiB);
  EXPECT_EQ(available_memory(m_root, Swap::counts), 5120 * MiB);
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.max", "536870912\n");
  write("sys/fs/cgroup/job/memory.current", "209715200\n");
  EXPECT_EQ(available_memory(m_root, Swap::counts), (312 + 1024) * MiB);
  write("sys/fs/cgroup/job/memory.swap.max", "104857600\n");
  write("sys/fs/cgroup/job/memory.swap.current", "52428800\n");
  EXPECT_EQ(available(), 312 * MiB);
  EXPECT_EQ(available_memory(m_root, Swap::counts), (312 + 50) * MiB);
}

TEST_F(AvailableMemory, WithSwapInACgroupOfTheFirstVersion) {
  write("proc/meminfo", "MemAvailable:    4194304 kB\nSwapFree: 1048576 kB\n");
  write("proc/self/cgroup", "4:memory:/job\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "104857600\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "52428800\n");
  EXPECT_EQ(available_memory(m_root, Swap::counts), (50 + 1024) * MiB);
  write("sys/fs/cgroup/memory/job/memory.memsw.limit_in_bytes", "125829120\n");
  write("sys/fs/cgroup/memory/job/memory.memsw.usage_in_bytes", "52428800\n");
  EXPECT_EQ(available_memory(m_root, Swap::counts), 70 * MiB);
}

TEST_F(AvailableMemory, OfNothingKnown) {
  std::filesystem::remove_all(m_root);
  EXPECT_EQ(available(), static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

TEST(AvailableMemoryHere, IsSomething) { EXPECT_GT(available_memory(), 0U); }

TEST(TileBudget, IsHalfOfTheSmallerMemory) {
  EXPECT_EQ(tile_budget(4096 * MiB, std::nullopt), 2048 * MiB) << "the host computes";
  EXPECT_EQ(tile_budget(4096 * MiB, 1024 * MiB), 512 * MiB);
  EXPECT_EQ(tile_budget(4096 * MiB, 8192 * MiB), 2048 * MiB) << "tiles pass through the host";
  EXPECT_EQ(tile_budget(4096 * MiB, 0), 0U);
}

TEST(FormatBytes, HasThreeDigits) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1000), "0.977 KiB");
  EXPECT_EQ(format_bytes(64 * MiB), "64 MiB");
  EXPECT_EQ(format_bytes(1536 * MiB), "1.5 GiB");
}

}  // namespace
