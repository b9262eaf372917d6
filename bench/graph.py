#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The graph engine on one machine: is it right, how fast is it, and how fast are its peers?

    graph.py --traverse build/release/bench/traverse --part matrix,speed --device gpu --table out.md
    graph.py --traverse build/release/bench/traverse --part peer --gapbs DIR --threads 2

matrix    every primitive with every schedule on graphs of every kind, each run held against the
          serial verifier
sanitize  the same on small graphs, while NVIDIA's compute-sanitizer looks for wrong addresses and
          for races
speed     the graphs of the bounds in BOUNDS, every schedule; the best one beside its bound and its
          floor, `auto` beside the best
papers    what the papers say of their schedules, as ratios on one graph, and how many lanes of a
          warp are at work
peer      GAPBS on the same graphs with the same sources and threads: the two take turns, and ratios
          are of medians

The floor of a run is what it must at least read and write (the edges that it looked at, rows and
columns once) over what the memory gives, which bandwidth.cu measures on a GPU.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import report

PRIMITIVES = ("bfs sssp sswp ssnsp cc pagerank pagerank-delta ppr bc hits salsa tc mst mis colour "
              "kcore reach gcs nndr wtf").split()
SCHEDULES = "thread twc input output warp virtual strided tiles steal edges aligned".split()
ALL_EDGES = {"edges"}  # all of them in every step: not timed where there are thousands of steps
MATRIX = [  # graph, options
    ("rmat:16", ["--undirected", "--drop-loops"]), ("rmat:18", ["--undirected", "--drop-loops"]),
    ("rmat:14", ["--undirected", "--keep-parallel"]),
    ("SHAPES", ["--undirected", "--keep-parallel"]),
    ("uniform:16", ["--undirected"]), ("uniform:15:1", ["--undirected"]),
    ("grid:512:512", ["--undirected"]), ("chain:20000", ["--undirected"]),
    ("star:300000", ["--undirected"]), ("clique:700", ["--undirected"]),
    ("world:50000:4:100", ["--undirected"]), ("chain:1", ["--undirected"]),
    ("EMPTY", ["--undirected"]), ("rmat:15", []), ("uniform:15:4", [])]
BOUNDED = [("rmat:22", ["--undirected", "--drop-loops"]), ("grid:4096:4096", ["--undirected"])]
LARGE = BOUNDED + [("rmat:20", ["--undirected", "--drop-loops"])]
SMALL = [("SHAPES", ["--undirected", "--keep-parallel"]), ("chain:1", ["--undirected"])]
SHAPES_ARE = (" `SHAPES` has one of each: a star, a grid, a clique and a chain, linked, another "
              "part, vertices without edges, loops and parallel edges.\n")
SOURCED = {"bfs", "sssp", "sswp", "ssnsp", "ppr", "bc", "reach", "gcs", "nndr", "wtf"}
ONE_SCHEDULE = {"tc", "hits", "salsa", "pagerank", "pagerank-delta", "ppr", "gcs",
                "nndr"}  # they have no lists
WAYS = {"bfs": ["push", "idempotent", "push:idempotent"], "pagerank": ["push"],
        "pagerank-delta": ["push"], "ppr": ["push"]}  # when they are asked to
SYMMETRIC = {"tc", "mst", "mis", "colour", "kcore", "gcs"}
WEIGHTED = {"sssp", "sswp", "mst", "gcs", "nndr"}
COLUMN_BYTES = {"bfs": 4, "sssp": 4, "sswp": 4, "ssnsp": 8, "cc": 4, "bc": 24, "tc": 0, "mst": 4}

# milliseconds on one H100: a run, or an iteration of PageRank
BOUNDS = {
    "rmat:22": {"bfs": 1.0, "sssp": 6.0, "cc": 2.0, "mst": 16.0, "pagerank": 0.9, "sswp": 5.0,
                "bc": 10.0, "tc": 300.0},
    "grid:4096:4096": {"bfs": 60.0, "sssp": 120.0, "cc": 1.1}}
