# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults that are planted by hand: faults that such code has had somewhere, each with what must tell. The words of a
fault are matched token by token, so that line breaks do not matter; they must stand in the file exactly once, or once
in `inside`, which must."""

from typing import NamedTuple

import operators
import source as cxx

IMPL = "src/pantile/impl/"
UKERNEL = "src/pantile/impl/arch/host/ukernel/"
EXPRESSION = "(PANTILE_MUTANT({id}) ? ({new}) : ({old}))"
STATEMENT = "if (PANTILE_MUTANT({id})) {{ {new} }} else {{ {old} }}".replace("{{", "{").replace("}}", "}")
LOCK = "(PANTILE_MUTANT({id}) ? std::unique_lock<std::mutex>({new}) : std::unique_lock<std::mutex>({old}))"


class Fault(NamedTuple):
    name: str
    path: str
    old: str
    new: str
    like: str  # the real fault that it stands for
    inside: str = ""
    template: str = ""

    def text(self):
        return self.template or (STATEMENT if self.old.endswith((";", "}")) else EXPRESSION)


class Unmatched(ValueError):
    """A fault's words do not stand in the source exactly once."""


def places(src, words, begin, end):
    """Where these words stand among the tokens from begin to end."""
    wanted = [token.text for token in cxx.tokens_of(words)]
    texts = [token.text for token in src.tokens[begin:end]]
    size = len(wanted)
    return [(begin + i, begin + i + size) for i in range(len(texts) - size + 1) if texts[i : i + size] == wanted]


def only_place(src, fault, words, begin, end):
    found = places(src, words, begin, end)
    if len(found) != 1:
        raise Unmatched(f"fault {fault.name}: '{words}' stands {len(found)} times in {fault.path}, not once")
    return found[0]


def site_of(project, fault):
    """The fault as a site, see operators.Site."""
    file = project / fault.path
    if not file.is_file():
        raise Unmatched(f"fault {fault.name}: there is no {fault.path}")
    src = cxx.Source(fault.path, file.read_text(encoding="utf-8"))
    begin, end = 0, len(src.tokens)
    if fault.inside:
        begin, end = only_place(src, fault, fault.inside, begin, end)
    begin, end = only_place(src, fault, fault.old, begin, end)
    function = next((f for f in cxx.functions_of(src) if f.head <= begin < f.end), None)
    return operators.Site(
        fault.path, "planted", begin, end, fault.text(), src.flat(begin, end), fault.new, src.line(begin),
        function.name if function else "", bool(function and function.constant),
    )  # fmt: skip


