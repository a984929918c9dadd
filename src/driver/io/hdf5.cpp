// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/hdf5.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/hdf5_types.hpp"

namespace pantile::driver {

bool const has_hdf5 = true;

namespace {

using Hdf5File = Hdf5Handle<H5Fclose>;
using Hdf5Dataset = Hdf5Handle<H5Dclose>;
using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5List = Hdf5Handle<H5Pclose>;
using Hdf5Object = Hdf5Handle<H5Oclose>;

/// The library's own reports go nowhere: errors here are one sentence.
void be_silent() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// Whether the file has an object of that name; links are followed. Every group on the way must be there to ask.
bool exists(hid_t file, std::string const& dataset) {
  for (std::size_t end = dataset.find('/', 1);; end = dataset.find('/', end + 1)) {
    if (H5Lexists(file, dataset.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == dataset.npos) break;
  }
  return H5Oexists_by_name(file, dataset.c_str(), H5P_DEFAULT) > 0;
}

bool is_dataset(hid_t file, std::string const& name) {
  Hdf5Object const object(H5Oopen(file, name.c_str(), H5P_DEFAULT));
  return object && H5Iget_type(object.id()) == H5I_DATASET;
}

Shape shape_of(hid_t dataset, std::filesystem::path const& path) {
  Hdf5Space const space(H5Dget_space(dataset));
  int const rank = H5Sget_simple_extent_ndims(space.id());
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL || rank < 1 || rank > static_cast<int>(Shape::max_rank)) {
    fail_reading(path, "the dataset has ", rank, " dimensions, where 1 to ", Shape::max_rank, " are needed");
  }
  std::array<hsize_t, Shape::max_rank> extents{};
  H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(extents[static_cast<std::size_t>(i)]);
  return shape;
}

/// Throws FileError where the file holds something else than a dataset under the name.
void require_replaceable(hid_t file, std::filesystem::path const& path, Hdf5Name const& name) {
  if (exists(file, name.dataset) && !is_dataset(file, name.dataset)) {
    fail_writing(path, in_quotes(name.dataset), " is there already and no dataset");
  }
}

Hdf5File open_older(std::filesystem::path const& file, std::filesystem::path const& path, unsigned mode) {
  Hdf5File older(H5Fopen(file.c_str(), mode, H5P_DEFAULT));
  if (!older) fail_writing(path, "the file is there already and no HDF5 file");
  return older;
}

void copy_contents(std::filesystem::path const& from, OutputFile& to) {
  InputFile file(from);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  while (std::size_t const got = file.read_some(piece)) to.write(std::span(piece).first(got));
}

/// Puts the elements into the open file. False where the library fails, as on a full disk.
bool put(hid_t file, std::string const& name, ArrayView const& view) {
  if (exists(file, name) && H5Ldelete(file, name.c_str(), H5P_DEFAULT) < 0) return false;
  std::array<hsize_t, Shape::max_rank> extents{};
  std::ranges::copy(view.shape.extents(), extents.begin());
  Hdf5Space const space(H5Screate_simple(static_cast<int>(view.shape.rank()), extents.data(), nullptr));
  Hdf5Type const type = hdf5_type_of(view.type);
  Hdf5List const links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  Hdf5Dataset dataset(H5Dcreate2(file, name.c_str(), type.id(), space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!dataset) return false;
  bool const empty = view.shape.count() == 0;
  bool const written = empty || H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, view.data) >= 0;
  return dataset.close() && written;
}

/// A dataset that is open, and what it holds, without elements.
struct OpenDataset {
  Hdf5File file;
  Hdf5Dataset dataset;
  Array array;
};

OpenDataset open_dataset(std::filesystem::path const& path, Hdf5Name const& name) {
  be_silent();
  InputFile const readable(name.file);  // says what is wrong with the file as such
  Hdf5File file(H5Fopen(name.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) fail_reading(path, "it is no HDF5 file");
  if (!exists(file.id(), name.dataset)) fail_reading(path, "the file has no dataset ", in_quotes(name.dataset));
  if (!is_dataset(file.id(), name.dataset)) fail_reading(path, in_quotes(name.dataset), " is no dataset");
  Hdf5Dataset dataset(H5Dopen2(file.id(), name.dataset.c_str(), H5P_DEFAULT));
  Hdf5Type const stored(H5Dget_type(dataset.id()));
  auto const type = element_type_of_hdf5(stored.id());
  if (!type) fail_reading(path, "the type of the dataset's elements is none of ", element_names());
  Shape const shape = shape_of(dataset.id(), path);
  if (!shape.fits(type->size())) {
    fail_reading(path, "the dataset has shape ", shape.text(), ", whose extents multiply to 2^63 bytes or more");
  }
  return {std::move(file), std::move(dataset), Array{*type, shape, Order::c, {}}};
}

}  // namespace

Array look_at_hdf5(std::filesystem::path const& path, Hdf5Name const& name) { return open_dataset(path, name).array; }

Array read_hdf5(std::filesystem::path const& path, Hdf5Name const& name, Progress const& progress) {
  OpenDataset open = open_dataset(path, name);
  Array& array = open.array;
  array.storage = allocate_for(path, array.count() * element_size(array.type));
  bool const read = array.count() == 0 || H5Dread(open.dataset.id(), hdf5_type_of(array.type).id(), H5S_ALL, H5S_ALL,
                                                  H5P_DEFAULT, array.data()) >= 0;
  if (!read) fail_reading(path, "the HDF5 library cannot read the elements");
  ProgressMeter(progress, array.storage.size()).finish();
  return std::move(array);
}

void require_hdf5_takes(std::filesystem::path const& path, ElementType const& type) {
  if (type == ElementType::record) fail_writing(path, "elements with fields are written to .npy files only");
}

void write_hdf5(std::filesystem::path const& path, Hdf5Name const& name, ArrayView const& view,
                Progress const& progress) {
  require_valid(view);
  if (view.order != Order::c && view.shape.rank() > 1) {
    throw std::invalid_argument("pantile::driver: HDF5 datasets are in C order");
  }
  require_hdf5_takes(path, view.type);
  be_silent();
  OutputFile output(name.file);
  bool const older = std::filesystem::exists(name.file);
  if (older) copy_contents(name.file, output);
  std::filesystem::path const& temporary = output.temporary();
  Hdf5File file = older ? open_older(temporary, path, H5F_ACC_RDWR)
                        : Hdf5File(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  if (!file) fail_writing(path, "the HDF5 library cannot create a file");
  require_replaceable(file.id(), path, name);
  bool const put_there = put(file.id(), name.dataset, view);
  if (!file.close() || !put_there) fail_writing(path, "the HDF5 library cannot write the elements");
  ProgressMeter(progress, view.bytes()).finish();
  output.commit();
}

void require_hdf5_writable(std::filesystem::path const& path, Hdf5Name const& name) {
  be_silent();
  if (name.dataset == "/") fail_writing(path, "the name of the dataset is missing");
  require_writable(name.file);
  if (std::filesystem::exists(name.file)) {
    require_replaceable(open_older(name.file, path, H5F_ACC_RDONLY).id(), path, name);
  }
}

}  // namespace pantile::driver