STEPS = ":tolerance=0:steps=20"  # of PageRank, so that all runs do the same


def shapes():
    """Edges of a small graph that has one of each: a star, a grid, a clique and a chain, each
    linked to the next one, a part of their own, vertices without edges, loops and parallel
    edges."""
    star, side, clique, chain = 1500, 6, 40, 12
    at = star + 1
    edges = [(0, leaf) for leaf in range(1, at)] + [(0, at)]
    for y in range(side):
        for x in range(side):
            edges += [(at + y * side + x, at + y * side + x + 1)] if x + 1 < side else []
            edges += [(at + y * side + x, at + y * side + x + side)] if y + 1 < side else []
    at += side * side
    edges += [(at - 1, at)] + [(at + i, at + j) for i in range(clique) for j in range(i)]
    at += clique
    edges += [(at + i - 1, at + i) for i in range(chain)]
    at += chain + 5  # five without edges
    edges += [(at, at + 1), (at + 1, at + 2), (at + 2, at)]
    return edges + edges[::7] + [(vertex, vertex) for vertex in range(0, at, 11)]


def graph_file(folder, graph):
    """What the program is given for a graph of the lists above: a rule to draw it by, or a file."""
    if graph == "EMPTY":
        name, text = "empty.el32", ""
    elif graph == "SHAPES":
        name, text = "shapes.txt", "".join(f"{u} {v}\n" for u, v in shapes())
    else:
        return graph
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write(text)
    return out.name


def run_lines(command, log):
    """Its lines of JSON, exit code and errors. Each line goes to the log as it comes, so that what
    a run that is cut off has measured is there."""
    lines = []
    with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        for line in process.stdout:
            lines.append(json.loads(line))
            if log:
                with open(log, "a", encoding="utf-8") as out:
                    out.write(line)
        code = process.wait()
        errors.seek(0)
        return lines, code, errors.read()


def traverse(options, graph, flags, cases, trials, verify, order=None, source=None, jobs=1,
             under=()):
    """The first line, and a dict by case. One of so many `jobs` that share the threads; `under`: a
    tool and its options."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*under, options.traverse, "--threads", str(max(1, options.threads // jobs)),
                   "--trials", str(trials), "--verify", str(verify), "--weights", "255", *flags]
        if order:
            command += ["--order", order]
        if source is not None:
            command += ["--source", str(source)]
        lines, code, told = run_lines(command + [graph_file(folder, graph)] + cases,
                                      getattr(options, "log", None))
    if code or not lines:
        raise SystemExit(f"graph.py: {graph}: {told.strip() or code}")
    lines[0]["graph"] = graph
    return lines[0], {line["case"]: line for line in lines[1:]}


def schedules(primitive):
    return ["auto"] if primitive in ONE_SCHEDULE else SCHEDULES


# ---- matrix ----

def matrix_cases(options, graph, flags):
    primitives = [p for p in PRIMITIVES if ("--undirected" in flags or p not in SYMMETRIC)
                  and (graph != "EMPTY" or p not in SOURCED)]
    ways = [(p, way) for p in primitives for way in WAYS.get(p, [])]
    if options.device == "cpu":
        return [f"{p}:cpu" for p in primitives] + [f"{p}:cpu:{way}" for p, way in ways]
    cases = [f"{p}:gpu:{s}" for p in primitives for s in schedules(p)]
    return cases + [f"{p}:gpu:{s}:{way}" for p, way in ways for s in SCHEDULES]


def by_primitive(cases, jobs):
    """So many parts of the cases at most, the same primitive in the same one."""
    primitives = list(dict.fromkeys(c.split(":")[0] for c in cases))
    parts = [[c for c in cases if primitives.index(c.split(":")[0]) % jobs == job]
             for job in range(jobs)]
    return [part for part in parts if part]


def tasks(options, graphs):
    """(graph, flags, cases): what processes run side by side."""
    return [(graph, flags, part) for graph, flags in graphs
            for part in by_primitive(matrix_cases(options, graph, flags), options.jobs)]


def is_bad(line):
    return bool(line.get("error") or line["wrong"])


def checked(options, task, trials, under=()):
    """As traverse(), against the serial verifier; tells how long it took, and of what went
    wrong."""
    graph, flags, part = task
    begin = time.monotonic()
    head, found = traverse(options, graph, flags, part, trials, 1, jobs=options.jobs, under=under)
    print(f"{time.monotonic() - begin:6.1f} s", *under[:3], graph, part[0], "...", file=sys.stderr,
          flush=True)
    for case, line in found.items():
        if is_bad(line):
            print(f"{graph} {case}: {line.get('error') or line['failure']}", file=sys.stderr,
                  flush=True)
    return head, found


def side_by_side(options, run, todo):
    """What run() gives for each, in their order."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(run, todo))


