#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random C programs that fill memory from outside: `cflr check` against what happens when they run.

    bytes_in.py --cflr CFLR [--cc CC] [--seeds A-B]

A program copies pointers to blocks, records, records in records and texts around, fills one piece
of memory by `read`, copies some more, and hands every pointer to `system`. It is compiled a second
time with a `read` that marks the bytes and a `system` that tells where it sees a mark. Each of
these places must be a likely finding of the rule `command`; others may be.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = """#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct inner { int number; char text[16]; };
struct outer { int number; struct inner inner; char room[16]; struct outer *next; char *name; };
#ifdef TRUTH
#include <stdio.h>
#define read(file, to, n) memset(to, 'T', n)
#define system(text) (*(text) == 'T' ? printf("%d\\n", __LINE__) : 0)
#endif
static char *same(char *p) { return p; }
static struct outer *again(struct outer *p) { return p; }
static struct inner *inside(struct outer *p) { return &p->inner; }
int main(void) {
    char *c0 = calloc(1, 200), *c1 = calloc(1, 200);
    struct outer *o0 = calloc(1, 200), *o1 = calloc(1, 200);
    struct inner *i0 = &o0->inner, *i1 = &o1->inner;
    o0->next = o1, o1->next = o0, o0->name = c0, o1->name = c1;
"""
# c, d: texts; o, p: records; i, j: records in records
BEFORE = """c = d; | o = p; | i = j; | c = same(d); | o = again(p); | i = inside(o);
    | i = &o->inner; | c = o->room; | c = i->text; | o->name = c; | c = o->name; | o->next = p;
    | o = p->next; | o->name = i->text; | i = &p->next->inner; | o->name = same(p->room);
    | memcpy(c, d, 8); | o->inner = p->inner; | *i = *j; | memcpy(i, j, sizeof *i);""".split("|")
FILL = ["read(0, c, 12);", "read(0, i, sizeof(struct inner));",
        "read(0, &o->inner, sizeof(struct inner));"]
BEHIND = """c = d; | o = p; | i = &o->inner; | c = i->text; | c = o->name; | o->name = i->text;
    | o = p->next; | memcpy(c, d, 8); | o->inner = p->inner; | *i = *j;""".split("|")
TOLD = ["c0", "c1", "i0->text", "i1->text"] + \
    [f"o{k}->{member}" for k in (0, 1) for member in ("inner.text", "room", "name")]


def statement(chance, choices):
    """One of them, with variables in place of its letters."""
    text = chance.choice(choices).strip()
    names = {letter: kind + str(chance.randrange(2))
             for letter, kind in zip("cdopij", "ccooii")}
    words, word = [], ""
    for sign in text + " ":
        if sign.isalnum() or sign == "_":
            word += sign
            continue
        words.append(names.get(word, word) + sign)
        word = ""
    return "    " + "".join(words).strip() + "\n"


def program(seed):
    chance = random.Random(seed)
    text = HEAD
    text += "".join(statement(chance, BEFORE) for _ in range(chance.randrange(8, 22)))
    text += statement(chance, FILL)
    text += "".join(statement(chance, BEHIND) for _ in range(chance.randrange(6)))
    return text + "".join(f"    system({name});\n" for name in TOLD) + "    return 0;\n}\n"


def lines_that_run(cc, path):
    """The lines that see what came in; None: the program crashes."""
    binary = path.with_suffix("")
    subprocess.run([cc, "-w", "-O0", "-DTRUTH", path, "-o", binary], check=True)
    done = subprocess.run([binary], capture_output=True, text=True, timeout=60, check=False)
    return None if done.returncode else {int(line) for line in done.stdout.split()}


def lines_that_are_found(cflr, path):
    done = subprocess.run([cflr, "check", "-q", path, "--rules", "command", "--findings", "all",
                           "--format", "json"], capture_output=True, text=True, check=False)
    return {found["line"] for found in json.loads(done.stdout)["findings"] if found["likely"]}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cflr", required=True)
    options.add_argument("--cc", default="cc")
    options.add_argument("--seeds", default="0-39")
    given = options.parse_args()
    first, last = map(int, given.seeds.split("-"))
    told = found = missed = 0
    with tempfile.TemporaryDirectory() as work:
        for seed in range(first, last + 1):
            path = pathlib.Path(work) / f"p{seed}.c"
            path.write_text(program(seed), encoding="utf-8")
            true = lines_that_run(given.cc, path)
            if true is None:
                continue
            lines = lines_that_are_found(given.cflr, path)
            told, found = told + len(true), found + len(lines)
            for line in sorted(true - lines):
                missed += 1
                print(f"seed {seed}: line {line} is not found:\n{path.read_text()}")
    print(f"{told} places see what came in, {found} are found, {missed} missed")
    sys.exit(missed > 0 or told == 0)


if __name__ == "__main__":
    main()
