#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derivations of `cflr explain` against the graph and the grammar (tests/random/derivations.py).

Pairs are drawn at random. It is made sure first that a step which is not there, a word that is
none, and a pair that no filter would keep, are noticed.

    explain.py CFLR GRAMMAR RESULT PAIRS [SEED]      GRAMMAR: the text of the result's
    explain.py CFLR GRAMMAR FILE.c... PAIRS          analysed first
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "random"))
import automata  # noqa: E402
import derivations  # noqa: E402
import valid  # noqa: E402


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True,
                          text=True, **options)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def read_edges(cflr, result, work):
    """{(source, label, index, target)}, and how many vertices there are"""
    run(cflr, "convert", "-q", result, "-o", work / "graph.tsv")
    edges, n = set(), 0
    for line in (work / "graph.tsv").read_text().splitlines():
        if line.startswith("# vertices"):
            n = int(line.split()[-1])
        if line.startswith("#"):
            continue
        source, target, label = line.split("\t")[:3]
        name, _, index = label.partition("[")
        edges.add((int(source), name, index[:-1], int(target)))
        n = max(n, int(source) + 1, int(target) + 1)
    return edges, n


def draw_aliases(explain, cflr, result, n_vertices, wanted, draw):
    """Answers to `alias` of random vertices, those that are yes by the program itself."""
    found, tried = [], 0
    while len(found) < 2 * wanted and tried < 400 * wanted:
        lines = [f"alias {draw.randrange(n_vertices)} {draw.randrange(n_vertices)}"
                 for _ in range(8 * wanted)]
        tried += len(lines)
        text = run(cflr, "query", "-q", result, "-", "--format", "json", input="\n".join(lines))
        found += [answer["question"] for answer in valid.answer(["query"], text)
                  if answer["answer"]]
    answers = explain(found[:2 * wanted])
    return [answer for answer in answers if "how" not in answer][:wanted]


def draw_objects(explain, cflr, result, n_vertices, wanted, draw):
    lines = [f"points-to {draw.randrange(n_vertices)}" for _ in range(8 * wanted)]
    text = run(cflr, "query", "-q", result, "-", "--format", "json", input="\n".join(lines))
    rows = [(answer["question"], answer["answer"]) for answer in valid.answer(["query"], text)
            if answer["answer"]]
    chosen = [f"{question} {draw.choice(row)['vertex']}" for question, row in rows]
    return explain(chosen[:wanted])


def must_notice(checker, answer):
    """Faults that are made are found."""
    whole = answer["explanations"][0]["derivations"]
    for spoil in ("edge", "word", "gap"):
        copy = json.loads(json.dumps(whole))
        steps = copy[0]["steps"]
        if spoil == "edge":
            steps[0]["symbol"] = "no"
        elif spoil == "word":
            steps[0]["backwards"] = not steps[0]["backwards"]
        else:
            steps.pop()
        if not list(checker.faults(copy)):
            raise SystemExit(f"a wrong {spoil} is not noticed")


def with_rule_of_answer(text):
    """An answer 'S ~S' is explained as a symbol of that rule."""
    symbol, meets = automata.Grammar(text).answers["alias"]
    return text + (f"\nAlias ::= {symbol} ~{symbol} | eps\n" if meets else "")


def must_notice_filters(grammar, edges, answers):
    """Without the last edges of filters, pairs are derived that are not kept."""
    filters = automata.Grammar(grammar).filters
    last = {steps[-1][0] for steps in filters.values()}
    checker = derivations.Checker(grammar, {edge for edge in edges if edge[1] not in last})
    faults = (fault for answer in answers for part in answer["explanations"]
              for fault in checker.faults(part["derivations"]))
    if filters and not any(faults):
        raise SystemExit("a pair that is not kept is not noticed")


def main():
    cflr, grammar, *what = sys.argv[1:]
    seed = int(what.pop()) if len(what) > 2 and what[-2].isdigit() else 1
    wanted, draw = int(what.pop()), random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        work, result = pathlib.Path(directory), what[0]
        text = with_rule_of_answer(pathlib.Path(grammar).read_text())
        if not result.endswith(".cflr"):
            result = work / "r.cflr"
            aliasing = "strict" if "%filter" in text else "any"
            run(cflr, "analyze", "-q", "--aliasing", aliasing, *what, "-o", result)
        edges, n_vertices = read_edges(cflr, result, work)
        checker = derivations.Checker(text, edges)
        spent = []

        def explain(lines):
            begin = time.monotonic()
            told = run(cflr, "explain", "-q", "-g", grammar, result, "-", "--format", "json",
                       input="\n".join(lines), env=dict(os.environ, OMP_WAIT_POLICY="passive"))
            spent.append((time.monotonic() - begin) / max(1, len(lines)))
            return valid.answer(["explain"], told)

        answers = draw_aliases(explain, cflr, result, n_vertices, wanted, draw)
        answers += draw_objects(explain, cflr, result, n_vertices, wanted, draw)
        faults, n, steps = 0, 0, 0
        long = [a for a in answers if len(a["explanations"][0]["derivations"][0]["steps"]) > 1]
        must_notice(checker, long[0])
        must_notice_filters(text, edges, answers)
        for answer in answers:
            for part in answer["explanations"]:
                found = list(checker.faults(part["derivations"]))
                found += [] if part["derivations"] else ["no derivation"]
                n += len(part["derivations"])
                steps += sum(len(d["steps"]) for d in part["derivations"])
                faults += bool(found)
                for fault in found:
                    print(f"{answer['question']}: {fault}")
    print(f"{len(answers)} pairs, {n} derivations, {steps} steps, {faults} with faults; "
          f"{1000 * sum(spent) / len(spent):.1f} ms a question, loading included")
    raise SystemExit(1 if faults or not answers else 0)


main()
