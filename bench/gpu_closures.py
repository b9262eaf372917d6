#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Closures on a GPU beside those on the processor of the same machine, in the same run.

    bench/gpu_closures.py --cflr build/release/cli/cflr --data DIR --cases 'tc-*,sg-*,aa-*' \
        --graph perlbench=c17-perlbench.cflg=bench/grammars/aa.cfg --threads 16

A line has three times for each of the two, medians of --runs: of closing alone (on the GPU from the
first round to the last, of the processor what `seconds.solve` tells), of the process until counts
are known, and until the result is in a file. The pairs of all symbols must be the same, and those
that are published.

    bench/gpu_closures.py ... --auto

has the processor, the GPU and `--device auto` close each graph in turn, and compares processes: the
last should be as fast as the faster of the others.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cases


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cflr", required=True)
    cases.add_options(parser)
    parser.add_argument("--graph", action="append", default=[], metavar="NAME=FILE=GRAMMAR",
                        help="another graph (may be repeated)")
    parser.add_argument("--auto", action="store_true",
                        help="compare --device auto with the faster of the two")
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--runs", type=int, default=3)
    return argparse.Namespace(**vars(parser.parse_args()), peers=[])


class Closure:
    """A graph and its grammar, closed by one device."""

    def __init__(self, options, graph, grammar, words):
        self.options = options
        self.words = [options.cflr, "solve", "-q", *words, "-g", grammar, graph]

    def run(self, *words):
        """(seconds of the process, what it prints)"""
        begin = time.perf_counter()
        done = subprocess.run([*self.words, *words], capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begin
        if done.returncode:
            sys.exit(f"gpu_closures.py: {' '.join(self.words)}: {done.stderr.strip()}")
        return seconds, done.stdout

    def close(self):
        """Medians of closing and of the process, and what the last run says."""
        closed, whole = [], []
        for _ in range(self.options.runs):
            seconds, printed = self.run("--format", "json")
            said = json.loads(printed)
            closed.append(said["device"]["close_seconds"] or said["seconds"]["solve"])
            whole.append(seconds)
        return statistics.median(closed), statistics.median(whole), said

    def measure(self, directory):
        """Pairs by symbol, rounds, and the three times."""
        closed, whole, said = self.close()
        result = os.path.join(directory, "kept.cflr")
        kept = [self.run("-o", result)[0] for _ in range(self.options.runs)]
        os.remove(result)
        pairs = {name: label["pairs"] for name, label in said["labels"].items()}
        return pairs, said["rounds"], [closed, whole, statistics.median(kept)]


def compare(options, name, graph, grammar, expected, directory):
    gpu, rounds, on_gpu = Closure(options, graph, grammar,
                                  ["--device", "gpu"]).measure(directory)
    cpu, _, on_cpu = Closure(options, graph, grammar,
                             ["--device", "cpu", f"-j{options.threads}"]).measure(directory)
    known = {symbol: n for symbol, n in expected.items() if symbol in cpu}
    if gpu != cpu or any(gpu[symbol] != n for symbol, n in known.items()):
        sys.exit(f"gpu_closures.py: {name}: other pairs on the GPU")
    cells = [name, str(sum(gpu.values())), str(rounds), *(f"{t:.3f}" for t in on_gpu + on_cpu),
             f"{on_cpu[0] / on_gpu[0]:.2f}", f"{on_cpu[1] / on_gpu[1]:.2f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def compare_auto(options, name, graph, grammar):
    devices = ["cpu", "gpu", "auto"]
    seconds = {device: [] for device in devices}
    by = set()
    for _ in range(options.runs):
        for device in devices:
            closure = Closure(options, graph, grammar,
                              ["--device", device, f"-j{options.threads}"])
            took, printed = closure.run("--format", "json")
            seconds[device].append(took)
            if device == "auto":
                by.add(json.loads(printed)["device"]["name"])
    cpu, gpu, auto = (statistics.median(seconds[device]) for device in devices)
    cells = [name, f"{cpu:.3f}", f"{gpu:.3f}", f"{auto:.3f}", ", ".join(sorted(by)),
             f"{auto / min(cpu, gpu):.2f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def print_head(options):
    if options.auto:
        print("| graph | processor, s | GPU | auto | by | of the faster |")
        print("| --- |" + " --- |" * 5)
        return
    print(f"| graph | pairs | rounds | GPU: closing, s | process | to a file "
          f"| {options.threads} threads: closing, s | process | to a file "
          "| closing, times | process, times |")
    print("| --- |" + " --- |" * 10)


def main():
    options = read_options()
    print_head(options)
    with tempfile.TemporaryDirectory() as directory:
        graphs = []
        for name in cases.chosen(options):
            case = cases.Case(name, options, directory)
            graphs.append((name, case.graph, case.grammar, case.expected))
        for words in options.graph:
            graphs.append((*words.split("="), {}))
        for name, graph, grammar, expected in graphs:
            if options.auto:
                compare_auto(options, name, graph, grammar)
            else:
                compare(options, name, graph, grammar, expected, directory)


if __name__ == "__main__":
    main()
