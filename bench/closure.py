#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times closures: ours, and a GraCFL binary that you built, on the same graphs in the same run.

    bench/closure.py --cflr build/release/cli/cflr --data DIR [--gracfl PATH] [--runs 3]
                     [--cases aa-psql,vf-gzip] [--models edge-indexed,parallel] [--limit 300]
                     [--json out.json]

DIR holds the public graphs by family (aa/psql.peg.xz, vf/gzip.vfg.xz, cspa/psql.g.xz,
tc/fe_sphere.facts.xz). Every input of a peer is made from them with `cflr convert` and `cflr grammar
show --to gracfl`. Runs of all programs are interleaved; a mode of the peer that takes twice as long
as its best is run once. The table gives medians of the solvers' own time (no reading, no writing),
peak memory of the process, and the number of pairs, which must agree.
Exit code 1 when counts differ, when a run of ours does not finish, or when it takes longer than a
peer's best with as many threads or fewer.
"""
import argparse
import datetime
import json
import lzma
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# family: file in DIR/family; its grammar is grammars/<family>.cfg, the same for all programs
FAMILIES = {"aa": "{}.peg.xz", "vf": "{}.vfg.xz", "cspa": "{}.g.xz", "pt": "{}.peg.xz",
            "tc": "{}.facts.xz"}
CASES = ("aa-gzip aa-crafty aa-psql aa-janet aa-i3 vf-bzip2 vf-gzip pt-psql pt-i3 cspa-psql "
         "tc-fe_sphere tc-SF.cedge").split()
PEER_MODES = {"serial fw": ("serial", "fw", 1), "serial bi": ("serial", "bi", 1),
              "serial bw": ("serial", "bw", 1), "parallel fw": ("parallel", "fw", 2),
              "parallel bi": ("parallel", "bi", 2), "parallel bw": ("parallel", "bw", 2)}


def prepare(options, case, directory):
    """Writes the case's graph as <case>.tsv and gives (graph, grammar)."""
    family, name = case.split("-", 1)
    folder = "aa" if family == "pt" else family
    source = os.path.join(options.data, folder, FAMILIES[family].format(name))
    plain = os.path.join(directory, case + ".peg")
    with lzma.open(source, "rt") as packed, open(plain, "w", encoding="ascii") as out:
        touched = set()
        for line in packed:
            words = line.split()
            label = words[2] if len(words) > 2 else "e"
            if family == "pt" and label.startswith("f"):
                continue
            if family == "cspa" and label not in ("a", "d"):
                continue
            if family == "cspa" and label == "a":
                touched.update(words[:2])
            out.write("\t".join(words) + "\n" if len(words) > 2 else
                      f"{words[0]}\t{words[1]}\te\n")
        for vertex in sorted(touched, key=int):
            out.write(f"{vertex}\t{vertex}\tr\n")
    graph = os.path.join(directory, case + ".tsv")
    subprocess.run([options.cflr, "convert", plain, graph], check=True)
    os.unlink(plain)
    return graph, os.path.join(HERE, "grammars", family + ".cfg")


def prepare_gracfl(options, graph, grammar):
    """GraCFL's inputs: expanded labels, converse edges spelled out. It reads edges whose label no
    rule names, but does not count them: how many those are."""
    stem = graph[:-len(".tsv")]
    subprocess.run([options.cflr, "convert", graph, stem + ".gracfl", "--to", "gracfl"], check=True)
    text = subprocess.run([options.cflr, "grammar", "show", grammar, "--to", "gracfl", "--graph",
                           graph], check=True, stdout=subprocess.PIPE, text=True).stdout
    with open(stem + ".grammar", "w", encoding="ascii") as out:
        out.write(text)
    named, unnamed = set(text.split()), 0
    with open(stem + ".gracfl", encoding="ascii") as edges:
        for line in edges:
            label = line.split()[2]
            is_converse = label.partition("_")[0].endswith("bar")
            unnamed += not is_converse and label not in named
    return stem + ".gracfl", stem + ".grammar", unnamed


