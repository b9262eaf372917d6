# SPDX-License-Identifier: Apache-2.0
"""Plain graphs, and what the graph engine computes of them (cflr/csr.h, cflr/traverse.h).

    arrays, file, rule ---> PlainGraph --run--> Traversal: an array for each column

Rows of a graph and columns of a run are arrays over the library's memory, which they keep alive.
"""
from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple, Optional, Union

from cflr import _arrays
from cflr._native import (NO_VERTEX, Context, check, encoded, ffi, lib, new_error, number_of, own,
                          text, view_of, word)

Vertex = Union[int, str]
_COLUMNS = {lib.CFLR_COLUMN_UINT8: "uint8_t", lib.CFLR_COLUMN_UINT32: "uint32_t",
            lib.CFLR_COLUMN_UINT64: "uint64_t", lib.CFLR_COLUMN_FLOAT32: "float",
            lib.CFLR_COLUMN_FLOAT64: "double"}
_WEIGHTS = {lib.CFLR_WEIGHTS_INT32: "int32_t", lib.CFLR_WEIGHTS_FLOAT32: "float"}
_WORDS = {"device": "CFLR_DEVICE", "schedule": "CFLR_SCHEDULE", "transfer": "CFLR_TRANSFER",
          "way": "CFLR_WAY"}


class Rows(NamedTuple):
    """Compressed sparse rows: the targets of v are indices[indptr[v]:indptr[v + 1]], and `data` are
    the weights, or None."""

    indptr: Any
    indices: Any
    data: Any


class Edges(NamedTuple):
    """Edges as columns; `weight` is None where there are no weights."""

    source: Any
    target: Any
    weight: Any


class Checked(NamedTuple):
    """What a check of a run found: so many numbers, so many of them wrong, and the first."""

    checked: int
    wrong: int
    first_failure: str


