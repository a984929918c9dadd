// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/tool_events.hpp>

#include <pantile/transfer.hpp>
#include <pantile/transfer_scope.hpp>

#include <gmock/gmock.h>

#include <string>

namespace {

using pantile::testing::ToolEvents;
using ::testing::HasSubstr;
using HostExec = Kokkos::DefaultHostExecutionSpace;
using Right = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Strided = Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace>;

/// Text of the Error that f throws; nothing may be launched, copied or allocated before it.
template <class F>
std::string refusal(F const& f) {
  ToolEvents const events;
  try {
    f();
  } catch (pantile::Error const& error) {
    EXPECT_THAT(error.where().file_name(), HasSubstr("test_errors.cpp"));
    EXPECT_EQ(events.count(ToolEvents::Kind::kernel) + events.count(ToolEvents::Kind::deep_copy) +
                  events.count(ToolEvents::Kind::allocation),
              0u);
    return error.what();
  }
  return "no error";
}

template <class To, class From>
std::string copy_refusal(To const& to, From const& from) {
  std::string const text = refusal([&] { pantile::copy(HostExec{}, to, from); });
  std::string const explained = refusal([&] { (void)pantile::explain::copy(HostExec{}, to, from); });
  EXPECT_EQ(text.substr(0, text.find('[')), explained.substr(0, explained.find('['))) << "explain has the same checks";
  return text;
}

TEST(TransferErrors, Extents) {
  Right const a("a", 3, 4), b("b", 4, 3);
  EXPECT_THAT(copy_refusal(b, a),
              HasSubstr("pantile::copy: destination must have the extents of source (3x4); destination 'b' 4x3 "
                        "strides (3,1), source 'a' 3x4 strides (4,1)"));
  Kokkos::View<int*, Kokkos::HostSpace> const v("v", 3), w("w", 5);
  EXPECT_THAT(copy_refusal(w, v), HasSubstr("destination must have the extents of source (3)"));
  EXPECT_THAT(refusal([&] { pantile::copy(v, w); }), HasSubstr("pantile::copy: destination must have the extents"));
  EXPECT_THAT(refusal([&] { pantile::copy_to_host(HostExec{}, b, a); }),
              HasSubstr("pantile::copy_to_host: destination"));
}

TEST(TransferErrors, Null) {
  Right const a("a", 3, 4), null(static_cast<double*>(nullptr), 3, 4);
  EXPECT_THAT(copy_refusal(null, a), HasSubstr("destination must not be null"));
  EXPECT_THAT(copy_refusal(a, null), HasSubstr("source must not be null"));
  std::string const rule = "source must not be null";
  EXPECT_THAT(refusal([&] { (void)pantile::to_device(HostExec{}, null); }), HasSubstr("::to_device: " + rule));
  EXPECT_THAT(refusal([&] { (void)pantile::explain::to_device(HostExec{}, null); }), HasSubstr("::to_device: " + rule));
  EXPECT_THAT(refusal([&] { (void)pantile::device_copy(HostExec{}, null); }), HasSubstr("::device_copy: " + rule));
  EXPECT_THAT(refusal([&] { (void)pantile::copy_to_host(HostExec{}, null); }), HasSubstr("::copy_to_host: " + rule));
  Right const empty;
  EXPECT_NO_THROW(pantile::copy(HostExec{}, empty, empty));
}

TEST(TransferErrors, Overlap) {
  Right const a("a", 6, 8);
  auto const upper = Kokkos::subview(a, Kokkos::make_pair(0, 3), Kokkos::ALL);
  auto const shifted = Kokkos::subview(a, Kokkos::make_pair(1, 4), Kokkos::ALL);
  auto const lower = Kokkos::subview(a, Kokkos::make_pair(3, 6), Kokkos::ALL);
  EXPECT_THAT(copy_refusal(upper, shifted),
              HasSubstr("destination must be exactly source or not overlap it: they share memory"));
  EXPECT_NO_THROW(pantile::copy(HostExec{}, upper, lower));
  auto const left = Kokkos::subview(a, Kokkos::ALL, Kokkos::make_pair(0, 4));
  auto const right = Kokkos::subview(a, Kokkos::ALL, Kokkos::make_pair(4, 8));
  EXPECT_NO_THROW(pantile::copy(HostExec{}, left, right)) << "interleaved, yet no element is shared";
  Strided const square(a.data(), Kokkos::LayoutStride(6, 8, 6, 1)),
      transposed(a.data(), Kokkos::LayoutStride(6, 1, 6, 8));
  EXPECT_THAT(copy_refusal(transposed, square), HasSubstr("or not overlap it"));
}

TEST(TransferErrors, DestinationThatRepeats) {
  double one = 0;
  Strided const spread(&one, Kokkos::LayoutStride(3, 0, 4, 0));
  Right const a("a", 3, 4);
  EXPECT_THAT(copy_refusal(spread, a),
              HasSubstr("destination must not overlap itself: two of its elements share memory"));
  pantile::TransferScope scope{HostExec{}};
  EXPECT_NO_THROW((void)scope.in(spread));
  EXPECT_THAT(refusal([&] { (void)scope.out(spread); }), HasSubstr("array must not overlap itself"));
}

TEST(TransferErrors, NothingIsWritten) {
  Right const a("a", 3, 4), b("b", 4, 4);
  Kokkos::deep_copy(a, 1.0);
  EXPECT_THAT(copy_refusal(b, a), HasSubstr("extents"));
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_EQ(b.data()[i], 0);
}

TEST(TransferErrors, Scope) {
  Right const a("a", 3, 4), b("b", 3, 4), null(static_cast<double*>(nullptr), 3, 4);
  pantile::TransferScope scope{HostExec{}};
  EXPECT_THAT(refusal([&] { (void)scope.in(null); }), HasSubstr("::TransferScope::in: array must not be null"));
  EXPECT_THAT(refusal([&] { (void)scope.out(null); }), HasSubstr("::TransferScope::out: array must not be null"));
  (void)scope.in(a);
  EXPECT_NO_THROW((void)scope.in(a)) << "two readers";
  EXPECT_THAT(
      refusal([&] { (void)scope.inout(a); }),
      HasSubstr("pantile::TransferScope::inout: array must not overlap the scope's array 'a' 3x4 strides (4,1): "
                "one of the two is written; array 'a' 3x4"));
  (void)scope.out(b);
  EXPECT_THAT(
      refusal([&] { (void)scope.in(Kokkos::subview(b, 1, Kokkos::ALL)); }),
      HasSubstr("must not overlap the scope's array 'b' 3x4 strides (4,1): one of the two is written; array 'b' 4 "));
  scope.close();
  EXPECT_THAT(refusal([&] { (void)scope.in(a); }), HasSubstr("pantile::TransferScope::in: the scope is closed"));
  EXPECT_THAT(refusal([&] { (void)scope.out(b); }), HasSubstr("the scope is closed"));
  EXPECT_THAT(refusal([&] { (void)pantile::register_arrays(HostExec{}, pantile::in(a), pantile::inout(a)); }),
              HasSubstr("TransferScope::inout: array must not overlap"));
}

TEST(TransferErrors, NoChunksInFlight) {
  Kokkos::View<int*, Kokkos::HostSpace> const a("a", 3), b("b", 3);
  Kokkos::DefaultHostExecutionSpace const exec;
  for (int const in_flight : {0, -2}) {
    auto const copy = refusal([&] { pantile::copy(exec, a, b, {.in_flight = in_flight}); });
    auto const told = refusal([&] { (void)pantile::explain::copy(exec, a, b, {.in_flight = in_flight}); });
    std::string const rule = "in_flight must be at least 1, it is " + std::to_string(in_flight);
    for (std::string const& text : {copy, told}) EXPECT_THAT(text, HasSubstr(rule));
  }
  EXPECT_NO_THROW(pantile::copy(exec, a, b, {.in_flight = 1}));
}

}  // namespace
