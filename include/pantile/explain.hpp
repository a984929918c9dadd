// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a call would do, and why: the result of the functions in `pantile::explain`.

#include <pantile/policy.hpp>

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>

namespace pantile {

/// \brief  The plan of one call, chosen by the same pure function as in the call itself. Nothing is launched.
///
/// Write `explain::` in front of a call to get it: `std::cout << pantile::explain::matmul(exec, 1.0, A, B, 0.0, C)`.
struct Explanation {
  std::string operation;            ///< "matmul"
  std::string algorithm;            ///< the algorithm that runs, by its name in the options; never automatic
  std::string path;                 ///< label of the kernel: "pantile::matmul[tiled,openmp,double]"
  std::string reason;               ///< why this algorithm, in one sentence
  std::string accumulator;          ///< type in which sums are formed, empty where there are none
  std::string tile;                 ///< tile edges, "-" where there are none
  std::string instruction_set;      ///< of the host's micro-kernels: "avx512"; empty where none run
  std::size_t league_size = 0;      ///< number of teams, or of threads where there are no teams
  int team_size = 1;                ///< threads per team
  std::size_t scratch_bytes = 0;    ///< team scratch per team
  int scratch_level = 0;            ///< Kokkos level of that scratch
  std::size_t workspace_bytes = 0;  ///< bytes for options.workspace; on devices beside team scratch
  double flops = 0;                 ///< arithmetic operations of the call, integer ones included
  double bytes = 0;                 ///< least bytes to move: every operand element once

  /// Arithmetic intensity in operations per byte.
  [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

inline std::ostream& operator<<(std::ostream& out, Explanation const& e) {
  return out << e.path << "\n  algorithm  " << e.algorithm << " - " << e.reason
             << (e.accumulator.empty() ? "" : "\n  sums       ") << e.accumulator << "\n  tile       " << e.tile
             << (e.instruction_set.empty() ? "" : "\n  kernels    ") << e.instruction_set << "\n  launch     "
             << e.league_size << " x " << e.team_size << " threads\n  scratch    " << e.scratch_bytes
             << " bytes per team, level " << e.scratch_level << "\n  workspace  " << e.workspace_bytes
             << " bytes\n  work       " << e.flops << " flop, " << e.bytes << " bytes, " << e.intensity()
             << " flop/byte\n";
}

inline std::string to_string(Explanation const& explanation) {
  std::ostringstream text;
  text << explanation;
  return text.str();
}

}  // namespace pantile
