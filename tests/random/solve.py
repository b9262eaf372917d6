#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr solve` and `cflr query` against automata.py, on random grammars and graphs (pairs.py).

    solve.py --cflr CFLR [--seeds FIRST-LAST] [--jobs N] [--device DEVICE]

Each pair is solved by every model, with one thread and several, with techniques of `batch` left
out, for some symbols only, on demand, from the grammar as `cflr grammar show` prints it; with
--device it is solved there, too; and its result is asked. All relations must be those of the
reference, pair by pair. Before that, references that are wrong in one pair must be noticed by each
of these checks. CFLR_TEST_EXHAUSTIVE=1 takes 3,000 pairs. Where --device is not there it says so
(exit code 77).
"""
import argparse
import functools
import itertools
import os
import random
import subprocess
import sys
import tempfile

import automata
import pairs
import seeds

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import valid  # noqa: E402

MODELS = ["naive", "vertex", "vertex-indexed", "edge", "edge-indexed", "parallel", "batch", "auto"]
TECHNIQUES = ["inline", "stars", "mirrors", "between", "strata", "guards", "condense", "split",
              "order", "together", "numbers"]
ASKED_PAIRS = 150
QUESTIONS = 25
MANY = 3000


class Check:
    """The checks of one pair; what differs is in `differences`."""

    def __init__(self, cflr, seed, folder, device=None):
        self.cflr, self.pair, self.folder = cflr, pairs.Pair(seed), folder
        self.device = device
        self.dice = random.Random(-seed - 1)
        self.differences = []
        self.graph, known_as = self.pair.write_graph(folder, lambda a,
                                                     b: self.run("convert", "-q", a, b))
        self.grammar = self.write("grammar.cfg", self.pair.grammar)
        self.read, self.relations = automata.solve(self.pair.grammar, self.pair.vertices,
                                                   self.pair.edges)
        self.symbols = sorted(self.read.defined)
        self.solve = ["solve", "-q", "--graph-format", known_as, self.graph, "-g"]

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, *words, allowed=(0,), **options):
        """What the command prints; exit codes that are not allowed are a difference."""
        done = subprocess.run([self.cflr, *words], capture_output=True, text=True, check=False,
                              **options)
        if done.returncode not in allowed:
            self.differ(words, f"exit code {done.returncode}: {done.stderr.strip()}")
        return done

    def differ(self, what, how):
        self.differences.append(f"seed {self.pair.seed}, {' '.join(what)}: {how}")

    def compare(self, what, found, wanted):
        """Two relations by symbol and index, or two lists of answers."""
        if found == wanted:
            return
        if isinstance(found, dict):
            found, wanted = ({(*key, *p) for key, ps in each.items() for p in ps}
                             for each in (found, wanted))
            self.differ(what, f"missing {sorted(map(str, wanted - found))[:3]}, "
                              f"too many {sorted(map(str, found - wanted))[:3]}")
        else:
            self.differ(what, next(f"'{f}' where '{w}' is right" for f, w in
                                   itertools.zip_longest(found, wanted) if f != w))

    def relations_in(self, text):
        """Those of a tsv that was printed."""
        lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        by_name = self.pair.names and ("\n#@ " in text or any(
            not word.isdigit() for line in lines for word in line[:2]))
        number = {name: v for v, name in enumerate(self.pair.names)} if by_name else None
        found = {}
        for source, target, label in lines:
            name, bracket, index = label.rstrip("]").partition("[")
            ends = (number[source], number[target]) if number else (int(source), int(target))
            found.setdefault((name, index if bracket else None), set()).add(ends)
        return found

    def wanted(self, symbols, sources=None, targets=None):
        kept = {key: {(u, v) for u, v in found if (sources is None or u in sources)
                      and (targets is None or v in targets)}
                for key, found in self.relations.items() if key[0] in symbols}
        return {key: found for key, found in kept.items() if found}

    def exported(self, symbols, *options, grammar=None, sources=None, targets=None):
        words = [*self.solve, grammar or self.grammar, "--export", "tsv", *options]
        words += itertools.chain(*(["--label", symbol] for symbol in symbols))
        done = self.run(*words)
        if done.returncode == 0:
            self.compare(words, self.relations_in(done.stdout),
                         self.wanted(symbols, sources, targets))

    # ---- the checks ----

    def refused(self):
        """A repetition of which the graph has edges, when %terminal does not name it."""
        words = [*self.solve, self.grammar]
        done = self.run(*words, allowed=(3,))
        if "which the grammar defines as a repetition" not in done.stderr:
            self.differ(words, done.stderr)

    def models(self):
        for model in MODELS:
            self.exported(self.symbols, "--model", model, "-j1")

    def threads(self):
        for model in ("parallel", "batch"):
            self.exported(self.symbols, "--model", model, "-j3")

    def techniques(self):
        for threads in ("-j1", "-j3"):
            left_out = self.dice.sample(TECHNIQUES, self.dice.randint(1, len(TECHNIQUES)))
            self.exported(self.symbols, "--model", "batch", threads,
                          *itertools.chain(*(["--without", technique] for technique in left_out)))

    def counts(self):
        words = [*self.solve, self.grammar, "--format", "json", "-j3", "--verify"]
        done = self.run(*words)
        if done.returncode == 0:
            labels = valid.answer(["solve"], done.stdout)["labels"]
            found = [f"{symbol}: {labels[symbol]['pairs']}"
                     for symbol in self.symbols if symbol in labels]
            self.compare(words, found, [f"{symbol}: {sum(map(len, self.wanted([symbol]).values()))}"
                                        for symbol in self.symbols])

    def only(self):
        for model in ("batch", "edge-indexed", "auto"):
            some = self.dice.sample(self.symbols, self.dice.randint(1, min(2, len(self.symbols))))
            self.exported(some, "--model", model, "-j1",
                          *itertools.chain(*(["--only", s] for s in some)))

    def name(self, vertex):
        return self.pair.names[vertex] if self.pair.names else str(vertex)

    def quoted(self, vertex):
        name = self.name(vertex)
        return f'"{name}"' if set(name) & set(" #") else name

    def can_be_asked(self):
        """Vertices whose name is not a number of another one, and can be quoted."""
        if self.pair.format == "digits":
            return []
        return [v for v in range(self.pair.vertices) if '"' not in self.name(v)]

    def from_and_to(self):
        able = self.can_be_asked()
        for model, threads in (("demand", 1), ("auto", 1), ("batch", 3)) if able else ():
            some = [self.dice.choice(self.symbols)]
            ends = {side: self.dice.sample(able, self.dice.randint(1, min(2, len(able))))
                    for side in self.dice.choice([["from"], ["to"], ["from", "to"]])}
            words = [f"--{side}={self.name(v)}" for side, chosen in ends.items() for v in chosen]
            self.exported(some, "--only", some[0], "--model", model, f"-j{threads}", *words,
                          sources=ends.get("from"), targets=ends.get("to"))

    def asked_pairs(self):
        able = self.can_be_asked()
        asked = list(itertools.product(able, repeat=2))
        self.dice.shuffle(asked)
        asked = asked[:ASKED_PAIRS]
        lines = "".join(f"{self.quoted(u)} {self.quoted(v)}\n" for u, v in asked)
        for model in ("demand", "auto", "parallel"):
            symbol = self.dice.choice(self.symbols)
            words = [*self.solve, self.grammar, "--model", model, "-j1", "--only", symbol,
                     "--pairs", "-"]
            done = self.run(*words, input=lines)
            true = set().union(*self.wanted([symbol]).values())
            self.compare(words, [line.rpartition("\t")[2] for line in done.stdout.splitlines()],
                         ["yes" if pair in true else "no" for pair in asked])

    def answered(self, symbol, meets, all_pairs):
        """Pairs of the symbol, or of vertices with a common target of it."""
        pairs = all_pairs[symbol]
        if not meets:
            return pairs
        rows = {}
        for source, target in pairs:
            rows.setdefault(source, set()).add(target)
        return {(u, u) for u in range(self.pair.vertices)} | {(u, v) for u in rows
                                                              for v in rows if rows[u] & rows[v]}

    def questions(self):
        """Lines for `cflr query`, with the lines of the answer to each."""
        able = self.can_be_asked()
        all_pairs = {symbol: set().union(*self.wanted([symbol]).values())
                     for symbol in self.symbols}
        instances = [(symbol, None) for symbol in self.symbols] + list(self.relations)
        for _ in range(QUESTIONS if able else 0):
            u, v = self.dice.choice(able), self.dice.choice(able)
            symbol, index = self.dice.choice(instances)
            label, true = symbol, all_pairs[symbol]
            if index is not None:
                label, true = f"{symbol}[{index}]", self.relations[symbol, index]
            if true and self.dice.random() < 0.5:
                one = self.dice.choice(sorted(true))
                u, v = one if set(one) <= set(able) else (u, v)
            yield f"reaches {self.quoted(u)} {label} {self.quoted(v)}", ["yes" if (u, v) in true
                                                                         else "no"]
            for question, answer in self.read.answers.items():
                true = self.answered(*answer, all_pairs)
                if question != "points-to":
                    yield f"{question} {self.quoted(u)} {self.quoted(v)}", ["yes" if (u, v) in true
                                                                            else "no"]
                if question != "flows":
                    word = {"alias": "aliases"}.get(question, question)
                    yield f"{word} {self.quoted(u)}", [self.name(t) for s,
                                                       t in sorted(true) if s == u]

    def query(self):
        result = f"{self.folder}/result.cflr"
        model = self.dice.choice(MODELS)
        self.run(*self.solve, self.grammar, "--model", model, "-j1", "-o", result)
        asked = list(self.questions())
        words = ["query", "-q", result, "-"]
        done = self.run(*words, allowed=(0, 1),
                        input="".join(question + "\n" for question, _ in asked))
        wanted = [line for question, answer in asked for line in [f"# {question}", *answer]]
        self.compare(words, done.stdout.splitlines(), wanted)

    def stages(self):
        """The grammar as it is printed is the same grammar, for the engine and for the
        reference."""
        stage = self.dice.choice(["rules", "expanded", "normal", "ground"])
        words = ["grammar", "show", "-q", self.grammar, "--stage", stage]
        if stage == "ground":
            words += ["--graph", self.graph, *self.solve[2:4]]
        done = self.run(*words)
        if done.returncode != 0:
            return
        read, found = automata.solve(done.stdout, self.pair.vertices, self.pair.edges)
        kept = [symbol for symbol in self.symbols if symbol in read.defined]
        self.compare(words, {key: p for key, p in found.items() if key[0] in kept},
                     self.wanted(kept))
        self.exported(kept, "-j1", grammar=self.write("shown.cfg", done.stdout))

    def on_device(self):
        """All symbols, then those of a question or a few of them."""
        words = ["--device", self.device]
        self.exported(self.symbols, *words)
        some, able = [self.dice.choice(self.symbols)], self.can_be_asked()
        sources = None
        words += ["--only", some[0]]
        if able and self.dice.random() < 0.5:
            sources = self.dice.sample(able, self.dice.randint(1, min(3, len(able))))
            words += [f"--from={self.name(v)}" for v in sources]
        self.exported(some, *words, sources=sources)

    CHECKS = [models, threads, techniques, counts, only, from_and_to, asked_pairs, query, stages]

    @classmethod
    def checks(cls, device):
        return cls.CHECKS + [cls.on_device] * bool(device)

    def all(self):
        if (self.read.closed - self.read.declared) & {name for name, _ in self.pair.edges}:
            self.refused()
            return
        for check in self.checks(self.device):
            check(self)


def check_seed(device, cflr, seed):
    """The differences of a pair, and how many pairs its relations have."""
    with tempfile.TemporaryDirectory() as folder:
        check = Check(cflr, seed, folder, device)
        check.all()
        return check.differences, sum(map(len, check.relations.values()))


def notices(options, check, wrong):
    """Does a check notice that a reference is wrong, in one of a few pairs?"""
    for seed in range(40):
        with tempfile.TemporaryDirectory() as folder:
            it = Check(options.cflr, seed, folder, options.device)
            for key in it.relations:
                wrong(it.relations[key], it.pair.vertices)
            check(it)
            if any("exit code" not in difference for difference in it.differences):
                return True
    return False


def lose(relation, _):
    relation.discard(min(relation))


def invent(relation, vertices):
    everything = set(itertools.product(range(vertices), repeat=2))
    relation.update(sorted(everything - relation)[:1])


def lacks_device(options):
    """Why there is no such device, or nothing."""
    if not options.device:
        return ""
    words = [options.cflr, "solve", "-q", "-g", "reach", "-", "--graph-format", "tsv", "--device"]
    done = subprocess.run([*words, options.device], input="0 1 e\n", capture_output=True, text=True,
                          check=False)
    return done.stderr.strip() if done.returncode == 6 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True)
    parser.add_argument("--device", choices=("cpu", "gpu"), help="solve there, too")
    seeds.add_options(parser, "0-149", f"0-{MANY - 1}")
    options = parser.parse_args()
    lack = lacks_device(options)
    if lack:
        print(f"SKIP: {lack}")
        return 77
    for check, wrong in itertools.product(Check.checks(options.device), (lose, invent)):
        if not notices(options, check, wrong):
            print(f"{check.__name__} does not notice a reference that would {wrong.__name__} pairs")
            return 1
    return seeds.run(options, functools.partial(check_seed, options.device), "pairs")


if __name__ == "__main__":
    sys.exit(main())
