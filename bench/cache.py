#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `--cache` saves: CPU seconds of extraction without it, of a first run, of a second one, and
of one after a unit has changed.

    bench/cache.py --cflr build/release/cli/cflr --work DIR [--rules RULES]...
        [--json out.json] [--table out.md] [BASE | NAME=DATABASE]...

Bases are those of extract.py. With rules, `cflr check` is timed as well: without a cache, with one
that extraction has filled, after a unit has changed, and the same with --changed-files, which names
that unit. Exit code 1 when a graph or a report is another one with the cache than without it, or
more is parsed than what has changed; 3 when all that is right and a second extraction takes more
than a twentieth of the first.
"""
import argparse
import filecmp
import json
import os
import shutil
import statistics
import sys
import tempfile

import bases
import extract
import report

MOST_PERCENT = 5  # of the first run
SECOND_RUNS = 3   # for each first one: they are short


class Folder:
    """Where the runs of one base leave what they make."""
    def __init__(self, options, database, path):
        self.options, self.database, self.path = options, database, path
        self.rules = [word for rule in options.rules for word in ("--rules", rule)]
        self.kept, self.changed = f"{path}/kept", f"{path}/changed"
        os.mkdir(self.changed)

    def run(self, graph, database=None, cache=True):
        """The sample of one extraction, with how many units there were and how many came from the
        cache."""
        return self.sample("extract", ["-o", f"{self.path}/{graph}.cflg"], database, cache)

    def check(self, name, database=None, cache=True, only=()):
        """The same of a check, which leaves SARIF."""
        return self.sample("check", ["--sarif", f"{self.path}/{name}.sarif", *only], database,
                           cache)

    def sample(self, command, words, database, cache):
        done = extract.run([self.options.cflr, command, "-q", "-p", database or self.database, "-j",
                            str(self.options.threads), "--format", "json", *self.rules, *words,
                            *(["--cache", self.kept] if cache else [])])
        if done["code"] not in (0, 1):
            raise SystemExit(f"{command}: exit code {done['code']}")
        found = json.loads(done["output"])
        found = found.get("extraction", found)
        return {**extract.sample_of(done), "units": found["units"], "cached": found["units_cached"]}

    def change_a_unit(self, number):
        """A database in which the command of one unit is another one than in all before."""
        with open(f"{self.database}/{bases.DATABASE}", encoding="utf-8") as text:
            entries = json.load(text)
        entry = next(entry for entry in entries if entry["file"].endswith(".c"))
        flag = f"-DCFLR_BENCH_CHANGE={number}"
        if "arguments" in entry:
            entry["arguments"].insert(1, flag)
        else:
            compiler, rest = entry["command"].split(" ", 1)
            entry["command"] = f"{compiler} {flag} {rest}"
        with open(f"{self.changed}/{bases.DATABASE}", "w", encoding="utf-8") as out:
            json.dump(entries, out)
        with open(f"{self.path}/files", "w", encoding="utf-8") as out:
            print(entry["file"], file=out)

    def same(self, one, other):
        return filecmp.cmp(f"{self.path}/{one}", f"{self.path}/{other}", shallow=False)

    def kept_bytes(self):
        return sum(os.path.getsize(f"{folder}/{name}")
                   for folder, _, names in os.walk(self.kept) for name in names)


def measure(options, name, database):
    row = {"name": name, "version": bases.version_of(name, options.work), "database": database,
           "same_graph": True, "without": [], "first": [], "second": [], "changed": []}
    with tempfile.TemporaryDirectory(dir=options.work) as path:
        folder = Folder(options, database, path)
        for turn in range(options.runs):
            shutil.rmtree(folder.kept, ignore_errors=True)
            row["without"].append(folder.run("without", cache=False))
            row["first"].append(folder.run("first"))
            row["kept_mb"] = folder.kept_bytes() / 1e6
            for _ in range(SECOND_RUNS):
                row["second"].append(folder.run("second"))
            folder.change_a_unit(turn)
            row["changed"].append(folder.run("changed", folder.changed))
            row["same_graph"] &= (folder.same("without.cflg", "first.cflg")
                                  and folder.same("without.cflg", "second.cflg"))
        folder.run("anew", folder.changed, cache=False)
        row["same_graph"] &= folder.same("anew.cflg", "changed.cflg")
        if options.rules:
            row["checks"] = measure_checks(options, folder)
    return row


def measure_checks(options, folder):
    """Checks take longer than all that is kept: once each. The units are known, and after the last
    extraction the changed one is not."""
    row = {"without": folder.check("without", cache=False), "second": folder.check("second")}
    folder.change_a_unit(options.runs)
    row["changed"] = folder.check("changed", folder.changed)
    folder.change_a_unit(options.runs + 1)
    row["only"] = folder.check("only", folder.changed, only=["--changed-files",
                                                             f"{folder.path}/files"])
    folder.check("anew", folder.changed, cache=False)
    row["same"] = (folder.same("without.sarif", "second.sarif")
                   and folder.same("anew.sarif", "changed.sarif"))
    return row


def cpu(row, name):
    return statistics.median(sample["cpu"] for sample in row[name])


def percent(row, name):
    return 100 * cpu(row, name) / cpu(row, "first")


def errors_of(row):
    """What is wrong, and what is right but misses its bound."""
    wrong, missed = [], []
    if not row["same_graph"]:
        wrong.append("the graph is another one with the cache")
    for name, parsed in (("second", 0), ("changed", 1)):
        if any(sample["units"] - sample["cached"] != parsed for sample in row[name]):
            wrong.append(f"{name}: not {parsed} parsed")
    if not row.get("checks", {}).get("same", True):
        wrong.append("the report of a check is another one with the cache")
    if percent(row, "second") > MOST_PERCENT:
        missed.append(f"a second run takes {percent(row, 'second'):.1f} % of the first")
    return wrong, missed


COLUMNS = (
    ("base", lambda row: row["name"]), ("version", lambda row: row["version"]),
    ("units", lambda row: str(row["first"][0]["units"])),
    ("without, s", lambda row: f"{cpu(row, 'without'):.2f}"),
    ("first run, s", lambda row: f"{cpu(row, 'first'):.2f}"),
    ("second run, s", lambda row: f"{cpu(row, 'second'):.3f}"),
    ("of the first", lambda row: f"{percent(row, 'second'):.1f} %"),
    ("a unit changed, s", lambda row: f"{cpu(row, 'changed'):.2f}"),
    ("of the first", lambda row: f"{percent(row, 'changed'):.1f} %"),
    ("kept, MB", lambda row: f"{row['kept_mb']:.1f}"),
    ("graph the same", lambda row: "yes" if row["same_graph"] else "NO"))


def seconds_of_check(name):
    return lambda row: f"{row['checks'][name]['cpu']:.1f}"


CHECK_COLUMNS = (
    ("base", lambda row: row["name"]), ("check without, s", seconds_of_check("without")),
    ("second, s", seconds_of_check("second")), ("a unit changed, s", seconds_of_check("changed")),
    ("of which extraction", lambda row: f"{cpu(row, 'changed'):.2f}"),
    ("with --changed-files, s", seconds_of_check("only")),
    ("report the same", lambda row: "yes" if row["checks"]["same"] else "NO"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=os.path.realpath)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--jobs", default=len(os.sched_getaffinity(0)), type=int)
    parser.add_argument("--rules", action="append", default=[])
    parser.add_argument("--json")
    parser.add_argument("--table")
    parser.add_argument("bases", nargs="*", metavar="BASE", default=list(bases.BASES))
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    rows, well, bounded = [], True, True
    for base in options.bases:
        name, database, _ = extract.databases(options, base)
        rows.append(measure(options, name, database))
        wrong, missed = errors_of(rows[-1])
        for what in wrong + missed:
            print(f"{name}: {what}", file=sys.stderr)
        well, bounded = well and not wrong, bounded and not missed
    text = extract.table(COLUMNS, rows)
    if options.rules:
        text += "\n" + extract.table(CHECK_COLUMNS, rows)
    report.write(options, {"host": report.host(options), "rows": rows}, text)
    print(text, end="")
    if not well:
        return 1
    return 0 if bounded else 3


if __name__ == "__main__":
    sys.exit(main())
