#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far closures on a GPU are from what its memory allows.

    bench/gpu_bytes.py --cflr build/release/cli/cflr --data DIR --cases 'tc-*,sg-*' --bandwidth 4277

For each graph: seconds in kernels, and the bytes that went through the GPU's memory meanwhile, both
by Nsight Compute (`ncu`); how long these bytes take at --bandwidth, which is the GB/s that a large
copy on the device reads and writes; and the bytes that were copied to the device and back: rules,
and the packed rows that are the answer, which no method can do without. Nsight Compute lets kernels
run one after the other, each after a pause, so caches are colder than in a run of its own.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile

import cases

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1,
           "nsecond": 1e-9, "usecond": 1e-6, "msecond": 1e-3, "second": 1}
BYTES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
METRICS = {"gpu__time_duration.sum": SECONDS, "dram__bytes.sum": BYTES}


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cflr", required=True)
    cases.add_options(parser)
    parser.add_argument("--bandwidth", type=float, required=True, help="of a copy, GB/s")
    return argparse.Namespace(**vars(parser.parse_args()), peers=[])


def printed(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"gpu_bytes.py: {' '.join(words)}: {done.stderr.strip() or done.stdout[-500:]}")
    return done.stdout


def sums(text):
    """The sum of each metric over all kernels."""
    found = dict.fromkeys(METRICS, 0.0)
    for row in csv.DictReader(line for line in text.splitlines() if line.startswith('"')):
        value = float(row["Metric Value"].replace(",", ""))
        found[row["Metric Name"]] += value * METRICS[row["Metric Name"]][row["Metric Unit"]]
    return found


def measure(options, name, graph, grammar):
    solve = [options.cflr, "solve", "-q", "--device", "gpu", "-g", grammar, graph]
    rows = json.loads(printed([*solve, "--format", "json"]))["device"]["copied"]
    profile = ["ncu", "--clock-control", "none", "--graph-profiling", "node",
               "--metrics", ",".join(METRICS), "--csv"]
    seconds, moved = sums(printed([*profile, *solve])).values()
    least = moved / options.bandwidth / 1e9
    cells = [name, f"{seconds * 1e3:.1f}", f"{moved / 1e9:.2f}", f"{least * 1e3:.2f}",
             f"{100 * least / seconds:.0f} %", f"{rows / 1e6:.0f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    options = read_options()
    print("| graph | kernels, ms | moved, GB | at full bandwidth, ms | share | copied, MB |")
    print("| --- |" + " --- |" * 5)
    with tempfile.TemporaryDirectory() as directory:
        for name in cases.chosen(options):
            case = cases.Case(name, options, directory)
            measure(options, name, case.graph, case.grammar)


if __name__ == "__main__":
    main()
