// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Either all ranks throw or none: an error found on one rank is communicated to all before work begins.

#include <pantile/error.hpp>
#include <pantile/mpi/distribution.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace pantile::impl::mpi {

/// Not collective: MPI is initialised and not finalised. Without it there is nobody to agree with.
void require_running(char const* operation, std::source_location where);

/// \brief  Collects this rank's first broken rule, and what must be equal on every rank; settle() asks the others.
class Agreement {
 public:
  Agreement(std::string operation, std::source_location where) : m_operation(std::move(operation)), m_where(where) {
    mix(m_operation.data(), m_operation.size());
  }

  /// rule() is the sentence, with its numbers.
  template <class Rule>
  void require(bool holds, Rule const& rule) {
    if (!holds && m_rule.empty()) m_rule = rule();
  }
  /// Allocations and copies, unless a rule is broken already; their exception is one.
  template <class Work>
  void attempt(Work const& work) {
    if (!m_rule.empty()) return;
    try {
      work();
    } catch (Error const& error) {
      m_rule = error.rule();
    } catch (std::exception const& error) {
      m_rule = error.what();
    }
  }

  /// What must be the same on every rank. Numbers by their bits.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void same(T const& value) {
    mix(&value, sizeof value);
  }
  void same(pantile::mpi::Distribution const& distribution);

  /// \brief  Collective. Throws one and the same Error on every rank: the broken rule of the lowest rank that has one,
  ///         with the text that its operands() gives; or that their arguments differ. One reduction of 24 bytes.
  template <class Operands>
  void settle(MPI_Comm communicator, Operands const& operands) const {
    settle_texts(communicator, m_rule.empty() ? std::string() : operands());
  }

  /// Not collective: for what all ranks know who are in the call, and what must hold before they can ask each other.
  void require_one_communicator(pantile::mpi::Distribution const& first,
                                pantile::mpi::Distribution const& second) const;

 private:
  void mix(void const* data, std::size_t bytes);
  void settle_texts(MPI_Comm communicator, std::string operands) const;

  std::string m_operation;
  std::source_location m_where;
  std::string m_rule;
  std::uint64_t m_digest = 0xcbf29ce484222325u;
};

}  // namespace pantile::impl::mpi