MATMUL = [
    Fault("hosts: conjugates the other operand", IMPL + "matmul/host/product.hpp", "exchange ? conj_b : conj_a",
          "conj_a", "operands exchanged, their flags not"),
    Fault("hosts: strides of A exchanged", IMPL + "matmul/host/product.hpp", "exchange ? b.row_stride : a.col_stride",
          "exchange ? b.row_stride : a.row_stride", "row stride in place of the column stride"),
    Fault("hosts: panels of the other operand", IMPL + "matmul/host/product.hpp",
          "plan.exchange ? lines_of_b() : lines_of_a()", "lines_of_a()", "operands exchanged, what packs them not"),
    Fault("hosts: C along its columns", IMPL + "matmul/host/policy.hpp",
          "facts.c_along_columns ? asked.transposed() : asked", "asked",
          "kernels that write C's rows where its columns are contiguous"),
    Fault("tiny: rows of the next tile", UKERNEL + "gemm/block.hpp", "tile.a += step * tile.a_rs;", "",
          "A's first rows for every tile"),
    Fault("tiny: half a register of two", UKERNEL + "gemm/block.hpp", "has_half && call.n == half_lanes", "has_half",
          "columns beyond half a register"),
    Fault("rank_k: reads C beyond a row", UKERNEL + "gemm/rank_k.hpp", "if (j < end) some(j, end - j)",
          "if (j < end) some(j, step)", "a whole register at the right edge"),
    Fault("rank_k: pieces overlap", UKERNEL + "gemm/rank_k.hpp", "j == 0 ? 0 : j + head", "j == 0 ? head : j + head",
          "what lies before a row's first line is not written"),
    Fault("tiny: rows of C^T", UKERNEL + "gemm/transposed_c.hpp", "call.a += rows * call.a_rs;", "",
          "the first rows again"),
    Fault("skinny: rows in turns", UKERNEL + "gemm/skinny_dots.hpp", "from[k * apart + r]", "from[r * apart + k]",
          "rows and columns exchanged"),
    Fault("skinny: last rows of B left out", UKERNEL + "gemm/skinny.hpp", "k < depth", "false",
          "k that is no multiple of the batch", inside="for (; k < depth; ++k) { add_batch<Rows, 1>"),
    Fault("skinny: reads past a row of B", UKERNEL + "gemm/skinny.hpp", "load_first<S>(b + k * b_rs + j, count)",
          "load<S>(b + k * b_rs + j)", "whole register at the right edge of B"),
    Fault("skinny: beta 0 reads C", UKERNEL + "gemm/skinny.hpp", "call.c_cs == 1 && !call.reads_c", "false",
          "0 * NaN added"),
    Fault("skinny: dots of conjugates", UKERNEL + "gemm/skinny_dots.hpp",
          "call.conj_a == call.conj_b ? re_re - im_im : re_re + im_im",
          "re_re - im_im", "sign of im * im for one conjugated operand"),
    Fault("short B: forgets earlier chains", UKERNEL + "gemm/short_b.hpp", "load<S>(at) + sum[r][v]", "sum[r][v]",
          "k above one chain"),
    Fault("skinny: sums not cleared", UKERNEL + "gemm/skinny.hpp", "totals[i] = R(0);", "",
          "sums of the columns before", inside="for (Index i = 0; i < count; ++i) totals[i] = R(0);"),
    Fault("tiles: reads past a row of B", UKERNEL + "gemm/micro_kernel.hpp", "v == Vecs - 1", "false",
          "whole register at the right edge of B",
          inside="if (v == Vecs - 1) return load_first<S>(b + v * step, last)"),
    Fault("tiles: reads past a row of C", UKERNEL + "gemm/micro_kernel.hpp", "edge", "false",
          "whole register at the right edge of C", inside="if (edge) return load_first<S>(c, last)"),
    Fault("tiles: writes past a row of C", UKERNEL + "gemm/micro_kernel.hpp", "edge", "false",
          "whole register at the right edge of C", inside="if (edge) { store_first<S>(c, value, last);"),
    Fault("tiles: forgets earlier chains", UKERNEL + "gemm/micro_kernel.hpp", "sums[r][v] + sum[r][v]", "sum[r][v]",
          "k above one chain"),
    Fault("tiles: parts of a complex sum", UKERNEL + "gemm/micro_kernel.hpp", "beta_im", "alpha_im",
          "alpha and beta confused", inside="times(load_c(c, edge, call.last), beta_re, beta_im)"),
    Fault("packing reads past the last line", UKERNEL + "gemm/pack.hpp", "wanted < lines ? wanted : lines - 1",
          "wanted", "a square of registers wider than the panel reads lines that A has not"),
    Fault("slices: only the first counts", IMPL + "matmul/host/slices.hpp", "bool const first = slice == 0;",
          "bool const first = true;", "several slices by one thread"),
    Fault("slices: one workspace for all threads", IMPL + "matmul/host/slices.hpp",
          "thread * m_plan.slice_worker_bytes()", "0", "several threads at once"),
    Fault("slices: the last one is as deep as the others", IMPL + "matmul/host/slices.hpp",
          "tile::smaller(m_slices.depth, m_product.whole.k - begin)", "m_slices.depth", "k that slices do not divide"),
    Fault("blocks: later depths overwrite C", IMPL + "matmul/host/macro_kernel.hpp", "call.reads_c = true;", "",
          "k above one block"),
    Fault("blocks: beta for each depth", IMPL + "matmul/host/macro_kernel.hpp", "call.beta[0] = R(1);", "",
          "beta applied once per block of k"),
    Fault("blocks: workspaces overlap", IMPL + "matmul/host/macro_kernel.hpp", "packed_b + m_plan.b_bytes", "packed_b",
          "sums where B is packed"),
    Fault("blocks: one packed A for all threads", IMPL + "matmul/host/macro_kernel.hpp", "number * m_plan.worker_bytes",
          "0",
          "threads that pack A into one place", inside="group + m_plan.group_bytes() + number * m_plan.worker_bytes"),
    Fault("blocks: 32-bit offset into C", IMPL + "matmul/host/macro_kernel.hpp",
          "(i - rows.begin) * now.c_rs + j - cols.begin",
          "static_cast<int>((i - rows.begin) * now.c_rs + j - cols.begin)", "C above 2^31 elements"),
    Fault("shared B: read before it is packed", IMPL + "matmul/host/macro_kernel.hpp",
          "arch::spin_until(progress.packed.value, packs);", "", "a wait that is missing"),
    Fault("shared B: packed while it is read", IMPL + "matmul/host/macro_kernel.hpp",
          "arch::spin_until(progress.computed.value, tasks);", "", "a wait that is missing",
          inside="arch::spin_until(progress.computed.value, tasks); pack_b(block, piece, packed_b);"),
    Fault("shares: taken twice", IMPL + "matmul/host/macro_kernel.hpp", "next + 1", "next",
          "a task that two threads do", inside="compare_exchange_weak(seen, next + 1"),
    Fault("packed A of another block", IMPL + "matmul/host/macro_kernel.hpp", "self.depth != begin", "false",
          "A stays packed from one depth to the next", inside="self.rows != rows || self.depth != begin"),
    Fault("converted: no conjugation", IMPL + "matmul/host/product.hpp", "call.conjugates ? conjugate(value) : value",
          "value", "packing forgets what it converts"),
    Fault("transposed product: flags not exchanged", UKERNEL + "gemm/functions.hpp", "call.conj_b", "call.conj_a",
          "C^T = B^T A^T with the flags of A and B", inside="other.conj_a = call.conj_b;"),
    Fault("edge columns: each part has them", IMPL + "matmul/host/macro_kernel.hpp",
          "group % m_plan.grid_cols == m_plan.grid_cols - 1", "true", "groups that cut C across"),
    Fault("low precision: part of the correction", UKERNEL + "gemm/low_precision.hpp", "factor * sums[i] - constant",
          "factor * sums[i]", "signed bytes times unsigned ones"),
    Fault("low precision: reads past the last line", UKERNEL + "gemm/low_precision.hpp", "i < lines", "true",
          "lines beyond A's last one", inside="i < lines ? KPack::one"),
    Fault("naive: last product left out", IMPL + "matmul/simple/per_element.hpp", "rest > 0", "rest > 1", "k one short",
          inside="for (; rest > 0; --rest"),
    Fault("naive: 32-bit offset into A", IMPL + "matmul/simple/per_element.hpp", "i * a.row_stride",
          "static_cast<int>(i * a.row_stride)", "A above 2^31 elements"),
    Fault("scaling: beta 0 reads C", IMPL + "matmul/simple/per_element.hpp", "epilogue.reads_c", "true",
          "0 * NaN stays", inside="out = epilogue.reads_c"),
    Fault("alpha 0 reads A and B", IMPL + "matmul/problem.hpp", "k() == 0 || alpha == Accumulator(0)", "k() == 0",
          "0 * NaN of operands that do not enter"),
    Fault("rows of the result: flags", IMPL + "matmul/problem.hpp", "conj_b, conj_a", "conj_a, conj_b",
          "operands exchanged, flags not"),
    Fault("tiled: writes past the last column", IMPL + "matmul/simple/tiled.hpp",
          "row + i < out.rows && col + j < out.cols", "row + i < out.rows", "edge of a tile"),
    Fault("slices of k in another order", IMPL + "matmul/device/slices.hpp", "from[slice * slices.c_step]",
          "from[(slices.count - 1 - slice) * slices.c_step]", "sums of split k that depend on who comes first"),
    Fault("C may overlap B", IMPL + "matmul/call.hpp", 'check.disjoint("C", c, "B", b);', "",
          "a check that is missing"),
    Fault("any k of B", IMPL + "view/check.hpp", "a.cols == b.rows", "true", "a check that is missing"),
]

