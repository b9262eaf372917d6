#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Questions for single rows and pairs, beside the closure that answers all of them.

    bench/questions.py --cflr build/nc/cli/cflr --data DIR --cases 'aa-*,vf-crafty' \
        --graph perlbench=c17-perlbench.cflg=bench/grammars/aa.cfg --rows 30 --pairs 100

Each question is a process of its own, about vertices drawn at random. A line has the seconds that
the closure of the start symbol takes (the median of --runs); then for rows, and for pairs, which
part of that a question takes: the median, nine tenths and the worst; and for how many questions the
demand model gave up, so that batch answered. Seconds are those of solving, without loading. Every
answer is held against the closure: each target of a row is one there, and of --others vertices
that are no target none is.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

import cases


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cflr", required=True)
    cases.add_options(parser)
    parser.add_argument("--graph", action="append", default=[], metavar="NAME=FILE=GRAMMAR[=START]",
                        help="another graph (may be repeated)")
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--others", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3, help="of the closure")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return argparse.Namespace(**vars(parser.parse_args()), peers=[])


class Asked:
    """A graph and its closure."""

    def __init__(self, options, name, graph, grammar, start):
        self.options, self.name, self.start = options, name, start
        self.words = [options.cflr, "solve", "-q", f"-j{options.threads}", "-g", grammar, graph,
                      "--only", start]
        info = subprocess.run([options.cflr, "info", graph, "--format", "json"], check=True,
                              stdout=subprocess.PIPE)
        self.vertices = json.loads(info.stdout)["vertices"]
        self.dice = random.Random(options.seed)

    def solve(self, *words, lines=""):
        done = subprocess.run([*self.words, "--format", "json", *words], check=True,
                              stdout=subprocess.PIPE, text=True, input=lines)
        return json.loads(done.stdout)

    def close(self, result):
        """Seconds of the closure, whose result is kept in the file."""
        seconds = [self.solve()["seconds"]["solve"] for _ in range(self.options.runs - 1)]
        seconds.append(self.solve("-o", result)["seconds"]["solve"])
        return statistics.median(seconds)

    def reaches(self, result, pairs):
        """What the kept result says of each pair."""
        lines = "".join(f"reaches {u} {self.start} {v}\n" for u, v in pairs)
        done = subprocess.run([self.options.cflr, "query", "-q", result, "-"],
                              stdout=subprocess.PIPE, text=True, input=lines)
        if done.returncode > 1:  # 1: the last answer is no
            sys.exit(f"questions.py: {self.name}: query ends with {done.returncode}")
        return [line == "yes" for line in done.stdout.splitlines() if line[:1] != "#"]

    def vertex(self):
        return self.dice.randrange(self.vertices)

    def ask_row(self, result):
        """(seconds, whether demand gave up) of a row whose pairs are right."""
        source = self.vertex()
        said = self.solve("--from", str(source))
        shown = subprocess.run([*self.words, "--from", str(source), "--export", "tsv",
                                "--label", self.start],
                               check=True, stdout=subprocess.PIPE, text=True).stdout
        row = {int(line.split("\t")[1]) for line in shown.splitlines() if line[:1] != "#"}
        others = {self.vertex() for _ in range(self.options.others)} - row
        if len(row) != said["pairs"] or not all(self.reaches(result, [(source, v) for v in row])):
            sys.exit(f"questions.py: {self.name}: the row of {source} has a wrong pair")
        if any(self.reaches(result, [(source, v) for v in others])):
            sys.exit(f"questions.py: {self.name}: the row of {source} lacks a pair")
        return said["seconds"]["solve"], said["model"] != "demand"

    def ask_pair(self, result):
        """The same of a pair."""
        pair = (self.vertex(), self.vertex())
        said = self.solve("--pairs", "-", lines=f"{pair[0]} {pair[1]}\n")
        if self.reaches(result, [pair]) != [said["answers"][0]["answer"]]:
            sys.exit(f"questions.py: {self.name}: a wrong answer for {pair}")
        return said["seconds"]["solve"], said["model"] != "demand"


def shares(closure, asked):
    taken = sorted(seconds / closure for seconds, _ in asked)
    if not taken:
        return ["-"] * 4
    at = [taken[len(taken) // 2], taken[len(taken) * 9 // 10], taken[-1]]
    return [f"{100 * share:.2f}" for share in at] + [str(sum(gave_up for _, gave_up in asked))]


def measure(options, asked, directory):
    result = os.path.join(directory, "kept.cflr")
    closure = asked.close(result)
    rows = [asked.ask_row(result) for _ in range(options.rows)]
    pairs = [asked.ask_pair(result) for _ in range(options.pairs)]
    cells = [asked.name, f"{closure:.3f}", *shares(closure, rows), *shares(closure, pairs)]
    print("| " + " | ".join(cells) + " |", flush=True)


def all_asked(options, directory):
    for name in cases.chosen(options):
        case = cases.Case(name, options, directory)
        yield Asked(options, name, case.graph, case.grammar, case.start)
    for words in options.graph:
        name, graph, grammar, *start = words.split("=")
        yield Asked(options, name, graph, grammar, start[0] if start else cases.start_of(grammar))


def main():
    options = read_options()
    print("| graph | closure, s | rows: median, % | 90 % | worst | given up "
          "| pairs: median, % | 90 % | worst | given up |")
    print("| --- |" + " --- |" * 9)
    with tempfile.TemporaryDirectory() as directory:
        for asked in all_asked(options, directory):
            measure(options, asked, directory)


if __name__ == "__main__":
    main()
