# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the scripts: decides how a compiler, CMake, Kokkos and the test libraries are had, and runs
# commands there. In this order: the machine's own; the upstream releases by CMake's FetchContent; a
# Debian sid root in the cache folder. The choice and its reason are said in one line.
#
#   environment_choose [--root NAME] [PYTHON_MODULE...]   decides, and makes the root where one is needed
#   environment_run COMMAND...                            runs COMMAND there
#   environment_configure SOURCE BUILD [ARGUMENT...]      configures a build folder for it
#
# Variables: PANTILE_WAY=own|fetch|root forces a way, PANTILE_ROOT=NAME a root, PANTILE_CACHE the cache
# folder, PANTILE_MOUNT=DIR:DIR... more folders to be seen inside the root (FETCHCONTENT_SOURCE_DIR_KOKKOS
# is seen there without it).

# shellcheck shell=bash

environment_scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
environment_project=$(dirname "$environment_scripts")
environment_cache=${PANTILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pantile}
environment_kokkos_url=https://github.com/kokkos/kokkos.git
environment_way=""           # own | fetch | root | inside
environment_root=""          # name of the root
environment_root_dir=""      # its folder
environment_cmake_args=()    # what a configuration needs to hear about the choice

PATH=$PATH:/usr/sbin:/sbin   # chroot, for users whose PATH lacks it

# shellcheck source=scripts/lib/roots.sh
source "$environment_scripts/lib/roots.sh"

say() { printf 'pantile: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

environment_choose() {
    local asked=${PANTILE_ROOT:-} reason=""
    if [[ ${1:-} == --root ]]; then
        asked=$2
        shift 2
    fi
    environment_root=${asked:-${PANTILE_INSIDE:-host}}
    root_purpose "$environment_root" >/dev/null || die "no root '$environment_root'; there are: $(root_names)"

    if [[ -n ${PANTILE_INSIDE:-} ]]; then
        [[ $environment_root == "$PANTILE_INSIDE" ]] ||
            die "already inside root '$PANTILE_INSIDE': root '$environment_root' can only be entered from outside"
        environment_way=inside
        return
    fi

    local way=${PANTILE_WAY:-}
    case $way in
        own | fetch | root) reason="PANTILE_WAY says so" ;;
        "") ;;
        *) die "PANTILE_WAY is '$way': it must be own, fetch or root" ;;
    esac
    if [[ -n $asked && -z $way ]]; then
        way=root reason="asked for by name"
    fi
    # The probes run for a forced way too: they find what the configuration needs to hear.
    if [[ -z $way || $way == own ]]; then
        if environment_probe_own "$@"; then
            environment_way=own
            say "environment: this machine's own" \
                "(Kokkos $probe_kokkos found by CMake${probe_missing:+; to fetch: $probe_missing})"
            return
        fi
        [[ -z $way ]] || die "PANTILE_WAY=own, but $probe_reason"
        reason=$probe_reason
    fi
    if [[ -z $way || $way == fetch ]]; then
        if environment_probe_fetch "$@"; then
            environment_way=fetch
            environment_cmake_args=(-DPantile_FETCH_DEPENDENCIES=ON)
            say "environment: this machine's compiler, upstream releases fetched by CMake (${reason:-asked for})"
            return
        fi
        [[ -z $way ]] || die "PANTILE_WAY=fetch, but $probe_reason"
        [[ $reason == "$probe_reason" ]] || reason+="; $probe_reason"
    fi

    environment_way=root
    environment_root_dir=$environment_cache/$environment_root-$(environment_root_hash "$environment_root")
    say "environment: Debian sid root '$environment_root' in $environment_root_dir ($reason)"
    [[ -d $environment_root_dir ]] || environment_make_root
}

# --- The machine's own --------------------------------------------------------------------------------

