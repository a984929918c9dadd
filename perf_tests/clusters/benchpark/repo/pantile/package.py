# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pantile's programs of perf_tests as Benchpark's package, for the Spack that Benchpark brings (before 1.0), from the
checkout that this file, or what a link to it names, lies in. The libraries' package for Spack 1.0 is in
scripts/spack_repo.
"""

import pathlib

from spack.package import *


class Pantile(CMakePackage):
    """Dense 2D kernels on Kokkos: the programs that measure them beside peers and the machine's bounds."""

    git = pathlib.Path(__file__).resolve().parents[5].as_uri()
    homepage = git

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("openmp", default=True, description="Compute with OpenMP")
    variant("mpi", default=False, description="perf_mpi too: matrices on many ranks, beside ScaLAPACK")

    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.5.01:5")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos ~openmp", when="~openmp")
    depends_on("mpi", when="+mpi")
    depends_on("scalapack", when="+mpi")

    # What perf_tests/CMakeLists.txt calls all contests of a host.
    build_targets = ["pantile_perf_contests"]

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define("Pantile_FETCH_DEPENDENCIES", False),
            self.define("Pantile_ENABLE_PERF_TESTS", True),
            self.define("Pantile_ENABLE_TESTS", False),
            self.define("Pantile_ENABLE_EXAMPLES", False),
            self.define_from_variant("Pantile_ENABLE_MPI", "mpi"),
        ]
        if spec.satisfies("+mpi") and not spec.satisfies("^netlib-scalapack"):
            args.append(self.define("ScaLAPACK_LIBRARIES", spec["scalapack"].libs.joined(";")))
        return args

    def build(self, spec, prefix):
        """With perf_mpi, which is none of the contests of one process."""
        if spec.satisfies("+mpi"):
            self.build_targets = [*self.build_targets, "perf_mpi"]
        super().build(spec, prefix)

    def install(self, spec, prefix):
        """The programs stay where the build puts them, and are no part of what Pantile installs."""
        mkdirp(prefix.bin)
        with working_dir(self.build_directory):
            for program in find("bin", "perf_*"):
                install(program, prefix.bin)
