# SPDX-License-Identifier: Apache-2.0
"""Graphs: made, read, and looked into."""
import array
import gc
import unittest

import cflr
from support import Folder, graph_of, needs, package, random_edges, run_python

numpy = package("numpy")


class Making(unittest.TestCase):
    def test_numbers(self):
        graph = cflr.Graph.from_edges([(0, 3, "a"), (1, 0, "f[8]"), (0, 3, "a")], vertices=9)
        self.assertEqual((graph.n_vertices, len(graph)), (9, 2))
        self.assertEqual(graph.labels, ["a", "f[8]"])
        self.assertEqual(list(graph.rows("f[8]").vertices), [1])

    def test_names(self):
        graph = cflr.Graph.from_edges([("p", "q", "a")], vertices=["x", "q"])
        self.assertEqual([graph.vertex(v).name for v in range(3)], ["x", "q", "p"])
        self.assertEqual(graph.find("p"), [2])

    def test_no_edges(self):
        self.assertEqual(cflr.Graph.from_edges([]).n_vertices, 0)
        self.assertEqual(cflr.Graph.from_edges([], vertices=3).n_vertices, 3)

    def test_what_is_no_edge(self):
        for edges in ([(0, "p", "a")], [("p", 1, "a")]):
            self.assertRaises(TypeError, cflr.Graph.from_edges, edges)
        self.assertRaises(ValueError, cflr.Graph.from_edges, [(-1, 0, "a")])
        self.assertRaises(ValueError, cflr.Graph.from_edges, [(2 ** 32 - 1, 0, "a")])
        self.assertRaises(ValueError, cflr.Graph.from_edges, [(0, 1, "a[b")])
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.Graph.from_edges([(0, 1, "~a")])
        self.assertEqual(caught.exception.code, "ARGUMENT")

    def test_arrays_of_any_kind(self):
        expected = graph_of([(0, 1), (2, 3)])
        kinds = [array.array("i", [0, 2]), [0, 2], range(0, 4, 2), iter([0, 2])]
        if numpy:
            kinds += [numpy.array([0, 2], dtype) for dtype in ("u4", "i8", "u1", "i2")]
            kinds.append(numpy.array([0, 9, 2, 9], "u4")[::2])
        for source in kinds:
            graph = cflr.Graph.from_arrays(source, [1, 3], "e")
            self.assertEqual(list(graph.rows("e").vertices), list(expected.rows("e").vertices))

    def test_arrays_of_labels(self):
        graph = cflr.Graph.from_arrays([0, 1, 2], [1, 2, 0], [1, 0, 1], ["a", "b[x]"])
        self.assertEqual(list(graph.rows("b[x]").vertices), [0, 2])

    def test_arrays_that_do_not_fit(self):
        make = cflr.Graph.from_arrays
        self.assertRaises(ValueError, make, [0, 1], [1], "e")
        self.assertRaises(ValueError, make, [0], [-1], "e")
        self.assertRaises(ValueError, make, [0], [2 ** 40], "e")
        self.assertRaises(ValueError, make, [0], [1], [2], ["a", "b"])
        self.assertRaises(ValueError, make, [0], [1], [0], ["a", "a"])
        if numpy:
            self.assertRaises(TypeError, make, numpy.array([0.5]), [1], "e")


class Reading(Folder):
    def test_round_trip(self):
        edges = random_edges(1)
        for name in ("g.tsv", "g.cflg", "g.tsv.zst"):
            graph_of(edges).save(self.path(name))
            self.assertEqual(len(cflr.Graph.read(self.path(name))), len(edges))

    def test_place_of_an_error(self):
        path = self.path("bad.tsv", "0 1 e\n1 2\n")
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.Graph.read(path)
        error = caught.exception
        self.assertEqual((error.code, error.subject, error.line), ("SYNTAX", path, 2))
        self.assertIn(f"{path}:2", str(error))
        self.assertTrue(error.message)

    def test_no_file(self):
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.Graph.read(self.path("none.tsv"))
        self.assertEqual((caught.exception.code, caught.exception.system_error), ("IO", 2))
        self.assertRaises(ValueError, cflr.Graph.read, "x", format="word")

    def test_names_that_mean_nothing_or_too_much(self):
        graph = cflr.Graph.read(self.path("g.tsv", "f g e\n"))
        with self.assertRaises(cflr.CflrError) as caught:
            graph.find("h")
        self.assertEqual(caught.exception.code, "NOT_FOUND")
        self.assertRaises(IndexError, graph.find, 7)
        self.assertRaises(IndexError, graph.vertex, 7)
        self.assertRaises(KeyError, graph.rows, "f")


