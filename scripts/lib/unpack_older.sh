#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# unpack_older.sh ROOT PACKAGE...: unpacks Debian 12's packages over a root of sid, which has them no longer. A hook of
# mmdebstrap, whose apt configuration names archive and keys. Nothing is installed: no dependencies, no scripts.
set -euo pipefail

root=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/ sid / bookworm /' "$root/etc/apt/sources.list" >"$folder/sources.list"
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
apt=(apt-get -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::State::Lists="$folder/lists"
    -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root)
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
"${apt[@]}" update
cd "$folder"
"${apt[@]}" download "$@"
for package in ./*.deb; do
    dpkg-deb --extract "$package" "$root"
done
