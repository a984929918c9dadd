// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/matrix_file.hpp"

#include <array>
#include <string_view>

#include <unistd.h>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace pantile::driver {

namespace {

bool names_matrix_market(std::filesystem::path const& path) {
  std::filesystem::path const extension = path.extension();
  if (extension == ".mtx" || extension == ".mm") return true;
  if (extension == ".npy" || is_standard_stream(path)) return false;
  fail_writing(path, "its name ends in none of .npy, .mtx and .mm, which say the format");
}

}  // namespace

Array read_matrix_file(std::filesystem::path const& path, Progress const& progress) {
  if (is_standard_stream(path)) return read_npy(path, progress);
  std::array<char, 2> start{};
  InputFile(path).read_some(std::as_writable_bytes(std::span(start)));
  std::string_view const text(start.data(), start.size());
  if (text == "%%") return read_matrix_market(path, progress);
  if (text == "\x93N" || text == "PK") return read_npy(path, progress);  // PK: an .npz, which read_npy explains
  fail_reading(path, "it is neither an .npy nor a Matrix Market file");
}

void write_matrix_file(std::filesystem::path const& path, ArrayView const& view, Progress const& progress) {
  if (names_matrix_market(path)) {
    write_matrix_market(path, view, progress);
  } else {
    write_npy(path, view, progress);
  }
}

void require_matrix_file_writable(std::filesystem::path const& path) {
  names_matrix_market(path);
  if (is_standard_stream(path) && ::isatty(STDOUT_FILENO) == 1) {
    fail_writing(path, "the standard output is a terminal; send it to a file or a program");
  }
  require_writable(path);
}

}  // namespace pantile::driver
