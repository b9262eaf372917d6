#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Closures on a GPU, against the reference of the processor: every grammar of the repository on
# small graphs with its labels, pair by pair and count by count; the same with little memory, which
# must give the same or say how much it takes; a closure whose nodes grow meanwhile; and random
# grammars and graphs (tests/random/solve.py). Without a GPU it is skipped (exit code 77), and says
# why.
#
#   closures.sh CFLR [GRAPH...]    a GRAPH is a file that every grammar closes, in place of those
#                                  that are drawn
#   CFLR_PAIRS=N                   so many random grammars and graphs (200)
#   CFLR_JOBS=N                    so many runs at once (as many as there are processors)
#   CFLR_GPUS=N                    rows may be in the memory of so many GPUs
#   CFLR_EMULATED="SHAPE..."       these shapes alone, once each, for emulator/, which is slow and
#                                  where all nodes grow
set -u
cflr=$1 root=$(cd "$(dirname "$0")/../.." && pwd)
shift
jobs=${CFLR_JOBS:-$(nproc)} pairs=${CFLR_PAIRS:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/lines"

printf '0\t1\te\n' >"$work/edge.tsv"
"$cflr" solve -q -g reach "$work/edge.tsv" --device gpu >/dev/null 2>"$work/why"
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

# labels GRAMMAR: its terminals, a line each, with [ behind those that have an index
labels() {
    "$cflr" grammar show -q --stage normal "$1" | awk '
        { sub(/ # .*/, "") }
        $2 == "::=" { sub(/\[.*/, "", $1); is_left[$1] = 1 }
        $2 == "::=" || $1 == "%terminal" {
            for (i = $2 == "::=" ? 3 : 2; i <= NF; i++) {
                sub(/^~/, "", $i)
                indexed = sub(/\[.*/, "", $i)
                if ($i != "eps") right[$i] = indexed ? "[" : ""
            }
        }
        END { for (name in right) if (!(name in is_left)) print name right[name] }' | sort
}

# draw VERTICES EDGES STEP SEED <LABELS: so many edges of each label, between multiples of STEP;
# half of them to vertices that are near
draw() {
    awk -v n="$1" -v edges="$2" -v step="$3" -v seed="$4" '
        BEGIN { srand(seed); print "# vertices " n * step }
        function below(most) { return int(rand() * most) }
        {
            for (e = 0; e < edges; e++) {
                u = below(n)
                v = below(2) ? below(n) : (u + below(4)) % n
                print u * step "\t" v * step "\t" ($0 ~ /\[$/ ? $0 below(3) "]" : $0)
            }
        }'
}

# Shapes: few vertices and deep derivations; rows of two leaves; rows of many chunks, since ids of
# vertices are far apart; almost all pairs. No edges.
shapes="few:40:12:1 leaves:1300:90:1 chunks:60:14:1703 dense:25:80:1 none:5:0:1" memories="64M 256M"
if [ "${CFLR_EMULATED:-}" ]; then shapes=$CFLR_EMULATED memories=; fi

same() { cmp -s "$work/$1.naive.$2" "$work/$1.gpu.$2"; }

# close NAME HOW GRAMMAR GRAPH OPTION...: sorted pairs of all symbols, and counts; the exit code
close() {
    local at=$work/$1.$2 code
    timeout -s KILL 1800 "$cflr" solve -q -g "$3" "$4" "${@:5}" --export tsv -o "$at.tsv" \
        >"$at.counts" 2>"$at.why"
    code=$?
    [ $code = 0 ] && LC_ALL=C sort "$at.tsv" -o "$at.tsv"
    return $code
}

# all_symbols GRAMMAR GRAPH: options that export all symbols that are not converses or auxiliaries
all_symbols() {
    "$cflr" solve -q -g "$1" "$2" | awk '
        NR > 1 && $1 != "all" && $1 !~ /^[~%]/ { sub(/\[.*/, "", $1); if (!seen[$1]++) print $1 }' |
        sed 's/^/--label /'
}

# difference NAME GRAMMAR GRAPH MEMORY OPTION...: what is wrong on the GPU, or nothing
difference() {
    local name=$1 memory=$4 code
    close "$name" gpu "$2" "$3" --device gpu ${memory:+--device-memory "$memory"} \
        ${CFLR_GPUS:+--gpus "$CFLR_GPUS"} "${@:5}"
    code=$?
    if [ $code = 5 ] && [ "$memory" ]; then
        grep -Eq 'rows take (more than )?[0-9]+ MB' "$work/$name.gpu.why" || echo "says no size"
    elif [ $code != 0 ]; then
        echo "exit code $code: $(head -n 1 "$work/$name.gpu.why")"
    elif ! same "$name" tsv; then
        echo "other pairs: $(diff "$work/$name.naive.tsv" "$work/$name.gpu.tsv" | head -n 3 |
            tr '\n\t' '  ')"
    elif ! same "$name" counts; then
        echo "other counts"
    fi
}

# report NAME GRAMMAR GRAPH DIFFERENCES RUNS: a line of the table
report() {
    local counted
    counted=$(awk '$1 == "all" { print $2 }' "$work/$1.naive.counts")
    printf '%-14s %-28s %12s %5s  %s\n' "$2" "$3" "${counted:--}" "$5" "${4:-same}" \
        >>"$work/lines"
    rm -f "$work/$1".*
}

# compare GRAMMAR-FILE NAME-OF-GRAPH GRAPH [MEMORY...]
compare() {
    local grammar name=$BASHPID found="" runs=0 memory options
    grammar=$(basename "$1" .cfg)
    read -r -a options <<<"$(all_symbols "$1" "$3" | tr '\n' ' ')"
    if close "$name" naive "$1" "$3" --model naive --device cpu "${options[@]}"; then
        for memory in "" "${@:4}"; do
            runs=$((runs + 1))
            found+=$(difference "$name" "$1" "$3" "$memory" "${options[@]}" |
                sed "s/^/${memory:+with $memory: }/;s/\$/; /")
        done
    else
        found="the reference: $(head -n 1 "$work/$name.naive.why"); "
    fi
    report "$name" "$grammar" "$2" "$found" $runs
}

turn() { while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done; }

seed=0
for grammar in "$root"/grammars/*.cfg "$root"/bench/grammars/*.cfg; do
    if [ $# -gt 0 ]; then
        for graph in "$@"; do
            turn
            # shellcheck disable=SC2086 # one word a limit
            compare "$grammar" "$graph" "$graph" $memories &
        done
        continue
    fi
    labels "$grammar" >"$work/labels"
    [ -s "$work/labels" ] || { echo "no labels: $grammar"; exit 1; }
    for shape in $shapes; do
        IFS=: read -r what vertices edges step <<<"$shape"
        graph=$work/$((seed += 1))-$what.tsv
        draw "$vertices" "$edges" "$step" $seed <"$work/labels" >"$graph"
        turn
        # shellcheck disable=SC2086
        compare "$grammar" "$what" "$graph" $memories &
    done
done
wait

# The children of one vertex are of one generation: rows of 1,300 bits in two chunks, more than a
# warp of a step lists at once.
if [ $# = 0 ]; then
    awk 'BEGIN { for (v = 1; v <= 1300; v++) print "0\t" v * 30 "\te" }' >"$work/wide.tsv"
    # shellcheck disable=SC2086
    compare "$root/bench/grammars/sg.cfg" wide "$work/wide.tsv" $memories
fi

# Rows of all vertices before 40,000 get the 40 targets of one, each in a leaf of its own: more
# nodes than there are in the beginning, which is seen in the second round. So much memory that it
# begins is not enough for all.
if [ $# = 0 ] && [ -z "${CFLR_EMULATED:-}" ]; then
    awk 'BEGIN {
        for (v = 0; v < 40000; v++) print v "\t40000\te"
        for (v = 40001; v < 81001; v++) print v "\t" v "\te"
        for (v = 40001; v < 81001; v += 1025) print "40000\t" v "\te"
    }' >"$work/grows.tsv"
    compare "$root/grammars/reach.cfg" grows "$work/grows.tsv" 64M 300M
fi
printf '%-14s %-28s %12s %5s  %s\n' grammar graph pairs runs result
LC_ALL=C sort "$work/lines"
ran=$(wc -l <"$work/lines") wrong=$(grep -cv '  same$' "$work/lines")
echo "$ran closures, differences: $wrong"

random=0
if command -v python3 >/dev/null && [ "$pairs" -gt 0 ]; then
    python3 -B "$root/tests/random/solve.py" --cflr "$cflr" --device gpu --jobs "$jobs" \
        --seeds "0-$((pairs - 1))"
    random=$?
else
    echo "SKIP: random grammars and graphs: there is no python3, or CFLR_PAIRS is 0"
fi
[ "$ran" -gt 0 ] && [ "$wrong" = 0 ] && [ $random = 0 ]
