// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/counts.hpp>

#include <cstdint>
#include <fstream>

namespace pantile_interpreter::runtime {

namespace {

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    // JSON has no line ends in strings; the text of an instruction may.
    result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return result + '"';
}

std::string list_of(InstructionCount const& count) {
  std::string result = "[" + quoted(count.text) + ", " + std::to_string(count.line);
  for (std::uint64_t const number :
       {count.warps, count.lanes, count.shared.units, count.shared.ideal, count.global.units, count.global.ideal}) {
    result += ", " + std::to_string(number);
  }
  return result + "]";
}

}  // namespace

std::string lines_of_counts(std::map<std::string, std::vector<InstructionCount>> const& kernels,
                            std::vector<std::string> const& arguments) {
  std::string said;
  for (std::string const& argument : arguments) said += (said.empty() ? "" : ", ") + quoted(argument);
  std::string lines;
  for (auto const& [name, counts] : kernels) {
    std::string instructions;
    for (InstructionCount const& count : counts) {
      if (count.warps > 0) instructions += (instructions.empty() ? "" : ", ") + list_of(count);
    }
    lines +=
        "{\"kernel\": " + quoted(name) + ", \"arguments\": [" + said + "], \"instructions\": [" + instructions + "]}\n";
  }
  return lines;
}

std::vector<std::string> arguments_of_process() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

}  // namespace pantile_interpreter::runtime