def matrix(options, out):
    graphs = [g for g in MATRIX + LARGE if g[0] in options.graphs] if options.graphs else \
        LARGE if options.large else MATRIX
    todo = tasks(options, graphs)
    done = side_by_side(options, lambda task: checked(options, task, 1 if task[:2] in LARGE else 2),
                        todo)
    rows, wrong = [], 0
    for graph, flags in graphs:
        mine = [d for task, d in zip(todo, done) if task[:2] == (graph, flags)]
        head, lines = mine[0][0], [line for _, found in mine for line in found.values()]
        bad = sum(is_bad(line) for line in lines)
        wrong += bad
        rows.append([f"`{graph}` {' '.join(f[2:] for f in flags)}", head["vertices"], head["edges"],
                     len(lines), len(lines) - bad,
                     f"{max(line.get('worst', 0) for line in lines):.2f}"])
    out.append("## Every primitive with every schedule\n\nRight: equal to the serial verifier; "
               "numbers that are not whole within their bound (worst: as a share of it)."
               + (SHAPES_ARE if any(g == "SHAPES" for g, _ in graphs) else "\n"))
    out.append(report.table(["graph", "vertices", "edges", "runs", "right", "worst"], rows))
    return wrong


# ---- sanitize ----

TOOLS = {"memcheck": r"ERROR SUMMARY: (\d+)", "racecheck": r"RACECHECK SUMMARY: (\d+)"}


def sanitized(options, tool, task):
    """How much the tool has found, and how many runs went wrong."""
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        _, found = checked(options, task, 1, ["compute-sanitizer", "--tool", tool, "--log-file",
                                              log.name])
        told = log.read()
    summary = re.findall(TOOLS[tool], told)
    hazards = int(summary[-1]) if summary else 1
    if hazards:
        print(told[:2000], file=sys.stderr)
    return hazards, sum(is_bad(line) for line in found.values())


def sanitize(options, out):
    todo = [(tool, task) for task in tasks(options, SMALL) for tool in TOOLS]
    done = side_by_side(options, lambda job: sanitized(options, *job), todo)
    rows = []
    for graph, flags in SMALL:
        mine = [(tool, d) for (tool, task), d in zip(todo, done) if task[0] == graph]
        rows.append([f"`{graph}`", len(matrix_cases(options, graph, flags))]
                    + [sum(hazards for t, (hazards, _) in mine if t == tool) for tool in TOOLS]
                    + [sum(bad for _, (_, bad) in mine)])
    out.append("## Under compute-sanitizer\n\nEvery primitive with every schedule, checked too; "
               "what each tool has found."
               + SHAPES_ARE)
    out.append(report.table(["graph", "runs", *TOOLS, "wrong"], rows))
    return sum(hazards + bad for hazards, bad in done)


# ---- speed ----

def median(line):
    return statistics.median(line["seconds"]) * 1e3


