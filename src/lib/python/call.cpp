// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/array.hpp>
#include <python/call.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace pantile::python {
namespace {

using Arrays = std::initializer_list<Array const*>;

PyObject* exception_of(pantile_status status) {
  switch (status) {
    case PANTILE_INVALID: return PyExc_ValueError;
    case PANTILE_NOT_SUPPORTED: return PyExc_TypeError;
    case PANTILE_NO_MEMORY: return PyExc_MemoryError;
    default: return PyExc_RuntimeError;
  }
}

using Names = std::vector<std::pair<std::string_view, std::string_view>>;

/// The C face's names of operands, and the function's in Python.
Names names_of(std::string_view function) {
  if (function.ends_with("transpose")) return {{"A", "a"}, {"B", "out"}};
  if (function.ends_with("histogram")) return {{"counts", "out"}};
  return {{"A", "a"}, {"B", "b"}, {"C", "out"}};
}

/// The C face's sentence without the name of its function, about the operands as the caller calls them.
std::string sentence_of_last_error(std::string_view function) {
  std::string const message = pantile_last_error_message();
  auto const is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  auto const colon = message.find(": ");
  auto at = message.begin() + static_cast<std::ptrdiff_t>(colon == std::string::npos ? 0 : colon + 2);
  Names const names = names_of(function);
  std::string sentence;
  while (at != message.end()) {
    auto const end = std::find_if_not(at, message.end(), is_letter);
    std::string_view const word(at, end);
    auto const known = std::find_if(names.begin(), names.end(), [&](auto const& pair) { return pair.first == word; });
    sentence += known == names.end() ? word : known->second;
    at = end;
    if (at != message.end()) sentence += *at++;
  }
  return sentence;
}

Array const* first_on_device(Arrays arrays) {
  auto const found = std::find_if(arrays.begin(), arrays.end(), [](Array const* array) { return array->on_device; });
  return found == arrays.end() ? nullptr : *found;
}

}  // namespace

void Call::refuse(PyObject* exception, std::string const& sentence) const {
  PyErr_SetString(exception, (m_name + ": " + sentence).c_str());
  throw nanobind::python_error();
}

void Call::raise(pantile_status status) const {
  if (status != PANTILE_OK) refuse(exception_of(status), sentence_of_last_error(m_name));
}

pantile_space Call::space_of(Arrays arrays) const {
  Array const* const there = first_on_device(arrays);
  for (Array const* array : arrays) {
    require(there == nullptr || array->on_device, [&] {
      return std::string(array->name) + " lies in memory of the host, and " + there->name + " in a device's";
    });
  }
  return there == nullptr ? PANTILE_SPACE_HOST : PANTILE_SPACE_DEVICE;
}

Streams Call::streams_of(Arrays arrays) {
  std::vector<void*> made_on;
  for (Array const* array : arrays) {
    if (array->on_device) made_on.push_back(array->stream);
  }
  return order_of(made_on);
}

pantile_status Call::wait_for(pantile_space space, void* stream) {
  pantile_exec* exec = nullptr;
  pantile_status status = pantile_exec_create(space, stream, &exec);
  if (status == PANTILE_OK) status = pantile_exec_fence(exec);
  pantile_exec_destroy(exec);
  return status;
}

void Call::refuse_device(Arrays arrays) const {
  refuse(PyExc_RuntimeError, std::string(first_on_device(arrays)->name) + " lies in a device's memory, and " +
                                 sentence_of_last_error(m_name));
}

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
