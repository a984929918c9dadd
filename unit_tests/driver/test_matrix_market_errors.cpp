// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "file_fixtures.hpp"
#include "io/matrix_market.hpp"

namespace pantile::driver {
namespace {

using namespace std::string_literals;
using test::file_error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

struct BadFile {
  std::string text;
  std::string message;
};

void expect_refused(std::vector<BadFile> const& files) {
  TemporaryFolder const folder;
  for (BadFile const& file : files) {
    auto const path = folder.write("bad.mtx", file.text);
    std::string const message = file_error_of(path, [&] { read_matrix_market(path); });
    EXPECT_THAT(message, HasSubstr("cannot read '" + path.string() + "': "));
    EXPECT_THAT(message, HasSubstr(file.message));
  }
}

std::string array(std::string const& kind, std::string const& rest) {
  return "%%MatrixMarket matrix array " + kind + "\n" + rest;
}

std::string coordinate(std::string const& kind, std::string const& rest) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
}

TEST(MatrixMarketErrors, Banner) {
  std::string const end = "\n1 1\n1\n";
  expect_refused({
      {"", "does not start with %%MatrixMarket"},
      {"%MatrixMarket matrix array real general" + end, "does not start with %%MatrixMarket"},
      {"1 1\n1\n", "does not start with %%MatrixMarket"},
      {"%%MatrixMarket vector array real general" + end, "object 'vector', not a matrix"},
      {"%%MatrixMarket" + end, "object '', not a matrix"},
      {"%%MatrixMarket matrix list real general" + end, "line 1 names the format 'list', which is neither"},
      {"%%MatrixMarket matrix array quaternion general" + end, "names the field 'quaternion'"},
      {"%%MatrixMarket matrix array pattern general" + end, "names the field 'pattern', which the format does not"},
      {"%%MatrixMarket matrix array real" + end, "names the symmetry ''"},
      {"%%MatrixMarket matrix array real lower" + end, "names the symmetry 'lower'"},
      {"%%MatrixMarket matrix array real hermitian" + end, "names the symmetry 'hermitian', which the field does not"},
      {coordinate("pattern skew-symmetric", "1 1 0\n"), "names the symmetry 'skew-symmetric'"},
      {"%%MatrixMarket matrix array real general more" + end, "has 'more' behind the symmetry"},
      {"%%MatrixMarket matrix array re\x1b[31mal general" + end, "names the field 're\\x1b[31mal'"},
  });
}

TEST(MatrixMarketErrors, Size) {
  expect_refused({
      {array("real general", ""), "ends before the line with its size"},
      {array("real general", "% only comments\n\n"), "ends before the line with its size"},
      {array("real general", "2\n1\n"), "line 2 ends where a number is needed"},
      {array("real general", "% comment\n\n1 1 1\n1\n"), "line 4 holds '1' behind all that it should hold"},
      {array("real general", "-1 1\n"), "line 2 holds the negative row count -1"},
      {array("real general", "1 -1\n"), "line 2 holds the negative column count -1"},
      {coordinate("real general", "1 1 -1\n"), "line 2 holds the negative entry count -1"},
      {coordinate("real general", "1 1\n"), "line 2 ends where a number is needed"},
      {array("real general", "1.0 1\n1\n"), "holds '1.0' where a number of type int64"},
      {array("real general", "0x1 1\n1\n"), "holds '0x1' where a number of type int64"},
      {array("real general", "9223372036854775808 1\n1\n"), "line 2 holds '9223372036854775808', which is outside"},
      {array("real general", "4294967296 4294967296\n1\n"), "4294967296 x 4294967296 elements of float64, 2^63 bytes"},
      {array("real general", "0 9223372036854775807\n"), "2^63 bytes or more"},
      {array("real symmetric", "2 3\n"), "declares 2 x 3, but a matrix with symmetry is square"},
      {array("real general", "1000000 1000000\n1\n"), "1000000000000 entries of at least 2 bytes, but 2 bytes follow"},
      {array("real symmetric", "1000000 1000000\n1\n"), "declares 500000500000 entries of at least 2 bytes"},
      {array("real skew-symmetric", "1000000 1000000\n1\n"), "declares 499999500000 entries of at least 2 bytes"},
      {array("complex general", "2 1\n1 2\n"), "declares 2 entries of at least 4 bytes, but 4 bytes follow"},
      {coordinate("complex general", "2 1 2\n1 1 1 2\n"), "declares 2 entries of at least 8 bytes, but 8 bytes"},
      {coordinate("pattern general", "2 1 9223372036854775807\n1 1\n"), "declares 9223372036854775807 entries"},
      {coordinate("real general", "1000000 1000000 1\n1 1 1\n"), "more than 1073741824 bytes, the limit"},
  });
}

TEST(MatrixMarketErrors, Entries) {
  expect_refused({
      {array("real general", "2 2\n1.0\n2.0\n3.0\n"), "it ends after 3 of the 4 entries that it declares"},
      {array("real general", "1 2\n1\n2\n3\n"), "line 5 follows the last of the 2 entries"},
      {array("real general", "1 2\n1 2\n\n"), "line 3 holds '2' behind all that it should hold"},
      {array("complex general", "1 1\n12345\n"), "line 3 ends where a number is needed"},
      {array("complex general", "1 1\n1 2 3\n"), "line 3 holds '3' behind"},
      {array("real general", "1 1\n1,5\n"), "line 3 holds '1,5' where a number of type float64 is needed"},
      {array("real general", "1 1\n1e999\n"), "'1e999', which is outside the range of float64"},
      {array("real general", "1 1\n-1e999\n"), "'-1e999', which is outside the range of float64"},
      {array("real general", "1 1\n1e-999\n"), "'1e-999', which is outside the range of float64"},
      {array("real general", "1 1\n1.0D+00\n"), "'1.0D+00' where a number of type float64"},
      {array("real general", "1 1\n0x10\n"), "'0x10' where a number"},
      {array("real general", "1 1\n+-1\n"), "'+-1' where a number"},
      {array("real general", "1 1\n++1\n"), "'++1' where a number"},
      {array("real general", "1 1\n+\n"), "'+' where a number"},
      {array("real general", "1 1\n% no comment\n"), "'%' where a number"},
      {array("real general", "1 1\n1\0\n"s), "'1\\x00' where a number"},
      {array("integer general", "1 1\n1.5\n"), "'1.5' where a number of type int64 is needed"},
      {array("integer general", "1 1\n9223372036854775808\n"), "which is outside the range of int64"},
      {array("integer general", "1 1\n-9223372036854775809\n"), "which is outside the range of int64"},
      {array("integer skew-symmetric", "2 2\n-9223372036854775808\n"), "whose negative int64 does not have"},
      {array("complex hermitian", "1 1\n1 2\n"), "line 3 holds a complex number on the diagonal"},
  });
}

TEST(MatrixMarketErrors, Coordinates) {
  expect_refused({
      {coordinate("real general", "2 2 1\n0 1 5\n"), "line 3 holds the row index 0, outside 1 to 2"},
      {coordinate("real general", "2 2 1\n3 1 5\n"), "line 3 holds the row index 3, outside 1 to 2"},
      {coordinate("real general", "2 2 1\n1 3 5\n"), "line 3 holds the column index 3, outside 1 to 2"},
      {coordinate("real general", "2 2 1\n1 -1 5\n"), "line 3 holds the column index -1, outside 1 to 2"},
      {coordinate("real general", "0 2 1\n1 1 5\n"), "line 3 holds the row index 1, outside 1 to 0"},
      {coordinate("real general", "2 2 1\n1 1   \n"), "line 3 ends where a number is needed"},
      {coordinate("pattern general", "2 2 1\n1 1 1\n"), "line 3 holds '1' behind"},
      {coordinate("real general", "2 2 2\n1 1 1\n%23456\n"), "line 4 holds '%23456' where a number"},
      {coordinate("real general", "2 2 2\n1 1 1.23456\n"), "ends after 1 of the 2 entries"},
      {coordinate("real general", "2 2 1\n1 1 1\n2 2 2\n"), "line 4 follows the last of the 1 entries"},
      {coordinate("real symmetric", "2 2 1\n1 2 5\n"), "row 1, column 2, outside the lower triangle"},
      {coordinate("real skew-symmetric", "2 2 1\n1 1 5\n"), "row 1, column 1, outside the strict lower triangle"},
      {coordinate("complex hermitian", "2 2 1\n1 1 5 1\n"), "complex number on the diagonal"},
      {coordinate("integer general", "1 1 2\n1 1 9223372036854775807\n1 1 1\n"), "line 4 adds 1 to an element that is"},
      {coordinate("integer general", "1 1 2\n1 1 -9223372036854775808\n1 1 -1\n"), "line 4 adds -1 to an element"},
  });
}

TEST(MatrixMarketErrors, LongLines) {
  std::string const longest(65536, ' ');
  expect_refused({
      {array("real general", "%" + longest + "\n1 1\n1\n"), "line 2 is longer than 65536 bytes"},
      {array("real general", "1 1\n" + longest + "1\n"), "line 3 is longer than 65536 bytes"},
      {std::string(3000000, '%'), "line 1 is longer than 65536 bytes"},
      {std::string(3000000, '\0'), "line 1 is longer than 65536 bytes"},
      {array("real general", "1 1\n" + longest + "\n"), "it ends after 0 of the 1 entries"},
  });
}

}  // namespace
}  // namespace pantile::driver
