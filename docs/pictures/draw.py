#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/explanation, drawn from data: what they show stands in the tables below.

    draw.py             writes the SVG files beside this script
    draw.py --check     fails where a file is not what would be written

A picture is a function without arguments that returns a Picture; its name is that of the
file. Lengths are in pixels, colours are few and readable on light and dark pages.
"""
import os
import sys
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
INK, PALE, THREADS = "#333", "#f4f4f0", ["#2a7ab9", "#c4572c", "#4b8f3c"]


class Picture:
    """Shapes in the order in which they are drawn."""

    def __init__(self, width, height):
        self.width, self.height, self.shapes = width, height, []

    def box(self, x, y, width, height, fill="#fff", edge=INK, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.shapes.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" '
                           f'fill="{fill}" stroke="{edge}"{dash}/>')

    def text(self, x, y, words, anchor="middle", size=14, colour=INK, mono=False):
        family = ' font-family="monospace"' if mono else ""
        self.shapes.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" '
                           f'fill="{colour}"{family}>{escape(words)}</text>')

    def arrow(self, start, end, colour=INK, dashed=False, bend=0):
        (x, y), (u, v) = start, end
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        path = f"M {x} {y} Q {(x + u) // 2} {(y + v) // 2 - bend} {u} {v}"
        self.shapes.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5" '
                           f'marker-end="url(#head)"{dash}/>')

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="sans-serif">')
        marker = ('<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
                  'markerHeight="7" orient="auto"><path d="M 0 0 L 10 5 L 0 10 z" '
                  f'fill="{INK}"/></marker></defs>')
        ground = f'<rect width="{self.width}" height="{self.height}" fill="{PALE}"/>'
        return "\n".join([head, marker, ground, *self.shapes, "</svg>", ""])


# ---- strata and guards of the alias grammar (docs/explanation/closure.md) ----

ROWS = {  # family of rows: its place, and whether it holds guards only
    "A|g": (60, 130, True), "V|g": (200, 130, True), "M": (130, 230, False), "F": (270, 230, False),
    "A": (440, 130, False), "E": (440, 230, False), "V": (580, 130, False), "Q": (580, 230, False)}
READS = [  # the first is read by the second; True: the equation looks at ids
    ("A|g", "V|g", False), ("V|g", "M", True), ("V|g", "F", True), ("M", "A|g", False),
    ("F", "V|g", False), ("A", "V", False), ("A", "E", False), ("E", "A", False),
    ("A", "Q", False), ("Q", "V", False)]
ACROSS = [("M", "E"), ("F", "V")]  # from the finished loop into the products


def strata():
    picture = Picture(700, 330)
    for x, title, below in ((30, "stratum 1: a loop", "iterated in waves; rows hold guards only"),
                            (400, "stratum 2: products", "evaluated once; whole rows")):
        picture.box(x, 60, 300 if x == 30 else 270, 240, fill="#fff", dashed=True)
        picture.text(x + 10, 50, title, "start", 16)
        picture.text(x + 10, 290, below, "start", 12)
    ends = {name: (x, y) for name, (x, y, _) in ROWS.items()}
    for first, second, ids in READS:
        (x, y), (u, v) = ends[first], ends[second]
        flat, up = y == v, v < y
        start = (x + 25, y) if flat else (x, y - 18 if up else y + 18)
        end = (u - 25, v) if flat else (u, v + 18 if up else v - 18)
        if any(pair[:2] == (second, first) for pair in READS):  # a pair of arrows side by side
            aside = 8 if up else -8
            start, end = (start[0] + aside, start[1]), (end[0] + aside, end[1])
        picture.arrow(start, end, THREADS[1] if ids else INK)
    for first, second in ACROSS:
        (x, y), (u, v) = ends[first], ends[second]
        picture.arrow((x + 25, y), (u - 25, v), THREADS[0], dashed=True, bend=-40)
    for name, (x, y, guarded) in ROWS.items():
        picture.box(x - 25, y - 18, 50, 36, "#e4eef6" if guarded else "#fff")
        picture.text(x, y + 5, name, mono=True)
    picture.text(30, 320, "orange: looks at ids (a guarded join)", "start", 12, THREADS[1])
    picture.text(400, 320, "blue: finished pairs of the loop", "start", 12, THREADS[0])
    return picture


# ---- a wave with three threads (docs/explanation/waves.md) ----

MARKED = {0, 1, 3, 4, 6, 8, 9, 11, 12, 14, 15, 17}  # groups of ranks at which something waits
REGIONS = [(0, 6, 3), (6, 12, 9), (12, 18, 14)]  # a thread's groups from, to; where it is now
BROUGHT = [(3, 4, "same wave"), (9, 6, "next wave"), (3, 11, "same wave")]


def wave():
    picture = Picture(760, 250)
    left, step, top = 20, 40, 110
    for thread, (first, end, now) in enumerate(REGIONS):
        colour = THREADS[thread]
        picture.box(left + first * step + 2, top - 60, (end - first) * step - 4, 130, "#fff",
                    colour, True)
        picture.text(left + (first + end) * step // 2, top + 90, f"thread {thread}", colour=colour)
        picture.text(left + now * step + 20, top + 58, "▲", colour=colour)
    for group in range(REGIONS[-1][1]):
        region = next(i for i, (first, end, _) in enumerate(REGIONS) if first <= group < end)
        done = group < REGIONS[region][2]
        fill = "#ddd" if done else "#fff4c2" if group in MARKED else "#fff"
        picture.box(left + group * step + 5, top, 30, 36, fill)
        picture.text(left + group * step + 20, top + 23, str(group), size=12)
    for start, end, when in BROUGHT:
        later = when == "next wave"
        picture.arrow((left + start * step + 20, top - 2), (left + end * step + 20, top - 2),
                      THREADS[1] if later else INK, later, bend=70)
    picture.text(left, 25, "groups of eight ranks, in topological order: each thread goes from "
                 "left to right through its region", "start", 13)
    picture.text(left, 240, "grey: done; yellow: something waits; ▲: where the thread is; "
                 "dashed: a set that arrives behind it waits for the next wave", "start", 11)
    return picture


# ---- from units to a program to contexts (docs/explanation/linking.md) ----

STEPS = [  # title, what it is, examples
    ("units", "read apart, in processes", ["server.c", "client.c", "util.c"]),
    ("facts", "what each unit says", ["main, usage", "main, usage", "xmalloc"]),
    ("programs", "names resolved by scope", ["server + util", "client + util"]),
    ("contexts", "copies of functions", ["xmalloc <struct conn>", "xmalloc <struct list>"]),
    ("label graph", "vertices and edges", ["&x -a-> p", "p -d-> *p", "p -f[8]-> &p->next"])]
BETWEEN = ["parse", "link", "clone", "emit"]


def program():
    picture = Picture(900, 230)
    width, gap = 150, 32
    for place, (title, below, examples) in enumerate(STEPS):
        x = 10 + place * (width + gap)
        picture.text(x + width // 2, 30, title, size=16)
        picture.text(x + width // 2, 50, below, size=11)
        for row, example in enumerate(examples):
            picture.box(x, 65 + row * 48, width, 36)
            picture.text(x + width // 2, 88 + row * 48, example, size=11, mono=True)
        if place:
            picture.arrow((x - gap + 3, 131), (x - 3, 131))
            picture.text(x - gap // 2, 122, BETWEEN[place - 1], size=11)
    return picture


# ---- the mailbox matrix (engine/spine/exchange.h) ----

PARTS = 3


def mailboxes():
    picture = Picture(560, 300)
    left, top, width, height = 150, 70, 120, 56
    for part in range(PARTS):
        picture.text(left + part * width + width // 2, top - 12, f"from {part}",
                     colour=THREADS[part])
        picture.text(left - 12, top + part * height + height // 2 + 5, f"to {part}", "end",
                     colour=THREADS[part])
    for to in range(PARTS):
        for source in range(PARTS):
            x, y = left + source * width, top + to * height
            picture.box(x + 3, y + 3, width - 6, height - 6, "#ddd" if to == source else "#fff",
                        THREADS[source])
            picture.text(x + width // 2, y + height // 2 + 5,
                         "stays inside" if to == source else f"box[{to}][{source}]", size=12,
                         mono=to != source)
    picture.text(20, 25, "phase 1: partition p writes column p", "start", 13)
    picture.text(20, 268, "barrier", "start", 13)
    picture.text(20, 288, "phase 2: partition p reads row p; no box has two writers or two readers",
                 "start", 13)
    return picture


# ---- a hub between equal classes (docs/explanation/waves.md) ----

SOURCES, TARGETS = ["S(v1)", "S(v2)", "S(v3)", "S(v4)"], ["R(u1)", "R(u2)", "R(u3)", "R(u4)"]


def hub():
    picture = Picture(700, 300)
    for left, title, shared in ((20, "without a hub: 16 flows", False),
                                (370, "with a hub: 8 flows", True)):
        picture.text(left, 30, title, "start", 16)
        ends = [(left + 30, 75 + row * 50) for row in range(len(SOURCES))]
        for x, y in ends:
            for row in range(1 if shared else len(TARGETS)):
                end = (left + 122, 150) if shared else (left + 206, 75 + row * 50)
                picture.arrow((x + 32, y), end)
        for row, (x, y) in enumerate(ends):
            if shared:
                picture.arrow((left + 178, 150), (left + 238, y))
            for at, words in ((x, SOURCES[row]), (left + (270 if shared else 238), TARGETS[row])):
                picture.box(at - 32, y - 17, 64, 34)
                picture.text(at, y + 5, words, size=12, mono=True)
        if shared:
            picture.box(left + 122, 128, 56, 44, "#e4eef6", THREADS[0])
            picture.text(left + 150, 155, "hub", colour=THREADS[0])
    picture.text(20, 285, "Q(u1) to Q(u4) are the same set {v1 v2 v3 v4}: its number finds the "
                 "hub, whose row is the union of S over it", "start", 12)
    return picture


# ---- the life of a part: a slice of targets (docs/explanation/out-of-core.md) ----

BRING, VISIT = ["open", "load", "begin"], ["take", "close", "give"]


def part():
    picture = Picture(860, 340)
    left, top, step, width, height = 20, 130, 98, 84, 40
    middle, disk = top + height // 2, 245
    picture.text(left, 30, "in memory: one slice, or as many as there is memory for", "start", 16)
    visit = left + len(BRING) * step + 14
    picture.box(visit - 10, top - 40, len(VISIT) * step + 6, height + 56, "#e4eef6", THREADS[0],
                True)
    picture.text(visit, top - 20, "a visit", "start", 12, THREADS[0])
    places = [left + at * step for at in range(len(BRING))]
    places += [visit + at * step for at in range(len(VISIT))]
    store = visit + len(VISIT) * step + 16
    places += [store, store + step + 10]
    names = BRING + VISIT + ["store", "collect"]
    for x, name in zip(places, names):
        picture.box(x, top, width, height)
        picture.text(x + width // 2, middle + 5, name, mono=True)
    for x, after in zip(places[:-2], places[1:-1]):
        picture.arrow((x + width, middle), (after - 2, middle))
    at = dict(zip(names, (x + width // 2 for x in places)))
    for name, words in (("take", "boxes of others"), ("give", "boxes to others")):
        ends = [(at[name], 70), (at[name], top - 2)]
        picture.arrow(*(ends if name == "take" else ends[::-1]), THREADS[1])
        picture.text(at[name], 64, words, size=12, colour=THREADS[1])
    picture.arrow((at["give"] + 20, top - 2), (at["collect"], top - 2), bend=60)
    picture.text(at["collect"] + 40, 80, "strata are over", "end", size=12)
    picture.text(at["collect"], top + height + 18, "relations of", size=12)
    picture.text(at["collect"], top + height + 34, "the result", size=12)
    picture.box(at["load"] - 42, disk, at["store"] - at["load"] + 84, 50, "#fff4c2")
    picture.text((at["load"] + at["store"]) // 2, disk + 30,
                 "on disk: the state of the slice, and the former states of all slices")
    picture.arrow((at["store"], top + height), (at["store"], disk - 2))
    picture.arrow((at["load"], disk), (at["load"], top + height + 2))
    picture.text(left, 322, "orange: between slices; in the tail there are no boxes, and one visit "
                 "goes through all strata that are left", "start", 12)
    return picture


PICTURES = [strata, wave, program, mailboxes, hub, part]


def main():
    wrong = 0
    for draw in PICTURES:
        path, drawn = os.path.join(HERE, draw.__name__ + ".svg"), draw().svg()
        if sys.argv[1:] == ["--check"]:
            with open(path, encoding="utf-8") as file:
                if file.read() != drawn:
                    print(f"{path} is not what draw.py draws")
                    wrong = 1
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(drawn)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
