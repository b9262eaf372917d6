#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of `cflr graph --plot` and `cflr solve --stats --plot`: they hold the numbers that
the command prints, as SVG and as Vega-Lite.

    plots.py CFLR
"""
import collections
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

CFLR = os.path.abspath(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"


def cflr(directory, *words, code=0):
    done = subprocess.run([CFLR, *words], cwd=directory, capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def panels(directory, name):
    """{title: its numbers} of a specification, which is whole."""
    with open(f"{directory}/{name}", encoding="utf-8") as file:
        spec = json.load(file)
    assert spec["$schema"].endswith("/vega-lite/v5.json")
    for panel in spec["vconcat"]:
        fields = {axis["field"] for axis in panel["encoding"].values()}
        assert all(fields == set(row) for row in panel["data"]["values"])
    return {panel["title"]: panel for panel in spec["vconcat"]}


def rows(panel):
    return [(row.get("name", row.get("x")), row["y"]) for row in panel["data"]["values"]]


def texts(directory, name):
    """All texts of a picture, which also has words for readers that hear it."""
    root = tree.parse(f"{directory}/{name}").getroot()
    assert root.get("role") == "img" and root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text
    return [text.text for text in root.iter() if text.tag in (f"{SVG}text", f"{SVG}title")]


def test_levels(directory):
    cflr(directory, "graph", "bfs", "--gen", "rmat:8", "--trials", "3", "--plot", "l.vl.json", "-o",
         "levels.tsv")
    with open(f"{directory}/levels.tsv", encoding="ascii") as file:
        levels = [line.split("\t")[1].strip() for line in file if not line.startswith("#")]
    wanted = collections.Counter(int(level) for level in levels if level != "-")
    found = panels(directory, "l.vl.json")
    title = "Vertices by level: each frontier"
    if "-" in levels:
        title += f"; {levels.count('-')} have none"
    assert rows(found[title]) == sorted(wanted.items()), found
    assert len(rows(found["Time of each trial"])) == 3
    cflr(directory, "graph", "bfs", "--gen", "rmat:8", "--plot", "l.svg")
    for level, n in wanted.items():
        assert f"{level}: {n}" in texts(directory, "l.svg")


def test_values(directory):
    """Ranks by power of two, components by size, and what has no picture."""
    cflr(directory, "graph", "pagerank", "--gen", "rmat:8", "--plot", "r.vl.json", "-o", "r.tsv")
    with open(f"{directory}/r.tsv", encoding="ascii") as file:
        ranks = [float(line.split("\t")[1]) for line in file if not line.startswith("#")]
    found = rows(panels(directory, "r.vl.json")["Vertices by power of two of their value"])
    assert sum(n for _, n in found) == len(ranks)
    for least, n in found:
        assert n == sum(least <= rank < 2 * least for rank in ranks), (least, n)
    with open(f"{directory}/c.tsv", "w", encoding="ascii") as file:
        file.write("0 1 e\n1 0 e\n2 3 e\n3 2 e\n4 5 e\n5 4 e\n5 6 e\n6 5 e\n".replace(" ", "\t"))
    cflr(directory, "graph", "cc", "c.tsv", "--undirected", "--plot", "c.vl.json")
    assert rows(panels(directory, "c.vl.json")["Components by size"]) == [(2, 2), (3, 1)]
    done = cflr(directory, "graph", "mst", "--gen", "grid:3:3", "--weights", "1:9", "--undirected",
                "--plot", "m.svg", code=2)
    assert "--plot: mst gives no value for each vertex" in done.stderr
    assert not os.path.exists(f"{directory}/m.svg")


def test_stats(directory):
    with open(f"{directory}/g.tsv", "w", encoding="ascii") as file:
        file.writelines(f"{i}\t{i + 1}\te\n" for i in range(50))
    with open(f"{directory}/g.cfg", "w", encoding="ascii") as file:
        file.write("%start S\nS ::= e | S e\n")
    words = ("solve", "-q", "-g", "g.cfg", "g.tsv", "--stats")
    done = cflr(directory, *words, "--format", "json", "--plot", "s.vl.json")
    told, found = json.loads(done.stdout), panels(directory, "s.vl.json")
    assert dict(rows(found["Pairs by symbol"])) == {
        symbol: label["pairs"] for symbol, label in told["labels"].items() if label["pairs"]}
    seconds = collections.Counter()
    for rule in told["rules"]:
        seconds[rule["rule"]] += rule["seconds"]
    drawn = rows(found["Time by rule"])
    assert drawn == sorted(drawn, key=lambda row: -row[1]) and drawn
    assert all(abs(seconds[rule] - value) < 1e-9 for rule, value in drawn)
    assert [n for _, n in rows(found["Memory from stratum to stratum"])] == [
        account["bytes"] for account in told["memory"]]
    cflr(directory, *words, "--plot", "s.svg")
    said = texts(directory, "s.svg")
    assert "S" in said and str(told["labels"]["S"]["pairs"]) in said
    for path, code in (("s.png", 2), ("no/such/s.svg", 3)):
        cflr(directory, *words, "--plot", path, code=code)
    cflr(directory, *words[:-1], "--plot", "s.svg", code=2)


def main():
    for test in (test_levels, test_values, test_stats):
        with tempfile.TemporaryDirectory() as directory:
            test(directory)
        print(f"{test.__name__}: passed")


if __name__ == "__main__":
    main()
