#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts instructions of two versions of cflr on the same inputs: exact where time is not.

    bench/instructions.py --cflr NEW/cflr --before OLD/cflr --data DIR \
        --cases 'aa-gzip,vf-*,gen-aa-12k' --sources 'tests/c/*.c'

Each case is solved by either version, and each pattern of sources is extracted and analysed, by one
thread under callgrind. A line says how many million instructions each took, and the ratio. It
fails where a ratio is above --most.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

import cases


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cflr", required=True)
    parser.add_argument("--before", required=True)
    cases.add_options(parser)
    parser.add_argument("--sources", action="append", default=[], help="C files, as a pattern")
    parser.add_argument("--most", type=float, default=1.02, help="ratio that is allowed")
    return argparse.Namespace(**vars(parser.parse_args()), peers=[])


def instructions(command):
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    counted = ["valgrind", "--tool=callgrind", "--trace-children=yes",
               "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(counted, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    found = re.findall(r"Collected : (\d+)", done.stderr)  # of each process
    if not found:
        sys.exit(f"instructions.py: {' '.join(command)}: {done.stderr[-500:]}")
    return sum(map(int, found))


def commands(options, directory):
    """(name, arguments) of all that is counted."""
    for name in cases.chosen(options):
        case = cases.Case(name, options, directory)
        yield name, ["solve", "-q", "-j1", "-g", case.grammar, "--model", "batch", case.graph]
    for pattern in options.sources:
        files = sorted(glob.glob(pattern))
        yield pattern, ["extract", "-q", "-j1", "-o", os.path.join(directory, "made.cflg"), *files]


def main():
    options = read_options()
    worst = 0.0
    with tempfile.TemporaryDirectory() as directory:
        print(f"{'input':32} {'before':>12} {'now':>12} {'ratio':>7}")
        for name, arguments in commands(options, directory):
            before = instructions([options.before] + arguments)
            now = instructions([options.cflr] + arguments)
            worst = max(worst, now / before)
            print(f"{name:32} {before / 1e6:10.1f} M {now / 1e6:10.1f} M {now / before:7.3f}",
                  flush=True)
    if worst > options.most:
        sys.exit(f"instructions.py: a ratio of {worst:.3f} is above {options.most}")


if __name__ == "__main__":
    main()
