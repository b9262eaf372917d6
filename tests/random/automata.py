# SPDX-License-Identifier: Apache-2.0
"""CFL-reachability by recursive automata: a reference that has no normal form and no relations to
join.

A grammar is read as docs/reference/grammar.md says. Each alternative becomes arrows of a
nondeterministic automaton, one automaton for each nonterminal and index that some rule could
define:

    A ::= a (B | ~c)+ d        begin -a-> p -> x -B-> y -> q -d-> end,  x -c backwards-> y,  y -> x

Index variables are filled in while arrows are made, with each index that there is. A variable is
chosen where all its places are parts of one sequence, or at its only place. Thus one that occurs
inside a repeated part only is chosen by the arrows of each round anew, and one that occurs around
the part as well has its value already.

`close` walks all automata at once. A *walk* (state, origin, vertex) says that the automaton has
come from its beginning at `origin` to `state` at `vertex`. A walk that comes to the end of A makes
a pair (origin, vertex) of A, which takes those walks further that wait for A at `origin`, or read A
backwards at `vertex`. All nonterminals begin at all vertices. Each walk is looked at once: O(states
* vertices^2) walks.
"""
import itertools
import re

TOKEN = re.compile(r"""\s+ | \#[^\n]*
    | (?P<quoted> "(?:[^"\\]|\\.)*")
    | (?P<sign> ::= | [|?*+~()\[\];])
    | (?P<word> [^\s|?*+~()\[\];"\#:]+ )""", re.VERBOSE)


class Token:
    def __init__(self, kind, text, begins_line):
        self.kind, self.text, self.begins_line = kind, text, begins_line
        if kind == "quoted":
            self.text = re.sub(r"\\(.)", r"\1", text[1:-1])

    def is_sign(self, signs):
        return self.kind == "sign" and self.text in signs


def read_tokens(text):
    tokens, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"strange sign at {text[at:at + 20]!r}")
        if found.lastgroup:
            before = text[text.rfind("\n", 0, at) + 1:at]
            tokens.append(Token(found.lastgroup, found.group(), not before.strip()))
        at = found.end()
    return tokens + [Token("end", "", True)]


