// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "file_fixtures.hpp"
#include "io/npy.hpp"
#include "io/npy_header.hpp"

namespace pantile::driver {
namespace {

using test::array_view;
using test::contents;
using test::npy_bytes;
using test::TemporaryFolder;

/// Bytes that differ from element to element and within each.
std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 251 + 1);
  return bytes;
}

class NpyRoundTrip : public testing::TestWithParam<std::string_view> {};

TEST_P(NpyRoundTrip, KeepsTypeOrderShapeAndBytes) {
  ElementType const type = parse_npy_code(GetParam()).value();
  TemporaryFolder const folder;
  for (Order const order : {Order::c, Order::fortran}) {
    for (Shape const& shape : {Shape{1}, Shape{7}, Shape{0}, Shape{3, 5}, Shape{1, 1}, Shape{0, 4}, Shape{4, 0},
                               Shape{129, 65}, Shape{2, 3, 4}}) {
      SCOPED_TRACE(shape.text());
      std::vector<std::byte> const bytes = pattern(shape.count() * element_size(type));
      write_npy(folder / "a.npy", {type, shape, order, bytes.data()});

      Array const array = read_npy(folder / "a.npy");
      EXPECT_EQ(array.type, type);
      EXPECT_EQ(array.shape, shape);
      EXPECT_EQ(array.order, shape.rank() == 1 ? Order::c : order);
      ASSERT_EQ(array.storage.size(), bytes.size());
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), array.data()));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % AlignedBytes::alignment, 0u);
      EXPECT_EQ(folder.file_count(), 1u);
    }
  }
}

/// NumPy's codes without the byte order.
constexpr std::string_view all_codes[] = {"f2", "V2", "f4", "f8", "c8", "c16", "i1",  "i2",  "i4",
                                          "i8", "u1", "u2", "u4", "u8", "b1",  "f16", "c32", "M8",
                                          "m8", "S1", "S5", "U1", "U7", "V1",  "V13"};

INSTANTIATE_TEST_SUITE_P(All, NpyRoundTrip, testing::ValuesIn(all_codes),
                         [](auto const& test) { return std::string(test.param); });

// The bytes that NumPy 1.24 writes for np.save(f, np.array([[1., 2., 3.], [4., 5., 6.]])) and for its
// Fortran-ordered, one-dimensional, empty and complex relatives.
TEST(Npy, WritesTheBytesThatNumpyWrites) {
  if (std::endian::native != std::endian::little) GTEST_SKIP() << "the expected bytes are little-endian";
  TemporaryFolder const folder;
  auto const expect_header = [&](ArrayView const& view, std::string const& dictionary) {
    write_npy(folder / "a.npy", view);
    std::string const header = npy_bytes(dictionary + std::string(117 - dictionary.size(), ' ') + "\n", "");
    ASSERT_EQ(header.size(), 128u);
    EXPECT_EQ(contents(folder / "a.npy").substr(0, 128), header);
  };
  std::vector<double> const values{1, 2, 3, 4, 5, 6};
  expect_header(array_view(values.data(), {2, 3}), "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(contents(folder / "a.npy").substr(128),
            std::string_view("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40"
                             "\0\0\0\0\0\0\x10\x40\0\0\0\0\0\0\x14\x40\0\0\0\0\0\0\x18\x40",
                             48));
  expect_header(array_view(values.data(), {2, 3}, Order::fortran),
                "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }");
  std::vector<std::int8_t> const small{0, 1, 2};
  expect_header(array_view(small.data(), {3}), "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }");
  expect_header({ElementType::complex64, {0, 4}}, "{'descr': '<c8', 'fortran_order': False, 'shape': (0, 4), }");
  std::string_view const text = "abcdefgh";
  ArrayView const strings{{ElementType::string, 8}, {1}, Order::c, reinterpret_cast<std::byte const*>(text.data())};
  expect_header(strings, "{'descr': '<U2', 'fortran_order': False, 'shape': (1,), }");
  ArrayView const times{{ElementType::datetime64, 8, "[25s]"}, {1}, Order::c, strings.data};
  expect_header(times, "{'descr': '<M8[25s]', 'fortran_order': False, 'shape': (1,), }");
  expect_header({ElementType::boolean, {8}, Order::c, strings.data},
                "{'descr': '|b1', 'fortran_order': False, 'shape': (8,), }");
  expect_header({ElementType::bfloat16, {2, 2}, Order::c, reinterpret_cast<std::byte const*>(values.data())},
                "{'descr': '<V2', 'fortran_order': False, 'shape': (2, 2), }");
}

