// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which way transfers go, asked about memories that this machine need not have.
#include <pantile/impl/transfer/policy.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

using namespace pantile::impl::transfer;
using pantile::TransferPath;

enum class Lies { by_rows, by_columns, rows_with_gaps, columns_with_gaps };

Side side(Memory memory, Lies lies) {
  bool const along_rows = lies == Lies::by_rows || lies == Lies::rows_with_gaps;
  return {memory, lies == Lies::by_rows, lies == Lies::by_columns, along_rows ? Order::rows : Order::columns};
}

Plan ask(Side to, Side from, bool one_kernel = false) {
  return choose({.rows = 10,
                 .cols = 20,
                 .element_size = 4,
                 .device = true,
                 .one_kernel = one_kernel,
                 .destination = to,
                 .source = from});
}

TEST(TransferPolicy, NothingToDo) {
  Plan const empty = choose({.rows = 0, .cols = 5});
  EXPECT_EQ(empty.path, TransferPath::none);
  EXPECT_EQ(empty.bytes, 0u);
  EXPECT_FALSE(empty.blocks);
  Plan const self = choose({.rows = 2, .cols = 5, .same_elements = true});
  EXPECT_EQ(self.path, TransferPath::none);
  EXPECT_EQ(std::string(self.reason), "destination and source are the same elements");
}

TEST(TransferPolicy, SameOrderIsDirect) {
  for (Lies const lies : {Lies::by_rows, Lies::by_columns}) {
    for (bool const one_kernel : {false, true}) {
      Plan const plan = ask(side(Memory::device, lies), side(Memory::host, lies), one_kernel);
      EXPECT_EQ(plan.path, TransferPath::direct);
      EXPECT_EQ(plan.bytes, 800u);
      EXPECT_EQ(plan.staging_bytes, 0u);
    }
  }
}

TEST(TransferPolicy, PageableMemoryIsReportedAndBlocks) {
  Plan const pageable = ask(side(Memory::host, Lies::by_rows), side(Memory::device, Lies::by_rows));
  EXPECT_TRUE(pageable.pageable);
  EXPECT_TRUE(pageable.blocks);
  Plan const pinned = ask(side(Memory::pinned, Lies::by_rows), side(Memory::device, Lies::by_rows));
  EXPECT_FALSE(pinned.pageable);
  EXPECT_FALSE(pinned.blocks);
  Plan const on_host = choose({.rows = 2, .cols = 2, .device = false});
  EXPECT_FALSE(on_host.pageable);
  EXPECT_TRUE(on_host.blocks) << "host backends run their work in the call";
}

TEST(TransferPolicy, OneKernelWhereOneReachesBoth) {
  Plan const plan = ask(side(Memory::device, Lies::by_columns), side(Memory::device, Lies::rows_with_gaps), true);
  EXPECT_EQ(plan.path, TransferPath::kernel);
  EXPECT_FALSE(plan.blocks);
  EXPECT_EQ(plan.staging_bytes, 0u);
}

struct Row {
  Lies host, device;
  Order order;
  bool stage_host, stage_device;
};

// The side that needs a packed copy, and the order that is moved, are the same in both directions.
constexpr Row staged_table[] = {
    {Lies::by_rows, Lies::by_columns, Order::rows, false, true},
    {Lies::by_columns, Lies::by_rows, Order::columns, false, true},
    {Lies::by_rows, Lies::rows_with_gaps, Order::rows, false, true},
    {Lies::by_rows, Lies::columns_with_gaps, Order::rows, false, true},
    {Lies::by_columns, Lies::rows_with_gaps, Order::columns, false, true},
    {Lies::rows_with_gaps, Lies::by_rows, Order::rows, true, false},
    {Lies::rows_with_gaps, Lies::by_columns, Order::columns, true, false},
    {Lies::columns_with_gaps, Lies::by_rows, Order::rows, true, false},
    {Lies::rows_with_gaps, Lies::rows_with_gaps, Order::rows, true, true},
    {Lies::rows_with_gaps, Lies::columns_with_gaps, Order::rows, true, true},
    {Lies::columns_with_gaps, Lies::rows_with_gaps, Order::columns, true, true},
};