# Each probe sets probe_reason when it says no.
environment_probe_tools() {
    local version
    command -v cmake >/dev/null || { probe_reason="no CMake on this machine" && return 1; }
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
    printf '%s\n' 3.25 "$version" | sort --check=quiet --version-sort ||
        { probe_reason="CMake here is $version, older than 3.25" && return 1; }
    if (($# > 0)); then
        python3 -c "import $(IFS=, && echo "$*")" 2>/dev/null ||
            { probe_reason="Python here lacks one of: $*" && return 1; }
    fi
    command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    return 0
}

environment_probe_own() {
    local folder status=0
    environment_probe_tools "$@" || return 1
    folder=$(mktemp -d)
    cat >"$folder/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(PantileProbe LANGUAGES CXX)
find_package(Kokkos 4.5.1 QUIET)
set(missing "")
foreach(package IN ITEMS GTest CLI11 nlohmann_json)
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    string(APPEND missing " ${package}")
  endif()
endforeach()
if(Kokkos_FOUND)
  set(found "${Kokkos_VERSION}")
endif()
if(NOT "cxx_std_20" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
  set(found "")
endif()
file(WRITE "${CMAKE_BINARY_DIR}/found" "probe_kokkos='${found}' probe_missing='${missing}'\n")
CMAKE
    probe_kokkos="" probe_missing=""
    if cmake -S "$folder" -B "$folder/build" >/dev/null 2>&1; then
        # shellcheck disable=SC1091
        source "$folder/build/found"
        probe_missing=${probe_missing# }
    fi
    rm -rf "$folder"
    if [[ -z $probe_kokkos ]]; then
        probe_reason="no C++20 compiler with Kokkos >= 4.5.1 found by CMake here" status=1
    elif [[ -n $probe_missing ]]; then
        if environment_upstream_answers; then
            environment_cmake_args=(-DPantile_FETCH_DEPENDENCIES=ON)
        else
            probe_reason="$probe_missing missing here and not to be fetched" status=1
        fi
    fi
    return $status
}

# --- Upstream releases --------------------------------------------------------------------------------

environment_upstream_answers() {
    command -v git >/dev/null &&
        GIT_TERMINAL_PROMPT=0 timeout 10 git ls-remote --exit-code "$environment_kokkos_url" HEAD >/dev/null 2>&1
}

environment_probe_fetch() {
    environment_probe_tools "$@" || return 1
    echo '#if __cplusplus < 202002L
#error
#endif
#include <concepts>' | "${CXX:-c++}" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null ||
        { probe_reason="no C++20 compiler here" && return 1; }
    environment_upstream_answers ||
        { probe_reason="upstream Kokkos does not answer" && return 1; }
}

# --- A Debian root ------------------------------------------------------------------------------------

environment_root_hash() {
    {
        root_components "$1" && root_packages "$1" && root_filters "$1" && declare -f root_mend
        [[ -z $(root_older "$1") ]] || { root_older "$1" && cat "$environment_scripts/lib/unpack_older.sh"; }
    } | sha256sum | cut -c 1-12
}

# Prints the words that start a command as (mapped) root in a private mount namespace.
environment_namespace() {
    if ((EUID == 0)); then
        printf '%s\n' unshare --mount
    else
        printf '%s\n' unshare --map-root-user --map-auto --mount
    fi
}

environment_check_namespace() {
    local namespace failure
    command -v unshare >/dev/null || die "the program unshare (package util-linux) is missing"
    if ((EUID != 0)); then
        command -v newuidmap >/dev/null ||
            die "newuidmap is missing: install the package uidmap, or run as root"
        grep -qE "^($(id -un)|$(id -u)):" /etc/subuid 2>/dev/null ||
            die "user $(id -un) has no line in /etc/subuid:" \
                "'usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)', or run as root"
    fi
    mapfile -t namespace < <(environment_namespace)
    failure=$("${namespace[@]}" true 2>&1) ||
        die "no private mount namespace here ($failure; a container without that right?):" \
            "install Kokkos >= 4.5.1, GoogleTest, CLI11 and nlohmann-json, and use PANTILE_WAY=own"
}

# Prints the path of mmdebstrap: the machine's, or its package unpacked in the cache (a Perl script).
environment_mmdebstrap() {
    local folder=$environment_cache/mmdebstrap
    if command -v mmdebstrap; then
        return
    fi
    if [[ ! -x $folder/usr/bin/mmdebstrap ]]; then
        command -v apt-get >/dev/null ||
            die "mmdebstrap is missing, and so is apt to get it: install mmdebstrap"
        local new
        new=$(mktemp -d "$folder.XXXXXX")
        (cd "$new" && apt-get download mmdebstrap >&2 && dpkg -x mmdebstrap_*.deb .) ||
            die "apt-get could not download mmdebstrap: run 'apt-get update' as root first, or install mmdebstrap"
        rm -rf "$folder"
        mv -T "$new" "$folder"
    fi
    echo "$folder/usr/bin/mmdebstrap"
}

# Makes the root under a temporary name and renames it when it is complete; one run makes, others wait.
environment_make_root() {
    local name=$environment_root new=$environment_root_dir.new lock namespace mmdebstrap log filters packages older=()
    local start=$SECONDS
    environment_check_namespace
    mkdir -p "$environment_cache"
    exec {lock}>"$environment_root_dir.lock"
    if ! flock --nonblock "$lock"; then
        say "another run is making root '$name'; waiting"
        flock "$lock"
    fi
    if [[ -d $environment_root_dir ]]; then
        exec {lock}>&-
        return
    fi
    mmdebstrap=$(environment_mmdebstrap)
    log=$environment_root_dir.log
    say "making root '$name' ($(root_purpose "$name")); log in $log"
    # By a file in the root: --dpkgopt would filter the base too, for which mmdebstrap wants Python.
    filters=$(root_filters "$name" | xargs -d '\n' printf "'%s' ")
    if [[ -n $(root_older "$name") ]]; then
        # Without them tests are skipped; in continuous integration they fail.
        packages=$(root_older "$name" | xargs)
        older=(--customize-hook="bash '$environment_scripts/lib/unpack_older.sh' \"\$1\" $packages ||
            echo 'W: not unpacked: $packages'")
    fi
    if ((EUID == 0)); then
        namespace=(unshare --mount)
    else
        # mmdebstrap mounts a /proc of its own, which needs a process namespace too.
        namespace=(unshare --map-root-user --map-auto --mount --pid --fork --mount-proc)
    fi
    # shellcheck disable=SC2016 # expanded by the inner shell
    "${namespace[@]}" bash -euo pipefail -c '
        new=$1 mend=$2
        shift 2
        rm -rf "$new"
        "$@" "$new"
        chroot "$new" bash -euc "$mend"
    ' make-root "$new" "$(declare -f root_mend); root_mend" \
        perl "$mmdebstrap" --mode=root --variant=apt --format=directory \
        --components="$(root_components "$name")" \
        --include="$(root_packages "$name" | paste -sd,)" \
        --aptopt='Acquire::Check-Valid-Until "false"' \
        --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt=force-unsafe-io \
        --essential-hook="printf '%s\n' $filters >\"\$1\"/etc/dpkg/dpkg.cfg.d/pantile" \
        "${older[@]}" sid >"$log" 2>&1 </dev/null {lock}>&- || {
        tail -n 20 "$log" >&2
        die "root '$name' could not be made; the whole log: $log"
    }
    mv -T "$new" "$environment_root_dir"
    exec {lock}>&-
    say "root '$name' ready after $((SECONDS - start)) s"
}

# --- Running there ------------------------------------------------------------------------------------

environment_run() {
    case $environment_way in
        own | fetch | inside) "$@" ;;
        root) environment_run_in_root "$@" ;;
        *) die "environment_run before environment_choose" ;;
    esac
}

environment_run_in_root() {
    local namespace variables folders directory=$PWD i name
    mapfile -t namespace < <(environment_namespace)
    mkdir -p "$environment_cache/home"
    mapfile -t variables < <(compgen -e |
        grep -E -e '^(OMP|PANTILE|CMAKE|CTEST|GTEST|KOKKOS|(A|UB|T|L)SAN|FETCHCONTENT|BLIS|MKL)_' \
            -e '^(OPENBLAS_NUM_THREADS|CI|CFLAGS|CXXFLAGS|LDFLAGS|TERM)$')
    for i in "${!variables[@]}"; do
        name=${variables[i]}
        variables[i]=$name=${!name}
    done
    mapfile -t -O "${#variables[@]}" variables < <(root_variables "$environment_root")
    local more=${PANTILE_MOUNT:-}:${FETCHCONTENT_SOURCE_DIR_KOKKOS:-}
    IFS=: read -ra folders <<<"/tmp:$environment_project:$environment_cache:$more"
    mapfile -t folders < <(printf '%s\n' "${folders[@]}" | grep .)
    environment_visible "$directory" "${folders[@]}" || {
        say "$directory is not seen inside the root; running in $environment_project (PANTILE_MOUNT=DIR shows a folder)"
        directory=$environment_project
    }
    "${namespace[@]}" bash "$environment_scripts/lib/enter.sh" \
        "$environment_root_dir" "$directory" "${folders[@]}" -- \
        "${variables[@]}" PANTILE_INSIDE="$environment_root" PANTILE_CACHE="$environment_cache" \
        CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}" HOME="$environment_cache/home" LANG=C.UTF-8 \
        "$@"
}

# environment_visible DIRECTORY FOLDER...: does DIRECTORY lie in one of the folders?
environment_visible() {
    local directory=$1 folder
    shift
    for folder; do
        [[ $directory/ == "$folder"/* ]] && return
    done
    return 1
}

# A build folder that another environment configured is configured afresh.
environment_configure() {
    local source_dir=$1 build_dir=$2 stamp fresh=()
    shift 2
    stamp="$environment_way $environment_root $environment_root_dir"
    if [[ -e $build_dir/CMakeCache.txt && $(cat "$build_dir/environment.txt" 2>/dev/null) != "$stamp" ]]; then
        fresh=(--fresh)
    fi
    mkdir -p "$build_dir"
    environment_run cmake "${fresh[@]}" -S "$source_dir" -B "$build_dir" "${environment_cmake_args[@]}" "$@"
    echo "$stamp" >"$build_dir/environment.txt"
}
