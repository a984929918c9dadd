// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/matrix_file.hpp"

#include <array>
#include <string_view>

#include <unistd.h>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace pantile::driver {

namespace {

bool names_matrix_market(std::filesystem::path const& path) {
  std::filesystem::path const extension = path.extension();
  if (extension == ".mtx" || extension == ".mm") return true;
  if (extension == ".npy" || is_standard_stream(path)) return false;
  fail_writing(path,
               "its name ends in none of .npy, .mtx and .mm, which say the format, and is not like file.h5:/dataset");
}

bool is_matrix_market(std::filesystem::path const& path) {
  std::array<char, 2> start{};
  InputFile(path).read_some(std::as_writable_bytes(std::span(start)));
  std::string_view const text(start.data(), start.size());
  if (text == "%%") return true;
  if (text == "\x93N" || text == "PK") return false;  // PK: an .npz, which read_npy explains
  fail_reading(path, "it is neither an .npy nor a Matrix Market file");
}

}  // namespace

std::optional<Array> look_at_matrix_file(std::filesystem::path const& path) {
  if (is_standard_stream(path)) return std::nullopt;
  if (auto const name = parse_hdf5_name(path)) return look_at_hdf5(path, *name);
  if (is_matrix_market(path)) return look_at_matrix_market(path);
  NpyHeader const header = look_at_npy(path).header;
  return Array{header.type, header.shape, header.order, {}};
}

Array read_matrix_file(std::filesystem::path const& path, Progress const& progress) {
  if (is_standard_stream(path)) return read_npy(path, progress);
  if (auto const name = parse_hdf5_name(path)) return read_hdf5(path, *name, progress);
  return is_matrix_market(path) ? read_matrix_market(path, progress) : read_npy(path, progress);
}

void write_matrix_file(std::filesystem::path const& path, ArrayView const& view, Progress const& progress) {
  if (auto const name = parse_hdf5_name(path)) {
    write_hdf5(path, *name, view, progress);
  } else if (names_matrix_market(path)) {
    write_matrix_market(path, view, progress);
  } else {
    write_npy(path, view, progress);
  }
}

void require_matrix_file_writable(std::filesystem::path const& path) {
  if (auto const name = parse_hdf5_name(path)) return require_hdf5_writable(path, *name);
  names_matrix_market(path);
  if (is_standard_stream(path) && ::isatty(STDOUT_FILENO) == 1) {
    fail_writing(path, "the standard output is a terminal; send it to a file or a program");
  }
  require_writable(path);
}

void require_matrix_file_takes(std::filesystem::path const& path, ElementType const& type, Shape const& shape) {
  if (parse_hdf5_name(path)) return require_hdf5_takes(path, type);
  if (names_matrix_market(path)) require_matrix_market_takes(path, type, shape);
}

std::filesystem::path file_of(std::filesystem::path const& path) {
  auto const name = parse_hdf5_name(path);
  return name ? name->file : path;
}

bool is_same_matrix(std::filesystem::path const& a, std::filesystem::path const& b) {
  auto const name_a = parse_hdf5_name(a), name_b = parse_hdf5_name(b);
  return is_same_file(file_of(a), file_of(b)) && (!name_a || !name_b || name_a->dataset == name_b->dataset);
}

}  // namespace pantile::driver
