// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  allocations [CALL]: each allocation of a call fails once, at calls later than the first of their kind and,
///        each in a process of its own, at the first; and there all of them fail. All calls complete, and later ones
///        too.

#include <blas/routines.hpp>

#include <support/failing_allocation.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace pantile::testing;
using namespace pantile::testing::blas;

/// Operands of one call, its result as it must be, and the result's memory.
template <class T>
struct Product {
  int m, n, k, trans_a, trans_b;
  Operand<T> a, b, before, expected;

  Product(int m_, int n_, int k_, int trans_a_ = CblasNoTrans, int trans_b_ = CblasTrans)
      : m(m_),
        n(n_),
        k(k_),
        trans_a(trans_a_),
        trans_b(trans_b_),
        a(CblasColMajor, transposes(trans_a) ? k : m, transposes(trans_a) ? m : k, 1, 1),
        b(CblasColMajor, transposes(trans_b) ? n : k, transposes(trans_b) ? k : n, 0, 2),
        before(CblasColMajor, m, n, 2, 3),
        expected(before) {
    oracle_gemm(trans_a, trans_b, k, T(2), a, b, T(-1), expected);
  }
  bool completes(long failing) const {
    Operand<T> c = before;
    {
      FailingAllocation const fails(failing);
      cblas_gemm(CblasColMajor, trans_a, trans_b, m, n, k, T(2), a.memory.data(), a.ld, b.memory.data(), b.ld, T(-1),
                 c.memory.data(), c.ld);
    }
    return c.memory == expected.memory;
  }
};

/// alpha op(A), into a second matrix or in place with another distance between columns.
template <class T>
struct Copy {
  int rows, cols, trans;
  bool in_place;
  Operand<T> a, before, expected;

  Copy(int rows_, int cols_, int trans_, bool in_place_, int gap)
      : rows(rows_),
        cols(cols_),
        trans(trans_),
        in_place(in_place_),
        a(CblasColMajor, rows, cols, 0, 1),
        before(CblasColMajor, transposes(trans) ? cols : rows, transposes(trans) ? rows : cols, gap, 2),
        expected(before) {
    if (in_place) {
      before.memory.resize(std::max(a.memory.size(), before.memory.size()));
      std::copy(a.memory.begin(), a.memory.end(), before.memory.begin());
      expected = before;
    }
    for (int j = 0; j < before.cols; ++j) {
      for (int i = 0; i < before.rows; ++i) expected(i, j) = T(3) * operated(a, trans, i, j);
    }
  }
  bool completes(long failing) const {
    Operand<T> result = before;
    {
      FailingAllocation const fails(failing);
      if (in_place) {
        cblas_imatcopy(CblasColMajor, trans, rows, cols, T(3), result.memory.data(), a.ld, result.ld);
      } else {
        cblas_omatcopy(CblasColMajor, trans, rows, cols, T(3), a.memory.data(), a.ld, result.memory.data(), result.ld);
      }
    }
    return result.memory == expected.memory;
  }
};

struct Call {
  char const* name;
  bool cold;  ///< ask for first calls too, which take a process for each allocation
  bool (*completes)(long failing);
};
constexpr std::array calls{
    Call{"small", false,
         [](long n) {
           static Product<double> const call(40, 30, 50);
           return call.completes(n);
         }},
    Call{"pooled", false,
         [](long n) {
           static Product<float> const call(70, 50, 60);
           return call.completes(n);
         }},
    Call{"team", true,
         [](long n) {
           static Product<double> const call(260, 250, 270);
           return call.completes(n);
         }},
    Call{"complex", false,
         [](long n) {
           static Product<Cd> const call(120, 130, 110);
           return call.completes(n);
         }},
    Call{"skinny", false,
         [](long n) {
           static Product<double> const call(3, 3000, 200);
           return call.completes(n);
         }},
    // A^T B of long columns: the deepest panel that is packed at once.
    Call{"deep", false,
         [](long n) {
           static Product<double> const call(40, 100, 1792, CblasTrans, CblasNoTrans);
           return call.completes(n);
         }},
    Call{"copy", false,
         [](long n) {
           static Copy<double> const call(300, 280, CblasTrans, false, 3);
           return call.completes(n);
         }},
    Call{"conjugated", false,
         [](long n) {
           static Copy<Cf> const call(300, 280, CblasConjTrans, false, 3);
           return call.completes(n);
         }},
    Call{"square", true,
         [](long n) {
           static Copy<Cd> const call(270, 270, CblasConjTrans, true, 0);
           return call.completes(n);
         }},
    Call{"rectangle", false,
         [](long n) {
           static Copy<float> const call(120, 70, CblasTrans, true, 0);
           return call.completes(n);
         }},
    Call{"wider", false,
         [](long n) {
           static Copy<double> const call(60, 50, CblasNoTrans, true, 7);
           return call.completes(n);
         }},
    Call{"conjugate_transposed", false,
         [](long n) {
           static Copy<Cf> const call(33, 50, CblasConjTrans, true, 5);
           return call.completes(n);
         }},
};

constexpr long none = 1 << 30;

/// One allocation after the other in this process, until a call needs no more. \return how many failed, -1 for a
/// failure
long fails_warm(Call const& call) {
  if (!call.completes(none) || !call.completes(none)) return -1;
  for (long n = 0;; ++n) {
    bool const complete = call.completes(n), failed = FailingAllocation::happened();
    if (!complete || !call.completes(none)) return -1;
    if (!failed) return n;
  }
}

/// The first call of a process, where that allocation fails. \return as first_call
int in_a_process(Call const& call, long n) {
  pid_t const child = fork();
  if (child == 0) {
    std::string const number = std::to_string(n);
    execl("/proc/self/exe", "allocations", call.name, number.c_str(), nullptr);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  int const code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != 0 && code != 3) {
    std::string const which = n == FailingAllocation::every ? "every allocation" : "allocation " + std::to_string(n);
    std::printf("%s: the first call ended with %d where %s failed\n", call.name, code, which.c_str());
  }
  return code;
}

/// The same for the first call of a process. \return as above
long fails_cold(Call const& call) {
  for (long n = 0;; ++n) {
    int const code = in_a_process(call, n);
    if (code == 3) return n;
    if (code != 0) return -1;
  }
}

/// Whether it completes where there is no memory at all.
bool completes_on_the_stack(Call const& call) {
  int const code = in_a_process(call, FailingAllocation::every);
  return code == 0 || code == 3;
}

/// In a process of its own: 0, or 3 where no allocation was left to fail.
int first_call(Call const& call, long n) {
  alarm(60);
  bool const complete = call.completes(n), failed = FailingAllocation::happened();
  bool const others = std::all_of(calls.begin(), calls.end(), [](Call const& other) { return other.completes(none); });
  return !complete ? 1 : !others ? 2 : failed ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  auto const named = [&](Call const& call) { return argc < 2 || std::string_view(argv[1]) == call.name; };
  if (argc > 2) return first_call(*std::find_if(calls.begin(), calls.end(), named), std::strtol(argv[2], nullptr, 10));
  long failures = 0, failed = 0;
  for (Call const& call : calls) {
    if (!named(call)) continue;
    long const cold = call.cold ? fails_cold(call) : 0, warm = fails_warm(call);
    std::printf("%-10s %3ld allocations failed at a later call, %3ld at a first one\n", call.name, warm, cold);
    failures += cold < 0 || warm < 0 || !completes_on_the_stack(call) ? 1 : 0;
    failed += std::max(cold, 0L) + std::max(warm, 0L);
  }
  return failures == 0 && failed > 0 ? 0 : 1;
}
