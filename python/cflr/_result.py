# SPDX-License-Identifier: Apache-2.0
"""Closures: solving, relations as arrays, questions, derivations.

Sets of targets that rows share stay shared, and those of a file stay in the file: counts, `len` and
`in` do not look at them. What fills an array allocates it once; all threads write into it, in
blocks, between which an interrupt is noticed.
"""
from __future__ import annotations

from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

from cflr import _arrays
from cflr._grammar import Grammar
from cflr._graph import Graph, Name, Rows
from cflr._native import (NO_LABEL, PARTIAL, Context, ProgressCallback, Through, check, encoded,
                          ffi, lib, made, new_error, number_of, own, text, view_of, word, words)

_BLOCK = 1 << 24  # targets that are written between two looks for an interrupt


class Step(NamedTuple):
    """One step of a derivation, from one vertex to another; `derivation` of a pair, None: an edge.

    `backwards`: the edge, or pair, is one from `target` to `source`.
    """

    symbol: str
    source: int
    target: int
    backwards: bool
    derivation: Optional[Derivation]


class Derivation(NamedTuple):
    """Why a pair is in a closure: a path of edges and of pairs that have derivations themselves.

    As text, a line for each step, in the order of the path; `~a(5, 161)` is an edge or pair from
    161 to 5, which the path goes through backwards. The steps of a pair stand below it, as from
    its own source to its target.
    """

    symbol: str
    source: int
    target: int
    steps: list[Step]

    def __str__(self) -> str:
        return "\n".join([f"{self.symbol}({self.source}, {self.target})", *self._lines("    ")])

    def _lines(self, indent: str) -> Iterator[str]:
        for step in self.steps:
            turned = "~" if step.backwards else ""
            yield f"{indent}{turned}{step.symbol}({step.source}, {step.target})"
            if step.derivation:
                yield from step.derivation._lines(indent + "    ")


def solve(graph: Graph, grammar: Union[Grammar, str], *, only: Sequence[str] = (),
          sources: Optional[Iterable[int]] = None, targets: Optional[Iterable[int]] = None,
          pairs: Optional[Iterable[tuple[int, int]]] = None, model: str = "auto",
          threads: int = 0, memory_limit: int = 0, time_limit: float = 0,
          progress: Optional[ProgressCallback] = None) -> Result:
    """Closes a graph under a grammar (a Grammar, or its rules as text).

    `only`: symbols that are asked for. `sources`, `targets`, `pairs`: a question, about no other
    pairs. `memory_limit` is in bytes, `time_limit` in seconds; when a limit is reached, or
    `progress` returns False, the result has what was found, and `complete` is False. Ctrl-C raises
    KeyboardInterrupt at once. Other threads of Python run meanwhile.

    >>> graph = Graph.from_edges([(0, 1, "e"), (1, 2, "e")])
    >>> result = solve(graph, "Reach ::= e | Reach e")
    >>> (0, 2) in result["Reach"], list(result["Reach"][0])
    (True, [1, 2])
    """
    if isinstance(grammar, str):
        grammar = Grammar(grammar)
    context = Context(threads, memory_limit, time_limit, progress)
    options = ffi.new("cflr_solve_opts *")
    lib.cflr_solve_opts_init(options)
    options.model = word("CFLR_MODEL", model)
    kept = [words(only)]
    if only:
        options.only, options.n_only = kept[0][0], kept[0][1]
    for name, vertices in (("from", sources), ("to", targets)):
        if vertices is not None:
            numbers = _arrays.ids(vertices)
            kept.append(_arrays.memory_of(numbers))
            setattr(options, name, kept[-1])
            setattr(options, "n_" + name, len(numbers))
    if pairs is not None:
        kept.append(ffi.new("cflr_pair[]", [(int(u), int(v)) for u, v in pairs]))
        options.pairs, options.n_pairs = kept[-1], len(kept[-1])
    shared = made("cflr_graph", lib.cflr_graph_share, context.pointer, graph._pointer)
    pointer = own(shared, lib.cflr_graph_free, context.pointer, graph._pointer)
    solved = context.make("cflr_result", lib.cflr_result_free, lib.cflr_solve, pointer,
                          grammar._pointer, options, fine=PARTIAL)
    return Result._of(solved, context, graph, grammar, pointer)


