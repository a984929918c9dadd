// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <pantile/file_store.hpp>

#include <cstddef>
#include <filesystem>

#include "io/npy.hpp"
#include "io/partial_file.hpp"

namespace pantile::driver {

/// A file's matrix as the library's out_of_core takes it.
out_of_core::StoreShape store_shape(ElementType type, Shape const& shape, Order order);

/// A matrix in an .npy file, of either byte order. Throws FileError.
class NpySource : public out_of_core::TileSource {
 public:
  NpySource(std::filesystem::path path, NpyFile const& file);

  [[nodiscard]] out_of_core::StoreShape const& shape() const override { return m_store.shape(); }
  [[nodiscard]] std::size_t begin_in_block(out_of_core::Part const& part) const override {
    return m_store.begin_in_block(part);
  }
  void read(out_of_core::Part const& part, std::byte* tile) override;

 private:
  std::filesystem::path m_path;
  std::size_t m_swapped_bytes;  // of a component whose bytes are reversed; 1 where they are this machine's
  FileDescriptor m_descriptor;
  out_of_core::FileStore m_store;
};

/// The matrix of a PartialFile. Throws FileError.
class NpySink : public out_of_core::TileSink {
 public:
  NpySink(std::filesystem::path path, PartialFile const& file, out_of_core::StoreShape const& shape);

  [[nodiscard]] out_of_core::StoreShape const& shape() const override { return m_store.shape(); }
  [[nodiscard]] std::size_t begin_in_block(out_of_core::Part const& part) const override {
    return m_store.begin_in_block(part);
  }
  void write(out_of_core::Part const& part, std::byte const* tile) override;

 private:
  std::filesystem::path m_path;
  out_of_core::FileStore m_store;
};

/// A matrix that is not written yet.
class FutureSink : public out_of_core::TileSink {
 public:
  explicit FutureSink(out_of_core::StoreShape const& shape) : m_shape(shape) {}

  [[nodiscard]] out_of_core::StoreShape const& shape() const override { return m_shape; }
  void write(out_of_core::Part const&, std::byte const*) override {}

 private:
  out_of_core::StoreShape m_shape;
};

}  // namespace pantile::driver
