#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# enter.sh ROOT DIRECTORY FOLDER... -- [NAME=VALUE...] COMMAND...
# Runs COMMAND in ROOT, in DIRECTORY, with each FOLDER at its own path. Called by environment.sh inside
# a private mount namespace, so that every mount made here ends with the command. ROOT is read-only:
# what it holds is exactly what roots.sh says.
set -euo pipefail

root=$1 directory=$2
shift 2
folders=()
while [[ $1 != -- ]]; do
    folders+=("$1")
    shift
done
shift

mkdir -p "${folders[@]/#/$root}"
mount --bind "$root" "$root"
# Some hosts refuse a read-only remount in a user namespace; the root then stays writable.
mount -o remount,bind,ro "$root" 2>/dev/null || true
for folder in /proc /sys /dev "${folders[@]}"; do
    mount --rbind "$folder" "$root$folder"
done

exec chroot "$root" /usr/bin/env -i --chdir="$directory" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@"
