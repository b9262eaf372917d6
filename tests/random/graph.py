#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr graph` against primitives.py, on random graphs (graphs.py).

    graph.py --cflr CFLR [--seeds FIRST-LAST] [--jobs N]

Every primitive runs on each graph with one thread and with several, its vertices in other orders,
in each direction, with trees for vertices of many edges, with deltas, and by a schedule: value by
value it must be the reference, of numbers that are not whole within the bounds of
docs/reference/graph.md. Before that, a value that is made wrong must be noticed, for each
primitive. CFLR_TEST_EXHAUSTIVE=1 takes 500 graphs.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

import graphs
import primitives as reference
import seeds

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import valid  # noqa: E402

RANKS = ["pagerank", "pagerank-delta", "ppr"]
# columns that are equal, or wrong
WHOLE = ["bfs", "sssp", "sswp", "ssnsp", "cc", "scc", "kcore", "reach"]
SIGNALS = ["gcs", "nndr"]
PRIMITIVES = WHOLE + RANKS + SIGNALS + ["wtf", "bc", "hits", "salsa", "tc", "mst", "mis", "colour"]
BOTH_WAYS = ["tc", "mst", "mis", "colour", "kcore", "gcs"]
ONE_SOURCE = ["bfs", "sssp", "sswp", "ssnsp", "wtf"]
SOURCES = ["ppr", "bc", "reach"] + SIGNALS
WEIGHTED = ["sssp", "sswp", "mst"] + SIGNALS
ORDERS = ["degree", "search", "sampled"]
SCHEDULES = ["auto", "thread", "twc", "input", "output", "warp", "virtual", "strided", "tiles",
             "steal", "edges"]
DAMPING = 0.85
MOST_FLOAT32 = 2.0**128 - 2.0**104
MANY = 500


class Wrong(Exception):
    """A value that is not what it should be."""


def must(holds, text):
    if not holds:
        raise Wrong(text)


def must_be(found, wanted, what="value"):
    must(len(found) == len(wanted), f"{len(found)} {what}s, not {len(wanted)}")
    for v, (a, b) in enumerate(zip(found, wanted)):
        must(a == b, f"{what} {v} is {a}, not {b}")


def must_be_near(found, wanted, share, least, what):
    must(len(found) == len(wanted), f"{len(found)} {what}s, not {len(wanted)}")
    for v, (a, b) in enumerate(zip(found, wanted)):
        must(abs(a - b) <= share * abs(b) + least, f"{what} {v} is {a}, not {b}")


