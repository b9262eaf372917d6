#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Large grammars cost what grows with their size, not with its square: instructions, counted by
# valgrind, at one size and at eight times the size. Linear work is eight times as much, quadratic
# work sixty-four times; the bound lies between.
#
#     run.sh SCALE_GRAMMAR
set -eu
program=$1 small=500 times=8 bound=20
command -v valgrind >/dev/null || { echo "SKIP: no valgrind" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

instructions() { # SHAPE SIZE
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" >"$work/log" \
        2>&1 ||
        { cat "$work/log" >&2; exit 1; }
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$work/log"
}

"$program" none 1 && { echo "an unknown shape was taken" >&2; exit 1; }
failed=0
for shape in $("$program"); do
    # what starting costs is left out, or it would hide the growth
    start=$(instructions "$shape" 1)
    few=$(($(instructions "$shape" $small) - start))
    many=$(($(instructions "$shape" $((small * times))) - start))
    echo "$shape: $few instructions, then $many"
    if [ "$many" -gt $((bound * few)) ]; then
        echo "$shape: more than $bound times as many for $times times the size"
        failed=1
    fi
done
exit $failed
