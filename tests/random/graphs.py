# SPDX-License-Identifier: Apache-2.0
"""Random plain graphs, as files for `cflr graph`.

`Plain(seed)` has `n` vertices, `lines` (the edges of the file: source, target, weight or None), the
`options` that say what becomes of them, and `graph`, what that is (primitives.py). The same seed
gives the same graph.
"""
import gzip
import random
import struct

import primitives

WEIGHTS = {
    "none": None,
    "whole": [0, 1, 1, 2, 3, 5, 40],
    "negative": [-7, -1, 0, 1, 2, 9],
    "large": [1, 2**30, 2**31 - 1],
    "fraction": [0, 0.1, 0.25, 0.7, 1, 3.3, 1e-9, 1e9, 3e38],
    "negative fraction": [-2.5, -0.1, 0, 0.1, 7.25],
}


class Plain:
    FORMATS = ["text", "text", "mtx", "symmetric", "dimacs", "el32", "wel32", "label", "packed"]

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.seed, self.format = seed, self.dice.choice(self.FORMATS)
        self.weights = self.dice.choice(list(WEIGHTS))
        if self.format in ("el32", "label"):
            self.weights = "none"
        elif self.format == "wel32" or self.format == "dimacs":
            self.weights = self.dice.choice(["whole", "negative", "large"])
        self.n = self.dice.choice([0, 1, 1, 2, 3, 5, 8, 12, 16, 30])
        if self.format == "label":
            self.n = max(self.n, 1)
        self.lines = self.draw_lines()
        if self.format not in ("mtx", "symmetric", "dimacs", "label"):
            self.n = max((end for line in self.lines for end in line[:2]), default=-1) + 1
        self.options = [word for word in ("--undirected", "--drop-loops", "--keep-parallel")
                        if self.dice.random() < 0.35]
        self.is_float = any(weight is not None and weight != int(weight) for _, _,
                            weight in self.lines)

    def draw_lines(self):
        """All over the place, along a line, about one vertex, or on a grid; with loops and parallel
        edges."""
        if self.n == 0:
            return []
        shape, lines = self.dice.choice(["any", "any", "line", "star", "grid", "none"]), []
        count = 0 if shape == "none" else int(self.n * self.dice.choice([0.5, 1, 1.5,
                                                                         3])) + self.dice.randint(0,
                                                                                                  2)
        for _ in range(count):
            u = self.dice.randrange(self.n)
            v = {"line": (u + 1) % self.n, "star": 0,
                 "grid": (u + self.dice.choice([1, 4])) % self.n,
                 }.get(shape, self.dice.randrange(self.n))
            lines.append((u, v) if self.dice.random() < 0.7 else (v, u))
            lines += [(u, u)] * (self.dice.random() < 0.08)
            lines += [lines[-1]] * (self.dice.random() < 0.15)
        chosen = WEIGHTS[self.weights]
        if self.format == "symmetric":
            lines = [(max(line), min(line)) for line in lines]
        if self.format == "label":  # a set of edges; a label without any is none
            lines = list(dict.fromkeys(lines or [(0, 0)]))
        return [(*line, self.dice.choice(chosen) if chosen else None) for line in lines]

    def graph(self, symmetric, weighted):
        """What becomes of the lines by the options, and by what the primitive is about: edges
        without directions, or with weights."""
        edges = [(u, v, (primitives.to_float32(w) if self.is_float else w) if weighted else None)
                 for u, v, w in self.lines]
        twice = [(v, u, w) for u, v, w in edges if u != v]
        if self.format == "symmetric":
            edges += twice
            twice = [(v, u, w) for u, v, w in edges if u != v]
        if symmetric or "--undirected" in self.options:
            edges += twice
        if "--drop-loops" in self.options:
            edges = [edge for edge in edges if edge[0] != edge[1]]
        if "--keep-parallel" not in self.options:
            edges = list(dict.fromkeys(edges))
        return primitives.Graph(self.n, edges, self.is_float)

    # ---- files ----

    def write(self, folder):
        """The words that name the graph."""
        path = f"{folder}/graph{self.seed}"
        if self.format in ("el32", "wel32"):
            path += "." + self.format
            with open(path, "wb") as file:
                for u, v, weight in self.lines:
                    file.write(struct.pack("<II", u, v) if weight is None
                               else struct.pack("<IIi", u, v, weight))
            return [path]
        text = {"mtx": self.mtx, "symmetric": self.mtx, "dimacs": self.dimacs,
                "label": self.labelled,
                }.get(self.format, self.text)()
        with (gzip.open if self.format == "packed" else open)(path, "wt", encoding="utf-8") as file:
            file.write(text)
        return [path, "--label", "a[x]"] if self.format == "label" else [path]

    def text(self):
        lines = [f"{u} {v}\n" if weight is None else f"{u}\t{v} {weight}\n" for u, v,
                 weight in self.lines]
        return "".join(lines) + self.dice.choice(["", "# the end\n"])

    def mtx(self):
        field = "pattern" if self.weights == "none" else "real" if self.is_float else "integer"
        kind = "symmetric" if self.format == "symmetric" else "general"
        head = (f"%%MatrixMarket matrix coordinate {field} {kind}\n"
                f"{self.n} {self.n} {len(self.lines)}\n")
        return head + "".join(f"{u + 1} {v + 1}{'' if weight is None else f' {weight}'}\n"
                              for u, v, weight in self.lines)

    def dimacs(self):
        return f"p sp {self.n} {len(self.lines)}\n" + "".join(f"a {u + 1} {v + 1} {weight}\n"
                                                              for u, v, weight in self.lines)

    def labelled(self):
        edges = "".join(f"{u} {v} a[x]\n" for u, v, _ in self.lines)
        return f"# vertices {self.n}\n{edges}0 0 b\n"
