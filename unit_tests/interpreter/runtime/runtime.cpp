// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/runtime.hpp>

#include <interpreter/runtime/report.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace pantile_interpreter::runtime {
namespace {

When when_from_environment() {
  char const* const text = std::getenv("PANTILE_INTERPRETER_STREAMS");
  if (text == nullptr || std::string_view(text) == "late") return When::late;
  if (std::string_view(text) == "at_once") return When::at_once;
  stop(std::string("PANTILE_INTERPRETER_STREAMS is '") + text + "': it must be late or at_once");
}

}  // namespace

Runtime::Runtime() : m_streams(when_from_environment(), device().options().seed) {}

Stream* Runtime::find_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &m_streams.legacy();
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return m_streams.exists(stream) ? stream : nullptr;
}

Event* Runtime::create_event() {
  auto event = std::make_unique<Event>();
  Event* const result = event.get();
  m_events[result] = std::move(event);
  return result;
}

bool Runtime::destroy_event(cudaEvent_t handle) { return m_events.erase(handle) > 0; }

Event* Runtime::find_event(cudaEvent_t handle) {
  auto const found = m_events.find(handle);
  return found == m_events.end() ? nullptr : found->second.get();
}

Runtime& runtime() {
  static Runtime& instance = []() -> Runtime& {
    try {
      return *new Runtime;
    } catch (std::exception const& fault) {
      stop(fault.what());  // a variable of the environment that says nothing
    }
  }();
  return instance;
}

void stop(std::string const& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "interpreter: %s\n", sentence.c_str());
  std::fflush(stderr);
  report().write();
  ::_exit(stop_status);
}

void stop_at_missing(char const* entry) { stop(std::string("the entry point ") + entry + " is not there"); }

}  // namespace pantile_interpreter::runtime
