// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Everything that Pantile offers to host code and, from team/, to users' own kernels. Including single faces
///        compiles faster.

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
#include <pantile/team/reverse.hpp>
#include <pantile/team/scratch_tile.hpp>
#include <pantile/team/thread_matmul.hpp>
#include <pantile/team/transpose.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transfer_scope.hpp>
#include <pantile/transpose.hpp>
#include <pantile/version.hpp>