VIEWS = [
    Fault("overlap: rows one short", IMPL + "view/overlap.hpp", "std::min(b.count, behind / b.step + 1)",
          "std::min(b.count, behind / b.step)", "operands that meet in one row"),
    Fault("rows run into each other", IMPL + "view/overlap.hpp", "x.col_stride == 1 && x.row_stride >= x.cols",
          "x.col_stride == 1", "an output whose rows share elements"),
    Fault("overlap of A and C not seen", IMPL + "view/check.hpp",
          "same_elements(w, r) || are_apart(w, r)", "true", "a check that is missing"),
    Fault("launch edges: half a pair", IMPL + "launch/shape.hpp", "(grid.x == 0) == (grid.y == 0)", "true",
          "a check that is missing"),
]

MOVEMENT = [
    Fault("transpose: diagonal not conjugated", IMPL + "transpose/kernel_simple.hpp", "j < i", "j <= i",
          "in place, the diagonal left as it is"),
    Fault("transpose: element not conjugated", IMPL + "transpose/kernel_simple.hpp",
          "problem.conjugates ? conjugate(value) : value", "value", "the naive kernel forgets it"),
    Fault("transpose: end of a row lost", UKERNEL + "transpose/kernel.hpp",
          "put_tail<Past>(from, to, end - from, bytes);", "",
          "rows that are no multiple of a cache line",
          inside="if (from < end) put_tail<Past>(from, to, end - from, bytes);"),
    Fault("transpose: tile for its mirror image", IMPL + "transpose/kernel_tiled.hpp",
          "store(member, matrix, upper, staged_lower);",
          "store(member, matrix, upper, staged_upper);", "in place, tiles mixed up"),
    Fault("transpose: rotation left out", IMPL + "transpose/launch.hpp", "shuffles_first || permutation.rotates()",
          "shuffles_first", "rectangular in place, extents with a common divisor",
          inside="if (shuffles_first || permutation.rotates()) columns(!shuffles_first);"),
    Fault("transpose: 32-bit offset", IMPL + "transpose/kernel_blocked.hpp", "row.begin * whole.source_ld",
          "static_cast<int>(row.begin * whole.source_ld)", "a source above 2^31 bytes"),
    Fault("transpose: overlap that is not dense", IMPL + "transpose/call.hpp",
          "a.data == b.data && is_dense(a) && is_dense(b)", "a.data == b.data", "in place of what has gaps"),
    Fault("add: alpha 0 reads A", IMPL + "add/problem.hpp", "!(alpha == Accumulator(0))", "true", "0 * NaN of A"),
    Fault("add: A in B's place", IMPL + "add/kernel_blocked.hpp", "part.b = place(b,", "part.b = place(a,",
          "operands mixed up"),
    Fault("add: a transposed tile with its operand's stride", IMPL + "add/kernel_blocked.hpp",
          "ld = tiles.tile_cols;", "ld = x.ld;", "leading dimensions mixed up"),
    Fault("add: end of a row lost", UKERNEL + "add/kernel.hpp", "i < count", "i + width <= count",
          "columns no multiple of a register", inside="for (; i < count; i += width) some<ReadsB>"),
    Fault("add: reads past a row of A", UKERNEL + "add/kernel.hpp", "load_first<S>(a + at, count)", "load<S>(a + at)",
          "whole register at the right edge"),
    Fault("reverse: chunk not reversed", IMPL + "tile/reverse.hpp", "buffer[length - 1 - p]", "buffer[p]",
          "pieces change places only", inside="y(target + p) = buffer[length - 1 - p]"),
    Fault("fill: coordinates exchanged", IMPL + "fill/kernel.hpp", "f(col + k, i)", "f(i, col + k)",
          "a matrix that is fast along columns"),
]

