// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Does a library use the threads that it is told to use?

#include <functional>
#include <string>

namespace pantile::perf {

/// ", 2 threads are 1.9 x one": best of some products of 768 x 768 doubles; empty where there is one thread.
/// `set_threads` is left at all threads.
std::string thread_speedup(std::function<void(int)> const& set_threads,
                           std::function<void(double const* a, double const* b, double* c, int n)> const& multiply);

}  // namespace pantile::perf
