// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/programs.hpp>

#include <interpreter/runtime/report.hpp>
#include <interpreter/runtime/runtime.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pantile_interpreter::runtime {
namespace {

/// The text, which is written to the folder PANTILE_INTERPRETER_TEXT; what PANTILE_INTERPRETER_TEXT_FROM has under the
/// same name takes its place.
std::string replaced(std::string const& name, std::string const& text) {
  if (char const* const folder = std::getenv("PANTILE_INTERPRETER_TEXT")) {
    std::ofstream file(std::filesystem::path(folder) / name);
    if (!(file << text)) throw std::runtime_error("PTX cannot be written to " + std::string(folder) + "/" + name);
  }
  if (char const* const folder = std::getenv("PANTILE_INTERPRETER_TEXT_FROM")) {
    std::ifstream file(std::filesystem::path(folder) / name);
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  }
  return text;
}

}  // namespace

Device& device() {
  static Device& instance = *new Device;
  return instance;
}

void Program::read() {
  if (m_module) return;
  auto const images = images_of(m_wrapper);
  Image const* const text = choose_ptx(images, limits::architecture);
  if (text == nullptr) {
    throw std::runtime_error(
        "a program without PTX for compute_90 or lower: machine code is not executed; compile with -arch=compute_90");
  }
  Image const* const code = choose_machine_code(images, limits::architecture);
  if (code != nullptr) m_resources = resources_in(code->bytes);
  std::string const name = file_name();
  m_module = load(device(), replaced(name, text->bytes), name);
}

std::string Program::file_name() const {
  return std::filesystem::read_symlink("/proc/self/exe").filename().string() + "." + std::to_string(m_number) + ".ptx";
}

Module& Program::module() {
  read();
  return *m_module;
}

KernelResources const* Program::resources(std::string const& kernel) {
  read();
  auto const found = m_resources.find(kernel);
  return found == m_resources.end() ? nullptr : &found->second;
}

Kernel const& DeviceFunction::kernel() {
  if (m_kernel == nullptr) m_kernel = m_program->module().kernel(m_name);
  if (m_kernel == nullptr) throw std::runtime_error("the kernel " + m_name + " is not in its program's PTX");
  return *m_kernel;
}

KernelInfo const& DeviceFunction::info() {
  if (m_info) return *m_info;
  KernelFacts const facts = kernel().facts();
  m_info = std::make_unique<KernelInfo>();
  m_info->max_threads = facts.max_threads > 0 ? facts.max_threads : limits::threads_per_cta;
  m_info->static_shared = facts.static_shared;
  m_info->local = facts.local;
  m_info->constant = facts.constant;
  KernelResources const* const compiled = m_program->resources(m_name);
  if (compiled != nullptr) {
    m_info->registers = compiled->registers;
    m_info->local = compiled->local;
  } else {
    // Without machine code: as many as the compiler may give to each thread of as many of the largest CTAs as
    // are asked for.
    int const threads = std::max(m_info->max_threads * std::max(facts.min_ctas, 1), 256);
    int const most = std::min(255, limits::registers / threads / 8 * 8);
    m_info->registers = facts.registers > 0 ? facts.registers : most;
  }
  return *m_info;
}

std::size_t DeviceFunction::max_dynamic_shared() {
  std::size_t const without_asking = limits::shared_per_cta - std::min(limits::shared_per_cta, info().static_shared);
  return std::max(m_raised_shared, without_asking);
}

std::function<void()> DeviceFunction::prepared(Dim3 grid, Dim3 block, std::size_t shared,
                                               void const* const* arguments) {
  Kernel const& what = kernel();
  auto const values = std::make_shared<std::vector<std::vector<std::byte>>>();
  for (auto const& parameter : what.parameters()) {
    auto const* const bytes = static_cast<std::byte const*>(arguments[values->size()]);
    values->emplace_back(bytes, bytes + parameter.bytes);
  }
  return [this, &what, grid, block, shared, values] {
    std::vector<void const*> pointers;
    for (auto const& value : *values) pointers.push_back(value.data());
    report().add_launch(m_program->file_name() + " " + m_name, what);
    auto const start = Report::Clock::now();
    device().run(what, grid, block, shared, pointers.data());
    report().add_time(Report::Clock::now() - start);
  };
}

Program* Programs::add(void const* wrapper) {
  m_programs.push_back(std::make_unique<Program>(wrapper, m_programs.size()));
  return m_programs.back().get();
}

void Programs::add_function(Program* program, void const* host, std::string name) {
  m_functions.insert_or_assign(host, DeviceFunction(*program, std::move(name)));
}

void Programs::add_symbol(Program* program, void const* host, std::string name) {
  m_variables[host] = {program, std::move(name)};
}

DeviceFunction* Programs::find_function(void const* host) {
  auto const found = m_functions.find(host);
  return found == m_functions.end() ? nullptr : &found->second;
}

Symbol Programs::find_symbol(void const* host) {
  auto const found = m_variables.find(host);
  if (found == m_variables.end()) return {};
  auto const place = found->second.program->module().symbol(found->second.name);
  return {place.address, place.bytes};
}

}  // namespace pantile_interpreter::runtime