HISTOGRAM = [
    Fault("histogram: one bin too many", IMPL + "histogram/problem.hpp",
          "index >= static_cast<std::uint64_t>(extent[d])",
          "index > static_cast<std::uint64_t>(extent[d])", "a write behind the last bin"),
    Fault("histogram: 32-bit counts not flushed", IMPL + "histogram/launch.hpp",
          "plan.copies > 0 ? workers * counted_in_32_bits : p.samples()", "p.samples()", "counts above 2^32 wrap"),
    Fault("histogram: tuples counted without a look", IMPL + "histogram/kernel_counting.hpp",
          "problem.known_inside || are_inside(kernels, problem.indices, bins, begin, end)", "true",
          "a tuple out of range is written somewhere"),
    Fault("histogram: known to be in range too soon", IMPL + "histogram/call.hpp",
          "problem.known_inside = call.refuses()", "problem.known_inside = true", "the same where tuples are ignored"),
    Fault("histogram: bounds of reversed tuples", IMPL + "histogram/kernel_counting.hpp", "reversed ? Rank - 1 - d : d",
          "d", "tuples are held against the wrong extents"),
    Fault("histogram: reversed tuples from the first index on", IMPL + "histogram/kernel_counting.hpp",
          "reversed ? (Rank - 1) * step : 0", "0", "a look at other numbers than are counted"),
    Fault("histogram: bins apart taken for neighbours", IMPL + "histogram/kernel_counting.hpp",
          "Rank == 1 || bins.stride[Rank - 1] != 1", "Rank == 1", "counts in other bins"),
    Fault("histogram: rows of bins longer by what lies before", IMPL + "histogram/problem.hpp",
          "begin - begin % row + row", "begin + row", "a thread's bins that begin within a row"),
    Fault("histogram: rounds of the same samples", IMPL + "histogram/launch.hpp",
          "p.indices.data + begin * p.indices.row_stride", "p.indices.data", "the first samples in every round"),
    Fault("histogram: added to no bins", IMPL + "histogram/kernel_counting.hpp", "problem.accumulate && worker == 0",
          "false", "earlier sums are lost"),
    Fault("histogram: ignored samples not counted", IMPL + "histogram/kernel.hpp",
          "outside != 0 && problem.ignored != nullptr", "false", "the counter of the general kernels"),
    Fault("histogram: late samples not checked", UKERNEL + "histogram/kernel.hpp", "i < count", "false",
          "samples behind the last whole register", inside="for (; i < count; ++i) look"),
    Fault("histogram: one pass takes any sample", IMPL + "histogram/launch.hpp", "plan.one_pass && outside != 0",
          "false", "samples out of range are dropped in silence"),
    Fault("histogram: accumulate clears", IMPL + "histogram/launch.hpp", "!p.accumulate", "true",
          "earlier counts are lost", inside="if (!p.accumulate) {"),
    Fault("histogram: NaN weights lost", IMPL + "histogram/kernel_counting.hpp", "part != Word(0)", "part > Word(0)",
          "NaN and negative sums of a thread"),
]

