# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables, comparisons, pictures and pages of what scripts/bench and scripts/gpu_bench measured.

RESULT is a file or a folder of either (bench.json, results.json), or Google Benchmark's JSON, or FILE#NAME for one
result of a machine's file. Exit status: 0 all right, 1 something is worse, below its share or wrong, 2 the input is not
usable, of which one sentence says why.
"""

import argparse
import json
import pathlib
import sys

import compare
import gather
import gpu_report
import keep
import ladder
import machine
import page
import plots
import ranks
import results
import scale
import shares
import table
from cases import is_wrong
from files import write_whole


def say(lines):
    sys.stdout.write("\n".join(lines) + "\n")


def table_text(found):
    if found.kind == "gpu":
        run = found.runs[0]
        return "\n".join(gpu_report.make_table({**found.head, "context": run["context"], "cases": found.cases})) + "\n"
    return table.text_of(found.runs, found.cases)


def write_bench(options, runs, cases, known):
    """What is known of the machine goes before them."""
    if not cases:
        raise results.Unusable("no case was run")
    commit = options.commit or known.get("commit", "unknown")
    head = {
        "commit": commit.removesuffix("-dirty"),
        "dirty": commit.endswith("-dirty"),
        **{key: fact for key, fact in known.items() if key != "commit"},
        "settings": known.get("settings", {}) | dict(options.setting),
    }
    slowest = gather.slowest(runs, cases)
    if slowest:
        head["slowest"] = slowest
    text = table.text_of(runs, cases)
    write_whole(options.out / "table.txt", text)
    write_whole(options.out / "sweep.csv", table.sweep_text(cases))
    write_whole(options.out / "bench.json", results.compact(head, runs, cases))
    sys.stdout.write(text)
    return 1 if any("error" in case for case in cases) else 0


def read_machine(file):
    """What the command machine printed."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise results.Unusable(f"{file}: no JSON, {error}") from error
    return results.fitting(file, known, {"machine": "object", "settings": "object"}, "what is known of the machine")


def do_collect(options):
    """What scripts/bench does with the lines of its programs."""
    runs, cases = results.read_programs(options.files)
    gather.add_binding(runs)
    return write_bench(options, runs, cases, read_machine(options.machine) if options.machine else {})


def do_ranks(options):
    return ranks.take_part(options.out, options.words, options.seconds, options.allow_overlap)


def do_gather(options):
    found = gather.merge_all(options.folders)
    options.out.mkdir(parents=True, exist_ok=True)
    return write_bench(options, *found)


def do_table(options):
    found = results.load_all(options.result)
    for one in found:
        sys.stdout.write(f"{one.path}\n" * (len(found) > 1) + table_text(one))
    return 1 if any(is_wrong(case) for one in found for case in one.cases) else 0


def check_shares(found, options):
    looked_at, below = shares.check(found, shares.read_table(options.thresholds), options.machine)
    say(shares.lines_of(looked_at, below))
    return 1 if below else 0


def do_compare(options):
    old, news = results.load(options.old), [results.load(path) for path in options.new]
    found, *again = [compare.compare(old, new, options.threshold, options.without_peers) for new in news]
    for other in again:
        found.confirm(other)
    say(compare.lines_of(found, old, news))
    status = 1 if found.count("worse") or found.slowest else 0
    return max(status, check_shares(news[0], options)) if options.thresholds else status


def do_check(options):
    return check_shares(results.load(options.result), options)


def do_plot(options):
    found = results.load(options.result)
    drawn, left_out = plots.draw_all(found)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, figure in drawn.items():
        for kind in options.formats.split(","):
            write_whole(options.out / f"{name}.{kind}", plots.bytes_of(figure, kind))
    say([*(f"{options.out}/{name}: {options.formats}" for name in drawn), *(f"left out: {why}" for why in left_out)])
    return 0


def do_ladder(options):
    found = results.load(options.result)
    write_whole(options.picture, ladder.draw(ladder.find(found, options.case, options.threads), options.caption))
    return 0


def do_report(options):
    found = results.load_all(options.result)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    is_machines = "#" in found[0].path.name and "#" not in options.result.name
    make = page.make_machines_page if is_machines else lambda found, known: page.make_page(found[0], known)
    text, left_out = make(found, shares.read_table(options.thresholds))
    write_whole(options.out, text)
    say([f"report in {options.out}", *(f"left out: {why}" for why in left_out)])
    return 0


def do_keep(options):
    keep.keep(options.file, options.name, options.result)
    return 0


