#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures on a Flux instance, from the checkout's folder; otherwise as slurm.sh:
#
#   flux batch [OPTION of flux batch...] perf_tests/clusters/flux.sh [OPTION of scripts/bench...]
#   PANTILE_BUNDLE=DIR flux batch --gpus-per-slot=1 perf_tests/clusters/flux.sh [OPTION of gpu_run.py...]
#   PANTILE_TASKS_PER_NODE=4 flux batch --nodes=2 --nslots=2 perf_tests/clusters/flux.sh PROGRAM [ARGUMENT...]
#
# The third runs a program of perf_tests by as many ranks on each node. Flux binds each to its share of the cores and
# shows it its share of the devices (PANTILE_RANKS has options of perf_tests/tools ranks).
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
job=$(flux getattr jobid 2>/dev/null) || {
    echo "flux.sh: this is no job of Flux: start it by flux batch" >&2
    exit 2
}
out=${PANTILE_RESULTS:-$project/build/bench/results}/flux-$job

# All of the node for one task, equal shares for several; the programs bind their threads.
export OMP_PLACES=${OMP_PLACES:-cores} OMP_PROC_BIND=${OMP_PROC_BIND:-close}
step=(flux run --nodes=1 --ntasks=1 --exclusive --setopt=cpu-affinity=off)
tools=(python3 -B "$project/perf_tests/tools")
# A baseline that is not usable is said before anything is measured.
[[ -z ${PANTILE_BASELINE:-} ]] || "${tools[@]}" table "$PANTILE_BASELINE" >/dev/null || exit 2
tasks=${PANTILE_TASKS_PER_NODE:-1}
[[ $tasks =~ ^[1-9][0-9]*$ ]] || {
    echo "flux.sh: PANTILE_TASKS_PER_NODE is '$tasks', no number of tasks" >&2
    exit 2
}
status=0
if ((tasks > 1)); then
    (($# > 0)) || {
        echo "flux.sh: $tasks tasks on a node need a program of perf_tests to run" >&2
        exit 2
    }
    read -ra options <<<"${PANTILE_RANKS:-}"
    flux run --nodes="$(flux getattr size)" --tasks-per-node="$tasks" --exclusive \
        --setopt=cpu-affinity=per-task --setopt=gpu-affinity=per-task \
        "${tools[@]}" ranks --out "$out/ranks" "${options[@]}" -- "$@" || status=$?
    ((status != 0)) || "${tools[@]}" gather "$out/ranks" --out "$out" || status=$?
elif [[ -n ${PANTILE_BUNDLE:-} ]]; then
    "${step[@]}" python3 "$project/perf_tests/tools/gpu_run.py" "$PANTILE_BUNDLE" --out "$out" "$@" || status=$?
else
    "${step[@]}" "$project/scripts/bench" --out "$out" "$@" || status=$?
fi
if ((status == 0)) && [[ -n ${PANTILE_BASELINE:-} ]]; then
    "${tools[@]}" compare "$PANTILE_BASELINE" "$out" || status=$?
fi
exit $status
