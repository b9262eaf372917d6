#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of other versions: those that older commits have written (tests/cli/versions), and files of
today whose version is another number. Each is read with the answers that it has always had, or is
refused by a sentence that names the file, the version and what to do; never as damage.

    versions.py CFLR HAS_FRONTEND
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
POINTEES = ["/src/program.c:7:5: first", "/src/program.c:7:12: second"]
OLDER_RESULT = ["file format 1 as it was before sets of targets were trees, written by an older "
                "cflr: make it anew by `cflr solve` or `analyze`"]
OTHER_BUILD = ["/manifest: a checkpoint of cflr 0.1.0, and this is cflr ",
               "go on with that one, or make it anew by `cflr solve --work`"]
RESUME = "solve -q --model batch -g fields.cfg fields.tsv --resume"
# file: (exit code, words before and behind it, what is printed or said)
OLD = [
    ("499e3fc2/fields.cflg", 0, "solve -q -g fields.cfg", "--export tsv --label G", ["2\t2\tG"]),
    ("499e3fc2/fields.cflr", 3, "query", "'reaches 0 G 0'", OLDER_RESULT),
    ("36e3f289/fields.cflg", 0, "solve -q -g fields.cfg", "--export tsv --label G", ["2\t2\tG"]),
    ("36e3f289/program.cflg", 0, "solve -q -g pointer-fs -o r.cflr", ">out && "
     "$cflr query r.cflr 'points-to main::result'", POINTEES),
    ("36e3f289/program.cflg", 2, "solve -q -g pointer-fs -o r.cflr", ">out && "
     "$cflr callgraph r.cflr",
     ["r.cflr does not tell calls", "by an older cflr: then make it anew"]),
    ("36e3f289/linkable.cflg", 3, "link -q -o linked.cflg", "",
     ["its units were read by another build of cflr: make it anew by `cflr extract --linkable`"]),
    ("36e3f289/fields.cflr", 3, "query", "'reaches 0 G 0'", OLDER_RESULT),
    ("e7bea48e/program.cflg", 0, "solve -q -g pointer-fs -o r.cflr", ">out && "
     "$cflr query r.cflr 'points-to main::result'", POINTEES),
    ("e7bea48e/fields.cflr", 3, "info", "", OLDER_RESULT),
    ("90f9cecf/fields.cflr", 0, "query", "'reaches 0 G 0'", ["yes"]),
    ("90f9cecf/program.cflr", 0, "query", "'points-to main::result'", POINTEES),
    ("90f9cecf/work", 3, RESUME, "", OTHER_BUILD),
    ("262af2c3/program.cflr", 0, "query", "'points-to main::result'", POINTEES),
    ("262af2c3/program.cflr", 0, "callgraph", "", ["main\tpush\t/src/program.c:24:5\tdirect"]),
    ("262af2c3/work", 3, RESUME, "", OTHER_BUILD),
    ("cbdec021/chain.cflp.gz", 0, "graph sssp -q --source 0 -o -", "", ["4\t20"]),
]
FRONTEND = {"link"}
# of today: how it is made and read, where its version stands, what the sentence says of it
SWEPT = [
    ("g.cflg", "convert -q fields.tsv g.cflg", "info g.cflg", "file format"),
    ("g.cflr", "solve -q -g fields.cfg fields.tsv -o g.cflr", "query g.cflr 'reaches 0 G 0'",
     "file format"),
    ("g.cflp", "convert -q --gen chain:5 g.cflp", "graph bfs g.cflp", "packed rows of format"),
    ("g.cflp", "convert -q --gen chain:5 g.cflp", "graph bfs --map g.cflp",
     "packed rows of format"),
]
NEWEST = 1  # of all of these
faults = []


def run(cflr, line):
    done = subprocess.run(line.replace("$cflr", f'"{cflr}"'), shell=True, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expect(line, got, code, parts):
    if got[0] != code or not all(part in got[1] for part in parts) or "damaged" in got[1]:
        faults.append(f"{line}: code {got[0]}, not {code} with {parts}:\n{got[1]}")


def try_old(cflr, frontend):
    for path, code, before, behind, parts in OLD:
        if frontend or before.split()[0] not in FRONTEND:
            line = f"$cflr {before} {path} {behind}"
            expect(line, run(cflr, line), code, parts + ([path] if code == 3 else []))


def try_others(cflr):
    for path, make, line, what in SWEPT:
        expect(make, run(cflr, f"$cflr {make}"), 0, [])
        with open(path, "rb") as file:
            data = file.read()
        for version in (0, NEWEST, NEWEST + 1, 255, 256, 2**31, 2**32 - 1):
            with open(path, "wb") as file:
                file.write(data[:4] + struct.pack("<I", version) + data[8:])
            writer = "an older" if version < NEWEST else "a newer"
            said = [f"{path}: {what} {version}, written by {writer} cflr, and this one reads 1: "]
            expect(f"{line} (version {version})", run(cflr, f"$cflr {line}"),
                   *((3, said) if version != NEWEST else (0, [])))


def try_baselines(cflr):
    """`diff` reads them as `check` does, without C."""
    text = "\nfingerprints cflr/v1\nrules null\nfindings likely\nunits 2 of 2\n"
    for first, code, said in (
            ("cflr-baseline 1", 0, []),
            ("cflr-baseline 0", 2, ["a baseline of version 0, written by an older cflr"]),
            ("cflr-baseline 2", 2, ["a baseline of version 2, written by a newer cflr"]),
            ("cflr-baseline 4294967297", 2, ["of version 4294967297, written by a newer cflr"]),
            ("cflr-baseline", 2, ["not a baseline: its first line"]),
            ("cflr-baseline 01", 2, ["not a baseline: its first line"]),
            ("cflr-baseline one", 2, ["not a baseline: its first line"])):
        with open("b", "w", encoding="ascii") as file:
            file.write(first + text)
        expect(first, run(cflr, "$cflr diff -q b b"), code, said + (["b:1: "] if code else []))


def main():
    cflr, frontend = sys.argv[1], sys.argv[2] == "1"
    with tempfile.TemporaryDirectory() as work:
        os.chdir(shutil.copytree(os.path.join(HERE, "versions"), os.path.join(work, "in")))
        for name in ("fields.cfg", "fields.tsv"):
            shutil.copy(os.path.join(HERE, "data", name), name)
        for folder in ("90f9cecf", "262af2c3"):
            with open(f"{folder}/work/cflr.lock", "w", encoding="ascii") as file:
                file.write("cflr work directory\n")
        try_old(cflr, frontend)
        try_others(cflr)
        try_baselines(cflr)
        os.chdir("/")
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
