# SPDX-License-Identifier: Apache-2.0
"""Plain graphs and primitives, beside networkx and scipy."""
import gc
import unittest

import cflr
from support import Folder, needs, package, random_edges

numpy = package("numpy")
PRIMITIVES = {"bfs": 1, "sssp": 1, "sswp": 1, "ssnsp": 1, "cc": 0, "scc": 0, "pagerank": 0,
              "pagerank-delta": 0, "ppr": 1, "bc": 2, "hits": 0, "salsa": 0, "tc": 0, "mst": 0,
              "mis": 0, "colour": 0, "kcore": 0, "reach": 3, "gcs": 2, "nndr": 1, "wtf": 1}


def weighted(seed=1):
    """Edges with weights, some of them parallel and in both directions."""
    edges = [(u, v, (7 * u + v) % 9 + 1) for u, v in random_edges(seed)]
    return edges + [(u, v, w + 1) for u, v, w in edges[::4]] + [(v, u, w) for u, v, w in edges[::5]]


@needs("numpy")
class Running(unittest.TestCase):
    def graph(self, **options):
        return cflr.PlainGraph.from_arrays(*zip(*weighted()), vertices=30, **options)

    def test_all_are_what_their_check_says(self):
        graph = self.graph()
        for primitive, n in PRIMITIVES.items():
            run = graph.run(primitive, source=range(n), device="cpu")
            checked = run.verify()
            self.assertGreater(checked.checked, 0, primitive)
            self.assertEqual(checked.wrong, 0, checked.first_failure)

    def test_columns_are_views_that_stay(self):
        level = self.graph().run("bfs", source=0)["level"]
        gc.collect()
        self.graph().run("bfs", source=1)
        self.assertEqual((level.dtype, level[0], len(level)), (numpy.uint32, 0, 30))
        self.assertFalse(level.flags.owndata or level.flags.writeable)

    def test_rows_are_views(self):
        rows = cflr.PlainGraph.from_arrays([0, 2, 0], [2, 1, 1], [5, 6, 7]).rows()
        gc.collect()
        self.assertEqual([part.tolist() for part in rows], [[0, 2, 2, 3], [1, 2, 1], [7, 5, 6]])

    def test_weights_of_every_kind(self):
        for weight, kind in (([1, 2], "int32"), ([1.5, 2], "float32"),
                             (numpy.array([1, 2], "u1"), "int32"), (numpy.ones(2), "float32")):
            graph = cflr.PlainGraph.from_arrays([0, 1], [1, 2], weight)
            self.assertEqual(graph.rows().data.dtype, kind)
        self.assertIsNone(cflr.PlainGraph.from_arrays([0], [1]).rows().data)
        make = cflr.PlainGraph.from_arrays
        self.assertRaises(ValueError, make, [0, 1], [1, 2], [1])
        self.assertRaises(ValueError, make, [0], [1], [2 ** 40])
        self.assertRaises(TypeError, make, [0], [1], ["x"])
        self.assertRaises(ValueError, make, [0, 1], [1])

    def test_options(self):
        graph = cflr.PlainGraph.generate("chain:9")
        self.assertEqual(graph.run("bfs", source=0, hops=3).values["reached"], 4)
        self.assertEqual(graph.run("pagerank", most_iterations=2, tolerance=0).iterations, 2)
        self.assertRaises(TypeError, graph.run, "bfs", source=0, depth=3)
        self.assertRaises(ValueError, graph.run, "bfs", source=0, device="tpu")
        for wrong in ({"source": 9}, {}, {"source": [0, 1]}, {"source": 0, "damping": 2.0}):
            with self.assertRaises(cflr.CflrError) as caught:
                graph.run("bfs", **wrong)
            self.assertEqual(caught.exception.code, "ARGUMENT")
        with self.assertRaises(cflr.CflrError):
            graph.run("dijkstra", source=0)
        with self.assertRaises(cflr.CflrError) as caught:
            graph.run("sssp", source=0)
        self.assertIn("weights", str(caught.exception))

    def test_forest(self):
        forest = self.graph().run("mst")
        edges = forest.edges()
        self.assertEqual(len(edges.source), forest.values["edges"])
        self.assertEqual(edges.weight.sum(), forest.values["weight"])
        self.assertTrue((edges.source < edges.target).all())


class Reading(Folder):
    @needs("numpy")
    def test_names(self):
        path = self.path("roads.csv", 'source,target,km\nParis,"New York, NY",5837\nx,Paris,3\n')
        graph = cflr.PlainGraph.read(path)
        self.assertIn("titles", graph.note)
        self.assertEqual((graph.n_vertices, len(graph), graph.name(1)), (3, 2, "New York, NY"))
        distance = graph.run("sssp", source="x")["distance"]
        self.assertEqual(distance[graph.find("New York, NY")], 5840)
        self.assertRaises(KeyError, graph.find, "Rome")
        self.assertRaises(KeyError, graph.run, "sssp", source="Rome")

    def test_place_of_an_error(self):
        path = self.path("bad.txt", "0 1\n0 -1\n")
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.PlainGraph.read(path)
        self.assertEqual((caught.exception.subject, caught.exception.line), (path, 2))


class OtherLibraries(unittest.TestCase):
    @needs("networkx", "numpy")
    def test_networkx(self):
        import networkx
        edges = weighted()
        graph = cflr.PlainGraph.from_arrays(*zip(*edges), vertices=30)
        simple = networkx.Graph((u, v) for u, v, _ in edges if u != v)
        simple.add_nodes_from(range(30))
        core = networkx.core_number(simple)
        self.assertEqual(graph.run("kcore")["core"].tolist(), [core[v] for v in range(30)])
        directed = networkx.DiGraph((u, v) for u, v, _ in edges)
        level = networkx.single_source_shortest_path_length(directed, 0)
        self.assertEqual(graph.run("bfs", source=0)["level"].tolist(),
                         [level.get(v, 2 ** 32 - 1) for v in range(30)])

    @needs("scipy")
    def test_scipy(self):
        from scipy.sparse import coo_matrix, csgraph
        least = {}
        for u, v, w in weighted():
            least[u, v] = min(w, least.get((u, v), w))
        source, target = zip(*least)
        matrix = coo_matrix((list(least.values()), (source, target)), shape=(30, 30))
        graph = cflr.PlainGraph.from_scipy(matrix)
        self.assertEqual((graph.to_scipy() != matrix.tocsr()).nnz, 0)
        wanted = csgraph.dijkstra(matrix.tocsr(), indices=0)
        found = graph.run("sssp", source=0)["distance"].astype(float)
        found[found == 2 ** 32 - 1] = numpy.inf
        self.assertEqual(found.tolist(), wanted.tolist())
        _, labels = csgraph.connected_components(matrix, connection="strong")
        component = graph.run("scc")["component"].tolist()
        self.assertEqual(component, [labels.tolist().index(label) for label in labels])
        plain = cflr.PlainGraph.from_scipy(matrix.astype(bool))
        self.assertIsNone(plain.rows().data)
        self.assertRaises(ValueError, cflr.PlainGraph.from_scipy, coo_matrix((2, 3)))


if __name__ == "__main__":
    unittest.main()
