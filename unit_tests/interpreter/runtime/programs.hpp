// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What programs have registered: fat binaries, and the kernels and variables in them, by their host addresses.
///        A fat binary is read, and its PTX decoded, when the first of its kernels or variables is asked for.

#include <interpreter/machine/device.hpp>

#include <interpreter/runtime/fat_binary.hpp>
#include <interpreter/runtime/machine_code.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pantile_interpreter::runtime {

/// One fat binary.
class Program {
 public:
  /// \param number  of the fat binaries of the process, from 0
  Program(void const* wrapper, std::size_t number) : m_wrapper(wrapper), m_number(number) {}
  /// \throws std::runtime_error  where it has no PTX for the device
  Module& module();
  /// What its machine code says of the kernel, or nullptr: it has none, or none for this device.
  KernelResources const* resources(std::string const& kernel);

  /// How faults name the text: program.number.ptx.
  [[nodiscard]] std::string file_name() const;

 private:
  void read();
  void const* m_wrapper;
  std::size_t m_number;
  std::unique_ptr<Module> m_module;
  std::map<std::string, KernelResources, std::less<>> m_resources;
};

struct KernelInfo {
  int registers = 0, max_threads = 0;
  std::size_t static_shared = 0, local = 0, constant = 0;
};

/// A kernel as the host sees it.
class DeviceFunction {
 public:
  DeviceFunction(Program& program, std::string name) : m_program(&program), m_name(std::move(name)) {}

  KernelInfo const& info();
  /// Bytes that a launch may ask for; cudaFuncSetAttribute changes it.
  [[nodiscard]] std::size_t max_dynamic_shared();
  void set_max_dynamic_shared(std::size_t bytes) { m_raised_shared = bytes; }

  /// A launch with copies of the arguments, to be run later.
  std::function<void()> prepared(Dim3 grid, Dim3 block, std::size_t shared, void const* const* arguments);

 private:
  Kernel const& kernel();
  Program* m_program;
  std::string m_name;
  Kernel const* m_kernel = nullptr;
  std::unique_ptr<KernelInfo> m_info;
  std::size_t m_raised_shared = 0;
};

/// A variable of the device: its address there.
struct Symbol {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

class Programs {
 public:
  Program* add(void const* wrapper);
  void add_function(Program* program, void const* host, std::string name);
  void add_symbol(Program* program, void const* host, std::string name);

  /// nullptr for what nobody registered.
  DeviceFunction* find_function(void const* host);
  /// No bytes for what nobody registered.
  Symbol find_symbol(void const* host);

 private:
  struct Variable {
    Program* program;
    std::string name;
  };
  std::vector<std::unique_ptr<Program>> m_programs;
  std::map<void const*, DeviceFunction> m_functions;
  std::map<void const*, Variable> m_variables;
};

/// The one device of the process.
Device& device();

}  // namespace pantile_interpreter::runtime
