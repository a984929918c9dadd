// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <vector>

#include "file_fixtures.hpp"
#include "io/npy.hpp"

namespace pantile::driver {
namespace {

using namespace std::string_literals;
using test::array_view;
using test::file_error_of;
using test::npy_bytes;
using test::TemporaryFolder;
using testing::HasSubstr;

struct BadFile {
  std::string bytes;
  std::string message;
};

void expect_refused(std::vector<BadFile> const& files) {
  TemporaryFolder const folder;
  for (BadFile const& file : files) {
    auto const path = folder.write("bad.npy", file.bytes);
    std::string const message = file_error_of(path, [&] { read_npy(path); });
    EXPECT_THAT(message, HasSubstr("cannot read '" + path.string() + "': "));
    EXPECT_THAT(message, HasSubstr(file.message));
  }
}

std::string with_shape(std::string const& shape, std::string const& data = "") {
  return npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

std::string with_descr(std::string const& descr) {
  return npy_bytes("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }\n", "1234");
}

TEST(NpyErrors, Preamble) {
  std::string const good = with_shape("(1,)", "1234");
  expect_refused({
      {"", "does not start with the mark of an .npy file"},
      {"\x93NUMP", "does not start with the mark"},
      {"\x92NUMPY\x01\0"s, "does not start with the mark"},
      {"1.0 2.0\n3.0 4.0\n", "does not start with the mark"},
      {"PK\x03\x04 and so on", "zip archive (.npz)"},
      {"\x93NUMPY\x01", "ends at byte 7, before its version"},
      {"\x93NUMPY\x01\x01\x10\0"s, "version is 1.1, where 1.0, 2.0 or 3.0"},
      {"\x93NUMPY\x04\0\x10\0"s, "version is 4.0"},
      {"\x93NUMPY\0\0\x10\0"s, "version is 0.0"},
      {"\x93NUMPY\x01\0\x10"s, "the file ends at byte 9 where 10 are needed"},
      {"\x93NUMPY\x02\0\x10\0\0"s, "the file ends at byte 11 where 12 are needed"},
      {good.substr(0, 40), "bytes of itself, but 30 follow"},
      {"\x93NUMPY\x01\0\x80\0"s, "declares 128 bytes of itself, but 0 follow"},
      {"\x93NUMPY\x02\0\xff\xff\xff\xff{}"s, "declares 4294967295 bytes of itself, more than 65536"},
      {npy_bytes(std::string(65537, ' '), "", 3), "declares 65537 bytes of itself, more than 65536"},
  });
}

TEST(NpyErrors, Records) {
  std::string const deep = std::string(40, '[') + "('x', '<f4')";
  std::string nested = "'<f4'";
  for (int depth = 0; depth < 33; ++depth) nested = "[('x', " + nested + ")]";
  expect_refused({
      {with_descr("[('x', '<f4'), ('y', '<f4')]"), "of record8, which is 8 bytes, but 4 bytes follow"},
      {with_descr("[('x', '<f4')"), "where '(' is needed"},
      {with_descr("[('x', '<f4'"), "where ')' is needed"},
      {with_descr("[('x' '<f4')]"), "where ',' is needed"},
      {with_descr("[('x', )]"), "where a type code in quotes is needed"},
      {with_descr("[('x', '<f4', 2)]"), "where ')' is needed"},
      {with_descr("[('x', '<f4', (2)"), "where ')' is needed"},
      {with_descr("[('x', '<f4', (-2,))]"), "declares a negative extent"},
      {with_descr("[(('title',), '<f4')]"), "where a field's name in quotes is needed"},
      {with_descr("['<f4']"), "where '(' is needed"},
      {with_descr("[('x', '<f12')]"), "declares the type '<f12'"},
      {with_descr("[('x', '|O')]"), "pickled Python objects, '|O', which are never read"},
      {with_descr("[('x\\', '<f4')]"), "where ',' is needed"},
      {with_descr("[]"), "declares elements of no bytes, '[]'"},
      {with_descr("[('x', '<f4', (0,))]"), "declares elements of no bytes"},
      {with_descr("[('x', '<f4', (65536, 65536))]"), "declares elements of 2^31 bytes or more"},
      {with_descr("[('x', '<f4', (9223372036854775807, 8))]"), "declares elements of 2^31 bytes or more"},
      {with_descr("[('x', '|S2147483647'), ('y', '|S1')]"), "declares elements of 2^31 bytes or more"},
      {with_descr(deep), "where '(' is needed"},
      {with_descr(nested), "declares records that lie more than 32 deep in each other"},
  });
}

TEST(NpyErrors, SizeAgainstFile) {
  expect_refused({
      {with_shape("(2, 3)", "short"), "declares shape (2, 3) of float32, which is 24 bytes, but 5 bytes follow it"},
      {with_shape("(1,)", "12345"), "which is 4 bytes, but 5 bytes follow it"},
      {with_shape("(0, 7)", "1"), "which is 0 bytes, but 1 bytes follow it"},
      {with_shape("(1000000, 1000000)"), "which is 4000000000000 bytes, but 0 bytes follow it"},
  });
}

TEST(NpyErrors, Shape) {
  expect_refused({
      {with_shape("(-1,)"), "declares a negative extent, '-1,)"},
      {with_shape("(2, -3)"), "declares a negative extent, '-3)"},
      {with_shape("(9223372036854775808,)"), "an extent of 2^63 or more, '9223372036854775808"},
      {with_shape("(99999999999999999999999999,)"), "an extent of 2^63 or more"},
      {with_shape("(9223372036854775807,)"), "whose extents multiply to 2^63 bytes or more"},
      {with_shape("(4294967296, 4294967296)"), "whose extents multiply to 2^63 bytes or more"},
      {with_shape("(2305843009213693952, 2, 2)"), "whose extents multiply to 2^63 bytes or more"},
      {with_shape("(0, 9223372036854775807)"), "whose extents multiply to 2^63 bytes or more"},
      {with_shape("()", "1234"), "declares no dimension, shape ()"},
      {with_shape("(1, 1, 1, 1)", "1234"), "declares more than 3 dimensions, shape '(1, 1, 1, 1)"},
      {with_shape("(1)", "1234"), "plain number in brackets"},
      {with_shape("1", "1234"), "where '(' is needed"},
      {with_shape("[1]", "1234"), "where '(' is needed"},
      {with_shape("(,)", "1234"), "where an extent is needed"},
      {with_shape("(1,,1)", "1234"), "where an extent is needed"},
      {with_shape("(1 1)", "1234"), "where ',' is needed"},
      {with_shape("(1.0,)", "1234"), "where ',' is needed"},
      {with_shape("(True,)", "1234"), "where an extent is needed"},
      {with_shape("(01,)", "1234"), "leading zero"},
      {with_shape("(1,", "1234"), "where an extent is needed"},
      {with_shape("(2**40,)", "1234"), "where ',' is needed"},
  });
}

TEST(NpyErrors, Type) {
  expect_refused({
      {with_descr("'|O'"), "pickled Python objects, '|O', which are never read"},
      {with_descr("'O'"), "declares the type 'O', which is none of"},
      {with_descr("('<f4', (2,))"), "where a type code in quotes is needed"},
      {with_descr("'|b2'"), "declares the type '|b2', which is none of float16, bfloat16, float32"},
      {with_descr("'<f12'"), "declares the type '<f12'"},
      {with_descr("'|U4'"), "declares the type '|U4'"},
      {with_descr("'|S0'"), "declares the type '|S0'"},
      {with_descr("'|S'"), "declares the type '|S', which is none of"},
      {with_descr("'|S4294967296'"), "declares the type '|S4294967296'"},
      {with_descr("'|S4[s]'"), "declares the type '|S4[s]'"},
      {with_descr("'<f4[s]'"), "declares the type '<f4[s]'"},
      {with_descr("'<M4[s]'"), "declares the type '<M4[s]'"},
      {with_descr("'<M8[]'"), "declares the type '<M8[]'"},
      {with_descr("'<M8[parsec]'"), "declares the type '<M8[parsec]'"},
      {with_descr("'<M8[s'"), "declares the type '<M8[s'"},
      {with_descr("'<M8[00000000000000000000s]'"), "declares the type '<M8[0000"},
      {with_descr("'<U4294967295'"), "declares shape (1,) of U4294967295, which is 17179869180 bytes, but 4 bytes"},
      {with_descr("'|f4'"), "declares the type '|f4'"},
      {with_descr("'=f4'"), "declares the type '=f4'"},
      {with_descr("'f4'"), "declares the type 'f4'"},
      {with_descr("'<f04'"), "declares the type '<f04'"},
      {with_descr("''"), "declares the type ''"},
      {with_descr("'\x1b[2J\n'"), "declares the type '\\x1b[2J\\x0a'"},
      {with_descr("'" + std::string(500, 'f') + "'"), "declares the type '" + std::string(60, 'f') + "...'"},
      {with_descr("4"), "where a type code in quotes is needed"},
      {with_descr("'<f4"), "declares the type '<f4, '"},
  });
}

TEST(NpyErrors, Dictionary) {
  auto const header = [](std::string const& text) { return npy_bytes(text, "1234"); };
  expect_refused({
      {header(""), "where '{' is needed"},
      {header("[]"), "where '{' is needed"},
      {header("{}"), "has no key 'descr'"},
      {header("{,}"), "where a key in quotes is needed"},
      {header("{'descr': '<f4', 'shape': (1,)}"), "has no key 'fortran_order'"},
      {header("{'descr': '<f4', 'fortran_order': False}"), "has no key 'shape'"},
      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}"), "has the unknown key 'x'"},
      {header("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}"), "the key 'descr' twice"},
      {header("{'shape': (1,), 'shape': (1,), 'descr': '<f4', 'fortran_order': False}"), "the key 'shape' twice"},
      {header("{'fortran_order': True, 'fortran_order': True}"), "the key 'fortran_order' twice"},
      {header("{'fortran_order': 1}"), "as fortran_order, where True or False is needed"},
      {header("{'fortran_order': true}"), "as fortran_order, where True or False is needed"},
      {header("{'descr' '<f4'}"), "where ':' is needed"},
      {header("{'descr': '<f4' 'shape': (1,)}"), "where ',' is needed"},
      {header("{'descr: 1}"), "quote that never closes"},
      {header("{descr: '<f4'}"), "where a key in quotes is needed"},
      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)"), "where ',' is needed"},
      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + 1"), "text behind its closing brace, '+ 1'"},
      {header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\0"s), "behind its closing brace, '\\x00'"},
      {header("__import__('os').system('true')"), "where '{' is needed"},
  });
}

TEST(NpyErrors, Files) {
  TemporaryFolder const folder;
  auto const reading = [](std::filesystem::path const& path) { return file_error_of(path, [&] { read_npy(path); }); };
  EXPECT_THAT(reading(folder / "missing.npy"), HasSubstr("No such file or directory"));
  EXPECT_THAT(reading(folder.path()), HasSubstr("not a regular file"));
  EXPECT_THAT(reading("/dev/zero"), HasSubstr("not a regular file"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(reading(folder / "pipe"), HasSubstr("not a regular file"));
}

TEST(NpyErrors, ProgressMayStopTheWork) {
  TemporaryFolder const folder;
  std::vector<double> const values(4, 1.0);
  struct Stop {};
  Progress const stop = [](std::uint64_t, std::uint64_t) { throw Stop{}; };
  EXPECT_THROW(write_npy(folder / "a.npy", array_view(values.data(), {4}), stop), Stop);
  EXPECT_EQ(folder.file_count(), 0u);
  write_npy(folder / "a.npy", array_view(values.data(), {4}));
  EXPECT_THROW(read_npy(folder / "a.npy", stop), Stop);
}

}  // namespace
}  // namespace pantile::driver
