// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Memory that the caller gives: as much as explain says is enough wherever it begins, nothing beside it is
///         touched,
///        the sums are those of any other call, and less is refused.
#include <matmul/cases.hpp>
#include <support/refusal.hpp>

#include <pantile/impl/launch/host_workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace {

using namespace pantile::testing;
using pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
using Exec = Kokkos::DefaultExecutionSpace;
using Bytes = Kokkos::View<unsigned char*, Exec>;
using ::testing::HasSubstr;

/// Bytes that are not the value they were filled with, in [begin, end).
std::size_t changed(Bytes const& memory, std::size_t begin, std::size_t end) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, memory);
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) count += host(i) != 0xa5;
  return count;
}

constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible;

/// Do hosts take any for a call? Devices do where they split k.
enum class Takes { none, some, as_planned };

template <class T>
void expect_right_in_given_memory(Shape const& shape, MatmulOptions options, Takes takes) {
  SCOPED_TRACE(to_string(shape) + " " + to_string(options.algorithm));
  Exec const exec;
  Call<T> const call(shape);
  Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::left),
      C("C", call.c, Placement::right);
  Placed<T, Exec> const own("C", call.c, Placement::right);
  auto const run = [&](auto const& c) {
    pantile::matmul(exec, call.alpha, A.view(), B.view(), call.beta, c.view(), options);
    exec.fence();
  };
  run(own);
  std::size_t const bytes =
      pantile::explain::matmul(exec, call.alpha, A.view(), B.view(), call.beta, C.view(), options).workspace_bytes;
  bool const takes_any = bytes > 0;
  if (on_host && takes != Takes::as_planned) {
    EXPECT_EQ(takes_any, takes == Takes::some);
  }
  for (std::size_t const offset : {std::size_t{64}, std::size_t{65}, std::size_t{67}}) {
    Bytes const memory("memory", bytes + 512);
    Kokkos::deep_copy(memory, static_cast<unsigned char>(0xa5));
    Placed<T, Exec> const fresh("C", call.c, Placement::right);
    options.workspace = {memory.data() + offset, bytes};
    run(fresh);
    EXPECT_TRUE(equal(fresh.values(), own.values())) << "the same bits, offset " << offset;
    EXPECT_EQ(changed(memory, 0, offset) + changed(memory, offset + bytes, bytes + 512), 0U) << "offset " << offset;
    EXPECT_EQ(changed(memory, offset, offset + bytes) > 0, takes_any) << "the memory is what it works in";
  }
  if (takes_any) {
    Bytes const memory("memory", bytes);
    options.workspace = {memory.data(), bytes - 1};
    Placed<T, Exec> const untouched("C", call.c, Placement::right);
    std::string const text = refusal([&] { run(untouched); });
    EXPECT_THAT(text, HasSubstr("workspace has " + std::to_string(bytes - 1) + " bytes, the call takes " +
                                std::to_string(bytes)));
    EXPECT_TRUE(equal(untouched.values(), call.c));
    options.workspace = {nullptr, bytes};
    EXPECT_THAT(refusal([&] { run(untouched); }), HasSubstr("workspace has no memory, the call takes "));
  }
}

template <class T>
void expect_right_for_all() {
  MatmulOptions const tiled{.algorithm = MatmulAlgorithm::tiled, .tile = {32, 16, 8}};
  for (Shape const& shape : {Shape{200, 210, 190}, Shape{333, 65, 700}, Shape{3, 3000, 400}}) {
    expect_right_in_given_memory<T>(shape, {}, Takes::as_planned);
    expect_right_in_given_memory<T>(shape, tiled, Takes::some);
    expect_right_in_given_memory<T>(shape, {.algorithm = MatmulAlgorithm::naive}, Takes::none);
  }
  expect_right_in_given_memory<T>({260, 270, 300}, {}, Takes::some);  // B, down whose columns it is read, is packed
}

TEST(MatmulWorkspace, Float) { expect_right_for_all<float>(); }
TEST(MatmulWorkspace, ComplexDouble) { expect_right_for_all<Kokkos::complex<double>>(); }
TEST(MatmulWorkspace, Integers) { expect_right_for_all<std::int32_t>(); }

TEST(MatmulWorkspace, OfHostsIsNotKept) {
  using pantile::Workspace;
  using Workspaces = pantile::impl::launch::HostWorkspaces;
  alignas(256) static std::byte memory[1024];
  EXPECT_EQ(Workspaces::given_bytes(0), 0U);
  EXPECT_EQ(Workspaces::given_bytes(1), 129U);
  auto& all = Workspaces::get();
  {
    auto const lease = all.take(800, Workspace{memory + 1, 900});
    EXPECT_EQ(static_cast<void*>(lease.data()), memory + Workspaces::alignment);
  }
  auto const next = all.take(800);
  EXPECT_TRUE(next.data() < memory || next.data() >= memory + sizeof memory);
}

}  // namespace