class Relation:
    """The pairs of one symbol: all its indexes together ("f"), or one of them ("f[8]").

    `len`, `in`, `count` and `n_rows` do not expand what rows share.
    """

    def __init__(self, result: Result, name: str, label: int, index: Optional[int]) -> None:
        self._result, self.name, self._label, self._index = result, name, label, index
        self._info = ffi.new("cflr_result_label *")
        lib.cflr_result_get_label(result._pointer, label, self._info)

    @property
    def indexes(self) -> list[str]:
        """Indexes that have a pair: [""] of a plain symbol with one."""
        pointer = self._result._pointer
        return [text(lib.cflr_result_label_index(pointer, self._label, i))
                for i in self._instances]

    @property
    def _instances(self) -> range:
        return range(self._info.indexes) if self._index is None else range(self._index,
                                                                           self._index + 1)

    def _must_have_rows(self) -> None:
        if self._info.kind == lib.CFLR_SYMBOL_MEETING:
            raise ValueError(f"{self.name} has no rows: its pairs are found when `in` and [vertex] "
                             "ask for them")

    def _instance(self) -> Optional[int]:
        """The only instance; None when there is no pair."""
        self._must_have_rows()
        if len(self._instances) > 1:
            some = f"{self.name}[{self.indexes[0]}]"
            raise ValueError(f"{self.name} has {len(self._instances)} indexes: take one, {some!r}")
        return next(iter(self._instances), None)

    def __len__(self) -> int:
        """The number of pairs."""
        self._must_have_rows()
        return self._info.pairs if self._index is None else int(self._offsets()[-1])

    def __repr__(self) -> str:
        meets = self._info.kind == lib.CFLR_SYMBOL_MEETING
        return f"<Relation {self.name}: {'found when asked for' if meets else len(self)} pairs>"

    def __contains__(self, pair: tuple[Name, Name]) -> bool:
        find = self._result.graph.find
        pairs = ((u, v) for u in find(pair[0]) for v in find(pair[1]))
        if self._index is not None:
            return any(v in self[u] for u, v in pairs)
        has = lib.cflr_result_has
        found = any(has(self._result._pointer, self._label, u, v) for u, v in pairs)
        self._result._check_answers()
        return found

    def count(self, vertex: int) -> int:
        """How many targets a vertex has; targets of several indexes count each time."""
        self._must_have_rows()
        vertex = number_of(vertex, "vertex")
        return sum(lib.cflr_result_count(self._result._pointer, self._label, i, vertex)
                   for i in self._instances)

    def __getitem__(self, vertex: Name) -> Any:
        """The targets of a vertex, ascending, as an array."""
        vertices = self._result.graph.find(vertex)
        i = self._index if self._index is not None else 0
        if len(vertices) != 1 or len(self._instances) != 1:
            return self._result._targets(self._label, vertices)
        row, error = ffi.new("cflr_row *"), new_error()
        status = lib.cflr_result_row(self._result._pointer, self._label, i, vertices[0], row, error)
        target = own(row.target, lambda old: lib.cflr_row_free(row), self._result._pointer)
        check(status, error)
        return _arrays.view(target, row.count)

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        """Vertices that have targets, and these, row by row."""
        offsets = self._offsets()
        for vertex in range(len(offsets) - 1):
            if offsets[vertex + 1] > offsets[vertex]:
                yield vertex, self[vertex]

    # ---- as arrays ----

    def _offsets(self, vertices: Any = None) -> Any:
        """Offsets of the rows of some vertices, of all if None; of one index."""
        n = self._result.graph.n_vertices if vertices is None else len(vertices)
        offsets, i = _arrays.empty(n + 1, "uint64_t"), self._instance()
        memory = _arrays.memory_of(offsets, "uint64_t")
        if i is None:
            ffi.memmove(memory, bytes(8 * (n + 1)), 8 * (n + 1))
        else:
            lib.cflr_result_offsets(self._result._pointer, self._label, i, _some(vertices), n,
                                    memory)
        return offsets

    def _fill(self, offsets: Any, vertices: Any = None) -> Any:
        """The targets that the offsets tell of, in an array that is allocated here."""
        targets, i = _arrays.empty(int(offsets[-1])), self._instance()
        if i is None or not len(targets):
            return targets
        if vertices is None:  # blocks need numbers to begin with
            vertices = _arrays.first_ids(len(offsets) - 1)
        rows, starts = _some(vertices), _arrays.memory_of(offsets, "uint64_t")
        into, error = _arrays.memory_of(targets), new_error()
        for begin, end in _blocks(offsets):
            check(lib.cflr_result_fill(self._result._pointer, self._label, i, rows + begin,
                                       end - begin, starts + begin, into, error), error)
        return targets

    def csr(self) -> tuple[Any, Any]:
        """All pairs as compressed sparse rows: n_vertices + 1 offsets (uint64), targets (uint32).

        The targets are written once, into the array that is returned.
        """
        offsets = self._offsets()
        return offsets, self._fill(offsets)

    def rows(self, vertices: Iterable[int]) -> Rows:
        """The rows of these vertices, in their order."""
        asked = _arrays.ids(vertices)
        offsets = self._offsets(asked)
        return Rows(asked, offsets, self._fill(offsets, asked))

    def shared(self) -> tuple[Any, Rows]:
        """All rows, each different set once: the row of vertex v is row number of[v] of `rows`.

        Returns `of` and `rows`; what no other vertex shares is a row of its own. So 10 billion
        pairs fit into memory where their sets do (needs NumPy).
        """
        numpy = _arrays.need_numpy("shared")
        n = self._result.graph.n_vertices
        alike, error, i = _arrays.empty(n), new_error(), self._instance()
        if i is None:
            return numpy.zeros(n, "uint32"), self.rows([])
        check(lib.cflr_result_alike(self._result._pointer, self._label, i, ffi.NULL, n,
                                    _arrays.memory_of(alike), error), error)
        first, of = numpy.unique(alike, return_inverse=True)
        return of.astype("uint32"), self.rows(first)

    def pairs(self) -> tuple[Any, Any]:
        """Sources and targets of all pairs, sorted (needs NumPy)."""
        numpy = _arrays.need_numpy("pairs")
        offsets, targets = self.csr()
        counts = numpy.diff(offsets).astype("int64")
        return numpy.repeat(numpy.arange(len(counts), dtype="uint32"), counts), targets

    def to_scipy(self) -> Any:
        """The pairs as a scipy.sparse.csr_matrix of True.

        Targets are used as they were written, as int32, while there are less than 2**31 pairs; for
        more SciPy needs numbers of 64 bits, which are a copy.
        """
        from scipy.sparse import csr_matrix
        numpy = _arrays.need_numpy("to_scipy")
        offsets, targets = self.csr()
        n, most = self._result.graph.n_vertices, 2 ** 31
        small = len(targets) < most and n < most
        kind = numpy.int32 if small else numpy.int64
        matrix = csr_matrix((n, n), dtype=bool)
        matrix.indptr = offsets.astype(kind)
        matrix.indices = targets.view(kind) if small else targets.astype(kind)
        matrix.data = numpy.ones(len(targets), bool)
        matrix.has_sorted_indices = matrix.has_canonical_format = True
        return matrix

    def to_pandas(self) -> Any:
        """A frame of source and target, sorted."""
        import pandas
        source, target = self.pairs()
        return pandas.DataFrame({"source": source, "target": target}, copy=False)

    def to_networkx(self) -> Any:
        """A networkx.DiGraph of the pairs. For small ones."""
        import networkx
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(self._result.graph.n_vertices))
        for source, targets in self:
            graph.add_edges_from((source, int(target)) for target in targets)
        return graph

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """The rows of all vertices as large_list<uint32>, by the Arrow C data interface."""
        return _arrays.arrow_rows(self.name, *self.csr())


