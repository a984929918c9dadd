// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every operation as late as synchronisation permits: a fence that is missing shows. What CUDA does not promise
/// to be
///        done is not done here.
#include <interpreter/runtime/tests/device_memory.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using namespace pantile_interpreter::testing;

constexpr auto to_device = cudaMemcpyHostToDevice;
constexpr auto to_host = cudaMemcpyDeviceToHost;
constexpr auto on_device = cudaMemcpyDeviceToDevice;

__global__ void set(int* target, int value) { *target = value; }
__global__ void add_from(int* target, int const* source) { *target = *source + 1; }
__constant__ int of_program = 3;
__device__ int variable = 4;
__global__ void read_variables(int* target) { *target = of_program * 100 + variable; }

/// Device memory that holds 1.
struct One : DeviceIntegers {
  One() : DeviceIntegers(1) {
    int const one = 1;
    EXPECT_EQ(cudaMemcpy(data(), &one, sizeof one, to_device), cudaSuccess);
  }
};

TEST(Late, AKernelRunsWhenItsStreamIsWaitedFor) {
  One const x;
  OwnStream const stream;
  set<<<1, 1, 0, stream>>>(x.data(), 7);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 1);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 7);
}

TEST(Late, ArgumentsAreThoseOfTheLaunch) {
  One const x;
  OwnStream const stream;
  int value = 7;
  set<<<1, 1, 0, stream>>>(x.data(), value);
  value = 8;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 7);
}

TEST(Late, AnotherStreamNeedsAnEvent) {
  One const x, y;
  OwnStream const producer, consumer;
  set<<<1, 1, 0, producer>>>(x.data(), 7);
  add_from<<<1, 1, 0, consumer>>>(y.data(), x.data());
  EXPECT_EQ(cudaStreamSynchronize(consumer), cudaSuccess);
  EXPECT_EQ(read_now(y.data()), 2) << "the consumer saw what nobody promised it";

  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  set<<<1, 1, 0, producer>>>(x.data(), 9);
  ASSERT_EQ(cudaEventRecord(event, producer), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(consumer, event, 0), cudaSuccess);
  add_from<<<1, 1, 0, consumer>>>(y.data(), x.data());
  EXPECT_EQ(cudaStreamSynchronize(consumer), cudaSuccess);
  EXPECT_EQ(read_now(y.data()), 10);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST(Late, TheDefaultStreamWaitsForBlockingStreamsAlone) {
  One const x;
  OwnStream const blocking(cudaStreamDefault);
  set<<<1, 1, 0, blocking>>>(x.data(), 7);
  int value = 0;
  ASSERT_EQ(cudaMemcpy(&value, x.data(), sizeof value, to_host), cudaSuccess);
  EXPECT_EQ(value, 7);
  OwnStream const lone;
  set<<<1, 1, 0, lone>>>(x.data(), 8);
  ASSERT_EQ(cudaMemcpy(&value, x.data(), sizeof value, to_host), cudaSuccess);
  EXPECT_EQ(value, 7);
}

TEST(Late, PinnedMemoryIsReadAndWrittenLate) {
  DeviceIntegers const x(1);
  PinnedIntegers const source(1), target(1);
  OwnStream const stream;
  source[0] = 1;
  target[0] = 0;
  ASSERT_EQ(cudaMemcpyAsync(x.data(), source.data(), sizeof(int), to_device, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(target.data(), x.data(), sizeof(int), to_host, stream), cudaSuccess);
  source[0] = 2;  // before the copy was waited for: it takes this
  EXPECT_EQ(target[0], 0);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target[0], 2);
}

TEST(Late, PageableMemoryIsReadAtTheCallAndWrittenBeforeItReturns) {
  DeviceIntegers const x(1);
  OwnStream const stream;
  int source = 1, target = 0;
  ASSERT_EQ(cudaMemcpyAsync(x.data(), &source, sizeof(int), to_device, stream), cudaSuccess);
  source = 2;
  ASSERT_EQ(cudaMemcpyAsync(&target, x.data(), sizeof(int), to_host, stream), cudaSuccess);
  EXPECT_EQ(target, 1);
}

TEST(Late, CopiesWithinTheDeviceDoNotHoldTheHost) {
  One const x;
  DeviceIntegers const y(1);
  int const five = 5;
  ASSERT_EQ(cudaMemcpy(y.data(), &five, sizeof five, to_device), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(x.data(), y.data(), sizeof(int), on_device), cudaSuccess);
  ASSERT_EQ(cudaMemset(y.data(), 0, sizeof(int)), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 1);
  EXPECT_EQ(read_now(y.data()), 5);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 5);
  EXPECT_EQ(read_now(y.data()), 0);
}

TEST(Late, ManagedMemoryIsWrittenLateToo) {
  ManagedIntegers const x(1);
  x[0] = 1;
  set<<<1, 1>>>(x.data(), 7);
  EXPECT_EQ(x[0], 1);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x[0], 7);
}

TEST(Late, ToFreeMemoryWaits) {
  One const x;
  OwnStream const stream;
  void* other = nullptr;
  ASSERT_EQ(cudaMalloc(&other, 4), cudaSuccess);
  set<<<1, 1, 0, stream>>>(x.data(), 7);
  ASSERT_EQ(cudaFree(other), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 7);
}

TEST(Late, VariablesOfThePrograms) {
  One const x;
  OwnStream const stream;
  read_variables<<<1, 1, 0, stream>>>(x.data());
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 304);
  PinnedIntegers const nine(1);
  nine[0] = 9;
  ASSERT_EQ(cudaMemcpyToSymbolAsync(of_program, nine.data(), sizeof(int), 0, to_device, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbolAsync(variable, nine.data(), sizeof(int), 0, to_device, stream), cudaSuccess);
  read_variables<<<1, 1, 0, stream>>>(x.data());
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 909);
  int back = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&back, variable, sizeof(int)), cudaSuccess);
  EXPECT_EQ(back, 9);
  EXPECT_EQ(cudaMemcpyToSymbol(variable, nine.data(), sizeof(int), 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(&back, nine.data(), sizeof(int)), cudaErrorInvalidSymbol);
  (void)cudaGetLastError();
}

TEST(Late, WhoAsksAgainAndAgainGetsAnAnswer) {
  One const x;
  OwnStream const stream;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  for (int k = 0; k < 3; ++k) set<<<1, 1, 0, stream>>>(x.data(), k);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "not ready is no error";
  int asked = 0;
  while (cudaEventQuery(event) == cudaErrorNotReady) ASSERT_LT(++asked, 10);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 2);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST(Late, TwoHostThreads) {
  constexpr int rounds = 50;
  auto const count_up = [](int* result) {
    One const x, y;
    OwnStream const stream;
    for (int k = 0; k < rounds; ++k) {
      add_from<<<1, 1, 0, stream>>>(y.data(), x.data());
      add_from<<<1, 1, 0, stream>>>(x.data(), y.data());
    }
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    *result = read_now(x.data());
  };
  int first = 0, second = 0;
  std::thread other(count_up, &second);
  count_up(&first);
  other.join();
  EXPECT_EQ(first, 1 + 2 * rounds);
  EXPECT_EQ(second, 1 + 2 * rounds);
}

}  // namespace
