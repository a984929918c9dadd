// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the command line asks for, as plain data.

#include "io/array.hpp"
#include "io/element_type.hpp"
#include "scalar.hpp"

#include <pantile/policy.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace pantile::driver {

/// Kokkos' OpenMP backend keeps state for this many threads and crashes with more.
inline constexpr int most_threads = 512;

struct OperandFile {
  std::string_view name;
  std::filesystem::path path{};  ///< empty where it is not given
};

/// What every subcommand takes; those without operands or a result leave them empty.
struct CommonArguments {
  std::vector<OperandFile> operands{};
  int threads = 0;                 ///< of the host backend; 0 lets Kokkos choose
  int repeat = 0;                  ///< timed runs after the first one
  bool verify = false;             ///< compare with the serial oracle
  bool progress = false;           ///< show progress although stderr is no terminal
  bool force = false;              ///< let the result overwrite an operand
  std::filesystem::path report{};  ///< JSON file, empty for none
  std::filesystem::path output{};  ///< file of the result
  Order order = Order::c;          ///< of the result
};

/// What commands take that compute tile by tile where memory is short.
struct TileArguments {
  std::uint64_t memory = 0;  ///< bytes that operands, result or tiles may take; zero: what the machine has says
  bool resume = false;       ///< go on with an earlier run
};

struct MatmulArguments {
  CommonArguments common{.operands = {{"A"}, {"B"}, {"C"}}};
  TileArguments tiles;
  Scalar alpha = 1, beta = 0;
  MatmulOptions options;
  std::optional<ElementType> accumulator;
};

struct TransposeArguments {
  CommonArguments common{.operands = {{"A"}}};
  TileArguments tiles;
  TransposeOptions options;
};

struct AddArguments {
  CommonArguments common{.operands = {{"A"}, {"B"}}};
  Scalar alpha = 1, beta = 1;
  AddOptions options;
};

struct HistogramArguments {
  CommonArguments common{.operands = {{"indices"}, {"weights"}}};
  std::vector<std::int64_t> bins;
  HistogramOptions options;
};

struct LadderArguments {
  CommonArguments common{.repeat = 1};  ///< the first run warms up
  std::int64_t m = 512, n = 512, k = 512;
  ElementType type = ElementType::float32;
  int ladders = 3;  ///< a bit for matmul, one for transpose
  MatmulTile tile{};
  int transpose_tile = 0;
  LaunchShape launch{};
};

struct InfoArguments {
  CommonArguments common;
  bool kokkos = false;  ///< print Kokkos' own configuration too
};

using Arguments =
    std::variant<MatmulArguments, TransposeArguments, AddArguments, HistogramArguments, LadderArguments, InfoArguments>;

}  // namespace pantile::driver
