// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The life of a TransferScope: arrays come in, and however it is left, results go back before anything is
/// freed.

#include <pantile/impl/transfer/ledger.hpp>

#include <exception>
#include <source_location>

namespace pantile::impl::transfer {

/// \tparam Exec  what the ledger's transfers are enqueued on and the end waits for; tests have one that works late
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

  template <class Result, Role role, class View>
  auto admit(char const* operation, View const& array, std::source_location where) {
    return m_ledger.template admit<Result, role>(operation, m_exec, array, where);
  }

  /// The way back is enqueued behind the kernels, and all of it is waited for: an array comes back as they leave it.
  void close() {
    if (!m_ledger.is_open()) return;
    m_ledger.close();
    std::exception_ptr const failure = m_ledger.bring_back();
    m_exec.fence("pantile::TransferScope: results are back");
    m_ledger.release();
    if (failure) std::rethrow_exception(failure);
  }

  [[nodiscard]] bool is_open() const { return m_ledger.is_open(); }

 private:
  Exec m_exec;
  Ledger m_ledger;
};

}  // namespace pantile::impl::transfer
