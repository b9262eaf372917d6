#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs into a fresh prefix and builds an outside program against it twice: with pkg-config and
# with find_package(cflr). The program solves a small graph and prints what README promises.
#   run.sh BUILD_DIR SOURCE_DIR CC
set -eu
build=$1 here=$2/tests/install cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log"

fail() { echo "$1" >&2; exit 1; }
expect() { [ "$("$1")" = "$2" ] || fail "$1 printed: $("$1")"; }

# what must be there
for file in bin/cflr include/cflr/cflr.h include/cflr/version.h share/cflr/grammars/pointer.cfg; do
    [ -e "$work/prefix/$file" ] || fail "not installed: $file"
done
"$work/prefix/bin/cflr" --version >/dev/null || fail "the installed command does not run"

pc=$(dirname "$(find "$work/prefix" -name cflr.pc)")
export PKG_CONFIG_PATH="$pc"
# shellcheck disable=SC2046 # one word a flag
"$cc" -std=c11 -Wall -Wextra -Werror "$here/consumer.c" -o "$work/by_pkgconfig" \
    $(pkg-config --static --cflags --libs cflr)
expect "$work/by_pkgconfig" "P has 6 pairs, complete"

cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$cc" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
expect "$work/build/consumer" "P has 6 pairs, complete"
if [ -e "$work/build/extractor" ]; then
    expect "$work/build/extractor" "1 unit, p is there"
fi
echo "both ways work"
