// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/file_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

// The kernel moves at most 2 GiB at a time; smaller pieces keep the page cache from stalling a writer.
constexpr std::size_t largest_piece = std::size_t{64} << 20;

std::string system_text(int error) { return std::generic_category().message(error); }

/// Names of the temporary files that there are, for a signal handler. A program writes one file at a time; more than
/// these at once are not remembered.
std::array<std::atomic<char const*>, 4> temporaries{};
static_assert(std::atomic<char const*>::is_always_lock_free);

constexpr std::array ending_signals{SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2};

}  // namespace

extern "C" {
static void remove_temporaries_and_die(int signal) {
  for (auto const& slot : temporaries) {
    if (char const* const name = slot.load()) ::unlink(name);
  }
  ::raise(signal);  // held until this returns, and then as if there had been no handler
}
}

void remove_temporaries_on_signals() {
  ::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = remove_temporaries_and_die;
  action.sa_flags = SA_RESETHAND;
  for (int const signal : ending_signals) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      ::sigaction(signal, &action, nullptr);
    }
  }
}

SignalsHeld::SignalsHeld() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (int const signal : ending_signals) ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, &m_before);
}

SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

void remember_temporary(char const* name) {
  for (auto& slot : temporaries) {
    char const* expected = nullptr;
    if (slot.compare_exchange_strong(expected, name)) return;
  }
}

void forget_temporary(char const* name) {
  for (auto& slot : temporaries) {
    char const* expected = name;
    if (slot.compare_exchange_strong(expected, nullptr)) return;
  }
}

std::filesystem::path folder_of(std::filesystem::path const& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void keep_permissions(int descriptor, std::filesystem::path const& target) {
  struct stat status {};
  // Best effort: a file system without permissions is no reason to lose a result.
  if (::stat(target.c_str(), &status) == 0) (void)::fchmod(descriptor, status.st_mode & 0777);
}

std::filesystem::path behind_links(std::filesystem::path const& path) {
  constexpr int most_links = 40;  // as many as Linux follows
  std::filesystem::path target = path;
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target, error)); ++links) {
    if (links == most_links) fail_writing(path, system_text(ELOOP));
    std::filesystem::path const next = std::filesystem::read_symlink(target, error);
    if (error) fail_writing(path, error.message());
    target = folder_of(target) / next;  // an absolute one replaces the folder
  }
  return target;
}

FileDescriptor::~FileDescriptor() { reset(-1); }

void FileDescriptor::reset(int number) {
  if (m_number >= 0) ::close(m_number);
  m_number = number;
}

bool is_standard_stream(std::filesystem::path const& path) { return path == "-"; }

bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored) ||
         std::filesystem::weakly_canonical(std::filesystem::absolute(a, ignored), ignored) ==
             std::filesystem::weakly_canonical(std::filesystem::absolute(b, ignored), ignored);
}

InputFile::InputFile(std::filesystem::path path)
    : m_path(std::move(path)),
      // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
      m_descriptor(is_standard_stream(m_path) ? ::dup(STDIN_FILENO)
                                              : ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (m_descriptor.number() < 0) fail_reading(m_path, system_text(errno));
  if (is_standard_stream(m_path)) return;
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
    if (got < 0) fail_reading(m_path, system_text(errno), " after ", m_position, " bytes");
    if (got == 0 && !has_size()) break;
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
  std::uint64_t const needed = m_position + bytes.size();
  if (read_some(bytes) == bytes.size()) return;
  fail_reading(m_path, "the stream ends at byte ", m_position, " where ", needed, " are needed");
}

OutputFile::OutputFile(std::filesystem::path path) : m_path(std::move(path)), m_target(behind_links(m_path)) {
  if (is_standard_stream(m_path)) {
    m_descriptor.reset(::dup(STDOUT_FILENO));
    return;
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
  if (m_temporary.empty()) return;
  ::unlink(m_temporary.c_str());
  forget_temporary(m_temporary.c_str());
}

void OutputFile::create_temporary() {
  static std::atomic<unsigned> counter{0};
  constexpr int attempts = 100;
  std::filesystem::path const folder = folder_of(m_target);
  if (!m_target.has_filename()) fail_writing(m_path, "the path names a folder");
  SignalsHeld const held;  // none comes between the file and its being remembered
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::filesystem::path name = folder / concat(".pantile-", ::getpid(), "-", counter++, ".tmp");
    int const number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0) {
      m_descriptor.reset(number);
      m_temporary = std::move(name);
      remember_temporary(m_temporary.c_str());
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
  // EINVAL: the file system, or what the standard output is, has no fsync.
  if (::fsync(m_descriptor.number()) != 0 && errno != EINVAL) fail_writing(m_path, system_text(errno));
  if (::close(m_descriptor.release()) != 0) fail_writing(m_path, system_text(errno));
  if (m_temporary.empty()) return;
  FileDescriptor const folder(::open(folder_of(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail_writing(m_path, system_text(errno));
  forget_temporary(m_temporary.c_str());
  m_temporary.clear();
  // The file is there: nothing from here on may throw. The name survives a power cut once the folder is on
  // the disk too, which not every file system can do.
  if (folder.number() >= 0) (void)::fsync(folder.number());
}

void require_writable(std::filesystem::path const& path) { OutputFile const probe(path); }

}  // namespace pantile::driver
