#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The interface of the headers is compatible with the one of cflr.abi, which is what programs are
# built against; and the comparison notices what is not.
#   abidiff.sh SOURCE_DIR BUILD_DIR CC             compares
#   abidiff.sh SOURCE_DIR BUILD_DIR CC --update    writes cflr.abi anew
#
# What is new breaks nothing, but cflr.abi is written anew for a new function, since only what is in
# it is compared later. A struct that has grown at its end is a difference, because abidiff cannot
# tell which may (cflr/status.h, *Versions*): after that, and after a break that CHANGELOG.md tells,
# cflr.abi is written anew, too.
set -eu
source=$1 build=$2 cc=$3
here=$source/tests/abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v abidiff >/dev/null; then
    echo "SKIP: compatible interface: there is no abidiff (abigail-tools)"
    exit 77
fi

# library NAME: what the headers in NAME/cflr declare, as NAME.so
library() {
    python3 -B "$here/stubs.py" "$work/$1"/cflr/*.h >"$work/stubs.c"
    (cd "$work" && "$cc" -std=c11 -g -fPIC -shared "-I$1" stubs.c -o "$1.so")
}
# copy NAME: today's headers, to be changed
copy() {
    mkdir -p "$work/$1/cflr"
    cp "$source"/include/cflr/*.h "$build"/include/cflr/*.h "$work/$1/cflr"
}
compare() { abidiff --no-architecture --no-added-syms "$here/cflr.abi" "$work/$1.so"; }
# change NAME FILE SED: a copy with that change of that header, which does something
change() {
    copy "$1"
    sed -i "$3" "$work/$1/cflr/$2"
    ! cmp -s "$work/$1/cflr/$2" "$source/include/cflr/$2" || { echo "nothing changed: $1"; exit 1; }
    library "$1"
}
incompatible() { ! compare "$1" >"$work/log" || { echo "abidiff does not notice: $1"; exit 1; }; }

copy today
library today
if [ "${4:-}" = --update ]; then
    abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --no-architecture \
        --no-write-default-sizes "$work/today.so" >"$here/cflr.abi"
    exit 0
fi
if ! compare today; then
    echo "incompatible with cflr.abi; $0 says what to do when that is wanted"
    exit 1
fi
nm -D --defined-only "$work/today.so" | awk '{ print $3 }' | sort >"$work/functions"
sed -n "s/.*<elf-symbol name='\([^']*\)'.*/\1/p" "$here/cflr.abi" | sort |
    comm -13 - "$work/functions" >"$work/new"
[ ! -s "$work/new" ] || { echo "not in cflr.abi, to be recorded: $(cat "$work/new")"; exit 1; }

python3 -B "$here/headers.py" older "$work/shrunk" "$source/include/cflr" \
    "$build/include/cflr" >"$work/log"
library shrunk
incompatible shrunk
change gone graph.h 's/cflr_graph_free/cflr_graph_release/'
incompatible gone
change narrower graph.h 's/uint64_t cflr_graph_edges/uint32_t cflr_graph_edges/'
incompatible narrower
change swapped csr.h 's/^    bool symmetric;/    double symmetric;/'
incompatible swapped
change renumbered solve.h 's/X(PARALLEL, 6/X(PARALLEL, 16/'
incompatible renumbered
change elements solve.h 's/^    uint32_t source, target;/    uint32_t source, target, third;/'
incompatible elements
echo "compatible, and six breaks are noticed"
