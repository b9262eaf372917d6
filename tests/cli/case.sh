#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs one case: a shell script that calls `cflr`, in a fresh copy of data/. Beside <name>.sh lie
#
#     <name>.stdout   <name>.stderr    what must be printed, to the byte (no file: nothing)
#     <name>.exit                      the exit code (no file: 0)
#
# CFLR_UPDATE=1 writes these files instead of comparing; read the difference before committing it.
#
# What cflr has printed as JSON must be as its schema says (valid.py, run by CFLR_PYTHON).
#
#     case.sh CFLR SOURCES_GRAPH CASE.sh
set -u
cflr=$1
sources_graph=$2
script=$3
here=$(cd "$(dirname "$0")" && pwd)
expected=${script%.sh}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kept=$work/json
mkdir "$work/bin" "$work/out" "$kept"
ln -s "$cflr" "$work/bin/cflr"
ln -s "$sources_graph" "$work/bin/sources_graph"
ln -s "$(dirname "$sources_graph")/cut_result" "$work/bin/cut_result"
cp -R "$here/data" "$work/in"
[ -s "$expected.exit" ] && wanted=$(cat "$expected.exit") || wanted=0
(
    cd "$work/in" || exit 99
    unset NO_COLOR CI
    export LC_ALL=C TERM=dumb PATH="$work/bin:$PATH"
    . "$here/functions.sh"
    cflr() { keep_json "$work/bin/cflr" "$@"; }
    . "$script"
) >"$work/out/stdout" 2>"$work/out/stderr" </dev/null
code=$?
[ "$code" = 77 ] && { cat "$work/out/stderr"; exit 77; }

# keep FILE: what was printed becomes what is expected; an empty stream has no file
keep() { if [ -s "$work/out/$1" ]; then cp "$work/out/$1" "$expected.$1"; else rm \
    -f "$expected.$1"; fi; }
if [ -n "${CFLR_UPDATE:-}" ]; then
    keep stdout
    keep stderr
    if [ "$code" = 0 ]; then rm -f "$expected.exit"; else echo "$code" >"$expected.exit"; fi
    exit 0
fi

failed=0
for stream in stdout stderr; do
    from=$expected.$stream
    [ -f "$from" ] || from=/dev/null
    diff -u "$from" "$work/out/$stream" || failed=1
done
[ -z "$(ls "$kept")" ] || "${CFLR_PYTHON:-python3}" -B "$here/valid.py" "$kept" || failed=1
[ "$code" = "$wanted" ] || { echo "exit code $code, expected $wanted"; failed=1; }
exit $failed
