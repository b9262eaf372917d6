#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `cflr serve` takes for an answer, on a code base and its result.

    bench/serve.py --cflr CFLR --result RESULT DIRECTORY [--positions 1000] [--seed 1]

RESULT is what `cflr analyze` has made of the C files below DIRECTORY, which must not have changed
since. The positions are drawn from all names in those of the files that the result knows; half of
the questions are drawn from positions that have an answer. A time is that between the bytes of a
request and the last byte of its answer, as the client sees it; beside it is the time of a processor
that the server took for it, which other programs change less. Prints a table in Markdown.
"""
import argparse
import os
import random
import re
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "cli"))
from language_client import Client  # noqa: E402

NAME = re.compile(r"[A-Za-z_]\w*")


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024


def sources(directory):
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(folder, name), directory)


def names_in(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", errors="replace", newline="") as f:
        text = f.read()
    if not text.isascii() or "\r" in text:
        return []
    return [(name, i, m.start()) for i, line in enumerate(text.split("\n"))
            for m in NAME.finditer(line)]


def processor(client):
    with open(f"/proc/{client.child.pid}/schedstat", encoding="ascii") as status:
        return int(status.read().split()[0]) / 1e6


def timed(client, method, parameters):
    """Milliseconds of the wall and of a processor, and the result."""
    before, begin = processor(client), time.perf_counter()
    result = client.request(method, parameters)
    return (1000 * (time.perf_counter() - begin), processor(client) - before), result


def row(what, times):
    cells = [what, str(len(times))]
    for which in range(2):
        values = sorted(pair[which] for pair in times)
        at = values[min(len(values) - 1, int(0.99 * len(values)))]
        cells += [f"{ms:.2f}" for ms in (statistics.median(values), at, values[-1])]
    print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cflr", required=True)
    parser.add_argument("--result", required=True)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("directory")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    places = [p for name in sources(given.directory) for p in names_in(given.directory, name)]
    begin = time.perf_counter()
    client = Client(os.path.abspath(given.cflr), given.directory, os.path.abspath(given.result))
    first = client.at(*places[0])
    client.open(places[0][0])
    client.request("textDocument/hover", first)
    load = 1000 * (time.perf_counter() - begin)
    opened, times, answered = {places[0][0]}, [], []
    some = draw.sample(places, min(8 * given.positions, len(places)))
    for name, line, character in some:
        if name not in opened:
            client.open(name)
            opened.add(name)
    client.request("textDocument/hover", first)
    for place in some:
        ms, result = timed(client, "textDocument/hover", client.at(*place))
        (answered if result else times).append(ms)
        if result and len(answered) <= 3:
            print(result["contents"]["value"], file=sys.stderr)
        if len(answered) >= given.positions:
            break
    print("| request | n | median, ms | 99 % | worst | processor: median | 99 % | worst |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    row("hover with an answer", answered)
    row("hover without", times)
    calls = []
    for place in some[:given.positions]:
        calls.append(timed(client, "textDocument/definition", client.at(*place))[0])
    row("definition", calls)
    prepared = [timed(client, "textDocument/prepareCallHierarchy", client.at(*place))
                for place in some[:given.positions]]
    row("prepare calls (one of them makes the edges)", [ms for ms, _ in prepared])
    items = [item for _, result in prepared for item in result or []]
    incoming = [timed(client, "callHierarchy/incomingCalls", {"item": item})[0] for item in items]
    if incoming:
        row("incoming calls", incoming)
    print(f"\nstart to first answer {load:.0f} ms, {resident(client.child.pid):.0f} MB resident, "
          f"{len(opened)} documents open")
    client.leave()


if __name__ == "__main__":
    main()
