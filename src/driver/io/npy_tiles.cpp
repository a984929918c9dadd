// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/npy_tiles.hpp"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fcntl.h>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

int open_to_read(std::filesystem::path const& path) {
  int const number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) fail_reading(path, std::generic_category().message(errno));
  return number;
}

}  // namespace

out_of_core::StoreShape store_shape(ElementType type, Shape const& shape, Order order) {
  return {.rows = static_cast<std::int64_t>(shape[0]),
          .cols = static_cast<std::int64_t>(shape[1]),
          .order = order == Order::c ? out_of_core::Order::rows : out_of_core::Order::columns,
          .element_bytes = element_size(type)};
}

NpySource::NpySource(std::filesystem::path path, NpyFile const& file)
    : m_path(std::move(path)),
      m_swapped_bytes(file.header.byte_order == std::endian::native ? 1
                                                                    : element_info(file.header.type).component_size),
      m_descriptor(open_to_read(m_path)),
      m_store(m_descriptor.number(), m_path.string(), file.offset,
              store_shape(file.header.type, file.header.shape, file.header.order)) {}

void NpySource::read(out_of_core::Part const& part, std::byte* tile) {
  try {
    m_store.read(part, tile);
  } catch (std::system_error const& error) {
    fail_reading(m_path, error.code().message());
  } catch (std::runtime_error const&) {
    fail_reading(m_path, "the file shrank while it was read");
  }
  swap_bytes({tile, shape().bytes(part)}, m_swapped_bytes);
}

NpySink::NpySink(std::filesystem::path path, PartialFile const& file, out_of_core::StoreShape const& shape)
    : m_path(std::move(path)), m_store(file.descriptor(), m_path.string(), file.offset(), shape) {}

void NpySink::write(out_of_core::Part const& part, std::byte const* tile) {
  try {
    m_store.write(part, tile);
  } catch (std::system_error const& error) {
    fail_writing(m_path, error.code().message());
  }
}

}  // namespace pantile::driver
