// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Makes one allocation of the program fail, by malloc and its kin and so by operator new and by Kokkos. For
///        programs that are linked with failing_allocation.cpp, on glibc.

#include <limits>

namespace pantile::testing {

/// \brief  While it stands, the allocation number `nth` (from 0) of all threads and libraries, or `every` one, returns
///         no memory. One at a time. The OpenMP run-time library's own are not counted: it ends the program where it
///         finds none.
class FailingAllocation {
 public:
  static constexpr long every = std::numeric_limits<long>::min();

  explicit FailingAllocation(long nth);
  ~FailingAllocation();
  FailingAllocation(FailingAllocation const&) = delete;
  FailingAllocation& operator=(FailingAllocation const&) = delete;

  /// Has an allocation failed?
  [[nodiscard]] static bool happened();
  /// Allocations that were counted so far; call before one fails.
  [[nodiscard]] long seen() const;

 private:
  long m_nth;
};

}  // namespace pantile::testing
