// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

#include "allocation_watch.hpp"
#include "file_fixtures.hpp"
#include "io/matrix_file.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace pantile::driver {
namespace {

using test::allocation_watch;
using test::array_view;
using test::npy_bytes;
using test::TemporaryFolder;

/// A number from the environment, for longer runs than the daily one.
std::uint64_t setting(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::uint64_t const seed = setting("PANTILE_FUZZ_SEED", 20260117);
std::uint64_t const mutations = setting("PANTILE_FUZZ_COUNT", 30000);

/// Bytes that any reader may use for its buffers, its messages and the file's name, whatever the file says.
constexpr std::size_t working_memory = std::size_t{256} << 10;

/// Random edits of a file; half of them keep to the characters that mean something in it.
class Mutator {
 public:
  explicit Mutator(std::string_view alphabet) : m_alphabet(alphabet) {}

  std::string operator()(std::string bytes) {
    for (std::size_t edits = 1 + below(3); edits-- > 0;) edit(bytes);
    return bytes;
  }

  std::size_t below(std::size_t bound) { return m_random() % bound; }

 private:
  char character() { return below(2) ? m_alphabet[below(m_alphabet.size())] : static_cast<char>(below(256)); }

  void edit(std::string& bytes) {
    std::size_t const at = below(bytes.size() + 1);
    switch (bytes.empty() ? 1 : below(7)) {
      case 0: bytes[at % bytes.size()] = character(); break;
      case 1: bytes.insert(at, 1, character()); break;
      case 2: bytes.erase(at, 1 + below(3)); break;
      case 3: bytes.resize(at); break;
      case 4: bytes.insert(at, std::to_string(m_random() >> below(64))); break;
      case 5: bytes[at % bytes.size()] ^= static_cast<char>(1 << below(8)); break;
      default: {
        std::size_t const start = below(bytes.size());
        bytes.insert(at, bytes.substr(start, below(20)));
      }
    }
  }

  std::string_view m_alphabet;
  std::mt19937_64 m_random{seed};
};

/// Reads mutations of `seeds`. Each must give an array that fits its file or a FileError, and must
/// not take more than `factor` bytes for each byte of the file beside its working memory.
template <class Read>
void fuzz(std::vector<std::string> const& seeds, std::string_view alphabet, std::size_t factor, Read read) {
  std::cout << "seed " << seed << ", " << mutations << " mutations\n";
  TemporaryFolder const folder;
  Mutator mutate(alphabet);
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < mutations; ++i) {
    std::string const bytes = mutate(seeds[mutate.below(seeds.size())]);
    auto const path = folder.write("fuzz", bytes);
    allocation_watch.reset();
    try {
      Array const array = read(path);
      ASSERT_EQ(array.storage.size(), array.count() * element_size(array.type)) << testing::PrintToString(bytes);
      ++accepted;
    } catch (FileError const& error) {
      ASSERT_STRNE(error.what(), "");
    }
    ASSERT_LE(allocation_watch.largest, working_memory + factor * bytes.size()) << testing::PrintToString(bytes);
  }
  std::cout << accepted << " of them were still files\n";
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, mutations);
}

TEST(FileFuzz, Npy) {
  std::string const data(96, '\x01');
  std::vector<std::string> const seeds{
      npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 6), }\n", data),
      npy_bytes("{'descr': '>c16', 'fortran_order': True, 'shape': (2, 1, 3), }\n", data, 2),
      npy_bytes("{'descr': '|i1', 'fortran_order': False, 'shape': (96,), }\n", data, 3),
      npy_bytes("{'descr': '<V2', 'fortran_order': False, 'shape': (0, 3), }\n", ""),
      npy_bytes("{'descr': '>M8[25s]', 'fortran_order': False, 'shape': (12,), }\n", data),
      npy_bytes("{'descr': '<U6', 'fortran_order': False, 'shape': (2, 2), }\n", data),
  };
  fuzz(seeds, "{}()[]':, \n0123456789-<>|=bfciuSUVMmsOLTrueFalse", 1, [](auto const& path) { return read_npy(path); });
}

std::vector<std::string> const& matrix_market_seeds() {
  static std::vector<std::string> const seeds{
      "%%MatrixMarket matrix array real general\n% a comment\n2 3\n1.5\n-2\n3e5\n4\n5\n6\n",
      "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 -3\n4 0\n",
      "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2.5\n2 1 7\n3 3 -1\n2 1 1\n",
      "%%MatrixMarket matrix coordinate pattern general\r\n4 5 2\r\n1 5\r\n4 1\r\n",
  };
  return seeds;
}

TEST(FileFuzz, MatrixMarket) {
  fuzz(matrix_market_seeds(), " \n\r%0123456789+-.einfa", 16,
       [](auto const& path) { return read_matrix_market(path, {}, 64 << 10); });
}

TEST(FileMemory, IsAskedForOnlyAfterTheSizeIsKnownToBeRight) {
  TemporaryFolder const folder;
  for (std::string const& bytes : {
           npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000)}", "x"),
           npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000)}", "x", 2),
           "\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff{}",
           std::string("%%MatrixMarket matrix array real general\n100000 100000\n1\n"),
           std::string("%%MatrixMarket matrix coordinate real general\n100000 100000 1\n1 1 1\n"),
       }) {
    auto const path = folder.write("a", bytes);
    allocation_watch.reset();
    test::file_error_of(path, [&] { read_matrix_file(path); });
    EXPECT_LT(allocation_watch.largest, working_memory);
  }
}

TEST(FileMemory, ThatTheMachineHasNot) {
  TemporaryFolder const folder;
  std::string const data(300000, '0');
  auto const path =
      folder.write("a", npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (300000,), }", data));
  allocation_watch.reset();
  allocation_watch.limit = 200000;
  std::string message;
  try {
    read_matrix_file(path);
  } catch (FileError const& error) {
    message = error.what();
  }
  allocation_watch.reset();
  EXPECT_THAT(message, testing::HasSubstr("need 300000 bytes of memory, which this machine does not give"));
}

/// Lets the 1st, 2nd, 3rd ... allocation of `action` fail until it succeeds.
template <class Action, class Check>
void fail_each_allocation(Action action, Check check_after_failure) {
  for (std::size_t attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 1000u);
    bool succeeded = false;
    allocation_watch.reset();
    allocation_watch.left = attempt;
    try {
      action();
      succeeded = allocation_watch.left <= attempt;
    } catch (std::bad_alloc const&) {
    } catch (FileError const&) {
    } catch (std::filesystem::filesystem_error const&) {
    }
    allocation_watch.reset();
    if (succeeded) return;
    check_after_failure();
  }
}

TEST(FileMemory, FailingAllocationsLeaveNoFile) {
  TemporaryFolder const folder;
  std::vector<double> const values{1, 2, 3, 4, 5, 6};
  for (std::string const name : {"a.npy", "a.mtx"}) {
    auto const path = folder / name;
    fail_each_allocation(
        [&] {
          write_matrix_file(path, array_view(values.data(), {2, 3}));
        },
        [&] { ASSERT_EQ(folder.file_count(), 0u); });
    fail_each_allocation([&] { read_matrix_file(path); }, [] {});
    std::filesystem::remove(path);
  }
  for (std::string const& bytes : matrix_market_seeds()) {
    auto const path = folder.write("b.mtx", bytes);
    fail_each_allocation([&] { read_matrix_file(path); }, [] {});
  }
}

}  // namespace
}  // namespace pantile::driver
