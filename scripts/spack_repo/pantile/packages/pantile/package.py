# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pantile for Spack 1.0 and later, from the checkout that this file lies in:

spack repo add scripts/spack_repo/pantile && spack install pantile
"""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Pantile(CMakePackage, CudaPackage, ROCmPackage):
    """Performance-portable dense 2D kernels on Kokkos: matrix products, transposition, addition,
    histograms, transfers."""

    git = pathlib.Path(__file__).resolve().parents[5].as_uri()
    homepage = git

    test_requires_compiler = True

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("openmp", default=True, description="Compute with OpenMP on the host")
    variant("shared", default=True, description="Build libpantile and libpantile_mpi shared")
    variant(
        "blas",
        default=True,
        when="~cuda ~rocm",
        description="Build libpantile_blas, the BLAS-compatible layer on the host",
    )
    variant("c", default=True, description="Build libpantile_c, the operations for C")
    variant("fortran", default=False, when="+c", description="Build the Fortran module pantile")
    variant("python", default=False, when="+c", description="Build the Python package pantile")
    variant("mpi", default=False, description="Build libpantile_mpi, matrices on many ranks")
    variant("driver", default=False, description="Build the program pantile")
    variant("hdf5", default=False, when="+driver", description="HDF5 datasets in the program")
    variant("kokkos_kernels", default=False, description="Offer Kokkos Kernels' products")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")

    # Kokkos computes where it was built to: these variants say where that is.
    depends_on("kokkos@4.5.01:5")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos ~openmp", when="~openmp")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos +rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    conflicts("+cuda", when="cuda_arch=none")
    conflicts("+cuda", when="+rocm", msg="Kokkos has one device backend")
    conflicts("^kokkos +cuda", when="~cuda")
    conflicts("^kokkos +rocm", when="~rocm")
    conflicts("^kokkos +sycl", msg="Pantile has no kernels for SYCL")
    conflicts("^kokkos cxxstd=17", msg="Pantile is C++20")
    conflicts("^kokkos +cmake_lang", msg="Pantile's sources are C++ for CMake")
    requires("^kokkos +wrapper", when="+cuda")
    requires("^kokkos +cuda_lambda", when="+cuda ^kokkos@:4")

    # Conflicts and no requirements of alternatives: the solver would rather turn a default off
    # than take the second one. What is refused here, CMakeLists.txt leaves out with a message.
    for library in ("blas", "c"):
        with when(f"+{library}"):
            conflicts("^kokkos ~openmp ~serial")
            conflicts("^kokkos ~shared ~pic", msg=f"libpantile_{library} is a shared library")
            conflicts("^kokkos +threads", msg=f"libpantile_{library} never finalises Kokkos")

    depends_on("kokkos-kernels", when="+kokkos_kernels")
    depends_on("mpi", when="+mpi")
    depends_on("scalapack", when="+mpi")
    depends_on("cli11@2.3.2:", type="build", when="+driver")
    depends_on("nlohmann-json@3.11.2:", type="build", when="+driver")
    depends_on("hdf5", when="+hdf5")

    with when("+python"):
        extends("python@3.9:")
        depends_on("py-nanobind@2.4:", type="build")
        depends_on("py-numpy", type=("run", "test"))

    depends_on("googletest@1.14: +gmock", type="test")
    depends_on("python", type="test")

    sanity_check_is_file = [join_path("include", "pantile", "pantile.hpp")]

    def compiler_args(self):
        """Kokkos wants its wrapper of nvcc, or hipcc, from whoever compiles its headers."""
        spec = self.spec
        if spec.satisfies("+rocm") and not (
            spec.satisfies("^kokkos %cxx=clang") or spec.satisfies("^kokkos %cxx=rocmcc")
        ):
            return [self.define("CMAKE_CXX_COMPILER", spec["hip"].hipcc)]
        if spec.satisfies("+cuda"):
            return [self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx)]
        return []

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("Pantile_FETCH_DEPENDENCIES", False),
            self.define("Pantile_ENABLE_TESTS", self.run_tests),
            self.define("Pantile_ENABLE_EXAMPLES", self.run_tests),
        ]
        for name in ("blas", "c", "fortran", "python", "mpi", "driver", "hdf5", "kokkos_kernels"):
            args.append(self.define(f"Pantile_ENABLE_{name.upper()}", spec.satisfies(f"+{name}")))
        if spec.satisfies("+mpi") and not spec.satisfies("^netlib-scalapack"):
            args.append(self.define("ScaLAPACK_LIBRARIES", spec["scalapack"].libs.joined(";")))
        return args + self.compiler_args()

    @run_after("install", when="+python")
    def install_python(self):
        options = ["--component", "python", "--prefix", python_platlib]
        cmake("--install", self.build_directory, *options)

    examples = "examples"

    @run_after("install")
    def setup_build_tests(self):
        """Keep the examples, which are a project of their own, for spack test run."""
        cache_extra_test_sources(self, [self.examples])

    def test_examples(self):
        """build examples against the installation, and run them"""
        spec = self.spec
        names = ["01_naive_matmul", "17_own_kernel"]
        others = (("+fortran", "20_fortran"), ("+c", "21_c"), ("+mpi", "23_distributed_adi"))
        names += [name for variant, name in others if spec.satisfies(variant)]
        prefixes = [part.prefix for part in spec.traverse(deptype="link")]
        args = [
            self.define("CMAKE_BUILD_TYPE", "Release"),
            self.define("CMAKE_PREFIX_PATH", prefixes),
            self.define("CMAKE_C_COMPILER", self["c"].cc),
            self.define("CMAKE_CXX_COMPILER", self["cxx"].cxx),
            self.define("PantileExamples_ONLY", names),
        ]
        if spec.satisfies("+fortran"):
            args.append(self.define("CMAKE_Fortran_COMPILER", self["fortran"].fortran))
        cmake = spec["cmake"].command
        ctest = which(spec["cmake"].prefix.bin.ctest, required=True)
        folder = join_path(self.test_suite.current_test_cache_dir, self.examples)
        with working_dir(folder):
            cmake("-S", ".", "-B", "build", *args, *self.compiler_args())
            cmake("--build", "build")
            # Ranks are built and not started: not every machine lets anybody do that anywhere.
            options = ["--no-tests=error", "--output-on-failure", "-LE", "example-mpi"]
            ctest("--test-dir", "build", *options)

    def test_python(self):
        """multiply in Python"""
        if not self.spec.satisfies("+python"):
            raise SkipTest("there is no Python package without the variant python")
        lines = (
            "import numpy, pantile",
            "a = numpy.arange(6.0).reshape(2, 3)",
            "assert (pantile.matmul(a, a.T) == a @ a.T).all()",
        )
        python = self.spec["python"].command
        python("-c", "; ".join(lines))

    def test_driver(self):
        """ask the program pantile what it is"""
        if not self.spec.satisfies("+driver"):
            raise SkipTest("there is no program without the variant driver")
        pantile = which(self.prefix.bin.pantile, required=True)
        pantile("--version")
