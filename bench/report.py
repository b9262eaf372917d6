# SPDX-License-Identifier: Apache-2.0
"""What samples say: rows of medians, what is wrong, tables in Markdown."""
import datetime
import json
import math
import os
import platform
import statistics
import subprocess
import textwrap

import cases
from programs import LIMIT

LEAST = 1e-6  # seconds: ratios of shorter times say nothing


def write(options, result, text):
    """To --json and --table, those that were asked for."""
    for path, content in ((options.json, json.dumps(result, indent=1) + "\n"),
                          (options.table, text)):
        if path:
            with open(path, "w", encoding="utf-8") as out:
                out.write(content)


class Lines:
    """What is printed and, with a path, written, as soon as it is known."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8") if path else None  # as long as the program

    def append(self, text):
        """Prose in 100 columns; rows of tables and headings stay."""
        text = "\n".join(line if line[:1] in ("|", "#") else textwrap.fill(line, 100)
                         for line in text.split("\n"))
        print(text, flush=True)
        if self.file:
            print(text, file=self.file, flush=True)


def commit():
    """Of the checkout that the script is in; None where it is in none."""
    described = subprocess.run(["git", "-C", cases.HERE, "describe", "--always", "--dirty"],
                               check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True).stdout.strip()
    return described or None


def processor():
    """Its model, as the system calls it."""
    cpu = platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = [line.partition(":")[2].strip() for line in lines
                      if line.startswith("model name")]
        cpu = models[0] if models else cpu
    return cpu


def host(options):
    """Where and from what the numbers come."""
    version = json.loads(subprocess.run([options.cflr, "--version=json"], check=True,
                                        stdout=subprocess.PIPE).stdout)
    return {"version": version["cflr"], "commit": commit(),
            "compiler": version["compiler"], "date": str(datetime.date.today()), "cpu": processor(),
            "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
            "system": platform.platform()}


def summarise(program, samples):
    """One row: medians of a program's samples of one case."""
    row = {"program": program.name, "side": program.side, "threads": program.threads,
           "runs": len(samples), "samples": samples, "failure": samples[-1].get("failure")}
    if not row["failure"]:
        for key in ("seconds", "wall", "peak_mb"):
            row[key] = statistics.median(sample[key] for sample in samples)
        row["least_seconds"] = min(sample["seconds"] for sample in samples)
        for key in ("pairs", "pairs_start", "peak_bytes"):
            row[key] = samples[0].get(key)
    return row


# ---- what is wrong ----

def differences(what, values):
    """Says so when not all of {program: value} that are known are the same."""
    known = {name: value for name, value in values.items() if value is not None}
    if len(set(known.values())) <= 1:
        return []
    return [f"{what} differ: " + ", ".join(f"{name} {value}" for name, value in known.items())]


def unexpected(case, row):
    """Counts of ours that are not the published ones."""
    counted = row["samples"][0]["labels"]
    wrong = []
    for label, pairs in case.expected.items():
        if row["pairs"] is None and label != case.start:
            continue  # the start symbol alone was asked for
        if counted.get(label, 0) != pairs:
            wrong.append(f"{case.name}: {row['program']}: {label} has {counted.get(label, 0)} "
                         f"pairs, not {pairs}")
    return wrong


def wrong(case, rows):
    """Failures of ours, and counts or checksums that differ."""
    done = [row for row in rows if not row["failure"]]
    found = [f"{case.name}: {row['program']}: {row['failure']}" for row in rows
             if row["side"] == "cflr" and row["failure"] not in (None, LIMIT)]
    for key in ("pairs", "pairs_start", "checksum"):
        found += differences(f"{case.name}: {key}", {row["program"]: row.get(key) for row in done})
    ours = [row for row in done if row["side"] == "cflr"]
    found += differences(f"{case.name}: pairs of symbols", {
        row["program"]: str(row["samples"][0]["labels"]) for row in ours
        if row["pairs"] is not None})
    for row in ours:
        found += unexpected(case, row)
        found += differences(f"{case.name}: {row['program']}: runs",
                             {i: str(s["labels"]) for i, s in enumerate(row["samples"])})
    return found


