// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  pantile::Error, the exception for preconditions that do not hold.

#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

namespace pantile {

/// \brief  A precondition of a Pantile operation does not hold. Nothing was launched, nothing was written.
///
/// `what()` is one line: the operation, the rule that is broken, every operand with its label, extents and strides,
/// and the source location of the call. Checks take O(1) time unless a docstring says otherwise, in release builds too.
class Error : public std::invalid_argument {
 public:
  [[gnu::cold]] Error(std::string operation, std::string rule, std::string const& operands, std::source_location where)
      : std::invalid_argument("pantile::" + operation + ": " + rule + (operands.empty() ? "" : "; " + operands) +
                              " [called from " + where.file_name() + ":" + std::to_string(where.line()) + "]"),
        m_operation(std::move(operation)),
        m_rule(std::move(rule)),
        m_where(where) {}

  /// The same error under the name of another operation, which called the one that threw it.
  Error(std::string operation, Error const& refusal)
      : std::invalid_argument("pantile::" + operation +
                              std::string(refusal.what()).substr(sizeof "pantile::" - 1 + refusal.m_operation.size())),
        m_operation(std::move(operation)),
        m_rule(refusal.m_rule),
        m_where(refusal.m_where) {}

  /// Name of the operation that threw, such as "matmul".
  [[nodiscard]] std::string const& operation() const noexcept { return m_operation; }
  /// The broken rule with its numbers, without the operands.
  [[nodiscard]] std::string const& rule() const noexcept { return m_rule; }
  /// The caller's source location.
  [[nodiscard]] std::source_location where() const noexcept { return m_where; }

 private:
  std::string m_operation;
  std::string m_rule;
  std::source_location m_where;
};

}  // namespace pantile