def speed_cases(options, graph, primitive):
    extra = STEPS if primitive == "pagerank" else ""
    if options.device == "cpu":
        return [f"{primitive}:cpu{extra}"]
    fixed = [] if primitive in ONE_SCHEDULE else SCHEDULES
    if graph.startswith("grid"):
        fixed = [s for s in fixed if s not in ALL_EDGES]
    return [f"{primitive}:gpu:{s}{extra}" for s in ["auto"] + fixed]


def floor(head, line, primitive, bandwidth):
    """Milliseconds; of an iteration where the bound is that of one."""
    edge = 8 if primitive in WEIGHTED else 4
    moved = line["inspected"] * edge + head["vertices"] * (8 + COLUMN_BYTES.get(primitive, 4))
    if primitive == "pagerank":
        moved = head["edges"] * 4 + head["vertices"] * 20
    return moved / bandwidth / 1e6


def speed(options, out):
    bandwidth = float(subprocess.run([options.bandwidth], check=True, stdout=subprocess.PIPE,
                                     text=True)
                      .stdout) if options.bandwidth else math.nan
    out.append(f"## Times\n\nMedians of {options.trials} runs from drawn sources, milliseconds "
               "(PageRank: of an iteration). Floor: bytes that this run must move over "
               f"{bandwidth:.0f} GB/s, measured.\n")
    for graph, flags in BOUNDED:
        missed = speed_of(options, out, graph, flags, None, bandwidth, BOUNDS[graph])
        for order in options.orders:
            if missed:
                speed_of(options, out, graph, flags, order, bandwidth, missed)


def speed_of(options, out, graph, flags, order, bandwidth, bounds):
    """Those of the bounds that are missed."""
    cases = [c for p in bounds for c in speed_cases(options, graph, p)]
    head, found = traverse(options, graph, flags, cases, options.trials, 0, order)
    rows, chosen, missed = [], [], {}
    for primitive, bound in bounds.items():
        lines = [found[c] for c in speed_cases(options, graph, primitive)
                 if "error" not in found[c]]
        if not lines:
            continue
        each = 1 / lines[0]["iterations"] if primitive == "pagerank" else 1
        ranked = sorted(lines[1:] or lines, key=median)
        best = ranked[0]
        took = median(best) * each
        chosen.append(best["case"])
        if took >= bound:
            missed[primitive] = bound
        rows.append([primitive, best["schedule"], f"{took:.3f}", bound,
                     "**no**" if primitive in missed else "yes",
                     f"{floor(head, best, primitive, bandwidth):.3f}",
                     f"{lines[0]['schedule']}", f"{median(lines[0]) / median(best):.2f}",
                     " ".join(f"{l['schedule']} {median(l) * each:.3g}" for l in ranked[1:])])
    _, checks = traverse(options, graph, flags, chosen, 1, 1, order)
    for row, case in zip(rows, chosen):
        row.append("right" if not checks[case].get("wrong", 1) else "**wrong**")
    out.append(f"### `{graph}` undirected, {head['vertices']:,} vertices, {head['edges']:,} edges, "
               f"order: {order or 'as drawn'}\n")
    out.append(report.table(["primitive", "best", "ms", "bound", "met", "floor", "auto",
                             "auto / best", "others", "verified"], rows))
    return missed


# ---- papers ----

