// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/buffer.hpp>

namespace pantile::testing {

namespace {

template <class Byte>
using HostBytes = Kokkos::View<Byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

template <class View>
void write_view(View const& view, void const* source) {
  if (view.extent(0) == 0) return;
  Kokkos::deep_copy(view, HostBytes<unsigned char const>(static_cast<unsigned char const*>(source), view.extent(0)));
}

template <class View>
void read_view(View const& view, void* target) {
  if (view.extent(0) == 0) return;
  Kokkos::deep_copy(HostBytes<unsigned char>(static_cast<unsigned char*>(target), view.extent(0)), view);
}

}  // namespace

Buffer::Buffer(std::string const& label, std::size_t bytes, bool on_host) {
  if (on_host) {
    m_host = decltype(m_host)(label, bytes);
  } else {
    m_device = decltype(m_device)(label, bytes);
  }
}

void* Buffer::data() const { return m_host.extent(0) > 0 ? m_host.data() : m_device.data(); }

void Buffer::write(void const* source) const {
  write_view(m_host, source);
  write_view(m_device, source);
}

void Buffer::read(void* target) const {
  read_view(m_host, target);
  read_view(m_device, target);
}

}  // namespace pantile::testing
