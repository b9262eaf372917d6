#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Input that has no end, or unpacks to more than there is, ends at the limit, at once, and names
its file.

    bombs.py CFLR

Files of 1.6 MB and less unpack to 50 GiB of one field, of newlines, of blanks, of NUL bytes. Each
command that reads a file gets them, with --memory and with a limit of the address space, and so it
gets /dev/zero and a pipe. The process never has more than 5 % above what --memory says, libclang
not counted.
"""
import gzip
import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
import threading

BLOCK, BLOCKS = 1 << 17, 50 << 13
GUARD_S = 60  # against hanging only
ADDRESSES = 3 << 30
LIMITS = 100 << 20, 500 << 20
LIBCLANG = 100 << 20  # the library itself, which is not counted (docs/reference/man/common.scd)
FILLS = {"field": b"a", "newlines": b"\n", "blanks": b" ", "nul": b"\0"}


def zstd_bomb(byte):
    """A frame of blocks that each repeat one byte (RFC 8878, 3.1.1.2)."""
    head = b"\x28\xb5\x2f\xfd\x00\x38"
    block = (1 << 1 | BLOCK << 3).to_bytes(3, "little") + byte
    last = (1 | 1 << 1 | BLOCK << 3).to_bytes(3, "little") + byte
    return head + block * (BLOCKS - 1) + last


def declared_bomb():
    """One that says what it unpacks to."""
    return b"\x28\xb5\x2f\xfd\xe0" + (BLOCKS * BLOCK).to_bytes(8, "little") + zstd_bomb(b"a")[6:]


def members(pack, byte):
    """Members that unpack to 16 MiB each, 640 MiB in all: gzip and xz pack less."""
    return pack(byte * (16 << 20)) * 40


def make_bombs():
    bombs = {"declared.tsv.zst": declared_bomb()}
    for name, byte in FILLS.items():
        bombs[name + ".tsv.zst"] = zstd_bomb(byte)
    bombs["gzip.tsv"] = members(lambda data: gzip.compress(data, 1), b"a")
    bombs["xz.tsv"] = members(lambda data: lzma.compress(data, preset=0), b"a")
    for name, content in bombs.items():
        with open(name, "wb") as out:
            out.write(content)
    return list(bombs)


def commands(path):
    """What reads a file, as words."""
    yield "info", path
    yield "graph", "cc", path
    yield "convert", path, "out.tsv"
    yield "grammar", "check", path
    yield "solve", "-g", "small.cfg", path
    yield "solve", "-g", path, "small.tsv"
    yield "query", path, "alias 0 1"


def commands_about_c(path):
    """The same, of the C front end."""
    yield "link", path, "-o", "out.cflg"
    yield "extract", "-p", path, "-o", "out.cflg"
    yield "extract", "small.c", "--summaries", path, "-o", "out.cflg"
    yield "check", "small.c", "--rules", path


class Run:
    """One command, bounded; its code, what it said, its largest size."""

    def __init__(self, words, limit=None, stdin=subprocess.DEVNULL):
        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))

        more = ["--memory", str(limit)] if limit else []
        child = subprocess.Popen([*words, *more], stdin=stdin, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, preexec_fn=bound)
        guard = threading.Timer(GUARD_S, child.kill)
        guard.start()
        self.said = child.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        guard.cancel()
        self.code = child.returncode = os.waitstatus_to_exitcode(status)
        self.peak = usage.ru_maxrss << 10


class Checks:
    def __init__(self, cflr):
        self.cflr = cflr
        self.failed = self.runs = self.most = 0

    def expect(self, words, name, code, limit=None, stdin=subprocess.DEVNULL, beside=0):
        """beside: what is not counted by --memory."""
        run = Run([self.cflr, *words, "-q"], limit, stdin)
        self.runs += 1
        wrong = []
        if run.code != code:
            wrong.append(f"code {run.code}, not {code}")
        if name not in run.said:
            wrong.append("the file is not named")
        if limit:
            self.most = max(self.most, run.peak / (limit + beside))
            if run.peak > (limit + beside) * 1.05:
                wrong.append(f"{run.peak >> 20} MiB of {limit >> 20}")
        if wrong:
            print(" ".join(words), limit, "; ".join(wrong), run.said.strip(), sep=" | ")
            self.failed += 1


def has_frontend(cflr):
    version = subprocess.run([cflr, "--version=json"], capture_output=True, check=True)
    return json.loads(version.stdout)["frontend"]


def check(cflr):
    checks = Checks(cflr)
    frontend = has_frontend(cflr)
    with open("small.c", "w", encoding="ascii") as out:
        out.write("int *f(int *p) { return p; }\n")
    with open("small.cfg", "w", encoding="ascii") as out:
        out.write("%start S\nS ::= a\n")
    with open("small.tsv", "w", encoding="ascii") as out:
        out.write("0\t1\ta\n")
    for path in make_bombs():
        checks.expect(("info", path), path, 4, LIMITS[0])
        checks.expect(("graph", "cc", path), path, 4, LIMITS[0])
    for path in ("field.tsv.zst", "/dev/zero"):
        for words in commands(path):
            checks.expect(words, path, 4, LIMITS[0])
        for words in commands_about_c(path) if frontend else []:
            checks.expect(words, path, 4, LIMITS[0], beside=LIBCLANG)
        checks.expect(("info", path), path, 4, LIMITS[1])
        checks.expect(("info", path), path, 5)  # what the system refuses
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        checks.expect(("info", "-"), "standard input", 4, LIMITS[0], endless.stdout)
        endless.kill()
    print(f"{checks.runs} runs, at most {checks.most:.3f} of --memory")
    return checks.failed


def main():
    cflr = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        return check(cflr) > 0


if __name__ == "__main__":
    sys.exit(main())