// The same, of arrays with fields: numbers and records of them, several in a field, bytes that align the next field.
TEST(Npy, KeepsFieldsOfRecords) {
  struct Case {
    std::string_view fields;
    std::size_t size;
  };
  TemporaryFolder const folder;
  for (auto const& [fields, size] : {Case{"[('a', '<f8'), ('b', '>i2')]", 10}, Case{"[('x', '|S3', (2, 3))]", 18},
                                     Case{"[('a', '|b1'), ('', '|V7'), ('b', '<M8[ns]')]", 16},
                                     Case{"[(('its title', 'a'), '<U2'), (\"it's\", [('c', '<c8', (1,))])]", 16},
                                     Case{"[('a\\'b', '|u1')]", 1}, Case{"[('a','|u1',),('b','<f2',(2,),),]", 5}}) {
    std::vector<std::byte> const bytes = pattern(6 * size);
    auto const dictionary = "{'descr': " + std::string(fields) + ", 'fortran_order': False, 'shape': (2, 3), }\n";
    auto const path =
        folder.write("a.npy", npy_bytes(dictionary, {reinterpret_cast<char const*>(bytes.data()), bytes.size()}));
    Array const array = read_npy(path);
    EXPECT_EQ(array.type, ElementType::record);
    EXPECT_EQ(element_size(array.type), size) << fields;
    EXPECT_EQ(npy_descr(array.type), fields);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), array.data()));
    write_npy(folder / "b.npy", array.view());
    EXPECT_EQ(contents(folder / "b.npy").substr(0, 8), std::string_view("\x93NUMPY\x01\0", 8));
    EXPECT_EQ(look_at_npy(folder / "b.npy").header.type, array.type);
  }
}

// Version 1.0 is in Latin-1, 3.0 in UTF-8: one name, one array.
TEST(Npy, WritesNamesBeyondAsciiInUtf8) {
  TemporaryFolder const folder;
  auto const dictionary = [](std::string_view name) {
    return "{'descr': [('" + std::string(name) + "', '|u1')], 'fortran_order': False, 'shape': (2,), }\n";
  };
  auto const one = read_npy(folder.write("1.npy", npy_bytes(dictionary("\xe4"), "\x01\x02")));
  auto const three = read_npy(folder.write("3.npy", npy_bytes(dictionary("\xc3\xa4"), "\x01\x02", 3)));
  EXPECT_EQ(npy_descr(one.type), "[('\xc3\xa4', '|u1')]");
  EXPECT_EQ(one.type, three.type);
  write_npy(folder / "b.npy", one.view());
  std::string const written = contents(folder / "b.npy");
  EXPECT_EQ(written.substr(0, 8), std::string_view("\x93NUMPY\x03\0", 8));
  EXPECT_EQ(written.size(), 128u + 2u);
  EXPECT_EQ(read_npy(folder / "b.npy").type, one.type);
}

TEST(Npy, ReadsEveryVersion) {
  TemporaryFolder const folder;
  for (int const version : {1, 2, 3}) {
    auto const path = folder.write("v.npy", npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n",
                                                      "\x01\x02\x03\x04", version));
    EXPECT_THAT(read_npy(path).elements<std::uint8_t>(), testing::ElementsAre(1, 2, 3, 4)) << version;
  }
}

