# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why a mutant lives: survivors of the drawn mutants and of the planted faults with their reasons. A drawn mutant is known by
(path, old, new), "" for a statement that is left out; where old is a word that the file has often, path is "path: function"."""

KINDS = {
    "time": "same results in other time or memory",
    "same": "the same results",
    "device": "what x86 hosts without a device cannot show",
    "race": "races that no test forces",
    "missing": "a test is missing",
    "unknown": "not explained",
}
SAME_RESULT = ("time", "same")

SIMD, IMPL, BLAS = "src/impl/arch/host/simd/", "src/impl/", "src/lib/blas/"

TIME = [
    (IMPL + "kokkos_ext/mdrange.hpp: fast_slow_policy", "1", "1 + 1", "tile of a range"),
    (BLAS + "gemm.cpp", "call.alpha == T(0) || call.k == 0", "call.alpha == T(0) && call.k == 0", "C = 1 C is computed"),
    (IMPL + "arch/current.hpp", "found.concurrency = exec.concurrency()", "", "parts for one thread"),
    (IMPL + "arch/current.hpp: machine", "1", "1 - 1", "concurrency of a space without threads"),
    (BLAS + "copy.cpp", "m.rows <= small_count && m.cols <= small_count && m.rows * m.cols <= small_count",
     "m.rows <= small_count && m.cols <= small_count || m.rows * m.cols <= small_count", "a lane or the team"),
    (BLAS + "copy.cpp", "m.rows <= small_count", "m.rows < small_count", "a lane or the team"),
    (IMPL + "transpose/launch.hpp: make_query", "1", "(1) + 1", "the tiled kernel for one column"),
    (IMPL + "transpose/launch.hpp", "p.target.cols <= 1", "p.target.cols < 1", "the tiled kernel for one column"),
    (IMPL + "transpose/launch.hpp", "p.source.cols <= 1", "p.source.cols < 1", "the tiled kernel for one column"),
    (IMPL + "transpose/launch.hpp: run_tiled", "1", "1 + 1", "the kernel for any strides takes unit strides too"),
    (IMPL + "transpose/launch.hpp: run_copy", "1", "1 - 1", "the kernel for any strides takes unit strides too"),
    (IMPL + "fill/call.hpp: checked_plan", "p.c.cols", "p.c.rows", "shape of a tile or of a launch"),
    (IMPL + "fill/default_policy.hpp: choose", "cols", "rows", "shape of a tile"),
    (SIMD + "gemm.hpp: foresee", "128", "(128) - 1", "prefetch"),
    (SIMD + "gemm.hpp", "tile.k < 128", "tile.k <= 128", "prefetch"),
    (SIMD + "gemm.hpp", "foresee(a, tile, step)", "", "prefetch"),
    (SIMD + "gemm.hpp", "call.n <= call.blocks.nc", "call.n < call.blocks.nc", "the loops over blocks for one block"),
    (SIMD + "gemm_kernel.hpp", "c + r * call.c_rs + at", "c + r * call.c_rs - at", "prefetch"),
    (SIMD + "pack.hpp", "from + line", "from - line", "prefetch"),
    (SIMD + "transpose.hpp", "source + rows * m.source_ld", "source - rows * m.source_ld", "prefetch"),
    (SIMD + "transpose.hpp", "next >= end_of_row", "next > end_of_row", "prefetch"),
    (SIMD + "transpose.hpp", "next += ld - width", "", "prefetch"),
    (SIMD + "transpose.hpp", "k + line <= x.rows * Size", "k + line < x.rows * Size", "the last line element by element"),
    (SIMD + "transpose.hpp", "Size == 1 && m.source_ld % close_bytes == 0", "Size == 1 || m.source_ld % close_bytes == 0",
     "rows copied together first"),
    (SIMD + "add.hpp", "head < count", "head <= count", "both sides are equal there"),
    (SIMD + "gemm_thin.hpp", "k + batch <= depth", "k + batch < depth", "the last batch row by row, in the same order"),
    (SIMD + "gemm_thin.hpp", "call.m > 2", "call.m >= 2", "length of a piece"),
    (IMPL + "transfer/pipeline.hpp: facts", "matrix.cols", "matrix.rows", "size of a chunk"),
    (IMPL + "transfer/chunks.hpp: pieces_of", "rows", "cols", "size of a piece"),
    (IMPL + "transfer/launch.hpp: run", "to.cols", "to.rows", "size of a block"),
    (IMPL + "matmul/blocked_facts.hpp: blocked_facts", "narrow.rows", "narrow.cols", "where threads cut C"),
    (IMPL + "matmul/tiny.hpp", "c.row_stride >= n", "c.row_stride > n", "the general path"),
    (IMPL + "matmul/tiny.hpp: is_ordinary", "c.cols", "c.rows", "the general path"),
    (IMPL + "matmul/kernel_blocked.hpp", "p.n() > tiny_edge_cols", "p.n() >= tiny_edge_cols", "asks whether there are edge columns"),
    (IMPL + "matmul/kernel_blocked.hpp", "p.n() > tiny_edge_cols", "!(p.n() > tiny_edge_cols)", "edge columns or none"),
    (IMPL + "matmul/kernel_blocked.hpp", "cols > tiny_edge_cols", "cols >= tiny_edge_cols", "by way of Problem"),
    (IMPL + "matmul/call.hpp", "p.c.fast_along_row()", "!(p.c.fast_along_row())", "kernels across C's memory"),
    (IMPL + "launch/per_element.hpp: per_element", "cols", "rows", "shape of a tile"),
    (IMPL + "launch/workspace.hpp: lease", "2", "2 + 1", "how much more is allocated"),
    (IMPL + "launch/workspace.hpp", "memory.size() > 0", "memory.size() >= 0", "a fence more"),
    (IMPL + "arch/host/cache.hpp", "found > 0", "!(found > 0)", "size of the cache"),
    (IMPL + "add/launch.hpp", "p.c.cols * static_cast<Index>(sizeof(TC)) >= 1024",
     "p.c.cols * static_cast<Index>(sizeof(TC)) > 1024", "stores past the cache"),
    (IMPL + "add/launch.hpp", "p.reads_a() && at(p.a.data) == at(p.c.data)", "p.reads_a() || at(p.a.data) == at(p.c.data)",
     "stores past the cache"),
    (IMPL + "add/launch.hpp: make_query", "1", "1 + 1", "stores past the cache"),
    (IMPL + "transpose/default_policy.hpp", "bytes > 2 * query.cache_bytes", "bytes >= 2 * query.cache_bytes", "stores past the cache"),
    (IMPL + "transpose/kernel_blocked.hpp: operator", "last", "!(last)", "prefetch of the next pair"),
    (BLAS + "lanes.cpp", "made = impl::arch::calling_thread_instance()", "", "plain loops where there is no lane"),
    (BLAS + "lanes.cpp", "impl::arch::nesting_level() > 0", "impl::arch::nesting_level() >= 0", "a thread of its own"),
    (BLAS + "lanes.cpp: initialise", "m_forked", "!(m_forked)", "a thread of its own"),
    (BLAS + "element.hpp", "reinterpret_cast<std::uintptr_t>(data) % alignof(kokkos_t<T>) == 0",
     "reinterpret_cast<std::uintptr_t>(data) % alignof(kokkos_t<T>) != 0", "plain loops; x86 takes misaligned pairs"),
    (IMPL + "transfer/block_pool.hpp", "--m_made", "", "room reserved for more blocks"),
    (IMPL + "transfer/ledger.hpp: admit", "2", "2 - 1", "room reserved"),
    (IMPL + "histogram/launch.hpp", "p.bins.count() > 0", "p.bins.count() >= 0", "nothing is cleared"),
]
SAME = [
    (IMPL + "transfer/route.hpp: plan", "0", "0 + 1", "hosts have no chunks: copies are one kernel"),
    (BLAS + "lanes.cpp: initialise", "1", "1 - 1", "no space has less than one thread"),
    (SIMD + "vector.hpp", "count >= half", "count > half", "the other branch stores the same half"),
    (IMPL + "matmul/default_policy.hpp", "plan.scratch_level = 1", "", "told by explain only"),
    (IMPL + "transpose/default_policy.hpp", "plan.algorithm = Algorithm::naive", "", "told by explain only"),
    (IMPL + "transpose/default_policy.hpp", "plan.scratch_level = 0", "", "it is 0"),
    (SIMD + "gemm_kernel.hpp", "v < Vecs", "v <= Vecs", "beyond the array: undefined, and the compiler counts on its end"),
    (IMPL + "matmul/kernel_simple.hpp", "k < batch", "k <= batch", "beyond the array: undefined, and the compiler counts on its end"),
    (IMPL + "reverse/call.hpp: check_vector", "0", "0 + 1", "the row stride of one row"),
    (IMPL + "histogram/call.hpp: checked_problem", "1", "1 - 1", "the stride of one element"),
    (IMPL + "transpose/kernel_tiled.hpp: operator", "matrix.cols", "matrix.rows", "in place the matrix is square"),
    (IMPL + "matmul/blocked_part.hpp", "m_plan.parts() > 1", "m_plan.parts() >= 1", "one part is the whole"),
    (SIMD + "gemm.hpp", "i < call.m", "i <= call.m", "a block without rows"),
]
DEVICE = [
    (IMPL + "transfer/route.hpp", 'm_driver.fence("pantile::transfer: before the host packs")', "", "work that runs on"),
    (IMPL + "transfer/route.hpp", 'm_exec.fence("pantile::transfer: the work before, on the caller\'s instance")', "", "work that runs on"),
    (IMPL + "transfer/route.hpp", "foreign && plan.path != TransferPath::none", "foreign || plan.path != TransferPath::none",
     "told of a copy that waits"),
    (IMPL + "transfer/route.hpp: in_pieces", "to.rows", "to.cols", "pieces to and from a device"),
    (IMPL + "transfer/pipeline.hpp", 'm_exec.fence("pantile::pipeline: a chunk")', "", "work that runs on"),
    (IMPL + "histogram/launch.hpp", 'exec.fence("pantile::histogram: all samples are read")', "", "hosts' reductions wait"),
    (BLAS + "lanes.hpp", 'lease.lane.fence("pantile::blas: results are there when a call returns")', "", "hosts' kernels wait"),
    (SIMD + "add.hpp", "stream_end()", "", "x86 orders these stores before the thread is waited for"),
    (SIMD + "transpose.hpp", "stream_end()", "", "x86 orders these stores before the thread is waited for"),
    (IMPL + "transpose/kernel_permuted.hpp", "member.team_barrier()", "", "hosts' teams are one thread"),
    (IMPL + "matmul/kernel_tiled.hpp", "member.team_barrier()", "", "hosts' teams are one thread"),
    (IMPL + "histogram/default_policy.hpp", "team_size == counting_team_size", "team_size != counting_team_size", "a device's copies"),
    (IMPL + "histogram/default_policy.hpp", "counting_team_size + 2", "counting_team_size - 2", "a device's copies"),
    (IMPL + "transpose/default_policy.hpp", "packed_tiles(query) <= tile::league_limit", "packed_tiles(query) < tile::league_limit",
     "a device's tiles"),
    (IMPL + "transpose/default_policy.hpp", "query.packed.scratch_bytes + tile::scratch_alignment",
     "query.packed.scratch_bytes - tile::scratch_alignment", "a device's scratch"),
    (IMPL + "transpose/default_policy.hpp", "machine.scratch_limit[0]", "(machine.scratch_limit[0]) + 1", "a device's scratch"),
]
RACES = [
    (IMPL + "transfer/block_pool.hpp", "std::lock_guard const lock(m_mutex)", "", "two transfers at once"),
    (BLAS + "lanes.cpp", "m_team_callers.fetch_add(1, std::memory_order_relaxed) >= m_concurrency",
     "m_team_callers.fetch_add(1, std::memory_order_relaxed) > m_concurrency", "one caller more waits for the team"),
]
MISSING = [
    (IMPL + "arch/calling_thread.hpp", "omp_set_max_active_levels(m_levels)", "", "a caller's levels of parallel regions, within its region"),
    (IMPL + "matmul/kernel_blocked.hpp: launch_blocked", "1", "1 - 1", "the result of a product on the calling thread while a tool listens"),
    (IMPL + "matmul/default_policy.hpp", "asked.m", "asked.n", "a tile too high, of the policy alone: the face refuses it first"),
    (IMPL + "matmul/default_policy.hpp", "machine.scratch_limit[level]", "(machine.scratch_limit[level]) + 1", "a tile that just fits"),
    (IMPL + "view/overlap.hpp", "print.fast_stride = 0", "", "one column of a large stride beside other operands"),
    (BLAS + "failure.hpp", "std::abort()", "", "no test runs out of memory in a call of BLAS"),
    (BLAS + "gemm.cpp", 'fail("?gemm", error.what())', "", "no test runs out of memory in a call of BLAS"),
    (BLAS + "xerbla.cpp: position_of_caller", "9", "9 - 1", "positions of row-major arguments in the library's own message"),
    (IMPL + "launch/workspace.hpp", "m_slots.erase(m_slots.begin())", "", "more than sixteen queues"),
    (IMPL + "transfer/ledger.hpp", "m_chunks.release()", "", "that a closed scope has given its chunks back"),
    ("include/pantile/transfer_scope.hpp", "m_ledger.release()", "", "that a closed scope has given its memory back"),
    ("include/pantile/explain.hpp", "bytes > 0", "bytes >= 0", "the intensity of a call without bytes"),
    (IMPL + "matmul/default_policy.hpp",
     'plan.refusal = "algorithm blocked is for sums in float, double, their complex types and integers"', "",
     "blocked, asked for with sums in no such type"),
]

REASONS = [
    (path, old, new, kind, why)
    for kind, rows in (("time", TIME), ("same", SAME), ("device", DEVICE), ("race", RACES), ("missing", MISSING))
    for path, old, new, why in rows
]
NOT_BUILT = "the programs that can tell had not been built"
NO_LARGE_TEST = "no operand above 2^31 elements on this path"
NO_GUARD = "no inaccessible page behind the operand"
FAULTS = {
    "thin: beta 0 reads C": "no test gives few rows a C of NaN",
    "packing reads past the last line": NO_GUARD,
    "add: reads past a row of A": NO_GUARD,
    "blocks: 32-bit offset into C": NO_LARGE_TEST,
    "naive: 32-bit offset into A": NO_LARGE_TEST,
    "transpose: 32-bit offset": NOT_BUILT,
    "add: B with A's stride": NOT_BUILT,
    "converted: sums begin with what was there": NOT_BUILT,
    "converted: no conjugation": NOT_BUILT,
    "pieces of k in another order": NOT_BUILT,
    "edge columns: each part has them": "other bits with other numbers of threads, which matmul_same_bits compares: not built",
    "histogram: 32-bit counts not flushed": "no test counts above 2^32 samples",
    "chunk not marked after a failure": "no test fails in the middle of a chunked copy",
    "host packs before earlier work": "hosts have no chunks: copies are one kernel",
    "blas: beta 0 reads C": "no test gives the plain loops a C of NaN",
    "blas: team without its lock": "callers meet in the team by chance only",
    "blas: lane given twice": "callers meet in a lane by chance only",
    "blas: overlap of B and C": "BLAS leaves open what a C that overlaps B gives; operands that only lie between each other's lines "
                                "are right either way",
}  # fmt: skip


def why(mutant):
    for path, old, new, kind, text in REASONS:
        file, _, function = path.partition(": ")
        here = file == mutant["path"] and function in ("", mutant["function"])
        if here and (old, new) == (mutant["old"], mutant["new"]):
            return kind, text
    return "unknown", ""


def is_explained(mutant):
    """Is it known to live, and why?"""
    return mutant.get("name") in FAULTS or why(mutant)[0] not in ("unknown", "missing")


def why_of_fault(name):
    return FAULTS.get(name, "not explained")