class Grammar:
    """rules: (name, index, expression) for each alternative; answers: symbol of each question, and
    whether its rows meet; filters: what a pair of the symbol must be joined by as well.

    An index is None, ("variable", name) or ("constant", text). An expression is one of
    ("symbol", name, index), ("all", parts), ("one", parts), ("back", part), ("repeat", part,
    least).
    """

    def __init__(self, text):
        self.tokens, self.at = read_tokens(text), 0
        self.rules, self.answers, self.start, self.declared = [], {}, None, set()
        self.filters = {}  # symbol: [(label, whether it is read backwards)]
        while self.tokens[self.at].kind != "end":
            if self.tokens[self.at].is_sign(";"):
                self.at += 1
            elif self.is_directive():
                self.read_directive()
            else:
                self.read_rule()
        self.start = self.start or self.rules[0][0]
        self.defined = {name for name, _, _ in self.rules}
        self.closed = {name for name in self.defined if self.is_closed(name)}

    def is_closed(self, name):
        bodies = [body for left, _, body in self.rules if left == name]
        while len(bodies) == 1 and bodies[0][0] in ("one", "all", "back"):  # ~(x*) is (~x)*
            bodies = [bodies[0][1]] if bodies[0][0] == "back" else bodies[0][1]
        return len(bodies) == 1 and bodies[0][0] == "repeat"

    def is_directive(self):
        token = self.tokens[self.at]
        return token.kind == "word" and token.begins_line and re.fullmatch(r"%[a-z]+", token.text)

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def read_directive(self):
        words = [self.take().text]
        while not self.tokens[self.at].begins_line and not self.tokens[self.at].is_sign(";"):
            words.append(self.take().text)
        if words[0] == "%start":
            self.start = words[1]
        elif words[0] == "%terminal":
            self.declared.update(words[1:])
        elif words[0] == "%answer":
            self.answers[words[1]] = (words[2], len(words) > 3)
        elif words[0] == "%filter":
            self.filters[words[1]] = [(word, words[i + 1] == "~") for i,
                                      word in enumerate(words[2:]) if word != "~"]

    def read_index(self):
        if not self.tokens[self.at].is_sign("["):
            return None
        token = self.tokens[self.at + 1]
        self.at += 3
        constant = token.kind == "quoted" or token.text[0].isdigit()
        return ("constant" if constant else "variable", token.text)

    def begins_rule(self):
        """symbol ::= or symbol[index] ::= at the beginning of a line"""
        name, *others = self.tokens[self.at:self.at + 5]
        if name.kind not in ("word", "quoted") or not name.begins_line:
            return False
        return any(others[i].is_sign(("::=",)) for i in (0, 3) if i < len(others)
                   and (i == 0 or others[0].is_sign("[")))

    def read_rule(self):
        name, index = self.take().text, self.read_index()
        self.at += 1  # ::=
        kind, parts = self.read_alternatives()
        self.rules += [(name, index, part)
                       for part in (parts if kind == "one" else [(kind, parts)])]

    def read_alternatives(self):
        parts = [self.read_sequence()]
        while self.tokens[self.at].is_sign("|"):
            self.at += 1
            parts.append(self.read_sequence())
        return "one", parts

    def read_sequence(self):
        parts = []
        while not (self.tokens[self.at].kind == "end" or self.tokens[self.at].is_sign("|);")
                   or self.is_directive() or self.begins_rule()):
            parts.append(self.read_factor())
        return "all", parts

    def read_factor(self):
        if self.tokens[self.at].is_sign("~"):
            self.at += 1
            return "back", self.read_factor()
        token = self.take()
        if token.is_sign("("):
            part = self.read_alternatives()
            self.at += 1  # )
        elif token.kind == "word" and token.text in ("eps", "epsilon", "EPSILON", "ε"):
            part = "all", []
        else:
            part = "symbol", token.text, self.read_index()
        while self.tokens[self.at].is_sign("?*+"):
            sign = self.take().text
            part = ("one", [("all", []), part]) if sign == "?" else ("repeat", part,
                                                                     0 if sign == "*" else 1)
        return part


def variables(part):
    if part[0] == "symbol":
        return {part[2][1]} if part[2] and part[2][0] == "variable" else set()
    parts = part[1] if part[0] in ("all", "one") else [part[1]]
    return set().union(*map(variables, parts))


def constants(part):
    if part[0] == "symbol":
        return {part[2][1]} if part[2] and part[2][0] == "constant" else set()
    parts = part[1] if part[0] in ("all", "one") else [part[1]]
    return set().union(*map(constants, parts))


class Automata:
    def __init__(self, grammar, indexes):
        self.arrows = []   # of each state: (symbol and index or None, backwards, next state)
        self.ends = {}     # last state: the nonterminal and index that it makes a pair of
        self.begins = {}   # nonterminal and index: first state
        # a variable has a value even where there is no index
        self.indexes = sorted(indexes) or [""]
        for name, index, expression in grammar.rules:
            variable = {index[1]} if index and index[0] == "variable" else set()
            for values in self.choices(variable):
                begin, end = self.nonterminal(self.key(name, index, values))
                self.wire(expression, values, False, begin, end)

    def state(self):
        self.arrows.append([])
        return len(self.arrows) - 1

    def nonterminal(self, key):
        if key not in self.begins:
            self.begins[key] = self.state(), self.state()
            self.ends[self.begins[key][1]] = key
        return self.begins[key]

    def choices(self, names):
        names = sorted(names)
        return [dict(zip(names, chosen))
                for chosen in itertools.product(self.indexes, repeat=len(names))]

    @staticmethod
    def key(name, index, values):
        if not index:
            return name, None
        return name, values[index[1]] if index[0] == "variable" else index[1]

    def wire(self, part, values, backwards, begin, end):
        """Arrows for the expression from one state to another, with values for some variables."""
        if part[0] == "symbol":
            for chosen in self.choices(variables(part) - values.keys()):
                self.arrows[begin].append((self.key(part[1], part[2], {**values, **chosen}),
                                           backwards, end))
        elif part[0] == "back":
            self.wire(part[1], values, not backwards, begin, end)
        elif part[0] == "one":
            for choice in part[1]:
                self.wire(choice, values, backwards, begin, end)
        elif part[0] == "all":
            several = [name for i, step in enumerate(part[1])
                       for name in variables(step) - values.keys()
                       if any(name in variables(other) for other in part[1][:i])]
            for chosen in self.choices(set(several)):
                self.wire_steps(part[1], {**values, **chosen}, backwards, begin, end)
        else:
            before, after = self.state(), self.state()
            self.arrows[begin].append((None, False, before if part[2] else after))
            self.arrows[after] += [(None, False, before), (None, False, end)]
            self.wire(part[1], values, backwards, before, after)

    def wire_steps(self, steps, values, backwards, begin, end):
        for step in reversed(steps) if backwards else steps:
            after = self.state()
            self.wire(step, values, backwards, begin, after)
            begin = after
        self.arrows[begin].append((None, False, end))


