#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Graphs larger than the memory of a GPU: is every transfer right, and how fast is each?

    stream.py --traverse build/release/bench/traverse --part matrix,sanitize
    stream.py --traverse build/release/bench/traverse --link build/release/bench/link \
        --part speed --graphs rmat:24 --trials 3

matrix    every primitive with every transfer, with room on the device for a half, a quarter and an
          eighth of the edges, each run held against the serial verifier
sanitize  the same on small graphs, while NVIDIA's compute-sanitizer looks for wrong addresses and
          for races
speed     every transfer with room for a quarter of the edges, beside the floor: the bytes of the
          rows that a run must read, each time, over what the link between host and device gives
peers     on several GPUs (--gpus): every primitive that can, with every transfer that can, checked
gpus      times on several GPUs beside those on one

It has the graphs and the helpers of graph.py.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

import graph as engine
import report

PRIMITIVES = ("bfs sssp sswp ssnsp cc pagerank pagerank-delta ppr bc hits salsa mis colour kcore "
              "mst reach gcs nndr wtf").split()
TRANSFERS = ("partitions ahead subway subway-async scaph wolfgraph zero-copy advised "
             "packed").split()
# Transfers that choose the order of visits are for primitives that give the same in any order.
RELAXING = {"bfs", "sssp", "sswp", "cc", "pagerank-delta"}
IDEMPOTENT = RELAXING - {"pagerank-delta"}
ALLOWED = {"subway-async": RELAXING, "scaph": RELAXING, "wolfgraph": IDEMPOTENT}
SHARES = (2, 4, 8)
MATRIX = [("rmat:16", ["--drop-loops"]), ("rmat:18", ["--drop-loops"]), ("grid:256:256", []),
          ("chain:2000", []), ("star:300000", []), ("uniform:16", []), ("uniform:15:1", []),
          ("world:50000:4:100", []), ("SHAPES", ["--keep-parallel"]), ("chain:1", []),
          ("EMPTY", [])]
LARGE = [("rmat:20", ["--drop-loops"])]
SMALL = [("SHAPES", ["--keep-parallel"]), ("rmat:8", []), ("chain:1", [])]
# Primitives, graphs and transfers for several GPUs.
PEERS = ("bfs sssp sswp ssnsp cc pagerank pagerank-delta ppr bc hits salsa reach gcs nndr").split()
DIRECTED = [("rmat:15", []), ("uniform:15:4", [])]
PEER_TRANSFERS = ["whole", "packed:share=4", "zero-copy"]
SPEED = ["bfs", "sssp", "cc", "pagerank:tolerance=0:steps=5", "pagerank-delta"]


def tasks(options, graph, flags, shares):
    """What processes run side by side: one for each transfer."""
    primitives = [p for p in options.primitives or PRIMITIVES
                  if graph != "EMPTY" or p not in engine.SOURCED]
    return [(graph, ["--undirected", *flags],
             [f"{p}:gpu:{t}:share={s}" for p in primitives for s in shares
              if p in ALLOWED.get(t, PRIMITIVES)]) for t in options.transfers]


def matrix(options, out):
    graphs = MATRIX + (LARGE if options.large else [])
    if options.graphs:
        graphs = [g for g in MATRIX + LARGE if g[0] in options.graphs]
    rows, wrong = [], 0
    for graph, flags in graphs:
        done = engine.side_by_side(options, lambda task: engine.checked(options, task, 1),
                                   tasks(options, graph, flags, SHARES))
        lines = [line for _, found in done for line in found.values()]
        bad = sum(engine.is_bad(line) for line in lines)
        worst = max(line.get("worst", 0) for line in lines)
        rows.append([f"`{graph}` {' '.join(flags)}", len(lines), len(lines) - bad, f"{worst:.2f}"])
        wrong += bad
    out.append("## Every primitive with every transfer\n\nRoom on the device for a half, a quarter "
               "and an eighth of the edges. Right: equal to the serial verifier; numbers that are "
               "not whole within their bound (worst: as a share of it). All graphs undirected, "
               f"with weights. Transfers: {', '.join(options.transfers)}. Primitives: "
               f"{', '.join(options.primitives or PRIMITIVES)}." + engine.SHAPES_ARE)
    out.append(report.table(["graph", "runs", "right", "worst"], rows))
    return wrong


