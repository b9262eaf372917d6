# SPDX-License-Identifier: Apache-2.0
"""Derivations against a graph and a grammar: each step of a path is an edge of the graph or a pair
that is derived in turn, paths are connected, no derivation rests on itself, and each path spells a
word of its symbol.

The word is looked for by automata.py, which reads the grammar anew and shares nothing with the
engine: a path becomes a graph that is a line, edges carry the labels of its steps, and the symbol
must lead from end to end.

    p <-a- &x -a-> r    r V s    s -a-> q         0 <-a- 1 -a-> 2 -V-> 3 -a-> 4       V(0,4)?

Filters of the grammar are followed along the graph, from the vertices that the line stands for: of
a filtered symbol the line has only pairs that are kept.
"""
import automata


class Filters:
    """Which pairs the filters of a grammar keep, by the labels of the graph alone."""

    def __init__(self, grammar, edges):
        self.steps, self.found = grammar.filters, {}
        named = {label for steps in self.steps.values() for label, _ in steps}
        self.next = {}
        for source, label, _, target in edges:
            if label in named:
                self.next.setdefault((label, False, source), []).append(target)
                self.next.setdefault((label, True, target), []).append(source)

    def kept(self, symbol, vertex):
        """The set of what pairs of the vertex may lead to; None: anything."""
        if (symbol, vertex) not in self.found:
            steps = self.steps[symbol]
            reached = [{vertex}]
            for step in steps:
                reached.append({v for u in reached[-1] for v in self.next.get((*step, u), ())})
            self.found[symbol, vertex] = reached[-1] if reached[1] else None
        return self.found[symbol, vertex]

    def on_line(self, vertices):
        """The same of places on a line."""
        found = {symbol: [self.kept(symbol, vertex) for vertex in vertices]
                 for symbol in self.steps}
        return {symbol: [None if row is None
                         else frozenset(i for i, v in enumerate(vertices) if v in row)
                         for row in rows] for symbol, rows in found.items()}


class Checker:
    def __init__(self, grammar, edges):
        self.grammar, self.edges, self.words = automata.Grammar(grammar), edges, {}
        self.filters = Filters(self.grammar, edges)

    def is_word(self, symbol, index, word, vertices):
        """word: (name, index, backwards) for each step; vertices: where the steps lead, one more"""
        filters = self.filters.on_line(vertices)
        key = (symbol, index, tuple(word), tuple(map(tuple, filters.values())))
        if key not in self.words:
            line = {}
            for i, (name, at, back) in enumerate(word):
                line.setdefault((name, at or None), set()).add((i + 1, i) if back else (i, i + 1))
            made = automata.Automata(self.grammar, automata.indexes_of(self.grammar, line))
            pairs = automata.close(made, len(vertices), line, filters)
            self.words[key] = (0, len(word)) in pairs.get((symbol, index or None), set())
        return self.words[key]

    def faults(self, derivations):
        for number, derivation in enumerate(derivations):
            at, word = derivation["source"]["vertex"], []
            vertices = [at]
            for step in derivation["steps"]:
                yield from self.step_faults(number, derivations, step, at)
                at = step["to"]["vertex"]
                word.append((step["symbol"], step.get("index", ""), step["backwards"]))
                vertices.append(at)
            if at != derivation["target"]["vertex"]:
                yield f"[{number}] ends elsewhere"
            if not self.is_word(derivation["symbol"], derivation.get("index", ""), word, vertices):
                yield f"[{number}] is no {derivation['symbol']}: {word}"

    def step_faults(self, number, derivations, step, at):
        ends = step["from"]["vertex"], step["to"]["vertex"]
        if ends[0] != at:
            yield f"[{number}] has a gap"
        source, target = reversed(ends) if step["backwards"] else ends
        if "derivation" not in step:
            if (source, step["symbol"], step.get("index", ""), target) not in self.edges:
                yield f"[{number}]: no edge {source} {step['symbol']} {target}"
            return
        inner = step["derivation"]
        if not number < inner < len(derivations):
            yield f"[{number}] rests on [{inner}]"
        elif (derivations[inner]["symbol"], derivations[inner]["source"]["vertex"],
              derivations[inner]["target"]["vertex"]) != (step["symbol"], source, target):
            yield f"[{inner}] is another pair"
