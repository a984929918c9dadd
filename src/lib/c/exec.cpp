// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/exec.hpp>
#include <c/face.hpp>

#include <pantile/impl/kokkos_ext/device_handles.hpp>

#include <memory>
#include <optional>
#include <string>

/// A device's instance, or none for the host's, which is lent to each call.
struct pantile_exec {
  std::optional<pantile::c::Device> device;
};

namespace pantile::c {

using impl::kokkos_ext::Place;

void require_kokkos() {
  if (!blas::InstancePool::instance().usable()) {
    throw Refusal(PANTILE_UNAVAILABLE, "Kokkos is finalised or could not be started, or the process is ending");
  }
}

bool on_device(pantile_exec const* exec) { return exec == nullptr ? has_devices : exec->device.has_value(); }

Device device_instance(pantile_exec const* exec) { return exec == nullptr || !exec->device ? Device() : *exec->device; }

void require_accessible(char const* name, void const* address) {
  require(impl::kokkos_ext::host_can_access(address),
          [&] { return std::string(name) + " lies in memory of the device, and the call runs on the host"; });
}

void require_accessible(char const* name, void const* address, Device const& device) {
  Place const place = address == nullptr ? Place::both : impl::kokkos_ext::place_of(device, address);
  require(place == Place::both || place == Place::device, [&] {
    return std::string(name) + " lies in memory of " +
           (place == Place::host ? "the host, and the call runs on the device"
                                 : "another device than the one that the call runs on");
  });
}

bool lies_on_device(char const* name, void const* address, Device const& device) {
  Place const place = address == nullptr ? Place::both : impl::kokkos_ext::place_of(device, address);
  require(place != Place::other_device,
          [&] { return std::string(name) + " lies in memory of another device than the one that the call runs on"; });
  return place == Place::device;
}

}  // namespace pantile::c

namespace c = pantile::c;

extern "C" {

pantile_status pantile_exec_create(pantile_space space, void* stream, pantile_exec** exec) {
  return c::guarded("pantile_exec_create", [&] {
    c::require(exec != nullptr, [] { return std::string("exec must not be NULL"); });
    *exec = nullptr;
    c::require(space >= PANTILE_SPACE_DEFAULT && space <= PANTILE_SPACE_DEVICE,
               [&] { return "space is " + std::to_string(space) + ", which is no space"; });
    bool const device = space == PANTILE_SPACE_DEFAULT ? c::has_devices : space == PANTILE_SPACE_DEVICE;
    if (device && !c::has_devices) {
      throw c::Refusal(PANTILE_NOT_SUPPORTED, "this library was built without devices");
    }
    c::require(device || stream == nullptr, [] { return std::string("stream must be NULL: hosts have none"); });
    c::require_kokkos();
    auto made = std::make_unique<pantile_exec>();
    if (device) made->device = pantile::impl::kokkos_ext::instance_on<c::Device>(stream);
    *exec = made.release();
  });
}

pantile_status pantile_exec_fence(pantile_exec const* exec) {
  return c::guarded("pantile_exec_fence", [&] {
    c::require_kokkos();
    if (c::on_device(exec)) c::device_instance(exec).fence("pantile_exec_fence");
  });
}

void pantile_exec_destroy(pantile_exec* exec) {
  if (exec != nullptr) pantile_exec_fence(exec);
  delete exec;
}

}  // extern "C"