PAPERS = [  # claim, graph, cases: the first is the one that the others are held against
    ("Tigr: edges by tens, side by side (V+, paper: 2.1 on average; V: 1.7), beside a thread a "
     "vertex", "rmat:22", [[f"{p}:gpu:{s}" for s in ("thread", "virtual", "strided")]
      for p in ("bfs", "sssp", "sswp", "cc", "bc")]),
    ("Tigr: vertices split into trees (paper: 1.2), each run by a thread a vertex", "rmat:20",
     [[f"{p}:gpu:thread", f"{p}:gpu:thread:split=100", f"{p}:gpu:thread:split=1000"]
      for p in ("sssp", "sswp", "cc")]),
    ("SAGE: tiles, tiles of all blocks, beside a thread, a warp or a block a vertex", "rmat:22",
     [["bfs:gpu:twc:push", "bfs:gpu:tiles:push", "bfs:gpu:steal:push"],
      ["bc:gpu:twc", "bc:gpu:tiles", "bc:gpu:steal"],
      ["pagerank:gpu:twc:push:steps=5:tolerance=0", "pagerank:gpu:tiles:push:steps=5:tolerance=0",
       "pagerank:gpu:steal:push:steps=5:tolerance=0"]]),
    ("Gunrock: equal shares of vertices, of edges, beside a thread a vertex", "rmat:22",
     [[f"{p}:gpu:{s}" for s in ("thread", "twc", "input", "output", "warp")]
      for p in ("bfs", "sssp", "bc")]),
    ("Gunrock: the same on a mesh", "grid:2048:2048",
     [[f"{p}:gpu:{s}" for s in ("thread", "twc", "input", "output", "warp")]
      for p in ("bfs", "sssp")]),
    ("Gunrock: pulling where it costs less (paper: 1.52 on scale-free graphs), beside pushing only",
     "rmat:22", [["bfs:gpu:warp:push", "bfs:gpu:warp"]]),
    ("Gunrock: the same on a mesh (paper: 1.28)", "grid:2048:2048",
     [["bfs:gpu:thread:push", "bfs:gpu:thread"]]),
    ("Gunrock: vertices found more than once, copies culled (paper: a gain when pushing only, a "
     "loss with pulling)", "rmat:22",
     [["bfs:gpu:warp:push", "bfs:gpu:warp:push:idempotent"],
      ["bfs:gpu:output:push", "bfs:gpu:output:push:idempotent"],
      ["bfs:gpu:warp", "bfs:gpu:warp:idempotent"]]),
    ("Gunrock: the same on a mesh (paper: a loss where degrees are alike)", "grid:2048:2048",
     [["bfs:gpu:thread:push", "bfs:gpu:thread:push:idempotent"]]),
    ("WolfGraph: a thread an edge, all edges, beside a thread a vertex (paper: 6.5, of compute) "
     "and the best here", "rmat:22",
     [["bfs:gpu:thread:push", "bfs:gpu:edges:push", "bfs:gpu:warp:push"],
      ["sssp:gpu:thread", "sssp:gpu:edges", "sssp:gpu:warp"],
      ["mst:gpu:thread", "mst:gpu:edges", "mst:gpu:warp"],
      ["pagerank:gpu:thread:push:steps=5:tolerance=0",
       "pagerank:gpu:edges:push:steps=5:tolerance=0",
       "pagerank:gpu:warp:push:steps=5:tolerance=0"]])]
# in several orders, on rmat:20
SAMPLED = ["bfs:gpu:steal:push", "bc:gpu:steal", "pagerank:gpu:steps=5:tolerance=0"]
PROFILED = "thread virtual strided tiles steal warp".split()
EFFICIENCY = "smsp__thread_inst_executed_per_inst_executed.ratio"  # lanes of a warp at work, of 32


def efficiency(options, graph, flags, case):
    """Percent, of the whole run; None where there is no ncu, or it may not look."""
    command = ["ncu", "--clock-control", "none", "--metrics", EFFICIENCY, "--csv", "-k",
               "regex:gpu_kernel", options.traverse, "--trials", "1", "--verify", "0", "--weights",
               "255", *flags, graph, case]
    try:
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    found = [line for line in done.stdout.splitlines() if EFFICIENCY in line]
    return float(found[-1].rsplit('","', 1)[1].strip('"')) / 32 * 100 if found else None


