// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/traffic.hpp>

#include <interpreter/ptx/lanes.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace pantile_interpreter::ptx {

namespace {

constexpr unsigned banks = 32, word_bytes = 4, sector_bytes = 32;
constexpr unsigned wavefront_bytes = banks * word_bytes;

std::set<std::uint64_t> pieces(std::span<std::uint64_t const> addresses, unsigned bytes, unsigned piece) {
  std::set<std::uint64_t> found;
  for (std::uint64_t const address : addresses) {
    for (std::uint64_t k = address / piece; k <= (address + bytes - 1) / piece; ++k) found.insert(k);
  }
  return found;
}

// Of a warp whose lanes share addresses in pairs, one of each pair.
std::vector<std::uint64_t> without_pairs(std::span<std::uint64_t const> addresses) {
  for (std::size_t const step : {1U, 2U}) {
    if (addresses.size() < lanes_per_warp) break;
    std::vector<std::uint64_t> firsts;
    bool pairs = true;
    for (std::size_t lane = 0; lane < lanes_per_warp; ++lane) {
      pairs = pairs && addresses[lane] == addresses[lane ^ step];
      if ((lane & step) == 0) firsts.push_back(addresses[lane]);
    }
    if (pairs) return firsts;
  }
  return {addresses.begin(), addresses.end()};
}

void add(Traffic& sum, Traffic const& more) {
  sum.units += more.units;
  sum.ideal += more.ideal;
}

}  // namespace

Traffic shared_traffic(std::span<std::uint64_t const> all, unsigned bytes, bool loads) {
  auto const addresses = loads && bytes > word_bytes ? without_pairs(all) : std::vector(all.begin(), all.end());
  Traffic traffic;
  std::size_t const together = wavefront_bytes / std::max(bytes, word_bytes);
  for (std::size_t first = 0; first < addresses.size(); first += together) {
    auto const part = std::span(addresses).subspan(first, std::min(together, addresses.size() - first));
    std::array<unsigned, banks> wanted{};
    for (std::uint64_t const word : pieces(part, bytes, word_bytes)) ++wanted[word % banks];
    traffic.units += *std::max_element(wanted.begin(), wanted.end());
    ++traffic.ideal;
  }
  return traffic;
}

Traffic global_traffic(std::span<std::uint64_t const> addresses, unsigned bytes) {
  std::size_t const least = pieces(addresses, bytes, 1).size();
  return {pieces(addresses, bytes, sector_bytes).size(), (least + sector_bytes - 1) / sector_bytes};
}

void count_access(Warp& warp, Instruction const& instruction, Mask lanes, unsigned slot, unsigned bytes, Touch touch) {
  std::vector<std::uint64_t> shared, global;
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t const address = address_of(warp, slot, instruction.narrow, instruction.offset, lane);
    Space const space = instruction.space == Space::generic ? space_at(*warp.cta->memory, address) : instruction.space;
    if (space == Space::shared) shared.push_back(address);
    if (space == Space::global) global.push_back(address);
  });
  InstructionCount& count = (*warp.cta->traffic)[warp.at(instruction)];
  if (!shared.empty()) add(count.shared, shared_traffic(shared, bytes, touch == Touch::read));
  if (!global.empty()) add(count.global, global_traffic(global, bytes));
}

void count_shared(Warp& warp, Instruction const& instruction, std::span<std::uint64_t const> addresses,
                  unsigned bytes) {
  add((*warp.cta->traffic)[warp.at(instruction)].shared, shared_traffic(addresses, bytes, false));
}

}  // namespace pantile_interpreter::ptx
