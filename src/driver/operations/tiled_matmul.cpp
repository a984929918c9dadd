// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/dispatch.hpp"
#include "operations/tiled.hpp"
#include "version_text.hpp"

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/host/isa.hpp>
#include <pantile/out_of_core.hpp>
#include <pantile/version.hpp>

namespace pantile::driver {

namespace {

/// f.operator()<T, TC>(alpha, old values of C, beta) for the types of A and of C: where there are no old values, beta
/// says nothing.
template <class F>
auto with_call(TiledMatmul const& task, F const& f) {
  return with_matmul_types(task.type, task.accumulator, [&]<class T, class TC, class Sum>() {
    auto const alpha = task.alpha.as<Sum>("alpha"), beta = task.beta.as<Sum>("beta");
    if (task.c_in == nullptr) return f.template operator()<T, TC>(alpha, task.a, Sum(0));
    return f.template operator()<T, TC>(alpha, *task.c_in, beta);
  });
}

}  // namespace

out_of_core::MatmulPlan plan(TiledMatmul const& task, out_of_core::OutOfCoreOptions const& options) {
  return with_call(task, [&]<class T, class TC, class Sum>(Sum alpha, out_of_core::TileSource& c_in, Sum beta) {
    return out_of_core::explain::matmul<T, TC, Sum>(alpha, task.a, task.b, beta, c_in, task.c, options, task.options);
  });
}

void run(TiledMatmul const& task, out_of_core::OutOfCoreOptions const& options) {
  with_call(task, [&]<class T, class TC, class Sum>(Sum alpha, out_of_core::TileSource& c_in, Sum beta) {
    out_of_core::matmul<T, TC, Sum>(Exec(), alpha, task.a, task.b, beta, c_in, task.c, options, task.options);
  });
}

std::string rounding_text() {
  using impl::arch::space_name;
  bool const on_host = !impl::arch::Current<Exec>::device;
  return "pantile " + version_text(header_version) + ", " + space_name<Exec>() +
         (on_host ? std::string(", ") + impl::arch::micro_kernel_isa() : "");
}

}  // namespace pantile::driver
