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

It has the graphs and the helpers of graph.py.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

import graph as engine
import report

PRIMITIVES = ("bfs sssp sswp ssnsp cc pagerank pagerank-delta ppr bc hits salsa mis colour kcore "
              "reach gcs nndr wtf").split()
TRANSFERS = "partitions ahead subway zero-copy advised packed".split()
SHARES = (2, 4, 8)
MATRIX = [("rmat:16", ["--drop-loops"]), ("rmat:18", ["--drop-loops"]), ("grid:256:256", []),
          ("chain:2000", []), ("star:300000", []), ("uniform:16", []), ("uniform:15:1", []),
          ("world:50000:4:100", []), ("SHAPES", ["--keep-parallel"]), ("chain:1", []),
          ("EMPTY", [])]
LARGE = [("rmat:20", ["--drop-loops"])]
SMALL = [("SHAPES", ["--keep-parallel"]), ("rmat:8", []), ("chain:1", [])]
SPEED = ["bfs", "sssp", "cc", "pagerank:tolerance=0:steps=5"]


def tasks(graph, flags, shares):
    """What processes run side by side: one for each transfer."""
    primitives = [p for p in PRIMITIVES if graph != "EMPTY" or p not in engine.SOURCED]
    return [(graph, ["--undirected", *flags],
             [f"{p}:gpu:{t}:share={s}" for p in primitives for s in shares]) for t in TRANSFERS]


def matrix(options, out):
    graphs = MATRIX + (LARGE if options.large else [])
    if options.graphs:
        graphs = [g for g in MATRIX + LARGE if g[0] in options.graphs]
    rows, wrong = [], 0
    for graph, flags in graphs:
        done = engine.side_by_side(options, lambda task: engine.checked(options, task, 1),
                                   tasks(graph, flags, SHARES))
        lines = [line for _, found in done for line in found.values()]
        bad = sum(engine.is_bad(line) for line in lines)
        worst = max(line.get("worst", 0) for line in lines)
        rows.append([f"`{graph}` {' '.join(flags)}", len(lines), len(lines) - bad, f"{worst:.2f}"])
        wrong += bad
    out.append("## Every primitive with every transfer\n\nRoom on the device for a half, a quarter "
               "and an eighth of the edges. Right: equal to the serial verifier; numbers that are "
               "not whole within their bound (worst: as a share of it). All graphs undirected, "
               f"with weights. Transfers: {', '.join(TRANSFERS)}. Primitives: "
               f"{', '.join(PRIMITIVES)}." + engine.SHAPES_ARE)
    out.append(report.table(["graph", "runs", "right", "worst"], rows))
    return wrong


def sanitize(options, out):
    rows, wrong = [], 0
    for graph, flags in SMALL:
        row = [f"`{graph}`"]
        for tool in engine.TOOLS:
            done = [engine.sanitized(options, tool, task) for task in tasks(graph, flags, (2,))]
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


def speed_of(options, out, graph, order, link):
    wanted = [f"{p}:gpu:{t}:share={options.share}" for p in SPEED for t in TRANSFERS]
    wanted += [f"{p}:gpu:whole" for p in SPEED if options.whole]
    flags = ["--undirected", "--drop-loops"]
    head, found = engine.traverse(options, graph, flags, wanted, options.trials, 0, order)
    rows, products = [], {t: 1.0 for t in TRANSFERS}
    for p in SPEED:
        lines = {t: found[f"{p}:gpu:{t}:share={options.share}"] for t in TRANSFERS}
        times = {t: milliseconds(l) if "error" not in l else math.nan for t, l in lines.items()}
        floor = needed(lines["packed"]) / link / 1e6
        row = [p.partition(":")[0]]
        for t in TRANSFERS:
            products[t] *= times[t] / times["packed"]
            moved = lines[t].get("moved", 0) / 2 ** 30
            row.append(f"{times[t]:.2f}" + (f" ({moved:.2f} GiB)" if moved else ""))
        whole = found.get(f"{p}:gpu:whole", {})
        row.append(f"{milliseconds(whole):.2f}" if "seconds" in whole else "-")
        row.append(f"{floor:.2f}")
        rows.append(row)
    rows.append(["over `packed`, geometric mean"]
                + [f"**{products[t] ** (1 / len(SPEED)):.2f}**" for t in TRANSFERS] + ["", ""])
    out.append(f"### `{graph}` undirected, {head['vertices']:,} vertices, {head['edges']:,} edges, "
               f"order: {order or 'as drawn'}\n")
    out.append(report.table(["primitive", *TRANSFERS, "whole", "floor"], rows))


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


PARTS = {"matrix": matrix, "sanitize": sanitize, "speed": speed}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--traverse", required=True, help="bench/traverse of a build")
    parser.add_argument("--link", help="speed: bench/link of a build")
    parser.add_argument("--part", default="matrix", help="matrix, sanitize, speed")
    parser.add_argument("--large", action="store_true", help="matrix: the large graph, too")
    parser.add_argument("--jobs", type=int, default=1,
                        help="matrix: processes side by side, which share the threads")
    parser.add_argument("--graphs", type=lambda s: s.split(","), help="on these")
    parser.add_argument("--orders", default="", type=lambda s: [o for o in s.split(",") if o],
                        help="speed: in these orders of vertices, too")
    parser.add_argument("--share", type=int, default=4, help="speed: room for one so-many-th")
    parser.add_argument("--whole", action="store_true", help="speed: and all of the graph there")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--commit", default="", help="for the head of the table")
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
