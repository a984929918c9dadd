// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/file_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

// The kernel moves at most 2 GiB at a time; smaller pieces keep the page cache from stalling a writer.
constexpr std::size_t largest_piece = std::size_t{64} << 20;

std::string system_text(int error) { return std::generic_category().message(error); }

std::filesystem::path folder_of(std::filesystem::path const& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void keep_permissions(int descriptor, std::filesystem::path const& target) {
  struct stat status {};
  // Best effort: a file system without permissions is no reason to lose a result.
  if (::stat(target.c_str(), &status) == 0) (void)::fchmod(descriptor, status.st_mode & 0777);
}

}  // namespace

FileDescriptor::~FileDescriptor() { reset(-1); }

void FileDescriptor::reset(int number) {
  if (m_number >= 0) ::close(m_number);
  m_number = number;
}

InputFile::InputFile(std::filesystem::path path)
    : m_path(std::move(path)),
      // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
      m_descriptor(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (m_descriptor.number() < 0) fail_reading(m_path, system_text(errno));
  struct stat status {};
  if (::fstat(m_descriptor.number(), &status) != 0) fail_reading(m_path, system_text(errno));
  if (!S_ISREG(status.st_mode)) fail_reading(m_path, "it is not a regular file, so its size is not known");
  m_size = static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read_some(std::span<std::byte> bytes) {
  std::size_t done = 0;
  std::size_t const wanted = std::min<std::uint64_t>(bytes.size(), remaining());
  while (done < wanted) {
    std::size_t const piece = std::min(wanted - done, largest_piece);
    ssize_t const got = ::read(m_descriptor.number(), bytes.data() + done, piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_reading(m_path, system_text(errno), " after ", m_position, " of ", m_size, " bytes");
    if (got == 0) {
      fail_reading(m_path, "the file shrank from ", m_size, " to ", m_position, " bytes while it was read");
    }
    done += static_cast<std::size_t>(got);
    m_position += static_cast<std::uint64_t>(got);
  }
  return done;
}

void InputFile::read_exactly(std::span<std::byte> bytes) {
  if (remaining() < bytes.size()) {
    fail_reading(m_path, "the file ends at byte ", m_size, " where ", m_position + bytes.size(), " are needed");
  }
  read_some(bytes);
}

OutputFile::OutputFile(std::filesystem::path path) : m_path(std::move(path)), m_target(m_path) {
  std::error_code error;
  if (std::filesystem::is_symlink(m_path, error)) {
    m_target = std::filesystem::weakly_canonical(m_path, error);
    if (error) fail_writing(m_path, error.message());
  }
  struct stat status {};
  if (::stat(m_target.c_str(), &status) == 0) {
    // Renaming over a device such as /dev/null would replace it for the whole machine.
    if (!S_ISREG(status.st_mode)) fail_writing(m_path, "it exists and is not a regular file");
    if (::access(m_target.c_str(), W_OK) != 0) fail_writing(m_path, system_text(errno));
  } else if (errno != ENOENT) {
    fail_writing(m_path, system_text(errno));
  }
  create_temporary();
  keep_permissions(m_descriptor.number(), m_target);
}

OutputFile::~OutputFile() {
  if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

void OutputFile::create_temporary() {
  static std::atomic<unsigned> counter{0};
  constexpr int attempts = 100;
  std::filesystem::path const folder = folder_of(m_target);
  if (!m_target.has_filename()) fail_writing(m_path, "the path names a folder");
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::filesystem::path name = folder / concat(".pantile-", ::getpid(), "-", counter++, ".tmp");
    int const number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0) {
      m_descriptor.reset(number);
      m_temporary = std::move(name);
      return;
    }
    int const error = errno;
    if (error != EEXIST) {
      fail_writing(m_path, "no file can be created in the folder ", path_in_quotes(folder), " (", system_text(error),
                   ")");
    }
  }
  fail_writing(m_path, "the folder ", path_in_quotes(folder), " is full of temporary files named .pantile-*.tmp");
}

void OutputFile::write(std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    ssize_t const put = ::write(m_descriptor.number(), bytes.data(), std::min(bytes.size(), largest_piece));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_writing(m_path, system_text(errno), " after ", m_written, " bytes");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    m_written += static_cast<std::uint64_t>(put);
  }
}

void OutputFile::commit() {
  // EINVAL: the file system has no fsync.
  if (::fsync(m_descriptor.number()) != 0 && errno != EINVAL) fail_writing(m_path, system_text(errno));
  if (::close(m_descriptor.release()) != 0) fail_writing(m_path, system_text(errno));
  FileDescriptor const folder(::open(folder_of(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail_writing(m_path, system_text(errno));
  m_temporary.clear();
  // The file is there: nothing from here on may throw. The name survives a power cut once the folder is on
  // the disk too, which not every file system can do.
  if (folder.number() >= 0) (void)::fsync(folder.number());
}

void require_writable(std::filesystem::path const& path) { OutputFile const probe(path); }

}  // namespace pantile::driver
