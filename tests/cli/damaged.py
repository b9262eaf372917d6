#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binary files that are cut or have a wrong bit: refused with code 3 and a message that names the
file, or, where the bit plays no part, read as the whole file is. Entries of the cache are made
anew, and the graph is the same.

    damaged.py CFLR FRONTEND COUNT

COUNT cuts and as many wrong bits for each file, spread evenly; CFLR_TEST_EXHAUSTIVE=1 takes every
byte.
"""
import glob
import gzip
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile

GUARD = 120  # seconds; only against hanging


class Failures:
    """What went wrong, and how often anything was tried."""

    def __init__(self):
        self.lines, self.tried = [], 0

    def expect(self, holds, what):
        self.tried += 1
        if not holds:
            self.lines.append(what)


def run(cflr, *words):
    """Exit code, standard output, messages."""
    done = subprocess.run([cflr, *words], capture_output=True, check=False, timeout=GUARD)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def places(size, count):
    """Of all bytes, or of so many that are spread evenly."""
    count = size if os.environ.get("CFLR_TEST_EXHAUSTIVE") else min(size, count)
    return [k * size // count for k in range(count)]


def damaged(data, count):
    """Each is what was done, and the bytes then."""
    for at in places(len(data), count):
        yield f"cut to {at} bytes", data[:at]
        wrong = bytearray(data)
        wrong[at] ^= 1 << at % 8
        yield f"bit {at % 8} of byte {at} is wrong", bytes(wrong)


def try_file(cflr, failures, path, words, count):
    """`words` read the file, and print something of it."""
    data = read(path)
    code, whole, messages = run(cflr, *words)
    failures.expect(code in (0, 1), f"{path}: undamaged: code {code}: {messages}")
    for what, other in damaged(data, count):
        write(path, other)
        code, out, messages = run(cflr, *words)
        kind = words[0] == "diff" and code == 2  # no result any more, and the other file is one
        refused = (code == 3 or kind) and os.path.basename(path) in messages and not out
        same = (code in (0, 1)) and out == whole and len(other) == len(data)
        failures.expect(refused or same,
                        f"{path}: {what}: code {code}, {len(out)} bytes: {messages}")
    write(path, data)


def try_cache(cflr, failures, folder, options, count):
    """Each entry of a cache: what is damaged is reported and made again."""
    shutil.rmtree(f"{folder}/cache", ignore_errors=True)
    words = ["extract", f"{folder}/a.c", *options, "--cache", f"{folder}/cache", "--to", "tsv"]
    _, whole, _ = run(cflr, *words)
    entries = [path for path in glob.glob(f"{folder}/cache/**", recursive=True)
               if os.path.isfile(path) and read(path)]
    failures.expect(len(entries) >= 2, f"entries: {entries}")
    for path in entries:
        data = read(path)
        for what, other in damaged(data, count):
            write(path, other)
            code, out, messages = run(cflr, *words)
            failures.expect(code == 0 and out == whole, f"{path}: {what}: code {code}: {messages}")
            failures.expect(read(path) == data, f"{path}: {what}: it was not made anew")


def try_report(cflr, failures, path, other, count):
    """Text that people and other tools write: read, or refused with a message that names it."""
    data = read(path)
    for what, bad in damaged(data, count):
        write(path, bad)
        for words in (["diff", path, other], ["diff", other, path, "--format", "json"]):
            code, out, messages = run(cflr, *words)
            refused = code in (2, 3) and os.path.basename(path) in messages and not out
            failures.expect(refused or code in (0, 1),
                            f"{path}: {what}: code {code}, {len(out)} bytes: {messages}")
    write(path, data)


def make_reports(folder):
    """A baseline and SARIF."""
    write(f"{folder}/null.baseline",
          b"cflr-baseline 1\nfingerprints cflr/v1\nrules null\nfindings likely\nunits 2 of 3\n"
          b"null 0123456789abcdef-0 fedcba9876543210-0 a.c f: null pointer dereference: *p\n")
    write(f"{folder}/null.sarif", json.dumps({"version": "2.1.0", "runs": [
        {"tool": {"driver": {"name": "cflr", "rules": [{"id": "null"}]}},
         "invocations": [{"executionSuccessful": True}],
         "results": [{"ruleIndex": 0, "level": "error", "message": {"text": "t"}, "locations": [
             {"physicalLocation": {"artifactLocation": {"uri": "a.c"},
                                   "region": {"startLine": 1, "startColumn": 2}}}],
                      "partialFingerprints": {"cflr/v1": "0123456789abcdef-0"}}]}]}).encode())
    return f"{folder}/null.baseline", f"{folder}/null.sarif"


def make_files(cflr, folder, frontend):
    """Every binary format, small; with the command that reads each."""
    graph, grammar, source = f"{folder}/graph.tsv", f"{folder}/closure.cfg", f"{folder}/a.c"
    write(graph, b"0\t1\ta\n1\t2\ta\n2\t3\ta\n")
    write(grammar, b"%start S\nS ::= a | S S\n")
    write(source, b"int *f(int *v) { return v; }\n")
    write(f"{graph}.gz", gzip.compress(read(graph), mtime=0))
    write(f"{graph}.xz", lzma.compress(read(graph)))
    made = [["convert", "-q", graph, f"{graph}.zst"],
            ["convert", "-q", graph, f"{folder}/graph.cflg"],
            ["solve", "-q", "-g", grammar, graph, "-o", f"{folder}/result.cflr"],
            ["solve", "-q", "-g", grammar, graph, "-o", f"{folder}/compared.cflr"]]
    if frontend:
        made.append(["extract", "-q", source, "--linkable", "-o", f"{folder}/part.cflg"])
    for words in made:
        subprocess.run([cflr, *words], check=True, stdout=subprocess.DEVNULL, timeout=GUARD)
    tsv = ["-q", "-g", grammar, "--export", "tsv"]
    files = {f"{graph}.{end}": ["solve", f"{graph}.{end}", *tsv] for end in ("gz", "xz", "zst")}
    files[f"{folder}/graph.cflg"] = ["solve", f"{folder}/graph.cflg", *tsv]
    files[f"{folder}/result.cflr"] = ["query", f"{folder}/result.cflr", "reaches 0 S 3"]
    files[f"{folder}/compared.cflr"] = ["diff", f"{folder}/result.cflr", f"{folder}/compared.cflr"]
    if frontend:
        files[f"{folder}/part.cflg"] = ["link", "-q", f"{folder}/part.cflg", "--to", "tsv"]
    return files


def main():
    cflr, frontend = sys.argv[1], sys.argv[2] == "1"
    count = int(sys.argv[3])
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        for path, words in make_files(cflr, folder, frontend).items():
            try_file(cflr, failures, path, words, count)
        baseline, report = make_reports(folder)
        try_report(cflr, failures, baseline, report, 8 * count)
        try_report(cflr, failures, report, baseline, 8 * count)
        if frontend:
            try_cache(cflr, failures, folder, [], count)
            try_cache(cflr, failures, folder, ["--rules", "null", "--rules", "command"], count)
    print(*failures.lines, sep="\n")
    print(f"{failures.tried} tried, {len(failures.lines)} wrong")
    sys.exit(1 if failures.lines else 0)


if __name__ == "__main__":
    main()
