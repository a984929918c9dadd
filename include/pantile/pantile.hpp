// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  All operations on Views, and the functions of team/ for users' own kernels. Single headers compile faster.
///        Not included: mdspan.hpp, dual_view.hpp, linalg.hpp and out_of_core.hpp.

#include <pantile/add.hpp>
#include <pantile/auto_synchronize.hpp>
#include <pantile/fill.hpp>
#include <pantile/histogram.hpp>
#include <pantile/matmul.hpp>
#include <pantile/pinned.hpp>
#include <pantile/pipeline.hpp>
#include <pantile/reverse.hpp>
#include <pantile/team/identity.hpp>
#include <pantile/team/load_store.hpp>
#include <pantile/team/loops.hpp>
#include <pantile/team/matmul.hpp>
#include <pantile/team/register_tile.hpp>
#include <pantile/team/reverse.hpp>
#include <pantile/team/scratch_tile.hpp>
#include <pantile/team/thread_matmul.hpp>
#include <pantile/team/thread_transpose.hpp>
#include <pantile/team/transpose.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transfer_scope.hpp>
#include <pantile/transpose.hpp>
#include <pantile/version.hpp>