TEST(TransferPolicy, StagesAsLittleAsPossibleAndOnTheDeviceFirst) {
  for (Row const& row : staged_table) {
    SCOPED_TRACE(&row - staged_table);
    Side const host = side(Memory::host, row.host), device = side(Memory::device, row.device);
    std::size_t const staging = 800u * ((row.stage_host ? 1 : 0) + (row.stage_device ? 1 : 0));

    Plan const down = ask(device, host);
    EXPECT_EQ(down.path, TransferPath::staged);
    EXPECT_EQ(down.order, row.order);
    EXPECT_EQ(down.pack, row.stage_host);
    EXPECT_EQ(down.pack_on_host, row.stage_host);
    EXPECT_EQ(down.unpack, row.stage_device);
    EXPECT_FALSE(down.unpack_on_host);
    EXPECT_EQ(down.staging_bytes, staging);
    EXPECT_TRUE(down.blocks);

    Plan const up = ask(host, device);
    EXPECT_EQ(up.path, TransferPath::staged);
    EXPECT_EQ(up.order, row.order);
    EXPECT_EQ(up.pack, row.stage_device);
    EXPECT_FALSE(up.pack_on_host);
    EXPECT_EQ(up.unpack, row.stage_host);
    EXPECT_EQ(up.unpack_on_host, row.stage_host);
    EXPECT_EQ(up.staging_bytes, staging);
  }
}

/// 4 MiB between these sides, by a device that has chunks of 1 MiB.
Query large(Side to, Side from) {
  return {.rows = 1024,
          .cols = 1024,
          .element_size = 4,
          .device = true,
          .one_kernel = false,
          .destination = to,
          .source = from,
          .chunk_bytes = 1 << 20,
          .in_flight = 3};
}

TEST(TransferPolicy, PageableMemoryGoesThroughChunks) {
  constexpr std::size_t megabyte = 1 << 20;
  Side const device = side(Memory::device, Lies::by_rows), host = side(Memory::host, Lies::by_rows);
  std::pair<Side, Side> const ways[] = {{device, host}, {host, device}};
  for (auto const& [to, from] : ways) {
    Plan const plan = choose(large(to, from));
    EXPECT_EQ(plan.path, TransferPath::chunked);
    EXPECT_EQ(plan.bytes, 4 * megabyte);
    EXPECT_EQ(plan.piece_bytes, megabyte / 2) << "eight pieces at least";
    EXPECT_EQ(plan.chunks, 3);
    EXPECT_EQ(plan.staging_bytes, 3 * megabyte / 2);
    EXPECT_FALSE(plan.pack || plan.unpack || plan.pack_on_host || plan.unpack_on_host);
    EXPECT_TRUE(plan.pageable && plan.blocks);
  }
  Query query = large(device, host);
  query.rows = 64 * 1024;
  EXPECT_EQ(choose(query).piece_bytes, megabyte) << "no more than a chunk";
  query.in_flight = 1;
  EXPECT_EQ(choose(query).chunks, 1);
  query.element_size = 40 << 10;
  query.chunk_bytes = 64 << 10;
  EXPECT_EQ(choose(query).piece_bytes, 64u << 10);
}

TEST(TransferPolicy, NoChunksWhereTheySaveNothing) {
  Side const device = side(Memory::device, Lies::by_rows), host = side(Memory::host, Lies::by_rows);
  Side const pinned = side(Memory::pinned, Lies::by_rows), shared = side(Memory::shared, Lies::by_rows);
  EXPECT_EQ(choose(large(shared, host)).path, TransferPath::chunked);
  std::pair<Side, Side> const ways[] = {{device, pinned}, {pinned, device}, {host, pinned}, {pinned, host},
                                        {device, shared}, {device, device}, {host, host}};
  for (auto const& [to, from] : ways) {
    EXPECT_EQ(choose(large(to, from)).path, TransferPath::direct);
  }
  Query query = large(device, host);
  query.chunk_bytes = 0;
  EXPECT_EQ(choose(query).path, TransferPath::direct) << "none are wanted, or there are none";
  query.chunk_bytes = 3;
  EXPECT_EQ(choose(query).path, TransferPath::direct) << "an element does not fit";
  query = large(device, host);
  query.device = false;
  EXPECT_EQ(choose(query).path, TransferPath::direct);
  query = large(device, host);
  query.rows = 255;
  EXPECT_EQ(choose(query).path, TransferPath::direct) << "small";
  query.rows = 256;
  EXPECT_EQ(choose(query).path, TransferPath::chunked);
}