def papers(options, out):
    flags = ["--undirected", "--drop-loops"]
    out.append(f"## The papers' claims\n\nMedians of {options.trials} runs from drawn sources, "
               "milliseconds; ratio: the first one's time over this one's.\n")
    for claim, graph, groups in PAPERS:
        _, found = traverse(options, graph, flags, [c for group in groups for c in group],
                            options.trials, 0)
        rows = []
        for group in groups:
            base = found[group[0]]
            rows += [[f"`{c}`", f"{median(found[c]):.3f}", f"{median(base) / median(found[c]):.2f}",
                      found[c]["iterations"], f"{found[c]['inspected']:,}"] for c in group
                     if "error" not in found[c]]
        out.append(f"### {claim}: `{graph}`\n")
        out.append(report.table(["run", "ms", "ratio", "steps", "edges looked at"], rows))
    rows = []
    for order in (None, "sampled", "degree", "search"):
        _, found = traverse(options, "rmat:20", flags, SAMPLED, options.trials, 0, order)
        rows.append([order or "as drawn"] + [f"{median(found[c]):.3f}" for c in SAMPLED])
    out.append("### SAGE: vertices reordered by sampling (paper: up to 36 %, 80 % and 109 % more "
               "edges a second): `rmat:20`\n")
    out.append(report.table(["order"] + [f"`{c}`, ms" for c in SAMPLED], rows))
    rows = [[case] + [f"{e:.1f}" if (e := efficiency(options, "rmat:18", flags, f"{case}:gpu:{s}"))
                      else "?"
                      for s in PROFILED] for case in ("sssp", "bc")]
    out.append("### Warp efficiency, % (Tigr, paper: 26 before, 93 after): `rmat:18`\n")
    out.append(report.table(["of a run of"] + PROFILED, rows))


# ---- peer ----

PEER_GRAPHS = ["rmat:19", "grid:1024:1024"]
GAPBS = {"bfs": "bfs", "sssp": "sssp", "pagerank": "pr", "cc": "cc", "bc": "bc", "tc": "tc"}


def gapbs_seconds(options, primitive, path, source, delta, tolerance=1e-4):
    command = [os.path.join(options.gapbs, GAPBS[primitive]), "-f", path, "-n", str(options.trials)]
    if primitive in ("bfs", "sssp", "bc"):
        command += ["-r", str(source)]
    if primitive == "sssp":
        command += ["-d", str(delta)]
    if primitive == "bc":
        command += ["-i", "1"]
    if primitive == "pagerank":
        command += ["-i", "100", "-t", f"{tolerance:g}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": str(options.threads)})
    return [float(s) for s in re.findall(r"Trial Time:\s*([\d.]+)", done.stdout)]


