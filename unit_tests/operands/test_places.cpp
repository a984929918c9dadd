// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Operands that do not know where they lie: what a call on the host is given must be in memory that the host
///        reaches, and calls on a device take the device's. Where both are one memory all is taken.
#include <operands/spans.hpp>
#include <support/refusal.hpp>

#include <pantile/linalg.hpp>
#include <pantile/matrix_pointers.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using Device = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
constexpr bool one_memory = Kokkos::SpaceAccessibility<Host, Device::memory_space>::accessible;
constexpr std::size_t edge = 12;  // no tiny one

template <class Space>
using Square = Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space>;
using Pointers = pantile::MatrixPointers<double, Host::memory_space>;

template <class Space>
Square<Space> square(double first) {
  Square<Host> const here("here", edge, edge);
  for (std::size_t i = 0; i < here.size(); ++i) here.data()[i] = first + static_cast<double>(i % 7);
  return Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), here);
}
PlainSpan<double> span(double* data) { return {data, {edge, edge}, {edge, 1}}; }
template <class View>
PlainSpan<double> span(View const& view) {
  return span(view.data());
}
template <class View>
std::vector<double> values(View const& view) {
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<double>(copy.data(), copy.data() + copy.size());
}

template <class Call>
void expect_refused(Call const& call, std::string const& words) {
  std::string const said = refusal(call);
  if constexpr (one_memory) {
    EXPECT_EQ(said, "accepted") << words;
  } else {
    EXPECT_THAT(said, ::testing::HasSubstr(words));
    EXPECT_THAT(said, ::testing::HasSubstr("[called from " + std::string(__FILE__)));
  }
}
constexpr char const* place = " must lie in memory of the host, where the call runs: it lies in a device's; ";

TEST(Places, MdspansOfADeviceOnItsInstance) {
  auto const a = square<Device>(1), b = square<Device>(2), c = square<Device>(3), d = square<Device>(4);
  auto const e = square<Host>(1), f = square<Host>(2), g = square<Host>(3), h = square<Host>(4);
  pantile::matmul(Device(), 1, span(a), span(b), 2, span(c));
  pantile::transpose(Device(), span(c), span(d));
  pantile::add(Device(), 2, span(a), 3, span(d), span(d));
  pantile::transpose(Device(), span(d));
  pantile::fill(Device(), PlainSpan<double>{a.data(), {2, edge}, {edge, 1}}, 5);
  pantile::reverse(Device(), PlainSpan<double, 1>{b.data(), {edge}, {2}});
  pantile::matmul(Host(), 1, e, f, 2, g);
  pantile::transpose(Host(), g, h);
  pantile::add(Host(), 2, e, 3, h, h);
  pantile::transpose(Host(), h);
  pantile::fill(Host(), Kokkos::subview(e, std::pair(0, 2), Kokkos::ALL), 5);
  pantile::reverse(Host(), Kokkos::View<double*, Kokkos::LayoutStride, Host>(f.data(), Kokkos::LayoutStride(edge, 2)));
  Kokkos::fence();
  EXPECT_EQ(values(d), values(h));
  EXPECT_EQ(values(a), values(e));
  EXPECT_EQ(values(b), values(f));
}

TEST(Places, MdspansOfADeviceAreRefusedOnTheHost) {
  auto const here = square<Host>(1), result = square<Host>(2);
  auto const there = square<Device>(1);
  auto const before = values(there);
  auto const taken = span(here), wrong = span(there), c = span(result);
  expect_refused([&] { pantile::matmul(1, wrong, taken, 0, c); }, "matmul: A" + std::string(place) + "A '' 12x12");
  expect_refused([&] { pantile::matmul(Host(), 1, taken, wrong, 0, c); }, "matmul: B" + std::string(place));
  expect_refused([&] { pantile::matmul(1, taken, here, 0, wrong); }, "matmul: C" + std::string(place));
  expect_refused([&] { pantile::linalg::matrix_product(taken, wrong, c); },
                 "linalg::matrix_product: B" + std::string(place));
  expect_refused([&] { pantile::linalg::matrix_product(taken, taken, wrong, c); },
                 "linalg::matrix_product: E" + std::string(place));
  expect_refused([&] { pantile::transpose(wrong, c); }, "transpose: A" + std::string(place));
  expect_refused([&] { pantile::transpose(here, wrong); }, "transpose: B" + std::string(place));
  expect_refused([&] { pantile::transpose(wrong); }, "transpose: A" + std::string(place));
  expect_refused([&] { pantile::add(1, wrong, 1, taken, c); }, "add: A" + std::string(place));
  expect_refused([&] { pantile::add(1, taken, 1, wrong, c); }, "add: B" + std::string(place));
  expect_refused([&] { pantile::add(1, taken, 1, taken, wrong); }, "add: C" + std::string(place));
  expect_refused([&] { pantile::fill(wrong, 3); }, "fill: C" + std::string(place));
  expect_refused([&] { pantile::copy(wrong, taken); }, "copy: destination" + std::string(place));
  expect_refused([&] { pantile::copy(c, wrong); }, "copy: source" + std::string(place));
  // Tiny ones too, whose way is shorter.
  PlainSpan<double> const tiny{there.data(), {2, 2}, {2, 1}}, small{here.data(), {2, 2}, {2, 1}};
  expect_refused([&] { pantile::matmul(1, small, small, 0, tiny); }, "matmul: C" + std::string(place) + "C '' 2x2");
  if (!one_memory) {
    EXPECT_EQ(values(there), before);
    EXPECT_EQ(values(result), values(square<Host>(2)));
  }
}