TEST(Npy, ReadsAnyKeyOrderQuoteAndSpacing) {
  TemporaryFolder const folder;
  for (std::string_view const dictionary : {
           "{'shape':(2,),'descr':'|i1','fortran_order':False}",
           "{\"fortran_order\" : False , \"shape\" : ( 2 , ) , \"descr\" : \"|i1\" , }   \n",
           " { 'descr': '<i1',\n 'shape': (2L,), 'fortran_order': False,}\n",
           "{'descr': '|i1', 'fortran_order': True, 'shape': (1, 2)}",
           "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2, ), }\n",
       }) {
    auto const path = folder.write("a.npy", npy_bytes(dictionary, "\x05\xff"));
    EXPECT_THAT(read_npy(path).elements<std::int8_t>(), testing::ElementsAre(5, -1)) << dictionary;
  }
}

template <class T>
void expect_big_endian(std::string_view code, std::string_view data, std::vector<T> const& expected) {
  TemporaryFolder const folder;
  std::string const dictionary = "{'descr': '" + std::string(code) + "', 'fortran_order': False, 'shape': (" +
                                 std::to_string(expected.size()) + ",), }\n";
  auto const path = folder.write("big.npy", npy_bytes(dictionary, data));
  EXPECT_THAT(read_npy(path).template elements<T>(), testing::ElementsAreArray(expected)) << code;
}

TEST(Npy, TurnsBigEndianElements) {
  expect_big_endian<std::int16_t>(">i2", {"\x01\x02\xff\xfe", 4}, {258, -2});
  expect_big_endian<std::uint32_t>(">u4", {"\x01\x02\x03\x04", 4}, {0x01020304});
  expect_big_endian<std::int64_t>(">i8", {"\0\0\0\0\0\0\0\x07", 8}, {7});
  expect_big_endian<float>(">f4", {"\x3f\x80\0\0\xc0\0\0\0", 8}, {1.0f, -2.0f});
  expect_big_endian<double>(">f8", {"\x3f\xf0\0\0\0\0\0\0", 8}, {1.0});
  expect_big_endian<std::complex<float>>(">c8", {"\x3f\x80\0\0\xc0\0\0\0", 8}, {{1.0f, -2.0f}});
  expect_big_endian<std::complex<double>>(">c16", {"\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", 16}, {{1.0, -2.0}});
  expect_big_endian<std::uint16_t>(">f2", {"\x3c\0", 2}, {0x3c00});
  expect_big_endian<std::uint16_t>(">V2", {"\x3f\x80", 2}, {0x3f80});
}

TEST(Npy, TurnsBigEndianElementsThatAreOnlyMoved) {
  TemporaryFolder const folder;
  auto const bytes_of = [&](std::string_view code, std::string_view data) {
    auto const path = folder.write(
        "big.npy",
        npy_bytes("{'descr': '>" + std::string(code) + "', 'fortran_order': False, 'shape': (1,), }\n", data));
    Array const array = read_npy(path);
    return std::string(reinterpret_cast<char const*>(array.data()), array.storage.size());
  };
  std::string const up = "0123456789abcdef", down = "fedcba9876543210";
  EXPECT_EQ(bytes_of("f16", up), down);
  EXPECT_EQ(bytes_of("c32", up + down), down + up);
  EXPECT_EQ(bytes_of("U4", up), "32107654ba98fedc");
  EXPECT_EQ(bytes_of("M8[D]", "01234567"), "76543210");
  EXPECT_EQ(bytes_of("V16", up), up);
}

TEST(Npy, TakesRawPairsOfBytesForBfloat16) {
  TemporaryFolder const folder;
  for (std::string const code : {"<V2", "|V2"}) {
    auto const path = folder.write(
        "b.npy", npy_bytes("{'descr': '" + code + "', 'fortran_order': False, 'shape': (1,), }\n", "\x80\x3f"));
    EXPECT_EQ(read_npy(path).type, ElementType::bfloat16);
  }
}

