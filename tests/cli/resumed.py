#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A work directory, whatever happens to it: a run that resumes there makes the same result, byte
for byte, or refuses and says why.

    resumed.py CFLR FAULTS

FAULTS is the library of tests/crash, or "" in a build that cannot load it; such a build does not
keep --memory either. CFLR_TEST_EXHAUSTIVE=1 takes many more moments and places.
"""
import fcntl
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GUARD = 300  # seconds; only against hanging
MANY = os.environ.get("CFLR_TEST_EXHAUSTIVE")
VERTICES = 33_000  # more than three slices have at least
OFTEN = ["--checkpoint", "0.001"]

# Aliases through memory: strata that loop and exchange, and others behind them.
GRAMMAR = """%start V
V     ::= Abar V | V A | FV[i] f[i] | M | eps
FV[i] ::= ~f[i] V
M     ::= DV d
DV    ::= ~d V
A     ::= A A | a M | a | eps
Abar  ::= Abar Abar | M ~a | ~a | eps
"""
OTHER_GRAMMAR = GRAMMAR.replace("M     ::= DV d\n", "M     ::= DV d | d ~d\n")


def write_graph(path, dereferences):
    """With more of these the closure grows fast."""
    pick = random.Random(3)
    with open(path, "w", encoding="ascii") as out:
        for label, part in (("a", 0.5), ("d", dereferences)):
            for _ in range(int(VERTICES * part)):
                source = pick.randrange(VERTICES)
                target = min(VERTICES - 1, source + 1 + int(pick.expovariate(1 / 50)))
                out.write(f"{source}\t{target}\t{label}\n")


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


class Bench:
    """Runs of the command in the current folder, and what went wrong."""

    def __init__(self, cflr):
        self.cflr, self.wrong, self.tried = cflr, [], 0
        self.whole = {}  # by graph: the result of a run that nothing disturbs

    def words(self, graph, *more, grammar="aa.cfg"):
        return [self.cflr, "solve", "--model", "batch", "-g", grammar, graph, *more]

    def run(self, graph, *more, env=None, **how):
        done = subprocess.run(self.words(graph, "-o", "out.cflr", *more, **how),
                              capture_output=True, check=False, timeout=GUARD,
                              env={**os.environ, **(env or {})})
        return done.returncode, done.stderr.decode("utf-8", "replace")

    def expect(self, holds, what):
        self.tried += 1
        if not holds:
            self.wrong.append(what)

    def expect_whole(self, graph, what, *more, **how):
        """A run, undisturbed, gives the result, and leaves no directory."""
        code, messages = self.run(graph, *more, **how)
        self.expect(code == 0 and self.wrote_all(graph),
                    f"{what}: code {code}: {messages}")
        left = os.listdir("work") if os.path.exists("work") else []
        self.expect(not left, f"{what}: left: {left}")
        shutil.rmtree("work", ignore_errors=True)

    def wrote_all(self, graph):
        return Path("out.cflr").read_bytes() == self.whole[graph]

    def kill(self, graph, seconds, *more):
        """A run that is killed, unless it ends before."""
        child = subprocess.Popen(self.words(graph, "-o", "out.cflr", *more),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            return child.wait()

    def keep(self, graph):
        """Makes work/ with two checkpoints, as a crash leaves it; "kept" is a copy."""
        for _ in range(20):
            shutil.rmtree("work", ignore_errors=True)
            child = subprocess.Popen(self.words(graph, "-o", "out.cflr", "--work", "work", *OFTEN),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while child.poll() is None and not os.path.exists("work/manifest.old"):
                time.sleep(0.001)
            time.sleep(0.01)
            child.kill()
            if child.wait() and os.path.exists("work/manifest"):
                break
        shutil.copytree("work", "kept")

    def again(self):
        shutil.rmtree("work", ignore_errors=True)
        shutil.copytree("kept", "work")


def try_kills(bench, pick):
    """Killed again and again, each time with other threads and parts, until it is whole."""
    graph, most = "large.tsv", 1.2
    for turn in range(50 if MANY else 2):
        first, kills, code = True, 0, None
        while code != 0 and kills < 5:
            more = ["--work" if first else "--resume", "work", *OFTEN,
                    "-j", pick.choice("124"), "--parts", pick.choice("1134")]
            code = bench.kill(graph, pick.random() * most, *more)
            bench.expect(code in (0, -9), f"killed: turn {turn}: code {code} of {more}")
            first, kills = False, kills + 1
        if code == 0:
            bench.expect(bench.wrote_all(graph), f"killed {kills} times")
        else:
            bench.expect_whole(graph, f"killed {kills} times, then resumed", "--resume", "work",
                               "-j", "2", "--parts", pick.choice("124"))
        shutil.rmtree("work", ignore_errors=True)


def try_flips(bench, pick):
    """One wrong bit in one file."""
    graph = "small.tsv"
    for name in sorted(os.listdir("kept")):
        data = Path(f"kept/{name}").read_bytes()
        for _ in range(40 if MANY else 2):
            bench.again()
            wrong, at = bytearray(data), pick.randrange(len(data))
            wrong[at] ^= 1 << pick.randrange(8)
            Path(f"work/{name}").write_bytes(wrong)
            code, messages = bench.run(graph, "--resume", "work")
            refused = code in (2, 3) and "work" in messages
            bench.expect(refused or (code == 0 and bench.wrote_all(graph)),
                         f"{name}, byte {at}: code {code}: {messages}")
        bench.again()
        Path(f"work/{name}").write_bytes(data[:len(data) // 2])
        code, messages = bench.run(graph, "--resume", "work")
        bench.expect((code in (2, 3) and "work" in messages) or
                     (code == 0 and bench.wrote_all(graph)),
                     f"{name}, cut: code {code}: {messages}")


def try_both_manifests(bench):
    """Damage that no older checkpoint makes good: refused, and nothing is removed."""
    bench.again()
    for name in ("manifest", "manifest.old"):
        wrong = bytearray(Path(f"work/{name}").read_bytes())
        wrong[len(wrong) // 2] ^= 1
        Path(f"work/{name}").write_bytes(wrong)
    before = contents("work")
    code, messages = bench.run("small.tsv", "--resume", "work")
    after = contents("work")
    before.pop("cflr.lock"), after.pop("cflr.lock")
    bench.expect(code == 3 and "work/manifest" in messages and before == after,
                 f"both manifests: code {code}: {messages}")
    bench.expect_whole("small.tsv", "anew, over damage", "--work", "work")


def try_foreign(bench):
    """What the directory is of another problem for, and what is no work directory."""
    Path("other.tsv").write_bytes(Path("small.tsv").read_bytes() + b"1\t2\ta\n")
    bench.again()
    before = contents("work")
    for what, graph, more, how in (
            ("another graph", "other.tsv", [], {}),
            ("another grammar", "small.tsv", [], {"grammar": "other.cfg"}),
            ("--only", "small.tsv", ["--only", "M"], {}),
            ("--without", "small.tsv", ["--without", "stars"], {})):
        code, messages = bench.run(graph, "--resume", "work", *more, **how)
        after = contents("work")
        same = {**before, "cflr.lock": b""} == {**after, "cflr.lock": b""}
        bench.expect(code in (2, 3) and "another graph" in messages and same,
                     f"{what}: code {code}, files {'as before' if same else 'changed'}: {messages}")
    bench.expect_whole("small.tsv", "the right one after others", "--resume", "work")
    for option in ("--work", "--resume"):
        os.mkdir("full")
        Path("full/mine.txt").write_bytes(b"mine")
        code, messages = bench.run("small.tsv", option, "full")
        bench.expect(code in (2, 3) and contents("full") == {"mine.txt": b"mine"},
                     f"{option}, other files: code {code}: {messages}")
        shutil.rmtree("full")


def try_two(bench):
    """One directory, two runs."""
    bench.again()
    before = contents("work")
    with open("work/cflr.lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for option in ("--work", "--resume"):
            code, messages = bench.run("small.tsv", option, "work")
            bench.expect(code in (3, 5) and "another run works" in messages and
                         contents("work") == before, f"two runs: code {code}: {messages}")


def try_time(bench):
    """Time ends: a part of the result, and the rest later. When it ends while the result is
    written, the closure is whole, and there is nothing to resume."""
    graph, hit = "large.tsv", 0
    begin = time.monotonic()
    bench.run(graph, "-j", "2")
    whole = time.monotonic() - begin
    for part in (0.3, 0.5):
        code, messages = bench.run(graph, "--work", "work", "--time", f"{whole * part:.2f}",
                                   "-j", "2")
        bench.expect(code in (0, 4), f"--time: code {code}: {messages}")
        told = "--resume work" in messages
        bench.expect(told == os.path.exists("work"), f"--time: {messages}")
        hit += told
        bench.expect_whole(graph, "after --time", "--resume", "work", "--parts", "3")
    bench.expect(hit, "no limit of time was reached")


def try_faults(bench, faults):
    """A disk that is full or broken."""
    graph, hit = "small.tsv", 0
    places = [f"full:{at}:pwrite" for at in range(1, 10)]
    places += [f"eio:{at}:fdatasync" for at in (1, 2, 5)] + ["full:1:write", "full:2:write"]
    places += [f"enospc:{at}:{call}" for at in (1, 3) for call in ("rename", "fsync")]
    places += ["full:16", "full:22", "eio:41", "eio:43", "eio:46"]
    places += ["enospc:1:mkdir", "eio:4:pwrite"]
    if MANY:
        places += [f"{kind}:{at}" for kind in ("full", "eio", "kill", "torn", "power")
                   for at in range(1, 80)]
    for place in places:
        code, messages = bench.run(graph, "--work", "work", *OFTEN, "--parts", "3",
                                   env={"LD_PRELOAD": faults, "CFLR_FAULT": place})
        right = code == 0 and bench.wrote_all(graph)
        hit += code != 0 or "to the disk any more" in messages
        died = code == -9 and place[0] in "ktp"
        failed = code == 5 or (code == 3 and "eio" in place)
        read_error = code == 3 and place.count(":") == 1  # of the graph, or the grammar
        bench.expect(right or failed or died or read_error, f"{place}: code {code}: {messages}")
        if code:
            bench.expect_whole(graph, f"after {place}", "--resume", "work")
    bench.expect(hit >= len(places) // 3, f"only {hit} of {len(places)} faults were met")


def with_peak(bench, *more):
    """Exit code, bytes, the counts."""
    with tempfile.TemporaryFile() as counts:
        child = subprocess.Popen(bench.words("large.tsv", "-j", "2", *more), stdout=counts,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        counts.seek(0)
        return child.returncode, usage.ru_maxrss << 10, counts.read().decode()


def try_memory(bench):
    """Less than the first attempt takes: what is said to be whole has the same pairs. The program
    itself, which is large beside these bounds, is not counted."""
    _, free, whole = with_peak(bench)
    for part in (0.9, 0.7, 0.65, 0.6):
        bound = int(free * part)
        code, peak, counts = with_peak(bench, "--memory", str(bound))
        bench.expect(counts == whole if code == 0 else code == 4,
                     f"--memory {bound}: code {code}\n{counts}")
        bench.expect(peak <= bound + (8 << 20), f"--memory {bound}: peak {peak}")


def main():
    cflr, faults = os.path.abspath(sys.argv[1]), sys.argv[2] and os.path.abspath(sys.argv[2])
    bench, pick = Bench(cflr), random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("aa.cfg").write_bytes(GRAMMAR.encode())
        Path("other.cfg").write_bytes(OTHER_GRAMMAR.encode())
        for name, dereferences in (("small", 0.25), ("large", 0.3)):
            write_graph(f"{name}.tsv", dereferences)
            code, messages = bench.run(f"{name}.tsv", "-j", "2")
            bench.expect(code == 0, f"{name}: code {code}: {messages}")
            shutil.copy("out.cflr", f"{name}.cflr")
            bench.whole[f"{name}.tsv"] = Path(f"{name}.cflr").read_bytes()
        parts = [(try_kills, pick), (Bench.keep, "small.tsv"), (try_flips, pick),
                 (try_both_manifests,), (try_foreign,), (try_two,), (try_time,)]
        if faults:
            parts += [(try_faults, faults), (try_memory,)]
        for part, *more in parts:
            begin = time.monotonic()
            part(bench, *more)
            shutil.rmtree("work", ignore_errors=True)
            print(f"{part.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
        os.chdir("/")
    print(*bench.wrong, sep="\n")
    print(f"{bench.tried} tried, {len(bench.wrong)} wrong")
    sys.exit(1 if bench.wrong else 0)


if __name__ == "__main__":
    main()
