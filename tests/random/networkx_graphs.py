#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr graph` against networkx and scipy, on lists with weights and parallel edges.

    networkx_graphs.py --cflr CFLR [--seeds FIRST-LAST]

What others compute of the same file is what a user compares with. Lists have weights that differ
between parallel edges and between the two directions of a pair. Each is read as it is and with
--undirected; networkx gets a simple graph, or with --keep-parallel a multigraph where that makes
a difference. Without networkx or scipy the test is skipped (exit code 77), and says so.
"""
import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile

try:
    import networkx
    import scipy.sparse
    import scipy.sparse.csgraph
except ImportError as missing:
    print(f"SKIP: {missing}; python3-networkx and python3-scipy are needed", file=sys.stderr)
    sys.exit(77)

SHOWN = 5


def draw(seed):
    """Edges (source, target, weight) with loops, parallel ones and pairs in both directions."""
    dice = random.Random(seed)
    n = dice.choice([2, 4, 7, 12, 25])
    edges = []
    for _ in range(dice.randrange(1, 4 * n)):
        u, v = dice.randrange(n), dice.randrange(n)
        for _ in range(dice.choice([1, 1, 2, 3])):
            edges.append((u, v, dice.randrange(1, 9)))
        if dice.random() < 0.3:
            edges.append((v, u, dice.randrange(1, 9)))
    return n, edges


class Compared:
    """One list, read in one way."""

    def __init__(self, cflr, path, n, edges, both):
        self.cflr, self.path, self.n, self.both = cflr, path, n, both
        self.options = ["--undirected"] if both else []
        self.simple = networkx.Graph() if both else networkx.DiGraph()
        self.simple.add_nodes_from(range(n))
        self.simple.add_edges_from((u, v) for u, v, _ in edges)
        self.plain = self.simple.to_undirected()  # for what has no directions
        self.plain.remove_edges_from(list(networkx.selfloop_edges(self.plain)))
        least, most = collections.defaultdict(lambda: float("inf")), collections.Counter()
        for u, v, weight in edges:
            for pair in {(u, v), (v, u)} if both else {(u, v)}:
                least[pair] = min(least[pair], weight)
                most[pair] = max(most[pair], weight)
        self.least, self.most = self.weighted(least), self.weighted(most)
        self.wrong, self.checked = [], 0

    def weighted(self, weights):
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(self.n))
        graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in weights.items())
        return graph

    def run(self, *words):
        return subprocess.run([self.cflr, "graph", *words, self.path, *self.options, "-q"],
                              check=True, capture_output=True, text=True).stdout

    def column(self, *words):
        lines = self.run(*words, "-o", "-").splitlines()[1:]
        return [None if line.split("\t")[1] == "-" else float(line.split("\t")[1])
                for line in lines]

    def value(self, name, *words):
        return json.loads(self.run(*words, "--format", "json"))["values"][name]

    def must(self, what, found, wanted, bound=0.0):
        self.checked += 1
        same = len(found) == len(wanted) and all(
            a == b or (a is not None and b is not None and abs(a - b) <= bound)
            for a, b in zip(found, wanted))
        if not same:
            self.wrong.append((what, found, wanted))

    def paths(self):
        levels = networkx.single_source_shortest_path_length(self.simple, 0)
        self.must("bfs", self.column("bfs", "--source", "0"),
                  [levels.get(v) for v in range(self.n)])
        distances = networkx.single_source_dijkstra_path_length(self.least, 0)
        self.must("sssp", self.column("sssp", "--source", "0"),
                  [distances.get(v) for v in range(self.n)])
        counts = [len(list(networkx.all_shortest_paths(self.simple, 0, v))) if v in levels else 0
                  for v in range(self.n)]
        self.must("ssnsp", self.column("ssnsp", "--source", "0"), counts)
        self.must("sswp", self.column("sswp", "--source", "0")[1:], self.widths()[1:])
        between = networkx.betweenness_centrality_subset(
            self.simple, range(self.n), range(self.n), normalized=False)
        sources = ",".join(map(str, range(self.n)))
        # networkx halves what has no directions
        self.must("bc", self.column("bc", "--source", sources),
                  [between[v] * (2 if self.both else 1) for v in range(self.n)], 1e-6)
        reached = [0] * self.n
        for bit in range(min(3, self.n)):
            for v in networkx.descendants(self.simple, bit) | {bit}:
                reached[v] |= 1 << bit
        self.must("reach", self.column("reach", "--source",
                                       ",".join(map(str, range(min(3, self.n))))), reached)

    def widths(self):
        """Vertices that edges of some weight or more lead to."""
        width = [0] * self.n
        for bound in sorted({w for _, _, w in self.most.edges(data="weight")}):
            wide = networkx.DiGraph((u, v) for u, v, w in self.most.edges(data="weight")
                                    if w >= bound)
            for v in networkx.descendants(wide, 0) if 0 in wide else ():
                width[v] = bound
        return width

    def sets(self):
        def smallest(components):
            found = [0] * self.n
            for component in components:
                for v in component:
                    found[v] = min(component)
            return found
        self.must("cc", self.column("cc"), smallest(networkx.connected_components(self.plain)))
        matrix = scipy.sparse.csr_matrix(networkx.to_scipy_sparse_array(
            self.simple, nodelist=range(self.n), weight=None))
        _, labels = scipy.sparse.csgraph.connected_components(matrix, connection="strong")
        self.must("scc", self.column("scc"), [list(labels).index(label) for label in labels])
        core = networkx.core_number(self.plain)
        self.must("kcore", self.column("kcore"), [core[v] for v in range(self.n)])
        triangles = sum(networkx.triangles(self.plain).values()) // 3
        self.must("tc", [self.value("triangles", "tc")], [triangles])
        forest = networkx.minimum_spanning_tree(self.lightest())
        self.must("mst", [self.value("weight", "mst")], [forest.size(weight="weight")])
        member = self.column("mis")
        inside = [v for v in range(self.n) if member[v]]
        maximal = all(member[v] or any(member[u] for u in self.plain[v]) for v in range(self.n))
        self.must("mis", [self.plain.subgraph(inside).number_of_edges(), maximal], [0, True])
        colour = self.column("colour")
        self.must("colour", [sum(colour[u] == colour[v] for u, v in self.plain.edges)], [0])

    def lightest(self):
        graph = networkx.Graph()
        graph.add_nodes_from(range(self.n))
        for u, v, weight in self.least.edges(data="weight"):
            known = graph.get_edge_data(u, v, {"weight": weight})["weight"]
            graph.add_edge(u, v, weight=min(known, weight))
        return graph

    def ranks(self):
        wanted = networkx.pagerank(self.simple, weight=None, tol=1e-12, max_iter=1000)
        exact = ["--tolerance", "1e-7", "--most-iterations", "1000"]
        for name in ("pagerank", "pagerank-delta"):
            self.must(name, self.column(name, *exact), [wanted[v] for v in range(self.n)], 2e-5)
        wanted = networkx.pagerank(self.simple, personalization={0: 1}, weight=None, tol=1e-12,
                                   max_iter=1000)
        self.must("ppr", self.column("ppr", "--source", "0", *exact),
                  [wanted[v] for v in range(self.n)], 2e-5)

    def multigraph(self, edges):
        """Parallel edges count apart where that was asked for."""
        edges = [(u, v) for u, v, _ in edges if u != v]
        degree = collections.Counter()
        for u, v in edges:
            degree[u] += 1
            degree[v] += 1
        alive, core = set(range(self.n)), [0] * self.n
        for k in range(max(degree.values(), default=0) + 1):
            peeling = True
            while peeling:
                peeling = [v for v in alive if degree[v] < k]
                for v in peeling:
                    alive.discard(v)
                    for a, b in edges:
                        degree[a] -= b == v and a in alive
                        degree[b] -= a == v and b in alive
            for v in alive:
                core[v] = k
        self.must("kcore --keep-parallel", self.column("kcore", "--keep-parallel"), core)


def compare_both(cflr, path, n, edges, name):
    """`edges` are what the file is thought to hold."""
    wrong, checked = [], 0
    for both in (False, True):
        one = Compared(cflr, path, n, edges, both)
        one.paths()
        one.sets()
        one.ranks()
        one.multigraph(edges)
        wrong += [(name, "undirected" if both else "directed", *text) for text in one.wrong]
        checked += one.checked
    return wrong, checked


def write(path, n, edges):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# vertices {n}\n" + "".join(f"{u} {v} {w}\n" for u, v, w in edges))


def unseen(cflr, folder):
    """What takes a line for a ring."""
    path = f"{folder}/line.txt"
    write(path, 4, [(0, 1, 1), (1, 2, 2)])
    wrong, _ = compare_both(cflr, path, 4, [(0, 1, 1), (1, 2, 2), (2, 3, 9), (3, 0, 9)], "a ring")
    names = {"bfs", "sssp", "sswp", "ssnsp", "bc", "reach", "cc", "scc", "kcore", "mst", "pagerank",
             "pagerank-delta", "ppr", "kcore --keep-parallel"}
    return names - {what for _, _, what, _, _ in wrong}


def compare(cflr, seed, folder):
    n, edges = draw(seed)
    path = f"{folder}/graph{seed}.txt"
    write(path, n, edges)
    return compare_both(cflr, path, n, edges, f"seed {seed}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cflr", required=True)
    parser.add_argument("--seeds", default="0-4")
    args = parser.parse_args()
    first, last = map(int, args.seeds.split("-"))
    with tempfile.TemporaryDirectory() as folder:
        blind = unseen(args.cflr, folder)
        if blind:
            print("a ring that is a line is not noticed by:", *sorted(blind))
            return 1
        wrong, checked = [], 0
        for seed in range(first, last + 1):
            found, n = compare(args.cflr, seed, folder)
            wrong, checked = wrong + found, checked + n
    shown = [f"{seed}, {how}, {what}: {found}, not {wanted}"
             for seed, how, what, found, wanted in wrong[:SHOWN]]
    print(*shown, f"{checked} columns and numbers, differences: {len(wrong)}", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
