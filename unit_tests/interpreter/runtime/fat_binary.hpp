// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What nvcc leaves in a program: PTX and machine code for several architectures, often compressed.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pantile_interpreter::runtime {

/// One part of a fat binary.
struct Image {
  enum class Kind { ptx, machine_code };
  Kind kind;
  int architecture;  // 90: compute_90 or sm_90
  std::string bytes;
};

/// \brief   The parts, decompressed.
/// \param wrapper  what a program hands to __cudaRegisterFatBinary
/// \throws std::runtime_error  for what is no fat binary, is damaged, or is compressed by zstd (build with
/// --no-compress)
std::vector<Image> images_of(void const* wrapper);

/// The same for the bytes from the header on.
std::vector<Image> images_in(std::span<unsigned char const> bytes);

/// The PTX of the highest architecture that is not above that of the device, or nullptr.
Image const* choose_ptx(std::vector<Image> const& images, int architecture);

/// The machine code for just this architecture, or nullptr.
Image const* choose_machine_code(std::vector<Image> const& images, int architecture);

}  // namespace pantile_interpreter::runtime