# ---- comparison ----

def against(row, rows, side, limit):
    """(seconds of the row, best seconds of the peer with as many threads or fewer), a time at the
    limit counted as the limit; None where there is nothing to compare."""
    def seconds(other):
        return limit if other["failure"] == LIMIT else other.get("seconds")
    theirs = [seconds(other) for other in rows
              if other["side"] == side and other["threads"] <= row["threads"]]
    theirs = [value for value in theirs if value is not None]
    if not theirs or seconds(row) is None or min(theirs) == seconds(row) == limit:
        return None
    return max(seconds(row), LEAST), max(min(theirs), LEAST)


def sides(results):
    """Peers in the order in which they came."""
    return list(dict.fromkeys(row["side"] for rows in results.values() for row in rows
                              if row["side"] != "cflr"))


def lost(name, rows, limit):
    """Where a peer was faster."""
    found = []
    for row in rows:
        for side in sides({name: rows}) if row["side"] == "cflr" else ():
            pair = against(row, rows, side, limit)
            if pair and pair[0] > pair[1]:
                ours = f"{pair[0]:.3f} s" if not row["failure"] else f"> {limit:g} s"
                found.append(f"{name}: {row['program']} {ours}, {side} {pair[1]:.3f} s")
    return found


def exit_code(wrong, missed, word):
    """Prints what was wrong, and what was missed, which is called `word`: the exit code of both."""
    for problem in wrong:
        print("WRONG:", problem)
    for problem in missed:
        print(f"{word}:", problem)
    return 1 if wrong else 3 if missed else 0


def geometric_mean(pairs, limit):
    """'0.123 (5)' from (ours, theirs): mean of the ratios and how many; marks where a limit
    counted."""
    if not pairs:
        return ""
    mean = math.exp(sum(math.log(mine / theirs) for mine, theirs in pairs) / len(pairs))
    marks = "".join(mark for mark, at in (("*", 1), ("†", 0)) if any(p[at] >= limit for p in pairs))
    return f"{mean:.3g}{marks} ({len(pairs)})"


# ---- tables ----

def table(head, lines):
    text = "| " + " | ".join(head) + " |\n|" + " --- |" * len(head) + "\n"
    return text + "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def programs_of(results):
    return list(dict.fromkeys(row["program"] for rows in results.values() for row in rows))


def by_program(results, cell):
    """Lines of a table with a case a line and a program a column."""
    for name, rows in results.items():
        found = {row["program"]: row for row in rows}
        yield [name] + [cell(found[program]) if program in found else ""
                        for program in programs_of(results)]


def time_table(results, limit):
    def cell(row):
        if row["failure"]:
            return f"> {limit:g}" if row["failure"] == LIMIT else "failed"
        return f"{row['seconds']:.3f}"
    return "## Seconds, medians\n\n" + table(["case", *programs_of(results)],
                                             by_program(results, cell))


def memory_table(results):
    return "## Peak memory, MB\n\n" + table(
        ["case", *programs_of(results)],
        by_program(results, lambda row: "–" if row["failure"] else f"{row['peak_mb']:.0f}"))


def result_table(results):
    lines = []
    for name, rows in results.items():
        known = [row for row in rows if not row["failure"]]
        pairs = {key: next((row[key] for row in known if row.get(key) is not None), None)
                 for key in ("pairs", "pairs_start", "checksum")}
        lines.append([name] + ["" if pairs[key] is None else f"{pairs[key]:,}"
                               for key in ("pairs", "pairs_start")]
                     + [(pairs["checksum"] or "")[:18]])
    return "## Results\n\n" + table(["case", "pairs", "of the start symbol", "checksum"], lines)