def _some(vertices: Any) -> Any:
    return ffi.NULL if vertices is None else _arrays.memory_of(vertices)


def _blocks(offsets: Any) -> Iterator[tuple[int, int]]:
    """Ranges of rows that have _BLOCK targets or one row."""
    n, begin = len(offsets) - 1, 0
    while begin < n:
        end = min(max(_arrays.place(offsets, int(offsets[begin]) + _BLOCK), begin + 1), n)
        yield begin, end
        begin = end


class Result:
    """A closure: relations by name, and questions about pointers.

    `graph` is what was solved. `complete` is False when a limit has ended the search before.
    """

    graph: Graph
    report: Any = None  # the Report of `analyze`
    _pointer: Any
    _context: Context
    _grammar: Optional[Grammar]

    @classmethod
    def _of(cls, pointer: Any, context: Context, graph: Graph, grammar: Optional[Grammar],
            *needs: Any) -> Result:
        result = cls.__new__(cls)
        result.graph, result._context, result._grammar = graph, context, grammar
        result._pointer = own(pointer, lib.cflr_result_free, context.pointer, graph._pointer,
                              *needs)
        return result

    @classmethod
    def load(cls, path: Any, grammar: Optional[Grammar] = None, *, threads: int = 0,
             memory_limit: int = 0) -> Result:
        """Reads a .cflr file, whose sets stay there until they are asked for.

        `grammar`: the one that it was solved with, for `explain`.
        """
        context = Context(threads, memory_limit)
        loaded = context.make("cflr_result", lib.cflr_result_free, lib.cflr_result_load,
                              context.pointer, encoded(path))
        return cls._owning(loaded, context, grammar)

    @classmethod
    def _owning(cls, pointer: Any, context: Context, grammar: Optional[Grammar]) -> Result:
        """Of a result that owns its graph."""
        held = own(pointer, lib.cflr_result_free, context.pointer)
        graph = Graph.__new__(Graph)
        graph._context = context
        inner = ffi.cast("cflr_graph *", lib.cflr_result_graph(pointer))
        graph._pointer = own(inner, view_of, held)
        result = cls.__new__(cls)
        result.graph, result._context, result._grammar = graph, context, grammar
        result._pointer = held
        return result

    def save(self, path: Any) -> None:
        """Writes a .cflr file with the graph, whole or not at all."""
        error = new_error()
        check(lib.cflr_result_save(self._pointer, encoded(path), error), error)

    def export(self, path: Any, format: str = "auto", symbols: Sequence[str] = ()) -> None:
        """Writes pairs as tsv, ndjson, dot, sqlite, mtx, ...; of the start symbol, or of these."""
        labels = ffi.new("uint32_t[]", [self[name]._label for name in symbols] or 1)
        error = new_error()
        check(lib.cflr_result_export(self._pointer, labels if symbols else ffi.NULL, len(symbols),
                                     encoded(path), word("CFLR_GRAPH", format), error), error)

    @property
    def complete(self) -> bool:
        return lib.cflr_result_complete(self._pointer)

    @property
    def symbols(self) -> list[str]:
        """Names of all symbols that the result has, in the order of the grammar."""
        return [self._label_info(i).name for i in range(lib.cflr_result_labels(self._pointer))]

    def _label_info(self, label: int) -> Relation:
        info = ffi.new("cflr_result_label *")
        lib.cflr_result_get_label(self._pointer, label, info)
        return Relation(self, text(info.name), label, None)

    def __len__(self) -> int:
        """The number of pairs of all symbols."""
        stats = ffi.new("cflr_result_stats *")
        lib.cflr_result_get_stats(self._pointer, stats)
        return stats.pairs

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Result: {len(self)} pairs{'' if self.complete else ', not complete'}>"

    def __contains__(self, name: str) -> bool:
        return lib.cflr_result_find_label(self._pointer, name.encode()) != NO_LABEL

    def __getitem__(self, name: str) -> Relation:
        """The relation of a symbol: "V"; of one index: "f[8]"."""
        label = lib.cflr_result_find_label(self._pointer, name.encode())
        if label != NO_LABEL:
            return Relation(self, name, label, None)
        symbol, bracket, index = name.partition("[")
        label = lib.cflr_result_find_label(self._pointer, symbol.encode())
        if label == NO_LABEL or not bracket or not index.endswith("]"):
            raise KeyError(name)
        indexes = Relation(self, symbol, label, None).indexes
        if index[:-1] not in indexes:
            raise KeyError(name)
        return Relation(self, name, label, indexes.index(index[:-1]))

    def rows(self, symbol: Optional[str] = None) -> tuple[Any, Any]:
        """The pairs of a symbol (None: the start symbol) as compressed sparse rows."""
        return (self[symbol] if symbol else self.start).csr()

    @property
    def start(self) -> Relation:
        """The relation of the start symbol."""
        label = lib.cflr_result_start(self._pointer)
        if label == NO_LABEL:
            raise KeyError("the result does not hold the start symbol")
        return self._label_info(label)

    # ---- questions ----

    def _check_answers(self) -> None:
        error = new_error()
        check(lib.cflr_result_failure(self._pointer, error), error)

    def _targets(self, label: int, vertices: Sequence[int]) -> Any:
        found, error = ffi.new("cflr_vertex_list *"), new_error()
        numbers = ffi.new("uint32_t[]", list(vertices) or 1)
        status = lib.cflr_result_targets(self._pointer, label, numbers, len(vertices), found, error)
        check(status, error)
        context = self._context.pointer

        def free(old: Any) -> None:
            lib.cflr_vertex_list_free(context, found)

        return _arrays.view(own(found.vertices, free, self._pointer), found.count)

    def _answer(self, question: str) -> int:
        symbol = lib.cflr_result_answer(self._pointer, question.encode())
        label = lib.cflr_result_find_label(self._pointer, symbol)
        if label == NO_LABEL:
            raise ValueError(f"the result does not answer {question}")
        return label

    def alias(self, p: Name, q: Name) -> Through:
        """May p and q hold the same address? Through.NOTHING, which is false, or by whose doing."""
        self._answer("alias")
        answers = [Through(lib.cflr_result_alias(self._pointer, u, v))
                   for u in self.graph.find(p) for v in self.graph.find(q)]
        self._check_answers()
        return min((a for a in answers if a), default=Through.NOTHING)

    def points_to(self, p: Name) -> Any:
        """The objects that p may point to, as an array of vertices."""
        return self._targets(self._answer("points-to"), self.graph.find(p))

    def aliases(self, p: Name) -> Any:
        """All vertices that may hold the address that p holds, as an array."""
        return self._targets(self._answer("alias"), self.graph.find(p))

    def explain(self, symbol: str, source: Name, target: Name) -> Optional[Derivation]:
        """Why a pair is in the closure: a derivation with few levels and short paths.

        None when the pair is not there, or the search, which is bounded, found nothing.
        """
        if self._grammar is None:
            raise ValueError("explain needs the grammar: Result.load(path, grammar)")
        name, _, index = symbol.partition("[")
        explainer = made("cflr_explainer", lib.cflr_explainer_new, self._grammar._pointer,
                         self._pointer)
        explainer = own(explainer, lib.cflr_explainer_free, self._grammar._pointer, self._pointer)
        n, error = ffi.new("size_t *"), new_error()
        for u in self.graph.find(source):
            for v in self.graph.find(target):
                check(lib.cflr_explain(explainer, name.encode(), index.rstrip("]").encode(), u, v,
                                       0, n, error), error)
                if n[0]:
                    return _derivations(explainer, n[0])
        return None


def _derivations(explainer: Any, n: int) -> Derivation:
    """The first of n derivations. A step is about one with a greater number."""
    found: list = [None] * n
    raw = ffi.new("cflr_derivation *")
    for i in range(n - 1, -1, -1):
        lib.cflr_explanation(explainer, i, raw)
        steps = []
        for k in range(raw.n_steps):
            step = raw.step[k]
            of = None if step.derivation == lib.CFLR_NO_DERIVATION else found[step.derivation]
            steps.append(Step(_symbol(step), getattr(step, "from"), step.to, step.backwards, of))
        found[i] = Derivation(_symbol(raw), raw.source, raw.target, steps)
    return found[0]


def _symbol(named: Any) -> str:
    index = text(named.index)
    return f"{text(named.symbol)}[{index}]" if index else text(named.symbol)
