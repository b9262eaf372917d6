# SPDX-License-Identifier: Apache-2.0
"""cflr answers questions about pointers in C code, and closes graphs under grammars.

A graph with labelled edges is closed under a context-free grammar; what the closure holds answers
questions such as whether two pointers may alias:

>>> import cflr
>>> graph = cflr.Graph.from_edges([("&x", "p", "a"), ("p", "q", "a"), ("x", "&x", "alloc")])
>>> result = cflr.solve(graph, cflr.Grammar.load("pointer"))
>>> bool(result.alias("p", "q"))
True
>>> [graph.vertex(v).name for v in result.points_to("q")]
['x']

Plain graphs, without labels, have the usual algorithms:

>>> ring = cflr.PlainGraph.generate("chain:4")
>>> list(ring.run("bfs", source=1)["level"][1:])
[0, 1, 2]

NumPy arrays come out where NumPy is, memory views where it is not.
"""
from cflr._frontend import (Finding, Findings, FindingStep, Note, Place, Program, Report, analyze,
                            check, extract)
from cflr._grammar import Grammar
from cflr._graph import Graph, Rows, Vertex
from cflr._native import CflrError, Progress, Through, lib as _lib, text as _text
from cflr._plain import PlainGraph, Traversal
from cflr._result import Derivation, Relation, Result, Step, solve

__version__: str = _text(_lib.cflr_version())
__all__ = ["CflrError", "Derivation", "Finding", "FindingStep", "Findings", "Grammar", "Graph",
           "Note", "Place", "PlainGraph", "Program", "Progress", "Relation", "Report", "Result",
           "Rows", "Step", "Through", "Traversal", "Vertex", "analyze", "check", "extract", "solve"]
