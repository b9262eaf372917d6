# SPDX-License-Identifier: Apache-2.0
"""Label graphs: from arrays, files and the graphs of other libraries, and back."""
from __future__ import annotations

import re
from typing import Any, Iterable, NamedTuple, Sequence, TypeVar, Union

from cflr import _arrays
from cflr._native import (NO_LABEL, Context, CflrError, check, encoded, ffi, lib, made, new_error,
                          number_of, own, text, view_of, word)

Name = Union[int, str]
G = TypeVar("G", bound="Graph")
_LABEL = re.compile(r"([^\[\]]+)(?:\[(.*)\])?", re.DOTALL)


class Vertex(NamedTuple):
    """Where a vertex comes from; "" and 0 where that is not known (cflr_vertex_info)."""

    number: int
    kind: str
    name: str
    type: str
    function: str
    file: str
    line: int
    column: int
    context: str

    def __str__(self) -> str:
        place = f" ({self.file}:{self.line}:{self.column})" if self.file else ""
        return (self.name or str(self.number)) + place


class Rows(NamedTuple):
    """Rows that are not empty: the targets of vertices[r] are indices[indptr[r]:indptr[r + 1]]."""

    vertices: Any
    indptr: Any
    indices: Any

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """The rows as large_list<uint32>, by the Arrow C data interface."""
        return _arrays.arrow_rows("rows", self.indptr, self.indices)


class _Builder:
    """A graph in the making; `freeze` ends it."""

    pointer = ffi.NULL

    def __init__(self) -> None:
        self.context = Context()
        self.pointer = made("cflr_graph_builder", lib.cflr_graph_builder_new,
                            self.context.pointer)
        self.numbers: dict = {}

    def label(self, name: str) -> int:
        """The number of "a" or "f[8]"."""
        if name in self.numbers:
            return self.numbers[name]
        parts = _LABEL.fullmatch(name)
        if not parts:
            raise ValueError(f"{name!r} is no label: name or name[index]")
        index = ffi.NULL if parts[2] is None else parts[2].encode()
        out, error = ffi.new("uint32_t *"), new_error()
        check(lib.cflr_graph_builder_label(self.pointer, parts[1].encode(), index, out, error),
              error)
        return self.numbers.setdefault(name, out[0])

    def vertex(self, name: str) -> None:
        info, error = ffi.new("cflr_vertex_info *"), new_error()
        kept = ffi.new("char[]", name.encode())
        info.name = kept
        check(lib.cflr_graph_builder_vertex(self.pointer, info, ffi.new("uint32_t *"), error),
              error)

    def edges(self, source: Any, target: Any, label: Any) -> None:
        """Arrays of _arrays.ids."""
        if not len(source) == len(target) == len(label):
            raise ValueError(f"{len(source)} sources, {len(target)} targets, {len(label)} labels")
        error = new_error()
        memory = [_arrays.memory_of(numbers) for numbers in (source, target, label)]
        check(lib.cflr_graph_builder_edges(self.pointer, len(source), *memory, error), error)

    def reach(self, vertices: int, seen: int) -> None:
        """There are at least so many vertices, of which edges have brought `seen`."""
        for _ in range(seen, vertices):
            self.vertex("")

    def freeze(self) -> Graph:
        pointer, self.pointer = self.pointer, ffi.NULL  # freezing frees it
        return Graph._of(made("cflr_graph", lib.cflr_graph_builder_freeze, pointer), self.context)

    def __del__(self) -> None:
        lib.cflr_graph_builder_free(self.pointer)


