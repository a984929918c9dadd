// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  What a runtime needs of the interpreter: a device with memory, programs loaded onto it, kernels run on it.
/// Nothing here knows an instruction set: a language gives its own Module and Kernel.

#include <interpreter/machine/counters.hpp>
#include <interpreter/machine/global_races.hpp>
#include <interpreter/machine/memory.hpp>
#include <interpreter/machine/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pantile_interpreter {

struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// What the program's text says of a kernel; 0 where it says nothing.
struct KernelFacts {
  int registers = 0;
  int max_threads = 0;
  int min_ctas = 0;  // that a multiprocessor shall have room for
  std::size_t static_shared = 0;
  std::size_t local = 0;     // bytes of each thread
  std::size_t constant = 0;  // bytes of the module
};

/// A parameter's place in the block of parameters.
struct Parameter {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

class Device;

/// One launch: what Device::run hands to a kernel.
struct Launch {
  Device* device = nullptr;
  Dim3 grid;
  Dim3 block;
  std::size_t dynamic_shared = 0;
  std::vector<unsigned char> parameters;  // laid out as Kernel::parameters says
};

/// A kernel of a loaded module; it lives as long as its module.
class Kernel {
 public:
  virtual ~Kernel() = default;
  [[nodiscard]] virtual std::string const& name() const = 0;
  [[nodiscard]] virtual KernelFacts facts() const = 0;
  [[nodiscard]] virtual std::vector<Parameter> const& parameters() const = 0;
  /// Of its instructions, each once, without operands.
  [[nodiscard]] virtual std::set<std::string> opcodes() const = 0;
  /// Runs all of its CTAs to their ends. \throws Fault at the first fault; what was written until then remains.
  virtual void execute(Launch const& launch) const = 0;
};

/// Where a variable of a module lies in the device's memory; 0 bytes where there is none of that name.
struct Location {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

/// A loaded program; its variables are freed with it, so it must not outlive its device.
class Module {
 public:
  virtual ~Module() = default;
  /// Null where there is none of that name. Decodes the kernel at the first call. \throws Fault for what is not
  /// understood.
  [[nodiscard]] virtual Kernel const* kernel(std::string_view name) = 0;
  [[nodiscard]] virtual Location symbol(std::string_view name) = 0;
};

/// One device. Nothing here may be called by two host threads at once.
class Device {
 public:
  Device() : Device(Options::from_environment()) {}
  explicit Device(Options const& options) : m_options(options), m_memory(options.host_reaches_memory) {}

  [[nodiscard]] Memory& memory() { return m_memory; }
  [[nodiscard]] Options const& options() const { return m_options; }
  [[nodiscard]] Counters const& counters() const { return m_counters; }
  [[nodiscard]] Counters& counters() { return m_counters; }

  /// Null if races are not looked for.
  [[nodiscard]] GlobalRaces* global_races() {
    if (m_options.races && m_global_races == nullptr) m_global_races = std::make_unique<GlobalRaces>(m_memory);
    return m_global_races.get();
  }

  /// Runs a kernel to its end; `arguments` has one pointer per parameter, as the CUDA runtime's launch has it.
  /// Launch limits are the caller's to check. \throws Fault
  void run(Kernel const& kernel, Dim3 grid, Dim3 block, std::size_t dynamic_shared, void const* const* arguments);

 private:
  Options m_options;
  Memory m_memory;
  Counters m_counters;
  std::unique_ptr<GlobalRaces> m_global_races;
};

/// Reads the text of a program (PTX); `origin` is how faults name it. \throws Fault for what is not understood.
std::unique_ptr<Module> load(Device& device, std::string_view text, std::string_view origin);

}  // namespace pantile_interpreter
