# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The Debian sid roots that scripts/ can make: the one table of what each holds, and what has to be
# mended in it. Sourced by environment.sh; a changed list gives a root under a new name.

# shellcheck shell=bash

root_names() { echo host kernels hip cuda arm suites races; }

# root_purpose NAME: one line for --help and for the progress messages.
root_purpose() {
    case $1 in
        host) echo "newest Kokkos with OpenMP, test libraries, peer BLAS, Python" ;;
        kernels) echo "Kokkos 4.5 Serial with Kokkos Kernels (conflicts with the newest Kokkos)" ;;
        hip) echo "hipcc and the Kokkos headers, to compile for AMD GPUs" ;;
        cuda) echo "nvcc with a host compiler it accepts and the Kokkos headers, for NVIDIA GPUs" ;;
        arm) echo "a cross compiler for 64-bit Arm and an emulator, for the host kernels and their tests" ;;
        suites) echo "the newest Kokkos, the reference BLAS and LAPACK, NumPy and SciPy, with their tests" ;;
        races) echo "clang with an OpenMP whose joins and barriers thread sanitizer knows, and the newest Kokkos" ;;
        *) return 1 ;;
    esac
}

# root_components NAME: the parts of the archive it needs; nvcc is not free software.
root_components() {
    case $1 in
        cuda) echo "main contrib non-free" ;;
        *) echo "main" ;;
    esac
}

# root_packages NAME: the packages beside the base, each line with what it gives.
root_packages() {
    local build=(
        g++ cmake ninja-build             # compiler and build
        git pkgconf                       # version stamps, package look-up
    )
    local programs=(
        libgtest-dev libgmock-dev         # unit tests and matchers
        librapidcheck-dev                 # property-based tests
        libcli11-dev nlohmann-json3-dev   # command lines and reports of the drivers
    )
    local host=(
        libkokkos-dev                     # Kokkos 5.2: Serial and OpenMP
        libopenblas-openmp-dev            # peer; the pthread build is pinned to one core by OMP_PROC_BIND
        libblis-openmp-dev                # peer
        libeigen3-dev                     # peer
        libhdf5-dev                       # datasets as files of the driver program
        libopenmpi-dev openmpi-bin        # ranks
        libscalapack-openmpi-dev          # the engine of pantile::mpi
        gfortran                          # the Fortran module
        python3-dev python3-pip           # the Python package: headers, and pip install of a checkout
        nanobind-dev python3-nanobind python3-scikit-build-core  # its binding and its build
        python3-pytest python3-hypothesis python3-dask           # its tests and example
        python3-mypy                      # a type checker for its stubs
        libblas-test libblas3             # Debian's BLAS testers; the reference BLAS, slowest peer
        python3-numpy python3-scipy       # cross-checks and peers of examples/demo
        python3-sklearn python3-numba     # the digits of examples/demo; its fastest Python peer
        python3-matplotlib                # plots
        slurm-wlm munge                   # a Slurm of one node for perf_tests/clusters
        ccache                            # what knows no Kokkos is compiled once for this root and the next
    )
    local kernels=(
        libtrilinos-kokkos-dev            # Kokkos 4.5: Serial
        libtrilinos-kokkos-kernels-dev    # Kokkos Kernels 4.5 over BLAS
        libopenblas-openmp-dev            # the BLAS under Kokkos Kernels
        ccache                            # the host kernels are those of the root host, with the same compiler
        python3                           # lint, header, negative and driver tests
    )
    local hip=(
        hipcc                             # clang with AMD device libraries
        libamdhip64-dev                   # HIP headers and run-time library
        librocthrust-dev                  # what Kokkos with HIP demands for its sort
        libkokkos-dev                     # headers; the device check adds its own configuration
        python3                           # scripts/lib/device
    )
    local cuda=(
        nvidia-cuda-toolkit               # nvcc, ptxas, cuobjdump, compute-sanitizer
        g++-13                            # the newest host compiler this nvcc accepts
        libkokkos-dev                     # headers; the device check adds its own configuration
        liblz4-dev                        # nvcc's fat binaries are compressed with it
        libopenmpi-dev openmpi-bin        # ranks
        libscalapack-openmpi-dev          # the engine of pantile::mpi
        python3-dev                       # scripts/lib/device; the Python package's headers
        nanobind-dev python3-nanobind     # its binding
        python3-numpy python3-pytest      # its tests
    )
    local arm=(
        cmake ninja-build                 # build
        g++-aarch64-linux-gnu             # compiler
        qemu-user                         # emulator
        googletest                        # the sources of the test library
    )
    local suites=(
        libkokkos-dev                     # Kokkos 5.2: Serial and OpenMP
        libblas3 libblas-test             # the reference BLAS and its testers
        liblapack3 liblapack-test         # the reference LAPACK and its tests
        libopenblas0-openmp               # a BLAS that is neither: its failures say what rounding alone does
        python3-numpy python3-scipy       # both install their tests
        python3-pytest python3-hypothesis # what these run on
        python3-pytest-timeout            # a test that hangs ends alone
        python3-setuptools python3-pooch  # what some of them import
    )
    local races=(
        clang libclang-rt-dev llvm        # compiler, its thread sanitizer, names of functions in reports
        libomp-dev                        # OpenMP with Archer, which tells the sanitizer what waits for what
        libkokkos-dev                     # Kokkos 5.2: its calls of GNU's OpenMP are taken by this one
    )
    case $1 in
        host) printf '%s\n' "${build[@]}" "${programs[@]}" "${host[@]}" ;;
        kernels) printf '%s\n' "${build[@]}" "${programs[@]}" "${kernels[@]}" ;;
        hip) printf '%s\n' "${build[@]}" "${programs[@]}" "${hip[@]}" ;;
        cuda) printf '%s\n' "${build[@]}" "${programs[@]}" "${cuda[@]}" ;;
        arm) printf '%s\n' "${arm[@]}" ;;
        suites) printf '%s\n' "${build[@]}" "${suites[@]}" ;;
        races) printf '%s\n' "${build[@]}" "${programs[@]}" "${races[@]}" ;;
        *) return 1 ;;
    esac
}

