// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Arrays on a device for the time of a scope: copied in where they are registered, back where it closes.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/transfer.hpp>

#include <pantile/impl/transfer/scope.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

namespace pantile {

/// \brief  Gives device Views for host Views, by role (in, out, inout), and copies the results back when it closes.
///         Source: Numba ROC examples, `with roc.register(A, B, C)`.
///
/// \code
///   {
///     pantile::TransferScope scope(exec);
///     auto const dA = scope.in(A);
///     auto const dB = scope.in(B);
///     auto const dC = scope.out(C);
///     pantile::matmul(exec, 1.0, dA, dB, 0.0, dC);
///   }  // C has the result; exec is fenced
/// \endcode
///
/// Where the arrays are in exec's memory, as on host backends, the Views are the arrays themselves and nothing is
/// copied (`explain::to_device` says so). Elsewhere each array has a View on the device until the scope closes, and is
/// copied as by `copy` both ways.
///
/// \par Closing      at the latest in the destructor: copies out and inout arrays back, fences exec, frees memory. Also
///                   when the scope is left by an exception: out and inout arrays then have the results of all kernels
///                   enqueued before it; elements of an out array that none of them writes are unspecified. If copying
///                   one array back fails, part of it may be copied; the others are copied in full. The destructor
///                   never throws: call `close()` to get errors of the backend.
/// \par Asynchrony   in, out and inout enqueue on exec as `copy` does, but do not fence for staging memory. Do not
///                   access the arrays themselves until the scope is closed.
/// \par Allocation   device Views and staging memory, when an array is registered; none where nothing is copied
/// \par Errors       pantile::Error when an array is null, the scope is closed, a written array overlaps itself, or the
///                   array overlaps another array of the scope and one of the two is written
template <ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class [[nodiscard]] TransferScope {
 public:
  explicit TransferScope(Exec const& exec = Exec{}) : m_scope(exec) {}

  /// The array's elements, read-only.
  template <TransferView View>
  [[nodiscard]] auto in(View const& array, std::source_location where = std::source_location::current()) {
    using Result = impl::transfer::Input<Exec, View>;
    return m_scope.template admit<Result, impl::transfer::Role::in>("TransferScope::in", array, where);
  }

  /// A View of unspecified content, all elements of which the kernels write; copied to the array when the scope closes.
  template <TransferView View>
  [[nodiscard]] auto out(View const& array, std::source_location where = std::source_location::current()) {
    static_assert(Mutable<View>, "pantile::TransferScope::out: the array's elements must not be const");
    using Result = impl::transfer::Output<Exec, View>;
    return m_scope.template admit<Result, impl::transfer::Role::out>("TransferScope::out", array, where);
  }

  /// The array's elements, to be read and written; copied back when the scope closes.
  template <TransferView View>
  [[nodiscard]] auto inout(View const& array, std::source_location where = std::source_location::current()) {
    static_assert(Mutable<View>, "pantile::TransferScope::inout: the array's elements must not be const");
    using Result = impl::transfer::Output<Exec, View>;
    return m_scope.template admit<Result, impl::transfer::Role::inout>("TransferScope::inout", array, where);
  }

  /// \brief  Copies the results back and fences exec; later calls do nothing. The scope's Views must not be used
  ///         afterwards.
  /// \throws what the backend throws; the other results are copied back first
  void close() { m_scope.close(); }

  [[nodiscard]] bool is_open() const { return m_scope.is_open(); }

 private:
  impl::transfer::Scope<Exec> m_scope;
};

/// Roles for `register_arrays`, made by in, out and inout.
template <TransferView View>
struct In {
  View view;
  std::source_location where;
  template <class Scope>
  auto enter(Scope& scope) const {
    return scope.in(view, where);
  }
};
template <TransferView View>
struct Out {
  View view;
  std::source_location where;
  template <class Scope>
  auto enter(Scope& scope) const {
    return scope.out(view, where);
  }
};
template <TransferView View>
struct InOut {
  View view;
  std::source_location where;
  template <class Scope>
  auto enter(Scope& scope) const {
    return scope.inout(view, where);
  }
};
template <TransferView View>
[[nodiscard]] In<View> in(View const& view, std::source_location where = std::source_location::current()) {
  return {view, where};
}
template <TransferView View>
[[nodiscard]] Out<View> out(View const& view, std::source_location where = std::source_location::current()) {
  return {view, where};
}
template <TransferView View>
[[nodiscard]] InOut<View> inout(View const& view, std::source_location where = std::source_location::current()) {
  return {view, where};
}

/// \brief  A TransferScope with its Views, for structured bindings; closes at the end of their block.
template <ExecutionSpace Exec, class... Roles>
class [[nodiscard]] RegisteredArrays {
 public:
  using Scope = TransferScope<Exec>;
  using Views = std::tuple<decltype(std::declval<Roles const&>().enter(std::declval<Scope&>()))...>;

  explicit RegisteredArrays(Exec const& exec, Roles const&... roles)
      : m_scope(exec), m_views{roles.enter(m_scope)...} {}

  template <std::size_t I>
  [[nodiscard]] auto const& get() const {
    return std::get<I>(m_views);
  }

 private:
  Scope m_scope;
  Views m_views;
};

/// \brief  A scope in one line, with the roles in, out and inout. To close a scope before its block ends, use
///         TransferScope.
///
/// \code
///   using pantile::in, pantile::out;
///   auto const& [dA, dB, dC] = pantile::register_arrays(exec, in(A), in(B), out(C));
/// \endcode
template <ExecutionSpace Exec, class... Roles>
auto register_arrays(Exec const& exec, Roles const&... roles) {
  return RegisteredArrays<Exec, Roles...>(exec, roles...);
}

}  // namespace pantile

template <class Exec, class... Roles>
struct std::tuple_size<pantile::RegisteredArrays<Exec, Roles...>>
    : std::integral_constant<std::size_t, sizeof...(Roles)> {};
template <std::size_t I, class Exec, class... Roles>
struct std::tuple_element<I, pantile::RegisteredArrays<Exec, Roles...>> {
  using type = std::tuple_element_t<I, typename pantile::RegisteredArrays<Exec, Roles...>::Views> const;
};
