// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/matrices.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/auto_synchronize.hpp>
#include <pantile/transfer_scope.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using namespace pantile::testing;
using namespace pantile::impl::transfer;
using Kind = ToolEvents::Kind;
using Exec = Kokkos::DefaultExecutionSpace;
using HostExec = Kokkos::DefaultHostExecutionSpace;
using Array = Kokkos::View<int*, Kokkos::HostSpace>;

Array numbered(std::string const& label, int n) {
  Array const a(label, n);
  for (int i = 0; i < n; ++i) a(i) = i;
  return a;
}

template <class X, class Y, class Z>
struct AddInto {
  X x;
  Y y;
  Z z;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { z(i) = x(i) + y(i); }
};
template <class X, class Y, class Z>
void add_into(Exec const& exec, X const& x, Y const& y, Z const& z) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(exec, 0, static_cast<int>(z.extent(0))), AddInto<X, Y, Z>{x, y, z});
}

constexpr char const* close_fence = "pantile::TransferScope: results are back";

TEST(TransferScope, BringsResultsBackWhenItCloses) {
  Array const a = numbered("a", 100), b = numbered("b", 100), c("c", 100), d = numbered("d", 100);
  {
    pantile::TransferScope scope{Exec{}};
    auto const da = scope.in(a), db = scope.in(b);
    static_assert(std::is_same_v<decltype(da)::value_type, int const>);
    auto const dc = scope.out(c), dd = scope.inout(d);
    static_assert(std::is_same_v<decltype(dc)::value_type, int>);
    add_into(Exec{}, da, db, dc);
    add_into(Exec{}, da, dd, dd);
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(c(i), 2 * i);
    EXPECT_EQ(d(i), 2 * i);
    EXPECT_EQ(a(i), i);
  }
}

TEST(TransferScope, BringsResultsBackWhenAnExceptionPasses) {
  Array const a = numbered("a", 10), c("c", 10);
  try {
    pantile::TransferScope scope{Exec{}};
    auto const da = scope.in(a);
    auto const dc = scope.out(c);
    add_into(Exec{}, da, da, dc);
    throw std::runtime_error("the caller's");
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "the caller's");
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(c(i), 2 * i);
}

TEST(TransferScope, ClosesOnce) {
  Array const c("c", 10);
  ToolEvents const events;
  {
    pantile::TransferScope scope{Exec{}};
    (void)scope.out(c);
    EXPECT_TRUE(scope.is_open());
    scope.close();
    EXPECT_FALSE(scope.is_open());
    scope.close();
  }
  EXPECT_EQ(events.count(Kind::fence, close_fence), 1u);
}

TEST(TransferScope, CopiesNothingOnHosts) {
  Array const a = numbered("a", 10), c("c", 10);
  ToolEvents const events;
  {
    pantile::TransferScope scope{HostExec{}};
    EXPECT_EQ(scope.in(a).data(), a.data());
    EXPECT_EQ(scope.inout(c).data(), c.data());
  }
  EXPECT_EQ(events.count(Kind::deep_copy) + events.count(Kind::kernel) + events.count(Kind::allocation), 0u);
  EXPECT_EQ(events.count(Kind::fence, close_fence), 1u);
}

TEST(TransferScope, FencesTheCallersInstance) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  for (auto const& exec : instances) {
    ToolEvents const events;
    { pantile::TransferScope scope(exec); }
    auto const fences = events.of(Kind::fence);
    bool found = false;
    for (auto const& fence : fences) found = found || (fence.label == close_fence && fence.device == device_of(exec));
    EXPECT_TRUE(found);
  }
}

TEST(RegisterArrays, GivesStructuredBindings) {
  Array const a = numbered("a", 20), b = numbered("b", 20), c("c", 20), d = numbered("d", 20);
  {
    auto const& [da, db, dc, dd] =
        pantile::register_arrays(Exec{}, pantile::in(a), pantile::in(b), pantile::out(c), pantile::inout(d));
    static_assert(!pantile::Mutable<std::remove_cvref_t<decltype(da)>>);
    static_assert(pantile::Mutable<std::remove_cvref_t<decltype(dc)>>);
    add_into(Exec{}, da, db, dc);
    add_into(Exec{}, dd, db, dd);
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(c(i), 2 * i);
    EXPECT_EQ(d(i), 2 * i);
  }
}

// What a scope does where memories are two, made to happen on the host.
template <class View>
using Away = Copied<HostExec, View>;

TEST(Scope, CounterpartsGoOutAndReturn) {
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const parent("parent", 6, 10);
  auto const c = Kokkos::subview(parent, Kokkos::make_pair(1, 5), Kokkos::make_pair(2, 9));
  for (std::size_t i = 0; i < parent.size(); ++i) parent.data()[i] = static_cast<int>(i);
  using View = std::remove_const_t<decltype(c)>;
  auto const here = std::source_location::current();
  Scope scope{HostExec{}};
  auto const away = scope.admit<Away<View>, Role::inout>("test", c, here);
  EXPECT_NE(away.data(), c.data());
  EXPECT_EQ(away.label().rfind("pantile::TransferScope(", 0), 0u);
  int const before = c(3, 4);
  EXPECT_EQ(away(3, 4), before);
  away(3, 4) = -1;
  EXPECT_EQ(c(3, 4), before) << "not before it closes";
  ToolEvents const events;
  scope.close();
  EXPECT_EQ(events.count(Kind::allocation), 0u) << "to bring results back needs no memory";
  EXPECT_EQ(c(3, 4), -1);
  EXPECT_EQ(parent(0, 0), 0);
}

