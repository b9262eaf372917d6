#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Signals at random moments: whatever was being done, the command ends as documented, what it was to
# write is whole, the older one, or not there, and no temporary file is left. SIGKILL may leave one,
# and nothing else.
#
#     interrupted.sh CFLR FRONTEND [COUNT [SEED]]
#
# COUNT signals for each command and each of TERM, INT and KILL: 2, or 20 with CFLR_TEST_EXHAUSTIVE.
set -u -m
cflr=$(realpath "$1")
frontend=$2
count=${3:-${CFLR_TEST_EXHAUSTIVE:+20}}
count=${count:-2}
RANDOM=${4:-1}
work=$(mktemp -d)
clean() { rm -rf "$work"; }
trap clean EXIT
cd "$work" || exit 1
failed=0

awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++)
    printf "%d\t%d\ta\n", int(rand() * 20000), int(rand() * 20000) }' >graph.tsv
awk 'BEGIN { for (i = 0; i < 700; i++) printf "%d\t%d\ta\n", i, i + 1 }' >path.tsv
printf '%%start S\nS ::= a | S S\n' >closure.cfg

# What may lie at the target: the older one, or what the command writes undisturbed, or of what was
# found until it was interrupted something that reads.
is_whole() {
    diff -r older "to/$1" >differences.txt || diff -r whole "to/$1" >differences.txt ||
        { [ "$code" = 130 ] && "$cflr" info -q "to/$1" >info.txt; }
}

complain() {
    echo "$*"
    failed=$((failed + 1))
}

# One run, which is killed after a part of a second; its exit code is in $code.
run_and_kill() {
    local signal=$1
    shift
    trap - EXIT # a child that the signal reaches before it is the command must not clean up
    env --default-signal=INT "$cflr" "$@" >out.txt 2>&1 &
    local child=$!
    trap clean EXIT
    sleep "$(printf '0.%03d' $((RANDOM % most)))"
    kill "-$signal" "$child" 2>kill.txt
    { wait "$child"; } 2>kill.txt
    code=$?
}

# try NAME WORD...: a command that writes to/NAME, which is a folder if an older one in older/ is
try() {
    local name=$1 start end most signal i
    shift
    rm -rf to kept older whole
    mkdir to
    if [ "$name" = facts ]; then
        mkdir older
        printf '0\t1\n' >older/old.facts
    else
        echo old >older
    fi
    start=$(date +%s%N)
    "$cflr" "$@" >out.txt 2>&1 || complain "undisturbed: $*: $(cat out.txt)"
    end=$(date +%s%N)
    cp -r "to/$name" whole
    most=$(((end - start) / 900000))
    [ $most -lt 999 ] || most=999
    for signal in TERM INT KILL; do
        for ((i = 0; i < count; i++)); do
            rm -rf to
            mkdir to
            if [ $((i % 2)) = 0 ]; then cp -r older "to/$name"; fi
            if [ $((i % 5)) = 0 ]; then rm -rf kept; fi
            run_and_kill $signal "$@"
            ends="$ends$signal:$code "
            case $signal:$code in
            *:0 | TERM:130 | INT:130 | KILL:137) ;;
            TERM:143) ;; # before the program has begun
            *) complain "$signal: exit $code: $*: $(cat out.txt)" ;;
            esac
            [ ! -e "to/$name" ] || is_whole "$name" || complain "$signal: not whole: $*"
            [ $signal = KILL ] || [ -z "$(find to kept -name '*.tmp*' 2>kill.txt)" ] ||
                complain "$signal: left: $(find to kept -name '*.tmp*'): $*"
        done
    done
}

ends=
try a.cflr solve -q -g closure.cfg path.tsv -o to/a.cflr
try a.tsv solve -q -g closure.cfg path.tsv --export tsv -o to/a.tsv
try a.cflg convert graph.tsv to/a.cflg
try a.tsv.zst convert graph.tsv to/a.tsv.zst
try a.db convert graph.tsv to/a.db
try facts convert graph.tsv to/facts/
try a.columns graph pagerank graph.tsv -q -o to/a.columns
try a.txt info graph.tsv -q -o to/a.txt
if [ "$frontend" = 1 ]; then
    for ((i = 0; i < 200; i++)); do
        echo "int *f$i(int *p) { int *q = p; return q; }"
    done >many.c
    "$cflr" extract -q many.c --linkable -o part.cflg
    try a.cflg link -q part.cflg -o to/a.cflg
    try a.cflg extract -q many.c --cache kept -o to/a.cflg
fi
echo "exit codes: $(tr ' ' '\n' <<<"$ends" | sort | uniq -c | tr -s ' \n' ' ')"
exit $((failed > 0))
