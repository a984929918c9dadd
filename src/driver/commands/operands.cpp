// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/operands.hpp"

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_file.hpp"
#include "io/memory.hpp"
#include "io/partial_file.hpp"
#include "operations/operations.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pantile::driver {

namespace {

void require_output(Session const& session) {
  CommonArguments const& common = session.common();
  require_matrix_file_writable(common.output);
  session.require_not_report(common.output);
  if (common.force || is_standard_stream(common.output)) return;
  for (auto const& [name, path] : common.operands) {
    if (path.empty() || !is_same_matrix(path, common.output)) continue;
    throw InputError("the result would overwrite the operand " + path_in_quotes(path) + ", which --force allows");
  }
}

bool may_have_tiles(std::filesystem::path const& path) {
  return !is_standard_stream(path) && !parse_hdf5_name(path) && is_npy(path);
}

void read(Session& session, Operand& operand) {
  operand.seconds_to_read = seconds([&] {
    operand.array = read_matrix_file(operand.path, session.progress("reading " + path_in_quotes(operand.path)));
  });
}

bool is_read(Operand const& operand) { return operand.array.storage.size() > 0; }

/// Nothing where the host computes.
std::optional<std::uint64_t> free_on_device(Session& session) {
  if (!computes_on_device) return std::nullopt;
  session.start_kokkos();
  return free_device_memory();
}

/// In floating point no product and no sum runs over.
double bytes_needed(Operands const& operands, Result const& result) {
  auto const bytes = [](ElementType const& type, Shape const& shape) {
    auto product = static_cast<double>(element_size(type));
    for (std::size_t const extent : shape.extents()) product *= static_cast<double>(extent);
    return product;
  };
  double all = bytes(result.type, result.shape);
  for (Operand const& operand : operands) {
    if (!is_read(operand)) all += bytes(operand.array.type, operand.array.shape);
  }
  return all;
}

}  // namespace

std::string extents(Shape const& shape) {
  std::string text;
  for (std::size_t extent : shape.extents()) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::string describe(Operand const& operand) {
  return concat(operand.name, " ", path_in_quotes(operand.path), " ", extents(operand.array.shape), " ",
                element_name(operand.array.type));
}

std::string describe(Operands const& operands) {
  std::vector<std::string> all;
  for (Operand const& operand : operands) all.push_back(describe(operand));
  return joined(all, ", ");
}

Operands look_at_operands(Session& session, TileArguments const& tiles) {
  std::filesystem::path const& output = session.common().output;
  bool const writes_npy = output.extension() == ".npy" && !parse_hdf5_name(output);
  std::filesystem::path const* other = writes_npy ? nullptr : &output;
  auto const refuse_other = [&] {
    if (other == nullptr || tiles.memory == 0) return;
    throw InputError("--memory is for .npy files, which " + path_in_quotes(*other) + " is not");
  };
  refuse_other();  // the result, by its name alone: a build without HDF5 says the same of a dataset
  require_output(session);
  for (auto const& [name, path] : session.common().operands) {
    if (path.empty()) continue;
    session.require_not_report(path);
    if (other == nullptr && !may_have_tiles(path)) other = &path;
  }
  refuse_other();
  Operands operands;
  for (auto const& [name, path] : session.common().operands) {
    if (path.empty()) continue;
    Operand& operand = operands.emplace_back(Operand{.name = name, .path = path, .file = {}, .array = {}});
    if (std::optional<Array> seen = look_at_matrix_file(path)) {
      operand.array = std::move(*seen);
    } else {
      read(session, operand);
    }
    if (other == nullptr) operand.file = look_at_npy(path);
  }
  return operands;
}

void read_operands(Session& session, Operands& operands) {
  for (Operand& operand : operands) {
    if (!is_standard_stream(operand.path)) read(session, operand);
    tell_matrix(session, operand.told_name(), operand.path, operand.array.view(), "from",
                ", read in " + format_seconds(operand.seconds_to_read));
    session.report().set("time.read_" + std::string(operand.told_name()), operand.seconds_to_read);
  }
}

void tell_matrix(Session& session, std::string_view name, std::filesystem::path const& path, ArrayView const& array,
                 std::string_view place, std::string_view end) {
  Report& report = session.report();
  std::string const shape = extents(array.shape), type = element_name(array.type);
  char const* const order = array.order == Order::c ? ", C order" : ", Fortran order";
  report.line(
      name, concat(shape, " ", type, array.shape.rank() > 1 ? order : "", " ", place, " ", path_in_quotes(path), end));
  std::string const prefix = "operands." + std::string(name) + ".";
  report.set(prefix + "file", path.string());
  report.set(prefix + "shape", shape);
  report.set(prefix + "type", type);
  report.set(prefix + "order", array.order == Order::c ? "C" : "F");
}

void require_rank(Operand const& operand, std::string_view operation, std::size_t rank) {
  Shape const& shape = operand.array.shape;
  if (shape.rank() == rank) return;
  throw InputError(concat(operation, ": ", operand.name, " must have ", rank, rank == 1 ? " dimension" : " dimensions",
                          ", but ", path_in_quotes(operand.path), " has ", shape.rank(), " with shape ", shape.text()));
}

std::optional<std::uint64_t> budget(Session& session, TileArguments const& tiles, Operands const& operands,
                                    Result const& result) {
  if (operands[0].file.offset != 0) {
    std::uint64_t memory = tiles.memory;
    if (tiles.resume && memory == 0) {
      // What is free has changed since, but the tiles must not.
      std::string const before = line_of_journal(session.common().output, std::string(journal_memory)).value_or("");
      std::from_chars(before.data(), before.data() + before.size(), memory);
    }
    if (memory == 0) memory = tile_budget(available_memory(), free_on_device(session));
    if (bytes_needed(operands, result) > static_cast<double>(memory)) {
      if (!session.common().verify && session.common().repeat == 0) return memory;
      throw InputError("--verify and --repeat need operands and result in memory, which " + format_bytes(memory) +
                       " do not hold");
    }
  }
  require_room(session, operands, result);
  return std::nullopt;
}

void require_room(Session& session, Operands const& operands, Result const& result) {
  double const needed = bytes_needed(operands, result);
  std::uint64_t const here = available_memory("/", Swap::counts), there = free_on_device(session).value_or(here);
  if (needed <= static_cast<double>(std::min(here, there))) return;
  auto const bytes = static_cast<std::uint64_t>(std::min(needed, 0x1p63));
  throw InputError(concat(describe(operands), " and ", result.name, " ", extents(result.shape), " ",
                          element_name(result.type), " need ", format_bytes(bytes), " of memory, where ",
                          format_bytes(std::min(here, there)), there < here ? " of the device's" : "",
                          " are free; matmul and transpose from .npy files to one go by tiles"));
}

}  // namespace pantile::driver