class PlainGraph:
    """A graph of vertices 0 .. n - 1 and edges, perhaps with weights, that never changes.

    >>> graph = PlainGraph.from_arrays([0, 0, 2], [1, 2, 1], [4, 1, 2])
    >>> list(graph.run("sssp", source=0)["distance"])
    [0, 3, 1]

    `undirected`: each edge counts both ways. Edges that are equal in all are one, unless parallel
    ones are kept; a primitive without use for weights sees source and target only.
    """

    _pointer: Any
    _context: Context
    _both_ways: Optional[PlainGraph] = None

    # ---- making ----

    @classmethod
    def _make(cls, call: Any, arguments: tuple, threads: int, **options: bool) -> PlainGraph:
        chosen = ffi.new("cflr_csr_opts *")
        lib.cflr_csr_opts_init(chosen)
        for name, value in options.items():
            setattr(chosen, name, value)
        graph = cls.__new__(cls)
        graph._context = Context(threads)
        pointer = graph._context.make("cflr_csr", lib.cflr_csr_free, call, graph._context.pointer,
                                      *arguments, chosen)
        graph._pointer = own(pointer, lib.cflr_csr_free, graph._context.pointer)
        return graph

    @classmethod
    def from_arrays(cls, source: Iterable[int], target: Iterable[int], weight: Any = None, *,
                    vertices: int = 0, undirected: bool = False, drop_loops: bool = False,
                    keep_parallel: bool = False, threads: int = 0) -> PlainGraph:
        """From columns of edges. Weights are int32 when all are integers, otherwise float32;
        `vertices` says how many there are at least."""
        ends = [_arrays.ids(source), _arrays.ids(target)]
        if not len(ends[0]) == len(ends[1]):
            raise ValueError(f"{len(ends[0])} sources, {len(ends[1])} targets")
        kind, kept = _weights_of(weight, len(ends[0]))
        edges = ffi.new("cflr_edge_list *")
        memory = [_arrays.memory_of(numbers) for numbers in ends]
        n = max(vertices, *map(_arrays.end_of, ends))
        edges.n_vertices = number_of(n, "number of vertices")
        edges.n_edges, edges.weights = len(ends[0]), kind
        edges.source, edges.target = memory
        if kind:
            memory.append(_arrays.memory_of(kept, _WEIGHTS[kind]))
            edges.weight = memory[2]
        return cls._make(lib.cflr_csr_new, (edges,), threads, symmetric=undirected,
                         drop_loops=drop_loops, keep_parallel=keep_parallel)

    @classmethod
    def from_scipy(cls, matrix: Any, *, weights: bool = True, undirected: bool = False,
                   drop_loops: bool = False, threads: int = 0) -> PlainGraph:
        """From a square sparse matrix: an entry in row u and column v is an edge from u to v, its
        value the weight, unless values are of type bool."""
        entries = matrix.tocoo()
        if entries.shape[0] != entries.shape[1]:
            raise ValueError(f"a matrix of {entries.shape} is not square")
        weighted = weights and entries.data.dtype != bool
        return cls.from_arrays(entries.row, entries.col, entries.data if weighted else None,
                               vertices=entries.shape[0], undirected=undirected,
                               drop_loops=drop_loops, threads=threads)

    @classmethod
    def read(cls, path: Any, *, label: Optional[str] = None, header: bool = False,
             undirected: bool = False, drop_loops: bool = False, keep_parallel: bool = False,
             threads: int = 0) -> PlainGraph:
        """From a file that `cflr graph` reads (docs/reference/graph.md). What reading took for
        something that it may not be is in `note`."""
        name = ffi.new("char[]", encoded(path))
        wanted = ffi.NULL if label is None else ffi.new("char[]", encoded(label))
        return cls._make(lib.cflr_csr_load, (name, wanted), threads, symmetric=undirected,
                         drop_loops=drop_loops, keep_parallel=keep_parallel, header=header)

    @classmethod
    def generate(cls, rule: str, *, undirected: bool = False, drop_loops: bool = False,
                 threads: int = 0) -> PlainGraph:
        """By a rule such as "rmat:20" or "grid:100:200" (docs/reference/graph.md)."""
        return cls._make(lib.cflr_csr_generate, (ffi.new("char[]", encoded(rule)),), threads,
                         symmetric=undirected, drop_loops=drop_loops)

    # ---- looking ----

    @property
    def n_vertices(self) -> int:
        return lib.cflr_csr_vertices(self._pointer)

    def __len__(self) -> int:
        """Edges; undirected ones count both ways."""
        return lib.cflr_csr_edges(self._pointer)

    @property
    def undirected(self) -> bool:
        return lib.cflr_csr_symmetric(self._pointer)

    @property
    def note(self) -> str:
        return text(lib.cflr_csr_note(self._pointer))

    def name(self, vertex: int) -> str:
        """"" where vertices have no names."""
        return text(lib.cflr_csr_name(self._pointer, number_of(vertex, "vertex")))

    def find(self, name: str) -> int:
        """The vertex of this name; KeyError where there is none."""
        found = lib.cflr_csr_find(self._pointer, encoded(name))
        if found == NO_VERTEX:
            raise KeyError(name)
        return found

    def rows(self) -> Rows:
        kind = _WEIGHTS.get(lib.cflr_csr_weights(self._pointer))
        start = self._view(lib.cflr_csr_start(self._pointer), self.n_vertices + 1, "uint64_t")
        target = self._view(lib.cflr_csr_target(self._pointer), len(self), "uint32_t")
        return Rows(start, target, self._view(lib.cflr_csr_weight(self._pointer), len(self), kind)
                    if kind else None)

    def edges(self) -> Edges:
        numpy = _arrays.need_numpy("edges")
        indptr, indices, data = self.rows()
        degree = numpy.diff(indptr).astype("int64")
        return Edges(numpy.repeat(_arrays.first_ids(self.n_vertices), degree), indices, data)

    def to_scipy(self) -> Any:
        """A scipy.sparse.csr_matrix of the weights, or of True. Parallel edges add up where scipy
        adds entries up."""
        from scipy.sparse import csr_matrix
        numpy = _arrays.need_numpy("to_scipy")
        indptr, indices, data = self.rows()
        return csr_matrix((numpy.ones(len(self), bool) if data is None else data, indices, indptr),
                          shape=(self.n_vertices, self.n_vertices))

    def _view(self, pointer: Any, n: int, kind: str) -> Any:
        held = own(ffi.cast(f"const {kind} *", pointer), view_of, self._pointer)
        return _arrays.view(held, n, kind)

    # ---- running ----

    def run(self, primitive: str, source: Union[Vertex, Iterable[Vertex], None] = None, *,
            damping: Optional[float] = None, tolerance: Optional[float] = None,
            most_iterations: Optional[int] = None, hops: Optional[int] = None,
            circle: Optional[int] = None, delta: Optional[float] = None,
            split: Optional[int] = None, direction: Optional[str] = None,
            device: Optional[str] = None, gpus: Optional[int] = None,
            device_memory: Optional[int] = None, device_rows: Optional[int] = None,
            transfer: Optional[str] = None, schedule: Optional[str] = None) -> Traversal:
        """Runs a primitive of docs/reference/graph.md: "bfs", "sssp", "pagerank", "kcore" ...

        `source` is a vertex, or several, by number or by name. Options are those of the command;
        sizes are in bytes. A primitive that is about graphs without directions runs on the graph
        with each edge both ways, which is kept for the next one.

        An interrupt ends the run; the graph cannot run anything after it.
        """
        chosen = _options({
            "damping": damping, "tolerance": tolerance, "most_iterations": most_iterations,
            "hops": hops, "circle": circle, "delta": delta, "split": split, "way": direction,
            "device": device, "gpus": gpus, "device_memory": device_memory,
            "device_rows": device_rows, "transfer": transfer, "schedule": schedule})
        number, error = ffi.new("cflr_primitive *"), new_error()
        check(lib.cflr_primitive_parse(encoded(primitive), number, error), error)
        needs = lib.cflr_primitive_asks(number[0])
        graph = self._with_both_ways() if needs.symmetric and not self.undirected else self
        sources = _arrays.ids([self._vertex(v) for v in _listed(source)])
        pointer = graph._context.make("cflr_traversal", lib.cflr_traversal_free,
                                      lib.cflr_traversal_new, graph._pointer, number[0], chosen)
        made = own(pointer, lib.cflr_traversal_free, graph._pointer)
        graph._context.call(lib.cflr_traversal_run, made, _arrays.memory_of(sources), len(sources))
        return Traversal(graph, made, primitive)

    def _vertex(self, vertex: Vertex) -> int:
        return self.find(vertex) if isinstance(vertex, str) else number_of(vertex, "vertex")

    def _with_both_ways(self) -> PlainGraph:
        if self._both_ways is None:
            source, target, weight = self.edges()
            self._both_ways = PlainGraph.from_arrays(source, target, weight, undirected=True,
                                                     vertices=self.n_vertices)
        return self._both_ways


