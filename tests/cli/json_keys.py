#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/reference/json.md with what the command prints, key by key.

For each section of the page some lines are run. Every key that is printed must be in the section's
table; every key of the table must be printed by each line, or by one of them if it is marked
`sometimes`.

    json_keys.py CFLR SOURCES_GRAPH JSON.md HAS_FRONTEND
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOLVE = "solve -g pointer.cfg sources.cflg --format json"
RUNS = {
    "solve": [SOLVE, SOLVE + " --verify -q", SOLVE + " --stats -q", SOLVE + " --pairs pairs.txt",
              SOLVE + " --slice 2/3 -q"],
    "query": ["query r.cflr 'points-to pick::arg' 'aliases second::q' --format json",
              "query r.cflr 'alias 0 1' --format json"],
    "convert": ["convert path.tsv out.cflg --format json",
                "convert path.tsv out.cflp --format json",
                "convert --gen chain:3 --weights 1:9 out.cflp --format json"],
    "info": ["info r.cflr --format json", "info fields.tsv --format json",
             "info cut2.cflr --format json", "info out.cflp --format json"],
    "info --config": ["info --config --format json"],
    "merge": ["merge cut1.cflr cut2.cflr -o merged.cflr --format json"],
    "graph": ["graph bfs path.tsv --format json --verify --top 2 --trials 3 -o levels.tsv",
              "graph bfs --gen chain:3 --reorder search --format json -q"],
    "grammar check": ["grammar check warned.cfg --format json",
                      "grammar check closure.cfg --format json"],
    "grammar show": ["grammar show closure.cfg --format json"],
    "grammar stats": ["grammar stats closure.cfg --format json"],
    "grammar list": ["grammar list --format json"],
    "diff": ["diff old.sarif new.sarif --format json", "diff old.sarif new.sarif --only new "
             "--format json", "diff new.sarif old.sarif --only gone --format json"],
    "--version=json": ["--version=json"],
}
FRONTEND_RUNS = {
    "query, of an open program": [
        "query open.cflr 'alias first_of::own first_of::key' 'points-to outside' --format json",
        "query open.cflr 'points-to first_of::other' 'aliases first_of::key' --format json",
        "query narrow.cflr 'alias get::return put::p' --format json",
        "query places.cflr 'alias b p' --format json"],
    "extract": ["extract program.c lost.c -o out.cflg --format json -q",
                "extract program.c lost.c --linkable -o part.cflg --format json -q",
                "link part.cflg -o out.cflg --format json -q"],
    "extract --unknown": ["extract --unknown program.c --format json -q"],
    "extract --list-targets": ["extract --list-targets -p targets.json --format json -q"],
    "compdb": ["compdb --format json -- sh -c 'echo cc program.c >compiled'"],
    "analyze": ["analyze program.c other.c --format json -q",
                "analyze program.c --aliasing any --format json -q",
                "analyze program.c lost.c --context clone --show 99 --format json -q",
                "analyze calls.c --unresolved --context clone --format json -q"],
    "callgraph": ["callgraph calls.cflr --format json -q",
                  "callgraph calls.cflr --callees main --format json -q"],
    "explain": ["explain calls.cflr 'points-to main::on_sale' 'main calls main' --format json -q",
                "explain open.cflr 'alias first_of::own first_of::key' --format json -q",
                "explain explained.cflr 'points-to last x' 'alias main::other last' --format json "
                "-q",
                "explain places.cflr 'points-to p l' 'points-to held l' 'alias b p' --format json "
                "-q"],
    "explain --imprecision": ["explain --imprecision two.cflr --format json -q",
                              "explain --imprecision callbacks.cflr --format json -q",
                              "explain --imprecision kept.cflr --format json -q",
                              "explain --imprecision fields.tsv --format json -q"],
    "check": ["check checks.c --no-alias apart --format json -q",
              "check checks.c --no-alias apart --world open --format json -q",
              "check narrow.c --no-alias apart --format json -q",
              "check checks.c --may-alias may --must-alias same --no-alias apart --format json -q",
              "check checks.c lost.c --must-alias same --context clone --format json -q",
              "check flows.c --rules command --rules null --no-alias apart --format json -q",
              "check suppressed.c --rules null --no-alias apart --baseline old.baseline "
              "--format json -q"],
}
# objects whose keys are names, unless they are plain numbers
NAMED = {"labels", "values", "pointees_by_kind", "owners"}


def paths(value, at=""):
    """All key paths of a JSON value that lead to a member of an object or to a list."""
    if isinstance(value, list):
        for member in value:
            yield from paths(member, at + "[]")
    elif isinstance(value, dict):
        named = at.split(".")[-1] in NAMED
        for key, member in value.items():
            path = (at + "." if at else "") + ("*" if named else key)
            if not isinstance(member, dict):
                yield path
            yield from paths(member, path)


def sections(page):
    """{section: {key path: is it always there? None: it may be, and another section tells}}"""
    tables, title = {}, None
    for line in page:
        heading = re.match(r"## (.*)", line)
        row = re.match(r"\| `([^`]+)` \| (sometimes)? *\|", line)
        if heading:
            title = heading.group(1).strip()
            tables[title] = {}
        elif row:
            tables[title][row.group(1)] = not row.group(2)
    return tables


