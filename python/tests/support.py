# SPDX-License-Identifier: Apache-2.0
"""What tests share: packages that need not be there, a closure in plain Python, programs."""
import importlib
import os
import random
import subprocess
import sys
import tempfile
import unittest

import cflr

HERE = os.path.dirname(os.path.abspath(__file__))
REACH = "Reach ::= e | Reach e"


def package(name):
    """The package, or None; tests that need it are decorated by `needs`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def needs(*names):
    missing = [name for name in names if package(name) is None]
    return unittest.skipIf(missing, f"needs {', '.join(missing)}")


def reachable(edges):
    """The pairs of the transitive closure."""
    follows, pairs = {}, set()
    for source, target in edges:
        follows.setdefault(source, set()).add(target)
    for source in follows:
        waiting = [source]
        while waiting:
            for target in follows.get(waiting.pop(), ()):
                if (source, target) not in pairs:
                    pairs.add((source, target))
                    waiting.append(target)
    return pairs


def random_edges(seed, vertices=30, edges=60):
    draw = random.Random(seed)
    return sorted({(draw.randrange(vertices), draw.randrange(vertices)) for _ in range(edges)})


def graph_of(edges, vertices=0):
    return cflr.Graph.from_edges([(u, v, "e") for u, v in edges], vertices)


def ring(n):
    """A graph whose closure has n * n pairs in one set."""
    return graph_of([(v, (v + 1) % n) for v in range(n)])


def chain(n):
    """A graph whose closure has n * (n - 1) / 2 pairs, all rows different."""
    return graph_of([(v, v + 1) for v in range(n - 1)])


def slow_problem():
    """A closure that takes minutes: interrupts and limits find it at work."""
    draw = random.Random(1)
    labels = ["a", "b", "c", "d"]
    edges = [(draw.randrange(20000), draw.randrange(20000), draw.choice(labels))
             for _ in range(60000)]
    rules = "S ::= a S b | c S d | a b | c d | S S"
    return cflr.Graph.from_edges(edges), rules


def run_python(program, *arguments, **environment):
    """Runs a program in a process of its own; returns what it prints."""
    found = subprocess.run([sys.executable, "-B", "-c", program, *arguments], text=True,
                           capture_output=True, timeout=600, env={**os.environ, **environment})
    if found.returncode:
        raise AssertionError(found.stderr)
    return found.stdout


class Folder(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cflr-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path
