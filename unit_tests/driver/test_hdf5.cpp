// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <complex>
#include <functional>
#include <vector>

#include "file_fixtures.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_file.hpp"

namespace pantile::driver {
namespace {

using test::array_view;
using test::contents;
using test::file_error_of;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

/// file.h5:/dataset in a folder
std::filesystem::path dataset(TemporaryFolder const& folder, std::string const& name,
                              std::string const& file = "a.h5") {
  return (folder / file).string() + ":" + name;
}

/// What another program wrote: one dataset, made by calls of the library alone.
void write_foreign(std::filesystem::path const& file, hid_t stored, hid_t memory, std::vector<hsize_t> const& extents,
                   void const* data) {
  hid_t const id = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t const space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  hid_t const set = H5Dcreate2(id, "x", stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(set, 0);
  if (data != nullptr) {
    ASSERT_GE(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
  }
  H5Dclose(set);
  H5Sclose(space);
  ASSERT_GE(H5Fclose(id), 0);
}

std::vector<double> const values{1, 2, 3, 4, 5, 6};

TEST(Hdf5, NamesHaveAFileAndADataset) {
  struct Case {
    std::string path, file, dataset;
  };
  for (auto const& [path, file, name] :
       {Case{"a.h5:/x", "a.h5", "/x"}, Case{"d/a.hdf5:/g/x/", "d/a.hdf5", "/g/x"}, Case{"a.h5://g/./x", "a.h5", "/g/x"},
        Case{"a.h5:/", "a.h5", "/"}, Case{"a.h5:/b.h5:/x", "a.h5", "/b.h5:/x"}}) {
    auto const parsed = parse_hdf5_name(path);
    ASSERT_TRUE(parsed) << path;
    EXPECT_EQ(parsed->file, file);
    EXPECT_EQ(parsed->dataset, name);
  }
  for (char const* const path : {"a.npy", "a.h5", "a.h5:x", "dir:/a.npy", ""}) EXPECT_FALSE(parse_hdf5_name(path));
  EXPECT_TRUE(is_same_matrix("a.h5:/x", "./a.h5://x"));
  EXPECT_TRUE(is_same_matrix("a.h5", "a.h5:/x"));
  EXPECT_FALSE(is_same_matrix("a.h5:/x", "a.h5:/y"));
  EXPECT_FALSE(is_same_matrix("a.h5:/x", "b.h5:/x"));
}

class Hdf5RoundTrip : public testing::TestWithParam<std::string_view> {};

TEST_P(Hdf5RoundTrip, KeepsTypeShapeAndBytes) {
  ElementType const type = parse_npy_code(GetParam()).value();
  TemporaryFolder const folder;
  for (Shape const& shape : {Shape{7}, Shape{3, 5}, Shape{0, 4}, Shape{2, 3, 4}}) {
    std::vector<std::byte> bytes(shape.count() * type.size());
    // Bytes without a zero at an element's end, for strings; booleans are 0 or 1.
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::byte>(type == ElementType::boolean ? i % 2 : 1 + i % 126);
    }
    write_matrix_file(dataset(folder, "/group/x"), {type, shape, Order::c, bytes.data()});
    Array const array = read_matrix_file(dataset(folder, "/group/x"));
    EXPECT_EQ(array.type, type) << element_name(array.type);
    EXPECT_EQ(array.shape, shape);
    ASSERT_EQ(array.storage.size(), bytes.size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), array.data())) << shape.text();
    EXPECT_EQ(folder.file_count(), 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hdf5RoundTrip,
                         testing::Values("f2", "V2", "f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "u2", "u4",
                                         "u8", "b1", "f16", "c32", "M8", "m8", "S1", "S5", "U1", "U7", "V1", "V13"),
                         [](auto const& test) { return std::string(test.param); });

TEST(Hdf5, ReadsWhatOthersWrite) {
  TemporaryFolder const folder;
  std::vector<int> const integers{1, -2, 3, 4, 5, 6};
  write_foreign(folder / "a.h5", H5T_STD_I16BE, H5T_NATIVE_INT, {2, 3}, integers.data());
  EXPECT_THAT(read_matrix_file(dataset(folder, "/x")).elements<std::int16_t>(), ElementsAre(1, -2, 3, 4, 5, 6));
  write_foreign(folder / "a.h5", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, {6}, values.data());
  EXPECT_THAT(read_matrix_file(dataset(folder, "/x")).elements<float>(), ElementsAre(1, 2, 3, 4, 5, 6));

  hid_t const compound = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(compound, "r", 0, H5T_IEEE_F64BE);
  H5Tinsert(compound, "i", 8, H5T_IEEE_F64BE);
  hid_t const native = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(native, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(native, "i", 8, H5T_NATIVE_DOUBLE);
  write_foreign(folder / "a.h5", compound, native, {3}, values.data());
  Array const complex = read_matrix_file(dataset(folder, "/x"));
  EXPECT_EQ(complex.type, ElementType::complex128);
  EXPECT_EQ(complex.elements<std::complex<double>>()[1], std::complex<double>(3, 4));
  H5Tclose(native);
  H5Tclose(compound);
}

TEST(Hdf5, LooksAtDatasetsWithoutTheirElements) {
  TemporaryFolder const folder;
  write_foreign(folder / "a.h5", H5T_STD_I32BE, H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  auto const seen = look_at_matrix_file(dataset(folder, "/x"));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->type, ElementType::int32);
  EXPECT_EQ(seen->shape, (Shape{2, 3}));
  EXPECT_EQ(seen->storage.size(), 0U);
  auto const other = dataset(folder, "/y");
  EXPECT_THAT(file_error_of(other, [&] { look_at_matrix_file(other); }), HasSubstr("no dataset '/y'"));
  EXPECT_FALSE(look_at_matrix_file("-")) << "it can be read once";
}

TEST(Hdf5, WritesTypesThatOthersKnow) {
  TemporaryFolder const folder;
  write_matrix_file(dataset(folder, "/x"), array_view(values.data(), {2, 3}));
  hid_t const file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const set = H5Dopen2(file, "x", H5P_DEFAULT);
  hid_t const type = H5Dget_type(set);
  EXPECT_GT(H5Tequal(type, H5T_NATIVE_DOUBLE), 0);
  std::array<float, 6> read{};
  EXPECT_GE(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  EXPECT_THAT(read, ElementsAre(1, 2, 3, 4, 5, 6));
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(file);
}

TEST(Hdf5, KeepsWhatElseTheFileHolds) {
  TemporaryFolder const folder;
  write_matrix_file(dataset(folder, "/g/x"), array_view(values.data(), {2, 3}));
  std::vector<std::int32_t> const others{7, 8};
  write_matrix_file(dataset(folder, "/g/y"), array_view(others.data(), {2}));
  write_matrix_file(dataset(folder, "/g/x"), array_view(others.data(), {1, 2}));
  EXPECT_EQ(read_matrix_file(dataset(folder, "/g/x")).shape, (Shape{1, 2}));
  EXPECT_THAT(read_matrix_file(dataset(folder, "/g/y")).elements<std::int32_t>(), ElementsAre(7, 8));
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Hdf5, RefusesWhatItCannotRead) {
  TemporaryFolder const folder;
  auto const reading = [&](std::string const& name, std::string const& file = "a.h5") {
    auto const path = dataset(folder, name, file);
    return file_error_of(path, [&] { read_matrix_file(path); });
  };
  EXPECT_THAT(file_error_of(folder / "none.h5", [&] { read_matrix_file(dataset(folder, "/x", "none.h5")); }),
              HasSubstr("No such file or directory"));
  folder.write("text.h5", "no such format");
  EXPECT_THAT(reading("/x", "text.h5"), HasSubstr("it is no HDF5 file"));
  write_matrix_file(dataset(folder, "/g/x"), array_view(values.data(), {2, 3}));
  std::string const whole = contents(folder / "a.h5");
  folder.write("cut.h5", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(reading("/g/x", "cut.h5"), HasSubstr("it is no HDF5 file"));
  EXPECT_THAT(reading("/y"), HasSubstr("has no dataset '/y'"));
  EXPECT_THAT(reading("/g/y/z"), HasSubstr("has no dataset '/g/y/z'"));
  EXPECT_THAT(reading("/g"), HasSubstr("'/g' is no dataset"));
  EXPECT_THAT(reading("/"), HasSubstr("'/'"));

  write_foreign(folder / "a.h5", H5T_NATIVE_INT, H5T_NATIVE_INT, {1, 1, 1, 1}, nullptr);
  EXPECT_THAT(reading("/x"), HasSubstr("has 4 dimensions, where 1 to 3 are needed"));
  write_foreign(folder / "a.h5", H5T_STD_B8LE, H5T_STD_B8LE, {1}, nullptr);
  EXPECT_THAT(reading("/x"), HasSubstr("is none of float16"));
  hid_t const text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  write_foreign(folder / "a.h5", text, text, {1}, nullptr);
  EXPECT_THAT(reading("/x"), HasSubstr("is none of float16"));
  H5Tclose(text);
}

TEST(Hdf5, RefusesWhatItCannotWrite) {
  TemporaryFolder const folder;
  write_matrix_file(dataset(folder, "/g/x"), array_view(values.data(), {2, 3}));
  std::string const before = contents(folder / "a.h5");
  folder.write("text.h5", "no such format");
  auto const writing = [&](std::filesystem::path const& path) {
    std::string const message = file_error_of(path, [&] { write_matrix_file(path, array_view(values.data(), {6})); });
    EXPECT_EQ(file_error_of(path, [&] { require_matrix_file_writable(path); }), message);
    return message;
  };
  EXPECT_THAT(writing(dataset(folder, "/g")), HasSubstr("'/g' is there already and no dataset"));
  EXPECT_THAT(writing(dataset(folder, "/x", "text.h5")), HasSubstr("is there already and no HDF5 file"));
  EXPECT_THAT(file_error_of(folder / "none", [&] { require_matrix_file_writable(dataset(folder, "/x", "none/a.h5")); }),
              HasSubstr("No such file or directory"));
  EXPECT_THROW(write_matrix_file(dataset(folder, "/x"), array_view(values.data(), {2, 3}, Order::fortran)),
               std::invalid_argument);
  ArrayView const record{
      {ElementType::record, 8, "[('x', '<f8')]"}, {1}, Order::c, array_view(values.data(), {1}).data};
  EXPECT_THAT(file_error_of(folder / "a.h5", [&] { write_matrix_file(dataset(folder, "/x"), record); }),
              HasSubstr("elements with fields are written to .npy files only"));
  auto const through = dataset(folder, "/g/x/y");
  EXPECT_THAT(file_error_of(through, [&] { write_matrix_file(through, array_view(values.data(), {6})); }),
              HasSubstr("cannot write"));
  EXPECT_EQ(contents(folder / "a.h5"), before);
  EXPECT_EQ(folder.file_count(), 2u);
}

}  // namespace
}  // namespace pantile::driver
