// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <signal.h>

namespace pantile::driver {

/// A POSIX file descriptor that closes itself.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : m_number(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : m_number(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();

  int number() const { return m_number; }
  int release() { return std::exchange(m_number, -1); }
  void reset(int number);

 private:
  int m_number = -1;
};

/// Whether the path is `-`, which stands for the standard input or output; a file of that name is `./-`.
bool is_standard_stream(std::filesystem::path const& path);

/// Whether both paths name one file, through links or not, be it there or not yet.
bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b);

/// A regular file read from front to back, whose size is known before the first byte is used; or the standard
/// input, whose size is taken for 2^64 - 1 bytes.
class InputFile {
 public:
  /// Throws FileError for a file that cannot be opened or that has no size (folder, pipe, device).
  explicit InputFile(std::filesystem::path path);

  std::filesystem::path const& path() const { return m_path; }
  std::uint64_t size() const { return m_size; }
  bool has_size() const { return m_size != unknown_size; }
  std::uint64_t remaining() const { return m_size - m_position; }

  /// Fills `bytes` as far as the file goes and returns how many came. Throws FileError.
  std::size_t read_some(std::span<std::byte> bytes);

  /// Fills all of `bytes`. Throws FileError, also when the file ends early.
  void read_exactly(std::span<std::byte> bytes);

 private:
  static constexpr std::uint64_t unknown_size = ~std::uint64_t{0};

  std::filesystem::path m_path;
  FileDescriptor m_descriptor;
  std::uint64_t m_size = unknown_size;
  std::uint64_t m_position = 0;
};

/// A file that appears whole or not at all: the bytes go to a temporary file in the same folder, to which commit()
/// gives the final name, an older file's permissions, and the place behind a symbolic link. Without commit() nothing
/// changes. The standard output gets the bytes at once.
class OutputFile {
 public:
  /// Throws FileError when the folder cannot be written, or the path is there already as something other
  /// than a regular file that may be written.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::span<std::byte const> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// The temporary file, for a library that writes by name.
  std::filesystem::path const& temporary() const { return m_temporary; }

  /// Brings the bytes to the disk, then renames. Throws FileError.
  void commit();

 private:
  void create_temporary();

  std::filesystem::path m_path;       // as the caller named it, for messages
  std::filesystem::path m_target;     // behind symbolic links
  std::filesystem::path m_temporary;  // empty for the standard output, and after commit()
  FileDescriptor m_descriptor;
  std::uint64_t m_written = 0;
};

/// Makes signals that end the program (SIGINT, SIGTERM, SIGHUP ...) remove the temporary file of an OutputFile first;
/// those that are ignored stay so. SIGXFSZ becomes ignored: a file that must not grow any more is an error like a full
/// disk. Call it once, before the first OutputFile.
void remove_temporaries_on_signals();

/// Keeps the signals that end the program from this thread while it lives.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(SignalsHeld&&) = delete;
  SignalsHeld& operator=(SignalsHeld&&) = delete;

 private:
  sigset_t m_before{};
};

/// A file that such a signal removes, by a name that lives until it is forgotten; for other writers than OutputFile.
void remember_temporary(char const* name);
void forget_temporary(char const* name);

/// The folder in which a path lies.
std::filesystem::path folder_of(std::filesystem::path const& path);

/// The path that a link names in the end, also where nothing is there yet: std::filesystem stops at such a link. Throws
/// FileError.
std::filesystem::path behind_links(std::filesystem::path const& path);

/// Gives a new file the permissions of the one that it replaces.
void keep_permissions(int descriptor, std::filesystem::path const& target);

/// Throws the FileError that a writer of `path` would throw at its start, so that a program can refuse
/// before hours of work; leaves nothing behind.
void require_writable(std::filesystem::path const& path);

}  // namespace pantile::driver
