// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a TransferScope knows of its arrays: where they are, and what brings them back.

#include <pantile/impl/transfer/call.hpp>
#include <pantile/impl/view/check.hpp>

#include <exception>
#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace pantile::impl::transfer {

/// What the kernels of a scope do with an array.
enum class Role { in, out, inout };

/// The arrays of one scope.
class Ledger {
 public:
  /// \brief  Admit an array: check it, bring it in as a Result (Arrival), and prepare its way back. All memory for both
  ///         ways is allocated here and kept until the scope closes: results come back without a failure for want of
  ///         it, and nothing has to be waited for before.
  template <class Result, Role role, class Exec, class View>
  typename Result::type admit(char const* operation, Exec const& exec, View const& array, std::source_location where) {
    Array const mine = checked(operation, array, role != Role::in, where);
    m_arrays.reserve(m_arrays.size() + 1);
    if constexpr (Result::alias) {
      m_arrays.push_back(mine);
      return array;
    } else {
      m_steps.reserve(m_steps.size() + 2);
      auto const counterpart =
          allocate_like<typename Result::mutable_type>(exec, "pantile::TransferScope(" + array.label() + ")", array);
      // The way back is a step only once nothing can fail any more: the array would get what never came in.
      std::function<void()> back;
      if constexpr (role != Role::in) {
        back = [array, counterpart, route = prepare(exec, array, counterpart)] { route.run(); };
      }
      if constexpr (role != Role::out) {
        auto const route = prepare(exec, counterpart, array);
        m_steps.emplace_back([array, counterpart, route] { /* keeps them until the scope closes */ });
        route.run();
      }
      if (back) m_steps.push_back(std::move(back));
      m_arrays.push_back(mine);
      return counterpart;
    }
  }

  /// Bring all results back, the rest too where one fails. Returns the first failure.
  [[nodiscard]] std::exception_ptr bring_back() {
    std::exception_ptr failure;
    for (auto const& step : m_steps) {
      try {
        step();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    return failure;
  }

  void close() { m_open = false; }
  void release() {
    m_steps.clear();
    m_chunks.release();
  }
  [[nodiscard]] bool is_open() const { return m_open; }

 private:
  struct Array {
    Footprint print;
    bool on_device;
    bool written;
    std::string text;  ///< for errors
  };

  template <class View>
  Array checked(char const* operation, View const& array, bool written, std::source_location where) const {
    std::string const text = describe("array", array);
    Checker const checker(operation, where, [&] { return text; });
    checker.require(m_open, [] { return std::string("the scope is closed"); });
    checker.memory("array", array);
    if (written) checker.distinct("array", normalise(array));
    constexpr bool on_device = memory_kind<typename View::memory_space>() == Memory::device;
    Array const mine{footprint(normalise(array)), on_device, written, text};
    for (Array const& other : m_arrays) {
      bool const clash =
          (written || other.written) && mine.on_device == other.on_device && share_memory(mine.print, other.print);
      checker.require(
          !clash, [&] { return "array must not overlap the scope's " + other.text + ": one of the two is written"; });
    }
    return mine;
  }

  template <class Exec, class To, class From>
  RouteFor<Exec, To, From> prepare(Exec const& exec, To const& to, From const& from) {
    using Path = RouteFor<Exec, To, From>;
    Problem<typename To::value_type> const p{normalise(to), normalise(typename From::const_type(from))};
    Plan const plan = Path::plan(p);
    constexpr TransferOptions options;
    m_chunks.reserve(plan.chunks, options.chunk_bytes, options.keep_bytes);
    return Path(exec, p, plan, &m_chunks);
  }

  bool m_open = true;
  std::vector<Array> m_arrays;
  Chunks m_chunks;  ///< of all arrays
  std::vector<std::function<void()>> m_steps;
};

}  // namespace pantile::impl::transfer
