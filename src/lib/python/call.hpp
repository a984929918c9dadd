// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A call from Python: its errors, and the instance that it runs on, without the interpreter's lock.

#include <python/streams.hpp>

#include <pantile/c/pantile.h>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>

namespace pantile::python {

struct Array;

class Call {
 public:
  /// \param  name      the function in Python, without the package
  /// \param  explains  says what the call would do instead of doing it
  Call(char const* name, bool explains) : m_name(std::string("pantile.") + name), m_explains(explains) {}

  [[nodiscard]] bool explains() const { return m_explains; }

  /// Raises the exception with "pantile.<name>: <sentence>".
  [[noreturn]] void refuse(PyObject* exception, std::string const& sentence) const;

  /// ValueError where a rule does not hold.
  template <class Sentence>
  void require(bool holds, Sentence const& sentence) const {
    if (!holds) refuse(PyExc_ValueError, sentence());
  }

  /// \brief  Calls work(instance) on the host, or on the device where the arrays lie, and waits for it; before that for
  ///         each other stream on which an array is made.
  /// \throws Python's exception for a status that is not PANTILE_OK, with the C face's sentence
  template <class Work>
  void run(std::initializer_list<Array const*> arrays, Work const& work) const {
    pantile_space const space = space_of(arrays);
    Streams const streams = streams_of(arrays);
    pantile_status made = PANTILE_OK, done = PANTILE_OK;
    {
      nanobind::gil_scoped_release const others_go_on;
      pantile_exec* exec = nullptr;
      for (void* const stream : streams.awaited) {
        if (made == PANTILE_OK) made = wait_for(space, stream);
      }
      if (made == PANTILE_OK) made = pantile_exec_create(space, streams.work, &exec);
      if (made == PANTILE_OK) {
        done = work(exec);
        if (done == PANTILE_OK) done = pantile_exec_fence(exec);
        pantile_exec_destroy(exec);
      }
    }
    if (made == PANTILE_NOT_SUPPORTED) refuse_device(arrays);
    raise(made);
    raise(done);
  }

 private:
  [[nodiscard]] pantile_space space_of(std::initializer_list<Array const*> arrays) const;
  [[nodiscard]] static Streams streams_of(std::initializer_list<Array const*> arrays);
  [[nodiscard]] static pantile_status wait_for(pantile_space space, void* stream);
  [[noreturn]] void refuse_device(std::initializer_list<Array const*> arrays) const;
  /// Nothing for PANTILE_OK.
  void raise(pantile_status status) const;

  std::string m_name;
  bool m_explains;
};

struct Explanation {
  std::string text;
  std::size_t workspace_bytes = 0;
  double flops = 0, bytes = 0;
};

/// What ask(instance, explanation) writes, one of the C face's functions that explain, as an object of Python.
nanobind::object explained(Call const& call, std::initializer_list<Array const*> arrays,
                           std::function<pantile_status(pantile_exec*, pantile_explanation*)> const& ask);

}  // namespace pantile::python