# root_older NAME: packages that sid has no longer; those of Debian 12 are unpacked over it (unpack_older.sh).
root_older() {
    case $1 in
        host) echo scalapack-mpi-test ;; # ScaLAPACK's testers, which find their libraries in sid
    esac
}

# root_filters NAME: dpkg options; what the files of the packages are that nobody here needs.
root_filters() {
    printf '%s\n' path-exclude=/usr/share/{man,doc,locale}/'*'
    if [[ $1 == cuda ]]; then
        # 2.4 GB of static mathematics libraries; CMake and nvcc want this one.
        printf '%s\n' 'path-exclude=/usr/lib/*/lib*_static*.a' 'path-include=/usr/lib/*/libcudart_static.a'
    fi
}

# root_variables NAME: what a build in it must be told by environment variables.
root_variables() {
    case $1 in
        # Found again by what the compiler read, without preprocessing; precompiled headers are left to the compiler.
        host | kernels)
            printf '%s\n' CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DEPEND=1 CCACHE_MAXSIZE=1G
            printf '%s\n' "CCACHE_DIR=$environment_cache/ccache"
            ;;
        cuda) printf '%s\n' CXX=g++-13 NVCC_WRAPPER_DEFAULT_COMPILER=g++-13 ;;
        hip) printf '%s\n' CXX=hipcc ;;
        races) printf '%s\n' CXX=clang++ ;;
    esac
}

# root_mend: runs inside a new root, before it is used.
# libkokkos-dev 5.2.2-2 lacks two empty archives that its CMake files demand (their sources hold
# headers only), so that find_package fails. Nothing happens once a revision ships them.
root_mend() {
    local targets archive
    for targets in /usr/lib/*/cmake/Kokkos/KokkosTargets-*.cmake; do
        [ -e "$targets" ] || continue
        for archive in libkokkosalgorithms.a libkokkossimd.a; do
            if grep -q "/$archive\"" "$targets" && [ ! -e "${targets%/cmake/*}/$archive" ]; then
                ar rcs "${targets%/cmake/*}/$archive"
            fi
        done
    done
}