class Graph:
    """A labelled directed graph that never changes. Vertices are numbers from 0 on.

    >>> graph = Graph.from_edges([("f", "g", "calls"), ("g", "h", "calls")])
    >>> graph.n_vertices, len(graph), graph.labels
    (3, 2, ['calls'])
    >>> graph.vertex(graph.find("g")[0]).name
    'g'
    """

    _pointer: Any
    _context: Context

    @classmethod
    def _of(cls: type[G], pointer: Any, context: Context, *needs: Any) -> G:
        graph = cls.__new__(cls)
        graph._context = context
        graph._pointer = own(pointer, lib.cflr_graph_free, context.pointer, *needs)
        return graph

    # ---- making ----

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[Name, Name, str]],
                   vertices: Union[int, Sequence[str]] = 0) -> Graph:
        """From triples of source, target and label ("a", "f[8]").

        Ends are numbers, or all of them names: these are numbered in the order in which they come,
        those of `vertices` first. A number `vertices` says how many there are at least.
        """
        triples = list(edges)
        names: dict = {}
        if not isinstance(vertices, int):
            names.update((name, i) for i, name in enumerate(dict.fromkeys(vertices)))
        named = bool(names) or any(isinstance(end, str) for triple in triples
                                   for end in triple[:2])
        if named:
            ends = [[names.setdefault(_a_name(end), len(names)) for end in triple[:2]]
                    for triple in triples]
        else:
            ends = [[number_of(end, "vertex") for end in triple[:2]] for triple in triples]
        builder = _Builder()
        for name in names:
            builder.vertex(name)
        least = vertices if isinstance(vertices, int) and not named else 0
        return cls._from(builder, [e[0] for e in ends], [e[1] for e in ends],
                         [builder.label(triple[2]) for triple in triples], least)

    @classmethod
    def from_arrays(cls, source: Any, target: Any, label: Any, labels: Sequence[str] = (),
                    vertices: int = 0) -> Graph:
        """From arrays of vertices. `label`: one for all edges, or positions in `labels`.

        NumPy arrays of uint32 are read where they are; others are converted.
        """
        builder = _Builder()
        source = _arrays.ids(source)
        if isinstance(label, str):
            number = builder.label(label)
            if _arrays.numpy:
                label = _arrays.numpy.full(len(source), number, "uint32")
            else:
                label = [number] * len(source)
        else:
            numbers = [builder.label(name) for name in labels]
            if numbers != list(range(len(numbers))):
                raise ValueError("a label is there twice")
            label = _arrays.ids(label)
            if _arrays.end_of(label) > len(numbers):
                raise ValueError(f"label {_arrays.end_of(label) - 1} of {len(numbers)}")
        return cls._from(builder, source, target, label, vertices)

    @classmethod
    def _from(cls, builder: _Builder, source: Any, target: Any, label: Any,
              vertices: int) -> Graph:
        source, target = _arrays.ids(source), _arrays.ids(target)
        builder.edges(source, target, _arrays.ids(label))
        if vertices:
            builder.reach(vertices, max(_arrays.end_of(source), _arrays.end_of(target)))
        return builder.freeze()

    @classmethod
    def from_scipy(cls, matrices: Any, label: str = "e") -> Graph:
        """From a sparse matrix, whose entries are edges; or from a dict of label and matrix."""
        numpy = _arrays.need_numpy("from_scipy")
        if not isinstance(matrices, dict):
            matrices = {label: matrices}
        parts = [matrix.tocoo() for matrix in matrices.values()]
        codes = [numpy.full(part.nnz, i, "uint32") for i, part in enumerate(parts)]
        none = [numpy.empty(0, "uint32")]
        return cls.from_arrays(numpy.concatenate(none + [part.row for part in parts]),
                               numpy.concatenate(none + [part.col for part in parts]),
                               numpy.concatenate(none + codes), list(matrices),
                               max((max(part.shape) for part in parts), default=0))

    @classmethod
    def from_networkx(cls, graph: Any, label: str = "label") -> Graph:
        """From a directed graph or multigraph whose edges have the label as an attribute.

        Nodes become vertices in the graph's order, with their names (`str` of the node).
        """
        nodes = [str(node) for node in graph.nodes]
        if len(set(nodes)) != len(nodes):
            raise ValueError("two nodes have the same text")
        edges = [(str(u), str(v), data) for u, v, data in graph.edges(data=label)]
        return cls.from_edges(edges, nodes)

    @classmethod
    def from_pandas(cls, frame: Any, source: str = "source", target: str = "target",
                    label: str = "label") -> Graph:
        """From a frame with three columns: `source`, `target` and `label` are their names.

        Ends are numbers, or all of them text. Further columns are not read.
        """
        missing = [name for name in (source, target, label) if name not in frame.columns]
        if missing:
            raise ValueError(f"no column {missing[0]!r}: the columns are {list(frame.columns)}, and"
                             " from_pandas(frame, source=..., target=..., label=...) names others")
        labels = frame[label].astype("category").cat
        if "O" in (frame[source].dtype.kind, frame[target].dtype.kind):  # all kinds of text
            return cls.from_edges(zip(frame[source], frame[target], frame[label]))
        return cls.from_arrays(frame[source].to_numpy(), frame[target].to_numpy(),
                               labels.codes.to_numpy(), [str(name) for name in labels.categories])

    @classmethod
    def read(cls, path: Any, format: str = "auto") -> Graph:
        """From a file: tsv, cflg, pocr, gracfl, cfpq, souffle, mtx, dimacs (auto: by content)."""
        context = Context()
        read = context.make("cflr_graph", lib.cflr_graph_free, lib.cflr_graph_load,
                            context.pointer, encoded(path), word("CFLR_GRAPH", format))
        return cls._of(read, context)

    # ---- files ----

    def save(self, path: Any, format: str = "auto") -> None:
        """To a file, whole or not at all; auto: by its name."""
        error = new_error()
        check(lib.cflr_graph_save(self._pointer, encoded(path), word("CFLR_GRAPH", format), error),
              error)

    # ---- reading ----

    @property
    def n_vertices(self) -> int:
        return lib.cflr_graph_vertices(self._pointer)

    def __len__(self) -> int:
        """The number of edges."""
        return lib.cflr_graph_edges(self._pointer)

    def __repr__(self) -> str:
        return f"<Graph: {self.n_vertices} vertices, {len(self)} edges>"

    @property
    def labels(self) -> list[str]:
        """All labels, as "a" or "f[8]"."""
        return [self._label_text(i) for i in range(lib.cflr_graph_labels(self._pointer))]

    def _label_text(self, number: int) -> str:
        index = text(lib.cflr_graph_label_index(self._pointer, number))
        name = text(lib.cflr_graph_label_name(self._pointer, number))
        return f"{name}[{index}]" if index else name

    def _label(self, label: str) -> int:
        parts = _LABEL.fullmatch(label)
        index = (parts[2] or "").encode() if parts else b""
        number = lib.cflr_graph_find_label(self._pointer, (parts[1] if parts else label).encode(),
                                           index)
        if number == NO_LABEL:
            raise KeyError(label)
        return number

    def rows(self, label: str, reverse: bool = False) -> Rows:
        """The edges of a label as compressed sparse rows: views, without copies."""
        rows = ffi.new("cflr_graph_rows *")
        lib.cflr_graph_get_rows(self._pointer, self._label(label),
                                lib.CFLR_IN if reverse else lib.CFLR_OUT, rows)
        n = rows.n_rows
        start = self._kept(rows.start) if n else ffi.new("uint64_t[1]")
        return Rows(_arrays.view(self._kept(rows.vertex), n),
                    _arrays.view(start, n + 1, "uint64_t"),
                    _arrays.view(self._kept(rows.target), start[n]))

    def _kept(self, pointer: Any) -> Any:
        return own(pointer, view_of, self._pointer)

    def edges(self, label: str) -> tuple[Any, Any]:
        """Sources and targets of all edges of a label, sorted (needs NumPy)."""
        numpy = _arrays.need_numpy("edges")
        rows = self.rows(label)
        return numpy.repeat(rows.vertices, numpy.diff(rows.indptr).astype("int64")), rows.indices

    def to_scipy(self, label: str) -> Any:
        """The edges of a label as a scipy.sparse.csr_matrix of True."""
        from scipy.sparse import csr_matrix
        numpy = _arrays.need_numpy("to_scipy")
        source, target = self.edges(label)
        shape = (self.n_vertices, self.n_vertices)
        return csr_matrix((numpy.ones(len(source), bool), (source, target)), shape=shape)

    def to_networkx(self) -> Any:
        """A networkx.MultiDiGraph: `label` at its edges, `name` at its nodes. For small ones."""
        import networkx
        made_graph = networkx.MultiDiGraph()
        for v in range(self.n_vertices):
            made_graph.add_node(v, name=self.vertex(v).name)
        for label in self.labels:
            rows = self.rows(label)
            for r, source in enumerate(rows.vertices):
                targets = rows.indices[int(rows.indptr[r]):int(rows.indptr[r + 1])]
                made_graph.add_edges_from(((int(source), int(target)) for target in targets),
                                          label=label)
        return made_graph

    def to_pandas(self) -> Any:
        """A frame of source, target and label, sorted by these, the label first."""
        import pandas
        parts = []
        for i, label in enumerate(self.labels):
            source, target = self.edges(label)
            codes = pandas.Categorical.from_codes([i] * len(source), self.labels)
            parts.append(pandas.DataFrame({"source": source, "target": target, "label": codes}))
        if not parts:
            return pandas.DataFrame({"source": [], "target": [], "label": []})
        return pandas.concat(parts, ignore_index=True)

    def vertex(self, number: int) -> Vertex:
        """What a vertex stands for."""
        if not 0 <= number < self.n_vertices:
            raise IndexError(f"no vertex {number}")
        info = ffi.new("cflr_vertex_info *")
        lib.cflr_graph_vertex(self._pointer, number, info)
        return Vertex(int(number), text(lib.cflr_vertex_kind_name(info.kind)), text(info.name),
                      text(info.type), text(info.function), text(info.file), info.line,
                      info.column, text(info.context))

    def find(self, name: Name) -> list[int]:
        """The vertices that a name stands for: "main::p", "file.c:12:p"; several for clones.

        A number stands for itself. CflrError NOT_FOUND names what is near; AMBIGUOUS: the name
        means different things.
        """
        if not isinstance(name, str):
            number = number_of(name, "vertex")
            if number >= self.n_vertices:
                raise IndexError(f"no vertex {number}")
            return [number]
        room, count, error = 8, ffi.new("size_t *"), new_error()
        while True:
            found = ffi.new("uint32_t[]", room)
            status = lib.cflr_graph_find(self._pointer, name.encode(), found, room, count, error)
            if status != lib.CFLR_OK:
                raise CflrError(status, error)
            if count[0] <= room:
                return list(found[0:count[0]])
            room = count[0]


def _a_name(end: Any) -> str:
    if not isinstance(end, str):
        raise TypeError(f"{end!r} among vertices that have names")
    return end
