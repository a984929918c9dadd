// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the program has allocated, where it lies, and copies between these places.

#include <cstddef>
#include <map>

namespace pantile_interpreter::runtime {

enum class Place { pageable, pinned, managed, device };

class Store {
 public:
  Store();

  /// Bytes of the device's memory (PANTILE_INTERPRETER_MEMORY in MiB, 8192 without it), and how many are taken.
  [[nodiscard]] std::size_t capacity() const { return m_capacity; }
  [[nodiscard]] std::size_t used() const { return m_used; }

  /// How many devices there are: 1, or PANTILE_INTERPRETER_DEVICES=2, of which the second one has memory and no more.
  static int devices();
  /// Of the calling thread.
  static thread_local int current_device;

  /// nullptr where they do not fit.
  void* allocate_device(std::size_t bytes);
  /// Memory of the host that kernels reach too: pinned or managed.
  void* allocate_host(std::size_t bytes, Place place);
  /// False for what is not there, such as memory freed before.
  bool free_device(void* memory);  // managed memory too
  bool free_pinned(void* memory);
  bool register_host(void* memory, std::size_t bytes);
  bool unregister_host(void* memory);

  /// Where the byte lies; pageable is what nobody allocated here.
  [[nodiscard]] Place place_of(void const* memory) const;
  /// Current when the memory was allocated.
  [[nodiscard]] int device_of(void const* memory) const;

  /// \throws  as the device's memory does for what is out of bounds, freed or, on reading, never written
  void copy(void* target, void const* source, std::size_t bytes);
  void fill(void* target, unsigned char value, std::size_t bytes);

 private:
  struct Block {
    std::size_t bytes;
    Place place;
    bool own;  // allocated here, not registered
    int device = current_device;
  };
  using Blocks = std::map<char const*, Block>;
  [[nodiscard]] Blocks::const_iterator block_of(void const* memory) const;
  bool free_host(void* memory, Place place, bool own);

  std::size_t m_capacity, m_used = 0;
  Blocks m_blocks;
};

}  // namespace pantile_interpreter::runtime
