#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every primitive by every schedule of the GPU on small graphs of each kind, against the serial
# checks; every transfer, with room for few of the edges; and a graph that is too large for it.
# Without a GPU it is skipped (exit code 77), and says why.
#
#   matrix.sh CFLR [GRAPH...]      a graph is a rule of --gen, or a file
#   CFLR_JOBS=N                    so many runs at once (as many as there are processors)
set -u
cflr=$1 source=$(dirname "$0")/../../include/cflr/traverse.h
shift
jobs=${CFLR_JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# words LIST: the command-line words of a list in the header
words() {
    sed -n "/define $1/,/^\$/s/.*X([A-Z_]*, [0-9]*, \"\\([a-z-]*\\)\".*/\\1/p" "$source"
}

"$cflr" graph bfs --gen chain:3 --device gpu >/dev/null 2>"$work/why"
case $? in
0) ;;
6)
    echo "SKIP: $(cat "$work/why")"
    exit 77
    ;;
*)
    cat "$work/why"
    exit 1
    ;;
esac

printf '0 0 3\n0 1 2\n0 1 5\n1 0 2\n1 1 1\n2 3 7\n3 2 7\n3 3 0\n' >"$work/loops.txt" \
    # and parallel edges, two parts
printf '0 0 4\n' >"$work/one.txt"
[ $# -gt 0 ] || set -- rmat:8 rmat:12 uniform:10 grid:30:40 chain:2000 star:5000 clique:100 \
    world:3000:4:100 chain:1 chain:2 "$work/loops.txt" "$work/one.txt"

# A graph that does not fit: an error that says how large it is, or the processor.
"$cflr" graph bfs --gen rmat:12 --device gpu --device-memory 64K >"$work/report" 2>"$work/why"
if [ $? != 5 ] || ! grep -q 'take [0-9]* KB of .*64 KB are allowed' "$work/why"; then
    echo "too large:"
    cat "$work/report" "$work/why"
    exit 1
fi
"$cflr" graph bfs --gen rmat:18 --device-memory 1M --verify >"$work/report" 2>&1 &&
    grep -q '^device  *cpu$' "$work/report" && grep -q 'does not fit' "$work/report" || {
    echo "too large, and the processor:"
    cat "$work/report"
    exit 1
}

# scc runs on the processor
primitives=$(words CFLR_PRIMITIVE_LIST | grep -vx scc) schedules=$(words CFLR_SCHEDULE_LIST)
[ -n "$primitives" ] && [ -n "$schedules" ] || exit 1
touch "$work/right" "$work/refused" "$work/wrong"

turn() { while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done; }

# try REFUSAL PRIMITIVE FROM... OPTION...: one run, checked; a line in the file of what became of
# it. A run that says REFUSAL was refused.
try() {
    local report=$work/report.$BASHPID code
    timeout -s KILL 3600 "$cflr" graph "${@:2}" --device gpu --verify >"$report" 2>&1
    code=$?
    if [ $code = 0 ]; then
        echo "${*:2}" >>"$work/right"
    elif [ "$1" ] && grep -Eq "$1" "$report"; then
        echo "${*:2}" >>"$work/refused"
    else
        echo "${*:2}: exit code $code:"$'\n'"$(cat "$report")" # in one write
        echo "${*:2}" >>"$work/wrong"
    fi
    rm -f "$report"
}

# with GRAPH: the words of the command for it
with() {
    if [ -f "$1" ]; then echo "$1"; else echo "--gen $1"; fi
}

for graph in "$@"; do
    for primitive in $primitives; do
        for schedule in $schedules; do
            turn
            # shellcheck disable=SC2046 # two words
            try "" "$primitive" $(with "$graph") --undirected --schedule "$schedule" &
        done
    done
done

# What a transfer or a primitive does not allow is refused (exit code 3), and says so.
for transfer in $(words CFLR_TRANSFER_LIST); do
    for graph in rmat:10 grid:20:30 star:2000 "$work/loops.txt"; do
        for primitive in $primitives; do
            turn
            # shellcheck disable=SC2046 # two words
            try "transfer '$transfer'" "$primitive" $(with "$graph") --undirected \
                --transfer "$transfer" --device-rows 20K &
        done
    done
done
wait

# Rows that stay in a file, some of them on the GPU or all; what cannot have them there reads them.
# Refused is what the primitive does not do with any graph. The edges of a forest are written before
# anything else has read the rows.
for weights in 1:60 -9:2000000000; do
    "$cflr" convert --gen rmat:11 --undirected --weights "$weights" "$work/g.cflp" || exit 1
    "$cflr" graph mst "$work/g.cflp" --device cpu -o "$work/expected" >"$work/report" || exit 1
    for options in "" "--device-rows 20K" "--schedule warp" "--transfer subway" "--split 9" \
        "--idempotent"; do
        for primitive in $primitives; do
            turn
            # shellcheck disable=SC2086 # several words
            try "negative|mode: only|vertices that are split|transfer 'subway'" "$primitive" \
                "$work/g.cflp" --map $options &
        done
    done
    wait
    "$cflr" graph mst "$work/g.cflp" --map --device gpu -o "$work/found" >"$work/report" 2>&1 &&
        cmp "$work/expected" "$work/found" && echo "mst, edges" >>"$work/right" && continue
    echo "mst, edges" >>"$work/wrong"
    cat "$work/report"
done
count() { wc -l <"$work/$1"; }
echo "$(($(count right) + $(count refused) + $(count wrong))) runs, $(count refused) refused," \
    "$(count wrong) wrong"
[ ! -s "$work/wrong" ]
