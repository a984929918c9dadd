// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/headers.hpp"

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_file.hpp"
#include "io/memory.hpp"
#include "io/partial_file.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace pantile::driver {

namespace {

bool may_have_tiles(std::filesystem::path const& path) {
  return !is_standard_stream(path) && !parse_hdf5_name(path) && is_npy(path);
}

/// Nothing where the host computes.
std::optional<std::uint64_t> free_on_device(Session& session) {
  if (!computes_on_device) return std::nullopt;
  session.start_kokkos();
  return free_device_memory();
}

}  // namespace

Headers::Headers(Session const& session, TileArguments const& tiles, std::vector<OperandFile> const& operands)
    : m_output(session.common().output) {
  bool const writes_npy = m_output.extension() == ".npy" && !parse_hdf5_name(m_output);
  std::filesystem::path const* other = writes_npy ? nullptr : &m_output;
  for (auto const& [name, path] : operands) {
    if (path.empty()) continue;
    session.require_not_report(path);
    if (other == nullptr && !may_have_tiles(path)) other = &path;
  }
  if (other != nullptr && tiles.memory != 0) {
    throw InputError("--memory is for .npy files, which " + path_in_quotes(*other) + " is not");
  }
  m_all_npy = other == nullptr;
  for (auto const& [name, path] : operands) {
    if (path.empty()) continue;
    std::optional<Array> array = look_at_matrix_file(path);
    m_known = m_known && array;
    if (!m_known) return;
    m_operands.push_back(
        {.name = name, .path = path, .file = m_all_npy ? look_at_npy(path) : NpyFile{}, .array = std::move(*array)});
  }
}

std::vector<NamedArray> Headers::operands() const {
  std::vector<NamedArray> named;
  for (HeaderOperand const& operand : m_operands) named.push_back({operand.name, operand.path, operand.array});
  return named;
}

/// In floating point no product and no sum runs over.
double Headers::bytes_with(FutureResult const& result) const {
  auto const bytes = [](ElementType const& type, Shape const& shape) {
    auto product = static_cast<double>(element_size(type));
    for (std::size_t const extent : shape.extents()) product *= static_cast<double>(extent);
    return product;
  };
  double all = bytes(result.type, result.shape);
  for (HeaderOperand const& operand : m_operands) all += bytes(operand.array.type, operand.array.shape);
  return all;
}

std::optional<std::uint64_t> Headers::budget(Session& session, TileArguments const& tiles,
                                             FutureResult const& result) const {
  if (!m_all_npy) {
    require_room(session, result);
    return std::nullopt;
  }
  std::uint64_t memory = tiles.memory;
  if (tiles.resume && memory == 0) {
    // What is free has changed since, but the tiles must not.
    std::string const before = line_of_journal(m_output, std::string(journal_memory)).value_or("");
    std::from_chars(before.data(), before.data() + before.size(), memory);
  }
  if (memory == 0) memory = tile_budget(available_memory(), free_on_device(session));
  if (bytes_with(result) > static_cast<double>(memory)) return memory;
  require_room(session, result);
  return std::nullopt;
}

void Headers::require_room(Session& session, FutureResult const& result) const {
  double const needed = bytes_with(result);
  std::uint64_t const here = available_memory("/", Swap::counts), there = free_on_device(session).value_or(here);
  if (needed <= static_cast<double>(std::min(here, there))) return;
  std::string text, separator;
  for (NamedArray const& operand : operands()) {
    text += separator + describe(operand);
    separator = ", ";
  }
  auto const bytes = static_cast<std::uint64_t>(std::min(needed, 0x1p63));
  throw InputError(concat(text, " and ", result.name, " ", extents(result.shape), " ", element_name(result.type),
                          " need ", format_bytes(bytes), " of memory, where ", format_bytes(std::min(here, there)),
                          there < here ? " of the device's" : "",
                          " are free; matmul and transpose from .npy files to one go by tiles"));
}

}  // namespace pantile::driver
