// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, streams: copies and kernels that are only enqueued, and `with stream.auto_synchronize()`, at
// whose end all is done (row 8).
//
// Look at the two enqueue functions: every call takes the stream, an instance of a Kokkos execution space, and returns
// at once where the backend is asynchronous. Work of one instance runs in order, work of different instances side by
// side. Differs from Numba: instances also exist on host backends, where two of them share the threads; and the Views
// live until the work is done because the Pipeline holds them. Pantile does not wait for you.

#include <pantile/auto_synchronize.hpp>
#include <pantile/matmul.hpp>
#include <pantile/transfer.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;
using PinnedMatrix = decltype(pantile::pinned<float>("", 1, 1));  // the memory space depends on the backend

struct Pipeline {
  Exec stream;
  float factor;
  int n;
  // MENDED: the guide's an_array is NumPy's, pageable: its copies hold up the host whatever stream they are given.
  PinnedMatrix input = pantile::pinned<float>("input", n, n), result = pantile::pinned<float>("result", n, n);
  Matrix d_input = Matrix("d_input", n, n), d_result = Matrix("d_result", n, n);

  // The guide's: devary = to_device(an_array, stream); a_cuda_kernel[griddim, blockdim, stream](devary); copy_to_host
  void enqueue_kernel() const {
    Kokkos::deep_copy(stream, d_input, input);
    auto const a = d_input, c = d_result;
    auto const scale = factor;
    using Rank = Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
    Kokkos::parallel_for(
        "example: a_cuda_kernel", Kokkos::MDRangePolicy<Exec, Rank>(stream, {0, 0}, {n, n}),
        KOKKOS_LAMBDA(int i, int j) {
          float sum = 0;
          for (int k = 0; k < a.extent_int(1); ++k) sum += a(i, k) * a(k, j);
          c(i, j) = scale * sum;
        });
    Kokkos::deep_copy(stream, result, d_result);
  }

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

static void run(int n, bool print, example::Checks& check) {
  auto const streams = two_streams();
  Pipeline const first{streams[0], 1.0f, n}, second{streams[1], 10.0f, n};
  for (auto const* pipeline : {&first, &second}) {
    example::set(pipeline->input,
                 [n](int i, int j) { return static_cast<float>(n == 4 ? 4 * i + j : (i + 3 * j) % 7); });
  }
  Kokkos::fence();  // what was made on the default instance is there before other instances use it

  auto const by_kernels = [&] {
    first.enqueue_kernel();
    second.enqueue_kernel();
    for (auto const& stream : streams) stream.fence();  // stream.synchronize(): now the results are there
  };
  auto const by_library = [&] {
    pantile::AutoSynchronize const first_done(first.stream), second_done(second.stream);
    first.enqueue();
    second.enqueue();
  };  // both results can be read here

  auto const square = example::dot(first.input, first.input);  // whole numbers: sums are exact
  for (auto const* pipeline : {&first, &second}) {
    auto const factor = pipeline->factor;
    example::compare(check, "copied in, multiplied, copied back", pipeline->result, 0, by_kernels, by_library);
    if (print) example::print(pipeline->result);
    check(example::all_equal(pipeline->result, [&](int i, int j) { return factor * square(i, j); }), "as on the host");
  }
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  run(4, true, check);
  run(200, false, check);
  return check.status();
}
