#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The completion scripts parse, and the one of bash completes commands, options and words. The
# shells that are not there are left out.
#
#     completion.sh CFLR SCRIPT
set -u
cflr=$1
script=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for shell in bash zsh fish; do
    "$cflr" --dump-options | "$script" $shell >"$work/$shell" || failed=1
    [ -s "$work/$shell" ] || failed=1
    if command -v $shell >/dev/null; then
        $shell -n "$work/$shell" || { echo "the script for $shell does not parse"; failed=1; }
    fi
done
command -v bash >/dev/null || exit $failed

# candidates WORD...: what bash offers for the last word of a line
candidates() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cflr; echo "${COMPREPLY[*]}"' \
        "$work/bash" "$@"
}

# expect WANTED WORD...
expect() {
    wanted=$1
    shift
    got=$(candidates "$@")
    [ "$got" = "$wanted" ] || { echo "$*: got '$got', expected '$wanted'"; failed=1; }
}

expect "solve" cflr so
expect "analyze check extract link compdb solve merge query callgraph explain report serve \
grammar graph convert info diff init help --help --version" cflr ""
expect "--memory" cflr solve --mem
expect "--grammar --grammar-format --graph-format" cflr solve --gra
expect "naive" cflr solve --model na
expect "--device --device-memory" cflr solve --dev
expect "auto cpu gpu" cflr solve --device ""
expect "naive" cflr solve --model = na
expect "text json" cflr info x.tsv --format = 
expect "text json" cflr query --format ""
expect "stats" cflr grammar st
expect "rules" cflr grammar show --stage ru
expect "sssp sswp ssnsp" cflr graph ss
expect "pull" cflr graph bfs --direction pul
expect "" cflr graph bfs gr
expect "" cflr convert in
expect "" cflr solve -o x
exit $failed