def run(command, limit, cwd=None):
    """Runs to the end or the limit: (output, wall seconds, peak MB), or None when it did not end
    well."""
    begin = time.time()
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, cwd=cwd)
        timer = threading.Timer(limit, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.time() - begin
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if child.returncode != 0:
            return None
        return output.read(), wall, usage.ru_maxrss // 1024


def run_ours(options, graph, grammar, model, threads):
    done = run([options.cflr, "solve", "-q", "-g", grammar, graph, "--model", model, "-j",
                str(threads), "--format", "json"], options.limit)
    if not done:
        return None
    answer = json.loads(done[0])
    return {"seconds": answer["seconds"]["solve"], "wall": done[1], "peak_mb": done[2],
            "pairs": answer["pairs"]}


def run_gracfl(options, inputs, mode, directory):
    execution, direction, threads = PEER_MODES[mode]
    with open(os.path.join(directory, "ConfigGraCFL"), "w", encoding="ascii") as out:
        out.write(f"graphFilepath = {inputs[0]}\ngrammarFilepath = {inputs[1]}\n"
                  f"executionMode = {execution}\ntraversalDirection = {direction}\n"
                  f"processingStrategy = gram-driven\nnumThreads = {threads}\n")
    done = run([options.gracfl], options.limit, cwd=directory)
    if not done:
        return None
    seconds = re.search(r"Total Time[^0-9]*([0-9.eE+-]+)", done[0])
    counts = [int(n) for n in re.findall(r"(?i)(?:initial|new)\D*edges?\D*(\d+)", done[0])]
    if not seconds:
        return None
    return {"seconds": float(seconds.group(1)), "wall": done[1], "peak_mb": done[2],
            "pairs": sum(counts[-2:]) + inputs[2] if len(counts) >= 2 else None}


def measure_case(options, case, directory):
    """{program: [samples]}; a program that fails once is not asked again."""
    graph, grammar = prepare(options, case, directory)
    programs = {}
    for model in options.models.split(","):
        for threads in ((1, 2) if model == "parallel" else (1,)):
            programs[f"cflr {model} -j{threads}"] = (
                lambda m=model, t=threads: run_ours(options, graph, grammar, m, t))
    if options.gracfl:
        inputs = prepare_gracfl(options, graph, grammar)
        for mode in PEER_MODES:
            programs[f"gracfl {mode}"] = (
                lambda m=mode: run_gracfl(options, inputs, m, directory))
    samples = {name: [] for name in programs}
    for _ in range(options.runs):
        for name, start in programs.items():
            if None not in samples[name] and not hopeless(name, samples):
                samples[name].append(start())
    return samples


def hopeless(name, samples):
    """Was this mode of the peer in the first round twice as slow as its best? Then once is enough."""
    if not name.startswith("gracfl") or not samples[name]:
        return False
    firsts = [runs[0]["seconds"] for other, runs in samples.items()
              if other.startswith("gracfl") and runs and runs[0]]
    return samples[name][0]["seconds"] > 2 * min(firsts)


def summarise(case, samples):
    """Rows for the table, and what is wrong."""
    rows, wrong, counts = [], [], set()
    for name, runs in samples.items():
        if None in runs:
            if name.startswith("cflr"):
                wrong.append(f"{case}: {name} did not finish")
            rows.append((case, name, None, None, None, None, len(runs)))
            continue
        median = {key: statistics.median(r[key] for r in runs) for key in ("seconds", "wall",
                                                                           "peak_mb")}
        counts.update(r["pairs"] for r in runs)
        rows.append((case, name, median["seconds"], median["wall"], median["peak_mb"],
                     runs[0]["pairs"], len(runs)))
    if len(counts) > 1:
        wrong.append(f"{case}: counts differ: {sorted(counts)}")
    best = {}
    for _, name, seconds, *_ in rows:
        if seconds is not None and name.startswith("gracfl"):
            threads = 2 if "parallel" in name else 1
            best[threads] = min(best.get(threads, seconds), seconds)
    for _, name, seconds, *_ in rows:
        if not name.startswith("cflr") or seconds is None:
            continue
        threads = int(name.rsplit("-j", 1)[1])
        for peer_threads, peer in best.items():
            if peer_threads <= threads and seconds > peer:
                wrong.append(f"{case}: {name} {seconds:.3f} s, gracfl with {peer_threads} "
                             f"thread(s) {peer:.3f} s")
    return rows, wrong


def print_rows(rows):
    for case, name, seconds, wall, peak, pairs, runs in rows:
        if seconds is None:
            print(f"{case:14} {name:24} {'did not finish':>14}")
        else:
            print(f"{case:14} {name:24} {seconds:10.3f} {wall:10.3f} {peak:8.0f} {pairs:14d} {runs:4}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--data", required=True)
    parser.add_argument("--gracfl", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--models", default="edge-indexed,parallel")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--json")
    options = parser.parse_args()
    version = subprocess.run([options.cflr, "--version"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout.strip()
    print(f"# {version}, {platform.machine()}, {os.cpu_count()} processors, "
          f"{datetime.date.today()}, median of {options.runs}")
    print(f"{'case':14} {'program':24} {'solve s':>10} {'wall s':>10} {'peak MB':>8} {'pairs':>14} runs")
    everything, wrong = {}, []
    for case in options.cases.split(","):
        with tempfile.TemporaryDirectory() as directory:
            samples = measure_case(options, case, directory)
        rows, problems = summarise(case, samples)
        print_rows(rows)
        wrong += problems
        everything[case] = samples
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump({"version": version, "date": str(datetime.date.today()),
                       "host": platform.platform(), "runs": options.runs, "cases": everything},
                      out, indent=1)
    for problem in wrong:
        print("LOST OR WRONG:", problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
