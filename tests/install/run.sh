#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs into a fresh prefix and builds outside programs against it: with pkg-config, and with
# find_package(cflr) of a cflr with a front end, and of one without. One solves a small graph, one
# reads C, and one finds no libclang to read it with.
#   run.sh BUILD_DIR SOURCE_DIR CC SHARED       SHARED: 1 for shared libraries, 0 for static ones
set -eu
build=$1 here=$2/tests/install cc=$3 shared=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log"

fail() { echo "$1" >&2; exit 1; }
expect() { [ "$("$1")" = "$2" ] || fail "$1 printed: $("$1")"; }

# what must be there
for file in bin/cflr include/cflr/cflr.h include/cflr/findings.h include/cflr/version.h \
        share/cflr/grammars/pointer.cfg; do
    [ -e "$work/prefix/$file" ] || fail "not installed: $file"
done
"$2/scripts/check-links" "$work/prefix/share/doc/cflr" || fail "a page leads nowhere"
"$work/prefix/bin/cflr" --version >/dev/null || fail "the installed command does not run"

# nothing that was installed knows where it was built
for file in "$work"/prefix/bin/cflr $(find "$work/prefix" -name 'libcflr*' -type f); do
    ! strings -a "$file" | grep -F "$build" || fail "$file knows where it was built"
done

# The GPU's library is found beside the others, and not where they were built: one that is no such
# library tells.
lib=$(dirname "$(find "$work/prefix" -name 'libcflr.*' | head -n 1)")
printf '0 1\n' >"$work/edge.txt"
gpu() { "$work/prefix/bin/cflr" graph bfs "$work/edge.txt" --source 0 --device gpu 2>&1 || true; }
if [ ! -e "$lib/libcflr_cuda.so" ]; then
    gpu | grep -q 'libcflr_cuda.so is not there' || fail "without the GPU's library: $(gpu)"
    echo 'const unsigned cflr_cuda_device[8];' |
        "$cc" -shared -fPIC -x c - -o "$lib/libcflr_cuda.so"
    gpu | grep -q 'libcflr_cuda.so is of another version' ||
        fail "not found beside the others: $(gpu)"
    rm "$lib/libcflr_cuda.so"
fi

pc=$(dirname "$(find "$work/prefix" -name cflr.pc)")
export PKG_CONFIG_PATH="$pc"
# shellcheck disable=SC2046 # one word a flag
"$cc" -std=c11 -Wall -Wextra -Werror "$here/consumer.c" -o "$work/by_pkgconfig" "-Wl,-rpath,$lib" \
    $(pkg-config $([ "$shared" = 1 ] || echo --static) --cflags --libs cflr)
if [ "$shared" = 1 ]; then
    ldd "$work/by_pkgconfig" | grep -q 'libcflr.so.0 ' || fail "not linked with libcflr.so.0"
fi
expect "$work/by_pkgconfig" "P has 6 pairs, complete"

# consume DIR CMAKE-ARGUMENTS...: configures the outside project; its output is in DIR.log
consume() {
    dir=$work/$1
    shift
    cmake -S "$here" -B "$dir" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
        -DCMAKE_C_COMPILER="$cc" "$@" >"$dir.log" 2>&1
}
make() { cmake --build "$work/$1" >>"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }; }

consume all -DCOMPONENTS=frontend || { cat "$work/all.log"; exit 1; }
make all
expect "$work/all/consumer" "P has 6 pairs, complete"
expect "$work/all/extractor" "1 unit, p is there"
expect "$work/all/without_libclang" "no libclang of release 19 or newer: install libclang1-19"

# libclang is loaded when C is read, and by nothing else
for program in prefix/bin/cflr all/extractor; do
    ! ldd "$work/$program" | grep -i clang || fail "$program is linked with libclang"
done

# the package of a cflr without a front end; a caller that asks for it gets what is missing
sed -i 's/^if("ON")$/if("OFF")/' "$(find "$work/prefix" -name cflrConfig.cmake)"
consume engine || { cat "$work/engine.log"; exit 1; }
make engine
expect "$work/engine/consumer" "P has 6 pairs, complete"
[ ! -e "$work/engine/extractor" ] || fail "a front end where there is none"
! consume refused -DCOMPONENTS=frontend || fail "component frontend where there is none"
tr -s ' \n' ' ' <"$work/refused.log" |
    grep -q 'frontend needs a cflr that was built with CFLR_FRONTEND=ON' ||
    { cat "$work/refused.log"; exit 1; }
echo "every way works"
