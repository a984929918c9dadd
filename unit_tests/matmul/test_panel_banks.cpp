// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Stores of panels into the scratch of NVIDIA's GPUs, by arithmetic: a warp's words in as few wavefronts as
///        their bytes ask for, whichever way an operand lies in memory.
#include <pantile/impl/arch/cuda/matmul_tiles.hpp>
#include <pantile/impl/matmul/device/load.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <type_traits>

namespace {

using namespace pantile::impl::arch::cuda;
using pantile::impl::arch::DeviceTile;
using pantile::impl::arch::DeviceTiles;
using pantile::impl::matmul::PanelLayout;
using pantile::impl::matmul::PanelLoader;

constexpr int warp = 32, banks = 32;

/// \brief  Passes through the banks, each of 4 bytes, that an access of a warp takes. Lanes whose words are 128 bytes
///         together go at once; a bank gives one word at a time.
/// \param  begin  first byte of each lane's word
int wavefronts(std::array<int, warp> const& begin, int size) {
  int const together = warp * 4 / size;
  std::size_t total = 0;
  for (int first = 0; first < warp; first += together) {
    std::array<std::set<int>, banks> words;
    for (int lane = first; lane < first + together; ++lane) {
      for (int byte = 0; byte < size; byte += 4) {
        int const word = (begin[static_cast<std::size_t>(lane)] + byte) / 4;
        words[static_cast<std::size_t>(word % banks)].insert(word);
      }
    }
    std::size_t most = 0;
    for (auto const& bank : words) most = std::max(most, bank.size());
    total += most;
  }
  return static_cast<int>(total);
}

TEST(Wavefronts, AreThoseOfTheFullestBank) {
  std::array<int, warp> begin{};
  EXPECT_EQ(wavefronts(begin, 4), 1) << "one word for all";
  for (std::size_t lane = 0; lane < warp; ++lane) begin[lane] = static_cast<int>(lane) * 4;
  EXPECT_EQ(wavefronts(begin, 4), 1);
  for (int& address : begin) address *= 2;
  EXPECT_EQ(wavefronts(begin, 4), 2);
  EXPECT_EQ(wavefronts(begin, 8), 2) << "256 bytes";
  for (int& address : begin) address *= 2;
  EXPECT_EQ(wavefronts(begin, 16), 4) << "512 bytes";
  for (int& address : begin) address *= 8;
  EXPECT_EQ(wavefronts(begin, 4), 32);
}

template <class T, class Word, class Tile, int Edge>
void expect_spread(std::string const& where) {
  static constexpr DeviceTile shape = Tile::shape;
  static constexpr int size_of_k_pack = sizeof(Word);
  static_assert(shape.k_pack_bytes == size_of_k_pack && shape.k_pack == 1);
  using Layout = PanelLayout<Word, Edge, shape.padding(), shape.padding_of_four()>;
  using Mover = PanelLoader<T, Layout, shape.k, Edge, shape.threads(), std::is_same_v<T, Word>>;
  auto const expect = [&]<class Way>(Way, int size, char const* way) {
    for (int first = 0; first < shape.threads(); first += warp) {
      std::array<int, warp> begin{};
      for (int lane = 0; lane < warp; ++lane) {
        auto const at = Way::first(first + lane);
        int const place = Layout::place(at.k, at.e);
        begin[static_cast<std::size_t>(lane)] = place * size_of_k_pack;
        // All of a thread's items are at constant distances.
        for (int i = 0; i < Way::items; ++i) {
          auto const next = Way::next(i);
          EXPECT_EQ(Layout::place(at.k + next.k, at.e + next.e), place + Mover::template way<Way>(i)) << where << way;
        }
      }
      EXPECT_EQ(wavefronts(begin, size) * 128.0 / (warp * size), 1) << where << way;
    }
  };
  expect(typename Mover::AlongDepth{}, size_of_k_pack, ", depth");
  expect(typename Mover::template AlongEdge<1>{}, size_of_k_pack, ", edge");
  if constexpr (Mover::packs > 0) expect(typename Mover::template AlongEdge<Mover::pack>{}, 16, ", packs");
}

template <class T, class Word = T, class... Tile>
void expect_spread(DeviceTiles<Tile...>) {
  int number = 0;
  auto const both = [&]<class One>(One) {
    std::string const where = "tile " + std::to_string(number++) + " of " + std::to_string(sizeof(T)) +
                              " bytes in words of " + std::to_string(sizeof(Word));
    expect_spread<T, Word, One, One::shape.m>(where + ", A");
    expect_spread<T, Word, One, One::shape.n>(where + ", B");
  };
  (both(Tile{}), ...);
}

TEST(PanelBanks, EveryTileStoresInAsFewWavefrontsAsCanBe) {
  expect_spread<float>(matrix_tiles<float, float, float>());
  expect_spread<double>(matrix_tiles<double, double, double>());
  expect_spread<std::uint32_t>(matrix_tiles<std::uint32_t, std::uint32_t, std::uint32_t>());
  expect_spread<std::uint64_t>(matrix_tiles<std::uint64_t, std::uint64_t, std::uint64_t>());
  expect_spread<Kokkos::complex<double>>(
      matrix_tiles<Kokkos::complex<double>, Kokkos::complex<double>, Kokkos::complex<double>>());
}

TEST(PanelBanks, ElementsThatBecomeWiderDoSoToo) {
  expect_spread<float, double>(matrix_tiles<float, float, double>());
  expect_spread<double, Kokkos::complex<double>>(
      matrix_tiles<double, Kokkos::complex<double>, Kokkos::complex<double>>());
}

}  // namespace