TRANSFERS = [
    Fault("chunk used before it has left", IMPL + "transfer/chunks.hpp",
          'chunk.ready.wait("pantile::transfer: before a chunk is used again");', "", "a wait that is missing"),
    Fault("chunk not marked", IMPL + "transfer/chunks.hpp", "line.mark(chunk.ready);", "", "a mark that is missing",
          inside="throw; } line.mark(chunk.ready);"),
    Fault("chunk not marked after a failure", IMPL + "transfer/chunks.hpp", "line.mark(chunk.ready);", "",
          "a chunk handed on while it is read", inside="catch (...) { line.mark(chunk.ready);"),
    Fault("host packs before earlier work", IMPL + "transfer/chunks.hpp",
          'exec.fence("pantile::transfer: before the host packs");', "", "a fence that is missing",
          inside='== Memory::host) { exec.fence("pantile::transfer: before the host packs");'),
    Fault("scope left by an exception", IMPL + "transfer/scope.hpp", "close();", "", "results are not brought back",
          inside="~Scope() { try { close();"),
    Fault("scope: no fence at the end", IMPL + "transfer/scope.hpp",
          'm_exec.fence("pantile::TransferScope: results are back");', "", "results that are not there yet"),
    Fault("scope: overlap with a written array", IMPL + "transfer/call.hpp", "written || other.written", "written",
          "an input that overlaps an earlier output"),
    Fault("pipeline: staging memory too early", IMPL + "transfer/pipeline.hpp", "plan.staged && chunk >= depth",
          "false", "a chunk of pinned memory overwritten on its way"),
    Fault("pipeline: more instances than lanes", IMPL + "transfer/pipeline_call.hpp", "std::min(depth, given.size())",
          "given.size()", "work on an instance that nobody waits for"),
    Fault("pipeline: lanes not waited for", IMPL + "transfer/pipeline.hpp", "lane.fence();", "",
          "a body that throws while other lanes write",
          inside="for (AnyLane const& lane : lanes) { try { lane.fence();"),
    Fault("pool keeps too much", IMPL + "transfer/block_pool.hpp", "m_free_bytes + block.memory.size() <= keep_bytes",
          "true", "pinned memory without a limit"),
    Fault("pool frees what is in use", IMPL + "transfer/block_pool.hpp",
          'block.ready.wait("pantile::transfer: before staging memory is freed");', "", "a wait that is missing"),
    Fault("workspace: no lock", IMPL + "launch/workspace.hpp", "m_slot->busy", "m_slot->busy, std::defer_lock",
          "two threads on one instance", inside="m_lock(m_slot->busy)", template=LOCK),
    Fault("workspace: grows under a kernel", IMPL + "launch/workspace.hpp",
          'exec.fence("pantile::workspace: before it is freed");', "", "a fence that is missing",
          inside='if (memory.size() > 0) exec.fence("pantile::workspace: before it is freed");'),
]

