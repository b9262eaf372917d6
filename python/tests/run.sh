#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests of the Python package, by Python's own unittest.
#   run.sh PYTHON WHY [FOLDER LIBRARIES]     FOLDER has the package; without it WHY says what lacks
set -eu
here=$(dirname "$0")
[ $# -gt 2 ] || { echo "SKIP: the Python package was not built: $2"; exit 77; }
"$1" -c 'import sys
for name in ("numpy", "scipy", "networkx", "pandas"):
    try:
        __import__(name)
    except ImportError:
        print(f"SKIP: tests that need {name}, which {sys.executable} has not")'
PYTHONPATH=$3:$here/../examples exec "$1" -B -m unittest discover -s "$here" -t "$here"
