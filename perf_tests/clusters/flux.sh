#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures on one node of a Flux instance, from the checkout's folder; otherwise as slurm.sh:
#
#   flux batch [OPTION of flux batch...] perf_tests/clusters/flux.sh [OPTION of scripts/bench...]
#   PANTILE_BUNDLE=DIR flux batch --gpus-per-slot=1 perf_tests/clusters/flux.sh [OPTION of gpu_run.py...]
#
# NOT RUN YET under Flux: only its syntax and its commands, by a flux that stands in, are tested (test_recipes.py).
#
#flux: --job-name=pantile
#flux: --nodes=1
#flux: --nslots=1
#flux: --exclusive
#flux: --time-limit=60m
#flux: --output=pantile-{{id}}.log
set -euo pipefail

project=${PANTILE_SOURCE:-$PWD}
[[ -x $project/scripts/bench ]] || {
    echo "flux.sh: no checkout of Pantile in $project; PANTILE_SOURCE can name it" >&2
    exit 2
}
job=$(flux getattr jobid)
out=${PANTILE_RESULTS:-$project/build/bench/results}/flux-$job

# All of the node for the one task; the programs bind their threads.
export OMP_PLACES=${OMP_PLACES:-cores} OMP_PROC_BIND=${OMP_PROC_BIND:-close}
step=(flux run --nodes=1 --ntasks=1 --exclusive --setopt=cpu-affinity=off)
status=0
if [[ -n ${PANTILE_BUNDLE:-} ]]; then
    "${step[@]}" python3 "$project/perf_tests/tools/gpu_run.py" "$PANTILE_BUNDLE" --out "$out" "$@" || status=$?
else
    "${step[@]}" "$project/scripts/bench" --out "$out" "$@" || status=$?
fi
if ((status == 0)) && [[ -n ${PANTILE_BASELINE:-} ]]; then
    python3 -B "$project/perf_tests/tools" compare "$PANTILE_BASELINE" "$out" || status=$?
fi
exit $status