BLAS = [
    Fault("blas: lda not checked", "src/lib/blas/arguments.hpp", "lda < std::max<Index>(1, rows_a())", "lda < 1",
          "rows of A that run into each other", inside="if (lda < std::max<Index>(1, rows_a())) return 8"),
    Fault("blas: rows with the other operator", "src/lib/blas/cblas.cpp", "second", "first",
          "row-major, operators not exchanged", inside="shape{second, first, n"),
    Fault("blas: overlap of B and C", "src/lib/blas/gemm.cpp",
          "|| !pantile::impl::are_apart(problem.c, problem.b)", "",
          "a small product into its own operand"),
    Fault("blas: beta 0 reads C", "src/lib/blas/gemm.cpp", "call.beta == T(0) ? T(0) : product(call.beta, c[i])",
          "product(call.beta, c[i])", "0 * NaN in the plain loops"),
    Fault("blas: alpha 0 reads A", "src/lib/blas/copy.cpp", "alpha == T(0)", "false", "0 * NaN of a copy",
          inside="if (alpha == T(0)) return T(0)"),
    Fault("blas: transposed twice", "src/lib/blas/copy.cpp", "place < first || !is_target(place)", "!is_target(place)",
          "pairs that change places twice"),
    Fault("blas: conjugates only", "src/lib/blas/copy.cpp", "alpha == T(1) || op.conjugates", "alpha == T(1)",
          "a scaled copy that is not conjugated"),
    Fault("blas: team without its lock", "src/lib/blas/instance_pool.cpp", "m_team.lock();", "",
          "two callers in Kokkos' one team", inside="return false; } m_team.lock(); return true;"),
    Fault("blas: child of a fork unknown", "src/lib/blas/instance_pool.cpp", "pool.m_forked = true;", "",
          "threads that the child has not"),
    Fault("blas: instance given twice", "src/lib/blas/instance_pool.cpp", "m_idle.pop_back();", "",
          "two callers on one instance"),
]

C = "src/lib/c/"
C_FACE = [
    Fault("c: matrices without the gap between them", C + "operands.hpp", "operand.stride", "rows * row_stride",
          "a batch's stride taken for the matrix' size"),
    Fault("c: reach of a batch", C + "operands.cpp",
          "__builtin_mul_overflow(batch.count - 1, batch.stride, &steps)", "false",
          "offsets beyond 2^63"),
    Fault("c: alignment of addresses", C + "operands.cpp", "p < operand.count", "p < 1",
          "only the first address is looked at"),
    Fault("c: addresses of some operands", C + "matmul.cpp", "(b.addresses != nullptr) == addresses", "true",
          "a null pointer taken for addresses"),
    Fault("c: any sums", C + "matmul.cpp", "sum == 0 || line_sum == line.sum", "true", "an option that is ignored"),
    Fault("c: structure of an older header", C + "options.hpp", "std::min(size, sizeof known)", "sizeof known",
          "members read that the caller does not have"),
    Fault("c: strides of the other direction", C + "operands.hpp",
          "Kokkos::LayoutStride(rows, row_stride, cols, col_stride)",
          "Kokkos::LayoutStride(rows, col_stride, cols, row_stride)",
          "a matrix seen transposed"),
]
# An option of a C call that never arrives, or as another one: (file, words, what arrives).
C_FACE += [
    Fault(f"c: {file}: {old}", C + file, old, new, "an option that is lost on its way")
    for file, old, new in (
        ("options.hpp", "extent_of(launch.grid)", "extent_of(launch.block)"),
        ("options.hpp", "extent_of(launch.block)", "extent_of(launch.grid)"),
        ("options.hpp", "extent.x", "extent.y"),
        ("options.hpp", "extent.y", "extent.x"),
        ("options.hpp", "workspace.bytes", "0"),
        ("matmul.cpp", "o.algorithm", "0"),
        ("matmul.cpp", "o.tile_m", "o.tile_n"),
        ("matmul.cpp", "o.tile_n", "o.tile_m"),
        ("matmul.cpp", "o.tile_k", "o.tile_m"),
        ("matmul.cpp", "launch_of(o.launch)", "LaunchShape{}"),
        ("matmul.cpp", "o.precision", "0"),
        ("matmul.cpp", "workspace_of(o.workspace)", "Workspace{}"),
        ("transpose.cpp", "o.algorithm", "0"),
        ("transpose.cpp", "o.tile", "o.rows_per_thread"),
        ("transpose.cpp", "o.rows_per_thread", "0"),
        ("transpose.cpp", "workspace_of(o.workspace)", "Workspace{}"),
        ("add.cpp", "o.algorithm", "0"),
        ("add.cpp", "extent_of(o.tile)", "Extent2{}"),
        ("add.cpp", "launch_of(o.launch)", "LaunchShape{}"),
        ("fill.cpp", "o.algorithm", "0"),
        ("fill.cpp", "launch_of(o.launch)", "LaunchShape{}"),
        ("histogram.cpp", "o.algorithm", "0"),
        ("histogram.cpp", "o.teams", "0"),
        ("histogram.cpp", "workspace_of(o.workspace)", "Workspace{}"),
        ("reverse.cpp", "o.tile", "0"),
    )
]

