// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pantile::driver {

/// Everything that can go wrong with a file. The message is one sentence that names the file, the rule
/// and the numbers; it never holds a control character from the file or its name.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `text` out of a file, in single quotes, cut to 60 bytes, with all but printable ASCII escaped.
std::string in_quotes(std::string_view text);

/// A path in single quotes, with control characters escaped; of more than 400 bytes, both ends.
std::string path_in_quotes(std::filesystem::path const& path);

/// The words with the separator between them.
std::string joined(std::vector<std::string> const& words, std::string_view separator);

template <class... Parts>
std::string concat(Parts const&... parts) {
  std::ostringstream text;
  // Without this a stream that gets no memory goes on with half a text.
  text.exceptions(std::ios::badbit | std::ios::failbit);
  (text << ... << parts);
  return text.str();
}

template <class... Parts>
[[noreturn]] void fail_reading(std::filesystem::path const& path, Parts const&... parts) {
  throw FileError(concat("cannot read ", path_in_quotes(path), ": ", parts...));
}

template <class... Parts>
[[noreturn]] void fail_writing(std::filesystem::path const& path, Parts const&... parts) {
  throw FileError(concat("cannot write ", path_in_quotes(path), ": ", parts...));
}

}  // namespace pantile::driver
