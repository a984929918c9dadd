# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pantile for Spack 1.0 and later, from the checkout that this file lies in:

spack repo add scripts/spack && spack install pantile +openmp
"""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Pantile(CMakePackage, CudaPackage, ROCmPackage):
    """Performance-portable dense 2D kernels on Kokkos: matrix products, transposition, addition, histograms,
    transfers."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()
    license("Apache-2.0 WITH LLVM-exception")
    version("main", branch="main")

    variant("openmp", default=True, description="Compute with OpenMP on the host")
    variant("shared", default=True, description="libpantile and libpantile_mpi as shared libraries")
    variant("blas", default=True, description="libpantile_blas, the BLAS-compatible layer on the host")
    variant("c", default=True, description="libpantile_c, the operations for C")
    variant("fortran", default=False, description="The Fortran module pantile")
    variant("mpi", default=False, description="libpantile_mpi, distributed matrices by ScaLAPACK")
    variant("python", default=False, description="The Python package pantile")
    conflicts("+fortran", when="~c", msg="the Fortran module lies on libpantile_c")
    conflicts("+cuda", when="+rocm", msg="Kokkos has one device backend")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    # Shared, or position-independent: it goes into libraries for programs that know no Kokkos.
    depends_on("kokkos@4.5.1:5 +serial cxxstd=20 +pic")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos ~openmp", when="~openmp")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos +rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")

    depends_on("mpi", when="+mpi")
    depends_on("scalapack", when="+mpi")

    extends("python@3.10:", when="+python")
    depends_on("py-pip", type="build", when="+python")
    depends_on("py-nanobind", type="build", when="+python")
    depends_on("py-scikit-build-core", type="build", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    def cmake_args(self):
        names = ("blas", "c", "fortran", "mpi")
        args = [self.define_from_variant(f"Pantile_ENABLE_{name.upper()}", name) for name in names]
        args.append(self.define_from_variant("BUILD_SHARED_LIBS", "shared"))
        args += [self.define(f"Pantile_ENABLE_{what}", False) for what in ("TESTS", "EXAMPLES")]
        args.append(self.define("Pantile_ENABLE_DRIVER", False))  # its command line needs CLI11 and nlohmann's JSON
        args.append(self.define("Pantile_FETCH_DEPENDENCIES", False))
        if self.spec.satisfies("+rocm"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        elif self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        return args

    @run_after("install", when="+python")
    def install_python(self):
        options = ["--no-deps", "--no-build-isolation", f"--prefix={self.prefix}"]
        python("-m", "pip", "install", *options, self.stage.source_path)