# Reads and writes beyond an operand: for operands between inaccessible pages.
GUARDS = [
    Fault("skinny: dots read past a column of B", UKERNEL + "gemm/skinny_dots.hpp",
          "load_first<S>(b + c * b_cs + k, count)", "load<S>(b + c * b_cs + k)",
          "whole register at the end of a column of B"),
    Fault("short B: reads past a row of B", UKERNEL + "gemm/short_b.hpp", "Edge && v == Across - 1", "false",
          "whole register at the right edge of B", inside="row[v] = Edge && v == Across - 1 ?"),
    Fault("skinny: one batch too many", UKERNEL + "gemm/skinny.hpp", "k + batch <= depth", "k < depth",
          "rows behind B's last one"),
    Fault("tiny: C^T writes past a row of C", UKERNEL + "gemm/transposed_c.hpp",
          "store_lanes<S, First>(c, row[i], count)", "store_lanes<S, First>(c, row[i], Edge)",
          "rows of C^T that are not there"),
    Fault("tiny: lanes of C^T behind the last row", UKERNEL + "vector.hpp", "i - First < count", "i - First <= count",
          "one lane too many, with AVX2 only"),
    Fault("packing: lines behind the last", UKERNEL + "gemm/pack.hpp", "i < lines", "i < Width",
          "lines that the operand has not", inside="for (Index i = 0; i < lines; ++i) to[k * Width + i] = from"),
    Fault("packing: squares past the depth", UKERNEL + "gemm/pack.hpp", "k + edge + strips * edge - Width <= depth",
          "k + 1 <= depth", "positions behind the last of the operand, or beside the panel"),
    Fault("low precision: squares past the last line", UKERNEL + "gemm/low_precision.hpp",
          "wanted < lines ? wanted : lines - 1", "wanted", "lines behind the operand's last one"),
    Fault("low precision: a whole last k_pack", UKERNEL + "gemm/low_precision.hpp", "depth - at * k_pack < k_pack",
          "false", "positions of a k_pack behind the last one"),
    Fault("add: reads past a row of B", UKERNEL + "add/kernel.hpp", "load_first<S>(b + at, count)", "load<S>(b + at)",
          "whole register at the right edge"),
    Fault("add: writes past a row of C", UKERNEL + "add/kernel.hpp", "store_first<S>(c + at, v, count);",
          "store<S>(c + at, v);", "whole register at the right edge"),
    Fault("histogram: reads past the last sample", UKERNEL + "histogram/kernel.hpp", "i + unrolled <= count",
          "i < count", "whole pieces of samples behind the last"),
    Fault("histogram: check reads past the last sample", UKERNEL + "histogram/kernel.hpp",
          "i + registers * width <= count", "i < count", "whole registers of samples behind the last"),
]

# Beta, alpha and NaN on every path.
NUMBERS = [
    Fault("tiles: beta 0 reads C", UKERNEL + "gemm/micro_kernel.hpp", "update.reads_c", "true",
          "0 * NaN added to complex tiles", inside="if (update.reads_c) result += times"),
    Fault("hosts: beta 0 reads C", IMPL + "matmul/host/product.hpp", "!(beta == Accumulator(0))", "true",
          "NaN of an unwritten C stays, of tiny products too"),
    Fault("sums beside C: beta 0 reads C", IMPL + "matmul/host/macro_kernel.hpp", "call.reads_c = false;", "",
          "what the workspace held is added"),
    Fault("strided skinny: beta 0 reads C", UKERNEL + "gemm/skinny.hpp",
          "call.reads_c ? row[j] + beta * c[j * call.c_cs] : row[j]",
          "row[j] + beta * c[j * call.c_cs]", "0 * NaN added where C has gaps"),
    Fault("low precision edges: beta 0 reads C", UKERNEL + "gemm/low_precision.hpp", "update.reads_c", "true",
          "0 * NaN added at the edges", inside="element = update.reads_c ? rounded"),
]

# Offsets that need 64 bits, and counts that 32 bits do not hold.
OFFSETS = [
    Fault("blocks: 32-bit offset into A or B", IMPL + "matmul/host/product.hpp",
          "line * packing.line_stride + depth * packing.depth_stride",
          "static_cast<int>(line * packing.line_stride + depth * packing.depth_stride)", "A and B above 2^31 elements"),
    Fault("tasks: 32-bit offset into C", IMPL + "matmul/host/macro_kernel.hpp", "rows.begin * call.c_rs + cols.begin",
          "static_cast<int>(rows.begin * call.c_rs + cols.begin)", "C above 2^31 elements",
          inside="R* c = call.c + (rows.begin * call.c_rs + cols.begin) * m_product.parts;"),
    Fault("histogram: copies not cleared again", IMPL + "histogram/kernel_counting.hpp",
          "for (Index b = 0; b < copies * step; ++b) own[b] = 0;", "", "counts of the round before"),
]

