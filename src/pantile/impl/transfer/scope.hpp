// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The life of a TransferScope: arrays are copied in, and however the scope is left, results are copied back
///        before anything is freed.

#include <pantile/impl/transfer/call.hpp>

#include <exception>
#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace pantile::impl::transfer {

/// \tparam Exec  what transfers are enqueued on and the end waits for; tests have one that works late
template <class Exec>
class Scope {
 public:
  explicit Scope(Exec const& exec) : m_exec(exec) {}
  Scope(Scope const&) = delete;
  Scope& operator=(Scope const&) = delete;
  ~Scope() {
    try {
      close();
    } catch (...) {  // a destructor must not throw
    }
  }

  /// \brief  Admit an array: check it, bring it in as a Result (Arrival), and prepare its way back. All memory for both
  ///         ways is allocated here and kept until the scope closes: results come back without a failure for want of
  ///         it, and nothing has to be waited for before.
  template <class Result, Role role, class View>
  typename Result::type admit(char const* operation, View const& array, std::source_location where) {
    auto mine = checked(operation, array, role != Role::in, where);
    m_arrays.reserve(m_arrays.size() + 1);
    if constexpr (Result::alias) {
      m_arrays.push_back(std::move(mine));
      return array;
    } else {
      m_steps.reserve(m_steps.size() + 2);
      auto const counterpart =
          allocate_like<typename Result::mutable_type>(m_exec, "pantile::TransferScope(" + array.label() + ")", array);
      // The way back is a step only once nothing can fail any more: the array would get what never came in.
      std::function<void()> back;
      if constexpr (role != Role::in) {
        back = [array, counterpart, route = prepare(array, counterpart)] { route.run(); };
      }
      if constexpr (role != Role::out) {
        auto const route = prepare(counterpart, array);
        m_steps.emplace_back([array, counterpart, route] { /* keeps them until the scope closes */ });
        route.run();
      }
      if (back) m_steps.push_back(std::move(back));
      m_arrays.push_back(std::move(mine));
      return counterpart;
    }
  }

  /// The way back is enqueued behind the kernels, the rest of it too where a step fails, and all of it is waited for.
  void close() {
    if (!std::exchange(m_open, false)) return;
    std::exception_ptr failure;
    for (auto const& step : m_steps) {
      try {
        step();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    m_exec.fence("pantile::TransferScope: results are back");
    m_steps.clear();
    m_chunks.release();
    if (failure) std::rethrow_exception(failure);
  }

  [[nodiscard]] bool is_open() const { return m_open; }

 private:
  /// An array, and what errors call it.
  using Admitted = std::pair<ArrayInUse, std::string>;

  template <class View>
  Admitted checked(char const* operation, View const& array, bool written, std::source_location where) const {
    std::string const text = describe("array", array);
    Checker const check(operation, where, [&] { return text; });
    check.require(m_open, [] { return std::string("the scope is closed"); });
    auto const mine = array_in_use(check, array, written);
    for (Admitted const& other : m_arrays) {
      check.require(!mine.clashes_with(other.first), [&] {
        return "array must not overlap the scope's " + other.second + ": one of the two is written";
      });
    }
    return {mine, text};
  }

  template <class To, class From>
  RouteFor<Exec, To, From> prepare(To const& to, From const& from) {
    using Path = RouteFor<Exec, To, From>;
    Problem<typename To::value_type> const p{to_matrix(to), to_const_matrix(from)};
    Plan const plan = Path::plan(p);
    constexpr TransferOptions options;
    m_chunks.reserve(plan.chunks, options.chunk_bytes, options.keep_bytes);
    return Path(m_exec, p, plan, &m_chunks);
  }

  Exec m_exec;
  bool m_open = true;
  std::vector<Admitted> m_arrays;
  Chunks m_chunks;  ///< of all arrays
  std::vector<std::function<void()>> m_steps;
};

}  // namespace pantile::impl::transfer
