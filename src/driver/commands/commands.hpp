// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The subcommands: read, compute, check, write, tell. They throw; main turns exceptions into exit statuses.

#include "arguments.hpp"
#include "session.hpp"

namespace pantile::driver {

void run_command(MatmulArguments const& arguments, Session& session);
void run_command(TransposeArguments const& arguments, Session& session);
void run_command(AddArguments const& arguments, Session& session);
void run_command(HistogramArguments const& arguments, Session& session);
void run_command(LadderArguments const& arguments, Session& session);
void run_command(InfoArguments const& arguments, Session& session);

}  // namespace pantile::driver
