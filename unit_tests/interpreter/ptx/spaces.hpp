// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  One lane's access to memory of any space, with its checks: alignment, bounds, freed and uninitialised bytes,
/// races.

#include <interpreter/ptx/warp.hpp>
#include <interpreter/ptx/windows.hpp>

#include <cstdint>
#include <string>

namespace pantile_interpreter::ptx {

enum class Touch : std::uint8_t { read, write, modify };

/// What a lane touches, and how.
struct Place {
  unsigned lane = 0;
  std::uint64_t address = 0;
  Space space = Space::generic;
  bool strong = false;  // volatile, relaxed or stronger: it does not race with atomics
};

/// The addresses of the lanes: register and offset.
inline std::uint64_t address_of(Warp& warp, unsigned slot, bool narrow, std::int64_t offset, unsigned lane) {
  // An address of 32 bits wraps at their end: registers may hold what is below zero without the offset.
  if (narrow) return warp.lanes<std::uint32_t>(slot)[lane] + static_cast<std::uint32_t>(offset);
  return warp.lanes<std::uint64_t>(slot)[lane] + static_cast<std::uint64_t>(offset);
}

std::string named(Touch touch, std::uint64_t address, std::size_t bytes, char const* space);

/// Tells what SharedMemory found.
void tell(Warp& warp, Instruction const& instruction, Place const& place, Touch touch, std::size_t bytes,
          SharedMemory::Problem problem);

/// Memory of a thread itself: local variables and the kernel's parameters.
unsigned char* own_bytes(Warp& warp, Instruction const& instruction, Place const& place, Touch touch,
                         std::size_t bytes);

[[noreturn]] void refuse(Warp& warp, Instruction const& instruction, Place const& place, Touch touch,
                         std::size_t bytes);

void global_race(Warp& warp, Instruction const& instruction, Place const& place, Touch touch, std::size_t bytes);

/// The bytes, with all checks made; `value` is what will be written, or null.
template <unsigned bytes>
unsigned char* bytes_at(Warp& warp, Instruction const& instruction, Place place, Touch touch,
                        void const* value = nullptr) {
  Cta& cta = *warp.cta;
  if (place.space == Space::generic) {
    place.space = space_at(*cta.memory, place.address);
    place.address -= window_of(*cta.memory, place.space);
  }
  if (place.address % bytes != 0) [[unlikely]]
    refuse(warp, instruction, place, touch, bytes);
  if (place.space == Space::shared) {
    if (place.address > cta.shared.size() || bytes > cta.shared.size() - place.address) [[unlikely]]
      refuse(warp, instruction, place, touch, bytes);
    Accessor const& who = warp.accessors[place.lane];
    auto const problem = touch == Touch::read    ? cta.shared.read(place.address, bytes, who)
                         : touch == Touch::write ? cta.shared.write(place.address, bytes, who, value)
                                                 : cta.shared.modify(place.address, bytes, who);
    if (problem != SharedMemory::Problem::none) [[unlikely]]
      tell(warp, instruction, place, touch, bytes, problem);
    return cta.shared.bytes() + place.address;
  }
  if (place.space == Space::local || place.space == Space::parameter) {
    return own_bytes(warp, instruction, place, touch, bytes);
  }
  auto const kind = touch == Touch::read    ? Memory::Access::read
                    : touch == Touch::write ? Memory::Access::write
                                            : Memory::Access::modify;
  unsigned char* const found = cta.memory->access<bytes>(place.address, kind, cta.options->uninitialised);
  if (found == nullptr) [[unlikely]]
    refuse(warp, instruction, place, touch, bytes);
  if (cta.global_races != nullptr && place.space != Space::constant) {
    auto const how = touch == Touch::modify || place.strong ? GlobalRaces::Access::atomic
                     : touch == Touch::read                 ? GlobalRaces::Access::read
                                                            : GlobalRaces::Access::write;
    if (cta.global_races->access(place.address, bytes, how)) [[unlikely]]
      global_race(warp, instruction, place, touch, bytes);
  }
  return found;
}

}  // namespace pantile_interpreter::ptx
