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

/// Does the variable say `yes` (which holds without it too), and not `no`?
bool chosen(char const* variable, std::string_view yes, std::string_view no) {
  char const* const text = std::getenv(variable);
  if (text == nullptr || text == yes) return true;
  if (text == no) return false;
  stop(std::string(variable) + " is '" + text + "': it must be " + std::string(yes) + " or " + std::string(no));
}

}  // namespace

Runtime::Runtime()
    : m_frees_wait(chosen("PANTILE_INTERPRETER_FREES", "wait", "at_once")),
      m_streams(chosen("PANTILE_INTERPRETER_STREAMS", "late", "at_once") ? When::late : When::at_once,
                device().options().seed) {}

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
