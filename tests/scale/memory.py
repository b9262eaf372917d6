#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A process under --memory never has more than that, however its rows grow.

    memory.py CFLR

In memory the closures need more than the limits. In the parallel model rows by source and lists by
target grow side by side, each in blocks that the heap places between those of the others, and the
lists are freed before the result is made: the pages in between must go back too. The batch model
keeps equal sets, and equal parts of sets, once: it gets edges to greater vertices at random, where
hardly any parts are equal. It goes on from the disk where memory ends, and is whole under the
greater of its limits; the graph alone nearly fills the lesser one. Filters of thousands of types
that have the same objects in common do not list these for each type.
"""
import os
import random
import subprocess
import sys
import tempfile

WHOLE, LIMIT = 0, 4
REACH = "%start V\nV ::= v | V S\nS ::= e\n"
TYPED = "%start P\n%filter P reads fits ~is\nP ::= a | P P\n"


def write_reach(out, vertices, only_greater):
    pick = random.Random(7)
    for vertex in range(vertices):
        out.write(f"{vertex}\t{vertex}\tv\n")
        least = vertex if only_greater else 0
        for target in [pick.randrange(least, vertices) for _ in "ab"]:
            out.write(f"{vertex}\t{target}\te\n")


def write_typed(out):
    """Pointers of many types, and many objects that fit each of these."""
    types, objects = 4_000, 60_000
    for number in range(types):
        out.write(f"t{number}\tcommon\tfits\np{number}\tt{number}\treads\n")
        out.write(f"p{number}\to{number}\ta\np{number}\tp{(number + 1) % types}\ta\n")
    for number in range(objects):
        out.write(f"o{number}\tcommon\tis\no{number}\to{number}\ta\n")


# name, model, bytes, exit code, grammar, graph
CASES = [
    ("parallel", "parallel", 1000 << 20, LIMIT, REACH, lambda out: write_reach(out, 14_000, False)),
    ("batch", "batch", 80 << 20, WHOLE, REACH, lambda out: write_reach(out, 60_000, True)),
    ("batch", "batch", 40 << 20, LIMIT, REACH, lambda out: write_reach(out, 60_000, True)),
    ("types", "batch", 80 << 20, WHOLE, TYPED, write_typed),
]


def main():
    cflr, failed = os.path.abspath(sys.argv[1]), False
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, model, limit, wanted, grammar, write in CASES:
            with open("grammar.cfg", "w", encoding="ascii") as out:
                out.write(grammar)
            with open("graph.tsv", "w", encoding="ascii") as out:
                write(out)
            child = subprocess.Popen([cflr, "solve", "-q", "-g", "grammar.cfg", "graph.tsv", "-j",
                                      "2", "--model", model, "--memory", str(limit), "-o",
                                      "part.cflr"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            messages = child.stderr.read().decode()
            _, status, usage = os.wait4(child.pid, 0)
            code = child.returncode = os.waitstatus_to_exitcode(status)
            peak = usage.ru_maxrss << 10
            print(f"{name}: exit code {code}, {peak >> 20} MiB of {limit >> 20}\n{messages}",
                  end="")
            failed |= code != wanted or peak > limit or peak < limit // 4
    return failed


if __name__ == "__main__":
    sys.exit(main())
