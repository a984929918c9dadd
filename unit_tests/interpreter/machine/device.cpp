// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/device.hpp>

#include <interpreter/machine/fault.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace pantile_interpreter {

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

namespace {

bool choice(char const* variable, char const* yes, char const* no, bool otherwise) {
  char const* const text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  if (std::string_view(text) == yes) return true;
  if (std::string_view(text) == no) return false;
  throw Fault(std::string(variable) + " is '" + text + "': it must be " + yes + " or " + no);
}

std::uint64_t number(char const* variable) {
  char const* const text = std::getenv(variable);
  if (text == nullptr) return 0;
  std::uint64_t value = 0;
  char const* const end = text + std::strlen(text);
  auto const [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || stop == text) {
    throw Fault(std::string(variable) + " is '" + text + "': it must be a number");
  }
  return value;
}

}  // namespace

Options Options::from_environment() {
  Options options;
  options.seed = number("PANTILE_INTERPRETER_SEED");
  options.most_ctas = number("PANTILE_INTERPRETER_MOST_CTAS");
  options.early_copies = choice("PANTILE_INTERPRETER_COPIES", "early", "late", options.early_copies);
  options.races = choice("PANTILE_INTERPRETER_RACES", "on", "off", options.races);
  options.uninitialised = choice("PANTILE_INTERPRETER_UNINITIALISED", "on", "off", options.uninitialised);
  options.traffic = choice("PANTILE_INTERPRETER_TRAFFIC", "on", "off", options.traffic);
  options.host_reaches_memory = choice("PANTILE_INTERPRETER_HOST", "reaches", "faults", options.host_reaches_memory);
  options.races_are_faults = choice("PANTILE_INTERPRETER_STOP_AT_RACE", "on", "off", options.races_are_faults);
  return options;
}

std::string const& races_left_out() {
  static std::string const name = [] {
    char const* const text = std::getenv("PANTILE_INTERPRETER_RACES_LEFT_OUT");
    return std::string(text == nullptr ? "" : text);
  }();
  return name;
}

namespace {

/// Does the environment let this kernel run with fewer CTAs than it was launched with?
bool strides(std::string const& kernel) {
  static char const* const part = std::getenv("PANTILE_INTERPRETER_MOST_CTAS_OF");
  return part == nullptr || kernel.find(part) != std::string::npos;
}

}  // namespace

void Device::run(Kernel const& kernel, Dim3 grid, Dim3 block, std::size_t dynamic_shared,
                 void const* const* arguments) {
  std::uint64_t const most = options().most_ctas;
  if (most > 0 && strides(kernel.name())) grid.x = static_cast<decltype(grid.x)>(std::min<std::uint64_t>(grid.x, most));
  Launch launch{this, grid, block, dynamic_shared, {}};
  std::size_t index = 0;
  for (Parameter const& parameter : kernel.parameters()) {
    launch.parameters.resize(std::max(launch.parameters.size(), parameter.offset + parameter.bytes));
    std::memcpy(launch.parameters.data() + parameter.offset, arguments[index++], parameter.bytes);
  }
  ++m_counters.launches;
  kernel.execute(launch);
}

}  // namespace pantile_interpreter
