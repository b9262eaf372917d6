#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What every command prints and writes is the same, byte for byte, with 1, 2 and 8 threads. In JSON,
# times, memory and the sharing out of work are masked (functions.sh).
#
#     threads.sh CFLR HAS_FRONTEND
set -u
cflr=$1
frontend=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/functions.sh"
work=$(mktemp -d)
kept=$work/json
mkdir "$kept"
trap 'rm -rf "$work"' EXIT
failed=0
n=0

# A graph with cycles, branches, indexes and chains, from a small generator of numbers.
graph() {
    awk 'BEGIN {
        for (i = 0; i < 150; i++) {
            x = (x * 1103515245 + 12345) % 2147483648; u = int(x / 65536) % 60
            x = (x * 1103515245 + 12345) % 2147483648; v = int(x / 65536) % 60
            if (i % 3) printf "%d\t%d\ta\n", u, v; else printf "%d\t%d\tf[%d]\n", u, v, i % 7
        }
    }'
}

# Enough edges for several partitions of the parallel model, in 4000 components with small closures.
large_graph() {
    awk 'BEGIN {
        for (i = 0; i < 24000; i++) {
            first = 8 * int(i / 6)
            x = (x * 1103515245 + 12345) % 2147483648; u = first + int(x / 65536) % 8
            x = (x * 1103515245 + 12345) % 2147483648; v = first + int(x / 65536) % 8
            if (i % 3) printf "%d\t%d\ta\n", u, v; else printf "%d\t%d\tf[%d]\n", u, v, i % 7
        }
    }'
}

# same NAME COMMAND...: runs the command with -j1, -j2 and -j8, each in a fresh directory of the
# same path
same() {
    name=$1
    shift
    n=$((n + 1))
    mkdir "$work/$name"
    for j in 1 2 8; do
        cp -R "$work/in" "$work/run"
        (cd "$work/run" && keep_json "$cflr" "$@" -j$j >stdout.raw 2>stderr.raw; echo $? >exit
            mask <stdout.raw >stdout; mask <stderr.raw >stderr; rm stdout.raw stderr.raw)
        mv "$work/run" "$work/$name/$j"
        diff -r "$work/$name/1" "$work/$name/$j" || { echo "$name: -j$j differs"; failed=1; }
    done
    # a usage error would be the same too, and say nothing
    [ "$(cat "$work/$name/1/exit")" -lt 2 ] || {
        echo "$name: exit code $(cat "$work/$name/1/exit")"
        cat "$work/$name/1/stderr"
        failed=1
    }
}

cp -R "$here/data" "$work/in"
graph >"$work/in/graph.tsv"
large_graph >"$work/in/large.tsv"
printf 'S ::= a | f[i] S ~f[i] | S S\n' >"$work/in/mixed.cfg"
(cd "$work/in" && "$cflr" solve -q -g mixed.cfg graph.tsv -o done.cflr >/dev/null) || exit 1

for model in auto naive vertex vertex-indexed edge edge-indexed parallel batch; do
    same "solve-$model" solve -g mixed.cfg graph.tsv --model $model -o result.cflr
done
edges=$("$cflr" info "$work/in/large.tsv" | awk '$1 == "edges" { print $2 }')
[ "$edges" -ge 20000 ] || { echo "the large graph has $edges edges"; failed=1; }
for model in auto edge-indexed parallel batch; do
    same "large-$model" solve -g mixed.cfg large.tsv --model $model -o result.cflr
    same "large-pairs-$model" solve -g mixed.cfg large.tsv --model $model --export tsv
done
same solve-json solve -g mixed.cfg graph.tsv --format json --verify
same solve-pairs solve -g mixed.cfg graph.tsv --export tsv
same solve-ndjson solve -g mixed.cfg graph.tsv --export ndjson -o pairs.ndjson
same solve-sqlite solve -g mixed.cfg graph.tsv --export sqlite -o pairs.db
same query query done.cflr 'reaches 1 S 2' 'reaches 5 a 7'
same query-json query done.cflr --format json 'reaches 1 S 2'
same grammar-check grammar check mixed.cfg
same grammar-stats grammar stats mixed.cfg --format json
same grammar-show grammar show mixed.cfg --stage ground --graph graph.tsv
same grammar-list grammar list
for format in tsv cflg pocr gracfl souffle ndjson dot sqlite; do
    same "convert-$format" convert graph.tsv "out.$format" --to $format
done
same info info graph.tsv --by-index
primitives=$("$cflr" --dump-options | awk -F '\t' '$1 == "graph" && $2 == "." { print $4 }')
for primitive in $primitives; do
    columns="-o columns.tsv"
    [ $primitive != tc ] || columns= # it has none
    same "graph-$primitive" graph $primitive --gen rmat:12:16 -q $columns
done
same graph-json graph pagerank --gen rmat:12:16 --top 20 --format json
same info-json info done.cflr --format json
if [ "$frontend" = 1 ]; then
    same extract extract program.c -o program.cflg
    same extract-text extract program.c other.c
    same extract-json extract program.c -o program.cflg --format json
    same extract-linkable extract program.c other.c --linkable -o program.cflg
    for part in program other; do
        (cd "$work/in" && "$cflr" extract -q $part.c --linkable -o $part.cflg) || exit 1
    done
    same link link program.cflg other.cflg --linkable -o whole.cflg
    same analyze analyze program.c other.c --show 20
    same analyze-json analyze program.c --format json -o a.cflr
    same check check checks.c program.c --may-alias may --must-alias same --no-alias apart
    same check-json check checks.c --no-alias apart --context clone --format json
fi
"${CFLR_PYTHON:-python3}" -B "$here/valid.py" "$kept" || failed=1
echo "$n commands"
exit $failed
