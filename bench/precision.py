#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each level of precision gives and costs, on whole programs.

    bench/precision.py --cflr build/release/cli/cflr --work DIR [--levels default]
        [--json out.json] [--table out.md] [BASE | NAME=DATABASE]...

A BASE (bases.py) is downloaded from Debian and built in --work, once (`scripts/install-deps bench`
installs what the builds need); NAME=DATABASE is one that you have. Every level is one run of `cflr
analyze`; one that ends at --time or --memory is shown as such, without its answers, which are not
whole.
"""
import argparse
import json
import os
import sys
import tempfile

import bases
import extract
import report

# Name, options of `cflr analyze`: from the coarsest to the finest, each with one thing changed.
LEVELS = (
    ("a record is one cell", ("--fields", "insensitive", "-g", "pointer")),
    ("locals whole", ("--locals", "whole")),
    ("default", ()),
    ("any aliasing", ("--aliasing", "any")),
    ("any callees", ("--callees", "any")),
    ("heap by types", ("--context", "types")),
    ("elements of arrays", ("--arrays", "constant")),
    ("heap", ("--context", "heap")),
    ("call paths", ("--context", "clone")),
)

PROGRAMS = ["lua", "zlib", "sqlite", "redis", "curl", "dnsmasq", "mosquitto", "tmux", "tcpdump",
            "nginx", "jq", "libpng"]


def measure(options, program, database, level, switches):
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        done = extract.run([options.cflr, "analyze", "-q", "-p", database, "-j",
                            str(options.threads), "--time", options.time, "--memory",
                            options.memory, "--format", "json", "-o", f"{folder}/result.cflr",
                            *switches])
    if done["code"] not in (0, 4):
        raise SystemExit(f"{program}, {level}: exit code {done['code']}")
    output = done.pop("output")
    return {"program": program, "level": level, "answer": json.loads(output) if output else {},
            **done}


# ---- the table ----

def whole(row):
    return row["answer"].get("complete", False)


def answered(text):
    """The text of a run that came to its end."""
    return lambda row: text(row["answer"]) if whole(row) else "–"


def average(amount, number):
    return f"{amount / number:,.1f}" if number else "0"


def percent(part, number):
    return f"{100 * part / number:.0f} %" if number else "0 %"


COLUMNS = (
    ("program", lambda row: row["program"]), ("level", lambda row: row["level"]),
    ("vertices", answered(lambda answer: f"{answer['vertices']:,}")),
    ("copies", answered(lambda answer: f"{answer['extraction']['clones']:,}")),
    ("objects a pointer", answered(lambda answer: average(answer["pointees"], answer["pointing"]))),
    ("share one set", answered(lambda answer: percent(answer["sharing_pointers"],
                                                      answer["pointing"]))),
    ("its objects", answered(lambda answer: f"{answer['shared_objects']:,}")),
    ("alias pairs", answered(extract.alias_pairs)),
    ("called values", answered(lambda answer: f"{answer['called_values']:,}")),
    ("of them resolved", answered(lambda answer: f"{answer['resolved_values']:,}")),
    ("functions a call", answered(lambda answer: average(answer["callees"],
                                                         answer["resolved_values"]))),
    ("s", lambda row: f"{row['wall']:.1f}"), ("CPU s", lambda row: f"{row['cpu']:.1f}"),
    ("MB", lambda row: f"{row['peak_mb']:,}"), ("whole", lambda row: "yes" if whole(row) else "no"))


def write(options, result):
    text = extract.table(COLUMNS, result["rows"])
    report.write(options, result, text)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=os.path.realpath)
    parser.add_argument("--jobs", default=len(os.sched_getaffinity(0)), type=int)
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--time", default="5m")
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--json")
    parser.add_argument("--table")
    parser.add_argument("--levels", choices=["all", *(name for name, _ in LEVELS)], default="all",
                        help="the one level to be measured (all)")
    parser.add_argument("bases", nargs="*", metavar="BASE", default=PROGRAMS)
    options = parser.parse_args()
    levels = [level for level in LEVELS if options.levels in ("all", level[0])]
    os.makedirs(options.work, exist_ok=True)
    result = {"host": report.host(options), "rows": []}
    for base in options.bases:
        _, _, programs = extract.databases(options, base)
        for program, database in programs.items():
            for level, switches in levels:
                result["rows"].append(measure(options, program, database, level, switches))
                write(options, result)
    print(write(options, result), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