TEST(Places, VectorsOfADeviceAreRefusedOnTheHost) {
  Kokkos::View<std::int32_t*, Host> const indices("indices", 8), counts("counts", 3);
  Kokkos::View<std::int32_t*, Device> const there("there", 8);
  PlainSpan<std::int32_t, 1> const taken{indices.data(), {8}, {1}}, bins{counts.data(), {3}, {1}};
  PlainSpan<std::int32_t, 1> const wrong{there.data(), {8}, {1}};
  expect_refused([&] { pantile::reverse(wrong, taken); }, "reverse: x" + std::string(place));
  expect_refused([&] { pantile::reverse(taken, wrong); }, "reverse: y" + std::string(place));
  expect_refused([&] { pantile::reverse(wrong); }, "reverse: x" + std::string(place));
  expect_refused([&] { pantile::histogram(wrong, bins); }, "histogram: indices" + std::string(place));
  expect_refused([&] { pantile::histogram(taken, wrong, bins); }, "histogram: weights" + std::string(place));
  expect_refused([&] { pantile::histogram(indices, wrong); }, "histogram: counts" + std::string(place));
}

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
TEST(Places, PinnedMemoryIsBoths) {
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> const pinned("pinned", edge, edge);
  Kokkos::deep_copy(pinned, 2.0);
  pantile::add(1, span(pinned), 2, span(pinned), span(pinned));
  EXPECT_EQ(pinned(3, 4), 6);
  pantile::add(Device(), 1, span(pinned), 1, span(pinned), span(pinned));
  Kokkos::fence();
  EXPECT_EQ(pinned(3, 4), 12);
}
#endif

/// Two matrices by addresses.
Pointers pointers(double* const* addresses) { return {addresses, 2, edge, edge / 2, edge, 1}; }

TEST(Places, AddressesOfADeviceAreRefusedOnTheHost) {
  auto const a = square<Host>(1);
  auto const there = square<Device>(1), other = square<Device>(1);
  std::vector<double*> const here{a.data(), a.data() + edge / 2};
  std::vector<double*> const apart{there.data(), there.data() + edge / 2};
  Kokkos::View<double**, Device> const list("addresses", 1, 2);  // of which no host reads
  auto const lost = pointers(reinterpret_cast<double* const*>(list.data()));
  auto const in = pointers(here.data()), wrong = pointers(apart.data());
  std::string const runs = " in memory of the host, where the call runs: ";
  std::string const matrices = " must have its matrices" + runs + "the first lies in a device's";
  std::string const addresses = " must have its addresses" + runs + "they lie in a device's";
  pantile::MatmulOptions const options{.op_b = pantile::Op::transpose};
  Square<Host> const shared("shared", edge, edge / 2);
  Kokkos::View<double***, Host> const products("products", 2, edge, edge);
  auto const multiply = [&](auto const& x, auto const& y, auto const& z) {
    return [&] { pantile::matmul(Host(), 1, x, y, 0, z, options); };
  };
  expect_refused(multiply(wrong, shared, products), "matmul: A" + matrices);
  expect_refused(multiply(shared, wrong, products), "matmul: B" + matrices);
  auto const explained = [&] { (void)pantile::explain::matmul(Host(), 1, wrong, in, 0, products, options); };
  expect_refused(explained, "matmul: A" + matrices);
  std::vector<double*> const back{other.data(), other.data() + edge * edge / 2};
  Pointers const target{back.data(), 2, edge / 2, edge, edge, 1}, square_there{apart.data(), 2, 6, 6, edge, 1};
  expect_refused([&] { pantile::transpose(Host(), wrong, target); }, "transpose: A" + matrices);
  expect_refused([&] { pantile::transpose(Host(), in, target); }, "transpose: B" + matrices);
  expect_refused([&] { pantile::transpose(Host(), square_there); }, "transpose: A" + matrices);
  if constexpr (!one_memory) {
    expect_refused(multiply(lost, shared, products), "matmul: A" + addresses);
    expect_refused([&] { pantile::transpose(Host(), lost, target); }, "transpose: A" + addresses);
    expect_refused([&] { pantile::transpose(Host(), in, lost); }, "transpose: B" + addresses);
  }
  pantile::matmul(Host(), 1, in, in, 0, products, options);
  EXPECT_EQ(products(0, 0, 0), 1 + 4 + 9 + 16 + 25 + 36);
}

}  // namespace
