// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  AMD GPUs.

#include <pantile/impl/arch/device_traits.hpp>

namespace pantile::impl::arch {

struct Hip : DeviceTraits {};

}  // namespace pantile::impl::arch
