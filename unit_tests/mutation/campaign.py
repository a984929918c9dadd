# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A campaign of mutants: a folder with the instrumented copy, its build, the plan and the results."""

import hashlib
import json
import pathlib
import re
import subprocess

import faults
import instrument
import programs
import selection
import source as cxx

FIRST_SITE = 1000  # numbers below are planted faults
SPARE = 1.25  # sites beyond the wanted count, for those that do not compile



def mutant_of_site(number, site):
    return {
        "number": number, "path": site.path, "operator": site.operator, "begin": site.begin, "end": site.end,
        "template": site.template, "old": site.old, "new": site.new, "line": site.line, "function": site.function,
        "constant": site.constant,
    }  # fmt: skip


def is_text(mutant):
    """An assignment of a reason is for people."""
    return re.match(r"[\w.]*\breason = ", mutant["old"]) is not None


# Functions of shared files that only devices' launches call.
DEVICES = re.compile(r"^(\w+_on_device|plan_packed|packed_tiles?|device_\w+|split_text|require_accessible)$")


def is_of_devices(mutant):
    return mutant["number"] >= FIRST_SITE and DEVICES.match(mutant["function"]) is not None


class Campaign:
    def __init__(self, project, folder):
        self.project = pathlib.Path(project)
        self.folder = pathlib.Path(folder).resolve()
        self.source = self.folder / "source"
        self.build = self.folder / "build"
        self.folder.mkdir(parents=True, exist_ok=True)

    # What lies in the folder.

    def read(self, name, default=None):
        file = self.folder / name
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else default

    def write(self, name, value):
        file = self.folder / name
        new = file.with_suffix(".new")
        new.write_text(json.dumps(value, indent=1), encoding="utf-8")
        new.replace(file)

    # The plan.

    def make_plan(self, seed, count, files=None, with_faults=True):
        """Numbers faults and sites; what an earlier build of the same plan has rejected stays out."""
        old = self.read("plan.json", {})
        rejected = old.get("rejected", []) if (old.get("seed"), old.get("state")) == (seed, self.state()) else []
        mutants = []
        if with_faults:
            known = [f for f in faults.FAULTS if files is None or f.path in files]
            mutants += [{**mutant_of_site(number, faults.site_of(self.project, fault)), "name": fault.name}
                        for number, fault in enumerate(known, 1)]  # fmt: skip
        sites = selection.ordered_sites(self.project, seed, files)[: int(count * SPARE)]
        mutants += [mutant_of_site(FIRST_SITE + i, site) for i, site in enumerate(sites)]
        self.write("plan.json", {
            "seed": seed, "count": count, "state": self.state(), "commit": self.commit(), "rejected": rejected,
            "mutants": mutants,
        })  # fmt: skip

    def state(self):
        """Changes with the mutated sources."""
        digest = hashlib.sha256()
        for path in selection.source_files(self.project):
            digest.update((self.project / path).read_bytes())
        return digest.hexdigest()[:16]

    def commit(self):
        result = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=self.project, capture_output=True,
                                text=True)
        return result.stdout.strip() or "no commit"

    def plan(self):
        plan = self.read("plan.json")
        if plan is None:
            raise SystemExit("there is no plan yet: mutate.py plan")
        return plan

    def chosen(self, plan):
        """The mutants to run: all faults, and of the sites that compile the first."""
        rejected = set(plan["rejected"])
        usable = [m for m in plan["mutants"] if m["number"] not in rejected and not is_text(m) and not is_of_devices(m)]
        planted = [m for m in usable if m["number"] < FIRST_SITE]
        return planted, [m for m in usable if m["number"] >= FIRST_SITE][: plan["count"]]

    # The instrumented copy and its build.

    def write_copy(self, plan):
        by_path = {}
        for m in plan["mutants"]:
            if m["number"] not in plan["rejected"]:
                one = instrument.Planted(m["number"], m["begin"], m["end"], m["template"], m["new"])
                by_path.setdefault(m["path"], []).append(one)
        for path in by_path:
            by_path[path], out = instrument.without_crossings(by_path[path])
            plan["rejected"] += [one.number for one in out]
        self.write("plan.json", plan)
        count = max((m["number"] for m in plan["mutants"]), default=0) + 1
        return instrument.write_copy(self.project, self.source, by_path, count)

    def configure(self, options):
        if (self.build / "build.ninja").is_file():
            return
        flags = ["-w", "-Wno-narrowing"]
        # Kernels with questions in their loops take ten times as long to compile with all optimisations.
        command = [
            "cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_CXX_FLAGS=" + " ".join(flags), "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
            "-DPantile_MICRO_KERNEL_OPTIMIZATION=-O1", "-DPantile_ENABLE_TESTS=ON",
            "-DPantile_ENABLE_DRIVER=OFF", "-DPantile_ENABLE_EXAMPLES=OFF", "-DPantile_ENABLE_INSTALL=OFF", *options,
        ]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def library_targets(self):
        """Built first: most of what does not compile shows there."""
        text = (self.build / "build.ninja").read_text(encoding="utf-8")
        return [name for name in ("pantile", "pantile_blas") if re.search(rf"^build {name}: phony", text, re.MULTILINE)]

    def test_targets(self):
        """Names of the test programs that the build has."""
        lines = subprocess.run(["ninja", "-C", str(self.build), "-t", "targets", "all"], capture_output=True, text=True,
                               check=True)
        names = re.findall(r"^unit_tests/[\w/]*?(\w+): CXX_EXECUTABLE_LINKER", lines.stdout, re.MULTILINE)
        return sorted(name for name in names if not programs.NO_PROGRAMS.search(name))

    def compile(self, targets, jobs, keep_going=0):
        """Builds; sites that do not compile are left out, and what they spoilt is built again."""
        while True:
            plan = self.plan()
            spans = self.write_copy(plan)
            command = ["ninja", "-C", str(self.build), "-j", str(jobs), "-k", str(keep_going), *targets]
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            (self.folder / "build.log").write_text(result.stdout, encoding="utf-8")
            if result.returncode == 0:
                return
            bad = self.blamed(result.stdout, spans)
            if not bad:
                raise SystemExit(f"the build fails, see {self.folder / 'build.log'}")
            named = {m["number"]: m["name"] for m in plan["mutants"] if "name" in m}
            print(f"{len(bad)} mutants do not compile and are left out", flush=True)
            plan["rejected"] = sorted(set(plan["rejected"]) | bad - named.keys())
            self.write("plan.json", plan)
            if spoilt := [named[number] for number in sorted(bad & named.keys())]:
                raise SystemExit(f"planted faults do not compile, see {self.folder / 'build.log'}: {', '.join(spoilt)}")

    def blamed(self, log, spans):
        """Numbers of the mutants that the compiler's errors point at."""
        place = re.compile(r"(?:^|\s)([^\s:]+):(\d+):(\d+):\s*(.*)")
        blocks, way = [], []  # of an error: its place, the notes behind it, and the way to it, which comes before it
        for line in log.splitlines():
            found = place.search(line)
            if found is None:
                continue
            path, row, column, words = found.groups()
            where = (path, int(row), int(column))
            if re.match(r"(fatal )?error", words):
                blocks.append([where, *way[::-1]])
                way = []
            elif re.match(r"required|recursively|in .constexpr", words):
                way.append(where)
            elif blocks:
                blocks[-1].append(where)
        return set().union(*(next(filter(None, (self.mutants_at(*where, spans) for where in block)), set())
                             for block in blocks))

    def mutants_at(self, path, row, column, spans):
        """The innermost mutant at a place of the copy, else those of its line."""
        name = path.replace(str(self.source) + "/", "")
        if name not in spans:
            return set()
        lines = (self.source / name).read_text(encoding="utf-8").split("\n")
        start = sum(len(line) + 1 for line in lines[: row - 1])
        at = start + column - 1
        around = [span for span in spans[name] if span.start <= at < span.end]
        if around:
            return {min(around, key=lambda span: span.end - span.start).number}
        end = start + len(lines[row - 1])
        return {span.number for span in spans[name] if span.start < end and start < span.end}
