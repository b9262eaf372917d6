# SPDX-License-Identifier: Apache-2.0
"""Random grammars and graphs to solve, as texts and files.

`Pair(seed)` has the text of a grammar, and a graph as `edges` (sets of pairs of vertices by label
name and index), `vertices` (how many) and `names` (None where vertices are numbers). `write_graph`
writes it in `format`, which is one of those that the graph can be written in. The same seed gives
the same pair.

Grammars have all that docs/reference/grammar.md lists: groups, options, repetitions, converses of
everything, empty words in each spelling, index variables that are bound, free, projected, shared by
rounds or their own, and constants, nonterminals that derive nothing or need each other, transitive
rules, filters, edges that carry a nonterminal's name. Most alternatives are short, so that
relations are neither empty nor full.
"""
import gzip
import lzma
import os
import random

import automata

PLAIN = ["a", "b", "rdf:type", "ü"]  # labels
INDEXED = ["f", "g-h"]
NONTERMINALS = ["S", "A", "B", "Long_name", "C'", "D+", "E"]  # those behind are quoted
FAMILIES = ["P", "Q", "Käse"]
INDEXES = ["1", "2", "x", "a.b", "é"]
NUMBERS = ["1", "2", "77", "010"]
NAMES = ["main", "p", "x'y", 'q"', "-1", "a#b", "%s", "ü", "~v", "[w]", "1e3", "0x1", "$", "n;m",
         "(k)", "a,b", "_"]


