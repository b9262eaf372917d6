#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Extracts and solves C code bases, and prints one table.

    bench/code.py --cflr build/release/cli/cflr [--grammar pointer-fs] [--fields sensitive]
                  [--memory 16G] [--time 20m] [--threads 1,2] NAME=DATABASE_DIR...

Graph and counts must be the same for every number of threads: exit code 1 when they are not, or when a
unit was lost.
"""
import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def timed(command):
    """(exit code, standard output, wall seconds, peak MB)"""
    begin = time.time()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, output, time.time() - begin, usage.ru_maxrss // 1024


def measure(options, name, database, threads, directory):
    graph = os.path.join(directory, "g.cflg")
    common = ["-q", "-j", str(threads), "--memory", options.memory, "--format", "json"]
    code, output, wall, peak = timed([options.cflr, "extract", "-p", database, "--fields",
                                      options.fields, "-o", graph, *common])
    if code != 0:
        sys.exit(f"{name}: extraction failed with exit code {code}")
    report = json.loads(output)
    with open(graph, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:12]
    info = json.loads(subprocess.run([options.cflr, "info", graph, "--format", "json"], check=True,
                                     stdout=subprocess.PIPE, text=True).stdout)
    code, output, solve_wall, solve_peak = timed(
        [options.cflr, "solve", "-g", options.grammar, graph, "--time", options.time, *common])
    if code not in (0, 4):
        sys.exit(f"{name}: solving failed with exit code {code}")
    solved = json.loads(output)
    return {"name": name, "threads": threads, "units": report["units"],
            "lost": report["units_lost"], "lines": report["lines"], "vertices": info["vertices"],
            "edges": info["edges"], "labels": info["labels"], "graph": digest,
            "extract_s": wall, "extract_mb": peak, "pairs": solved["pairs"],
            "complete": solved["complete"], "solve_s": solved["seconds"]["solve"],
            "solve_wall": solve_wall, "solve_mb": solve_peak, "model": solved["model"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--grammar", default="pointer-fs")
    parser.add_argument("--fields", default="sensitive")
    parser.add_argument("--memory", default="16G")
    parser.add_argument("--time", default="20m")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("bases", nargs="+", metavar="NAME=DIR")
    options = parser.parse_args()
    print(f"{'code':9} {'-j':>3} {'units':>6} {'lost':>5} {'lines':>8} {'vertices':>9} {'edges':>9} "
          f"{'extract s':>10} {'MB':>6} {'closure':>12} {'solve s':>9} {'MB':>6} model")
    bad = False
    for base in options.bases:
        name, database = base.split("=", 1)
        rows = []
        for threads in options.threads.split(","):
            with tempfile.TemporaryDirectory() as directory:
                row = measure(options, name, database, int(threads), directory)
            rows.append(row)
            print(f"{row['name']:9} {row['threads']:3} {row['units']:6} {row['lost']:5} "
                  f"{row['lines']:8} {row['vertices']:9} {row['edges']:9} {row['extract_s']:10.2f} "
                  f"{row['extract_mb']:6} {row['pairs']:12} {row['solve_s']:9.2f} "
                  f"{row['solve_mb']:6} {row['model']}{'' if row['complete'] else ' (partial)'}")
            sys.stdout.flush()
        print("          edges by label: " +
              ", ".join(f"{label} {n}" for label, n in rows[0]["labels"].items()))
        bad |= any(row["lost"] for row in rows)
        bad |= len({row["graph"] for row in rows}) > 1
        bad |= len({row["pairs"] for row in rows if row["complete"]}) > 1
    return 1 if bad else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
