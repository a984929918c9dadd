// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/partial_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "io/file_error.hpp"
#include "io/npy_header.hpp"

namespace pantile::driver {

namespace {

constexpr std::string_view first_line = "pantile journal 2";
constexpr std::string_view parts_word = "parts ";

std::string system_text(int error) { return std::generic_category().message(error); }

/// .pantile-NAME.ENDING beside the target.
std::filesystem::path beside(std::filesystem::path const& target, std::string_view ending) {
  std::string name = ".pantile-" + target.filename().string();
  return folder_of(target) / name.append(ending);
}

/// Whole lines of a file: one that a power cut has left without its end is none.
std::vector<std::string> lines_of(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line) && !file.eof();) lines.push_back(line);
  return lines;
}

/// So many parts are there of what has this identity. Its last number, FNV-1a (Fowler, Noll, Vo) of all that the line
/// stands for, tells it from a damaged one.
std::string line_of_parts(Identity const& identity, std::int64_t parts) {
  std::uint64_t check = 0xcbf29ce484222325u;
  auto const mix = [&check](std::string const& text) {
    for (char const c : text) check = (check ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  };
  for (std::string const& line : identity) mix(line + "\n");
  mix(std::to_string(parts));
  return concat(parts_word, parts, " ", check);
}

/// The number of a line of parts, if it is one of this identity.
std::optional<std::int64_t> parts_of(std::string const& line, Identity const& identity) {
  if (!line.starts_with(parts_word)) return std::nullopt;
  std::int64_t parts = 0;
  std::from_chars(line.data() + parts_word.size(), line.data() + line.size(), parts);
  return line == line_of_parts(identity, parts) ? std::optional(parts) : std::nullopt;
}

std::string header_text(ElementType type, Shape const& shape, Order order) {
  std::byte const some{};
  return format_npy_header({.type = type, .shape = shape, .order = order, .data = &some});
}

}  // namespace

