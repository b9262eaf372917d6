#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is docs/how-to/own-front-end.md true? Each row of its tables names a file of tests/facts. And are
the labels of docs/reference/labels.md those that cflr_solve knows?

    own_front_end.py CFLR SOURCE_DIR

A file holds the edges that a front end would state, and what follows from them:

    #? pointer pointer-fs: alias p q = no
    #? pointer: points-to p = x y

The question is asked of the closure under each of the grammars. After `alias` stands what
`cflr query` prints, after `points-to` the names of all objects.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CHECK = re.compile(r"#\? ([-a-z ]+): (alias|points-to) (.*?) =(.*)")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def answer(cflr, result, question, of):
    if question == "alias":
        return run(cflr, "query", result, f"alias {of}").strip()
    found = json.loads(run(cflr, "query", "--format", "json", result, f"points-to {of}"))
    return " ".join(sorted(v["name"] for v in found[0]["answer"]))


def check(cflr, path, work):
    """The number of checks; those that fail are printed."""
    checks = [CHECK.fullmatch(line) for line in path.read_text().splitlines()
              if line.startswith("#?")]
    if not checks or None in checks:
        sys.exit(f"{path}: a check that is none")
    bad = 0
    for grammar in sorted({g for check in checks for g in check[1].split()}):
        result = str(work / "facts.cflr")
        run(cflr, "solve", "-q", "-g", grammar, str(path), "-o", result)
        for found in checks:
            if grammar not in found[1].split():
                continue
            said = answer(cflr, result, found[2], found[3])
            if said != found[4].strip():
                print(f"{path.name}: {grammar}: {found[2]} {found[3]}: {said!r}, "
                      f"not {found[4].strip()!r}")
                bad += 1
    return len(checks), bad


def check_labels(source):
    page = (source / "docs/reference/labels.md").read_text()
    rows = re.findall(r"^\| (`.*?) \|", page.split("## Labels")[1].split("\nEdges of `a`")[0], re.M)
    told = {name for row in rows for name in re.findall(r"`([a-z]+)", row)}
    code = (source / "engine/unread.c").read_text().split("shipped_labels[] = {")[1].split("}")[0]
    known = set(re.findall(r'"([a-z]+)"', code))
    if told != known:
        sys.exit(f"labels.md and engine/unread.c differ: {sorted(told ^ known)}")


def main(cflr, source):
    source = pathlib.Path(source)
    check_labels(source)
    files = {path.stem: path for path in (source / "tests/facts").glob("*.tsv")}
    page = (source / "docs/how-to/own-front-end.md").read_text()
    named = set(re.findall(r"`([a-z_]+)\.tsv`", page))
    if named != set(files):
        sys.exit(f"the page and tests/facts differ: {sorted(named ^ set(files))}")
    with tempfile.TemporaryDirectory() as work:
        done = [check(cflr, path, pathlib.Path(work)) for path in sorted(files.values())]
    if any(bad for _, bad in done):
        sys.exit(1)
    print(f"{sum(n for n, _ in done)} checks of {len(done)} files")


main(*sys.argv[1:])