def ratio_table(results, limit):
    """Seconds of ours by the best of each peer: geometric means by family and over all."""
    families = list(dict.fromkeys(cases.family(name) for name in results))
    ours = [name for name in programs_of(results) if name.startswith("cflr ")]
    lines = []
    for program in ours:
        for side in sides(results):
            groups = {group: [] for group in families}
            for name, rows in results.items():
                row = next((row for row in rows if row["program"] == program), None)
                pair = against(row, rows, side, limit) if row else None
                if pair:
                    groups[cases.family(name)].append(pair)
            everything = [pair for pairs in groups.values() for pair in pairs]
            lines.append([program, side] + [geometric_mean(pairs, limit)
                                            for pairs in [*groups.values(), everything]])
    return (f"## Seconds of ours / best of the peer with as many threads or fewer\n\nGeometric "
            f"means (cases). *: the peer reached the limit of {limit:g} s in some case, which "
            "counts as its time; †: ours did.\n\n"
            + table(["program", "peer", *families, "all"], lines))


def threads_table(results):
    """Seconds with the fewest threads / seconds."""
    lines = []
    for name, rows in results.items():
        first = {}
        for row in rows:
            if row["side"] != "cflr" or row["failure"]:
                continue
            what = row["program"].rpartition(" -j")[0]
            base = first.setdefault(what, row)
            if row is not base:
                lines.append([name, what, f"{base['threads']} to {row['threads']}",
                              f"{max(base['seconds'], LEAST) / max(row['seconds'], LEAST):.2f}"])
    return "## Speed-up by threads\n\n" + table(["case", "program", "threads", "times"], lines) \
        if lines else ""


def ablation_table(results):
    lines = []
    for name, rows in results.items():
        base = rows[0]
        lines.append([name] + [row["failure"] or base["failure"] or
                               f"{max(row['seconds'], LEAST) / max(base['seconds'], LEAST):.2f}"
                               for row in rows[1:]])
    head = [program.rpartition(" -j")[0].partition(" without ")[2]
            for program in programs_of(results)[1:]]
    return "## Seconds without a technique / seconds with all\n\n" + table(["case", *head], lines)


def growth_table(results, prepared):
    lines = []
    for name, rows in results.items():
        for row in rows:
            if row["side"] != "cflr" or row["failure"]:
                continue
            pairs = row["pairs"] if row["pairs"] is not None else row["pairs_start"]
            lines.append([name, row["program"], f"{prepared[name]['vertices']:,}",
                          f"{prepared[name]['edges']:,}", f"{pairs:,}", f"{row['seconds']:.3f}",
                          f"{row['seconds'] * 1e9 / max(pairs, 1):.1f}",
                          f"{row['peak_bytes'] / max(pairs, 1):.2f}", f"{row['peak_mb']:.0f}"])
    return "## Growth\n\n" + table(["case", "program", "vertices", "edges", "pairs", "seconds",
                                    "ns a pair", "bytes a pair", "peak MB"], lines)


def derived(report):
    """The tables that say more than the rows of programs do."""
    results, options = report["results"], report["options"]
    parts = []
    if sides(results):
        parts.append(ratio_table(results, options["limit"]))
    if options["ablation"]:
        parts.append(ablation_table(results))
    if options["growth"]:
        parts.append(growth_table(results, report["cases"]))
    parts.append(threads_table(results))
    return "\n".join(part for part in parts if part)


def markdown(report):
    results, options, where = report["results"], report["options"], report["host"]
    head = (f"cflr {where['version']} at commit {where['commit']}, compiler {where['compiler']}; "
            f"{where['cpu']}, {where['cores']} cores, {where['memory_gib']} GiB, "
            f"{where['system']}; {where['date']}; medians of {options['runs']}, limit "
            f"{options['limit']:g} s.\n")
    return "\n".join([head, time_table(results, options["limit"]), memory_table(results),
                      result_table(results), derived(report)])
