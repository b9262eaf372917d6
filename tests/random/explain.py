#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr explain` on random grammars and graphs (pairs.py): each pair of a symbol has a derivation,
and no other has.

    explain.py --cflr CFLR [--seeds FIRST-LAST] [--jobs N]

The pairs are those of automata.py, and derivations.py checks each step and word, and what filters
keep, by the rules that `cflr grammar show --stage normal` prints: pairs of auxiliaries are derived,
too. The result holds all symbols, or only the one that is asked for. Before that, a reference that
is wrong in one pair, and filters that keep less, must be noticed. CFLR_TEST_EXHAUSTIVE=1 takes
3,000 pairs.
"""
import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

import automata
import derivations
import pairs
import seeds

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import valid  # noqa: E402

MANY = 3000


class Check:
    """The questions of one pair; what differs is in `differences`."""

    def __init__(self, cflr, seed, folder):
        self.cflr, self.pair, self.folder = cflr, pairs.Pair(seed), folder
        self.dice = random.Random(-seed - 1)
        self.differences, self.size = [], 0
        self.graph, known_as = self.pair.write_graph(folder, lambda a,
                                                     b: self.run("convert", "-q", a, b))
        self.solve = ["solve", "-q", "--graph-format", known_as, self.graph]
        self.read, self.relations = automata.solve(self.pair.grammar, self.pair.vertices,
                                                   self.pair.edges)
        plain = sorted({name for name, index, _ in self.read.rules if index is None})
        self.symbol = self.dice.choice(plain) if plain else None
        text = re.sub(r"(?m)^%answer.*\n", "", self.pair.grammar)
        self.grammar = f"{folder}/grammar.cfg"
        with open(self.grammar, "w", encoding="utf-8") as file:
            file.write(f"%answer alias {pairs.Writer.spell(self.symbol)}\n{text}" if plain
                       else text)

    def run(self, *words, allowed=(0,), **options):
        """What the command prints; exit codes that are not allowed are a difference."""
        done = subprocess.run([self.cflr, *words], capture_output=True, text=True, check=False,
                              **options)
        if done.returncode not in allowed:
            self.differ(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def differ(self, how):
        self.differences.append(f"seed {self.pair.seed}: {how}")

    def can_be_asked(self):
        """By numbers; edges of a repetition are refused (solve.py)."""
        refused = (self.read.closed - self.read.declared) & {name for name, _ in self.pair.edges}
        return bool(self.symbol and self.pair.vertices and not self.pair.names and not refused)

    def answers(self, only):
        """The answer to each pair of vertices."""
        result = f"{self.folder}/result.cflr"
        self.run(*self.solve, "-g", self.grammar, "-o", result,
                 *(["--only", self.symbol] if only else []))
        asked = list(itertools.permutations(range(self.pair.vertices), 2))
        text = self.run("explain", "-q", "-g", self.grammar, result, "-", "--format", "json",
                        allowed=(0, 1), input="\n".join(f"alias {u} {v}" for u, v in asked))
        return zip(asked, valid.answer(["explain"], text)) if text and not self.differences else []

    def checker(self, without=()):
        """Of a graph that lacks some labels."""
        edges = {(u, name, index or "", v) for (name, index), each in self.pair.edges.items() for u,
                 v in each}
        rules = self.run("grammar", "show", self.grammar, "--stage", "normal")
        checker = derivations.Checker(rules, edges)
        if without:
            checker.filters = derivations.Filters(checker.grammar,
                                                  {e for e in edges if e[1] not in without})
        return checker

    def all(self, without=()):
        checker, wanted = self.checker(without), self.relations.get((self.symbol, None), set())
        for only in (False, True):
            for pair, answer in self.answers(only):
                if answer["answer"] != (pair in wanted):
                    self.differ(f"{self.symbol}{pair}: {answer['answer']}")
                    continue
                parts = [part["derivations"] for part in answer["explanations"]]
                if answer["answer"] and not all(parts):
                    self.differ(f"{self.symbol}{pair} has no derivation")
                for fault in itertools.chain(*map(checker.faults, parts)):
                    self.differ(f"{self.symbol}{pair}: {fault}")
                self.size += sum(map(len, parts))


def check_seed(cflr, seed):
    """The differences of a pair, and how many derivations there were."""
    with tempfile.TemporaryDirectory() as folder:
        check = Check(cflr, seed, folder)
        if check.can_be_asked():
            check.all()
        return check.differences, check.size


def lose(check):
    """A reference with one pair less."""
    relation = check.relations.get((check.symbol, None), set())
    relation -= set(sorted(pair for pair in relation if pair[0] != pair[1])[:1])
    return ()


def keep_less(check):
    """Filters that end nowhere."""
    return {steps[-1][0] for steps in check.read.filters.values()}


def notices(cflr, spoil):
    """Is something that is wrong noticed, in one of a few pairs?"""
    for seed in range(60):
        with tempfile.TemporaryDirectory() as folder:
            check = Check(cflr, seed, folder)
            if check.can_be_asked():
                check.all(spoil(check))
            if any("exit code" not in difference for difference in check.differences):
                return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True)
    seeds.add_options(parser, "0-149", f"0-{MANY - 1}")
    options = parser.parse_args()
    for spoil in (lose, keep_less):
        if not notices(options.cflr, spoil):
            print(f"it is not noticed when references {spoil.__name__}")
            return 1
    return seeds.run(options, check_seed, "pairs")


if __name__ == "__main__":
    sys.exit(main())