def sanitize(options, out):
    rows, wrong = [], 0
    for graph, flags in SMALL:
        if options.graphs and graph not in options.graphs:
            continue
        row = [f"`{graph}`"]
        for tool in engine.TOOLS:
            done = engine.side_by_side(options,
                                       lambda task: engine.sanitized(options, tool, task),
                                       tasks(options, graph, flags, (2,)))
            row.append(sum(hazards for hazards, _ in done))
            wrong += sum(hazards + bad for hazards, bad in done)
        rows.append(row)
    out.append("## Under compute-sanitizer\n\nEvery primitive with every transfer, room for half "
               "of the edges, checked too; what each tool has found." + engine.SHAPES_ARE)
    out.append(report.table(["graph", *engine.TOOLS], rows))
    return wrong


# ---- speed ----

def milliseconds(line):
    each = line["iterations"] if line["case"].startswith("pagerank") else 1
    return statistics.median(line["seconds"]) * 1e3 / max(1, each)


def needed(line):
    each = line["iterations"] if line["case"].startswith("pagerank") else 1
    return line["needed"] / max(1, each)


def case_of(options, primitive, transfer):
    name = primitive.partition(":")[0]
    if name not in ALLOWED.get(transfer, PRIMITIVES):
        return None
    share = "" if transfer == "whole" else f":share={options.share}"
    return f"{primitive}:gpu:{transfer}{share}"


def speed_of(options, out, graph, order, link):
    transfers = options.transfers + (["whole"] if options.whole else [])
    primitives = [p for p in SPEED if not options.primitives or p.split(":")[0]
                  in options.primitives]
    wanted = [case for p in primitives for t in transfers if (case := case_of(options, p, t))]
    flags = ["--undirected", "--drop-loops"]
    head, found = engine.traverse(options, graph, flags, wanted, options.trials, 0, order)
    rows, ratios = [], {t: [] for t in transfers}
    for p in primitives:
        lines = {t: found.get(case_of(options, p, t), {"error": "not allowed"}) for t in transfers}
        times = {t: milliseconds(line) for t, line in lines.items() if "error" not in line}
        row = [p.partition(":")[0]]
        for t in transfers:
            if t not in times:
                row.append("-")
                continue
            if p != "pagerank-delta":  # steps of different meaning, and of different number
                ratios[t].append(times[t] / times["packed"])
            moved = lines[t].get("moved", 0) / 2 ** 30
            row.append(f"{times[t]:.2f}" + (f" ({moved:.2f} GiB)" if moved else ""))
        rows.append(row + [f"{needed(lines['packed']) / link / 1e6:.2f}"])
    means = [f"**{statistics.geometric_mean(r):.2f}** ({len(r)})" if r else "-"
             for r in ratios.values()]
    rows.append(["over `packed`, geometric mean", *means, ""])
    out.append(f"### `{graph}` undirected, {head['vertices']:,} vertices, {head['edges']:,} edges, "
               f"order: {order or 'as drawn'}\n")
    out.append(report.table(["primitive", *transfers, "floor"], rows))


