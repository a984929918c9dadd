// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a cubin (an ELF file of NVIDIA's machine code) says of its kernels. The code itself is not executed.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace pantile_interpreter::runtime {

struct KernelResources {
  int registers = 0;      // of each thread
  std::size_t local = 0;  // bytes of each thread: the stack and what was spilt
};

/// \brief   Resources by the kernels' mangled names.
/// \throws std::runtime_error  where the bytes are no ELF file for 64 bits, or end too early
std::map<std::string, KernelResources, std::less<>> resources_in(std::string_view cubin);

}  // namespace pantile_interpreter::runtime