# Samples out of range, of every type.
SAMPLES = [
    Fault("histogram: any bound of types of low precision", IMPL + "histogram/kernel_counting.hpp",
          "bins > most ? most + 1 : bins", "bins", "negative 8-bit samples taken for bins above 127"),
    Fault("histogram: last sample not checked", IMPL + "histogram/kernel_counting.hpp", "begin >= first",
          "begin + 1 >= indices.rows", "the last sample out of range", inside="if (begin >= first || are_inside"),
    Fault("histogram: half of each piece", IMPL + "histogram/kernel_counting.hpp",
          "begin + arch::host::check_piece", "begin + arch::host::check_piece / 2", "half of each piece is checked"),
]

# Failures on the way, memory that is not to be had.
FAILURES = [
    Fault("scope: failure swallowed", IMPL + "transfer/scope.hpp", "failure", "false", "an exception that nobody sees",
          inside="if (failure)"),
    Fault("scope: results not brought back", IMPL + "transfer/scope.hpp",
          "step();", "", "results that stay where they are"),
    Fault("no memory: half a team's launch", IMPL + "launch/units.hpp", "unit < count", "unit + 1 < count",
          "a launch without memory leaves its last unit out",
          inside="for (Index unit = 0; unit < count; ++unit) kernel(unit);"),
    Fault("no memory: taken as there", IMPL + "matmul/host/launch.hpp", "bytes > 0 && workspace == nullptr", "false",
          "workspace that could not be had"),
    Fault("no memory: blocks as large as ever", IMPL + "matmul/host/partition.hpp",
          "plan.workspace_bytes() <= arch::host::most_stack_bytes", "true", "a stack that overflows"),
    Fault("no memory: panels as deep as ever", IMPL + "matmul/host/policy.hpp", "most_panel_bytes",
          "2 * most_panel_bytes", "a stack that overflows"),
    Fault("workspace: block given twice", IMPL + "launch/host_workspace.hpp", "std::exchange(*link, (*link)->next)",
          "*link", "two calls in one block"),
    Fault("workspace: smaller block taken", IMPL + "launch/host_workspace.hpp", "(*link)->bytes < bytes", "false",
          "a block that is too small"),
    Fault("team scratch: one for all workers", IMPL + "launch/teams.hpp", "static_cast<std::size_t>(worker) * stride",
          "0", "teams that share scratch"),
    Fault("in place: chain not followed", "src/lib/blas/copy.cpp", "place = from;", "return;",
          "elements lost on the way",
          inside="move(place, m_a.data[from]); place = from; } } [[nodiscard]] bool leads_cycle"),
    Fault("in place: cycle not closed", "src/lib/blas/copy.cpp", "move(place, kept);", "",
          "the last element of a cycle"),
]

SMALL = [
    Fault("reverse: last pair left out", IMPL + "tile/reverse.hpp", "x.size / 2", "x.size / 2 - 1",
          "in place, one pair short"),
    Fault("reverse: a host's chunks as far as the end", IMPL + "reverse/kernel.hpp",
          "(InPlace ? size / 2 : size) - begin", "size - begin", "in place, pairs change places twice"),
    Fault("reverse: x by the stride of y", IMPL + "reverse/kernel.hpp",
          "problem.x.stride == 1 && problem.y.stride == 1", "problem.y.stride == 1", "a strided x read as contiguous"),
    Fault("reverse: any lengths", IMPL + "reverse/call.hpp", "p.x.size == p.y.size", "true", "a check that is missing"),
    Fault("reverse: overlap", IMPL + "reverse/call.hpp", 'check.disjoint("y", footprint(p.y), "x", footprint(p.x));',
          "", "a check that is missing"),
    Fault("reverse: last chunk left out", IMPL + "tile/reverse.hpp", "begin < x.size", "begin + chunk <= x.size",
          "lengths that are no multiple of a chunk"),
    Fault("fill: last of a piece left out", IMPL + "fill/kernel.hpp", "k < count", "k < count - 1",
          "one column short"),
    Fault("fill: C overlaps itself", IMPL + "fill/call.hpp", 'check.distinct("C", p.c);', "",
          "a check that is missing"),
    Fault("overlap: gap between columns", IMPL + "view/overlap.hpp", "step - rest >= second.element", "true",
          "elements that lie across others' gaps"),
    Fault("overlap: next row", IMPL + "view/overlap.hpp", "x >= 0 && x < end - from",
          "false", "operands whose rows reach into the next ones"),
]

FAULTS = (MATMUL + VIEWS + MOVEMENT + HISTOGRAM + TRANSFERS + BLAS + C_FACE + GUARDS + NUMBERS + OFFSETS + SAMPLES
          + FAILURES + SMALL)
