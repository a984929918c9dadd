// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "file_fixtures.hpp"
#include "io/file_stream.hpp"
#include "io/matrix_file.hpp"

namespace pantile::driver {
namespace {

using test::array_view;
using test::contents;
using test::file_error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

std::vector<double> const values(1000, 0.5);

void write_values(std::filesystem::path const& path) {
  write_matrix_file(path, array_view(values.data(), {values.size()}));
}

std::string write_error(std::filesystem::path const& path) {
  std::string const message = file_error_of(path, [&] { write_values(path); });
  EXPECT_EQ(file_error_of(path, [&] { require_matrix_file_writable(path); }), message);
  EXPECT_THAT(message, HasSubstr("cannot write '" + path.string() + "': "));
  return message;
}

/// Lets no file grow beyond `bytes`, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit const limit{bytes, m_before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }
  FileSizeLimit(FileSizeLimit&&) = delete;
  FileSizeLimit& operator=(FileSizeLimit&&) = delete;

 private:
  void (*m_handler)(int);
  rlimit m_before{};
};

TEST(FileOutput, ReplacesAnOlderFileWholeAndKeepsItsPermissions) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.npy", "older");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  require_matrix_file_writable(path);
  EXPECT_EQ(contents(path), "older");
  write_values(path);
  EXPECT_EQ(read_matrix_file(path).count(), values.size());
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(FileOutput, GivesANewFileThePermissionsOfTheMask) {
  TemporaryFolder const folder;
  mode_t const before = ::umask(027);
  write_values(folder / "a.npy");
  ::umask(before);
  EXPECT_EQ(std::filesystem::status(folder / "a.npy").permissions(), std::filesystem::perms(0640));
}

TEST(FileOutput, FollowsASymbolicLink) {
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "real");
  folder.write("real/a.npy", "older");
  std::filesystem::create_symlink("real/a.npy", folder / "link.npy");
  write_values(folder / "link.npy");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(read_matrix_file(folder / "real/a.npy").count(), values.size());
}

TEST(FileOutput, WritesThroughALinkToAFileThatIsNotThereYet) {
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_symlink("real/next.npy", folder / "link.npy");
  std::filesystem::create_symlink(folder / "real/a.npy", folder / "real/next.npy");
  write_values(folder / "link.npy");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "real/next.npy"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "real/a.npy"));
  EXPECT_EQ(read_matrix_file(folder / "real/a.npy").count(), values.size());
}

TEST(FileOutput, RefusesLinksInACircle) {
  TemporaryFolder const folder;
  std::filesystem::create_symlink("b.npy", folder / "a.npy");
  std::filesystem::create_symlink("a.npy", folder / "b.npy");
  EXPECT_THAT(write_error(folder / "a.npy"), HasSubstr("Too many levels of symbolic links"));
}

TEST(FileOutput, SignalsThatEndTheProgramRemoveTheTemporaryFile) {
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    TemporaryFolder const folder;
    auto const path = folder.write("a.npy", "older");
    auto const write_until_killed = [&] {
      remove_temporaries_on_signals();
      OutputFile file(path);
      file.write("newer");
      ::raise(signal);
    };
    EXPECT_EXIT(write_until_killed(), testing::KilledBySignal(signal), "");
    EXPECT_EQ(contents(path), "older");
    EXPECT_EQ(folder.file_count(), 1u) << "signal " << signal;
  }
}

