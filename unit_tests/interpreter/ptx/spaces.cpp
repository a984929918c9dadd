// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/spaces.hpp>

namespace pantile_interpreter::ptx {

namespace {

char const* name_of(Space space) {
  switch (space) {
    case Space::shared: return "shared memory";
    case Space::local: return "local memory";
    case Space::parameter: return "the parameters";
    case Space::constant: return "constant memory";
    default: return "global memory";
  }
}

}  // namespace

std::string named(Touch touch, std::uint64_t address, std::size_t bytes, char const* space) {
  std::string const what = touch == Touch::read ? "reads " : touch == Touch::write ? "writes " : "changes ";
  return "it " + what + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " of " + space + " at " +
         hexadecimal(address);
}

void tell(Warp& warp, Instruction const& instruction, Place const& place, Touch touch, std::size_t bytes,
          SharedMemory::Problem problem) {
  std::string const what = named(touch, place.address, bytes, "shared memory");
  switch (problem) {
    case SharedMemory::Problem::uninitialised:
      if (warp.cta->options->uninitialised) warp.fault(instruction, place.lane, what + ", which nobody has written");
      return;
    case SharedMemory::Problem::copy_under_way:
      warp.fault(instruction, place.lane, what + ", which an asynchronous copy may write at this time");
    case SharedMemory::Problem::race:
      warp.race(instruction, place.lane, what + ", as does " + warp.cta->shared.other() + " with no barrier between");
      return;
    case SharedMemory::Problem::none: return;
  }
}

unsigned char* own_bytes(Warp& warp, Instruction const& instruction, Place const& place, Touch touch,
                         std::size_t bytes) {
  if (place.space == Space::parameter) {
    auto const& parameters = warp.cta->launch->parameters;
    if (touch == Touch::read && place.address <= parameters.size() && bytes <= parameters.size() - place.address) {
      return const_cast<unsigned char*>(parameters.data()) + place.address;  // for reads alone
    }
    refuse(warp, instruction, place, touch, bytes);
  }
  std::size_t const size = warp.cta->code->local_bytes;
  if (place.address > size || bytes > size - place.address) refuse(warp, instruction, place, touch, bytes);
  return warp.local.data() + size * place.lane + place.address;
}

void refuse(Warp& warp, Instruction const& instruction, Place const& place, Touch touch, std::size_t bytes) {
  std::string const what = named(touch, place.address, bytes, name_of(place.space));
  if (place.address % bytes != 0) {
    warp.fault(instruction, place.lane, what + ", which must be a multiple of " + std::to_string(bytes));
  }
  switch (place.space) {
    case Space::shared:
      warp.fault(instruction, place.lane, what + ", of which its CTA has " + std::to_string(warp.cta->shared.size()));
    case Space::local:
      warp.fault(instruction, place.lane, what + ", of which it has " + std::to_string(warp.cta->code->local_bytes));
    case Space::parameter:
      warp.fault(instruction, place.lane,
                 what + ", of which there are " + std::to_string(warp.cta->launch->parameters.size()) + ", to be read");
    default: warp.fault(instruction, place.lane, what + ": " + warp.cta->memory->why(place.address, bytes));
  }
}

void global_race(Warp& warp, Instruction const& instruction, Place const& place, Touch touch, std::size_t bytes) {
  warp.race(instruction, place.lane,
            named(touch, place.address, bytes, "global memory") + ", as does " + warp.cta->global_races->other());
}

}  // namespace pantile_interpreter::ptx
