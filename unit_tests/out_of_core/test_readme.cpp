// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The README's product by tiles, as it stands there: ended in the middle, and gone on with.
#include <out_of_core/cases.hpp>

#include <out_of_core_readme.hpp>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File temporary() { return {std::tmpfile(), std::fclose}; }

TEST(Readme, ItsProductGoesOnAfterItsLastTile) {
  constexpr int m = 90, n = 80, k = 70;
  Rows const A("A", m, k);
  std::vector<double> b(k * n), c(m * n, -1);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l) A(i, l) = (i + 2 * l) % 7;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i % 11);
  File const file_of_b = temporary(), file_of_c = temporary();
  ASSERT_EQ(std::fwrite(b.data(), sizeof(double), b.size(), file_of_b.get()), b.size());
  ASSERT_EQ(std::fflush(file_of_b.get()), 0);

  std::vector<std::int64_t> told;
  auto const go_on = [&](std::int64_t tiles, std::size_t most) {
    multiply(A, fileno(file_of_b.get()), fileno(file_of_c.get()), n, 40000, tiles, [&](std::int64_t done) {
      told.push_back(done);
      if (told.size() == most) throw std::runtime_error("ended");
    });
  };
  EXPECT_THROW(go_on(0, 2), std::runtime_error);
  ASSERT_EQ(told, (std::vector<std::int64_t>{1, 2}));
  go_on(2, 0);
  EXPECT_GT(told.size(), 3U);
  EXPECT_EQ(told[2], 3);

  std::rewind(file_of_c.get());
  ASSERT_EQ(std::fread(c.data(), sizeof(double), c.size(), file_of_c.get()), c.size());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += A(i, l) * b[static_cast<std::size_t>(l * n + j)];
      ASSERT_EQ(c[static_cast<std::size_t>(i * n + j)], sum) << i << ", " << j;
    }
  }
}

}  // namespace