TEST(FileOutput, SignalsAfterCommitLeaveTheFile) {
  TemporaryFolder const folder;
  auto const write_and_die = [&] {
    remove_temporaries_on_signals();
    write_values(folder / "a.npy");
    ::raise(SIGTERM);
  };
  EXPECT_EXIT(write_and_die(), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(read_matrix_file(folder / "a.npy").count(), values.size());
}

TEST(FileOutput, IgnoredSignalsStayIgnored) {
  TemporaryFolder const folder;
  auto const write_under_nohup = [&] {
    std::signal(SIGHUP, SIG_IGN);
    remove_temporaries_on_signals();
    OutputFile file(folder / "a.npy");
    ::raise(SIGHUP);
    file.write("all of it");
    file.commit();
    std::_Exit(0);
  };
  EXPECT_EXIT(write_under_nohup(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(contents(folder / "a.npy"), "all of it");
}

TEST(FileOutput, WritesToTheCurrentFolder) {
  TemporaryFolder const folder;
  std::filesystem::path const before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_values("plain.npy");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_matrix_file(folder / "plain.npy").count(), values.size());
}

TEST(FileOutput, WithoutCommitLeavesTheOlderFile) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.npy", "older");
  {
    OutputFile file(path);
    file.write("newer");
    EXPECT_EQ(folder.file_count(), 2u);
  }
  EXPECT_EQ(contents(path), "older");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(FileOutput, FullDiskLeavesNothing) {
  TemporaryFolder const folder;
  for (std::string const name : {"a.npy", "a.mtx"}) {
    auto const path = folder / name;
    FileSizeLimit const limit(2000);
    std::string const message = file_error_of(path, [&] { write_values(path); });
    EXPECT_THAT(message, HasSubstr("File too large after 2000 bytes"));
    EXPECT_EQ(folder.file_count(), 0u);
  }
}

TEST(FileOutput, RefusesWhatIsNotARegularFile) {
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "b.npy");
  EXPECT_THAT(write_error(folder / "b.npy"), HasSubstr("exists and is not a regular file"));
  std::filesystem::create_symlink("/dev/null", folder / "null.npy");
  EXPECT_THAT(write_error(folder / "null.npy"), HasSubstr("exists and is not a regular file"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(file_error_of("/dev/null", [] { require_writable("/dev/null"); }), HasSubstr("not a regular file"));
}

TEST(FileOutput, RefusesFoldersThatAreNotThere) {
  TemporaryFolder const folder;
  auto const path = folder / "missing" / "a.npy";
  EXPECT_THAT(write_error(path), HasSubstr("no file can be created in the folder '" + path.parent_path().string() +
                                           "' (No such file or directory)"));
  folder.write("file", "");
  EXPECT_THAT(write_error(folder / "file" / "a.npy"), HasSubstr("Not a directory"));
  EXPECT_THAT(write_error(folder / (std::string(300, 'a') + ".npy")), HasSubstr("File name too long"));
  EXPECT_THAT(file_error_of("", [] { require_writable(""); }), HasSubstr("the path names a folder"));
}

TEST(FileOutput, RefusesFoldersAndFilesThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  TemporaryFolder const folder;
  auto const path = folder.write("a.npy", "older");
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  EXPECT_THAT(write_error(path), HasSubstr("Permission denied"));
  EXPECT_EQ(contents(path), "older");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_THAT(write_error(folder / "b.npy"), HasSubstr("(Permission denied)"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

TEST(MatrixFile, ChoosesTheFormatByNameAndByContents) {
  TemporaryFolder const folder;
  write_values(folder / "a.npy");
  write_values(folder / "a.mtx");
  write_values(folder / "a.mm");
  EXPECT_EQ(contents(folder / "a.npy").substr(0, 6), "\x93NUMPY");
  EXPECT_EQ(contents(folder / "a.mtx"), contents(folder / "a.mm"));
  std::filesystem::rename(folder / "a.mtx", folder / "text");
  EXPECT_EQ(read_matrix_file(folder / "text").shape, (Shape{values.size(), 1}));
  EXPECT_EQ(read_matrix_file(folder / "a.npy").shape, (Shape{values.size()}));
}

TEST(MatrixFile, RefusesOtherFormats) {
  TemporaryFolder const folder;
  EXPECT_THAT(write_error(folder / "a.csv"), HasSubstr("its name ends in none of .npy, .mtx and .mm"));
  EXPECT_THAT(write_error(folder / "npy"), HasSubstr("its name ends in none of"));
  EXPECT_EQ(folder.file_count(), 0u);
  for (std::string const text : {"", "%", "1 2 3\n", "\x89HDF"}) {
    auto const path = folder.write("a", text);
    EXPECT_THAT(file_error_of(path, [&] { read_matrix_file(path); }), HasSubstr("neither an .npy nor a Matrix Market"));
  }
  auto const zip = folder.write("a.npz", "PK\x03\x04...");
  EXPECT_THAT(file_error_of(zip, [&] { read_matrix_file(zip); }), HasSubstr("zip archive"));
}

TEST(MatrixFile, MessagesKeepControlCharactersOfNamesOut) {
  TemporaryFolder const folder;
  try {
    read_matrix_file(folder / "a\n\x1b[2J.npy");
    FAIL();
  } catch (FileError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("a\\x0a\\x1b[2J.npy': No such file or directory"));
  }
}

}  // namespace
}  // namespace pantile::driver
