# SPDX-License-Identifier: Apache-2.0
"""The primitives of docs/reference/graph.md by their definitions, on graphs of some dozens of
vertices.

A graph is `n` vertices and `edges`, a list of (source, target, weight), as they are when parallel
edges have been settled and directions doubled. Nothing is clever here: Bellman and Ford, Floyd and
Warshall, Kruskal, counting walks, steps over all edges in float64.
"""
import itertools
import math
import struct
from fractions import Fraction

NOWHERE = 2**32 - 1


class Graph:
    def __init__(self, n, edges, is_float):
        self.n, self.edges, self.is_float = n, edges, is_float
        self.out_degree, self.in_degree = [0] * n, [0] * n
        for source, target, _ in edges:
            self.out_degree[source] += 1
            self.in_degree[target] += 1

    def neighbours(self):
        """Of each vertex, with loops and directions and parallel edges left out."""
        sets = [set() for _ in range(self.n)]
        for source, target, _ in self.edges:
            if source != target:
                sets[source].add(target)
                sets[target].add(source)
        return sets


def to_float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def relax(graph, value, better, step):
    """Takes edges until none makes the value of its target better."""
    changed = True
    while changed:
        changed = False
        for source, target, weight in graph.edges:
            found = step(value[source], weight)
            if better(found, value[target]):
                value[target], changed = found, True
    return value


def hops(graph, source):
    start = [0 if v == source else math.inf for v in range(graph.n)]
    return relax(graph, start, lambda a, b: a < b, lambda value, _: value + 1)


def bfs(graph, source):
    return [NOWHERE if level == math.inf else level for level in hops(graph, source)]


def sssp(graph, source):
    """None when a distance does not fit into 32 bits."""
    rounded = to_float32 if graph.is_float else lambda x: x
    start = [0 if v == source else math.inf for v in range(graph.n)]
    found = relax(graph, start, lambda a, b: a < b, lambda value, weight: rounded(value + weight))
    if graph.is_float:
        return found
    if any(NOWHERE <= distance < math.inf for distance in found):
        return None
    return [NOWHERE if distance == math.inf else distance for distance in found]


def sswp(graph, source):
    start = [math.inf if v == source else 0 for v in range(graph.n)]
    return relax(graph, start, lambda a, b: a > b, min)


def walks(graph, source, level):
    """How many paths of fewest edges lead from the source to each vertex."""
    count = [int(v == source) for v in range(graph.n)]
    for length in range(1, graph.n):
        for u, v, _ in graph.edges:
            if level[u] == length - 1 and level[v] == length:
                count[v] += count[u]
    return count


def ssnsp(graph, source):
    return [min(count, 2**64 - 1) for count in walks(graph, source, hops(graph, source))]


def cc(graph):
    both = graph.edges + [(target, source, weight) for source, target, weight in graph.edges]
    return relax(Graph(graph.n, both, False), list(range(graph.n)), lambda a, b: a < b,
                 lambda value, _: value)


def scc(graph):
    reached = [{v for v, level in enumerate(hops(graph, source)) if level < math.inf}
               for source in range(graph.n)]
    return [min(v for v in reached[u] if u in reached[v]) for u in range(graph.n)]


def reach(graph, sources):
    found = [0] * graph.n
    for bit, source in enumerate(sources):
        for vertex, level in enumerate(hops(graph, source)):
            found[vertex] |= (level < math.inf) << bit
    return found


def rank_step(graph, damping, begin, ranks):
    lost = math.fsum(rank for rank, degree in zip(ranks, graph.out_degree) if degree == 0)
    new = [(1 - damping) * share + damping * lost * share for share in begin]
    for source, target, _ in graph.edges:
        new[target] += damping * ranks[source] / graph.out_degree[source]
    return new


def ranks_after(graph, damping, begin, steps):
    """Ranks after so many steps, or those that a step leaves as they are (steps: None)."""
    ranks, step = begin, 0
    while step != steps:
        new = rank_step(graph, damping, begin, ranks)
        if steps is None and math.fsum(abs(a - b) for a,
                                       b in zip(new, ranks)) < 1e-15 * max(graph.n, 1):
            return new
        ranks, step = new, step + 1
    return ranks