def complete(tables):
    """Writes out the references between sections."""
    vertex = {path.split("[].answer[].")[1]: False for path in tables["query"]
              if path.startswith("[].answer[].")}
    vertex.pop("member")  # has a test of its own
    tables["query"]["[].answer[].member"] = None
    own = tables["query, of an open program"]
    for path in list(tables["query"]) + [f"[].answer[].entries[].{path}" for path in vertex]:
        own.setdefault(path, None)
    table = tables["analyze"]
    for path, always in tables["solve"].items():
        if always:
            table[path] = always
    for path, always in tables["extract"].items():
        for title in ("analyze", "check"):
            tables[title]["extraction." + path] = always
    step = "findings[].path[]"
    table = tables["check"]
    steps = [path for path in table if path.startswith(step + ".")]
    for path in [path for path in steps if not path.endswith((".route", ".index"))]:
        table[path.replace(step, step + ".route[]")] = False
    ends = [f"{at}.{end}" for at in (step, step + ".route[]") for end in ("from", "to", "object")]
    for place in ["findings[].source", "findings[].sink"] + ends:
        bare = ("context", "type") if place == "findings[].sink" else ("context",)
        table.update({f"{place}.{path}": False for path in vertex if path not in bare})
        table.pop(place)
    for title, place in (("analyze", "aliases[][]"), ("check", "checks[].common[]"),
                         ("check", "checks[].points_to[][]")):
        tables[title].update({f"{place}.{path}": False for path in vertex})
        tables[title].pop(place, None)
    for title, place in (("query, of an open program", "[].lost"), ("check", "checks[].lost")):
        lost = ("vertex", "kind", "name", "file", "line", "column")  # of one that is known there
        tables[title].update({f"{place}.{path}": False for path in lost})
        tables[title][f"{place}.function"] = None
        tables[title].pop(place)
    step = "[].explanations[].derivations[]"
    tables["explain"][f"{step}.index"] = None  # the pointer grammars call no indexed symbol
    for place in [f"{step}.{end}" for end in ("source", "target", "steps[].from", "steps[].to")]:
        tables["explain"].update({f"{place}.{path}": None for path in vertex})
        tables["explain"].pop(place)
    for place in ("object", "read", "stored", "barrier"):
        tables["explain"].update({f"[].nearest.{place}.{path}": None for path in vertex})
        tables["explain"].pop(f"[].nearest.{place}")
    table = tables["callgraph"]
    for path in [path for path in table if path.startswith("edges[].caller.")]:
        table[path.replace("caller", "callee")] = table[path]
    table.pop("edges[].callee")
    table.update({path: None for path in tables["analyze"] if path.startswith("unresolved[].")})
    table.update({f"unresolved[].object.{path}": None for path in vertex})
    what = "unresolved[].object"
    tables["analyze"].update({f"{what}.{path}": False for path in vertex if path != "context"})
    del tables["analyze"][what], tables["analyze"]["extraction"], tables["check"]["extraction"]


def compare(title, table, lines, cflr):
    faults, seen = [], set()
    for line in lines:
        run = subprocess.run(f'"{cflr}" {line}', shell=True, capture_output=True, text=True,
                             check=False)
        try:
            printed = set(paths(json.loads(run.stdout)))
        except json.JSONDecodeError as error:
            faults.append(f"{line}: exit code {run.returncode}, no JSON ({error})\n{run.stderr}")
            continue
        seen |= printed
        faults += [f"{line}: '{key}' is printed and not in section '{title}'"
                   for key in sorted(printed - set(table))]
        faults += [f"{line}: '{key}' of section '{title}' is not printed"
                   for key, always in table.items() if always and key not in printed]
    faults += [f"no line prints '{key}' of section '{title}'" for key,
               always in table.items() if key not in seen and always is not None]
    return faults


def main():
    cflr, sources_graph, page, frontend = sys.argv[1:5]
    with open(page, encoding="utf-8") as file:
        tables = sections(file)
    complete(tables)
    runs = dict(RUNS)
    if frontend == "1":
        runs.update(FRONTEND_RUNS)
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    faults = [f"section '{title}' has no line to run" for title in tables
              if title not in RUNS and title not in FRONTEND_RUNS]
    with tempfile.TemporaryDirectory() as work:
        os.chdir(shutil.copytree(data, os.path.join(work, "in")))
        os.environ["PATH"] = os.path.join(work, "in", "bin") + ":" + os.environ["PATH"]
        subprocess.run([sources_graph, "sources.cflg"], check=True)
        subprocess.run([cflr, "solve", "-q", "-g", "pointer.cfg", "sources.cflg", "-o", "r.cflr"],
                       check=True, stdout=subprocess.DEVNULL)
        cut_result = os.path.join(os.path.dirname(sources_graph), "cut_result")
        subprocess.run([cut_result, "r.cflr", "2", "cut"], check=True)
        if frontend == "1":
            for name in ("open", "narrow", "calls", "explained", "imprecise/two",
                         "imprecise/callbacks", "imprecise/kept"):
                result = os.path.basename(name) + ".cflr"
                subprocess.run([cflr, "analyze", "-q", "--aliasing", "any", f"{name}.c", "-o",
                                result],
                               check=True, stdout=subprocess.DEVNULL)
            subprocess.run([cflr, "analyze", "-q", "--aliasing", "strict", "places.c", "-o",
                            "places.cflr"],
                           check=True, stdout=subprocess.DEVNULL)
        os.environ["CFLR_ARGS"] = "--verbose --threads 2"
        for title, lines in runs.items():
            faults += compare(title, tables.get(title, {}), lines, cflr)
        os.chdir("/")
    print("\n".join(faults) or f"{sum(map(len, tables.values()))} keys")
    sys.exit(bool(faults))


main()
