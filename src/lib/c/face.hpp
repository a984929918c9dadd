// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The functions of pantile/c/pantile.h, visible outside of this library.

#pragma GCC visibility push(default)
#include <pantile/c/pantile.h>
#pragma GCC visibility pop
