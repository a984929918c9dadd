// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a copy or pipeline would do, and why: the results of their `explain`. Plain data, no Kokkos.

#include <pantile/names.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>

namespace pantile {

/// \brief  How elements are copied from one View to another.
///  - none:   nothing to do: no elements, or destination and source are the same elements
///  - alias:  the View itself is returned: it is in the right memory already
///  - direct: one bulk copy (Kokkos::deep_copy): both Views are contiguous in the same order
///  - kernel: one kernel that can access both Views: strides, or a change of layout
///  - staged: no kernel can access both Views: packed on one side, bulk copy, unpacked on the other
///  - chunked: between a device and pageable host memory, through pinned chunks that the host fills or empties
enum class TransferPath { none, alias, direct, kernel, staged, chunked };

template <>
struct impl::EnumeratorNames<TransferPath> {
  static constexpr char const* all[] = {"none", "alias", "direct", "kernel", "staged", "chunked"};
};

/// \brief  The plan of one copy, chosen by the same pure function as in the copy itself.
///
/// Write `explain::` in front of a call to get it: `std::cout << pantile::explain::copy(exec, dA, A)`.
struct TransferReport {
  TransferPath path = TransferPath::none;
  std::string label;              ///< name of the region: "pantile::transfer[staged,cuda,double]"
  std::string reason;             ///< why this path, in one sentence
  std::size_t bytes = 0;          ///< bytes of the elements to move; 0 where nothing moves
  std::size_t staging_bytes = 0;  ///< memory for packed copies and chunks while the call runs; chunks may be kept
  bool blocks = false;            ///< the call waits until the copy is done, as always on host backends
  bool pageable = false;          ///< a warning: host memory is pageable, so that the host or the driver copies
                                  ///< once more and the call waits; `pinned` memory avoids it
};

inline std::ostream& operator<<(std::ostream& out, TransferReport const& r) {
  return out << r.label << "\n  path       " << to_string(r.path) << " - " << r.reason << "\n  bytes      " << r.bytes
             << ", staging " << r.staging_bytes << "\n  blocks     " << (r.blocks ? "yes" : "no")
             << (r.pageable ? "\n  warning    pageable host memory: use pinned memory to overlap\n" : "\n");
}

/// \brief  What `pantile::pipeline` would do: the result of `pantile::explain::pipeline`.
struct PipelineReport {
  std::string label;             ///< name of the region: "pantile::pipeline[overlapped,cuda,double]"
  std::int64_t rows = 0;         ///< of each array
  std::int64_t chunk_rows = 0;   ///< of a chunk; the last may have fewer
  std::int64_t chunks = 0;       ///< calls of the body
  int depth = 1;                 ///< instances that take turns
  std::size_t bytes_in = 0;      ///< copied to the device
  std::size_t bytes_out = 0;     ///< copied back
  std::size_t device_bytes = 0;  ///< device memory for chunks, freed when the call returns
  std::size_t pinned_bytes = 0;  ///< pinned memory for pageable arrays' chunks, from the pool of `pinned.hpp`
  bool pageable = false;         ///< a warning: the host copies every chunk of a pageable array once more
};

inline std::ostream& operator<<(std::ostream& out, PipelineReport const& r) {
  return out << r.label << "\n  chunks     " << r.chunks << " of " << r.chunk_rows << " rows, of " << r.rows
             << "\n  depth      " << r.depth << "\n  bytes      " << r.bytes_in << " in, " << r.bytes_out
             << " out\n  memory     " << r.device_bytes << " device, " << r.pinned_bytes << " pinned"
             << (r.pageable ? "\n  warning    pageable host memory: pinned arrays spare the host a copy\n" : "\n");
}

template <class Report>
  requires std::same_as<Report, TransferReport> || std::same_as<Report, PipelineReport>
std::string to_string(Report const& report) {
  std::ostringstream text;
  text << report;
  return text.str();
}

}  // namespace pantile
