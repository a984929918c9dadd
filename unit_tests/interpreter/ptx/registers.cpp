// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of registers. PTX names thousands of which few live at once: a linear scan over the spans in which they do.
#include <interpreter/ptx/control.hpp>
#include <interpreter/ptx/decoder.hpp>

#include <algorithm>
#include <bit>
#include <set>
#include <span>

namespace pantile_interpreter::ptx {

namespace {

using Bits = std::vector<std::uint64_t>;
bool has(Bits const& bits, std::size_t k) { return (bits[k / 64] >> (k % 64) & 1) != 0; }
void add(Bits& bits, std::size_t k) { bits[k / 64] |= std::uint64_t{1} << (k % 64); }

struct Block {
  std::size_t first = 0, end = 0;
  std::vector<std::size_t> next;
  Bits used, defined, in, out;
};

std::span<std::uint16_t const> written(Instruction const& one) { return {one.operand.data(), one.destinations}; }
std::span<std::uint16_t const> read(Instruction const& one) {
  return {one.operand.data() + one.destinations, one.sources};
}

class Spans {
 public:
  Spans(Code const& code, std::size_t registers) : m_code(code), m_words((registers + 63) / 64), m_spans(registers) {
    find_blocks();
    for (Block& block : m_blocks) find_uses(block);
    propagate();
    for (Block const& block : m_blocks) widen(block);
  }

  struct Span {
    std::size_t first = ~std::size_t{0}, last = 0;
  };
  [[nodiscard]] std::vector<Span> const& spans() const { return m_spans; }

 private:
  void find_blocks() {
    auto const& code = m_code.instructions;
    std::vector<char> leads(code.size() + 1, 0);
    leads[0] = leads[code.size()] = 1;
    for (std::size_t k = 0; k < code.size(); ++k) {
      for (std::uint32_t const to : targets(m_code, code[k])) leads[to] = 1;
      if (ends_block(code[k])) leads[k + 1] = 1;
    }
    std::vector<std::size_t> block_of(code.size() + 1);
    for (std::size_t k = 0; k < code.size();) {
      std::size_t end = k + 1;
      while (leads[end] == 0) ++end;
      std::fill(block_of.begin() + static_cast<std::ptrdiff_t>(k), block_of.begin() + static_cast<std::ptrdiff_t>(end),
                m_blocks.size());
      m_blocks.push_back({k, end, {}, Bits(m_words), Bits(m_words), Bits(m_words), Bits(m_words)});
      k = end;
    }
    for (Block& block : m_blocks) {
      Instruction const& last = code[block.end - 1];
      for (std::uint32_t const to : targets(m_code, last)) block.next.push_back(block_of[to]);
      if (falls_through(last) && block.end < code.size()) block.next.push_back(block_of[block.end]);
    }
  }

  void find_uses(Block& block) const {
    for (std::size_t k = block.first; k < block.end; ++k) {
      Instruction const& one = m_code.instructions[k];
      auto const use = [&](std::size_t number) {
        if (!has(block.defined, number)) add(block.used, number);
      };
      for (auto const number : read(one)) use(number);
      for (auto const number : written(one)) {
        // Behind a guard some lanes keep the value from before.
        if (one.guard >= 0) {
          use(number);
        } else {
          add(block.defined, number);
        }
      }
    }
  }

  void propagate() {
    for (bool more = true; more;) {
      more = false;
      for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
        for (std::size_t word = 0; word < m_words; ++word) {
          std::uint64_t out = 0;
          for (std::size_t const next : block->next) out |= m_blocks[next].in[word];
          block->out[word] = out;
          std::uint64_t const in = block->used[word] | (out & ~block->defined[word]);
          more = more || in != block->in[word];
          block->in[word] = in;
        }
      }
    }
  }

  void touch(std::size_t number, std::size_t at) {
    m_spans[number].first = std::min(m_spans[number].first, at);
    m_spans[number].last = std::max(m_spans[number].last, at);
  }

  void touch_all(Bits const& bits, std::size_t at) {
    for (std::size_t word = 0; word < bits.size(); ++word) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        touch(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)), at);
      }
    }
  }

  void widen(Block const& block) {
    touch_all(block.in, block.first);
    touch_all(block.out, block.end - 1);
    for (std::size_t k = block.first; k < block.end; ++k) {
      for (auto const number : read(m_code.instructions[k])) touch(number, k);
      for (auto const number : written(m_code.instructions[k])) touch(number, k);
    }
  }

  Code const& m_code;
  std::size_t m_words;
  std::vector<Block> m_blocks;
  std::vector<Span> m_spans;
};

// Places for registers of one width, in units of that width.
class Places {
 public:
  std::size_t take(Spans::Span const& span) {
    while (!m_busy.empty() && m_busy.begin()->first < span.first) {
      m_spare.push_back(m_busy.begin()->second);
      m_busy.erase(m_busy.begin());
    }
    std::size_t place = m_count;
    if (m_spare.empty()) {
      ++m_count;
    } else {
      place = m_spare.back();
      m_spare.pop_back();
    }
    m_busy.insert({span.last, place});
    return place;
  }
  [[nodiscard]] std::size_t count() const { return m_count; }

 private:
  std::set<std::pair<std::size_t, std::size_t>> m_busy;
  std::vector<std::size_t> m_spare;
  std::size_t m_count = 0;
};

}  // namespace

void allocate_registers(Code& code, std::vector<unsigned> const& bytes) {
  Spans spans(code, bytes.size());
  auto wanted = spans.spans();
  for (FixedRegister const& fixed : code.fixed) wanted[fixed.slot] = {0, ~std::size_t{0}};
  std::vector<std::size_t> order(bytes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a].first < wanted[b].first; });
  Places wide, narrow;
  std::vector<std::size_t> place(bytes.size());
  for (std::size_t const number : order) {
    if (wanted[number].first == ~std::size_t{0}) continue;
    place[number] = bytes[number] == 8 ? wide.take(wanted[number]) : narrow.take(wanted[number]);
  }
  auto const unit = [&](std::uint16_t number) {
    return static_cast<std::uint16_t>(bytes[number] == 8 ? 2 * place[number] : 2 * wide.count() + place[number]);
  };
  for (Instruction& one : code.instructions) {
    for (unsigned k = 0; k < unsigned{one.destinations} + one.sources; ++k) one.operand[k] = unit(one.operand[k]);
  }
  for (FixedRegister& fixed : code.fixed) fixed.slot = unit(fixed.slot);
  code.register_units = 2 * wide.count() + narrow.count();
}

}  // namespace pantile_interpreter::ptx
