// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/hdf5.hpp"

namespace pantile::driver {

std::optional<Hdf5Name> parse_hdf5_name(std::filesystem::path const& path) {
  std::string const& text = path.native();
  for (std::string_view const ending : {".h5:/", ".hdf5:/"}) {
    auto const place = text.find(ending);
    if (place == text.npos) continue;
    std::size_t const colon = place + ending.size() - 2;
    std::string dataset = std::filesystem::path(text.substr(colon + 1)).lexically_normal();
    while (dataset.size() > 1 && dataset.ends_with('/')) dataset.pop_back();
    return Hdf5Name{text.substr(0, colon), std::move(dataset)};
  }
  return std::nullopt;
}

}  // namespace pantile::driver
