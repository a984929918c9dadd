// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A scope on a device that works late, left by an exception: what was enqueued comes back, to the last of it,
///        before memory is freed; and what may fail on the way.
#include <transfer/late.hpp>

#include <pantile/pinned.hpp>
#include <pantile/transfer_scope.hpp>

#include <gmock/gmock.h>

#include <cstddef>
#include <memory>
#include <set>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pantile::testing {

/// The device: its queue, which of its copies fail, and what was done too early.
struct LateDevice {
  LateQueue queue;
  int copies = 0;
  std::set<int> failing;  ///< numbers of copies
  bool fence_fails = false;
  std::vector<std::string> fences, too_early;
};

/// An instance of it.
struct LateExec {
  std::shared_ptr<LateDevice> device = std::make_shared<LateDevice>();

  void fence(std::string const& label) const {
    device->fences.push_back(label);
    if (device->fence_fails) throw std::runtime_error("the device is gone");
    device->queue.run_to(device->queue.put);
  }
};

constexpr int never_written = -99;

/// Memory on it, found by its argument's type. What a kernel has not written is easily told.
template <class Result, class View>
Result allocate_like(LateExec const&, std::string const& label, View const& view) {
  Result const memory(label, impl::transfer::packed_layout<typename Result::array_layout>(view));
  Kokkos::deep_copy(memory, never_written);
  return memory;
}

}  // namespace pantile::testing

namespace pantile::impl::transfer {

/// A copy through staging memory of its own, when the device gets to it.
template <class T, class ToSpace, class FromSpace>
class Route<testing::LateExec, T, ToSpace, FromSpace> {
 public:
  static Plan plan(Problem<T> const&) { return {.chunks = 1}; }
  Route(testing::LateExec const& exec, Problem<T> const& p, Plan const&, Chunks*)
      : m_device(exec.device.get()),
        m_problem(p),
        m_staging(std::make_shared<std::vector<T>>(static_cast<std::size_t>(p.source.count()))) {}

  /// One that fails has enqueued its first half.
  void run() const {
    bool const fails = m_device->failing.contains(m_device->copies++);
    Index const half = m_problem.source.rows * m_problem.source.cols / 2;
    enqueue(0, half);
    if (fails) throw std::runtime_error("the copy fails");
    enqueue(half, m_problem.source.count());
  }

 private:
  void enqueue(Index begin, Index end) const {
    std::weak_ptr<std::vector<T>> const weak = m_staging;
    m_device->queue.enqueue([device = m_device, p = m_problem, begin, end, weak] {
      auto const staging = weak.lock();
      if (!staging) {
        device->too_early.emplace_back("staging memory is freed");
        return;
      }
      for (Index at = begin; at < end; ++at) {
        T& between = (*staging)[static_cast<std::size_t>(at)];
        between = p.source(at / p.source.cols, at % p.source.cols);
        p.destination(at / p.source.cols, at % p.source.cols) = between;
      }
    });
  }

  testing::LateDevice* m_device;
  Problem<T> m_problem;
  std::shared_ptr<std::vector<T>> m_staging;
};

}  // namespace pantile::impl::transfer

namespace {

using namespace pantile::testing;
using namespace pantile::impl::transfer;
using ::testing::ElementsAre;
using Array = Kokkos::View<int*, Kokkos::HostSpace>;
using Away = Copied<Kokkos::DefaultHostExecutionSpace, Array>;
constexpr int n = 8;

Array array(std::string const& label, int first) {
  Array const a(label, n);
  for (int i = 0; i < n; ++i) a(i) = first + i;
  return a;
}
std::vector<int> values(Array const& a) { return {a.data(), a.data() + a.size()}; }

/// \brief  Sees memory freed while the device has work for it: whatever that is, it is told and does not happen. Also
///         counts the scope's memory.
class FreedTooEarly {
 public:
  explicit FreedTooEarly(LateDevice& device) {
    watched = &device;
    alive = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback([](Kokkos::Tools::SpaceHandle, char const* label,
                                                               void const*,
                                                               std::uint64_t) { alive += is_ours(label) ? 1 : 0; });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const* label, void const*, std::uint64_t) {
          if (!is_ours(label)) return;
          --alive;
          if (watched->queue.work.empty()) return;
          watched->too_early.push_back(std::string(label) + " is freed");
          watched->queue.run_to(watched->queue.put);
        });
  }
  FreedTooEarly(FreedTooEarly const&) = delete;
  FreedTooEarly& operator=(FreedTooEarly const&) = delete;
  ~FreedTooEarly() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
  [[nodiscard]] static int alive_now() { return alive; }

 private:
  static bool is_ours(char const* label) { return std::string(label).rfind("pantile::TransferScope(", 0) == 0; }
  inline static LateDevice* watched = nullptr;
  inline static int alive = 0;
};

