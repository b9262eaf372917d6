#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What extraction costs, beside the least that it can cost, and what analysing whole programs
costs.

    bench/extract.py --cflr build/release/cli/cflr \\
        --parse-visit build/release/bench/parse_visit --work DIR \\
        [--steps extract,count,analyze] [--json out.json] [--table out.md] [BASE | NAME=DATABASE]...

The step `count` counts the instructions of extraction and of the bare parse with valgrind, which
takes minutes for a base and does not depend on what else the machine does: the exact figure where
times are too noisy.

A BASE (bases.py) is downloaded and built in --work, once; NAME=DATABASE is one that you have. Exit
code 1 when a unit was lost, a graph depends on the number of threads, or a function is in it more
or less than once; 3 when all that is right and a bound was missed.
"""
import argparse
import filecmp
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import bases
import report

# CPU seconds or instructions of extraction, in those of a bare parse and visit
MOST_TIMES_BARE = 1.15
MOST_MB_A_THREAD = 300


# ---- running ----

def run(command):
    """Runs to the end: exit code, output, wall and CPU seconds (with all children), peak memory."""
    begin = time.time()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return {"code": child.returncode, "output": output.read(), "wall": time.time() - begin,
                "cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss // 1024}


def demand(command):
    done = run(command)
    if done["code"] != 0:
        raise SystemExit(f"exit code {done['code']}: {' '.join(command)}")
    return done


def sample_of(done):
    return {key: done[key] for key in ("wall", "cpu", "peak_mb")}


def unit_commands(options, database):
    """The words of each unit's command, cleaned as extraction cleans them."""
    words = demand([options.parse_visit, "units", database])["output"].split(b"\0")
    at, commands = 0, []
    while at + 1 < len(words):
        count = int(words[at])
        commands.append(words[at + 1:at + 1 + count])
        at += 1 + count
    return commands


# ---- extraction ----

def extract(options, database, threads, graph):
    return demand([options.cflr, "extract", "-q", "-p", database, "-j", str(threads), "--format",
                   "json", "-o", graph])


def compile_each(options, commands):
    """One process of the compiler for each unit, which stops after the analysis of meaning."""
    total, failed = {"wall": 0.0, "cpu": 0.0, "peak_mb": 0}, 0
    for words in commands:
        done = run([options.clang, "-fsyntax-only", *words[1:]])
        failed += done["code"] != 0
        total = {"wall": total["wall"] + done["wall"], "cpu": total["cpu"] + done["cpu"],
                 "peak_mb": max(total["peak_mb"], done["peak_mb"])}
    return total, failed


def sample_rounds(options, row, database, commands, folder):
    """The programs take turns. A round after the first begins only while all took less than
    --enough."""
    begin = time.time()
    graphs = [f"{folder}/{threads}.cflg" for threads in (1, 2)]
    for turn in range(options.runs):
        if turn and time.time() - begin > options.enough:
            break
        floor = demand([options.parse_visit, "visit", database])
        row["floor"].append(sample_of(floor))
        row["visit"] = json.loads(floor["output"])
        row["bare"].append(sample_of(demand([options.parse_visit, "bare", database])))
        for name, threads, graph in (("one", 1, graphs[0]), ("two", 2, graphs[1])):
            done = extract(options, database, threads, graph)
            row[name].append(sample_of(done))
            row["report"] = json.loads(done["output"])
            row["same_graph"] &= filecmp.cmp(graphs[0], graph, shallow=False)
        total, row["clang_failed"] = compile_each(options, commands)
        row["clang"].append(total)
    row["graph"] = json.loads(demand([options.cflr, "info", graphs[0], "--format",
                                      "json"])["output"])


def count_entries(database):
    with open(f"{database}/{bases.DATABASE}", encoding="utf-8") as text:
        return len(json.load(text))


def measure_extraction(options, name, database):
    row = {"name": name, "version": bases.version_of(name, options.work), "database": database,
           "entries": count_entries(database), "same_graph": True,
           "bare": [], "floor": [], "one": [], "two": [], "clang": []}
    parsed = demand([options.parse_visit, "functions", database])["output"].splitlines()
    distinct = set(parsed)
    row["functions_parsed"], row["functions_distinct"] = len(parsed), len(distinct)
    row["functions_own"] = sum(not name.startswith(b"system ") for name in distinct)
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        sample_rounds(options, row, database, unit_commands(options, database), folder)
    kinds = {}
    for note in row["report"]["notes"]:
        kinds.setdefault(note["kind"], []).append(note)
    row["unknown_externals"] = len(kinds.get("unmodelled", []))
    return row


