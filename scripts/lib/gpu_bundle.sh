#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# gpu_bundle.sh FOLDER: builds what scripts/gpu_bench runs on a GPU machine and gathers it in FOLDER and
# FOLDER.tar.xz. Called by scripts/gpu_bench --build, which says what the variables mean.
set -euo pipefail

# shellcheck source=scripts/lib/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

bundle=$(realpath -m "$1")
cd "$environment_project"
tree=build/cuda # of the preset
if [[ -n ${FETCHCONTENT_SOURCE_DIR_GTEST:-} ]]; then
    export PANTILE_MOUNT=${PANTILE_MOUNT:+$PANTILE_MOUNT:}$FETCHCONTENT_SOURCE_DIR_GTEST
fi
export FETCHCONTENT_SOURCE_DIR_GTEST=${FETCHCONTENT_SOURCE_DIR_GTEST:-/usr/src/googletest}
environment_choose --root cuda

# The preset hands the environment's folders on. Static libraries of the compiler, so that the machine needs none.
# shellcheck disable=SC2016 # $ORIGIN is the loader's word
options=(
    --preset cuda
    -DPantile_ENABLE_BLAS=OFF -DPantile_ENABLE_C=OFF -DPantile_ENABLE_FORTRAN=OFF
    -DPantile_ENABLE_DRIVER=OFF -DPantile_ENABLE_EXAMPLES=OFF
    -DPantile_ENABLE_INSTALL=OFF
    -DPantile_ENABLE_GPU_BENCH=ON
    '-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++ -static-libgcc'
    '-DCMAKE_BUILD_RPATH=$ORIGIN'
    -DCMAKE_SKIP_BUILD_RPATH=OFF
)
targets=(gpu_contests)
environment_run cmake "${options[@]}"
if [[ ${PANTILE_GPU_TESTS:-yes} == yes ]]; then
    mapfile -t -O 1 targets < <(environment_run cmake --build "$tree" --target help |
        sed -n 's/^\(gpu_test_[a-z_]*\): .*/\1/p' | sort -u)
fi
say "building ${targets[*]}"
# One that fails leaves the others in the bundle.
status=0
environment_run cmake --build "$tree" --parallel "${PANTILE_GPU_JOBS:-2}" --target "${targets[@]}" -- -k 0 || status=$?

say "gathering $bundle"
rm -rf "$bundle" "$bundle.tar.xz"
mkdir -p "$bundle/bin" "$bundle/gpu"
for target in "${targets[@]}"; do
    program=$(find "$tree" -name "$target" -type f -perm -u+x | head -n 1)
    if [[ -z $program ]]; then
        say "missing in the bundle: $target"
        continue
    fi
    environment_run strip -o "$tree/stripped" "$program"
    mv "$tree/stripped" "$bundle/bin/$target"
done
runtime=$(environment_run sh -c 'readlink -f /usr/lib/*/libcudart.so.12 | head -n 1')
environment_run cat "$runtime" >"$bundle/bin/libcudart.so.12"
# The root's C library too, with its loader: machines may have an older one (gpu_run.py, find_loader).
mkdir "$bundle/glibc"
for library in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
    environment_run sh -c "cat \$(ls -d /lib64/$library /usr/lib/*/$library 2>/dev/null | head -n 1)" \
        >"$bundle/glibc/$library"
done
chmod +x "$bundle/glibc/ld-linux-x86-64.so.2"
find perf_tests/tools -name "*.py" ! -name "test_*" -exec cp {} "$bundle" \;
cp perf_tests/tools/shares.json "$bundle"
cp perf_tests/gpu/*.py "$bundle/gpu"

# What each program needs beside glibc, the newest symbols of glibc, and the machine code inside.
needed=$(for program in "$bundle"/bin/*; do environment_run objdump -p "$program"; done |
    sed -n 's/^ *NEEDED *//p' | sort -u)
glibc=$(for program in "$bundle"/bin/*; do environment_run objdump -T "$program"; done |
    grep -o 'GLIBC_2[.0-9]*' | sort -u -V | tail -n 1)
code=$(for program in "$bundle"/bin/gpu_*; do environment_run cuobjdump -lelf "$program"; done |
    grep -o 'sm_[0-9a-z]*' | sort -u | paste -sd' ')
compiler=$(environment_run nvcc --version | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')
cat >"$bundle/manifest.json" <<JSON
{
 "commit": "$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)",
 "date": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
 "compiler": "$compiler, $(environment_run g++-13 --version | head -n 1)",
 "kokkos_source": "$(basename "${FETCHCONTENT_SOURCE_DIR_KOKKOS:-fetched}")",
 "needed": "$(paste -sd' ' <<<"$needed")",
 "glibc": "$glibc",
 "machine_code": "$code",
 "programs": "$(find "$bundle/bin" -type f -printf '%f ' | sed 's/ $//')"
}
JSON
tar -C "$(dirname "$bundle")" -cf - "$(basename "$bundle")" | xz -T0 -6 >"$bundle.tar.xz"
cat "$bundle/manifest.json"
du -sh "$bundle" "$bundle.tar.xz"
exit $status
