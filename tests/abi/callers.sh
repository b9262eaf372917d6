#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Programs of another version than the library: built with headers whose structs are shorter and
# longer (headers.py), they run with the library of today, and none of their bytes is overrun.
#   callers.sh SOURCE_DIR BUILD_DIR CC FLAGS...      FLAGS: of the sanitizers, if any
set -eu
source=$1 build=$2 cc=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e "$build/libcflr.so" ]; then
    echo "SKIP: callers of other versions: the library is static"
    exit 77
fi
frontend=
[ ! -e "$build/libcflr_frontend.so" ] || frontend='-DWITH_FRONTEND -lcflr_frontend'
echo 'char *text(void); int main(void) { char *(*get)(void) = text; return get()[0]; }' \
    >"$work/read.c"
for version in older newer; do
    python3 -B "$source/tests/abi/headers.py" $version "$work/$version" \
        "$source/include/cflr" "$build/include/cflr" >"$work/structs"
    while read -r struct; do
        grep -q "GUARDED($struct, " "$source/tests/abi/caller.c" ||
            { echo "caller.c does not hand over a $struct"; exit 1; }
    done <"$work/structs"
    names=$(echo $version | tr a-z A-Z)
    # shellcheck disable=SC2086 # one word a flag
    "$cc" -std=c11 -Wall -Wextra -Werror -g "-D$names" "$@" "-I$work/$version" \
        "$source/tests/abi/caller.c" -o "$work/caller" "-L$build" "-Wl,-rpath,$build" \
        $frontend -lcflr
    printf '%s: %s structs changed, ' $version "$(wc -l <"$work/structs")"
    "$work/caller" "$work/read.c"
done
