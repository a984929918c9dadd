// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Explanations into the caller's structure.

#include <c/status.hpp>

#include <pantile/explain.hpp>
#include <pantile/transfer_report.hpp>

namespace pantile::c {

/// Throws where the structure cannot take an answer.
void check(pantile_explanation const* explanation);

void give(pantile_explanation* explanation, Explanation const& answer);
void give(pantile_explanation* explanation, TransferReport const& answer);

}  // namespace pantile::c
