// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/explanation.hpp>
#include <c/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace pantile::c {
namespace {

void write(pantile_explanation* explanation, std::string const& text, std::size_t workspace, double flops,
           double bytes) {
  pantile_explanation answer = read("explanation", explanation);
  if (answer.capacity > 0) {
    std::size_t const fits = std::min(text.size(), answer.capacity - 1);
    std::memcpy(answer.text, text.data(), fits);
    answer.text[fits] = '\0';
  }
  answer.length = text.size();
  answer.workspace_bytes = workspace;
  answer.flops = flops;
  answer.bytes = bytes;
  std::memcpy(explanation, &answer, std::min(answer.size, sizeof answer));
}

}  // namespace

void check(pantile_explanation const* explanation) {
  require(explanation != nullptr, [] { return std::string("explanation must not be NULL"); });
  pantile_explanation const known = read("explanation", explanation);
  require(known.text != nullptr || known.capacity == 0,
          [] { return std::string("explanation.text must not be NULL where it has a capacity"); });
}

void give(pantile_explanation* explanation, Explanation const& answer) {
  write(explanation, to_string(answer), answer.workspace_bytes, answer.flops, answer.bytes);
}

void give(pantile_explanation* explanation, TransferReport const& answer) {
  write(explanation, to_string(answer), 0, 0, static_cast<double>(answer.bytes));
}

}  // namespace pantile::c
