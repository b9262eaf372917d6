#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A pipeline from its first run on, offline: a repository with ten commits, each checked as a
server would. What is new, known, gone and suppressed, the exit codes, SARIF, and that fingerprints
stay where the code does. Prints the table; without git it is skipped (exit code 77).

    pipeline.py CFLR
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import sarif
import valid

CFLR = os.path.abspath(sys.argv[1])

TABLE = r'''
#include <stdlib.h>
#include <string.h>
#include "table.h"

static struct entry entries[8];

struct entry *table_find(const char *key) {
    for (int i = 0; i < 8; i++)
        if (entries[i].key && strcmp(entries[i].key, key) == 0) return &entries[i];
    return NULL;
}

int table_length(const char *key) {
    return table_find(key)->length;
}

char *table_text(const char *key) {
    struct entry *entry = table_find(key);
    return entry->text;
}
'''
HEADER = r'''
struct entry {
    const char *key;
    char *text;
    int length;
};
struct entry *table_find(const char *key);
int table_length(const char *key);
char *table_text(const char *key);
void assert_apart(const void *p, const void *q);
'''
MAIN = r'''
#include <stdlib.h>
#include "table.h"

static int helper(int n) {
    return n + 1;
}

static void run(void) {
    system(getenv("EDITOR"));
}

static void copy(char *to, const char *from) {
    assert_apart(to, from);
    *to = *from;
}

int main(void) {
    char text[8] = "";
    run();
    copy(text, text);
    return helper(table_length("a")) + (table_text("b") != NULL);
}
'''


class Project:
    """A repository, and what its runs have found."""

    def __init__(self, directory):
        self.directory = directory
        self.runs = 0
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words],
                       cwd=self.directory, check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def change(self, name, old, new):
        text = self.read(name)
        assert old in text, (name, old)
        self.write(name, text.replace(old, new))

    def sources(self):
        return sorted(os.path.relpath(os.path.join(at, name), self.directory)
                      for at, _, names in os.walk(self.directory) for name in names
                      if name.endswith(".c"))

    def run(self, sources, *words):
        self.runs += 1
        return subprocess.run(
            [CFLR, "check", *sources, "--rules", "null", "--rules", "command", "--no-alias",
             "assert_apart", *words, "--", "-Isrc", "-Ilib"],
            cwd=self.directory, capture_output=True, text=True, check=False)

    def check(self, *words, sources=None):
        """(exit code, object of JSON, messages, alerts of SARIF by fingerprint)"""
        done = self.run(sources or self.sources(), "--format", "json", "--sarif", "out.sarif",
                        "--code-quality", "out.json", "--markdown", "out.md", *words)
        assert done.returncode in (0, 1, 2, 3), done.stderr
        if done.returncode > 1:
            return done.returncode, None, done.stderr, None
        results = sarif.validate(self.path("out.sarif"))["runs"][0]["results"]
        alerts = {r["partialFingerprints"]["cflr/v1"]: r for r in results}
        return done.returncode, valid.answer(done.args[1:], done.stdout), done.stderr, alerts

    def text(self, *words):
        return self.run(self.sources(), *words).stdout

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


BASELINE = ("--baseline", "cflr.baseline")


def counts(alerts):
    new = sum(r.get("baselineState") == "new" for r in alerts.values())
    return len(alerts), new


def step(project, message, expect_code, expect_new, expect_gone, same_as=None, words=()):
    """Checks the state of the tree, commits it, and prints a line of the table."""
    code, answer, messages, alerts = project.check(*BASELINE, *words)
    total, new = counts(alerts)
    assert (code, new, len(answer["gone"])) == (expect_code, expect_new, expect_gone), \
        (message, code, new, answer["gone"], messages)
    kept = "" if same_as is None else f"{len(alerts.keys() & same_as.keys())} of {len(same_as)}"
    suppressed = sum(s["used"] for s in answer["suppressions"])
    cells = (message, code, total, new, len(answer["gone"]), suppressed, kept)
    print("| " + " | ".join(map(str, cells)) + " |")
    project.commit(message)
    return alerts, answer, messages


