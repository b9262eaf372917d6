# SPDX-License-Identifier: Apache-2.0
"""Results: relations as arrays, what is not expanded, lifetimes, files, questions."""
import gc
import unittest
import weakref

import cflr
from support import (HERE, REACH, Folder, chain, graph_of, needs, package, random_edges, reachable,
                     ring, run_python)

numpy = package("numpy")
DYCK = "S ::= e | S S | O[i] ret[i]\nO[i] ::= call[i] S | call[i]\n"
CALLS = [("a", "p", "call[1]"), ("b", "p", "call[2]"), ("p", "r", "e"), ("r", "x", "ret[1]"),
         ("r", "y", "ret[2]")]
POINTERS = [("x", "&x", "alloc"), ("&x", "x", "d"), ("y", "&y", "alloc"), ("&y", "y", "d"),
            ("&x", "p", "a"), ("p", "q", "a"), ("&y", "r", "a"), ("q", "*q", "d"),
            ("r", "*q", "a"), ("x", "s", "a")]  # p = &x; q = p; r = &y; *q = r; s = x


def relation(edges, vertices=0):
    return cflr.solve(graph_of(edges, vertices), REACH)["Reach"]


def resident(kind="VmRSS"):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(kind))


class Relations(unittest.TestCase):
    def test_random_rows(self):
        for seed in range(30):
            edges = random_edges(seed)
            pairs, found = reachable(edges), relation(edges, 40)
            offsets, targets = found.csr()
            self.assertEqual((len(offsets), len(targets), len(found)),
                             (41, len(pairs), len(pairs)))
            for v in range(40):
                row = sorted(t for s, t in pairs if s == v)
                self.assertEqual(list(targets[int(offsets[v]):int(offsets[v + 1])]), row)
                self.assertEqual(list(found[v]), row)
                self.assertEqual(found.count(v), len(row))
                self.assertTrue(all(((v, t) in found) == ((v, t) in pairs) for t in range(40)))

    def test_pairs_that_meet(self):
        """An answer "S ~S" has no rows, and says so."""
        graph = cflr.Graph.from_edges([(0, 9, "l"), (1, 9, "l"), (2, 8, "l")])
        result = cflr.solve(graph, "%answer alias L ~L\nL ::= l")
        found = result["L ~L"]
        self.assertEqual(list(found[0]), [0, 1])
        self.assertTrue((0, 1) in found and (0, 2) not in found)
        self.assertTrue(result.alias(0, 1))
        self.assertEqual(list(result.aliases(0)), [0, 1])
        for refused in (found.csr, found.__len__, lambda: found.count(0)):
            self.assertRaisesRegex(ValueError, "no rows", refused)
        self.assertIn("when asked", repr(found))

    def test_rows_of_some_vertices(self):
        rows = relation([(0, 1), (1, 2)]).rows([2, 0, 0])
        self.assertEqual([list(part) for part in rows], [[2, 0, 0], [0, 0, 2, 4], [1, 2, 1, 2]])

    def test_no_pairs(self):
        found = cflr.solve(graph_of([(0, 1)]), "A ::= e e")["A"]
        self.assertEqual((len(found), found.indexes), (0, []))
        self.assertEqual([list(part) for part in found.csr()], [[0, 0, 0], []])
        self.assertEqual(list(found[0]), [])
        self.assertNotIn((0, 1), found)

    def test_indexes(self):
        result = cflr.solve(cflr.Graph.from_edges(CALLS), DYCK)
        opened = result["O"]
        self.assertEqual(opened.indexes, ["1", "2"])
        self.assertEqual(len(opened), 4)
        self.assertRaisesRegex(ValueError, r"O\[1\]", opened.csr)
        one = result["O[1]"]
        self.assertEqual((len(one), list(one["a"])), (2, list(opened["a"])))
        self.assertIn(("a", "p"), one)
        self.assertNotIn(("b", "p"), one)
        self.assertIn(("b", "p"), opened)
        self.assertRaises(KeyError, lambda: result["O[3]"])
        self.assertRaises(KeyError, lambda: result["T"])
        self.assertIn("O", result)
        self.assertNotIn("T", result)

    def test_pairs_of_names(self):
        result = cflr.solve(cflr.Graph.from_edges(CALLS), DYCK)
        self.assertTrue(("a", "x") in result["S"] and ("b", "y") in result["S"])
        self.assertFalse(("a", "y") in result["S"])

    def test_length_and_truth(self):
        result = cflr.solve(graph_of([(0, 1)]), REACH)
        self.assertEqual((len(result), result.start.name, result.symbols), (2, "Reach",
                                                                           ["Reach", "e"]))
        self.assertTrue(cflr.solve(graph_of([]), REACH))

    @needs("numpy")
    def test_rows_that_share_a_set(self):
        edges = [(v, (v + 1) % 50) for v in range(50)] + [(60, 61), (61, 62)]
        found = cflr.solve(graph_of(edges), REACH, model="batch")["Reach"]
        of, rows = found.shared()
        self.assertEqual(len(rows.indices), 50 + 2 + 1)
        for v in range(63):
            begin, end = (int(rows.indptr[of[v] + i]) for i in (0, 1))
            self.assertEqual(list(rows.indices[begin:end]), list(found[v]))

    @needs("numpy")
    def test_pairs_in_columns(self):
        edges = random_edges(3)
        source, target = relation(edges).pairs()
        self.assertEqual(list(zip(source.tolist(), target.tolist())), sorted(reachable(edges)))

    @needs("scipy")
    def test_scipy(self):
        edges = random_edges(4)
        matrix = relation(edges, 33).to_scipy()
        matrix.check_format(full_check=True)
        self.assertEqual((matrix.shape, matrix.dtype), ((33, 33), bool))
        self.assertEqual(sorted(zip(*(part.tolist() for part in matrix.nonzero()))),
                         sorted(reachable(edges)))
        self.assertEqual((matrix @ matrix).nnz, len({(u, w) for u, v in reachable(edges)
                                                     for x, w in reachable(edges) if v == x}))

    @needs("pandas")
    def test_pandas(self):
        frame = relation([(0, 1), (1, 2)]).to_pandas()
        self.assertEqual(frame.values.tolist(), [[0, 1], [0, 2], [1, 2]])

    @needs("networkx")
    def test_networkx(self):
        self.assertEqual(sorted(relation([(0, 1), (1, 2)]).to_networkx().edges),
                         [(0, 1), (0, 2), (1, 2)])


