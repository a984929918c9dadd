// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/operation.hpp>

#include <pantile/transfer.hpp>

namespace pantile::c {
namespace {

/// A number of bytes: zero is the library's own, -1 none.
std::size_t bytes_of(char const* option, std::int64_t asked, std::size_t own) {
  require(asked >= -1,
          [&] { return std::string(option) + " must not be less than -1, it is " + std::to_string(asked); });
  return asked == 0 ? own : asked == -1 ? 0 : static_cast<std::size_t>(asked);
}

TransferOptions options_of(pantile_copy_options const* given) {
  pantile_copy_options const o = read("options", given);
  TransferOptions const own;
  return {bytes_of("chunk_bytes", o.chunk_bytes, own.chunk_bytes), o.in_flight == 0 ? own.in_flight : o.in_flight,
          bytes_of("keep_bytes", o.keep_bytes, own.keep_bytes)};
}

}  // namespace
}  // namespace pantile::c

PANTILE_C_OPERATION(copy, (exec, destination, source, options), pantile_exec const* exec,
                    pantile_matrix const* destination, pantile_matrix const* source,
                    pantile_copy_options const* options) {
  Operand const to = checked("destination", destination), from = checked("source", source);
  TransferOptions const how = options_of(options);
  common_element({to.typed(), from.typed()});
  with_call(MovedElements{}, to.typed(), exec, {}, [&]<class T>(auto const& instance, std::type_identity<T>) {
    with_place(exec, to, [&](auto const& to_space) {
      with_place(exec, from, [&](auto const& from_space) {
        auto const view_to = matrix_in<T>(to_space, to);
        auto const view_from = matrix_in<T const>(from_space, from);
        PANTILE_C_RUN(copy, instance, view_to, view_from, how);
      });
    });
  });
}
