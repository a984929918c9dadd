// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What stops a program: one sentence on the error stream, and a status of its own.
#include <interpreter/runtime/tests/device_memory.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" void** __cudaRegisterFatBinary(void*);
extern "C" void __cudaRegisterFunction(void**, char const*, char*, char const*, int, uint3*, uint3*, dim3*, dim3*,
                                       int*);

namespace {

using namespace pantile_interpreter::testing;
using ::testing::ExitedWithCode;

constexpr int stop_status = 70;

__global__ void write_at(int* target, int at) { target[at] = 1; }
__global__ void read_at(int* target, int const* source, int at) { target[0] = source[at]; }

__global__ void two_write(int* target) {
  __shared__ int one;
  one = static_cast<int>(threadIdx.x);
  __syncthreads();
  *target = one;
}

TEST(StopsDeathTest, AnEntryPointThatIsNotThere) {
  cudaGraph_t graph = nullptr;
  EXPECT_EXIT((void)cudaGraphCreate(&graph, 0), ExitedWithCode(stop_status), "cudaGraphCreate is not there");
}

/// As programs that do not look at errors: they end well if nobody stops them.
void write_out_of_bounds() {
  DeviceIntegers const x(4);
  write_at<<<1, 1>>>(x.data(), 4);
  (void)cudaDeviceSynchronize();
  std::exit(0);
}

void read_freed_memory() {
  DeviceIntegers const x(1);
  void* gone = nullptr;
  (void)cudaMalloc(&gone, 64);
  (void)cudaMemset(gone, 0, 64);
  (void)cudaFree(gone);
  read_at<<<1, 1>>>(x.data(), static_cast<int*>(gone), 0);
  (void)cudaDeviceSynchronize();
  std::exit(0);
}

TEST(StopsDeathTest, AKernelThatWritesOutOfBounds) {
  EXPECT_EXIT(write_out_of_bounds(), ExitedWithCode(stop_status), "interpreter: .*write_at");
}

TEST(StopsDeathTest, AKernelThatReadsFreedMemory) {
  EXPECT_EXIT(read_freed_memory(), ExitedWithCode(stop_status), "interpreter: .*read_at");
}

TEST(StopsDeathTest, ACopyOutOfBounds) {
  EXPECT_EXIT(
      {
        DeviceIntegers const x(4);
        int const five[5] = {};
        (void)cudaMemcpy(x.data(), five, sizeof five, cudaMemcpyHostToDevice);
        std::exit(0);
      },
      ExitedWithCode(stop_status), "interpreter: ");
}

/// As nvcc leaves it for -arch=sm_90 with no PTX: a fat binary without parts.
TEST(StopsDeathTest, AProgramWithoutText) {
  static struct {
    std::uint32_t magic = 0xba55ed50;
    std::uint16_t version = 1, header = 16;
    std::uint64_t bytes = 0;
  } const empty;
  static struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    void const* data = &empty;
    void const* unused = nullptr;
  } wrapper;
  static char const host = 0;
  EXPECT_EXIT(
      {
        void** const program = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(program, &host, nullptr, "lost", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
        (void)cudaLaunchKernel(&host, 1, 1, nullptr, 0, nullptr);
        std::exit(0);
      },
      ExitedWithCode(stop_status), "without PTX for compute_90");
}

/// The same program once more, with a variable in its environment: this process' runtime has read its own.
void run_again_with(char const* variable, char const* value, char const* filter) {
  ::setenv(variable, value, 1);
  ::execl("/proc/self/exe", "runtime_stops", filter, static_cast<char*>(nullptr));
  std::exit(1);
}

std::string contents(std::filesystem::path const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(StopsDeathTest, AVariableOfTheEnvironmentThatSaysNothing) {
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_STREAMS", "never", "--gtest_filter=Runtime.*"),
              ExitedWithCode(stop_status), "it must be late or at_once");
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_MEMORY", "much", "--gtest_filter=Runtime.*"),
              ExitedWithCode(stop_status), "it must be a number of MiB");
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_FREES", "never", "--gtest_filter=Runtime.*"),
              ExitedWithCode(stop_status), "it must be wait or at_once");
}

TEST(EnvironmentDeathTest, RacesAreFaultsWhereTheyAreAskedForAndNotLeftOut) {
  char const* const filter = "--gtest_filter=Races.*:Runtime.*";
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_STOP_AT_RACE", "on", filter), ExitedWithCode(stop_status),
              "interpreter: .*two_write.*a race");
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_STOP_AT_RACE", "off", filter), ExitedWithCode(0), "race in kernel");
  ::setenv("PANTILE_INTERPRETER_RACES_LEFT_OUT", "test_stops.cu", 1);
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_STOP_AT_RACE", "on", filter), ExitedWithCode(0), "");
  ::setenv("PANTILE_INTERPRETER_RACES_LEFT_OUT", "another.cu", 1);
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_STOP_AT_RACE", "on", filter), ExitedWithCode(stop_status), "a race");
  ::unsetenv("PANTILE_INTERPRETER_RACES_LEFT_OUT");
}

