# SPDX-License-Identifier: Apache-2.0
"""Programs that are timed: our models, GraCFL, and any peer behind a command of the contract in
bench/README.md. Each gives samples: {"seconds", "wall", "peak_mb", "pairs", "pairs_start", ...}, or
{"failure": why}; a failure at the time limit is LIMIT."""
import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import threading
import time

LIMIT = "limit"
CHECKSUM_PAIRS = 20_000_000  # more pairs than these are not written to be summed up
SWITCHES = "inline stars mirrors between strata guards condense split order together".split()


def run(command, limit, cwd=None):
    """Runs to the end or the limit, with all children: a sample, its output under "output"."""
    begin = time.time()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, stdout=output, stderr=errors, cwd=cwd,
                                 start_new_session=True)
        over = threading.Event()

        def stop():
            with contextlib.suppress(ProcessLookupError):  # it ended just now
                os.killpg(child.pid, signal.SIGKILL)
                over.set()

        timer = threading.Timer(limit, stop)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        if over.is_set():
            return {"failure": LIMIT}
        if child.returncode != 0:
            errors.seek(0)
            last = errors.read().strip().rpartition("\n")[2]
            return {"failure": f"exit code {child.returncode}: {last}"}
        output.seek(0)
        return {"output": output.read(), "wall": time.time() - begin,
                "peak_mb": usage.ru_maxrss // 1024}


class Ours:
    """A model of ours. `extra`: options of `cflr solve`; `only_start`: no symbol but the start."""
    side = "cflr"

    def __init__(self, options, model, threads, extra=(), what=""):
        self.options, self.model, self.threads = options, model, threads
        self.only_start = model.endswith("+start")
        self.extra = list(extra)
        self.what = model.partition("+")[0] + (", start only" if self.only_start else "") + what
        self.name = f"cflr {self.what} -j{threads}"

    def command(self, case):
        only = ["--only", case.start] if self.only_start else []
        return [self.options.cflr, "solve", "-q", "-g", case.grammar, case.graph, "--model",
                self.model.partition("+")[0], "-j", str(self.threads), *only, *self.extra]

    def prepare(self, case, directory):
        pass

    def sample(self, case):
        done = run([*self.command(case), "--format", "json"], self.options.limit)
        if "failure" in done:
            return done
        answer = json.loads(done.pop("output"))
        labels = {name: label["pairs"] for name, label in answer["labels"].items()}
        labels["all"] = answer["pairs"]
        done.update(seconds=answer["seconds"]["solve"], threads=answer["threads"],
                    peak_bytes=answer["peak_bytes"], labels=labels,
                    pairs=None if self.only_start else answer["pairs"],
                    pairs_start=labels.get(case.start, 0))
        return done

    def checksum(self, case, sample):
        """SHA-256 of the start symbol's pairs as sorted text; of their number where they are
        many."""
        if sample["pairs_start"] > CHECKSUM_PAIRS:
            text = f"{case.start} {sample['pairs_start']}\n".encode()
            return "count:" + hashlib.sha256(text).hexdigest()
        digest = hashlib.sha256()
        with subprocess.Popen([*self.command(case), "--export", "tsv", "-o", "-"],
                              stdout=subprocess.PIPE) as child:
            for piece in iter(lambda: child.stdout.read(1 << 20), b""):
                digest.update(piece)
        if child.returncode != 0:
            raise SystemExit(f"{self.name} on {case.name}: could not write its pairs")
        return "pairs:" + digest.hexdigest()


class GraCFL:
    """One mode of a GraCFL binary. It reads its configuration from the directory where it is
    started."""
    side = "gracfl"

    def __init__(self, options, execution, direction, threads):
        self.options, self.threads = options, threads
        self.execution, self.direction = execution, direction
        self.name = f"gracfl {execution} {direction} -j{threads}"
        self.directory = self.unnamed = None

    def prepare(self, case, directory):
        """Expanded labels, converse edges spelled out. It reads edges whose label no rule names,
        but does not count them."""
        self.directory = directory
        graph, grammar = (os.path.join(directory, name) for name in ("g.gracfl", "g.grammar"))
        if not os.path.exists(grammar):  # made by no other mode
            subprocess.run([self.options.cflr, "convert", case.graph, graph, "--to", "gracfl"],
                           check=True)
            with open(grammar, "w", encoding="ascii") as out:
                subprocess.run([self.options.cflr, "grammar", "show", case.grammar, "--to",
                                "gracfl", "--graph", case.graph], check=True, stdout=out)
        self.unnamed = count_unnamed(graph, grammar)

    def sample(self, case):
        with open(os.path.join(self.directory, "ConfigGraCFL"), "w", encoding="ascii") as out:
            out.write(f"graphFilepath = {self.directory}/g.gracfl\n"
                      f"grammarFilepath = {self.directory}/g.grammar\n"
                      f"executionMode = {self.execution}\n"
                      f"traversalDirection = {self.direction}\n"
                      f"processingStrategy = gram-driven\nnumThreads = {self.threads}\n")
        done = run([self.options.gracfl], self.options.limit, cwd=self.directory)
        if "failure" in done:
            return done
        output = done.pop("output")
        seconds = re.search(r"Total Time[^0-9]*([0-9.eE+-]+)", output)
        counts = [int(n) for n in re.findall(r"(?i)(?:initial|new)\D*edges?\D*(\d+)", output)]
        if not seconds:
            return {"failure": "no time in its output"}
        done.update(seconds=float(seconds.group(1)), threads=self.threads, pairs_start=None,
                    pairs=sum(counts[-2:]) + self.unnamed if len(counts) >= 2 else None)
        return done


@functools.lru_cache(maxsize=1)
def count_unnamed(graph, grammar):
    """Edges, without converses, whose label no rule names."""
    with open(grammar, encoding="ascii") as text:
        named, unnamed = set(text.read().split()), 0
    with open(graph, encoding="ascii") as edges:
        for line in edges:
            label = line.split()[2]
            is_converse = label.partition("_")[0].endswith("bar")
            unnamed += not is_converse and label not in named
    return unnamed


class Peer:
    """COMMAND CASE GRAPH GRAMMAR THREADS, which prints one line of JSON."""

    def __init__(self, options, name, command, threads):
        self.options, self.side, self.threads = options, name, threads
        self.command = shlex.split(command)
        self.name = f"{name} -j{threads}"

    def prepare(self, case, directory):
        pass

    def sample(self, case):
        done = run([*self.command, case.name, case.graph, case.grammar, str(self.threads)],
                   self.options.limit)
        if "failure" in done:
            return done
        try:
            answer = json.loads(done.pop("output").strip().rpartition("\n")[2])
            done.update(seconds=float(answer["seconds"]), pairs=answer["pairs"],
                        pairs_start=answer["pairs_start"],
                        threads=answer.get("threads", self.threads))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return {"failure": f"its output is not that of the contract: {error!r}"}
        return done


def ours(options):
    if options.ablation:
        threads = options.threads[0]
        return [Ours(options, "batch", threads)] + [
            Ours(options, "batch", threads, ["--without", name], f" without {name}")
            for name in SWITCHES]
    return [Ours(options, model, threads) for model in options.models
            for threads in options.threads]


def peers(options):
    found = []
    for direction in ("fw", "bi", "bw") if options.gracfl else ():
        found += [GraCFL(options, "parallel" if threads > 1 else "serial", direction, threads)
                  for threads in options.threads]
    for name, command in options.peer:
        found += [Peer(options, name, command, threads) for threads in options.threads]
    return found
