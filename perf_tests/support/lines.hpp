// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The file that a program's lines of JSON go to.

#include <cerrno>
#include <fstream>
#include <iostream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace pantile::perf {

/// Where the lines go. A disk that is full ends the program: a file that lacks cases must not look whole.
class Lines {
 public:
  explicit Lines(std::string name) : m_name(std::move(name)) {
    if (m_name.empty()) return;
    m_file.open(m_name, std::ios::app);
    require(m_file);
  }
  void say(std::string const& line) {
    std::ostream& out = m_name.empty() ? std::cout : m_file;
    out << line << std::endl;
    require(out);
  }

 private:
  void require(std::ostream const& out) const {
    if (out) return;
    throw std::runtime_error("cannot write " + (m_name.empty() ? "the standard output" : m_name) + ": " +
                             std::generic_category().message(errno));
  }

  std::string m_name;
  std::ofstream m_file;
};

}  // namespace pantile::perf
