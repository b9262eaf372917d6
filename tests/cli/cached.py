#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cache with rules: whatever changes between two runs, one with the cache gives what one
without it does, to the byte: graph, report, findings, SARIF.

    cached.py CFLR SOURCES [SEEDS] [STEPS]

A program is a handful of C files below SOURCES, the root of the repository. Between runs a
comment, a line, a header, a file of rules, one of summaries or an option changes, something changes
back, or an entry of the cache is damaged. SEEDS is a range such as 0-3; a line that is printed
names seed and step.
"""
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
FOLDERS = ("tests/c", "tests/c/data", "tests/cli/data", "examples/bugs")
MOST_FILES = 6
SHIPPED = ("null", "command", "format")
MARKS = ("source getenv: *ret", "source malloc: ret", "sink free: arg0", "source null",
         "sink dereference", "source environ: *ret", "sink printf: arg1...", "sink system: *arg0",
         "source main: **arg1", "source read: bytes *arg1", "source unused: ret")
SUMMARIES = ("malloc: ret = new", "getenv: ret = static", "strdup: ret = arg0",
             "variable environ: ret = new", "unused: none", "free: none")
OPTIONS = ([], ["--context", "clone"], ["--fields", "insensitive"], ["--locals", "whole"],
           ["--data-flow"], ["--aliasing", "any"], ["--findings", "all"], ["--no-alias", "free"])
ADDED = """
#include "shared.h"
extern char *getenv(const char *);
extern int system(const char *);
extern void *malloc(unsigned long);
int *added{n}(void) {{ int *p = malloc(4); *p = SHARED; system(getenv("V{n}")); return p; }}
"""


class Program:
    """Files in a folder, how they are read, and what may happen to them."""

    def __init__(self, draw, folder):
        self.draw, self.folder = draw, folder
        self.rules, self.options, self.threads, self.summaries = ["null"], [], 2, False
        from_folder = draw.choice(FOLDERS)
        files = sorted(glob.glob(f"{SOURCES}/{from_folder}/*.c"))
        for path in glob.glob(f"{SOURCES}/{from_folder}/*.h"):
            shutil.copy(path, folder)
        self.files = draw.sample(files, min(len(files), MOST_FILES))
        self.files = sorted(shutil.copy(path, folder) for path in self.files)
        self.rewrite("shared.h", "#define SHARED 0\n")
        self.rewrite("own.txt", 'rule own "a message" source getenv: *ret\n')
        self.rewrite("said.txt", "unused: none\n")
        self.before = {path: self.read(path) for path in self.files}

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def rewrite(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def comment(self):
        path = self.draw.choice(self.files)
        self.rewrite(path, f"/* {self.draw.random()} */" + self.draw.choice(("", "\n"))
                     + self.read(path))

    def code(self):
        path = self.draw.choice(self.files)
        self.rewrite(path, self.read(path) + ADDED.format(n=self.draw.randrange(10**6)))

    def header(self):
        self.rewrite("shared.h", f"#define SHARED {self.draw.choice((0, 1, '(*added_pointer)'))}\n"
                     "extern int *added_pointer;\n")

    def change_back(self):
        path = self.draw.choice(self.files)
        self.rewrite(path, self.before[path])

    def rule_file(self):
        text = ""
        for name in self.draw.sample(("own", "other", "third"), self.draw.randint(1, 3)):
            marks = self.draw.sample(MARKS, self.draw.randint(1, 4))
            if "source null" in marks:
                marks = [mark for mark in marks if not mark.startswith("source ")] + ["source null"]
            text += f'rule {name} "a message"\n' + "".join(f"    {mark}\n" for mark in marks)
        self.rewrite("own.txt", text)

    def summary_file(self):
        self.summaries = True
        self.rewrite("said.txt",
                     "".join(f"{line}\n" for line in self.draw.sample(SUMMARIES, 3)))

    def choose_rules(self):
        own = f"{self.folder}/own.txt"
        self.rules = self.draw.sample((*SHIPPED, own), self.draw.randint(1, 3))

    def choose_options(self):
        self.options = self.draw.choice(OPTIONS)
        self.threads = self.draw.choice((1, 2, 4))
        self.summaries = self.draw.random() < 0.3

    def damage(self):
        entries = sorted(path for path in glob.glob(f"{self.folder}/kept/**", recursive=True)
                         if os.path.isfile(path))
        if not entries:
            return
        path = self.draw.choice(entries)
        with open(path, "r+b") as file:
            data = bytearray(file.read())
            at = self.draw.randrange(len(data))
            data[at] ^= 1 << self.draw.randrange(8)
            file.seek(0)
            file.write(data)

    def change(self):
        """Something happens; its name."""
        done = self.draw.choice((self.comment, self.code, self.header, self.change_back,
                                 self.rule_file, self.summary_file, self.choose_rules,
                                 self.choose_options, self.damage))
        done()
        return done.__name__


def without_cache(report):
    """What may differ: how many units were kept, how long it took, what was wrong with entries."""
    if isinstance(report, dict):
        return {key: without_cache(value) for key, value in report.items()
                if key not in ("units_cached", "findings_cached", "seconds")
                and not key.endswith("_seconds")}
    if isinstance(report, list):
        return [without_cache(item) for item in report
                if not (isinstance(item, dict) and item.get("kind") == "cache")]
    return report


def run(program, command, cache):
    """Exit code, report and the bytes of the file that is written."""
    out = f"{program.folder}/out"
    words = [CFLR, command, "-q", *program.files, "-j", str(program.threads), "--format", "json",
             *program.options]
    words += [word for rule in program.rules for word in ("--rules", rule)]
    words += ["--summaries", f"{program.folder}/said.txt"] if program.summaries else []
    words += ["--cache", f"{program.folder}/kept"] if cache else []
    words += {"extract": ["-o", f"{out}.cflg"], "check": ["--sarif", f"{out}.sarif"]}[command]
    if command == "extract":
        words = [word for word in words if word not in ("--findings", "all")]
    done = subprocess.run(words, capture_output=True, check=False, timeout=GUARD)
    if done.returncode not in (0, 1):
        return done.returncode, done.stderr, b"", 0
    report = json.loads(done.stdout)
    with open(words[-1], "rb") as file:
        written = file.read()
    counts = report.get("extraction", report)
    return done.returncode, without_cache(report), written, counts["units_cached"]


def compare(program, where, wrong):
    """One state of the program by both commands: how many units came from the cache at the end, and
    what it gave."""
    for command in ("extract", "check"):
        fresh, kept = run(program, command, False), run(program, command, True)
        for name, one, other in zip(("exit code", "report", "file"), fresh, kept):
            if one != other:
                wrong.append(f"{where}: {command}: the {name} is another one with the cache")
        again = run(program, command, True)
        if again[:3] != kept[:3]:
            wrong.append(f"{where}: {command}: a second run gives something else")
    return again[3], fresh


def main():
    first, last = ((sys.argv[3] if len(sys.argv) > 3 else "0-3").split("-") * 2)[:2]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    wrong, compared, cached, differ, refused = [], 0, 0, 0, 0
    for seed in range(int(first), int(last) + 1):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(random.Random(seed), folder)
            what, before = "first", None
            for step in range(steps):
                n, state = compare(program, f"seed {seed}, step {step} ({what})", wrong)
                compared, cached, differ = compared + 1, cached + n, differ + (state != before)
                refused += state[0] > 1
                what, before = program.change(), state
    if cached < compared:
        wrong.append("the cache is hardly used: nothing was compared")
    if refused > compared / 4:
        wrong.append(f"{refused} runs end without an answer")
    if differ < compared / 4:
        wrong.append("changes hardly change anything")
    print(*wrong, sep="\n")
    print(f"{compared} states, {differ} of them new; {cached} units kept; {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
