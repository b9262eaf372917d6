#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A wheel of what is built, without network; it is installed into an environment of its own, finds
# its libraries there and nowhere else, and passes tests.
#   wheel.sh PYTHON WHY BUILD_DIR SHARED      WHY: what a package lacks, or empty
set -eu
python=$1 why=$2 build=$3 shared=$4
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "SKIP: the Python wheel: $1"; exit 77; }
[ -z "$why" ] || skip "$why"
[ "$shared" = 1 ] || skip "the libraries are static"
for module in pip setuptools wheel venv ensurepip; do
    "$python" -c "import $module" 2>/dev/null || skip "$python has no $module"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/.." "$work/python"
rm -rf "$work/python/build"
cp "$here/../../CMakeLists.txt" "$here/../../LICENSE" "$work"
CFLR_BUILD=$build "$python" -m pip wheel -q --no-index --no-deps --no-build-isolation \
    -w "$work" "$work/python"
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install -q --no-index --no-deps "$work"/cflr-*.whl
cd "$work"
package=$("$work/venv/bin/python" -c 'import cflr; print(cflr.__path__[0])')
case $package in
"$work"/venv/*) ;;
*) echo "not the installed one: $package" >&2; exit 1 ;;
esac
foreign=$(ldd "$package"/*.so* | sed -n 's/^\t\(.*\) => \(.*\) (.*/\1 \2/p' |
    grep -vE "^lib(c|m|dl|rt|pthread|gcc_s)\.so| $package/" || true)
[ -z "$foreign" ] || { echo "found elsewhere: $foreign" >&2; exit 1; }
PYTHONPATH=$here/../examples exec "$work/venv/bin/python" -B -m unittest discover -s "$here" \
    -t "$here" -p 'test_[gr]*.py'
