// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pantile::driver {

/// Everything that can go wrong with a file. The message is one sentence that names the file, the rule
/// and the numbers; it never holds a control character from the file or its name.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `text` out of a file, in single quotes, cut to 60 bytes, with all but printable ASCII escaped.
std::string quoted(std::string_view text);

/// A path in single quotes, whole, with control characters escaped.
std::string quoted(const std::filesystem::path& path);

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

template <class... Parts>
[[noreturn]] void fail_reading(const std::filesystem::path& path, const Parts&... parts) {
  throw FileError(concat("cannot read ", quoted(path), ": ", parts...));
}

template <class... Parts>
[[noreturn]] void fail_writing(const std::filesystem::path& path, const Parts&... parts) {
  throw FileError(concat("cannot write ", quoted(path), ": ", parts...));
}

}  // namespace pantile::driver
