#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A process under --memory never has more than that, however its rows grow.

    memory.py CFLR

In memory the closures need more than the limits. In the parallel model rows by source and lists by
target grow side by side, each in blocks that the heap places between those of the others, and the
lists are freed before the result is made: the pages in between must go back too. The batch model
keeps equal sets, and equal parts of sets, once: it gets edges to greater vertices at random, where
hardly any parts are equal. It goes on from the disk where memory ends, and is whole under the
greater of its limits; the graph alone nearly fills the lesser one.
"""
import os
import random
import subprocess
import sys
import tempfile

WHOLE, LIMIT = 0, 4
CASES = [("parallel", 1000 << 20, LIMIT), ("batch", 80 << 20, WHOLE), ("batch", 40 << 20, LIMIT)]
VERTICES = {"parallel": 14_000, "batch": 60_000}
GRAMMAR = "%start V\nV ::= v | V S\nS ::= e\n"


def write_graph(path, model):
    pick = random.Random(7)
    vertices = VERTICES[model]
    with open(path, "w", encoding="ascii") as out:
        for vertex in range(vertices):
            out.write(f"{vertex}\t{vertex}\tv\n")
            least = vertex if model == "batch" else 0
            for target in [pick.randrange(least, vertices) for _ in "ab"]:
                out.write(f"{vertex}\t{target}\te\n")


def main():
    cflr = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("grammar.cfg", "w", encoding="ascii") as out:
            out.write(GRAMMAR)
        failed = False
        for model, limit, wanted in CASES:
            write_graph("graph.tsv", model)
            child = subprocess.Popen([cflr, "solve", "-q", "-g", "grammar.cfg", "graph.tsv", "-j",
                                      "2",
                                      "--model", model, "--memory", str(limit), "-o", "part.cflr"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            messages = child.stderr.read().decode()
            _, status, usage = os.wait4(child.pid, 0)
            code = child.returncode = os.waitstatus_to_exitcode(status)
            peak = usage.ru_maxrss << 10
            print(f"{model}: exit code {code}, {peak >> 20} MiB of {limit >> 20}\n{messages}",
                  end="")
            failed |= code != wanted or peak > limit or peak < limit // 4
    return failed


if __name__ == "__main__":
    sys.exit(main())