def reached(steps, vertex, edges):
    """What the labels lead to; None where the first one leads nowhere."""
    at = {vertex}
    for i, (label, backwards) in enumerate(steps):
        pairs = edges.get((label, None), ())
        at = {s if backwards else t for s, t in pairs if (t if backwards else s) in at}
        if i == 0 and not at:
            return None
    return at


def close(automata, vertices, edges, filters):
    """edges: sets of pairs by symbol and index. Returns the same for all that edges and rules make.
    filters: for a symbol, by vertex, which pairs it may begin; None: any."""
    pairs, sources, targets = {}, {}, {}  # known pairs; by symbol and one end, the other ends
    waiting, seen, walks = {}, set(), []

    def walk(state, origin, vertex):
        if (state, origin, vertex) not in seen:
            seen.add((state, origin, vertex))
            walks.append((state, origin, vertex))

    def add_pair(key, source, target):
        kept = filters[key[0]][source] if key[0] in filters else None
        if kept is not None and target not in kept:
            return
        known = pairs.setdefault(key, set())
        if (source, target) in known:
            return
        known.add((source, target))
        targets.setdefault((key, source), []).append(target)
        sources.setdefault((key, target), []).append(source)
        for state, origin in waiting.get((key, False, source), ()):
            walk(state, origin, target)
        for state, origin in waiting.get((key, True, target), ()):
            walk(state, origin, source)

    for key, given in edges.items():
        for source, target in given:
            add_pair(key, source, target)
    for begin, _ in automata.begins.values():
        for vertex in range(vertices):
            walk(begin, vertex, vertex)
    while walks:
        state, origin, vertex = walks.pop()
        if state in automata.ends:
            add_pair(automata.ends[state], origin, vertex)
        for key, backwards, after in automata.arrows[state]:
            if key is None:
                walk(after, origin, vertex)
                continue
            waiting.setdefault((key, backwards, vertex), []).append((after, origin))
            for other in (sources if backwards else targets).get((key, vertex), ()):
                walk(after, origin, other)
    return pairs


def indexes_of(grammar, edges):
    """Those of the edges, and those that the rules name."""
    found = {index for _, index in edges if index is not None}
    for _, index, expression in grammar.rules:
        found |= constants(expression) | ({index[1]} if index and index[0] == "constant" else set())
    return found


def solve(text, vertices, edges):
    """The grammar, and the pairs of each of its nonterminals and their indexes that has some."""
    grammar = Grammar(text)
    filters = {symbol: [reached(steps, vertex, edges) for vertex in range(vertices)]
               for symbol, steps in grammar.filters.items()}
    pairs = close(Automata(grammar, indexes_of(grammar, edges)), vertices, edges, filters)
    return grammar, {key: found for key, found in pairs.items() if key[0] in grammar.defined}