class Writer:
    """The text of a grammar."""

    def __init__(self, dice, labels, indexed, indexes):
        self.dice, self.labels, self.indexed, self.indexes = dice, labels, indexed, indexes
        self.nonterminals = dice.sample(NONTERMINALS, dice.randint(1, len(NONTERMINALS)))
        self.families = dice.sample(FAMILIES, dice.randint(0, len(FAMILIES))) if indexed else []
        self.fresh = 0

    @staticmethod
    def spell(name):
        """A symbol as the grammar writes it."""
        return f'"{name}"' if set(name) & set(":+") else name

    def index(self, bound):
        kind = self.dice.random()
        if bound and kind < 0.6:
            return f"[{self.dice.choice(bound)}]"
        if kind < 0.85:
            self.fresh += 1
            return f"[v{self.fresh}]"
        index = self.dice.choice(self.indexes)
        return f"[{index}]" if index[0].isdigit() and self.dice.random() < 0.5 else f'["{index}"]'

    def symbol(self, bound):
        back = "~" if self.dice.random() < 0.25 else ""
        families = self.indexed + self.families
        if families and self.dice.random() < (0.6 if bound else 0.25):
            return back + self.spell(self.dice.choice(families)) + self.index(bound)
        if self.dice.random() < 0.04:
            return back + self.dice.choice(["eps", "ε", "()"])
        return back + self.spell(self.dice.choice(self.labels + self.nonterminals))

    def binding(self, variable):
        """A symbol that binds the variable."""
        back = "~" if self.dice.random() < 0.3 else ""
        return f"{back}{self.spell(self.dice.choice(self.indexed + self.families))}[{variable}]"

    def factor(self, bound, depth):
        if depth == 0 or self.dice.random() < 0.7:
            operator = self.dice.choice("?*+") if self.dice.random() < 0.15 else ""
            return self.symbol([] if operator in ("*", "+") else bound) + operator
        operator = self.dice.choice(["", "?", "*", "+"])
        inner = bound
        if operator in ("*", "+"):  # rounds share one index, in each choice, or none
            if bound and self.dice.random() < 0.4:
                shared = self.dice.choice(bound)
                parts = [f"{self.factor([], 0)} {self.binding(shared)}"
                         for _ in range(self.dice.randint(1, 2))]
                return f"({' | '.join(parts)}){operator}"
            self.fresh += 1
            inner = [f"v{self.fresh}"] if self.indexed else []
        parts = [self.sequence(inner, depth - 1) for _ in range(self.dice.choice([1, 2, 2, 3]))]
        back = "~" if self.dice.random() < 0.2 else ""
        return f"{back}({' | '.join(parts)}){operator}"

    def sequence(self, bound, depth):
        return " ".join(self.factor(bound, depth)
                        for _ in range(self.dice.choice([1, 1, 2, 2, 2, 3, 4])))

    def alternative(self, variable):
        if variable is None and self.dice.random() < 0.08:
            return self.dice.choice(["", "eps", "ε", "()"])
        bound = [variable or "i"] if self.indexed and self.dice.random() < 0.7 else []
        text = self.sequence(bound, self.dice.choice([0, 0, 1, 2]))
        if bound and self.dice.random() < 0.15:  # one variable inside of the other
            i, j = bound[0], "j"
            text = " ".join([self.binding(i), self.binding(j), self.sequence([], 0),
                             self.binding(j), self.binding(i)])
        if variable is None:
            return text
        if self.dice.random() < 0.5:
            bound = self.binding(variable)
            return f"{bound} {text}" if self.dice.random() < 0.6 else bound
        return f"{text} {self.binding(variable)}"

    def rule(self, name):
        """One rule, of several alternatives."""
        left, variable = self.spell(name), None
        if name in self.families:
            variable = "i" if self.dice.random() < 0.85 else None
            left += "[i]" if variable else f'["{self.dice.choice(self.indexes)}"]'
        elif self.dice.random() < 0.12:  # transitive
            return f"{left} ::= {left} {left} | {self.spell(self.dice.choice(self.labels))}"
        elif self.dice.random() < 0.06:
            return f"{left} ::= {left} {self.symbol([])}"  # derives nothing, if that is all
        elif self.dice.random() < 0.06:
            return f"{left} ::= ({self.sequence([], 1)}){self.dice.choice('*+')}"
        between = self.dice.choice([" | ", "\n    | ", " |  # or\n  "])
        return f"{left} ::= " + between.join(self.alternative(variable)
                                             for _ in range(self.dice.choice([1, 1, 2, 3])))

    def filter(self, text):
        """A filter of a symbol that is not empty."""
        nullable = {name for (name, _), pairs in automata.solve(text, 1, {})[1].items() if pairs}
        names = [name for name in self.nonterminals + self.families if name not in nullable]
        if not names:
            return ""
        steps = [self.dice.choice(["", "", "~"]) + self.spell(self.dice.choice(self.labels))
                 for _ in range(self.dice.choice([1, 2, 3]))]
        return f"%filter {self.spell(self.dice.choice(names))} {' '.join(steps)}\n"

    def answer(self, question, names):
        """A symbol, or a plain one and its converse."""
        name = self.dice.choice(names)
        meets = question != "points-to" and name in self.nonterminals and self.dice.random() < 0.4
        return f"{self.spell(name)} ~{self.spell(name)}" if meets else self.spell(name)

    def grammar(self):
        names = self.nonterminals + self.families
        names += [self.dice.choice(names) for _ in range(self.dice.randint(0, 2))]
        self.dice.shuffle(names)
        lines = [self.rule(name) + self.dice.choice(["\n", ";\n", "  # a rule\n"])
                 for name in names]
        lines.append(f"%start {self.spell(self.dice.choice(names))}\n")
        for question in ("alias", "points-to", "flows"):
            if self.dice.random() < 0.5:
                lines.insert(0, f"%answer {question} {self.answer(question, names)}\n")
        if self.dice.random() < 0.3:
            listed = [self.spell(label) for label in self.labels + self.nonterminals]
            listed += [self.spell(label) + "[i]" for label in self.indexed + self.families]
            lines.insert(0, f"%terminal {' '.join(listed)}\n")
        text = "".join(lines)
        return text + (self.filter(text) if self.dice.random() < 0.35 else "")


