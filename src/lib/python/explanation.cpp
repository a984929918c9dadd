// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/array.hpp>
#include <python/explanation.hpp>

namespace pantile::python {

nanobind::object explained(Call const& call, std::initializer_list<Array const*> arrays,
                           std::function<pantile_status(pantile_exec*, pantile_explanation*)> const& ask) {
  std::string words(4096, ' ');
  pantile_explanation answer{};
  do {
    if (answer.length > 0) words.resize(answer.length + 1);
    answer.size = sizeof answer;
    answer.text = words.data();
    answer.capacity = words.size();
    call.run(arrays, [&](pantile_exec* exec) { return ask(exec, &answer); });
  } while (answer.length >= words.size());
  words.resize(answer.length);
  return nanobind::cast(Explanation{words, answer.workspace_bytes, answer.flops, answer.bytes});
}

}  // namespace pantile::python
