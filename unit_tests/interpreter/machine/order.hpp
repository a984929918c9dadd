// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  In which order warps and CTAs run, and how long a warp runs before the next: from a seed.

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace pantile_interpreter {

class Order {
 public:
  /// Seed 0 is ascending order, and warps run until they must wait.
  explicit Order(std::uint64_t seed) : m_random(seed), m_shuffled(seed != 0) {}

  /// The numbers from 0 up to `count`, each once.
  std::vector<std::uint64_t> of(std::uint64_t count) {
    std::vector<std::uint64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    shuffle(numbers);
    return numbers;
  }

  void shuffle(std::vector<std::uint64_t>& numbers) {
    if (!m_shuffled) return;
    // Not std::shuffle: the same seed shall give the same order with every library.
    for (std::size_t k = numbers.size(); k > 1; --k) std::swap(numbers[k - 1], numbers[below(k)]);
  }

  /// Instructions that a warp may take in a row.
  std::uint64_t steps() { return m_shuffled ? 1 + below(longest_shuffled) : longest; }

 private:
  static constexpr std::uint64_t longest = 200000;
  static constexpr std::uint64_t longest_shuffled = 500;

  std::uint64_t below(std::uint64_t end) { return m_random() % end; }

  std::mt19937_64 m_random;
  bool m_shuffled;
};

}  // namespace pantile_interpreter