def shares(n, sources=None):
    """Where walks begin: anywhere, or at the sources."""
    return [1 / n if sources is None else sources.count(v) / len(sources) for v in range(n)]


def bc(graph, sources):
    levels = [hops(graph, v) for v in range(graph.n)]
    counts = [walks(graph, v, levels[v]) for v in range(graph.n)]
    found = [Fraction(0)] * graph.n
    for s, t, v in itertools.product(sources, range(graph.n), range(graph.n)):
        if v not in (s,
                     t) and levels[s][t] < math.inf and levels[s][v] + levels[v][t] == levels[s][t]:
            found[v] += Fraction(counts[s][v] * counts[v][t], counts[s][t])
    return [float(x) for x in found]


def normal(values):
    length = math.sqrt(math.fsum(value * value for value in values))
    return [value / length if length else 0.0 for value in values]


def hits(graph, steps):
    hub, authority = [1.0] * graph.n, [0.0] * graph.n
    for _ in range(steps):
        authority, new = [0.0] * graph.n, [0.0] * graph.n
        for source, target, _ in graph.edges:
            authority[target] += hub[source]
        authority = normal(authority)
        for source, target, _ in graph.edges:
            new[source] += authority[target]
        hub = normal(new)
    return hub, authority


def salsa(graph, steps):
    able = sum(degree > 0 for degree in graph.out_degree)
    hub, authority = [1 / able if degree else 0.0 for degree in graph.out_degree], [0.0] * graph.n
    for _ in range(steps):
        authority, new = [0.0] * graph.n, [0.0] * graph.n
        for source, target, _ in graph.edges:
            authority[target] += hub[source] / graph.out_degree[source]
        for source, target, _ in graph.edges:
            new[source] += authority[target] / graph.in_degree[target]
        hub = new
    return hub, authority


def tc(graph):
    near = graph.neighbours()
    return sum(b in near[a] and c in near[a] and c in near[b]
               for a, b, c in itertools.combinations(range(graph.n), 3))


def mst(graph):
    """The weights of a lightest forest, ascending (Kruskal)."""
    part, weights = list(range(graph.n)), []
    for source, target, weight in sorted(graph.edges, key=lambda edge: edge[2]):
        a, b = part[source], part[target]
        if a != b:
            weights.append(weight)
            part = [a if p == b else p for p in part]
    return weights


def signals(graph, sources, steps, low, change):
    """Values that come over weighted edges: sources are held at 1, or at 0 where `low` says so, and
    `change` makes a value of a mean."""
    size = [0.0] * graph.n
    for _, target, weight in graph.edges:
        size[target] += abs(weight)
    value = [0.0] * graph.n
    for i, source in reversed(list(enumerate(sources))):
        value[source], size[source] = float(not (low and i)), 0
    for _ in range(steps):
        new = [0.0] * graph.n
        for source, target, weight in graph.edges:
            new[target] += weight * value[source]
        value = [change(new[v] / size[v]) if size[v] else value[v] for v in range(graph.n)]
    return value


def gcs(graph, sources, steps):
    return signals(graph, sources, steps, True, lambda mean: mean)


def nndr(graph, sources, steps):
    return signals(graph, sources, steps, False, lambda mean: math.tanh(0.85 * mean))


def money(graph, source, circle, damping, rounds):
    """Relevance, after so many rounds on the edges out of the circle."""
    edges = [(x, y) for x, y, _ in graph.edges if x in circle]
    into = [0] * graph.n
    for _, y in edges:
        into[y] += 1
    similar, relevant = shares(graph.n, [source]), [0.0] * graph.n
    for _ in range(rounds):
        relevant = [0.0] * graph.n
        for x, y in edges:
            relevant[y] += similar[x] / graph.out_degree[x]
        similar = [(1 - damping) * (v == source) for v in range(graph.n)]
        for x, y in edges:
            similar[x] += damping * relevant[y] / into[y]
    return relevant


def kcore(graph):
    core, left = [0] * graph.n, set(range(graph.n))
    ends = [(source, target) for source, target, _ in graph.edges if source != target]
    for k in range(1, len(ends) + 2):
        while True:
            few = {v for v in left if sum(s == v and t in left for s, t in ends) < k}
            if not few:
                break
            left -= few
        for v in left:
            core[v] = k
    return core