def do_machine(options):
    known = machine.facts()
    say([machine.short_name(known) if options.name else
         json.dumps({"machine": known, "settings": machine.settings()}, indent=1)])  # fmt: skip
    return 0


def do_scale(options):
    say(scale.report())
    return 0


def seconds(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds above 0")
    return value


def setting(text):
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text} is not of the form NAME=TEXT")
    return name, value


def share(text):
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def formats(text):
    if not text or set(text.split(",")) - set(plots.FORMATS):
        raise argparse.ArgumentTypeError(f"{text}: formats are {', '.join(plots.FORMATS)}")
    return text


def add_thresholds(parser, default):
    parser.add_argument(
        "--thresholds",
        type=pathlib.Path,
        metavar="FILE",
        nargs="?",
        const=shares.TABLE,
        default=default,
        help="a table of shares of bounds; without FILE perf_tests/tools/shares.json",
    )
    parser.add_argument("--machine", metavar="NAME", help="look the shares of this machine up")


def add_record(parser):
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--commit", help="what was measured; of ranks the tools' own where it is not said")
    parser.add_argument(
        "--setting", type=setting, action="append", default=[], metavar="NAME=TEXT", help="one more of the settings"
    )


def make_parser():
    parser = argparse.ArgumentParser(prog="perf_tests/tools", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")

    def verb(action, name, said, *positional):
        sub = verbs.add_parser(name, help=said, description=(sys.modules.get(name) or action).__doc__ or said,
                               formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
        sub.set_defaults(action=action)
        for word in positional:
            sub.add_argument(word, type=pathlib.Path, metavar=word.upper())
        return sub

    sub = verb(do_compare, "compare", "which cases are better, worse or the same in NEW", "old")
    sub.add_argument("new", type=pathlib.Path, metavar="NEW", nargs="+", help="several of one state confirm each other")
    sub.add_argument("--threshold", type=share, default=compare.THRESHOLD,
                     help=f"changes below are noise (default {compare.THRESHOLD})")  # fmt: skip
    sub.add_argument("--without-peers", action="store_true", help="ask nothing of the other libraries")
    add_thresholds(sub, None)
    add_thresholds(
        verb(do_check, "check", "which cases are below their share of the machine's bound", "result"), shares.TABLE
    )
    sub = verb(do_report, "report", "one page of HTML", "result")
    sub.add_argument("--out", type=pathlib.Path, required=True, metavar="FILE")
    sub.add_argument(
        "--thresholds", type=pathlib.Path, metavar="FILE", default=shares.TABLE, help="a table of shares of bounds"
    )
    sub = verb(do_plot, "plot", "pictures: sweep, roofline, ratios to peers", "result")
    sub.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER")
    sub.add_argument("--formats", type=formats, default="svg,png")
    sub = verb(do_ladder, "ladder", "the picture of matmul's rungs beside the peers", "result", "picture")
    sub.add_argument("case", help="such as ladder/float/1024x1024x1024")
    sub.add_argument("threads", type=int)
    sub.add_argument("caption")
    verb(do_table, "table", "the table", "result")
    sub = verb(do_keep, "keep", "put a result into a machine's file", "file")
    sub.add_argument("name", help="of the result there")
    sub.add_argument("result", type=pathlib.Path, metavar="RESULT")
    sub = verb(do_collect, "collect", "make bench.json, table.txt and sweep.csv of programs' lines")
    sub.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    sub.add_argument("--machine", type=pathlib.Path, metavar="FILE", help="what the command machine printed")
    add_record(sub)
    sub = verb(do_ranks, "ranks", "one rank of a program, under mpirun, srun or flux run")
    sub.add_argument("words", nargs="+", metavar="PROGRAM ARGUMENT", help="after --")
    sub.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="where the ranks of one run meet")
    sub.add_argument(
        "--seconds", type=seconds, default=ranks.SECONDS, help=f"at most, for all (default {ranks.SECONDS:g})"
    )
    sub.add_argument("--allow-overlap", action="store_true", help="say what is wrong with the binding, and go on")
    sub = verb(do_gather, "gather", "make bench.json, table.txt and sweep.csv of folders of ranks")
    sub.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    add_record(sub)
    sub = verb(do_machine, "machine", "what is known of this machine and its settings")
    sub.add_argument("--name", action="store_true", help="a short name for folders")
    verb(do_scale, "scale", "pantile::mpi on many ranks, modelled")
    return parser


def main(words=None):
    options = make_parser().parse_args(words)
    try:
        return options.action(options)
    except results.Unusable as error:
        said = str(error)
    except OSError as error:
        said = ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    print(f"perf_tests/tools: {said}", file=sys.stderr)
    return 2
