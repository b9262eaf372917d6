#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every option of a command is in its man page, and every option of the page is one of the command.
# Pages that were built are not empty.
#
#     manual.sh CFLR SOURCES BUILT
set -u
cflr=$1
sources=$2
built=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# options_of PAGE: names at the head of its entries, as "--long" and "-s"
options_of() {
    sed -e "/^@common@/r $sources/common.scd" -e "/^@extraction@/r $sources/extraction.scd" \
        -e "/^@linking@/r $sources/linking.scd" "$1" |
        sed -n 's/^\(\*-[^_]*\).*/\1/p' | tr ' ,*[' '\n\n\n\n' | grep '^-' | sort -u
}

"$cflr" --dump-options >"$work/dump" || exit 1
for name in $(cut -f 1 "$work/dump" | sort -u); do
    page=$sources/cflr-$name.1.scd
    [ -f "$page" ] || { echo "$name has no page"; failed=1; continue; }
    awk -F '\t' -v name="$name" '$1 == name && $2 != "." {
        print "--" $2
        if ($3 != "-") print "-" $3
    }' "$work/dump" | sort -u >"$work/options"
    options_of "$page" >"$work/described"
    diff "$work/options" "$work/described" >"$work/difference" || {
        echo "cflr-$name.1: < options of the command, > options of the page"
        cat "$work/difference"
        failed=1
    }
    grep -q "cflr-$name\*(1)" "$sources/cflr.1.scd" || { echo "cflr.1 lacks $name"; failed=1; }
done
for page in "$sources"/cflr*.scd; do
    name=$(basename "$page" .scd)
    [ ! -d "$built" ] || grep -q '^\.TH' "$built/$name" || { echo "$name was not built"; failed=1; }
done
exit $failed
