#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The shared libraries export what the headers declare and nothing else, under one symbol version
# and with their soname; of the static ones nothing else is seen outside of the program that they
# are linked into.
#   exports.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1" >&2; exit 1; }

cat "$source"/include/cflr/*.h "$build"/include/cflr/*.h | tr '\n' ' ' |
    grep -oE '(CFLR_API|CFLR_EXPERIMENTAL) [^(;{#]*\(' | grep -oE 'cflr_[a-z_0-9]+\($' | tr -d '(' |
    sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 100 ] || fail "the headers were not understood"

# an object with hidden visibility has no global default symbol; names that begin with '.' are
# OpenMP's locks
suffix=_static
[ -e "$build/libcflr.so" ] || suffix=
for archive in "$build"/libcflr$suffix.a "$build"/libcflr_frontend$suffix.a; do
    [ -e "$archive" ] || continue
    readelf -sW "$archive" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' |
        grep -vE '^(cflr_|\.gomp_)' >"$work/seen" || true
    [ ! -s "$work/seen" ] || fail "$archive shows: $(head "$work/seen")"
done

[ -e "$build/libcflr.so" ] || { echo "SKIP: exports: the libraries are static"; exit 77; }
for library in cflr cflr_frontend; do
    [ -e "$build/lib$library.so" ] || continue
    readelf -d "$build/lib$library.so" | grep -q "soname: \[lib$library.so.0\]" ||
        fail "$library has another soname"
    nm -D --defined-only "$build/lib$library.so" |
        awk 'NF == 3 && $2 != "A" { print $3 }' >>"$work/versioned"
done
grep -v '@@CFLR_0$' "$work/versioned" && fail "of another version"
sed 's/@.*//' "$work/versioned" | sort >"$work/exported"
if [ ! -e "$build/libcflr_frontend.so" ]; then
    grep -vE '^cflr_(extract|link|analyze|rule_shipped)' "$work/declared" >"$work/engine"
    mv "$work/engine" "$work/declared"
fi
diff "$work/declared" "$work/exported" || fail "declared (<) is not what is exported (>)"
echo "$(wc -l <"$work/exported") functions"
