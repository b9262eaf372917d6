#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent closure for small cases: it shares no code and no algorithm with the engine.

There is no normal form here: the right side of a rule is evaluated as an expression over relations
(composition, union, inverse, closure), for every value of its index variables, until nothing
changes. A variable that occurs inside a repeated part only is chosen anew in each round.

    closure.py GRAPH.tsv GRAMMAR.cfg            prints expected.tsv: every pair of every nonterminal
    closure.py --check DIR...                   compares DIR/expected.tsv with what it should be

`source target label[index]` lines, names or numbers; grammars in our own syntax
(docs/reference/grammar.md).
"""
import itertools
import os
import re
import sys

EMPTY = ("eps", "epsilon", "EPSILON", "ε")
TOKEN = re.compile(r'\s+|#[^\n]*|(?P<define>::=)|(?P<directive>%[a-z]+\b(?!\d))'
                   r'|(?P<quoted>"(?:\\.|[^"\\])*")|(?P<sign>[()\[\]|?*+~;])'
                   r'|(?P<word>[^\s()\[\]|?*+~;"#]+)')


def tokens(text):
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise SyntaxError(f"cannot read: {text[at:at + 20]!r}")
        at = found.end()
        if found.lastgroup:
            line_start = not text[:found.start()].rpartition("\n")[2].strip()
            yield found.lastgroup, found.group(), line_start
    yield "end", "", True


class Parser:
    """Rules as (left, left index, expression); an index is None, ('var', i) or ('const', text)."""

    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0
        self.rules = []
        self.filters = {}  # symbol: expression
        self.start = None
        while self.peek()[0] != "end":
            if self.peek()[0] == "directive":
                self.directive()
            elif self.peek()[1] == ";":
                self.at += 1
            else:
                self.rule()

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def directive(self):
        if self.take()[1] == "%filter":
            symbol, labels = self.take()[1], []
            while not self.peek()[2] and self.peek()[1] != ";":
                labels.append(self.factor())
            self.filters[symbol] = ("concat", labels)
        while not self.peek()[2] and self.peek()[1] != ";":
            self.take()

    def index(self):
        if self.peek()[1] != "[":
            return None
        self.take()
        kind, text, _ = self.take()
        assert self.take()[1] == "]"
        if kind == "quoted":
            return "const", text[1:-1]
        return ("const", text) if text[0].isdigit() else ("var", text)

    def starts_rule(self):
        """symbol [index] ::= ahead?"""
        if self.peek()[0] not in ("word", "quoted"):
            return False
        ahead = 4 if self.peek(1)[1] == "[" else 1
        return self.peek(ahead)[0] == "define"

    def rule(self):
        left, index = self.take()[1].strip('"'), self.index()
        assert self.take()[0] == "define"
        self.rules.append((left, index, self.alternatives()))

    def alternatives(self):
        parts = [self.sequence()]
        while self.peek()[1] == "|":
            self.take()
            parts.append(self.sequence())
        return "alt", parts

    def sequence(self):
        parts = []
        while (self.peek()[0] not in ("end", "directive") and self.peek()[1] not in ("|", ")", ";")
               and not self.starts_rule()):
            parts.append(self.factor())
        return "concat", parts

    def factor(self):
        if self.peek()[1] == "~":
            self.take()
            return "inverse", self.factor()
        if self.peek()[1] == "(":
            self.take()
            body = self.alternatives()
            assert self.take()[1] == ")"
        else:
            kind, text, _ = self.take()
            body = (("concat", []) if kind == "word" and text in EMPTY else
                    ("symbol", text.strip('"'), self.index()))
        while self.peek()[1] in ("?", "*", "+"):
            body = (self.take()[1], body)
        return body


def variables(node, found):
    if node[0] == "symbol":
        if node[2] and node[2][0] == "var":
            found.add(node[2][1])
    elif node[0] in ("alt", "concat"):
        for part in node[1]:
            variables(part, found)
    else:
        variables(node[1], found)
    return found


def compose(a, b):
    by_source = {}
    for source, target in b:
        by_source.setdefault(source, []).append(target)
    return {(source, end) for source, middle in a for end in by_source.get(middle, ())}


class Closure:
    def __init__(self, edges, vertices, rules, filters):
        self.identity = {(v, v) for v in vertices}
        self.rules = rules
        self.relation = {}
        for source, target, label in edges:
            self.relation.setdefault(label, set()).add((source, target))
        self.indexes = sorted({index for _, index in self.relation if index is not None})
        for constants in (self.constants(rule[2]) | self.constants(("symbol", rule[0], rule[1]))
                          for rule in rules):
            self.indexes = sorted(set(self.indexes) | constants)
        self.kept, self.filters = {}, filters
        # a variable has a value even where no label has an index
        self.indexes = self.indexes or [""]

    def constants(self, node):
        if node[0] == "symbol":
            return {node[2][1]} if node[2] and node[2][0] == "const" else set()
        if node[0] in ("alt", "concat"):
            return set().union(*(self.constants(part) for part in node[1]))
        return self.constants(node[1])

    @staticmethod
    def key(name, index, binding):
        if index is None:
            return name, None
        return name, binding[index[1]] if index[0] == "var" else index[1]

    def rounds(self, body, binding, outer):
        """One round of a repetition: its own variables take every value."""
        own = sorted(variables(body, set()) - outer)
        return set().union(*(self.value(body, {**binding, **dict(zip(own, values))}, outer)
                             for values in itertools.product(self.indexes, repeat=len(own))))

    def value(self, node, binding, outer):
        """The pairs of an expression; `outer` are the variables that occur around it."""
        kind = node[0]
        if kind == "symbol":
            return self.relation.get(self.key(node[1], node[2], binding), set())
        if kind == "alt":
            return set().union(*(self.value(part, binding, outer) for part in node[1]))
        if kind == "concat":
            result = self.identity
            for i, part in enumerate(node[1]):
                around = outer.union(*(variables(other, set())
                                       for other in node[1][:i] + node[1][i + 1:]))
                result = compose(result, self.value(part, binding, around))
            return result
        if kind == "inverse":
            return {(target, source)
                    for source, target in self.value(node[1], binding, outer)}
        if kind == "?":
            return self.value(node[1], binding, outer) | self.identity
        inner = self.rounds(node[1], binding, outer)
        closed = set(inner)
        while True:
            more = closed | compose(closed, inner)
            if more == closed:
                break
            closed = more
        return closed | self.identity if kind == "*" else closed

    def apply(self, left, index, alternative):
        outer = variables(("symbol", left, index), set())
        names = sorted(variables(alternative, set(outer)))
        changed = False
        for values in itertools.product(self.indexes, repeat=len(names)):
            binding = dict(zip(names, values))
            pairs = self.value(alternative, binding, outer)
            if left in self.filters:
                pairs = self.filtered(left, pairs)
            known = self.relation.setdefault(self.key(left, index, binding), set())
            if not pairs <= known:
                known |= pairs
                changed = True
        return changed

    def filtered(self, symbol, pairs):
        """Those that a path of the filter's labels joins; what has no such path at all is kept."""
        if symbol not in self.kept:
            path = self.value(self.filters[symbol], {}, set())
            first = self.value(self.filters[symbol][1][0], {}, set())
            self.kept[symbol] = path, {source for source, _ in first}
        path, bound = self.kept[symbol]
        return {pair for pair in pairs if pair in path or pair[0] not in bound}

    def run(self):
        for symbol, index in list(self.relation):  # edges of the graph, too
            if symbol in self.filters:
                pairs = self.relation[symbol, index]
                self.relation[symbol, index] = self.filtered(symbol, pairs)
        changed = True
        while changed:
            changed = False
            for left, index, body in self.rules:
                for alternative in body[1]:
                    changed |= self.apply(left, index, alternative)