class Sharing(unittest.TestCase):
    def test_what_does_not_expand(self):
        """100 million pairs in one set: nothing below takes memory for them."""
        found = relation([(v, (v + 1) % 10000) for v in range(10000)])
        before = resident()
        self.assertEqual(len(found), 10 ** 8)
        self.assertIn((5, 4), found)
        self.assertEqual(sum(found.count(v) for v in range(10000)), 10 ** 8)
        self.assertEqual(len(found[7]), 10000)
        self.assertLess(resident() - before, 20 << 20)

    @needs("numpy")
    def test_sets_of_ten_billion_pairs(self):
        found = relation([(v, (v + 1) % 100000) for v in range(100000)])
        self.assertEqual(len(found), 10 ** 10)
        of, rows = found.shared()
        self.assertEqual((len(rows.indices), int(of.max())), (100000, 0))

    @needs("scipy")
    def test_hundred_million_pairs_once(self):
        """The peak of memory has the targets once, 4 bytes each, and a byte for each entry."""
        printed = run_python(f"""
import sys, time
sys.path.insert(0, {HERE!r})
import scipy.sparse
from support import REACH, chain
from test_result import resident
import cflr
found = cflr.solve(chain(14200), REACH, only=["Reach"])["Reach"]
before, begin = resident("VmHWM"), time.monotonic()
matrix = found.to_scipy()
print(matrix.nnz, resident("VmHWM") - before, time.monotonic() - begin)
""")
        pairs, peak, seconds = printed.split()
        self.assertEqual(int(pairs), 14200 * 14199 // 2)
        print(f"\n{pairs} pairs to SciPy in {float(seconds):.2f} s, {int(peak) / int(pairs):.2f} "
              "bytes a pair")
        self.assertLess(int(peak), 5.3 * int(pairs))


class Lifetimes(unittest.TestCase):
    def test_arrays_outlive_the_result(self):
        for make in (ring, chain):
            result = cflr.solve(make(400), REACH)
            expected = [list(result["Reach"][v]) for v in range(400)]
            rows = [result["Reach"][v] for v in range(400)]
            gone = weakref.ref(result)
            del result
            gc.collect()
            self.assertIsNone(gone())
            for _ in range(3):
                cflr.solve(make(300), REACH)
            self.assertEqual([list(row) for row in rows], expected)

    def test_lists_outlive_the_result(self):
        result = cflr.solve(cflr.Graph.from_edges(POINTERS), cflr.Grammar.load("pointer"))
        found = result.aliases("p")
        expected = list(found)
        del result
        gc.collect()
        self.assertEqual(list(found), expected)

    def test_relations_and_graphs_outlive_the_result(self):
        found = relation([(0, 1), (1, 2)])
        gc.collect()
        self.assertEqual(list(found[0]), [1, 2])
        graph = cflr.solve(chain(9), REACH).graph
        gc.collect()
        self.assertEqual(len(graph), 8)

    def test_cycles(self):
        """Objects in a cycle go in an order that Python chooses, in any thread; memory that was
        freed is overwritten."""
        printed = run_python(f"""
import gc, sys
sys.path.insert(0, {HERE!r})
import cflr
from support import REACH, chain
gc.set_threshold(20)
good = 0
for i in range(400):
    result = cflr.solve(chain(30), REACH)
    row, kept = result["Reach"][3], result.graph.rows("e")
    result.myself = [result, result.graph, row, result["Reach"].csr()]
    result.graph.myself = result
    result.grammar = cflr.Grammar.load("pointer")
    result.grammar.myself = result
    del result
    if i % 10 == 0:
        gc.collect()
    good += list(row) == list(range(4, 30)) and list(kept.indices) == list(range(1, 30))
print(good)
""", MALLOC_PERTURB_="165")
        self.assertEqual(printed.strip(), "400")

    def test_memory_comes_back(self):
        def work():
            found = relation([(v, v + 1) for v in range(1000)])
            return len(found.csr()[1]), found[0]

        work()
        before = resident()
        for _ in range(60):
            work()
        self.assertLess(resident() - before, 30 << 20)


class Files(Folder):
    def test_round_trip(self):
        edges = random_edges(5)
        path = self.path("a.cflr")
        cflr.solve(graph_of(edges), REACH).save(path)
        loaded = cflr.Result.load(path)
        self.assertTrue(loaded.complete)
        found = {(u, int(v)) for u, row in loaded["Reach"] for v in row}
        self.assertEqual(found, reachable(edges))
        self.assertEqual(len(loaded.rows()[1]), len(found))
        self.assertEqual(len(loaded.graph), len(edges))
        graph = loaded.graph
        del loaded
        gc.collect()
        self.assertEqual(len(graph.rows("e").indices), len(edges))

    def test_explain_of_a_file(self):
        path = self.path("a.cflr")
        cflr.solve(chain(5), REACH).save(path)
        self.assertRaisesRegex(ValueError, "grammar", cflr.Result.load(path).explain, "Reach", 0, 3)
        loaded = cflr.Result.load(path, cflr.Grammar(REACH))
        self.assertIn("e(2, 3)", str(loaded.explain("Reach", 0, 3)))

    def test_damage(self):
        path = self.path("a.cflr")
        cflr.solve(chain(5), REACH).save(path)
        with open(path, "r+b") as file:
            file.seek(40)
            file.write(b"damage")
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.Result.load(path)
        self.assertIn(caught.exception.code, ("FORMAT", "UNSUPPORTED"))
        self.assertEqual(caught.exception.subject, path)

    def test_export(self):
        result = cflr.solve(chain(3), REACH)
        path = self.path("pairs.tsv")
        result.export(path, symbols=["Reach"])
        with open(path, encoding="ascii") as file:
            self.assertEqual([line.split() for line in file if line[0] != "#"],
                             [["0", "1", "Reach"], ["0", "2", "Reach"], ["1", "2", "Reach"]])


class Questions(unittest.TestCase):
    def setUp(self):
        self.graph = cflr.Graph.from_edges(POINTERS)
        self.result = cflr.solve(self.graph, cflr.Grammar.load("pointer"))

    def names(self, vertices):
        return sorted(self.graph.vertex(v).name for v in vertices)

    def test_alias(self):
        self.assertIs(self.result.alias("p", "q"), cflr.Through.PROGRAM)
        self.assertTrue(self.result.alias("r", "s"))
        self.assertFalse(self.result.alias("p", "r"))
        self.assertIs(self.result.alias("p", "r"), cflr.Through.NOTHING)

    def test_points_to_and_aliases(self):
        self.assertEqual(self.names(self.result.points_to("q")), ["x"])
        self.assertEqual(self.names(self.result.points_to("s")), ["y"])
        self.assertEqual(self.names(self.result.aliases("r")), ["&y", "*q", "r", "s", "x"])

    def test_questions_that_have_no_answer(self):
        result = cflr.solve(chain(3), REACH)
        self.assertRaisesRegex(ValueError, "alias", result.alias, 0, 1)
        with self.assertRaises(cflr.CflrError) as caught:
            self.result.alias("p", "nothing")
        self.assertEqual(caught.exception.code, "NOT_FOUND")

    def test_explain(self):
        why = self.result.explain("PT", "s", "y")
        self.assertEqual((why.symbol, why.target), ("PT", self.graph.find("y")[0]))
        edges = {(u, v, label) for u, v, label in
                 ((self.graph.find(u)[0], self.graph.find(v)[0], label)
                  for u, v, label in POINTERS)}
        waiting, checked = [why], 0
        while waiting:
            derivation = waiting.pop()
            at = derivation.source
            for step in derivation.steps:
                self.assertEqual(step.source, at, "steps make a path")
                at = step.target
                ends = (step.target, step.source) if step.backwards else (step.source, step.target)
                if step.derivation:
                    self.assertEqual((step.derivation.source, step.derivation.target), ends)
                    waiting.append(step.derivation)
                else:
                    self.assertIn((*ends, step.symbol), edges)
                    checked += 1
            self.assertEqual(at, derivation.target)
        self.assertGreater(checked, 3)
        self.assertIsNone(self.result.explain("PT", "p", "y"))
        self.assertRaises(cflr.CflrError, self.result.explain, "Nothing", "p", "y")

    def test_derivation_as_text(self):
        graph = cflr.Graph.from_edges([(1, 0, "a"), (2, 1, "a"), (2, 3, "b")])
        result = cflr.solve(graph, "S ::= ~a ~T b\nT ::= a")
        self.assertEqual(str(result.explain("S", 0, 3)),
                         "S(0, 3)\n    ~a(0, 1)\n    ~a(1, 2)\n    b(2, 3)")
        graph = cflr.Graph.from_edges([(1, 0, "open"), (2, 1, "open"), (3, 2, "close"),
                                       (4, 3, "close")])
        result = cflr.solve(graph, "S ::= ~D\nD ::= close D open | close open")
        self.assertEqual(str(result.explain("S", 0, 4)), """S(0, 4)
    ~D(0, 4)
        close(4, 3)
        D(3, 1)
            close(3, 2)
            open(2, 1)
        open(1, 0)""")


class Arrow(unittest.TestCase):
    def take(self, capsules):
        """A consumer: moves the array out, reads it, releases it."""
        from cflr import _arrays
        from cflr._native import ffi
        schema = _arrays._taken(capsules[0], "struct ArrowSchema")
        made = _arrays._taken(capsules[1], "struct ArrowArray")
        self.assertEqual(ffi.string(schema.format), b"+L")
        self.assertEqual(ffi.string(schema.children[0].format), b"I")
        gc.collect()
        offsets = ffi.cast("int64_t *", made.buffers[1])[0:made.length + 1]
        values = ffi.cast("uint32_t *", made.children[0].buffers[1])[0:made.children[0].length]
        return list(offsets), list(values)

    def test_rows_are_handed_over(self):
        from cflr._arrays import _kept
        before = len(_kept)
        self.assertEqual(self.take(relation([(0, 1), (1, 2)]).__arrow_c_array__()),
                         ([0, 2, 3, 3], [1, 2, 2]))
        rows = graph_of([(2, 0)]).rows("e")
        self.assertEqual(self.take(rows.__arrow_c_array__()), ([0, 1], [0]))
        gc.collect()
        self.assertEqual(len(_kept), before, "what was released is let go of")

    def test_capsules_that_no_consumer_takes(self):
        from cflr._arrays import _kept
        before = len(_kept)
        capsules = relation([(0, 1)]).__arrow_c_array__()
        self.assertGreater(len(_kept), before)
        del capsules
        gc.collect()
        self.assertEqual(len(_kept), before)

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow
        rows = pyarrow.array(relation([(0, 1), (1, 2)]))
        self.assertEqual(rows.to_pylist(), [[1, 2], [2], []])
        del rows
        source, target = pyarrow.array([9, 0, 1])[1:], pyarrow.array([1, 2], pyarrow.int32())
        graph = cflr.Graph.from_arrays(source, target, "e")
        self.assertEqual(list(graph.rows("e").indices), [1, 2])
        nulls = pyarrow.array([0, None])
        self.assertRaises(ValueError, cflr.Graph.from_arrays, nulls, target, "e")


if __name__ == "__main__":
    unittest.main()