def reformat(text):
    """The same words with other blanks and lines."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("#"):
            lines.append(line)
        else:
            lines.append(re.sub(r"([;{}]) *", r"\1\n\t", line.strip()).replace("(", "( "))
    return "\n\n".join(lines)


def play(project):
    project.write(".gitignore", "out.*\n*.sarif*\n")
    project.write("src/table.h", HEADER)
    project.write("src/table.c", TABLE)
    project.write("src/main.c", MAIN)
    assert project.check(*BASELINE)[0] == 3  # there is none yet
    assert project.check(*BASELINE, "--update-baseline")[0] == 0
    print("| commit | exit code | alerts | new | gone | suppressed | fingerprints kept |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    first, _, _ = step(project, "1 the first state, with its baseline", 0, 0, 0)
    assert len(first) == 4, first
    project.write("src/table.c", "/* A table.\n" + " *\n" * 40 + " */\n" + TABLE)
    step(project, "2 forty lines more on top", 0, 0, 0, first)
    for name in ("src/table.c", "src/main.c"):
        project.write(name, reformat(project.read(name)))
    step(project, "3 formatted anew", 0, 0, 0, first)
    project.git("mv", "src/table.c", "src/chain.c")
    renamed, _, _ = step(project, "4 table.c is chain.c now", 0, 0, 0, first)
    assert len(renamed.keys() & first.keys()) == 2
    both = [{r["partialFingerprints"]["cflrAnyFile/v1"] for r in run.values()}
            for run in (first, renamed)]
    assert both[0] == both[1]
    assert project.check(*BASELINE, "--update-baseline")[0] == 0
    os.makedirs(project.path("lib"))
    project.git("mv", "src/chain.c", "lib/chain.c")
    step(project, "5 and in another directory", 0, 0, 0, renamed)
    project.change("src/main.c", "helper", "assistant")
    main = project.read("src/main.c")
    at = main.index("static void\n" if "static void\n" in main else "static void run")
    project.write("src/main.c", main[:at] + "static int unused_one(void) { return 1; }\n" +
                  main[at:].replace("int main", "static int unused_two(void) { return 2; }\n"
                                                "int main"))
    step(project, "6 functions are renamed, and others between them", 0, 0, 0, renamed)
    project.write("src/more.c", '#include "table.h"\nint more(void) {\n'
                                '    return *table_find("more")->text;\n}\n')
    bad, _, _ = step(project, "7 a new null pointer", 1, 1, 0, renamed)
    (new,) = [r for r in bad.values() if r["baselineState"] == "new"]
    place = new["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/more.c" and place["region"]["startLine"] == 3
    grow(project)
    shrink(project)
    changed(project)
    project.change("src/more.c", '->text;', '->text; // cflr: ignore null -- more is always there')
    step(project, "8 it is suppressed", 0, 0, 0, renamed)
    project.change("src/more.c", 'return *table_find("more")->text;', "return 0;")
    _, _, messages = step(project, "9 it is mended, the comment stays", 0, 0, 0, renamed)
    assert "src/more.c:3: warning: nothing is suppressed here: null -- " in messages, messages
    text = project.read("lib/chain.c")
    project.write("lib/chain.c", re.sub(r"return\s+table_find\( ?key\)->length",
                                        "return 0", text))
    _, answer, messages = step(project, "10 an old null pointer is mended", 0, 0, 1, renamed)
    assert answer["gone"][0]["rule"] == "null" and "gone: 1" in messages, messages
    compare(project)
    foreign(project)


def grow(project):
    """A change that adds a finding to its own baseline."""
    before = project.read("cflr.baseline")
    assert project.check(*BASELINE, "--update-baseline")[0] == 0
    assert project.check(*BASELINE)[0] == 0
    code, _, _, alerts = project.check(*BASELINE, "--baseline-base", "main")
    assert code == 1 and counts(alerts)[1] == 1
    shown = project.text(*BASELINE, "--baseline-base", "main")
    assert "in cflr.baseline, but not at revision main" in shown, shown
    code, _, messages, _ = project.check(*BASELINE, "--baseline-base", "nosuch")
    assert code == 2 and "'nosuch' is not here: a shallow checkout?" in messages, messages
    assert "fatal" not in messages, messages
    project.write("cflr.baseline", before)
    assert project.check(*BASELINE, "--baseline-base", "main")[0] == 1


def shrink(project):
    """A run that reads less than the one of the baseline tells nothing of the rest."""
    first = project.read("cflr.baseline")
    both = ["src/main.c", "lib/chain.c"]
    assert project.check(*BASELINE, "--update-baseline", sources=both)[0] == 0
    before = project.read("cflr.baseline")
    entries = [line for line in before.splitlines() if ".c " in line]
    assert len(entries) == 4 and "units 2 of 2" in before, before
    code, answer, messages, _ = project.check(*BASELINE, sources=["src/main.c"])
    assert (code, answer["gone"]) == (0, []) and "unread: 2" in messages, messages
    assert "made of 2 units, this run reads 1" in messages, messages
    assert project.check(*BASELINE, "--update-baseline", sources=["src/main.c"])[0] == 0
    kept = project.read("cflr.baseline")
    assert all(entry in kept for entry in entries) and "units 2 of 2" in kept, kept
    project.write("cflr.baseline", before.replace("units 2 of 2", "units 3 of 3"))
    code, _, messages, _ = project.check(*BASELINE, "--update-baseline", sources=["src/main.c"])
    assert code == 3 and "this run reads 1" in messages, messages
    assert "units 3 of 3" in project.read("cflr.baseline")
    project.write("cflr.baseline", first)


def changed(project):
    """Only alerts that have to do with what a change touches."""
    project.write("changed", "src/more.c\n")
    code, answer, _, _ = project.check("--changed-files", "changed")
    assert code == 1 and answer["failing"] == 1
    project.write("changed", "./src/table.h\n\n")
    assert project.check("--changed-files", "changed")[0] == 0
    project.write("changed", "lib/chain.c\n")  # where all null pointers come from
    assert project.check("--changed-files", "changed")[1]["failing"] == 3
    os.remove(project.path("changed"))


def compare(project):
    """cflr diff says the same of two reports."""
    os.rename(project.path("out.sarif"), project.path("new.sarif"))
    project.git("checkout", "-q", "HEAD~3")
    project.check()
    os.rename(project.path("out.sarif"), project.path("old.sarif"))
    project.git("checkout", "-q", "main")

    def diff(*words):
        done = subprocess.run([CFLR, "diff", *words, "--format", "json", "-q"], text=True,
                              cwd=project.directory, capture_output=True, check=False)
        return done.returncode, done.stdout and valid.answer(done.args[1:], done.stdout)

    code, forward = diff("old.sarif", "new.sarif")
    assert (code, len(forward["new"]), len(forward["gone"])) == (0, 0, 2), forward
    code, backward = diff("new.sarif", "old.sarif", "--sarif", "only.sarif")
    assert (code, len(backward["new"]), len(backward["gone"])) == (1, 2, 0), backward
    only = sarif.validate(project.path("only.sarif"))["runs"][0]["results"]
    assert len(only) == 2 and all(r["baselineState"] == "new" for r in only)
    assert diff("old.sarif", "old.sarif")[1] == {"new": [], "gone": [], "kept": 5}
    assert diff("cflr.baseline", "old.sarif")[1]["kept"] == 4


def foreign(project):
    """Baselines that cannot be compared fail a run."""
    good = project.read("cflr.baseline")
    for bad in ("", "{}", good.replace("baseline 1", "baseline 2"),
                good.replace("cflr/v1", "cflr/v9"), good.replace("null command", "null"),
                good.replace("rules", "rulers"), good + "<<<<<<< HEAD\n",
                good + "null 123 456 a.c x\n", good.replace("-0 ", " ")):
        project.write("cflr.baseline", bad)
        code, _, messages, _ = project.check(*BASELINE)
        assert code == 2 and "cflr.baseline" in messages, (bad, code, messages)
    lines = good.splitlines(keepends=True)
    project.write("cflr.baseline", "".join(lines[:5] + lines[:4:-1] + lines[5:]))  # a merge
    assert project.check(*BASELINE)[0] == 0
    assert project.check(*BASELINE, "--findings", "all")[0] == 2
    os.remove(project.path("cflr.baseline"))


def main():
    if not shutil.which("git"):
        print("SKIP: git is not here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as directory:
        project = Project(os.path.realpath(directory))
        play(project)
        print(f"\n{project.runs} runs")
    if not sarif.multitool():
        print("sarif-multitool is not here: SARIF was checked by tests/cli/sarif.py alone")


if __name__ == "__main__":
    main()