class Check:
    """One primitive on one graph: `wanted` is what the reference says. `spoils`: a value that is
    read is made wrong."""

    def __init__(self, cflr, plain, files, primitive, folder, spoils=False):
        self.cflr, self.plain, self.files = cflr, plain, files
        self.primitive, self.folder = primitive, folder
        self.dice = random.Random(f"{plain.seed} {primitive}")
        self.graph = plain.graph(primitive in BOTH_WAYS, primitive in WEIGHTED)
        self.spoils, self.differences, self.first, self.n = spoils, [], None, 0
        self.source, self.words = [], []
        if primitive in ONE_SOURCE + SOURCES and plain.n:
            self.draw_sources()
        self.begin = reference.shares(plain.n, self.source if primitive in ("ppr", "wtf")
                                      else None) if plain.n else []
        self.refusal = self.expected_refusal()
        self.wanted = None if self.refusal else self.solve()

    def draw_sources(self):
        n, most = self.plain.n, 1 if self.primitive in ONE_SOURCE else self.dice.choice([1, 2, 5])
        self.source = [self.dice.randrange(n) for _ in range(most)]
        if self.dice.random() < 0.2:  # the vertex of most edges
            degree = self.graph.out_degree
            most_first = sorted(range(n), key=lambda v: (-degree[v], v))
            self.source = most_first[:2 if self.primitive == "gcs" else 1]
        else:
            self.words = ["--source", ",".join(map(str, self.source))]

    def expected_refusal(self):
        """The exit code and a part of the message, or None."""
        weightless = self.plain.weights == "none" or not (self.plain.lines
                                                          or self.plain.format == "wel32")
        if self.primitive in WEIGHTED and weightless:
            return 2, "weights"
        if self.primitive in ONE_SOURCE + SOURCES and self.plain.n == 0:
            return 2, "the graph has none"
        if self.primitive in ("sssp", "sswp", "gcs") and any(weight < 0 for _, _,
                                                             weight in self.graph.edges):
            return 2, "negative weight"
        if self.primitive in SIGNALS and math.fsum(abs(weight) for _, _, weight
                                                   in self.graph.edges) > MOST_FLOAT32:
            return 3, "more than a float32 holds"
        if self.primitive == "sssp" and reference.sssp(self.graph, *self.source) is None:
            return 4, "does not fit into 32 bits"
        return None

    def solve(self):
        if self.primitive in RANKS:
            return reference.ranks_after(self.graph, DAMPING, self.begin, None)
        if self.primitive in ONE_SOURCE and self.primitive != "wtf":
            return getattr(reference, self.primitive)(self.graph, self.source[0])
        if self.primitive in ("bc", "reach"):
            return getattr(reference, self.primitive)(self.graph, self.source)
        if self.primitive in ("cc", "scc", "mst", "kcore"):
            return getattr(reference, self.primitive)(self.graph)
        return [reference.tc(self.graph)] if self.primitive == "tc" else []

    def variants(self):
        """Options under which the values are the same."""
        yield ["-j1"]
        yield ["-j3"]
        yield ["-j1", "--reorder", self.dice.choice(ORDERS)]
        if self.primitive != "scc":  # which no GPU runs
            yield ["-j1", "--schedule", self.dice.choice(SCHEDULES), "--trials", "2"]
        if self.primitive in ("sssp", "sswp", "cc", "reach"):
            yield [self.dice.choice(["-j1", "-j3"]), "--split", self.dice.choice(["2", "3", "7"])]
        if self.primitive in ("sssp", "sswp"):
            yield ["-j1", "--delta", self.dice.choice(["1", "7", "0.5", "1000000"])]
        if self.primitive in ["bfs"] + RANKS:
            for direction in ("push", "pull"):
                yield [self.dice.choice(["-j1", "-j3"]), "--direction", direction]
        if self.primitive == "bfs":
            yield ["-j1", "--idempotent", "--direction", "push"]
            yield [self.dice.choice(["-j1", "-j3"]), "--hops", self.dice.choice(["1", "2", "3"])]
        if self.primitive == "wtf":
            yield [self.dice.choice(["-j1", "-j3"]), "--circle", self.dice.choice("12358")]
        if self.primitive in RANKS + SIGNALS + ["hits", "salsa", "wtf"]:
            yield ["-j1", "--tolerance", "1e-7"]
            yield ["-j1", "--tolerance", "0", "--most-iterations",
                   str(self.dice.choice([1, 2, 3, 10]))]

    def all(self):
        for variant in self.variants():
            out = f"{self.folder}/values.tsv"
            words = ["graph", "-q", self.primitive, *self.files, *self.plain.options, *self.words,
                     *variant, "--format", "json"] + ([] if self.primitive == "tc" else ["-o", out])
            done = subprocess.run([self.cflr, *words], capture_output=True, text=True, check=False)
            try:
                self.judge(done, variant, out)
            except Wrong as wrong:
                self.differences.append(f"seed {self.plain.seed}, {' '.join(words)}: {wrong}")

    def judge(self, done, variant, out):
        code, part = self.refusal or (0, "")
        if done.returncode == 6 and "--schedule" in variant:
            must("no GPU" in done.stderr and "auto" not in variant, done.stderr)
            return
        must(done.returncode == code and part in done.stderr,
             f"exit code {done.returncode}: {done.stderr}")
        if code == 0:
            report = valid.answer(["graph"], done.stdout)
            must(report["graph"]["edges"] == len(self.graph.edges),
                 f"{report['graph']['edges']} edges")
            must(report["graph"]["vertices"] == self.plain.n,
                 f"{report['graph']['vertices']} vertices")
            columns = []
            if self.primitive != "tc":
                with open(out, encoding="utf-8") as file:
                    columns = self.read_columns(file.read().splitlines()[1:])
            if self.spoils:
                self.spoil(columns, report["values"])
            self.compare(columns, report, variant)
            self.n += sum(map(len, columns)) or 1

    def can_spoil(self):
        """Is there a value that can be made wrong?"""
        return not self.refusal and any(source != target for source, target, _ in self.graph.edges)

    def spoil(self, columns, values):
        u, v = next((u, v) for u, v, _ in self.graph.edges if u != v)
        if self.primitive == "tc":
            values["triangles"] += 1
        elif self.primitive == "mst":
            columns[:] = [column[1:] for column in columns]
        elif self.primitive == "colour":
            columns[0][u] = columns[0][v]
        elif self.primitive == "mis":
            columns[0][u] = 1 - columns[0][u]
        elif columns[-1][u] == math.inf:
            columns[-1][u] = 1
        elif self.primitive == "wtf":
            columns[0][u] += 0.01
        else:
            small = self.primitive in RANKS + SIGNALS + ["bc", "hits", "salsa"]
            columns[-1][u] += 0.01 if small else 1

    def read_columns(self, lines):
        rows = [line.split("\t") for line in lines]
        if self.primitive != "mst":
            must_be([row[0] for row in rows], [str(v) for v in range(self.plain.n)], "vertex")
            rows = [row[1:] for row in rows]
        real = self.primitive == "sssp" and self.plain.is_float
        nothing = math.inf if real else reference.NOWHERE
        return [[nothing if text == "-" else float(text) if set(text) & set(".ein") else int(text)
                 for text in column]
                for column in zip(*rows)] or [[]]

    def compare(self, columns, report, variant):
        values = report["values"]
        if self.primitive in WHOLE:
            wanted = self.wanted
            if self.plain.is_float and self.primitive in ("sssp", "sswp"):  # told in 9 digits
                columns = [[reference.to_float32(x) if x < math.inf else x for x in columns[0]]]
            if "--hops" in variant:
                wanted = [level if level <= int(variant[-1]) else reference.NOWHERE
                          for level in wanted]
            must_be(columns[0], wanted)
            self.compare_whole(values, wanted)
        elif self.primitive in RANKS:
            self.compare_ranks(columns[0], report, variant)
        elif self.primitive in ("hits", "salsa"):
            self.compare_hubs(columns, report)
        elif self.primitive in SIGNALS:
            self.compare_signals(columns[0], report, variant)
        elif self.primitive == "wtf":
            self.compare_follow(columns, report, variant)
        elif self.primitive == "bc":
            must_be_near(columns[0], self.wanted, 1e-6, 1e-9, "centrality")
        elif self.primitive == "tc":
            must_be([values["triangles"]], self.wanted, "triangles")
        elif self.primitive == "mst":
            self.compare_forest(columns, values)
        else:
            getattr(self, "compare_" + self.primitive)(columns[0], values, variant)

    def compare_whole(self, values, column):
        """What the primitive says of the whole graph."""
        wanted = {"cc": ("components", len(set(column))), "scc": ("components", len(set(column))),
                  "kcore": ("degeneracy", max(column, default=0)),
                  "reach": ("reached", sum(bits > 0 for bits in column)),
                  "ssnsp": ("reached", sum(count > 0 for count in column)),
                  "sswp": ("reached", sum(width > 0 for width in column))}.get(
            self.primitive,
                      ("reached",
                       sum(value not in (reference.NOWHERE, math.inf) for value in column)))
        must(values == dict([wanted]), f"{values}, not {wanted}")

    def compare_ranks(self, ranks, report, variant):
        option = dict(zip(variant, variant[1:]))
        tolerance, most = float(option.get("--tolerance",
                                           1e-4)), int(option.get("--most-iterations", 100))
        d, steps, values = DAMPING, report["iterations"], report["values"]
        if self.plain.n == 0:
            must_be(ranks, [])
            return
        if tolerance == 0 and self.primitive != "pagerank-delta":
            must(steps == most, f"{steps} steps")
            must_be_near(ranks, reference.ranks_after(self.graph, d, self.begin, steps), 1e-4,
                         1e-9 / self.plain.n, "rank")
            return
        left = values["rest"] / d if "rest" in values else values["change"]
        must(left <= tolerance * (1 + 1e-8) or steps == most, f"{values} after {steps} steps")
        bound = left * d / (1 - d) * (1 if "rest" in values else 2)
        bound = min(bound, 8 * d**steps / (1 - d)**2 + tolerance * d / (1 - d)) + 1.5e-6 / (1 - d)
        off = math.fsum(abs(a - b) for a, b in zip(ranks, self.wanted))
        must(len(ranks) == len(self.wanted) and off <= bound,
             f"ranks are off by {off}, more than {bound}")

    def compare_hubs(self, columns, report):
        steps = report["iterations"]
        wanted = getattr(reference, self.primitive)(self.graph, steps)
        for found, exact, what in zip(columns if self.plain.n else [[], []], wanted,
                                      ("hub", "authority")):
            mean = math.fsum(exact) / max(self.plain.n, 1)
            must_be_near(found, exact, 1e-4 + steps * 2**-21, 1e-6 * mean, what)

    def compare_signals(self, values, report, variant):
        option = dict(zip(variant, variant[1:]))
        steps, change = report["iterations"], report["values"]["change"]
        wanted = getattr(reference, self.primitive)(self.graph, self.source, steps)
        if self.primitive == "gcs":
            must_be_near(values, wanted, 1e-5 + steps * 2**-21, 1e-30, "voltage")
        else:
            bound = 2**-18 * (1 - DAMPING**steps) / (1 - DAMPING)
            must_be_near(values, wanted, 0, bound, "activation")
        must(change < float(option.get("--tolerance", 1e-4)) or
             steps == int(option.get("--most-iterations", 100)), f"{change} after {steps} steps")

    def compare_follow(self, columns, report, variant):
        option = dict(zip(variant, variant[1:]))
        most, steps = int(option.get("--most-iterations", 100)), report["iterations"]
        source, d, n = self.source[0], DAMPING, self.plain.n
        ranks = reference.ranks_after(self.graph, d, self.begin, steps)
        room, change = int(option.get("--circle", 1000)), report["values"]["change"]
        must(change < float(option.get("--tolerance", 1e-4)) or steps == most,
             f"{change} after {steps} steps")
        order = sorted((rank for v, rank in enumerate(ranks) if v != source), reverse=True)
        border = order[room - 1] if room <= len(order) else 0
        circle = {v for v, is_in in enumerate(columns[1]) if is_in}
        must(source in circle and len(circle) == report["values"]["circle"], f"circle {circle}")
        for v in set(range(n)) - {source}:
            slack = 1e-4 * (ranks[v] + border) + 2e-9 / n
            must(ranks[v] > border - slack and ranks[v] > 0 if v in circle
                 else ranks[v] < border + slack, f"circle {v} is {v in circle}")
        must(len(circle) == 1 + min(room, sum(rank > 0 for rank in order)),
             f"{len(circle)} in the circle")
        wanted = reference.money(self.graph, source, circle, d, min(round(1 / (1 - d)), most))
        for x, y, _ in self.graph.edges:
            if x == source:
                wanted[y] = 0
        wanted[source] = 0
        must_be_near(columns[0], wanted, 2**-22, 1e-12, "score")

    def compare_forest(self, columns, values):
        edges = list(zip(*columns)) if columns[0] else []
        weights = sorted(reference.to_float32(edge[2]) if self.plain.is_float else edge[2]
                         for edge in edges)
        must_be(weights, self.wanted, "weight")
        known = {(u, v, w) for u, v, w in self.graph.edges}
        must(edges == sorted(edges), "the edges do not ascend")
        for u, v, w in edges:
            weight = reference.to_float32(w) if self.plain.is_float else w
            must(u < v and (u, v, weight) in known, f"edge {u} {v} {w}")
        must(len(reference.mst(reference.Graph(self.plain.n, edges, False))) == len(edges),
             "there is a cycle")
        must(values["edges"] == len(edges), f"{values['edges']} edges")
        total = math.fsum(self.wanted)
        bound = 1e-9 * sum(map(abs, self.wanted)) + 1e-8 * abs(total)  # told in 9 digits
        must(abs(values["weight"] - total) <= (bound if self.plain.is_float else 0),
             f"weight {values['weight']}, not {total}")

    def compare_mis(self, member, values, variant):
        near = self.graph.neighbours()
        must(len(member) == self.plain.n and values["size"] == sum(member),
             f"size {values['size']}")
        for v, is_in in enumerate(member):
            must(is_in == (not any(member[u] for u in near[v])), f"member {v} is {is_in}")
        self.must_be_as_before(member, variant)

    def compare_colour(self, colour, values, variant):
        near = self.graph.neighbours()
        must(len(colour) == self.plain.n and values["colours"] == len(set(colour)),
             f"{values['colours']} colours")
        must(max(colour, default=-1) <= max(map(len, near), default=-1), "too many colours")
        for v, c in enumerate(colour):
            must(all(colour[u] != c for u in near[v]), f"colour {v} is that of a neighbour")
        self.must_be_as_before(colour, variant)

    def must_be_as_before(self, column, variant):
        """Which set and which colours does not depend on threads."""
        if "--reorder" not in variant:
            self.first = self.first or column
            must(column == self.first, "another set, or other colours, than with one thread")


def checks(cflr, seed, folder, chosen, spoils=False):
    plain = graphs.Plain(seed)
    files = plain.write(folder)
    return [Check(cflr, plain, files, primitive, folder, spoils) for primitive in chosen]


def check_seed(cflr, seed):
    """The differences on a graph, and how many values there were."""
    with tempfile.TemporaryDirectory() as folder:
        done = checks(cflr, seed, folder, PRIMITIVES)
        for check in done:
            check.all()
        return [difference for check in done
                for difference in check.differences], sum(check.n for check in done)


def notices(cflr, primitive):
    """Is a value that is wrong noticed, in the first graph that has one?"""
    for seed in range(40):
        with tempfile.TemporaryDirectory() as folder:
            check = checks(cflr, seed, folder, [primitive], spoils=True)[0]
            if check.can_spoil():
                check.all()
                return bool(check.differences)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True)
    seeds.add_options(parser, "0-39", f"0-{MANY - 1}")
    options = parser.parse_args()
    for primitive in PRIMITIVES:
        if not notices(options.cflr, primitive):
            print(f"{primitive}: a value that is wrong is not noticed")
            return 1
    return seeds.run(options, check_seed, "graphs")


if __name__ == "__main__":
    sys.exit(main())
