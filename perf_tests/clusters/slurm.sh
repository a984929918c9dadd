#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures on a Slurm cluster, from the checkout's folder:
#
#   sbatch [OPTION of sbatch...] perf_tests/clusters/slurm.sh [OPTION of scripts/bench...]
#   PANTILE_BUNDLE=DIR sbatch --gpus-per-task=1 perf_tests/clusters/slurm.sh [OPTION of gpu_run.py...]
#   sbatch --nodes=2 --ntasks=8 [--gpus-per-task=1] perf_tests/clusters/slurm.sh PROGRAM [ARGUMENT...]
#
# The first builds in the job unless there is a --no-build; the second runs a bundle of scripts/gpu_bench --build; the
# third, of several tasks, runs a program of perf_tests by as many ranks (perf_tests/tools ranks, whose options
# PANTILE_RANKS has), each with its share of the node's processors, and leaves their lines under ranks beside the
# results. PANTILE_LAUNCH=mpirun starts them by mpirun inside of the job, not by srun: perf_mpi, whose ranks find each
# other by MPI, needs it where srun has no way (srun --mpi=list) that its MPI takes. PANTILE_LAUNCH_OPTIONS has more
# options of srun, such as --mpi=pmix, or mpirun's in the place of --map-by and --bind-to. Results lie in
# PANTILE_RESULTS (default build/bench/results) under the job's number. With PANTILE_BASELINE=DIR they are compared
# with those, and the job fails where a case is worse. PANTILE_SOURCE names the checkout if it is not the folder of
# sbatch. Run as test_slurm.py runs it: on a private Slurm of one node, without GPUs.
#
#SBATCH --job-name=pantile
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --hint=nomultithread
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.log
set -euo pipefail

[[ -n ${SLURM_JOB_ID:-} ]] || {
    echo "slurm.sh: this is no job of Slurm: start it by sbatch" >&2
    exit 2
}
project=${PANTILE_SOURCE:-${SLURM_SUBMIT_DIR:-$PWD}}
[[ -x $project/scripts/bench ]] || {
    echo "slurm.sh: no checkout of Pantile in $project; PANTILE_SOURCE can name it" >&2
    exit 2
}
out=${PANTILE_RESULTS:-$project/build/bench/results}/slurm-$SLURM_JOB_ID

# All cores of the node for one task, equal shares for several; the programs bind their threads.
export OMP_PLACES=${OMP_PLACES:-cores} OMP_PROC_BIND=${OMP_PROC_BIND:-close}
step=(srun --ntasks=1 --cpus-per-task="${SLURM_CPUS_ON_NODE:-1}" --cpu-bind=none)
tools=(python3 -B "$project/perf_tests/tools")
# A baseline that is not usable is said before anything is measured.
[[ -z ${PANTILE_BASELINE:-} ]] || "${tools[@]}" table "$PANTILE_BASELINE" >/dev/null || exit 2
status=0
if ((${SLURM_NTASKS:-1} > 1)); then
    (($# > 0)) || {
        echo "slurm.sh: $SLURM_NTASKS tasks need a program of perf_tests to run" >&2
        exit 2
    }
    share=$((${SLURM_CPUS_ON_NODE:-1} * ${SLURM_JOB_NUM_NODES:-1} / SLURM_NTASKS))
    share=$((share > 1 ? share : 1))
    read -ra options <<<"${PANTILE_RANKS:-}"
    read -ra more <<<"${PANTILE_LAUNCH_OPTIONS:-}"
    case ${PANTILE_LAUNCH:-srun} in
        srun)
            launch=(srun --ntasks="$SLURM_NTASKS" --cpus-per-task="$share" --kill-on-bad-exit=1
                --distribution=block:block --cpu-bind=cores)
            ;;
        mpirun)
            ((${#more[@]} > 0)) || more=(--map-by "slot:PE=$share" --bind-to core)
            launch=(mpirun -n "$SLURM_NTASKS")
            ;;
        *)
            echo "slurm.sh: PANTILE_LAUNCH is '$PANTILE_LAUNCH'; srun and mpirun are known" >&2
            exit 2
            ;;
    esac
    "${launch[@]}" "${more[@]}" \
        "${tools[@]}" ranks --out "$out/ranks" "${options[@]}" -- "$@" || status=$?
    ((status != 0)) || "${tools[@]}" gather "$out/ranks" --out "$out" || status=$?
elif [[ -n ${PANTILE_BUNDLE:-} ]]; then
    "${step[@]}" --gpus-per-task=1 \
        python3 "$project/perf_tests/tools/gpu_run.py" "$PANTILE_BUNDLE" --out "$out" "$@" || status=$?
else
    "${step[@]}" "$project/scripts/bench" --out "$out" "$@" || status=$?
fi
if ((status == 0)) && [[ -n ${PANTILE_BASELINE:-} ]]; then
    "${tools[@]}" compare "$PANTILE_BASELINE" "$out" || status=$?
fi
exit $status