def speed(options, out):
    link = json.loads(subprocess.run([options.link], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout)
    rate = link["copy_65536k"]
    out.append(f"## Times\n\nMedians of {options.trials} runs from drawn sources, milliseconds "
               "(PageRank: of an iteration), and what a run copied. Room on the device for one "
               f"{options.share}-th of the edges, beside the columns. Floor: 4 bytes (8 with "
               "weights) for each edge that `packed` looked at, over "
               f"{rate:.1f} GB/s, the link's rate of copies, measured; `packed` may be below it, "
               "since its edges take fewer bytes and some of them are on the device.\n")
    for graph in options.graphs or ["rmat:22"]:
        for order in [None, *options.orders]:
            speed_of(options, out, graph, order, rate)
    return 0


# ---- several GPUs ----

def peers(options, out):
    """One process at a time: kernels of a process wait for each other."""
    rows, wrong = [], 0
    graphs = [(graph, ["--undirected", *flags]) for graph, flags in MATRIX] + DIRECTED
    for graph, flags in graphs:
        if options.graphs and graph not in options.graphs:
            continue
        primitives = [p for p in PEERS if (graph != "EMPTY" or p not in engine.SOURCED) and
                      ("--undirected" in flags or p not in engine.SYMMETRIC)]
        cases = [f"{p}:gpu:{t}:gpus={n}" for n in options.gpus for t in PEER_TRANSFERS
                 for p in primitives]
        _, found = engine.checked(options, (graph, flags, cases), 2)
        lines = list(found.values())
        bad = [line for line in lines if engine.is_bad(line)]
        for line in bad[:5]:
            print(line, file=sys.stderr)
        worst = max(line.get("worst", 0) for line in lines)
        rows.append([f"`{graph}` {' '.join(flags)}", len(lines), len(lines) - len(bad),
                     f"{worst:.2f}"])
        wrong += len(bad)
    out.append(f"## Graphs that {' and '.join(map(str, options.gpus))} GPUs share\n\nEvery "
               f"primitive that several can run, with transfers {', '.join(PEER_TRANSFERS)}, two "
               "runs each, equal to the serial verifier. All graphs with weights. "
               f"Primitives: {', '.join(PEERS)}." + engine.SHAPES_ARE)
    out.append(report.table(["graph", "cases", "right", "worst"], rows))
    return wrong


def gpus(options, out):
    counts = [1] + options.gpus
    for graph in options.graphs or ["rmat:24"]:
        wanted = [f"{p}:gpu:{t}:gpus={n}" for p in SPEED[:4] for t in ("whole", "packed:share=4")
                  for n in counts]
        head, found = engine.traverse(options, graph, ["--undirected", "--drop-loops"], wanted,
                                      options.trials, options.verified, None)
        rows = []
        for p in SPEED[:4]:
            for t in ("whole", "packed:share=4"):
                lines = [found.get(f"{p}:gpu:{t}:gpus={n}", {"error": "none"}) for n in counts]
                times = [None if "error" in line else milliseconds(line) for line in lines]
                ratio = [f"**{times[0] / time:.2f}**" if time and times[0] else "-"
                         for time in times[1:]]
                rows.append([p.partition(":")[0], t, *(f"{x:.2f}" if x else "-" for x in times),
                             *ratio, "wrong" if any(map(engine.is_bad, lines)) else "equal"])
        out.append(f"### `{graph}` undirected, {head['vertices']:,} vertices, {head['edges']:,} "
                   f"edges, on {' and '.join(map(str, counts))} GPUs\n\nMedians of "
                   f"{options.trials} runs, milliseconds (PageRank: of an iteration), and how many "
                   "times as fast as one GPU. `packed`: room on each for a quarter of all edges. "
                   "The first runs are checked against the serial verifier.\n")
        out.append(report.table(["primitive", "transfer", *(f"{n} GPUs" for n in counts),
                                 *(f"{n} over 1" for n in counts[1:]), "answers"], rows))
    return 0


PARTS = {"matrix": matrix, "sanitize": sanitize, "speed": speed, "peers": peers, "gpus": gpus}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--traverse", required=True, help="bench/traverse of a build")
    parser.add_argument("--link", help="speed: bench/link of a build")
    parser.add_argument("--part", default="matrix", help="matrix, sanitize, speed, peers, gpus")
    parser.add_argument("--large", action="store_true", help="matrix: the large graph, too")
    parser.add_argument("--jobs", type=int, default=1,
                        help="matrix: processes side by side, which share the threads")
    parser.add_argument("--graphs", type=lambda s: s.split(","), help="on these")
    parser.add_argument("--orders", default="", type=lambda s: [o for o in s.split(",") if o],
                        help="speed: in these orders of vertices, too")
    parser.add_argument("--primitives", type=lambda s: s.split(","), help="these")
    parser.add_argument("--transfers", default=TRANSFERS, type=lambda s: s.split(","),
                        help="these")
    parser.add_argument("--gpus", default=[2], type=lambda s: [int(n) for n in s.split(",")],
                        help="peers, gpus: so many")
    parser.add_argument("--verified", type=int, default=1, help="gpus: trials that are checked")
    parser.add_argument("--share", type=int, default=4, help="speed: room for one so-many-th")
    parser.add_argument("--whole", action="store_true", help="speed: and all of the graph there")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--commit", default="", help="for the head of the table")
    parser.add_argument("--log", help="each run's line of JSON, as it comes")
    parser.add_argument("--table", help="Markdown")
    options = parser.parse_args()
    options.device = "gpu"
    options.traverse = os.path.abspath(options.traverse)
    out, wrong = report.Lines(options.table), 0
    out.append(engine.heading(options))
    for part in options.part.split(","):
        wrong += PARTS[part](options, out) or 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