class LateScope : public ::testing::Test {
 protected:
  using Scope = pantile::impl::transfer::Scope<LateExec>;
  LateExec exec;
  LateDevice& device = *exec.device;
  FreedTooEarly const watch{device};
  Array const a = array("a", 100), b = array("b", 200), c = array("c", 300);

  template <Role role>
  static Array bring(Scope& scope, Array const& array) {
    return scope.admit<Away, role>("test", array, std::source_location::current());
  }
  /// f(i) for a part of the elements, by a kernel that the device runs when it comes to it.
  template <class F>
  void kernel(int begin, int end, F const& f) {
    device.queue.enqueue([=] {
      for (int i = begin; i < end; ++i) f(i);
    });
  }
  /// All that was enqueued has been done, in time, and nothing is left.
  void expect_tidy() {
    EXPECT_TRUE(device.queue.work.empty());
    EXPECT_THAT(device.too_early, ElementsAre());
    EXPECT_THAT(device.fences, ElementsAre("pantile::TransferScope: results are back"));
    EXPECT_EQ(watch.alive_now(), 0);
  }
  /// Leave a scope by the caller's exception when the body is done.
  template <class Body>
  void leave_by_exception(Body const& body) {
    try {
      Scope scope(exec);
      body(scope);
      throw std::logic_error("the caller's");
    } catch (std::logic_error const& error) {
      EXPECT_STREQ(error.what(), "the caller's");
    }
  }
};

TEST_F(LateScope, LeftByAnExceptionBringsBackAllThatWasEnqueued) {
  leave_by_exception([&](Scope& scope) {
    auto const* const x = bring<Role::in>(scope, a).data();
    auto* const y = bring<Role::inout>(scope, b).data();
    auto* const z = bring<Role::out>(scope, c).data();
    for (int half : {0, n / 2}) kernel(half, half + n / 2, [=](int i) { z[i] = x[i] + y[i]; });
    for (int half : {0, n / 2}) kernel(half, half + n / 2, [=](int i) { y[i] += 1000; });
    EXPECT_EQ(b(0), 200) << "nothing has run";
  });
  expect_tidy();
  EXPECT_THAT(values(a), ElementsAre(100, 101, 102, 103, 104, 105, 106, 107));
  EXPECT_THAT(values(b), ElementsAre(1200, 1201, 1202, 1203, 1204, 1205, 1206, 1207));
  EXPECT_THAT(values(c), ElementsAre(300, 302, 304, 306, 308, 310, 312, 314));
}

// Between two kernels: what the first one wrote comes back, and where the second would have written, what was there.
TEST_F(LateScope, LeftBetweenKernelsBringsBackWhatTheFirstOnesWrite) {
  leave_by_exception([&](Scope& scope) {
    auto* const y = bring<Role::inout>(scope, b).data();
    kernel(0, n / 2, [=](int i) { y[i] = -i; });
  });
  expect_tidy();
  EXPECT_THAT(values(b), ElementsAre(0, -1, -2, -3, 204, 205, 206, 207));
}

