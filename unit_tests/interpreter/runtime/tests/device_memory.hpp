// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory of the runtime's tests, freed at the end of its scope.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

namespace pantile_interpreter::testing {

enum class Kind { device, pinned, managed };

/// So many integers.
template <Kind kind>
class Integers {
 public:
  explicit Integers(std::size_t count) {
    void* memory = nullptr;
    std::size_t const bytes = count * sizeof(int);
    cudaError_t const error = kind == Kind::device   ? cudaMalloc(&memory, bytes)
                              : kind == Kind::pinned ? cudaMallocHost(&memory, bytes)
                                                     : cudaMallocManaged(&memory, bytes);
    EXPECT_EQ(error, cudaSuccess);
    m_data = static_cast<int*>(memory);
  }
  Integers(Integers const&) = delete;
  Integers& operator=(Integers const&) = delete;
  ~Integers() { (void)(kind == Kind::pinned ? cudaFreeHost(m_data) : cudaFree(m_data)); }
  [[nodiscard]] int* data() const { return m_data; }
  int& operator[](std::size_t k) const { return m_data[k]; }

 private:
  int* m_data = nullptr;
};
using DeviceIntegers = Integers<Kind::device>;
using PinnedIntegers = Integers<Kind::pinned>;
using ManagedIntegers = Integers<Kind::managed>;

/// A stream that waits for no other, unless told so.
class OwnStream {
 public:
  explicit OwnStream(unsigned flags = cudaStreamNonBlocking) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&m_stream, flags), cudaSuccess);
  }
  OwnStream(OwnStream const&) = delete;
  OwnStream& operator=(OwnStream const&) = delete;
  ~OwnStream() { (void)cudaStreamDestroy(m_stream); }
  operator cudaStream_t() const { return m_stream; }  // NOLINT: as the runtime's own

 private:
  cudaStream_t m_stream = nullptr;
};

/// What lies in device memory now, copied on a stream that nobody else uses: no fence for the others.
inline int read_now(int const* device) {
  OwnStream const stream;
  int value = 0;
  EXPECT_EQ(cudaMemcpyAsync(&value, device, sizeof value, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  return value;
}

}  // namespace pantile_interpreter::testing
