// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "io/array.hpp"
#include "io/file_error.hpp"

namespace pantile::driver::test {

/// A folder for one test, gone with all in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pantile-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    m_path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  std::filesystem::path const& path() const { return m_path; }
  std::filesystem::path operator/(std::string_view name) const { return m_path / name; }

  std::filesystem::path write(std::string_view name, std::string_view bytes) const {
    std::filesystem::remove(m_path / name);  // ext4 flushes a file that is cut and filled again
    std::ofstream(m_path / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return m_path / name;
  }

  std::size_t file_count() const {
    std::filesystem::directory_iterator const entries(m_path);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  }

 private:
  std::filesystem::path m_path;
};

template <class T>
ArrayView array_view(T const* data, Shape const& shape, Order order = Order::c) {
  return {element_type_of<T>, shape, order, reinterpret_cast<std::byte const*>(data)};
}

inline std::string contents(std::filesystem::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// An .npy file of that header and data.
inline std::string npy_bytes(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), '\0'};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
  return bytes.append(dictionary).append(data);
}

/// The message of the FileError that `action` must throw. Checks that it is one line and names the path.
template <class Action>
std::string file_error_of(std::filesystem::path const& path, Action action) {
  try {
    action();
  } catch (FileError const& error) {
    std::string const message = error.what();
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    EXPECT_EQ(message.find_first_of("\n\r"), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no FileError for " << path;
  return {};
}

}  // namespace pantile::driver::test
