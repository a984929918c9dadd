// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/array.hpp"
#include "io/file_stream.hpp"

namespace pantile::driver {

/// What a result is made from, a line for each thing that must be the same when its run is resumed.
using Identity = std::vector<std::string>;

/// An .npy file that is written in parts, in any order, and appears whole or not at all; a run that was killed can be
/// gone on with. The bytes go to .pantile-NAME.tmp, how many parts are on the disk to .pantile-NAME.journal beside it,
/// once there is something to keep: then both stay without commit(). One run at a time may write a file.
class PartialFile {
 public:
  /// Takes room on the disk at once, where the file system can. With `resume` it goes on with what an earlier run has
  /// left. Throws FileError, and changes nothing, where there is no room, another run writes the file, or the earlier
  /// run's identity or its journal's version is another one.
  PartialFile(std::filesystem::path path, ElementType type, Shape const& shape, Order order, Identity identity,
              bool resume);
  ~PartialFile();
  PartialFile(PartialFile&&) = delete;
  PartialFile& operator=(PartialFile&&) = delete;

  [[nodiscard]] int descriptor() const { return m_descriptor.number(); }
  /// Of the first element.
  [[nodiscard]] std::uint64_t offset() const { return m_header.size(); }
  /// Parts that are on the disk.
  [[nodiscard]] std::int64_t parts() const { return m_parts; }

  /// Brings what was written to the disk, then writes into the journal that so many parts are there. Throws FileError.
  void record(std::int64_t parts);

  /// Brings all to the disk, gives it its name and removes the journal. Throws FileError.
  void commit();

 private:
  void open_alone();
  void require_room() const;
  void take_room() const;
  [[nodiscard]] bool read_journal();
  void begin_journal();
  void synchronise(FileDescriptor const& file) const;
  void synchronise_folder() const;

  std::filesystem::path m_path;                            // as the caller named it, for messages
  std::filesystem::path m_target, m_temporary, m_journal;  // behind symbolic links
  std::string m_header;
  std::uint64_t m_size;
  Identity m_identity;
  FileDescriptor m_descriptor, m_journal_descriptor;
  std::int64_t m_parts = 0;
  bool m_committed = false;
};

/// The line of the journal for this output that begins with these words, without them; nothing where there is none.
std::optional<std::string> line_of_journal(std::filesystem::path const& output, std::string const& words);

}  // namespace pantile::driver