// A closed scope may live on: its memory and its chunks do not.
TEST_F(LateScope, GivesItsMemoryBackWhenItIsClosed) {
  pantile::free_staging();
  Scope scope(exec);
  (void)bring<Role::inout>(scope, b);
  EXPECT_EQ(watch.alive_now(), 1);
  EXPECT_EQ(pantile::kept_staging_bytes(), 0U);
  scope.close();
  EXPECT_EQ(watch.alive_now(), 0);
  EXPECT_GT(pantile::kept_staging_bytes(), 0U);
  pantile::free_staging();
}

TEST_F(LateScope, LeftWithInputsAloneIsFencedBeforeItFrees) {
  int sum = 0;
  leave_by_exception([&](Scope& scope) {
    auto const* const x = bring<Role::in>(scope, a).data();
    kernel(0, n, [=, &sum](int i) { sum += x[i]; });
  });
  expect_tidy();
  EXPECT_EQ(sum, 828);
}

// A failure on the way back during unwinding: the program goes on, the caller's exception arrives, and so do the
// others.
TEST_F(LateScope, LeftByAnExceptionWhileACopyBackFailsBringsTheRest) {
  leave_by_exception([&](Scope& scope) {
    auto* const y = bring<Role::inout>(scope, b).data();
    auto* const z = bring<Role::out>(scope, c).data();
    kernel(0, n, [=](int i) { y[i] = z[i] = 10 * i; });
    device.failing = {1};  // the first but b's way in
  });
  expect_tidy();
  EXPECT_THAT(values(c), ElementsAre(0, 10, 20, 30, 40, 50, 60, 70));
}

TEST_F(LateScope, LeftByAnExceptionOfADeviceThatIsGoneEndsNothingElse) {
  leave_by_exception([&](Scope& scope) {
    (void)bring<Role::out>(scope, c);
    device.fence_fails = true;
    device.queue.run_to(device.queue.put);
  });
  EXPECT_EQ(watch.alive_now(), 0);
  device.queue.work.clear();
}

// An array that does not come in: half of it is on its way to memory that has to live until then. The others are
// brought back.
TEST_F(LateScope, LeftWhereAnArrayDoesNotComeInKeepsItsMemoryUntilTheDeviceIsDone) {
  for (bool const inout : {false, true}) {
    device = LateDevice();
    try {
      Scope scope(exec);
      auto* const y = bring<Role::inout>(scope, b).data();
      kernel(0, n, [=](int i) { y[i] = 5 * i; });
      device.failing = {1};
      (void)(inout ? bring<Role::inout>(scope, c) : bring<Role::in>(scope, c));
      FAIL() << "it came in";
    } catch (std::runtime_error const& error) {
      EXPECT_STREQ(error.what(), "the copy fails");
    }
    expect_tidy();
    EXPECT_THAT(values(b), ElementsAre(0, 5, 10, 15, 20, 25, 30, 35));
    EXPECT_THAT(values(c), ElementsAre(300, 301, 302, 303, 304, 305, 306, 307))
        << "what did not come in does not go back";
  }
}

TEST_F(LateScope, ClosedTellsOfACopyBackThatFailsOnceTheRestIsBack) {
  {
    Scope scope(exec);
    auto* const y = bring<Role::out>(scope, b).data();
    auto* const z = bring<Role::out>(scope, c).data();
    kernel(0, n, [=](int i) { y[i] = z[i] = 7 * i; });
    device.failing = {0};
    try {
      scope.close();
      FAIL() << "it did not fail";
    } catch (std::runtime_error const& error) {
      EXPECT_STREQ(error.what(), "the copy fails");
    }
    EXPECT_FALSE(scope.is_open());
    expect_tidy();
    EXPECT_THAT(values(c), ElementsAre(0, 7, 14, 21, 28, 35, 42, 49));
    EXPECT_NO_THROW(scope.close());
  }
  expect_tidy();
}

TEST_F(LateScope, ClosedTellsOfADeviceThatIsGone) {
  {
    Scope scope(exec);
    (void)bring<Role::out>(scope, c);
    device.fence_fails = true;
    EXPECT_THROW(scope.close(), std::runtime_error);
    EXPECT_FALSE(scope.is_open());
    device.queue.run_to(device.queue.put);
  }
  EXPECT_EQ(watch.alive_now(), 0);
}

}  // namespace
