#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A closure of any size that is killed, gets no more room on the disk, or finds its files damaged.

    bench/killed.py --cflr build/release/cli/cflr --work DIR
                    [--faults build/release/tests/libcflr_faults.so] [--kills 50] [--full 20]
                    [--flips 3] [--threads 2] [--seed 1] [--table out.md]
                    --graph 'NAME=GRAPH GRAMMAR [OPTION...]'

Each of these runs makes checkpoints, ends at a random moment or place, and is resumed. The result
has to be that of an undisturbed run, byte for byte. Where a bit of a file is wrong, the program may
refuse instead. Exit code 1 when a run gave anything else.
"""
import argparse
import filecmp
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import report
from outofcore import Given

OFTEN = ["--checkpoint", "0.1"]
KILLED, REFUSED, NO_DISK = -9, (2, 3), (3, 5)  # exit codes


class Closure:
    """Runs of one closure in a folder."""

    def __init__(self, case, options, folder):
        self.options, self.case, self.pick = options, case, random.Random(options.seed)
        self.whole, self.answer, self.work, self.kept = (
            os.path.join(folder, name) for name in ("whole.cflr", "answer.cflr", "work", "kept"))
        self.wrong, self.rows = [], []
        begin = time.monotonic()
        code, said = self.run([], answer=self.whole)
        self.seconds = time.monotonic() - begin
        if code:
            raise SystemExit(f"{case.name}: exit code {code}: {said}")

    def run(self, more, answer=None, seconds=None, env=None):
        """Exit code and messages; the run is killed after so many seconds."""
        case = self.case
        command = [self.options.cflr, "solve", "-g", case.grammar, case.graph, *case.extra, "-j",
                   str(self.options.threads), "-o", answer or self.answer, *more]
        with tempfile.TemporaryFile("w+") as errors:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors,
                                     env={**os.environ, **(env or {})})
            try:
                child.wait(seconds)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            errors.seek(0)
            return child.returncode, errors.read().strip()

    def is_whole(self):
        return filecmp.cmp(self.answer, self.whole, shallow=False)

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(f"{self.case.name}: {what}")
            print("WRONG", self.wrong[-1], flush=True)

    def resume(self, what, may_refuse=False):
        """True when it gave the result."""
        code, said = self.run(["--resume", self.work])
        right = code == 0 and self.is_whole()
        self.expect(right or (may_refuse and code in REFUSED and said), f"{what}: {code}: {said}")
        shutil.rmtree(self.work, ignore_errors=True)
        return right

    def kill(self):
        """Returns whether it gave the result when resumed, and the seconds that that took; None
        when the run came to its end."""
        after = self.pick.random() * self.seconds * 1.1
        code, said = self.run(["--work", self.work, *OFTEN], seconds=after)
        self.expect(code in (0, KILLED), f"killed after {after:.3f} s: {code}: {said}")
        if code == 0 or not os.path.exists(self.work):
            return None
        begin = time.monotonic()
        same = self.resume(f"killed after {after:.3f} s")
        return same, time.monotonic() - begin

    def try_kills(self):
        done = [self.kill() for _ in range(self.options.kills)]
        late = [part for part in done if part]
        took = statistics.median(seconds for _, seconds in late) / self.seconds if late else 0
        self.add("kill -9", len(done), [same for same, _ in late], f"{took:.2f}")

    def add(self, fault, runs, same, took=""):
        """`same`: of each run that was disturbed, whether it gave the result when resumed."""
        self.rows.append([self.case.name, fault, runs, len(same), sum(same), took])

    def fill(self, number):
        """Lets the disk be full from one of its writes on. Returns whether the run gave the result
        when resumed; None when it came to its end."""
        place = f"full:{number}:pwrite"
        env = {"LD_PRELOAD": self.options.faults, "CFLR_FAULT": place}
        code, said = self.run(["--work", self.work, *OFTEN, "--parts", "3"], env=env)
        self.expect(code in NO_DISK or (code == 0 and self.is_whole()), f"{place}: {code}: {said}")
        return self.resume(place) if code else None

    def try_full(self):
        last, done = 1, []
        while len(done) < self.options.full:
            done.append(self.fill(last))
            if done[-1] is None:
                break
            last *= 2
        done += [self.fill(self.pick.randrange(1, last))
                 for _ in range(self.options.full - len(done))]
        self.add("full disk", len(done), [same for same in done if same is not None])

    def keep(self):
        """Makes `kept`, as a crash leaves a work directory after two checkpoints."""
        for _ in range(20):
            shutil.rmtree(self.work, ignore_errors=True)
            self.run(["--work", self.work, *OFTEN],
                     seconds=self.seconds * (0.3 + 0.5 * self.pick.random()))
            if os.path.exists(f"{self.work}/manifest.old"):
                return os.rename(self.work, self.kept)
        raise SystemExit(f"{self.case.name}: ends before its second checkpoint")

    def flip(self, name):
        shutil.copytree(self.kept, self.work)
        with open(f"{self.work}/{name}", "r+b") as file:
            at = self.pick.randrange(os.path.getsize(file.name))
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ (1 << self.pick.randrange(8))]))
        return self.resume(f"{name}, byte {at}", may_refuse=True)

    def try_flips(self):
        self.keep()
        names = [name for name in sorted(os.listdir(self.kept))
                 if os.path.getsize(f"{self.kept}/{name}")]
        done = [self.flip(name) for name in names for _ in range(self.options.flips)]
        self.add(f"a wrong bit in {len(names)} files", len(done), done)


HEAD = ("case", "fault", "runs", "disturbed", "then the same bytes", "resumed in whole runs' time")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=os.path.abspath)
    parser.add_argument("--graph", type=Given, action="append", required=True,
                        metavar="NAME=GRAPH GRAMMAR [OPTION...]")
    parser.add_argument("--faults", type=os.path.abspath,
                        help="the library that lets a disk be full; without it none is")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--full", type=int, default=20, help="full disks")
    parser.add_argument("--flips", type=int, default=3, help="wrong bits, of each file")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", help="a file for the table in Markdown")
    return parser.parse_args()


def main():
    options, wrong, rows = read_options(), [], []
    os.makedirs(options.work, exist_ok=True)
    for case in options.graph:
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            closure = Closure(case, options, folder)
            closure.try_kills()
            if options.faults:
                closure.try_full()
            closure.try_flips()
        wrong, rows = wrong + closure.wrong, rows + closure.rows
    text = report.table(HEAD, rows)
    print(text, end="")
    if options.table:
        with open(options.table, "w", encoding="utf-8") as out:
            out.write(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
