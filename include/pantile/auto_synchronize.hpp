// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A guard that fences an execution-space instance at the end of its scope.

#include <pantile/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <utility>

namespace pantile {

/// \brief  Fences the instance when the guard's scope is left, also by an exception.
///         Source: Numba CUDA user guide, `with stream.auto_synchronize()`.
///
/// \code
///   {
///     pantile::AutoSynchronize const synchronised(exec);
///     pantile::matmul(exec, 1.0, A, B, 0.0, C);
///   }  // C can be read here
/// \endcode
///
/// The destructor never throws: an error that the backend reports at its fence is reported again by the next fence.
/// Call `synchronize()` to get it here.
template <ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class [[nodiscard]] AutoSynchronize {
 public:
  /// \param label  name of the fence, for tools
  explicit AutoSynchronize(Exec const& exec = Exec{}, std::string label = "pantile::AutoSynchronize")
      : m_exec(exec), m_label(std::move(label)) {}
  AutoSynchronize(AutoSynchronize const&) = delete;
  AutoSynchronize& operator=(AutoSynchronize const&) = delete;
  ~AutoSynchronize() {
    try {
      synchronize();
    } catch (...) {  // a destructor must not throw
    }
  }

  /// The guarded instance.
  [[nodiscard]] Exec const& exec() const { return m_exec; }

  /// Fences now; the destructor fences again.
  void synchronize() const { m_exec.fence(m_label); }

 private:
  Exec m_exec;
  std::string m_label;
};

}  // namespace pantile
