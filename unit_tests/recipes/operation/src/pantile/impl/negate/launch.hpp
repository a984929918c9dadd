// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to a kernel on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/negate/kernel.hpp>
#include <pantile/impl/negate/policy.hpp>
#include <pantile/impl/view/label.hpp>

#include <string>

namespace pantile::impl::negate {

template <class Exec, class T>
std::string const& label() {
  static std::string const name = kernel_label("negate", "naive", arch::space_name<Exec>(), element_name_v<T>);
  return name;
}

template <class Exec, class T>
void run(Exec const& exec, Problem<T> const& p, Plan const& plan) {
  launch::per_element(exec, p.b.rows, p.b.cols, plan.tile, Kernel<T>{p}, label<Exec, T>());
}

}  // namespace pantile::impl::negate