TEST(Npy, ReportsProgressEvery64MiBAndAtTheEnd) {
  TemporaryFolder const folder;
  std::size_t const size = (std::size_t{130} << 20) + 3;
  std::vector<std::uint8_t> const bytes(size, 7);
  using Calls = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  Calls const expected{{std::uint64_t{64} << 20, size}, {std::uint64_t{128} << 20, size}, {size, size}};
  Calls calls;
  Progress const record = [&](std::uint64_t done, std::uint64_t total) { calls.emplace_back(done, total); };
  write_npy(folder / "a.npy", array_view(bytes.data(), {size}), record);
  EXPECT_EQ(calls, expected);
  calls.clear();
  EXPECT_EQ(read_npy(folder / "a.npy", record).count(), size);
  EXPECT_EQ(calls, expected);
}

// Off by default: takes 9 GiB of memory and disk.
TEST(Npy, WritesAndReadsMoreThan4GiB) {
  if (std::getenv("PANTILE_LARGE_TESTS") == nullptr) GTEST_SKIP() << "set PANTILE_LARGE_TESTS to run it";
  TemporaryFolder const folder;
  std::size_t const rows = 3, columns = (std::size_t{3} << 29) + 5;
  std::vector<std::uint8_t> bytes(rows * columns);
  for (std::size_t i = 0; i < bytes.size(); i += 4093) bytes[i] = static_cast<std::uint8_t>(i >> 12);
  write_npy(folder / "a.npy", array_view(bytes.data(), {rows, columns}));
  Array const array = read_npy(folder / "a.npy");
  EXPECT_EQ(array.shape, (Shape{rows, columns}));
  EXPECT_EQ(std::memcmp(array.data(), bytes.data(), bytes.size()), 0);
}

TEST(ElementType, NamesAndCodesAreEachOthersInverse) {
  for (std::string_view const code : all_codes) {
    ElementType const type = parse_npy_code(code).value();
    EXPECT_EQ(npy_descr(type).substr(1), code);
    auto const dictionary = "{'descr': '" + npy_descr(type) + "', 'fortran_order': False, 'shape': (1,), }";
    EXPECT_EQ(parse_npy_header(dictionary, "x").type, type) << code;
  }
  EXPECT_EQ(element_name(parse_npy_code("U7").value()), "U7");
  EXPECT_EQ(element_name(parse_npy_code("m8[2147483647as]").value()), "timedelta64[2147483647as]");
  EXPECT_NE(parse_npy_code("M8[s]"), parse_npy_code("M8[ns]"));
  EXPECT_NE(parse_npy_code("S3"), parse_npy_code("S4"));
}

TEST(Array, RefusesElementsOfAnotherSize) {
  Array array{ElementType::float64, {0}, Order::c, {}};
  EXPECT_THROW(array.elements<float>(), std::invalid_argument);
  EXPECT_THROW(std::as_const(array).elements<std::complex<double>>(), std::invalid_argument);
  EXPECT_EQ(array.elements<double>().size(), 0u);
}

TEST(Array, RefusesViewsThatNoArrayCanHave) {
  TemporaryFolder const folder;
  EXPECT_THROW(write_npy(folder / "a.npy", {ElementType::int8, {}}), std::invalid_argument);
  EXPECT_THROW(write_npy(folder / "a.npy", {ElementType::int8, {2}}), std::invalid_argument);
  EXPECT_THROW(write_npy(folder / "a.npy", {ElementType::int16, {std::size_t{1} << 62, 0}}), std::invalid_argument);
  EXPECT_THROW((Shape{1, 2, 3, 4}), std::invalid_argument);
  EXPECT_EQ(folder.file_count(), 0u);
}

}  // namespace
}  // namespace pantile::driver
