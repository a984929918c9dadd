// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Preloaded into a program, kills it at the call by which it would change a file for the nth time. A write is
///        two such calls: before it, and when half of it is done. On glibc.
///
/// PANTILE_KILL_AT     n; 0: never
/// PANTILE_KILL_CUTS   1: what was not brought to the disk by then is lost, as when the power fails: bytes that pwrite
///                     wrote, and the end of names that unlink removed. What write wrote stays: it is the worse case
/// PANTILE_KILL_COUNT  a file for the number of such calls in a run that ends by itself
///
/// Each look at the steady clock is a second after the last one, so that nothing waits for time to go by.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <vector>

namespace {

template <class Function>
Function* next(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

long number_of(char const* variable) {
  char const* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atol(text);
}

struct stat status_of(int file) {
  struct stat status {};
  ::fstat(file, &status);
  return status;
}

/// What would be lost. All members under `mutex`.
class Disk {
 public:
  std::mutex mutex;

  /// Before a call that changes a file; `half` does half of it.
  template <class Half>
  void change(Half const& half) {
    if (++m_changes == m_last) die();
    if (++m_changes != m_last) return;
    half();
    die();
  }
  void change() {
    if (++m_changes == m_last) die();
  }

  void overwrite(int file, std::size_t bytes, off_t place) {
    if (!m_cuts) return;
    std::vector<char> old(bytes);
    old.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(file, old.data(), bytes, place), 0)));
    m_overwritten.push_back({file, status_of(file).st_ino, place, std::move(old)});
  }
  int remove(char const* path) {
    std::string const kept = std::string(path) + "~";
    if (!m_cuts) return next<decltype(::unlink)>("unlink")(path);
    int const result = next<decltype(::rename)>("rename")(path, kept.c_str());
    if (result == 0) m_removed.emplace_back(path);
    return result;
  }
  void synchronised(int file) {
    struct stat const status = status_of(file);
    std::erase_if(m_overwritten, [&](Bytes const& bytes) { return bytes.inode == status.st_ino; });
    if (S_ISDIR(status.st_mode)) forget_removed();
  }

  ~Disk() {
    forget_removed();
    char const* const path = std::getenv("PANTILE_KILL_COUNT");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    std::fprintf(file, "%ld\n", m_changes);
    std::fclose(file);
  }

 private:
  struct Bytes {
    int file;
    ino_t inode;
    off_t place;
    std::vector<char> old;
  };

  void forget_removed() {
    for (std::string const& path : m_removed) next<decltype(::unlink)>("unlink")((path + "~").c_str());
    m_removed.clear();
  }

  [[noreturn]] void die() {
    auto* const write_back = next<decltype(::pwrite)>("pwrite");
    for (auto bytes = m_overwritten.rbegin(); bytes != m_overwritten.rend(); ++bytes) {
      (void)!write_back(bytes->file, bytes->old.data(), bytes->old.size(), bytes->place);
    }
    for (std::string const& path : m_removed) {
      // One that was made anew since stays.
      if (::access(path.c_str(), F_OK) != 0) next<decltype(::rename)>("rename")((path + "~").c_str(), path.c_str());
    }
    forget_removed();
    ::kill(::getpid(), SIGKILL);
    while (true) ::pause();
  }

  long m_changes = 0, m_last = number_of("PANTILE_KILL_AT");
  bool m_cuts = number_of("PANTILE_KILL_CUTS") != 0;
  std::vector<Bytes> m_overwritten;
  std::vector<std::string> m_removed;
};

Disk& disk() {
  static Disk instance;
  return instance;
}

ssize_t write_at(int file, void const* data, std::size_t bytes, off_t place) {
  auto* const real = next<decltype(::pwrite)>("pwrite");
  std::lock_guard const lock(disk().mutex);
  disk().change([&] {
    disk().overwrite(file, bytes / 2, place);
    (void)!real(file, data, bytes / 2, place);
  });
  disk().overwrite(file, bytes, place);
  return real(file, data, bytes, place);
}

template <class Real, class... Arguments>
int change(Real* real, Arguments... arguments) {
  std::lock_guard const lock(disk().mutex);
  disk().change();
  return real(arguments...);
}

int synchronise(char const* how, int file) {
  std::lock_guard const lock(disk().mutex);
  disk().change();
  int const result = next<int(int)>(how)(file);
  if (result == 0) disk().synchronised(file);
  return result;
}

}  // namespace

extern "C" {

ssize_t pwrite(int file, void const* data, std::size_t bytes, off_t place) {
  return write_at(file, data, bytes, place);
}
ssize_t pwrite64(int file, void const* data, std::size_t bytes, off64_t place) {
  return write_at(file, data, bytes, place);
}

ssize_t write(int file, void const* data, std::size_t bytes) {
  auto* const real = next<decltype(::write)>("write");
  if (!S_ISREG(status_of(file).st_mode)) return real(file, data, bytes);
  std::lock_guard const lock(disk().mutex);
  disk().change([&] { (void)!real(file, data, bytes / 2); });
  return real(file, data, bytes);
}

int fdatasync(int file) { return synchronise("fdatasync", file); }
int fsync(int file) { return synchronise("fsync", file); }
int ftruncate(int file, off_t bytes) noexcept { return change(next<int(int, off_t)>("ftruncate"), file, bytes); }
int ftruncate64(int file, off64_t bytes) noexcept {
  return change(next<int(int, off64_t)>("ftruncate64"), file, bytes);
}
int fallocate64(int file, int mode, off64_t place, off64_t bytes) {
  return change(next<int(int, int, off64_t, off64_t)>("fallocate64"), file, mode, place, bytes);
}
int rename(char const* from, char const* to) noexcept {
  return change(next<int(char const*, char const*)>("rename"), from, to);
}
int unlink(char const* path) noexcept {
  std::lock_guard const lock(disk().mutex);
  disk().change();
  return disk().remove(path);
}

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static std::mutex mutex;
  static time_t seconds = 0;
  int const result = next<int(clockid_t, struct timespec*)>("clock_gettime")(clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC) return result;
  std::lock_guard const lock(mutex);
  time->tv_sec += ++seconds;
  return result;
}

}  // extern "C"