PartialFile::PartialFile(std::filesystem::path path, ElementType type, Shape const& shape, Order order,
                         Identity identity, bool resume)
    : m_path(std::move(path)),
      m_target(behind_links(m_path)),
      m_temporary(beside(m_target, ".tmp")),
      m_journal(beside(m_target, ".journal")),
      m_header(header_text(type, shape, order)),
      m_size(m_header.size() + shape.count() * element_size(type)),
      m_identity(std::move(identity)) {
  open_alone();
  if (resume && read_journal()) {
    m_journal_descriptor.reset(::open(m_journal.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (m_journal_descriptor.number() < 0) fail_writing(m_journal, system_text(errno));
    take_room();
    return;
  }
  SignalsHeld const held;  // none comes between the journal's end and the file's being remembered
  // No power cut may bring it back once the file is another one.
  if (::unlink(m_journal.c_str()) == 0) synchronise_folder();
  remember_temporary(m_temporary.c_str());
  try {
    if (::ftruncate(descriptor(), 0) != 0) fail_writing(m_path, system_text(errno));
    require_room();
    take_room();
    if (::pwrite(descriptor(), m_header.data(), m_header.size(), 0) != static_cast<ssize_t>(m_header.size())) {
      fail_writing(m_path, system_text(errno));
    }
  } catch (...) {
    ::unlink(m_temporary.c_str());
    forget_temporary(m_temporary.c_str());
    throw;
  }
  keep_permissions(descriptor(), m_target);
}

PartialFile::~PartialFile() {
  if (m_committed || m_journal_descriptor.number() >= 0) return;
  ::unlink(m_temporary.c_str());
  forget_temporary(m_temporary.c_str());
}

/// Opens the temporary file and locks it, so that no other run has it open; not one that such a run has just renamed.
void PartialFile::open_alone() {
  while (true) {
    m_descriptor.reset(::open(m_temporary.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (descriptor() < 0) {
      fail_writing(m_path, "no file can be created in the folder ", path_in_quotes(folder_of(m_target)), " (",
                   system_text(errno), ")");
    }
    if (::flock(descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      fail_writing(m_path, "another run of this program is writing it");
    }
    struct stat opened {
    }, named{};
    if (::fstat(descriptor(), &opened) != 0) fail_writing(m_path, system_text(errno));
    if (::stat(m_temporary.c_str(), &named) == 0 && named.st_ino == opened.st_ino) return;
  }
}

void PartialFile::require_room() const {
  struct statvfs status {};
  if (::statvfs(folder_of(m_target).c_str(), &status) != 0) return;
  auto const room = static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
  if (room >= m_size) return;
  fail_writing(m_path, "it will have ", m_size, " bytes, but the disk has room for ", room, " only");
}

void PartialFile::take_room() const {
  if (m_size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) fail_writing(m_path, system_text(EFBIG));
  int status = 0;
  do status = ::fallocate(descriptor(), 0, 0, static_cast<off_t>(m_size));
  while (status != 0 && errno == EINTR);
  if (status == 0) return;
  if (errno == EOPNOTSUPP && ::ftruncate(descriptor(), static_cast<off_t>(m_size)) == 0) return;
  fail_writing(m_path, "no room can be had on the disk for its ", m_size, " bytes (", system_text(errno), ")");
}

/// Whether there is a run to go on with. One whose file has got its name may have left its journal, and a power cut a
/// piece of one, or of its last line.
bool PartialFile::read_journal() {
  std::vector<std::string> const lines = lines_of(m_journal);
  struct stat status {};
  if (::fstat(descriptor(), &status) != 0 || status.st_size == 0 || lines.empty()) return false;
  if (lines.front() != first_line) {
    fail_reading(m_journal, "it is no journal of this version of the program; without --resume the run begins anew");
  }
  auto const is_of_parts = [](std::string const& line) { return line.starts_with(parts_word); };
  auto const end = std::find_if(lines.begin(), lines.end(), is_of_parts);
  Identity then(lines.begin() + 1, end);
  std::optional<std::int64_t> parts;
  for (auto line = end; line != lines.end(); ++line) {
    if (auto const recorded = parts_of(*line, then)) parts = recorded;
  }
  if (!parts) return false;
  then.resize(std::max(then.size(), m_identity.size()));
  for (std::size_t i = 0; i < m_identity.size(); ++i) {
    if (then[i] == m_identity[i]) continue;
    fail_writing(m_path, "the run to be resumed had \"", then[i], "\", this one has \"", m_identity[i],
                 "\"; without --resume it begins anew");
  }
  if (static_cast<std::uint64_t>(status.st_size) != m_size) return false;
  m_parts = *parts;
  return true;
}

void PartialFile::begin_journal() {
  m_journal_descriptor.reset(::open(m_journal.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
  if (m_journal_descriptor.number() < 0) fail_writing(m_journal, system_text(errno));
  forget_temporary(m_temporary.c_str());
}

void PartialFile::record(std::int64_t parts) {
  synchronise(m_descriptor);
  std::string text;
  bool const begins = m_journal_descriptor.number() < 0;
  if (begins) {
    begin_journal();
    text = concat(first_line, "\n");
    for (std::string const& line : m_identity) text += line + "\n";
  }
  text += line_of_parts(m_identity, parts) + "\n";
  if (::write(m_journal_descriptor.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fail_writing(m_journal, system_text(errno));
  }
  synchronise(m_journal_descriptor);
  if (begins) synchronise_folder();
  m_parts = parts;
}

void PartialFile::synchronise(FileDescriptor const& file) const {
  if (::fdatasync(file.number()) != 0 && errno != EINVAL) fail_writing(m_path, system_text(errno));
}

void PartialFile::synchronise_folder() const {
  FileDescriptor const folder(::open(folder_of(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) (void)::fsync(folder.number());  // which not every file system can do
}

void PartialFile::commit() {
  if (::fsync(descriptor()) != 0 && errno != EINVAL) fail_writing(m_path, system_text(errno));
  if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail_writing(m_path, system_text(errno));
  // The file is there: nothing from here on may throw.
  m_committed = true;
  forget_temporary(m_temporary.c_str());
  synchronise_folder();
  ::unlink(m_journal.c_str());
}

std::optional<std::string> line_of_journal(std::filesystem::path const& output, std::string const& words) {
  for (std::string const& line : lines_of(beside(behind_links(output), ".journal"))) {
    if (line.starts_with(words)) return line.substr(words.size());
  }
  return std::nullopt;
}

}  // namespace pantile::driver
