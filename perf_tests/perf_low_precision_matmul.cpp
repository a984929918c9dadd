// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul of elements narrower than their sums, against Pantile's own rate for float. No library on this host
///        offers them.
#include <support/product.hpp>

namespace pantile::perf {

namespace {

template <class T, class TC>
void add_cases(std::string const& element) {
  std::vector<std::int64_t> sizes{64, 256, 1024, 2048};
  if (settings().smoke()) sizes = {6};
  if (settings().scale == Scale::quick) sizes = {64, 256};
  for (std::int64_t const n : sizes) {
    add_case("low_precision/" + element + "/" + square(n).name(), [n] {
      auto const p = std::make_shared<Product<Host, T, T, TC>>(Host(), square(n));
      Contest contest = product_contest(p, "GOP/s");
      bound_by_own<float>(contest, "own_float", p);
      return contest;
    });
  }
}

bool const registered = on_start([] {
  add_cases<std::int8_t, std::int32_t>("int8");
#if defined(__FLT16_MAX__)  // the compiler has the type
  add_cases<_Float16, float>("half");
#endif
#if defined(__BFLT16_MAX__)
  add_cases<__bf16, float>("bhalf");
#endif
});

}  // namespace

}  // namespace pantile::perf
