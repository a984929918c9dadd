// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Memory that the caller gives to a call: as much as explain says is enough wherever it begins, nothing beside
///        it is touched, the result is that of any other call, and less is refused.

#include <support/buffer.hpp>
#include <support/matrices.hpp>
#include <support/refusal.hpp>

#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace pantile::testing {

/// Do hosts take any for a call? Devices do as their plans say.
enum class Takes { none, some, as_planned };

namespace detail {

/// Bytes of the default space, all 0xa5 at first.
class MarkedMemory {
 public:
  explicit MarkedMemory(std::size_t bytes) : m_bytes(bytes), m_buffer("memory", bytes, false) {
    m_buffer.write(std::vector<unsigned char>(bytes, mark).data());
  }
  [[nodiscard]] Workspace from(std::size_t begin, std::size_t bytes) const {
    return {static_cast<unsigned char*>(m_buffer.data()) + begin, bytes};
  }
  /// Has any of [begin, end) another value now?
  [[nodiscard]] bool has_changed(std::size_t begin, std::size_t end) const {
    std::vector<unsigned char> now(m_bytes);
    m_buffer.read(now.data());
    auto const at = [&](std::size_t i) { return now.begin() + static_cast<std::ptrdiff_t>(i); };
    return std::any_of(at(begin), at(end), [](unsigned char byte) { return byte != mark; });
  }

 private:
  static constexpr unsigned char mark = 0xa5;
  std::size_t m_bytes;
  Buffer m_buffer;
};

template <class T>
std::vector<T> const& elements(std::vector<T> const& values) {
  return values;
}
template <class T>
std::vector<T> const& elements(HostMatrix<T> const& values) {
  return values.values;
}

template <class Values>
bool same_bits(Values const& x, Values const& y) {
  auto const &a = elements(x), &b = elements(y);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace detail

/// \brief  Expect all of the above.
/// \param  make     make() is a new target, Placed or PlacedArray on the default space
/// \param  call     call(target, workspace) writes it
/// \param  explain  explain(target) is the explanation of that call without a workspace
template <class Make, class Call, class Explain>
void expect_right_in_given_memory(Takes takes, Make const& make, Call const& call, Explain const& explain) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto const run = [&](auto const& target, Workspace const& workspace) {
    call(target, workspace);
    Exec{}.fence();
  };
  auto const own = make();
  std::size_t const bytes = explain(own).workspace_bytes;
  run(own, {});
  bool const takes_any = bytes > 0;
  if (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible && takes != Takes::as_planned) {
    EXPECT_EQ(takes_any, takes == Takes::some);
  }
  for (std::size_t const offset : {std::size_t{64}, std::size_t{65}, std::size_t{67}}) {
    SCOPED_TRACE("offset " + std::to_string(offset));
    detail::MarkedMemory const memory(bytes + 512);
    auto const target = make();
    run(target, memory.from(offset, bytes));
    EXPECT_TRUE(detail::same_bits(target.values(), own.values()));
    EXPECT_FALSE(memory.has_changed(0, offset) || memory.has_changed(offset + bytes, bytes + 512));
    EXPECT_EQ(memory.has_changed(offset, offset + bytes), takes_any) << "the memory is what it works in";
  }
  auto const target = make();
  EXPECT_THAT(refusal([&] {
                run(target, {nullptr, bytes + 100});
              }),
              ::testing::HasSubstr("workspace has no memory, the call takes "));
  EXPECT_TRUE(detail::same_bits(target.values(), make().values()));
  if (!takes_any) return;
  detail::MarkedMemory const memory(bytes);
  EXPECT_THAT(refusal([&] { run(target, memory.from(0, bytes - 1)); }),
              ::testing::HasSubstr("workspace has " + std::to_string(bytes - 1) + " bytes, the call takes " +
                                   std::to_string(bytes)));
  EXPECT_TRUE(detail::same_bits(target.values(), make().values()));
}

}  // namespace pantile::testing