def gapbs_graph(options, folder, graph, flags):
    """Paths without and with weights, in GAPBS' own format."""
    paths = []
    for weights, suffix in ((None, "sg"), ("255", "wsg")):
        text = os.path.join(folder, "graph." + ("wel" if weights else "el"))
        made = os.path.join(folder, "graph." + suffix)
        command = [options.traverse, "--threads", str(options.threads), *flags, "--write", text]
        command += ["--weights", weights] if weights else []
        subprocess.run(command + [graph], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([os.path.join(options.gapbs, "converter"), "-s", "-f", text, "-b", made]
                       + (["-w"] if weights else []), check=True, stdout=subprocess.DEVNULL)
        os.remove(text)
        paths.append(made)
    return paths


def best_delta(options, path, source):
    """GAPBS asks its user for one: the best of a few."""
    times = {d: min(gapbs_seconds(options, "sssp", path, source, d))
             for d in (1, 4, 16, 64, 256, 1024)}
    return min(times, key=times.get)


def peer_rounds(options, graph, flags, paths):
    """Seconds by primitive of both, round by round, each from another source."""
    times = {p: ([], []) for p in GAPBS}
    head, found = traverse(options, graph, flags, ["bfs:cpu"], options.rounds, 0)
    sources = found["bfs:cpu"]["sources"]
    # walks that come to a vertex without edges end in GAPBS: its ranks are less than 1 in all
    tolerance = 1e-4 * (1 - 0.85 * head["sinks"] / head["vertices"])
    delta = best_delta(options, paths[1], sources[0])
    for source in sources:
        for primitive, (ours, theirs) in times.items():
            _, found = traverse(options, graph, flags, [f"{primitive}:cpu"], options.trials, 0,
                                source=source)
            line = found[f"{primitive}:cpu"]
            made = line["transform"] if primitive == "tc" else 0  # GAPBS times its own order, too
            ours += [s + made for s in line["seconds"]]
            theirs += gapbs_seconds(options, primitive, paths[primitive in WEIGHTED], source, delta,
                                    tolerance)
    return times, delta


def peer(options, out):
    ratios = []
    out.append(f"## Beside GAPBS, {options.threads} threads\n\nMedians of {options.rounds} x "
               f"{options.trials} runs in turns, milliseconds, each turn from another source. "
               "GAPBS has the best of six deltas, and for PageRank the tolerance that is ours "
               "relative to what its ranks are in all. Ratio: GAPBS over ours.\n")
    for graph in options.graphs or PEER_GRAPHS:
        flags = ["--undirected", "--drop-loops"]
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            paths = gapbs_graph(options, folder, graph, flags)
            times, delta = peer_rounds(options, graph, flags, paths)
        for primitive, (ours, theirs) in times.items():
            a, b = statistics.median(ours) * 1e3, statistics.median(theirs) * 1e3
            ratios.append(b / a)
            rows.append([primitive, f"{a:.2f}", f"{b:.2f}", f"{b / a:.2f}"])
        out.append(f"### `{graph}` (GAPBS: delta {delta})\n")
        out.append(report.table(["primitive", "ours", "GAPBS", "ratio"], rows))
    out.append(f"Geometric mean of the ratios: {statistics.geometric_mean(ratios):.2f}, least "
               f"{min(ratios):.2f}.\n")


# ---- all ----

PARTS = {"matrix": matrix, "sanitize": sanitize, "speed": speed, "papers": papers, "peer": peer}


def heading(options):
    """Fails where there is no such device: all tables would be empty."""
    _, found = traverse(options, "chain:2", [], [f"bfs:{options.device}"], 1, 1)
    line = found[f"bfs:{options.device}"]
    if "error" in line:
        raise SystemExit(f"graph.py: --device {options.device}: {line['error']}")
    return (f"Device: {line['device']}. "
            f"Processor: {report.processor()}, {options.threads} threads. "
            f"Date: {datetime.date.today()}. Commit: {options.commit or report.commit()}.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--traverse", required=True, help="bench/traverse of a build")
    parser.add_argument("--bandwidth", help="bench/bandwidth of a build, for floors on a GPU")
    parser.add_argument("--part", default="matrix,speed",
                        help="matrix, sanitize, speed, papers, peer")
    parser.add_argument("--device", default="gpu", choices=("cpu", "gpu"))
    parser.add_argument("--large", action="store_true", help="matrix: the large graphs")
    parser.add_argument("--jobs", type=int, default=1,
                        help="matrix, sanitize: processes side by side, which share the threads")
    parser.add_argument("--orders", default="", type=lambda s: [o for o in s.split(",") if o],
                        help="speed: what misses its bound again, in these orders of vertices")
    parser.add_argument("--graphs", type=lambda s: s.split(","), help="matrix, peer: on these")
    parser.add_argument("--gapbs",
                        help="peer: where bfs, sssp, pr, cc, bc, tc and converter of GAPBS are")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=3, help="peer: turns")
    parser.add_argument("--commit", default="", help="for the head of the table")
    parser.add_argument("--table", help="Markdown")
    options = parser.parse_args()
    options.traverse = os.path.abspath(options.traverse)
    out, wrong = report.Lines(options.table), 0
    out.append(heading(options))
    for part in options.part.split(","):
        wrong += PARTS[part](options, out) or 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
