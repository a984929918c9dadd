// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace pantile::driver {

/// Whether what the system may put on a disk for swapping counts as memory.
enum class Swap : bool { left_out, counts };

/// Bytes that this process may still take: what the system calls available, or less where a limit of its cgroup (both
/// versions), of one above it, or of its address space (ulimit -v) leaves less. Of a cgroup the cache of files that it
/// may drop counts as free. 2^63 - 1 where nothing says anything. `root` is where /proc and /sys are looked for.
std::uint64_t available_memory(std::filesystem::path const& root = "/", Swap swap = Swap::left_out);

/// Bytes for operands, result or tiles: half of what is free on the host, or on the device where one computes and has
/// less.
std::uint64_t tile_budget(std::uint64_t host, std::optional<std::uint64_t> device);

/// "64 MiB", "1.5 GiB": of three digits at most, in powers of 1024.
std::string format_bytes(std::uint64_t bytes);

}  // namespace pantile::driver