class Pair:
    FORMATS = ["tsv", "tsv", "names", "unlisted", "digits", "cflg", "packed", "pocr", "gracfl",
               "cfpq", "souffle", "spaced", "list", "mtx", "dimacs"]

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.seed, self.format = seed, self.dice.choice(self.FORMATS)
        self.names = None
        labels, indexed, indexes = self.labels()
        self.vertices = self.dice.choice([0, 1, 2, 3, 5, 8, 8, 12, 12, 20])
        self.edges = {}
        writer = Writer(self.dice, labels, indexed, indexes)
        self.grammar = writer.grammar()
        self.draw_edges(writer, labels, indexed, indexes)
        self.lines = self.draw_lines()
        self.settle_vertices()

    def labels(self):
        """Which labels and indexes the format can write."""
        if self.format in ("list", "mtx", "dimacs"):
            return ["e"], [], INDEXES
        indexes = NUMBERS if self.format in ("gracfl", "cfpq") else INDEXES
        indexed = INDEXED[:self.dice.choice([0, 1, 2, 2])]
        plain = PLAIN[:self.dice.randint(1, len(PLAIN))]
        return plain, indexed, indexes[:self.dice.randint(1, len(indexes))]

    def draw_edges(self, writer, labels, indexed, indexes):
        if self.vertices == 0:
            return
        near = self.dice.random() < 0.3  # chains and grids, else anything
        for _ in range(int(self.vertices * self.dice.choice([0, 0.5, 1, 1, 1.5, 2])
                           + self.dice.randint(0, 2))):
            source = self.dice.randrange(self.vertices)
            target = (source + 1) % self.vertices if near else self.dice.randrange(self.vertices)
            label = self.dice.choice(labels), None
            if indexed and self.dice.random() < 0.4:
                label = self.dice.choice(indexed), self.dice.choice(indexes)
            elif labels != ["e"] and self.dice.random() < 0.03 and self.format != "gracfl":
                label = self.dice.choice(writer.nonterminals), None
                if writer.families and self.dice.random() < 0.3:
                    label = self.dice.choice(writer.families), self.dice.choice(indexes)
            for name in self.dice.choice([[label], [label], [label],
                                          [label, (self.dice.choice(labels), None)]]):
                self.edges.setdefault(name, set()).add((source, target))

    def draw_lines(self):
        """source, target, name, index of each edge, some twice, in the order in which they are
        written."""
        lines = [(*pair, *label) for label, pairs in self.edges.items() for pair in sorted(pairs)
                 for _ in range(self.dice.choice([1, 1, 1, 2]))]
        self.dice.shuffle(lines)
        if self.format in ("souffle", "spaced"):
            lines.sort(key=lambda line: line[2].encode())
        return lines

    def settle_vertices(self):
        """Names, and which vertices there are where the format does not say how many."""
        ends = [vertex for line in self.lines for vertex in line[:2]]
        if self.format in ("unlisted", "spaced"):  # vertices are numbered as they appear
            number = {vertex: k for k, vertex in enumerate(dict.fromkeys(ends))}
            self.lines = [(number[source], number[target], *label) for source, target,
                          *label in self.lines]
            self.edges = {label: {(number[s], number[t]) for s, t in pairs} for label,
                          pairs in self.edges.items()}
            self.vertices = len(number)
        elif self.format not in ("tsv", "names", "digits", "cflg", "packed", "mtx", "dimacs"):
            self.vertices = max(ends, default=-1) + 1
        if self.format in ("names", "unlisted", "spaced") and ends:
            known = [name for name in self.dice.sample(NAMES, len(NAMES)) if name != "-1"
                     or self.format == "names"]
            known += [f"n{k}" for k in range(self.vertices)]
            self.names = [f"a {name}" if self.format == "spaced" else name
                          for name in known[:self.vertices]]
        if self.format == "digits" and ends:
            self.names = [str(k) for k in self.dice.sample(range(100), self.vertices)]

    def words(self):
        """The lines with vertices as they are called."""
        return [(*(str(v) if self.names is None else self.names[v] for v in line[:2]), *line[2:])
                for line in self.lines]

    def write_graph(self, folder, convert):
        """Writes the graph; its path, and the name of its format. convert(from, to) makes a
        .cflg."""
        path = os.path.join(folder, f"graph{self.seed}")
        if self.format == "cflg":
            self.write(path + ".tsv", self.tsv())
            convert(path + ".tsv", path + ".cflg")
            return path + ".cflg", "auto"
        if self.format == "packed":
            with self.dice.choice([gzip.open, lzma.open])(path, "wt", encoding="utf-8") as file:
                file.write(self.tsv())
            return path, "tsv"
        if self.format in ("souffle", "spaced"):
            return self.souffle(path), "souffle"
        text = {"pocr": self.pocr, "gracfl": self.gracfl, "cfpq": self.cfpq, "list": self.list,
                "mtx": self.mtx, "dimacs": self.dimacs}.get(self.format, self.tsv)()
        self.write(path, text)
        known = self.format if self.format in ("pocr", "gracfl", "cfpq", "mtx", "dimacs") else "tsv"
        return path, self.dice.choice([known, "auto"]) if known in ("mtx", "dimacs") else known

    @staticmethod
    def write(path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def turned(self):
        """Whether to write an edge as its converse."""
        return self.format != "unlisted" and self.dice.random() < 0.2

    def tsv(self):
        lines = [] if self.names else [f"# vertices {self.vertices}"]
        lines += [f"#@ {name}" for name in self.names or () if self.format != "unlisted"]
        for source, target, name, index in self.words():
            label = name if index is None else f"{name}[{index}]"
            if self.turned():
                source, target, label = target, source, "~" + label
            lines.append(self.dice.choice(["\t", " ", " \t "]).join((source, target, label)))
        return "".join(line + self.dice.choice(["\n", "\n", "\r\n", "\n# more\n", "\n\n"])
                       for line in lines)

    def pocr(self):
        lines = []
        for source, target, name, index in self.words():
            back = "bar" if self.turned() else ""
            words = [source, target, name + back] if index is None else [source, target,
                                                                         name + back + "_i", index]
            if back:
                words[:2] = [target, source]
            lines.append("\t".join(words) + "\n")
        return "".join(lines)

    def gracfl(self):
        lines = []
        for source, target, name, index in self.words():
            label = name if index is None else f"{name}_{index}"
            if self.turned():
                source, target = target, source
                barred = name + "bar" + label[len(name):]
                label = "-" + label if self.dice.random() < 0.5 else barred
            lines.append(f"{source} {target} {label}\n")
        return "".join(lines)

    def cfpq(self):
        lines = []
        for source, target, name, index in self.words():
            if self.dice.random() < 0.5 or index is None:
                label = name if index is None else f"{name}_{index}"
                words = [source, target, label]
            else:
                words = [source, target, name + "_i", index]
            if self.turned():
                words = [target, source, words[2] + "_r", *words[3:]]
            lines.append(" ".join(words) + "\n")
        return "".join(lines)

    def souffle(self, path):
        os.makedirs(path)
        lines = self.words()
        for name in {line[2] for line in lines} | {"empty"}:
            with open(f"{path}/{name}.facts", "w", encoding="utf-8") as file:
                file.writelines("\t".join(word for word in (source, target, index)
                                          if word is not None) + "\n"
                                for source, target, label, index in lines if label == name)
        return path

    def list(self):
        return "".join(f"{source} {target}\n" for source, target, _, _ in self.words())

    def mtx(self):
        lines = [(source + 1, target + 1) for source, target, _, _ in self.lines]
        symmetric = self.dice.random() < 0.3
        if symmetric:
            pairs = self.edges.get(("e", None), set())
            lines = sorted({(max(pair) + 1, min(pair) + 1) for pair in pairs})
            self.edges = {("e", None): pairs | {pair[::-1] for pair in pairs}} if pairs else {}
        kind = "symmetric" if symmetric else "general"
        head = f"%%MatrixMarket matrix coordinate pattern {kind}\n"
        return head + f"{self.vertices} {self.vertices} {len(lines)}\n" + "".join(
            f"{row} {column}\n" for row, column in lines)

    def dimacs(self):
        return f"p sp {self.vertices} {len(self.lines)}\n" + "".join(
            f"a {source + 1} {target + 1} 1\n" for source, target, _, _ in self.lines)
