#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What rules find in the Juliet test suite, and what they report that is none.

    bench/juliet.py --cflr build/release/cli/cflr --suite DIR [--cwe 476,78] [--every N] [--jobs N]
        [--table out.md] [--json out.json] [-v]

DIR is the C part of NIST's Juliet 1.3: the directory with `testcases` and `testcasesupport`. A case
is the group of files that share a name up to the number of the flow variant and a letter:
`..._char_01.c`, `..._char_51a.c` with `..._char_51b.c`. It is read with the suite's io.c and
nothing else.

Likely findings count, which are those that `cflr check` shows (docs/reference/rules.md, *Ranks*).
The names of functions say what is right. In each case something must be found that has nothing to
do with a function called good; each finding whose source, path or sink is in such a function is a
false report.

Left out, because they are no C for this system: files in C++ (variants 33, 43, 62, 72 to 84), and
those that are for Windows alone (`w32` in their names, or `wchar_t` in the cases of commands and
formats, whose functions take wide characters there only). `--every N` takes each N-th case of each
kind, in the order of their names.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

import report

RULE_OF_CWE = {476: "null", 690: "null", 78: "command", 134: "format"}
NAME = re.compile(r"(CWE(\d+)_.*)_(\d\d)[a-e]?\.c")
VARIANTS = [("01", range(1, 2), "baseline"), ("02-18", range(2, 19), "conditions, loops, goto"),
            ("21-22", range(21, 23), "conditions in other functions"),
            ("31-34", range(31, 35), "copies, blocks, unions"),
            ("41-45", range(41, 46), "arguments, statics, pointers"),
            ("51-54", range(51, 55), "through two to five files"),
            ("61-68", range(61, 69), "results, containers, globals")]


def is_for_others(stem, cwe):
    return "w32" in stem or ("wchar_t" in stem and cwe in (78, 134))


def cases_of(suite, cwes, every):
    """(cwe, variant, name, files) of each case, sorted by name."""
    groups = collections.defaultdict(list)
    for path in sorted(pathlib.Path(suite, "testcases").rglob("*.c")):
        match = NAME.fullmatch(path.name)
        if match and int(match[2]) in cwes and not is_for_others(match[1], int(match[2])):
            groups[int(match[2]), int(match[3]), f"{match[1]}_{match[3]}"].append(str(path))
    names = sorted(groups, key=lambda key: (key[0], key[2]))
    kinds = collections.Counter()
    for cwe, variant, name in names:
        kinds[cwe] += 1
        if (kinds[cwe] - 1) % every == 0:
            yield cwe, variant, name, groups[cwe, variant, name]


def functions_of(finding):
    """Of source and sink, and of all between."""
    ends = [finding["source"], finding["sink"]]
    for step in finding["path"]:
        ends += [step["from"], step["to"]]
    return {end.get("function", "") for end in ends}


def judge(findings):
    """(right, wrong): findings in bad code, and those that good code has to do with."""
    wrong = sum(any("good" in name.lower() for name in functions_of(finding))
                for finding in findings)
    return len(findings) - wrong, wrong


def run_case(options, case):
    cwe, variant, name, files = case
    support = pathlib.Path(options.suite, "testcasesupport")
    command = [options.cflr, "check", "-q", "-j", "1", "--rules", RULE_OF_CWE[cwe], "--format",
               "json", *files, str(support / "io.c"), "--", f"-I{support}", "-w"]
    done = subprocess.run(command, capture_output=True, timeout=options.limit, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"exit code {done.returncode}: "
                         f"{' '.join(command)}\n{done.stderr.decode()}")
    right, wrong = judge([finding for finding in json.loads(done.stdout)["findings"]
                          if finding["likely"]])
    return {"cwe": cwe, "variant": variant, "name": name, "right": right, "wrong": wrong}


def row_of(results):
    return {"cases": len(results), "found": sum(r["right"] > 0 for r in results),
            "missed": sum(r["right"] == 0 for r in results),
            "with_false": sum(r["wrong"] > 0 for r in results),
            "false": sum(r["wrong"] for r in results)}


def rows(results):
    """(CWE, rule, variants, what they are, counts)"""
    for cwe in sorted({r["cwe"] for r in results}):
        mine = [r for r in results if r["cwe"] == cwe]
        yield cwe, "all", "", row_of(mine)
        for word, numbers, text in VARIANTS:
            some = [r for r in mine if r["variant"] in numbers]
            if some:
                yield cwe, word, text, row_of(some)


def table(results):
    lines = ["| CWE | variants | | cases | found | missed "
             "| cases with false reports | false reports |",
             "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for cwe, word, text, row in rows(results):
        counts = " | ".join(str(row[key])
                            for key in ("cases", "found", "missed", "with_false", "false"))
        lines.append(f"| {cwe} | {word} | {text} | {counts} |")
    return "\n".join(lines) + "\n"


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--cwe", default="476,690,78,134")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=120, help="seconds that one case may take")
    parser.add_argument("--table")
    parser.add_argument("--json")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="name the cases that went wrong")
    options = parser.parse_args()
    options.cwes = {int(word) for word in options.cwe.split(",")}
    if not options.cwes <= set(RULE_OF_CWE):
        parser.error(f"--cwe {options.cwe}: there are {', '.join(map(str, sorted(RULE_OF_CWE)))}")
    return options


def main():
    options = parse_options()
    cases = list(cases_of(options.suite, options.cwes, options.every))
    if not cases:
        raise SystemExit(f"{options.suite}: no cases")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: run_case(options, case), cases))
    text = table(results)
    sys.stdout.write(text)
    if options.verbose:
        for result in results:
            if result["right"] == 0 or result["wrong"]:
                print("missed" if result["right"] == 0 else "", f"false: {result['wrong']}",
                      result["name"])
    report.write(options, results, text)


main()
