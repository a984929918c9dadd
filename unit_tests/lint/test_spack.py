# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack package beside the build: its variables are options, its versions of CMake and Kokkos the least that the
build takes. Spack itself is not run; the words of its language that the package uses are put in its place."""

import contextlib
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "scripts/spack_repo/pantile/packages/pantile/package.py"
COMPONENTS = {"blas", "c", "fortran", "python", "mpi", "driver", "hdf5", "kokkos_kernels"}  # Pantile_ENABLE_...


class Base:
    """CMakePackage, as far as cmake_args() asks it."""

    cuda_arch_values, amdgpu_targets = ("90",), ("gfx942",)

    def __init__(self, variants, run_tests=False):
        self.variants, self.run_tests = variants, run_tests
        self.spec = self

    def satisfies(self, variant):
        return variant[1:] in self.variants

    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, variant in self.variants

    def __getitem__(self, _):
        libraries = types.SimpleNamespace(joined=lambda _: "scalapack")
        return types.SimpleNamespace(hipcc="hipcc", kokkos_cxx="nvcc_wrapper", libs=libraries)


def load():
    """The class, and what it said of itself: [(directive, first argument, the others)]."""
    said = []

    def directive(name):
        def say(*words, **more):
            said.append((name, words[0], more))
            return lambda function: function

        return say

    names = ("license", "version", "variant", "conflicts", "requires", "depends_on", "extends", "run_after")
    words = {name: directive(name) for name in names}
    words |= {"when": contextlib.nullcontext, "join_path": lambda *parts: "/".join(parts)}
    modules = {"spack.package": words}
    for system, name in (("cmake", "CMakePackage"), ("cuda", "CudaPackage"), ("rocm", "ROCmPackage")):
        modules[f"spack_repo.builtin.build_systems.{system}"] = {name: type(name, (Base,), {})}
    for name, content in modules.items():
        for parent in (name.rsplit(".", i)[0] for i in range(name.count("."), -1, -1)):
            sys.modules.setdefault(parent, types.ModuleType(parent))
        vars(sys.modules[name]).update(content)
    space = {"__file__": str(PACKAGE), "__name__": "package"}
    exec(compile(PACKAGE.read_text(encoding="utf-8"), str(PACKAGE), "exec"), space)
    return space["Pantile"], said


class Package(unittest.TestCase):
    def setUp(self):
        self.package, self.said = load()
        self.cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        self.options = set(re.findall(r"^option\((\w+) ", self.cmake, re.MULTILINE))

    def test_its_variables_are_options_of_the_build(self):
        for variants in ((), ("openmp", "shared", *COMPONENTS), ("cuda",), ("rocm",)):
            args = dict(self.package(variants).cmake_args())
            compiler = {"cuda": "nvcc_wrapper", "rocm": "hipcc"}.get(variants[0] if variants else "")
            self.assertEqual(args.pop("CMAKE_CXX_COMPILER", None), compiler)
            self.assertEqual(args.pop("BUILD_SHARED_LIBS"), "shared" in variants)
            self.assertEqual(args.pop("ScaLAPACK_LIBRARIES", None), "scalapack" if "mpi" in variants else None)
            self.assertLessEqual(set(args), self.options)
            for name in COMPONENTS:
                self.assertEqual(args[f"Pantile_ENABLE_{name.upper()}"], name in variants)

    def test_it_builds_tests_where_spack_runs_them(self):
        for run_tests in (False, True):
            self.assertEqual(dict(self.package((), run_tests).cmake_args())["Pantile_ENABLE_TESTS"], run_tests)

    def test_it_has_a_variant_for_each_component_of_the_build(self):
        variants = {words for name, words, _ in self.said if name == "variant"}
        # CudaPackage and ROCmPackage have theirs
        self.assertEqual(variants, {"openmp", "shared"} | COMPONENTS)
        others = {"TESTS", "EXAMPLES", "PERF_TESTS", "GPU_BENCH", "INSTALL"}
        enable = "Pantile_ENABLE_"
        components = {option.removeprefix(enable) for option in self.options if option.startswith(enable)} - others
        self.assertEqual(components, {name.upper() for name in COMPONENTS})

    def test_its_least_versions_are_the_builds(self):
        needs = " ".join(words for name, words, _ in self.said if name == "depends_on")
        least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", self.cmake).group(1)
        self.assertIn(f"cmake@{least}:", needs)
        dependencies = (ROOT / "cmake/PantileDependencies.cmake").read_text(encoding="utf-8")
        least = re.search(r"Pantile_KOKKOS_MINIMUM ([\d.]+)\)", dependencies).group(1)
        major, minor, patch = least.split(".")
        self.assertIn(f"kokkos@{major}.{minor}.{int(patch):02}:", needs)  # as Kokkos writes its versions

    def test_its_examples_exist(self):
        names = re.findall(r'"(\d\d_\w+)"', PACKAGE.read_text(encoding="utf-8"))
        self.assertTrue(names)
        for name in names:
            self.assertTrue(list(ROOT.glob(f"examples/{name}/{name}.*")), name)

    def test_it_takes_the_checkout_that_it_lies_in(self):
        self.assertEqual(self.package.git, ROOT.as_uri())


if __name__ == "__main__":
    unittest.main()
