// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  PTX written by hand, executed by a warp or a CTA, and what it stored.

#include <interpreter/machine/device.hpp>
#include <interpreter/machine/fault.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile_interpreter::testing {

/// The bits of a value, as wide as it is.
template <class T>
std::uint64_t bits(T value) {
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

/// Of all programs that tests ran.
inline std::set<std::string>& tested_opcodes() {
  static std::set<std::string> all;
  return all;
}

/// A device with a program of one kernel `test`, whose two parameters are the addresses of words in and words out.
class Run {
 public:
  /// \param  variables  of the module
  explicit Run(std::string const& body, Options const& options = {}, std::string const& variables = {})
      : m_device(options) {
    m_module = load(m_device,
                    ".version 8.4\n.target sm_90\n.address_size 64\n" + variables +
                        ".visible .entry test(.param .u64 test_in, .param .u64 test_out)\n{\n" + body + "}\n",
                    "conformance");
  }

  /// Each CTA has `threads` threads. Returns as many 64-bit words as asked for, all ones where nothing was stored.
  std::vector<std::uint64_t> operator()(unsigned threads, std::vector<std::uint64_t> const& in, std::size_t words_out,
                                        unsigned ctas = 1) {
    Memory& memory = m_device.memory();
    std::uint64_t source = memory.allocate(8 * in.size() + 8), target = memory.allocate(8 * words_out);
    memory.write(source, in.data(), 8 * in.size());
    std::vector<std::uint64_t> out(words_out, ~std::uint64_t{0});
    memory.write(target, out.data(), 8 * words_out);
    void const* const arguments[] = {&source, &target};
    Kernel const& kernel = *m_module->kernel("test");
    tested_opcodes().merge(kernel.opcodes());
    m_device.run(kernel, {ctas, 1, 1}, {threads, 1, 1}, 0, arguments);
    memory.read(out.data(), target, 8 * words_out);
    memory.free(source);
    memory.free(target);
    return out;
  }

  [[nodiscard]] Counters const& counters() const { return m_device.counters(); }

 private:
  Device m_device;
  std::unique_ptr<Module> m_module;
};

/// Declarations of registers that bodies use: %p0 to %p7, %h, %r, %w for 16, 32 and 64 bits; %w0 is where in begins for
/// this thread with `stride` words for each, %w1 where its word of out is.
inline std::string prologue(unsigned stride) {
  return ".reg .pred %p<8>;\n.reg .b16 %h<16>;\n.reg .b32 %r<48>;\n.reg .b64 %w<32>;\n"
         "mov.u32 %r47, %tid.x;\nmov.u32 %r46, %ctaid.x;\nmov.u32 %r45, %ntid.x;\nmad.lo.s32 %r47, %r46, %r45, %r47;\n"
         "ld.param.u64 %w0, [test_in];\nld.param.u64 %w1, [test_out];\n"
         "mul.wide.u32 %w2, %r47, " +
         std::to_string(8 * stride) + ";\nadd.s64 %w0, %w0, %w2;\nmul.wide.u32 %w2, %r47, 8;\nadd.s64 %w1, %w1, %w2;\n";
}

/// Width of a PTX type's register: b16 for bytes too.
inline char const* register_of(unsigned bytes) { return bytes == 8 ? "w" : bytes == 4 ? "r" : "h"; }

/// \brief  What an instruction gives for each row of operands, a lane for each.
/// \param  instruction  names its result %d, its operands %a, %b, %c, and may use %p1
/// \param  widths       bytes of the result's register, then of each operand's: 2, 4 or 8
inline std::vector<std::uint64_t> evaluate(std::string instruction, std::vector<unsigned> const& widths,
                                           std::vector<std::vector<std::uint64_t>> const& rows) {
  auto const operands = static_cast<unsigned>(widths.size() - 1);
  std::string body = prologue(operands);
  std::vector<std::uint64_t> in;
  for (auto const& row : rows) in.insert(in.end(), row.begin(), row.end());
  auto const name = [](std::string& text, std::string const& from, std::string const& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  for (unsigned k = 0; k < operands; ++k) {
    unsigned const bytes = widths[k + 1];
    std::string const place = std::string("%") + register_of(bytes) + std::to_string(k + 5);
    body += "ld.global.b" + std::to_string(8 * bytes) + " " + place + ", [%w0+" + std::to_string(8 * k) + "];\n";
    name(instruction, std::string("%") + static_cast<char>('a' + k), place);
  }
  std::string const result = std::string("%") + register_of(widths[0]) + "4";
  name(instruction, "%d", result);
  body += instruction + "\nst.global.b64 [%w1], 0;\nst.global.b" + std::to_string(8 * widths[0]) + " [%w1], " + result +
          ";\nret;\n";
  return Run(body)(static_cast<unsigned>(rows.size()), in, rows.size());
}

}  // namespace pantile_interpreter::testing
