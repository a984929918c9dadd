// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What stops a program: one sentence on the error stream, and a status of its own.
#include <interpreter/runtime/tests/device_memory.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <unistd.h>

extern "C" void** __cudaRegisterFatBinary(void*);
extern "C" void __cudaRegisterFunction(void**, char const*, char*, char const*, int, uint3*, uint3*, dim3*, dim3*, int*);

namespace {

using namespace pantile_interpreter::testing;
using ::testing::ExitedWithCode;

constexpr int stop_status = 70;

__global__ void write_at(int* target, int at) { target[at] = 1; }
__global__ void read_at(int* target, int const* source, int at) { target[0] = source[at]; }

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

TEST(StopsDeathTest, AVariableOfTheEnvironmentThatSaysNothing) {
  EXPECT_EXIT(
      {
        // The runtime of this process is there already: its own would not read it.
        ::setenv("PANTILE_INTERPRETER_STREAMS", "never", 1);
        ::execl("/proc/self/exe", "self", "--gtest_filter=Runtime.Is*", nullptr);
      },
      ExitedWithCode(stop_status), "it must be late or at_once");
}

TEST(Runtime, IsAsked) { EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess); }

}  // namespace