# ---- instructions ----

def instructions(command):
    """A process that is forked has the counts of the one that forks it, and forgets them where a
    worker begins."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           "--zero-before=begin_worker", *command], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if json.loads(done.stdout).get("units_lost"):
        raise SystemExit("a unit was lost: this slow, it took longer than a unit may")
    # of all processes
    return sum(int(number) for number in re.findall(r"Collected : (\d+)", done.stderr))


def count_instructions(options, name, database):
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        row = {"name": name, "extract": instructions([options.cflr, "extract", "-q", "-p", database,
                                                      "-j", "1", "--format", "json", "-o",
                                                      f"{folder}/graph.cflg"])}
    for how in ("bare", "visit"):
        row[how] = instructions([options.parse_visit, how, database])
    return row


def times_bare(row):
    return row["extract"] / row["bare"]


# ---- what extraction is held to ----

def cpu(row, name):
    return statistics.median(sample["cpu"] for sample in row[name])


def peak(row, name):
    return max(sample["peak_mb"] for sample in row[name])


def errors_of_extraction(row):
    """What is wrong, and what is right but misses its bound."""
    wrong, missed, found = [], [], row["report"]
    if found["units_lost"]:
        wrong.append(f"{found['units_lost']} units lost")
    if not row["same_graph"]:
        wrong.append("the graph is not the same for one thread and for two")
    if not row["functions_own"] <= found["functions"] <= row["functions_distinct"]:
        wrong.append(f"{row['functions_own']} functions and {row['functions_distinct']} with those "
                     f"of system headers, but {found['functions']} in the graph")
    if cpu(row, "one") > MOST_TIMES_BARE * cpu(row, "bare"):
        missed.append(f"{cpu(row, 'one') / cpu(row, 'bare'):.2f} times a bare parse and visit")
    if cpu(row, "one") > cpu(row, "clang"):
        missed.append("slower than one process of the compiler for each unit")
    if max(peak(row, "one"), peak(row, "two") / 2) > MOST_MB_A_THREAD:
        missed.append(f"more than {MOST_MB_A_THREAD} MB a thread")
    return wrong, missed


# ---- whole programs ----

def measure_program(options, name, database):
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        command = [options.cflr, "analyze", "-q", "-p", database, "-g", options.grammar, "-j",
                   str(options.threads), "--time", options.time, "--memory", options.memory,
                   "--format", "json", "-o", f"{folder}/result.cflr"]
        done = run(command)
        if done["code"] not in (0, 4):
            raise SystemExit(f"exit code {done['code']}: {' '.join(command)}")
        size = os.path.getsize(f"{folder}/result.cflr")
    answer = json.loads(done.pop("output"))
    return {"name": name, "database": database, "answer": answer, "result_mb": size >> 20, **done}


# ---- tables ----

def table(columns, rows):
    """Markdown from (title, text of a row) pairs."""
    lines = [[title for title, _ in columns], ["---"] * len(columns)]
    lines += [[text(row) for _, text in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def count(*keys):
    """The text of a number that lies under these keys."""
    def text(row):
        for key in keys:
            row = row.get(key, 0)
        return f"{row:,}"
    return text


def name_of(row):
    return row["name"]


EXTRACTED = (
    ("base", name_of), ("version", lambda row: row["version"]), ("entries", count("entries")),
    ("dropped as equal", count("report", "duplicate_entries")),
    ("not C", count("report", "other_languages")), ("units", count("report", "units")),
    ("lost", count("report", "units_lost")), ("with errors", count("report", "units_degraded")),
    ("lines", count("report", "lines")), ("bodies parsed", count("functions_parsed")),
    ("of the base's own functions", count("functions_own")),
    ("functions in the graph", count("report", "functions")),
    ("names defined at several places", count("report", "redefined_names")),
    ("vertices", count("graph", "vertices")), ("edges", count("graph", "edges")),
    ("unknown externals", count("unknown_externals")),
    ("calls of them", count("report", "calls_unmodelled")))

COSTS = (
    ("base", name_of), ("cursors", count("visit", "cursors")),
    ("rounds", lambda row: str(len(row["floor"]))),
    ("bare parse and visit, s", lambda row: f"{cpu(row, 'bare'):.2f}"),
    ("without warnings, s", lambda row: f"{cpu(row, 'floor'):.2f}"),
    ("extract, s", lambda row: f"{cpu(row, 'one'):.2f}"),
    ("in bare ones", lambda row: f"{cpu(row, 'one') / cpu(row, 'bare'):.2f}"),
    ("in those without warnings", lambda row: f"{cpu(row, 'one') / cpu(row, 'floor'):.2f}"),
    ("extract -j2, s", lambda row: f"{cpu(row, 'two'):.2f}"),
    ("clang -fsyntax-only, s", lambda row: f"{cpu(row, 'clang'):.2f}"),
    ("MB, parse and visit", lambda row: str(peak(row, "floor"))),
    ("MB", lambda row: str(peak(row, "one"))), ("MB, -j2", lambda row: str(peak(row, "two"))),
    ("graph the same", lambda row: "yes" if row["same_graph"] else "NO"))

COUNTED = (
    ("base", name_of), ("instructions of a bare parse and visit", count("bare")),
    ("without warnings", count("visit")), ("of extraction", count("extract")),
    ("in bare ones", lambda row: f"{times_bare(row):.3f}"),
    ("in those without warnings", lambda row: f"{row['extract'] / row['visit']:.3f}"))

def alias_pairs(answer):
    """They are counted with --aliasing any only."""
    return f"{answer['alias_pairs']:,}" if "alias_pairs" in answer else "-"


ANALYZED = (
    ("program", name_of), ("units", count("answer", "extraction", "units")),
    ("lines", count("answer", "extraction", "lines")), ("vertices", count("answer", "vertices")),
    ("edges", count("answer", "edges")),
    ("extract, s", lambda row: f"{row['answer']['seconds']['load']:.2f}"),
    ("solve, s", lambda row: f"{row['answer']['seconds']['solve']:.2f}"),
    ("in all, s", lambda row: f"{row['wall']:.2f}"), ("CPU s", lambda row: f"{row['cpu']:.2f}"),
    ("MB", lambda row: f"{row['peak_mb']:,}"), ("result, MB", count("result_mb")),
    ("pairs", count("answer", "pairs")), ("alias pairs", lambda row: alias_pairs(row["answer"])),
    ("unresolved calls", count("answer", "unresolved_calls")),
    ("whole", lambda row: "yes" if row["answer"]["complete"] else "no"))


def write(options, result):
    text = ""
    if result["extracted"]:
        for columns in (EXTRACTED, COSTS):
            text += table(columns, result["extracted"]) + "\n"
    if result["counted"]:
        text += table(COUNTED, result["counted"]) + "\n"
    if result["analyzed"]:
        text += table(ANALYZED, result["analyzed"])
    report.write(options, result, text)
    return text


# ---- the command ----

def databases(options, name):
    """A base's name, its database, and those of its programs by name."""
    if "=" in name:
        name, database = name.split("=", 1)
        return name, database, {name: database}
    if name not in bases.BASES:
        raise SystemExit(f"{name}: known are {' '.join(bases.BASES)}; for another one "
                         "NAME=DATABASE")
    database = bases.make(name, options.work, options.jobs)
    return name, database, {program: bases.restrict(name, program, options.work)
                            for program in bases.BASES[name].programs}