class Traversal:
    """What a run gave: `traversal["distance"]` is an array with a value for each vertex, `columns`
    are all of these by name, and `values` has what is said of the whole graph, such as `reached` or
    `components`.

    Where nothing leads, a level or a distance is the largest number of its type, or infinite.
    """

    def __init__(self, graph: PlainGraph, pointer: Any, primitive: str) -> None:
        self.graph, self.primitive, self._pointer = graph, primitive, pointer
        self.columns: dict[str, Any] = {}
        column, i = ffi.new("cflr_column *"), 0
        while lib.cflr_traversal_column(pointer, i, column):
            self.columns[text(column.name)] = self._array(column)
            i += 1
        self.values: dict[str, Union[int, float]] = {}
        value, i = ffi.new("cflr_value *"), 0
        while lib.cflr_traversal_value(pointer, i, value):
            self.values[text(value.name)] = value.number if value.real else value.count
            i += 1

    def _array(self, column: Any) -> Any:
        kind = _COLUMNS[column.type]
        held = own(ffi.cast(f"const {kind} *", column.values), view_of, self._pointer)
        return _arrays.view(held, column.n, kind)

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    @property
    def iterations(self) -> int:
        return lib.cflr_traversal_statistics(self._pointer).iterations

    @property
    def seconds(self) -> float:
        """From the sources to the finished columns."""
        return lib.cflr_traversal_statistics(self._pointer).run_seconds

    def edges(self) -> Edges:
        """Of "mst": the edges of the forest, each from its smaller vertex."""
        numbers, all_of = self["edge"], self.graph.edges()
        return Edges(*(None if column is None else column[numbers] for column in all_of))

    def verify(self) -> Checked:
        """Compares the run with a serial program."""
        report, error = ffi.new("cflr_traverse_report *"), new_error()
        check(lib.cflr_traversal_verify(self._pointer, report, error), error)
        return Checked(report.checked, report.wrong, text(report.first_failure))


def _listed(source: Any) -> list:
    if source is None:
        return []
    return [source] if isinstance(source, str) or not hasattr(source, "__iter__") else list(source)


def _weights_of(weight: Any, n: int) -> tuple[int, Any]:
    """Their kind, and an array of it."""
    if weight is None:
        return lib.CFLR_WEIGHTS_NONE, None
    numpy = _arrays.need_numpy("weights")
    found = numpy.asarray(weight)
    if found.shape != (n,):
        raise ValueError(f"{n} edges, but weights of shape {found.shape}")
    if found.dtype.kind in "ui" or not found.size:
        limits = numpy.iinfo("int32")
        if found.size and (found.min() < limits.min or found.max() > limits.max):
            raise ValueError("whole weights are numbers of 32 bits")
        return lib.CFLR_WEIGHTS_INT32, numpy.ascontiguousarray(found, "int32")
    if found.dtype.kind != "f":
        raise TypeError(f"numbers are expected, not {found.dtype}")
    return lib.CFLR_WEIGHTS_FLOAT32, numpy.ascontiguousarray(found, "float32")


def _options(options: Mapping[str, Any]) -> Any:
    """As a struct; None stands for the default."""
    chosen = ffi.new("cflr_traverse_opts *")
    lib.cflr_traverse_opts_init(chosen)
    for name, value in options.items():
        if value is not None:
            setattr(chosen, name, word(_WORDS[name], value) if name in _WORDS else value)
    return chosen
