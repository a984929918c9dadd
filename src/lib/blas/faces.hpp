// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The public C header with its functions visible: everything else in the shared library is hidden.

#pragma GCC visibility push(default)
#include <pantile/c/blas.h>
#pragma GCC visibility pop