def measure(options, result):
    """True when nothing is wrong, and whether a bound was missed."""
    well, bounded = True, True
    for base in options.bases:
        name, database, programs = databases(options, base)
        if "extract" in options.steps:
            row = measure_extraction(options, name, database)
            result["extracted"].append(row)
            wrong, missed = errors_of_extraction(row)
            for what in wrong + missed:
                print(f"{name}: {what}", file=sys.stderr)
            well, bounded = well and not wrong, bounded and not missed
        if "count" in options.steps:
            row = count_instructions(options, name, database)
            result["counted"].append(row)
            bounded = bounded and times_bare(row) <= MOST_TIMES_BARE
        for program, path in programs.items() if "analyze" in options.steps else ():
            result["analyzed"].append(measure_program(options, program, path))
        write(options, result)
    return well, bounded


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--parse-visit", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=os.path.realpath)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--steps", default="extract,analyze", type=lambda text: text.split(","))
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--enough", default=120, type=float)
    parser.add_argument("--jobs", default=len(os.sched_getaffinity(0)), type=int)
    parser.add_argument("--grammar", default="pointer-fs")
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--time", default="10m")
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--json")
    parser.add_argument("--table")
    parser.add_argument("bases", nargs="*", metavar="BASE", default=list(bases.BASES))
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    result = {"host": report.host(options), "extracted": [], "counted": [], "analyzed": []}
    well, bounded = measure(options, result)
    print(write(options, result), end="")
    if not well:
        return 1
    return 0 if bounded else 3


if __name__ == "__main__":
    sys.exit(main())