TEST(EnvironmentDeathTest, TheTextIsWrittenWhereItIsAskedFor) {
  auto const folder = std::filesystem::temp_directory_path() / ("pantile-text-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_TEXT", folder.c_str(), "--gtest_filter=Runtime.*"), ExitedWithCode(0),
              "");
  std::string const program = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  std::string const text = contents(folder / (program + ".0.ptx"));
  EXPECT_NE(text.find(".version"), std::string::npos);
  EXPECT_NE(text.find("write_at"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(EnvironmentDeathTest, AReportSaysWhatWasExecuted) {
  auto const file = std::filesystem::temp_directory_path() / ("pantile-report-" + std::to_string(::getpid()));
  for (int processes = 0; processes < 2; ++processes) {
    EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_REPORT", file.c_str(), "--gtest_filter=Runtime.*"),
                ExitedWithCode(0), "");
  }
  std::string const lines = contents(file);
  EXPECT_EQ(lines.find("{\"launches\": 1, \"warp_instructions\": "), 0U) << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  std::filesystem::remove(file);
}

TEST(EnvironmentDeathTest, TheKernelsAreListed) {
  auto const file = std::filesystem::temp_directory_path() / ("pantile-kernels-" + std::to_string(::getpid()));
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_KERNELS", file.c_str(), "--gtest_filter=Runtime.*"),
              ExitedWithCode(0), "");
  std::string const program = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  std::string const lines = contents(file);
  EXPECT_EQ(lines.find(program + ".0.ptx "), 0U) << lines;
  EXPECT_NE(lines.find("write_at"), std::string::npos);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  std::filesystem::remove(file);
}

TEST(EnvironmentDeathTest, CountsOfEachKernelAreLines) {
  auto const file = std::filesystem::temp_directory_path() / ("pantile-counts-" + std::to_string(::getpid()));
  ::setenv("PANTILE_INTERPRETER_TRAFFIC", "on", 1);
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_COUNTS", file.c_str(), "--gtest_filter=Runtime.*"), ExitedWithCode(0),
              "");
  ::unsetenv("PANTILE_INTERPRETER_TRAFFIC");
  std::string const lines = contents(file);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  EXPECT_EQ(lines.find("{\"kernel\": \""), 0U) << lines;
  EXPECT_NE(lines.find("\"arguments\": [\"--gtest_filter=Runtime.*\"], \"instructions\": [[\""), std::string::npos)
      << lines;
  EXPECT_NE(lines.find("[\"st.global"), std::string::npos) << lines;
  std::filesystem::remove(file);
}

TEST(EnvironmentDeathTest, TextFromAFolderTakesThePlaceOfTheProgramsOwn) {
  auto const folder = std::filesystem::temp_directory_path() / ("pantile-from-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::string const program = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  std::ofstream(folder / (program + ".0.ptx")) << "no program";
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_TEXT_FROM", folder.c_str(), "--gtest_filter=Runtime.*"),
              ExitedWithCode(stop_status), "interpreter: ");
  std::filesystem::remove_all(folder);
}

TEST(FreesDeathTest, UnderAKernelThatNobodyWaitedFor) {
  char const* const filter = "--gtest_filter=Runtime.*:Frees.UnderAKernel";
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_FREES", "wait", filter), ExitedWithCode(0), "");
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_FREES", "at_once", filter), ExitedWithCode(stop_status),
              "interpreter: .*write_at");
}

TEST(FreesDeathTest, UnderACopyThatNobodyWaitedFor) {
  char const* const filter = "--gtest_filter=Runtime.*:Frees.UnderACopy";
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_FREES", "wait", filter), ExitedWithCode(0), "");
  EXPECT_EXIT(run_again_with("PANTILE_INTERPRETER_FREES", "at_once", filter), ExitedWithCode(stop_status),
              "a copy whose memory was freed");
}

TEST(Frees, UnderAKernel) {
  OwnStream const stream;
  DeviceIntegers const x(4);
  write_at<<<1, 1, 0, stream>>>(x.data(), 3);
}

TEST(Frees, UnderACopy) {
  OwnStream const stream;
  DeviceIntegers const x(4);
  PinnedIntegers const source(4);
  EXPECT_EQ(cudaMemcpyAsync(x.data(), source.data(), sizeof(int), cudaMemcpyHostToDevice, stream), cudaSuccess);
}

TEST(Races, BetweenTwoWarps) {
  DeviceIntegers const x(1);
  two_write<<<1, 64>>>(x.data());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Runtime, ExecutesAKernel) {
  DeviceIntegers const x(4);
  write_at<<<1, 1>>>(x.data(), 3);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(read_now(x.data() + 3), 1);
}

}  // namespace
