// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, streams: copies and kernels that are only enqueued, and `with stream.auto_synchronize()`, at
// whose end all is done (row 8).
//
// Look at enqueue(): every call takes the stream, an instance of a Kokkos execution space, and returns at once where
// the backend is asynchronous. Work of one instance runs in order, work of different instances side by side.
// Differs from Numba: instances also exist on host backends, where two of them share the threads; and the Views live
// until the work is done because the Pipeline holds them. Pantile does not wait for you.

#include <pantile/auto_synchronize.hpp>
#include <pantile/matmul.hpp>
#include <pantile/transfer.hpp>

#include <common/example.hpp>

#include <array>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;
using PinnedMatrix = decltype(pantile::pinned<float>("", 1, 1));  // the memory space depends on the backend

struct Pipeline {
  Exec stream;
  float factor;
  PinnedMatrix input = pantile::pinned<float>("input", 4, 4), result = pantile::pinned<float>("result", 4, 4);
  Matrix d_input{"d_input", 4, 4}, d_result{"d_result", 4, 4};

  void enqueue() const {
    pantile::copy(stream, d_input, input);
    pantile::matmul(stream, factor, d_input, d_input, 0.0f, d_result);
    pantile::copy(stream, result, d_result);
  }
};

// Two independent instances, where there are the resources for two.
static std::array<Exec, 2> two_streams() {
  Exec const all;
  if (all.concurrency() < 2) return {all, all};
  auto const parts = Kokkos::Experimental::partition_space(all, 1, 1);
  return {parts[0], parts[1]};
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const streams = two_streams();
  Pipeline const first{streams[0], 1.0f}, second{streams[1], 10.0f};
  for (auto const* pipeline : {&first, &second}) example::set_arange(pipeline->input);
  Kokkos::fence();  // what was made on the default instance is there before other instances use it
  {
    pantile::AutoSynchronize const first_done(first.stream), second_done(second.stream);
    first.enqueue();
    second.enqueue();
  }  // both results can be read here

  example::Checks check;
  auto const square = example::dot(first.input, first.input);
  for (auto const* pipeline : {&first, &second}) {
    example::print(pipeline->result);
    check(example::all_equal(pipeline->result, [&](int i, int j) { return pipeline->factor * square(i, j); }),
          "copied in, multiplied, copied back");
  }
  return check.status();
}