/// In chunks the host copies along its rows or columns as they lie, padded or not, and the device transposes and
/// spreads.
TEST(TransferPolicy, ChunksArePackedByTheHostAndSpreadByTheDevice) {
  for (Lies const host_lies : {Lies::by_rows, Lies::by_columns, Lies::rows_with_gaps, Lies::columns_with_gaps}) {
    for (Lies const device_lies : {Lies::by_rows, Lies::by_columns, Lies::rows_with_gaps, Lies::columns_with_gaps}) {
      Side const host = side(Memory::host, host_lies), device = side(Memory::device, device_lies);
      Plan const down = choose(large(device, host)), up = choose(large(host, device));
      for (Plan const& plan : {down, up}) {
        EXPECT_EQ(plan.path, TransferPath::chunked);
        EXPECT_EQ(plan.order, host.fast);
        std::size_t const on_device = device.packed(host.fast) ? 0 : 1;
        EXPECT_EQ(plan.staging_bytes, plan.piece_bytes * (3 + on_device)) << "never the whole matrix";
      }
      EXPECT_EQ(down.unpack, !device.packed(host.fast));
      EXPECT_EQ(up.pack, !device.packed(host.fast));
      EXPECT_FALSE(down.pack || up.unpack || down.pack_on_host || up.unpack_on_host);
    }
  }
  // A vector is packed in both orders, whatever it calls its fast one.
  Side const vector{Memory::host, true, true, Order::columns};
  EXPECT_FALSE(choose(large(side(Memory::device, Lies::by_rows), vector)).unpack);
}

TEST(TransferPolicy, KernelBlocks) {
  KernelPlan const transposed = choose_kernel(true, false, 100, 100, 8, 32);
  EXPECT_TRUE(transposed.transposed);
  EXPECT_EQ(transposed.team_size, 256);
  EXPECT_EQ(transposed.block_rows, 32);
  EXPECT_FALSE(choose_kernel(true, false, 4, 1000, 8, 32).transposed) << "skinny";
  EXPECT_FALSE(choose_kernel(true, false, 100, 100, 64, 32).transposed) << "would not fit into scratch";
  EXPECT_FALSE(choose_kernel(true, true, 100, 100, 8, 32).transposed);
  KernelPlan const wide = choose_kernel(false, true, 3, 1'000'000, 8, 32);
  EXPECT_EQ(wide.block_rows, 1);
  EXPECT_EQ(wide.block_cols, 8192);
  KernelPlan const tall = choose_kernel(false, true, 1'000'000, 2, 8, 32);
  EXPECT_EQ(tall.block_rows, 4096);
  EXPECT_EQ(tall.block_cols, 2);
  KernelPlan const huge = choose_kernel(false, true, 5, 5, 1 << 20, 32);
  EXPECT_EQ(huge.block_rows, 1);
  EXPECT_EQ(huge.block_cols, 1);
}

TEST(TransferReport, SaysWhatMatters) {
  pantile::TransferReport report;
  report.path = TransferPath::staged;
  report.label = "pantile::transfer[staged,cuda,double]";
  report.reason = "because";
  report.bytes = 80;
  report.pageable = true;
  std::string const text = to_string(report);
  EXPECT_NE(text.find("staged - because"), std::string::npos) << text;
  EXPECT_NE(text.find("pageable"), std::string::npos) << text;
  report.pageable = false;
  EXPECT_EQ(to_string(report).find("pageable"), std::string::npos);
}

}  // namespace
