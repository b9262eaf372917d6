#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a closure costs when it gets less memory than it would take.

    bench/outofcore.py --cflr build/release/cli/cflr --work DIR [--limits 1/2,1/3,1/8,500M]
                       [--generate build/release/bench/generate] [--data DIR] [--cases gen-aa-120k]
                       [--graph 'NAME=GRAPH GRAMMAR [OPTION...]'] [--runs 3] [--threads 1]
                       [--time 600] [--cgroup no|peak|limit] [--json out.json] [--table out.md]
                       [-- OPTION...]

Each case is solved without a limit, then with `--memory` set to each of the limits: parts of the
peak that the first run took, or sizes. The options after `--` go to the runs with a limit only;
`{work}` in them is a fresh folder for each run. Exit code 1 when an answer that is said to be whole
has other numbers of pairs, or a run fails; 3 when all that is well and some answer is a part, has
other bytes, or took more memory than it was given. bench/README.md tells the columns.
"""
import argparse
import contextlib
import filecmp
import fractions
import json
import os
import re
import resource
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import cases
import report

WHOLE, PARTIAL = 0, 4  # exit codes of cflr
MB = 1 << 20


# ---- memory as the kernel counts it ----

class Cgroup:
    """A memory cgroup of version 2 for one run."""

    def __init__(self, parent, limit):
        self.path = tempfile.mkdtemp(prefix="cflr-", dir=parent)
        if limit:
            self.write("memory.max", limit)
            with contextlib.suppress(OSError):  # a kernel without swap has no such file
                self.write("memory.swap.max", 0)

    def write(self, name, value):
        with open(os.path.join(self.path, name), "w", encoding="ascii") as file:
            file.write(str(value))

    def enter(self):
        """The calling process, with what it starts from now on."""
        self.write("cgroup.procs", 0)

    def peak(self):
        """Bytes; None from kernels before 5.19."""
        with contextlib.suppress(OSError):
            with open(os.path.join(self.path, "memory.peak"), encoding="ascii") as file:
                return int(file.read())
        return None

    def remove(self):
        os.rmdir(self.path)


def find_cgroup():
    """The nearest folder, upward from the cgroup of this process, in which cgroups can be made that
    count memory; or None. One that holds processes cannot be it, unless it is the root."""
    root = "/sys/fs/cgroup"
    with open("/proc/self/cgroup", encoding="ascii") as lines:
        own = next((line[3:].strip() for line in lines if line.startswith("0::")), None)
    folder = root + (own or "")
    while own and folder.startswith(root):
        with contextlib.suppress(OSError):
            with open(f"{folder}/cgroup.subtree_control", encoding="ascii") as names:
                if "memory" in names.read().split() and os.access(folder, os.W_OK):
                    return folder
        folder = os.path.dirname(folder)
    return None


# ---- one run ----

def bytes_moved(pid):
    """What an ended process, not yet waited for, read from and wrote to disks."""
    with open(f"/proc/{pid}/io", encoding="ascii") as lines:
        counts = dict(line.strip().split(": ") for line in lines)
    return {"read": int(counts["read_bytes"]),
            "written": int(counts["write_bytes"]) - int(counts["cancelled_write_bytes"])}


def run(command, seconds, cgroup):
    """Runs to the end, or kills after so many seconds."""
    begin = time.time()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, stdout=output, stderr=errors,
                                 preexec_fn=cgroup.enter if cgroup else None)
        timer = threading.Timer(seconds, child.send_signal, [signal.SIGKILL])
        timer.start()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        timer.cancel()
        moved = bytes_moved(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return {"code": child.returncode, "wall": time.time() - begin, "output": output.read(),
                "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024, **moved,
                "said": errors.read().strip().rpartition("\n")[2]}


class Runner:
    """Runs one case in a folder: `whole.cflr` there is the answer of its first run."""

    def __init__(self, options, case, folder):
        self.options, self.case, self.folder = options, case, folder
        self.pairs = None  # of each symbol, of the first run
        self.parent = find_cgroup() if options.cgroup != "no" else None
        if options.cgroup == "limit" and not self.parent:
            raise SystemExit("--cgroup limit: no cgroup of version 2 can be made here")

    def sample(self, limit):
        """`limit`: bytes, or None."""
        whole, answer = (os.path.join(self.folder, name) for name in ("whole.cflr", "answer.cflr"))
        work = os.path.join(self.folder, "work")
        os.mkdir(work)
        command = [self.options.cflr, "solve", "-q", "-g", self.case.grammar, self.case.graph, "-j",
                   str(self.options.threads), *self.case.extra, "--format", "json", "-o", answer]
        if limit:
            command += ["--memory", str(limit)]
            command += [word.replace("{work}", work) for word in self.options.extra]
        bound = limit if self.options.cgroup == "limit" else None
        cgroup = Cgroup(self.parent, bound) if self.parent else None
        done = run(command, self.options.time, cgroup)
        if cgroup:
            done["cgroup_peak"] = cgroup.peak()
            cgroup.remove()
        done["left"] = sum(os.path.getsize(os.path.join(path, name))
                           for path, _, names in os.walk(work) for name in names)
        shutil.rmtree(work)
        done["answer"] = self.judge(done, answer, whole)
        with contextlib.suppress(FileNotFoundError):
            os.remove(answer)
        return done

    def judge(self, done, answer, whole):
        """What came of a run beside what came of the first one."""
        output = done.pop("output")
        if done["code"] != WHOLE:
            return "part" if done["code"] == PARTIAL else "none"
        pairs = {name: label["pairs"] for name, label in json.loads(output)["labels"].items()}
        if not os.path.exists(whole):
            os.rename(answer, whole)
            self.pairs = pairs
            return "same"
        if pairs != self.pairs:
            return "OTHER"
        return "same" if filecmp.cmp(answer, whole, shallow=False) else "other bytes"


# ---- cases ----

class Given:
    """A graph that the user has: NAME=GRAPH GRAMMAR [OPTION...]"""

    def __init__(self, text):
        self.name, equals, rest = text.partition("=")
        words = shlex.split(rest)
        if not equals or len(words) < 2:
            raise argparse.ArgumentTypeError("NAME=GRAPH GRAMMAR [OPTION...]")
        self.graph, self.grammar, *self.extra = words


def prepare(name, options, folder):
    case = cases.Case(name, options, folder)
    case.extra = []
    return case


def limit_of(text):
    """A function from a peak to a number of bytes."""
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    size = re.fullmatch(r"(\d+)([KMG]?)", text)
    if size:
        return lambda peak: int(size[1]) * units[size[2]]
    try:
        part = fractions.Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise SystemExit(f"--limits {text}: not a part like 1/3, nor a size like 500M") from error
    return lambda peak: int(peak * part)


def measure(case, options, folder):
    """Rows of one case, that without a limit first; runs with different limits take turns."""
    runner = Runner(options, case, folder)
    first = runner.sample(None)
    rows = [{"limit": "none", "bytes": None, "samples": [first]}]
    if first["code"] != WHOLE:
        return rows
    rows += [{"limit": text, "bytes": limit_of(text)(first["peak"]), "samples": []}
             for text in options.limits]
    for turn in range(options.runs):
        for row in rows:
            if row["bytes"] or turn:
                row["samples"].append(runner.sample(row["bytes"]))
    return rows


# ---- what is wrong ----

def problems(case, rows):
    """What is wrong, and what is right but no whole answer within its limit."""
    wrong, missed = [], []
    for row in rows:
        what = f"{case.name}, limit {row['limit']}"
        for done in row["samples"]:
            if done["answer"] == "OTHER":
                wrong.append(f"{what}: other numbers of pairs")
            elif done["answer"] == "other bytes" or (done["answer"] == "part" and row["bytes"]):
                missed.append(f"{what}: answer: {done['answer']}")
            elif done["answer"] != "same":
                wrong.append(f"{what}: exit code {done['code']}: {done['said']}")
            if row["bytes"] and done["peak"] > row["bytes"]:
                missed.append(f"{what}: {done['peak'] / row['bytes']:.2f} times the memory that it "
                              "may take")
    return list(dict.fromkeys(wrong)), list(dict.fromkeys(missed))


# ---- the table ----

HEAD = ("case", "limit", "MB", "exit", "wall, s", "in unlimited ones", "CPU, s", "peak MB",
        "of the limit", "cgroup's peak MB", "read MB", "written MB", "left MB", "answer")


def median(row, key):
    return statistics.median(done[key] for done in row["samples"])


def most(row, key):
    return max(done.get(key) or 0 for done in row["samples"])


def line(case, row, base):
    def megabytes(count):
        return f"{count / MB:,.0f}"
    peak, group = most(row, "peak"), most(row, "cgroup_peak")
    return [case, row["limit"], megabytes(row["bytes"]) if row["bytes"] else "",
            ", ".join(str(code) for code in sorted({done["code"] for done in row["samples"]})),
            f"{median(row, 'wall'):.2f}", f"{median(row, 'wall') / median(base, 'wall'):.2f}",
            f"{median(row, 'cpu'):.2f}", megabytes(peak),
            f"{peak / row['bytes']:.2f}" if row["bytes"] else "",
            megabytes(group) if group else "", megabytes(most(row, "read")),
            megabytes(most(row, "written")), megabytes(most(row, "left")),
            ", ".join(sorted({done["answer"] for done in row["samples"]}))]


def markdown(result):
    where = result["host"]
    head = (f"cflr {where['version']} at commit {where['commit']}; {where['cpu']}, "
            f"{where['cores']} cores, {where['memory_gib']} GiB, {where['system']}; "
            f"{where['date']}; medians of {result['options']['runs']} runs of times, the most of "
            "the rest.\n\n")
    return head + report.table(HEAD, [line(case, row, rows[0])
                                      for case, rows in result["results"].items()
                                      for row in rows])


# ---- the command ----

def words(text):
    return text.split(",")


def read_options():
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=os.path.abspath,
                        help="folder for graphs, answers and {work}, on the disk that is measured")
    parser.add_argument("--cases", type=words, default=[], help="names and patterns of closure.py")
    parser.add_argument("--graph", type=Given, action="append", default=[],
                        metavar="NAME=GRAPH GRAMMAR [OPTION...]")
    parser.add_argument("--data", help="folder of the public graphs")
    parser.add_argument("--generate", type=os.path.abspath, help="the generator that was built")
    parser.add_argument("--limits", type=words, default=["1/2", "1/3", "1/8"],
                        help="parts of the peak without a limit, or sizes")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--time", type=float, default=600, help="seconds of a run")
    parser.add_argument("--cgroup", choices=("no", "peak", "limit"), default="peak",
                        help="run in a cgroup where that can be: to know its peak, or with "
                        "memory.max set to the limit as well")
    parser.add_argument("--json")
    parser.add_argument("--table", help="a file for the table in Markdown")
    options = parser.parse_args(given[:end])
    options.extra, options.peers = given[end + 1:], False
    for text in options.limits:
        limit_of(text)
    return options


def main():
    options = read_options()
    names = cases.select(options.cases, options.data, options.generate) if options.cases else []
    result = {"host": report.host(options),
              "options": {**vars(options), "graph": [vars(given) for given in options.graph]},
              "results": {}}
    os.makedirs(options.work, exist_ok=True)
    wrong, missed = [], []
    for todo in names + options.graph:
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            case = prepare(todo, options, folder) if isinstance(todo, str) else todo
            rows = measure(case, options, folder)
        result["results"][case.name] = rows
        bad, less = problems(case, rows)
        wrong, missed = wrong + bad, missed + less
        report.write(options, result, markdown(result))
    print(markdown(result), end="")
    return report.exit_code(wrong, missed, "MISSED")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
