// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded program: its variables in the device's memory, its kernels decoded when they are first asked for.
#include <interpreter/machine/device.hpp>
#include <interpreter/machine/fault.hpp>
#include <interpreter/ptx/decoder.hpp>
#include <interpreter/ptx/text.hpp>
#include <interpreter/ptx/warp.hpp>

#include <cstring>

namespace pantile_interpreter {

namespace {

class PtxKernel final : public Kernel {
 public:
  PtxKernel(ptx::Function const& function, ptx::Symbols const& symbols, std::size_t constant_bytes)
      : m_code(ptx::Decoder(function, symbols).run()), m_constant(constant_bytes) {
    for (ptx::Variable const& one : function.parameters) m_parameters.push_back({one.offset, one.bytes});
  }

  [[nodiscard]] std::string const& name() const override { return m_code.name; }
  [[nodiscard]] KernelFacts facts() const override {
    return {m_code.max_registers, m_code.max_threads, m_code.min_ctas,
            m_code.static_shared, m_code.local_bytes, m_constant};
  }
  [[nodiscard]] std::vector<Parameter> const& parameters() const override { return m_parameters; }
  [[nodiscard]] std::set<std::string> opcodes() const override {
    std::set<std::string> found;
    for (std::string_view text : m_code.texts) {
      if (text.starts_with('@')) text = ptx::trimmed(text.substr(text.find_first_of(" \t")));
      found.emplace(text.substr(0, text.find_first_of(" \t")));
    }
    return found;
  }
  void execute(Launch const& launch) const override { ptx::execute(m_code, launch); }

 private:
  ptx::Code m_code;
  std::size_t m_constant;
  std::vector<Parameter> m_parameters;
};

class PtxModule final : public Module {
 public:
  PtxModule(Device& device, std::string_view text, std::string_view origin) : m_device(device) {
    ptx::parse(text, origin, m_program);
    m_symbols.program = &m_program;
    m_symbols.memory = &device.memory();
    for (auto const& [name, variable] : m_program.variables) {
      if (in_memory(variable)) place(variable);
    }
    for (auto const& [name, variable] : m_program.variables) {
      if (in_memory(variable)) fill(variable);
    }
  }
  ~PtxModule() override {
    for (auto const& [name, address] : m_symbols.addresses) m_device.memory().free(address);
  }
  PtxModule(PtxModule const&) = delete;
  PtxModule& operator=(PtxModule const&) = delete;

  [[nodiscard]] Kernel const* kernel(std::string_view name) override {
    if (auto const found = m_kernels.find(name); found != m_kernels.end()) return found->second.get();
    auto const function = m_program.functions.find(name);
    if (function == m_program.functions.end() || !function->second.entry) return nullptr;
    auto fresh = std::make_unique<PtxKernel>(function->second, m_symbols, m_constant);
    return m_kernels.emplace(name, std::move(fresh)).first->second.get();
  }

  [[nodiscard]] Location symbol(std::string_view name) override {
    auto const address = m_symbols.addresses.find(name);
    if (address == m_symbols.addresses.end()) return {};
    return {address->second, m_program.variables.find(name)->second.bytes};
  }

 private:
  static bool in_memory(ptx::Variable const& variable) { return variable.space != ptx::Space::shared; }

  void place(ptx::Variable const& variable) {
    if (variable.external) throw Fault(m_program.origin + ": the variable " + variable.name + " is of another program");
    std::uint64_t const address = m_device.memory().allocate(variable.bytes);
    if (address == 0) throw Fault(m_program.origin + ": there is no memory for the variable " + variable.name);
    m_symbols.addresses.emplace(variable.name, address);
    if (variable.space == ptx::Space::constant) m_constant += variable.bytes;
  }

  void fill(ptx::Variable const& variable) {
    auto bytes = variable.initial;
    bytes.resize(variable.bytes, 0);
    for (auto const& reference : variable.references) {
      auto const address = m_symbols.addresses.find(reference.name);
      if (address == m_symbols.addresses.end() || reference.at + sizeof address->second > bytes.size()) {
        throw Fault(m_program.origin + ": the variable " + variable.name + " cannot begin as the address of " +
                    reference.name);
      }
      std::memcpy(bytes.data() + reference.at, &address->second, sizeof address->second);
    }
    m_device.memory().write(m_symbols.addresses.find(variable.name)->second, bytes.data(), bytes.size());
  }

  Device& m_device;
  ptx::Program m_program;
  ptx::Symbols m_symbols;
  std::size_t m_constant = 0;
  std::map<std::string, std::unique_ptr<PtxKernel>, std::less<>> m_kernels;
};

}  // namespace

std::unique_ptr<Module> load(Device& device, std::string_view text, std::string_view origin) {
  return std::make_unique<PtxModule>(device, text, origin);
}

}  // namespace pantile_interpreter
