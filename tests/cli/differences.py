#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr diff` of two results, beside a comparison in Python of what `cflr solve --export` says of
both: C programs whose lines, names and folders change, other options, and graphs with names of
hostile letters. The matching is that of the manual page, written anew.

    differences.py CFLR SOURCES [SEEDS]

SOURCES is the root of the repository.
"""
import collections
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

CFLR, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
GUARD = 300  # seconds; only against hanging
PROGRAMS = ("tests/cli/data/explained.c", "tests/cli/data/calls.c", "tests/cli/data/program.c",
            "tests/cli/data/objects.c", "tests/c/member.c", "tests/c/heap.c",
            "examples/bugs/journal.c", "tests/cli/data/narrow.c")
PATHS = b"%start P\nP ::= e | P e\n"
ADDED = "\nstatic int *added_{n}, fresh_{n};\nint *add_{n}(int **to) {{ added_{n} = &fresh_{n}; " \
        "*to = added_{n}; return *to; }}\n"


def run(words, codes=(0,)):
    done = subprocess.run([CFLR, *words], capture_output=True, check=False, timeout=GUARD)
    if done.returncode not in codes:
        message = done.stderr.decode("utf-8", "replace")
        raise SystemExit(f"{words}: code {done.returncode}: {message}")
    return done.returncode, done.stdout


class Side:
    """One result, and all pairs of its relation."""

    def __init__(self, path, relation):
        self.path = path
        graph, grammar = relation[:2]
        run(["solve", "-q", "-g", grammar, graph, "-o", path])
        _, exported = run(["solve", "-q", "-g", grammar, graph, "--export", "ndjson", "--label",
                           relation[2]])
        _, edges = run(["convert", "-q", graph, "-", "--to", "ndjson"])
        self.vertex, self.pairs = {}, []
        for line in exported.decode("utf-8", "replace").splitlines():
            self.pairs.append(self.note(json.loads(line)))
        for line in edges.decode("utf-8", "replace").splitlines():
            self.note(json.loads(line))
        self.things = collections.defaultdict(dict)  # key -> place -> vertices
        for number, info in self.vertex.items():
            place = (info.get("line", 0), info.get("column", 0))
            self.things[key_of(info)].setdefault(place, set()).add(number)

    def note(self, edge):
        for end in ("source", "target"):
            self.vertex.setdefault(edge[end], edge.get(f"{end}_vertex", {}))
        return edge["source"], edge["target"]


def key_of(info):
    return (os.path.basename(info.get("file", "")), info.get("function", ""), info.get("kind", ""),
            info.get("name", ""))


def run_length(old, new, end):
    """How many lines have moved alike, from one end."""
    moved = [b - a for a, b in (zip(old, new) if not end else zip(old[::-1], new[::-1]))]
    alike = 0
    while alike < len(moved) and moved[alike] == moved[0]:
        alike += 1
    return alike


def partners(old, new):
    """Places of one key, of which the same ones are pairs, and the others have None."""
    a, b = [place[0] for place in old], [place[0] for place in new]
    most = min(len(a), len(b))
    front, back = most, 0
    if len(a) != len(b) and most:
        front, back = run_length(a, b, False), run_length(a, b, True)
        if front >= back:
            back = min(back, most - front)
    rest = most - back
    pairs = list(zip(old[:rest], new[:rest]))
    if back:
        pairs += list(zip(old[-back:], new[-back:]))
    pairs += [(place, None) for place in old[rest:len(old) - back]]
    return pairs + [(None, place) for place in new[rest:len(new) - back]]


def match(old, new, renamed):
    """By side and vertex the number of its thing."""
    number, found = 0, ({}, {})
    if renamed:
        new.things = {(renamed.get(key[0], key[0]), *key[1:]): value
                      for key, value in new.things.items()}
    for key in set(old.things) | set(new.things):
        sides = [side.things.get(key, {}) for side in (old, new)]
        for pair in partners(sorted(sides[0]), sorted(sides[1])):
            for side in (0, 1):
                for vertex in sides[side].get(pair[side], ()):
                    found[side][vertex] = number
            number += 1
    return found


def expected(old, new, renamed):
    """Each difference as (thing, before, after, new things, gone things)."""
    thing = match(old, new, renamed)
    sets = [collections.defaultdict(set), collections.defaultdict(set)]
    for side, result in enumerate((old, new)):
        for source, target in result.pairs:
            sets[side][thing[side][source]].add(thing[side][target])
    there = [set(thing[0].values()), set(thing[1].values())]
    rows = set()
    for one in there[0] | there[1]:
        before, after = sets[0][one], sets[1][one]
        if before != after:
            rows.add((one, len(before) if one in there[0] else None,
                      len(after) if one in there[1] else None, frozenset(after - before),
                      frozenset(before - after)))
    return thing, rows


def compare(old, new, what, wrong, renamed=None):
    """What the command says, beside what Python finds; how many differences there are."""
    thing, rows = expected(old, new, renamed)
    code, out = run(["diff", "-q", old.path, new.path, "--format", "json"], (0, 1))
    said = set()
    for row in json.loads(out)["differences"]:
        side = 1 if "after" in row else 0
        said.add((thing[side][row["of"]["vertex"]], row.get("before"), row.get("after"),
                  frozenset(thing[1][v["vertex"]] for v in row["new"]),
                  frozenset(thing[0][v["vertex"]] for v in row["gone"])))
    if said != rows:
        wrong.append(f"{what}: {len(said)} differences, not {len(rows)}: "
                     f"{sorted(said ^ rows, key=str)[:3]}")
    if code != (1 if rows else 0):
        wrong.append(f"{what}: code {code} of {len(rows)} differences")
    _, text = run(["diff", "-q", old.path, new.path], (0, 1))
    lines = sum(1 + len(row[3]) + len(row[4]) for row in rows)
    if text.count(b"\n") != lines:
        wrong.append(f"{what}: {text.count(10)} lines, not {lines}")
    return len(rows)


# ---- programs ----

def extract(path, options, folder, name):
    """A graph, its grammar and the relation of objects."""
    graph = f"{folder}/{name}.cflg"
    run(["extract", "-q", path, *options, "-o", graph])
    strict = "--aliasing" in options
    return (graph, "pointer-types", "PT") if strict else (graph, "pointer-fs", "PT")


def with_moved_lines(draw, text):
    """Blank lines and comments between others."""
    lines = text.split("\n")
    for _ in range(4):
        at = draw.randrange(len(lines))
        if at == 0 or not lines[at - 1].rstrip().endswith("\\"):
            lines.insert(at, draw.choice(("", "// a comment")))
    return "\n".join(lines)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def try_program(draw, folder, wrong):
    """One program and four changes of it."""
    source = f"{SOURCES}/{draw.choice(PROGRAMS)}"
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for part in ("a", "b", "b/deeper/src"):
        os.makedirs(f"{folder}/{part}", exist_ok=True)
        for header in glob.glob(f"{os.path.dirname(source)}/*.h"):
            shutil.copy(header, f"{folder}/{part}")
    options = draw.choice(([], ["--aliasing", "text"], ["--context", "clone"]))
    old = Side(f"{folder}/old.cflr",
               extract(write(f"{folder}/a/x.c", text), options, folder, "old"))
    what = f"{source} {options}"

    moved = write(f"{folder}/b/deeper/src/x.c", with_moved_lines(draw, text))
    new = Side(f"{folder}/moved.cflr", extract(moved, options, folder, "moved"))
    if compare(old, new, f"{what}: moved lines", wrong):
        wrong.append(f"{what}: lines that move make a difference")

    new = Side(f"{folder}/named.cflr",
               extract(write(f"{folder}/b/other.c", text), options, folder, "named"))
    if compare(old, new, f"{what}: renamed", wrong, {"other.c": "x.c"}):
        wrong.append(f"{what}: a file that is renamed makes a difference")

    added = ADDED.format(n=draw.randrange(1000))
    new = Side(f"{folder}/added.cflr", extract(write(f"{folder}/b/x.c", text + added), options,
                                               folder, "added"))
    n = compare(old, new, f"{what}: added", wrong)
    n += compare(new, old, f"{what}: taken away", wrong)

    others = draw.choice((["--locals", "whole"], ["--context", "heap"],
                          [] if options else ["--fields", "insensitive"]))
    if "--context" in others and "--context" in options:
        options = []
    new = Side(f"{folder}/options.cflr",
               extract(f"{folder}/a/x.c", options + others, folder, "options"))
    return n + compare(old, new, f"{what}: {others}", wrong)


# ---- graphs ----

def draw_name(draw):
    letters = [chr(c) for c in range(0x21, 0x7f)] + ["\u00e9", "\u202e", "\u0301", "\U0001f600"]
    return ("v" + "".join(draw.choice(letters) for _ in range(draw.randint(1, 4)))).encode()


def try_graph(draw, folder, wrong):
    """Two graphs over the same names, which the start symbol's pairs are compared by."""
    names = list({draw_name(draw) for _ in range(8)})
    grammar = write(f"{folder}/paths.cfg", PATHS)
    sides = []
    for side in ("old", "new"):
        edges = b"".join(b"%s\t%s\te\n" % (draw.choice(names), draw.choice(names))
                         for _ in range(draw.randint(1, 8)))
        graph = write(f"{folder}/{side}.tsv", edges)
        sides.append(Side(f"{folder}/{side}.cflr", (graph, grammar, "P")))
    return compare(*sides, "a graph", wrong)


def main():
    first, last = ((sys.argv[3] if len(sys.argv) > 3 else "0-7").split("-") * 2)[:2]
    wrong, different, tried = [], 0, 0
    for seed in range(int(first), int(last) + 1):
        draw, before = random.Random(seed), len(wrong)
        with tempfile.TemporaryDirectory() as folder:
            different += try_program(draw, folder, wrong)
        for _ in range(4):
            with tempfile.TemporaryDirectory() as folder:
                different += try_graph(draw, folder, wrong)
        tried += 1
        wrong[before:] = [f"seed {seed}: {line}" for line in wrong[before:]]
    if different < 10 * tried:
        wrong.append("hardly anything differs: nothing was compared")
    print(*wrong, sep="\n")
    print(f"{tried} programs, {different} differences, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