TEST(Scope, InputsAreNotWrittenAndOutputsNotRead) {
  Array const a = numbered("a", 5), c = numbered("c", 5);
  auto const here = std::source_location::current();
  Scope scope{HostExec{}};
  ToolEvents const events;
  auto const away_a = scope.admit<Away<Array>, Role::in>("test", a, here);
  EXPECT_EQ(events.count(Kind::deep_copy), 1u);
  auto const away_c = scope.admit<Away<Array>, Role::out>("test", c, here);
  EXPECT_EQ(events.count(Kind::deep_copy), 1u) << "out is not brought in";
  away_a(0) = 99;
  for (int i = 0; i < 5; ++i) away_c(i) = 10 * i;
  scope.close();
  EXPECT_EQ(events.count(Kind::deep_copy), 2u) << "in is not brought back";
  EXPECT_EQ(a(0), 0);
  EXPECT_EQ(c(4), 40);
}

/// A backend whose copies and kernels fail as they begin, while the object lives.
class FailingBackend {
 public:
  FailingBackend() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback([](char const*, std::uint32_t, std::uint64_t*) { fail(); });
    tools::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, char const*, void const*,
                                           Kokkos::Tools::SpaceHandle, char const*, void const*,
                                           std::uint64_t) { fail(); });
  }
  FailingBackend(FailingBackend const&) = delete;
  FailingBackend& operator=(FailingBackend const&) = delete;
  ~FailingBackend() {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(nullptr);
  }

 private:
  static void fail() { throw std::runtime_error("the backend fails"); }
};

TEST(Scope, WhatDidNotComeInDoesNotGoBack) {
  auto const here = std::source_location::current();
  Array const whole = numbered("whole", 5);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const parent("parent", 6, 10);
  auto const strided = Kokkos::subview(parent, Kokkos::make_pair(1, 5), Kokkos::make_pair(2, 9));
  for (std::size_t i = 0; i < parent.size(); ++i) parent.data()[i] = static_cast<int>(i);
  using View = std::remove_const_t<decltype(strided)>;
  Scope scope{HostExec{}};
  {
    FailingBackend const failing;
    EXPECT_THROW((scope.admit<Away<Array>, Role::inout>("test", whole, here)), std::runtime_error);
    EXPECT_THROW((scope.admit<Away<View>, Role::inout>("test", strided, here)), std::runtime_error);
  }
  // The scope does not take them for its own: they can be admitted again.
  auto const away = scope.admit<Away<Array>, Role::inout>("test", whole, here);
  away(4) = -1;
  scope.close();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(whole(i), i);
  EXPECT_EQ(whole(4), -1);
  for (std::size_t i = 0; i < parent.size(); ++i) EXPECT_EQ(parent.data()[i], static_cast<int>(i));
}

TEST(Scope, BringsTheRestBackWhereOneFails) {
  auto const here = std::source_location::current();
  Array const a = numbered("a", 5), b = numbered("b", 5);
  Scope scope{HostExec{}};
  auto const away_a = scope.admit<Away<Array>, Role::inout>("test", a, here);
  auto const away_b = scope.admit<Away<Array>, Role::inout>("test", b, here);
  away_a(0) = away_b(0) = -1;
  static int copies;
  copies = 0;
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, char const*, void const*,
                                                               Kokkos::Tools::SpaceHandle, char const*, void const*,
                                                               std::uint64_t) {
    if (++copies == 1) throw std::runtime_error("the first copy fails");
  });
  EXPECT_THROW(scope.close(), std::runtime_error);
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(nullptr);
  EXPECT_EQ(a(0), 0);
  EXPECT_EQ(b(0), -1);
}

TEST(Scope, KeepsArraysAliveUntilItCloses) {
  Scope scope{HostExec{}};
  Array a = numbered("a", 5);
  (void)scope.admit<Away<Array>, Role::out>("test", a, std::source_location::current());
  EXPECT_GT(a.use_count(), 1);
  scope.close();
  EXPECT_EQ(a.use_count(), 1);
}

TEST(AutoSynchronize, FencesItsInstanceAlsoWhenAnExceptionPasses) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  ToolEvents const events;
  try {
    pantile::AutoSynchronize const guard(instances[1], "mine");
    EXPECT_EQ(device_of(guard.exec()), device_of(instances[1]));
    EXPECT_EQ(events.count(Kind::fence, "mine"), 0u);
    guard.synchronize();
    EXPECT_EQ(events.count(Kind::fence, "mine"), 1u);
    throw std::runtime_error("the caller's");
  } catch (std::runtime_error const&) {
    EXPECT_EQ(events.count(Kind::fence, "mine"), 2u);
  }
  for (auto const& fence : events.of(Kind::fence)) {
    if (fence.label == "mine") {
      EXPECT_EQ(fence.device, device_of(instances[1]));
    }
  }
  { pantile::AutoSynchronize const guard{Exec{}}; }
  EXPECT_EQ(events.count(Kind::fence, "pantile::AutoSynchronize"), 1u);
}

}  // namespace