class Views(unittest.TestCase):
    def test_rows_both_ways(self):
        rows = graph_of([(3, 1), (0, 5), (3, 0)]).rows("e")
        self.assertEqual([list(part) for part in rows], [[0, 3], [0, 1, 3], [5, 0, 1]])
        rows = graph_of([(3, 1), (0, 1)]).rows("e", reverse=True)
        self.assertEqual([list(part) for part in rows], [[1], [0, 2], [0, 3]])

    def test_they_outlive_the_graph(self):
        edges = [(v, v + 1) for v in range(100000)]
        rows = graph_of(edges).rows("e")
        target = rows.indices
        del rows
        gc.collect()
        graph_of(edges[:50000])  # takes the memory, were it free
        self.assertEqual([int(v) for v in target[:3]], [1, 2, 3])
        self.assertEqual(int(target[99999]), 100000)

    def test_they_cannot_be_written(self):
        target = graph_of([(0, 1)]).rows("e").indices
        with self.assertRaises((ValueError, TypeError)):
            target[0] = 7

    def test_without_numpy(self):
        printed = run_python("""
import sys
sys.modules["numpy"] = None
import cflr
graph = cflr.Graph.from_arrays([0, 1, 2], [1, 2, 0], "e", vertices=4)
result = cflr.solve(graph, "Reach ::= e | Reach e")
offsets, targets = result.rows()
print(type(targets).__name__, list(offsets), list(targets), list(result["Reach"][1]))
print(list(graph.rows("e").indices), [(v, list(row)) for v, row in result["e"]])
try:
    result["Reach"].pairs()
except ImportError as error:
    print(error)
""")
        self.assertEqual(printed.splitlines(), [
            "memoryview [0, 3, 6, 9, 9] [0, 1, 2, 0, 1, 2, 0, 1, 2] [0, 1, 2]",
            "[1, 2, 0] [(0, [1]), (1, [2]), (2, [0])]", "pairs needs numpy"])


class OtherLibraries(unittest.TestCase):
    edges = random_edges(7)

    @needs("scipy")
    def test_scipy(self):
        matrix = graph_of(self.edges).to_scipy("e")
        self.assertEqual(sorted(zip(*(part.tolist() for part in matrix.nonzero()))), self.edges)
        graph = cflr.Graph.from_scipy(matrix)
        self.assertEqual((matrix != graph.to_scipy("e")).nnz, 0)
        graph = cflr.Graph.from_scipy({"a": matrix, "b[1]": matrix.T})
        self.assertEqual((graph.to_scipy("b[1]") != matrix.T).nnz, 0)

    @needs("networkx", "numpy")
    def test_networkx(self):
        import networkx
        given = networkx.MultiDiGraph()
        given.add_edge("p", "q", label="a")
        given.add_edge("p", "q", label="f[8]")
        given.add_node("alone")
        graph = cflr.Graph.from_networkx(given)
        self.assertEqual((graph.n_vertices, len(graph)), (3, 2))
        back = graph.to_networkx()
        self.assertEqual(sorted(data for _, _, data in back.edges(data="label")), ["a", "f[8]"])
        self.assertEqual([back.nodes[v]["name"] for v in back], ["p", "q", "alone"])

    @needs("pandas")
    def test_pandas(self):
        import pandas
        frame = pandas.DataFrame({"source": [0, 1, 1], "target": [1, 2, 3],
                                  "label": ["a", "b", "a"]})
        graph = cflr.Graph.from_pandas(frame)
        back = graph.to_pandas().astype({"label": str})
        self.assertEqual(sorted(map(tuple, back.values.tolist())),
                         sorted(map(tuple, frame.values.tolist())))
        other = frame.rename(columns={"label": "kind"})
        self.assertRaisesRegex(ValueError, "no column 'label'.*'kind'", cflr.Graph.from_pandas,
                               other)
        self.assertEqual(len(cflr.Graph.from_pandas(other, label="kind")), len(graph))
        names = pandas.DataFrame({"source": ["p"], "target": ["q"], "label": ["a"]})
        for kind in (names.dtypes["source"], "object", "string", "category"):
            self.assertEqual(cflr.Graph.from_pandas(names.astype(kind)).find("q"), [1])
        real = pandas.DataFrame({"source": [0.5], "target": [1.0], "label": ["a"]})
        self.assertRaises(TypeError, cflr.Graph.from_pandas, real)


if __name__ == "__main__":
    unittest.main()
