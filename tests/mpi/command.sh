#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `mpirun cflr solve`: the file and the text of one process; failures of one rank are failures of
# all, with one message, and in time.
#   command.sh MPIRUN CFLR CASES
set -eu
mpirun=$1 cflr=$2 cases=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CFLR_MPI OMPI_COMM_WORLD_SIZE PMI_SIZE PMIX_RANK
fail() { echo "$1" >&2; cat "$work/err" >&2; exit 1; }

# ranks N COMMAND...: output in $work/out, errors in $work/err, exit code in $code
ranks() {
    code=0
    n=$1
    shift
    "$here/mpirun.sh" "$mpirun" "$n" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
}

# on_rank R ASSIGNMENT COMMAND...: a shell command whose environment differs at one rank
on_rank() {
    printf 'if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = %s ]; then %s\nfi; exec' "$1" "$2"
}

# every slice of two, four and seven ranks has vertices
awk 'BEGIN {
    for (v = 0; v < 80000; v++) {
        print v "\t" v + 1 - (v % 40 == 39) * 40 "\ta"
        if (v % 7 == 0) print v "\t" (v * 7919) % 80000 "\td"
    }
}' >"$work/graph.tsv"
printf 'M ::= ~d V d\nV ::= A M | M ~A\nA ::= a | A a\n' >"$work/rules.cfg"

same() { # same N GRAMMAR GRAPH
    "$cflr" solve -q -g "$2" "$3" -o "$work/alone.cflr" >"$work/alone.out"
    ranks "$1" "$cflr" solve -q -g "$2" "$3" -o "$work/ranks.cflr"
    [ $code = 0 ] || fail "$1 ranks, $3: exit code $code"
    cmp "$work/alone.cflr" "$work/ranks.cflr" || fail "$1 ranks, $3: another file"
    cmp "$work/alone.out" "$work/out" || fail "$1 ranks, $3: another text"
    [ ! -s "$work/err" ] || fail "$1 ranks, $3: messages"
}
for n in 2 4 7; do same $n "$work/rules.cfg" "$work/graph.tsv"; done
same 3 "$cases/converse-group/grammar.cfg" "$cases/converse-group/graph.tsv"

solve="$cflr solve -q -g $work/rules.cfg"
ranks 3 $solve "$work/graph.tsv" --export tsv
[ $code = 0 ] || fail "--export: exit code $code"
$solve "$work/graph.tsv" --export tsv | cmp - "$work/out" || fail "--export: another text"
ranks 2 $solve "$work/graph.tsv" --from 0 --from 39 --format json
[ $code = 0 ] || fail "--from: exit code $code"
grep -q '"model": "batch"' "$work/out" || fail "a question is not answered by all"

# what each rank says and does
messages() { grep -c '^cflr: ' "$work/err" || true; }
ranks 4 "$cflr" info "$work/alone.cflr"
[ $code = 2 ] && [ "$(messages)" = 1 ] || fail "info by four ranks: exit code $code"
ranks 3 sh -c "$(on_rank 0 'sleep 1') $cflr info $work/alone.cflr"
[ $code = 2 ] && [ "$(messages)" = 1 ] || fail "the first rank comes late: exit code $code"
ranks 3 sh -c "a=; $(on_rank 1 a=--wrong) $solve $work/graph.tsv \$a"
[ $code = 2 ] && [ "$(messages)" = 1 ] || fail "a wrong option at one rank: exit code $code"
ranks 3 "$cflr" --version
[ $code = 0 ] && [ "$(wc -l <"$work/out")" = 1 ] || fail "more than one rank speaks"
ranks 2 $solve -
[ $code = 2 ] && [ "$(messages)" = 1 ] || fail "standard input: exit code $code"
ranks 2 $solve "$work/graph.tsv" --model naive
[ $code = 2 ] && [ "$(messages)" = 1 ] || fail "--model naive: exit code $code"
ranks 2 $solve "$work/graph.tsv" --device gpu
[ $code = 3 ] && [ "$(messages)" = 1 ] || fail "--device gpu: exit code $code"
export CFLR_MPI=off
ranks 2 "$cflr" info "$work/alone.cflr"
[ $code = 0 ] && [ "$(grep -c '^vertices' "$work/out")" = 2 ] || fail "CFLR_MPI=off: $code"
unset CFLR_MPI

# the environment of a shell inside an allocation
SLURM_NTASKS=8 SLURM_PROCID=0 $solve "$work/graph.tsv" >"$work/out" || fail "SLURM_NTASKS"

# failures
ranks 3 sh -c "f=$work/graph.tsv; $(on_rank 2 "f=$work/none") $solve \$f -o $work/new.cflr"
[ $code = 3 ] || fail "a file is missing at one rank: exit code $code"
grep -q '^cflr: rank 2: .*none: cannot open' "$work/err" || fail "its message"
[ "$(messages)" = 1 ] && [ ! -e "$work/new.cflr" ] || fail "more than the message"
head -100 "$work/graph.tsv" >"$work/other.tsv"
ranks 3 sh -c "f=$work/graph.tsv; $(on_rank 1 "f=$work/other.tsv") $solve \$f -o $work/new.cflr"
[ $code = 2 ] && [ ! -e "$work/new.cflr" ] || fail "another graph at one rank: exit code $code"
grep -q 'rank 1: .*not those of rank 0' "$work/err" || fail "its message"
ranks 2 $solve "$work/graph.tsv" --memory 12M -o "$work/part.cflr"
[ $code = 4 ] || fail "--memory: exit code $code"
ranks 2 $solve "$work/graph.tsv" -o "$work/none/new.cflr"
[ $code = 3 ] && [ "$(messages)" = 1 ] || fail "no folder for the file: exit code $code"

# one rank dies: before it joins, and while all work
begin=$(date +%s)
ranks 3 sh -c "$(on_rank 1 'kill -9 $$') $solve $work/graph.tsv -o $work/new.cflr"
[ $code -gt 5 ] && [ ! -e "$work/new.cflr" ] || fail "one rank dies before it joins: $code"
awk 'BEGIN {
    srand(1)
    for (e = 0; e < 30000; e++)
        print int(rand() * 30000) "\t" int(rand() * 30000) "\t" substr("ad", 1 + int(rand() * 2), 1)
}' >"$work/large.tsv"
printf 'V ::= ~A V | V A | M | eps\nM ::= ~d V d\nA ::= A A | a M | a | eps\n' >"$work/long.cfg"
ranks 3 sh -c "$(on_rank 1 '(sleep 3; kill -9 $$) &') \
    $cflr solve -q -g $work/long.cfg $work/large.tsv -o $work/new.cflr"
[ $code -gt 5 ] && [ ! -e "$work/new.cflr" ] || fail "one rank dies: $code"
[ $(($(date +%s) - begin)) -lt 60 ] || fail "a rank that dies does not end the others"
echo "mpirun cflr solve holds"