def read_graph(path):
    edges, tokens_seen = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if not words:
                continue
            source, target, label = words
            name, _, index = label.rstrip("]").partition("[")
            if name.startswith("~"):
                source, target, name = target, source, name[1:]
            edges.append((source, target, (name, index or None)))
            tokens_seen += words[:2]
    if all(token.isdigit() for token in tokens_seen):
        vertices = [str(v) for v in range(max((int(t) for t in tokens_seen), default=-1) + 1)]
    else:
        vertices = list(dict.fromkeys(tokens_seen))
    return edges, vertices


def expected(graph, grammar):
    edges, vertices = read_graph(graph)
    with open(grammar, encoding="utf-8") as file:
        parser = Parser(file.read())
    closure = Closure(edges, vertices, parser.rules, parser.filters)
    closure.run()
    left = {rule[0] for rule in parser.rules}
    lines = []
    for (name, index), pairs in closure.relation.items():
        if name in left:
            label = name if index is None else f"{name}[{index}]"
            lines += [f"{source}\t{target}\t{label}\n" for source, target in pairs]
    return "".join(sorted(lines))


def main():
    if sys.argv[1] != "--check":
        sys.stdout.write(expected(sys.argv[1], sys.argv[2]))
        return 0
    wrong = 0
    cases = [path for path in sys.argv[2:] if os.path.isdir(path)]
    for case in cases:
        with open(os.path.join(case, "expected.tsv"), encoding="utf-8") as file:
            if file.read() != expected(os.path.join(case, "graph.tsv"),
                                       os.path.join(case, "grammar.cfg")):
                print(f"{case}: expected.tsv is not what the oracle says")
                wrong += 1
    print(f"{len(cases)} cases, {wrong} wrong")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
