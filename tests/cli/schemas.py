#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schemas of cli/schemas against the command, in both directions.

Lines are run for each schema, and what they print must be as it says. That the schemas say enough:
every property must be printed by some line; an answer in which a required key is missing, a value
has another type, a word is none of a list, or a key is added must be refused; and the words of
lists are those that the program has.

    schemas.py CFLR SOURCES_GRAPH HAS_FRONTEND

Without python3-jsonschema it is skipped (exit code 77).
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import valid

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SOLVE = "solve -g pointer.cfg sources.cflg --format json"
RUNS = [
    SOLVE, SOLVE + " --verify -q", SOLVE + " --stats -q", SOLVE + " --pairs pairs.txt",
    SOLVE + " --slice 2/3 -q",
    "query r.cflr 'points-to pick::arg' 'aliases second::q' --format json",
    "query r.cflr 'alias 0 1' --format json",
    "info r.cflr --format json", "info fields.tsv --format json", "info cut2.cflr --format json",
    "convert path.tsv info.cflp --format json", "info info.cflp --format json",
    "info --config --format json",
    "merge cut1.cflr cut2.cflr -o merged.cflr --format json",
    "convert path.tsv out.cflg --format json", "convert path.tsv out.cflp --format json",
    "convert --gen chain:3 --weights 1:9 out.cflp --format json",
    "graph bfs path.tsv --format json --verify --top 2 --trials 3 -o levels.tsv",
    "graph bfs --gen chain:3 --reorder search --format json -q",
    "graph sswp --gen chain:3 --weights 1:9 --top 2 --format json -q",
    "grammar check warned.cfg --format json", "grammar check closure.cfg --format json",
    "grammar show closure.cfg --format json", "grammar stats closure.cfg --format json",
    "grammar list --format json",
    "diff old.sarif new.sarif --format json", "diff old.sarif new.sarif --only new --format json",
    "diff new.sarif old.sarif --only gone --format json",
    "diff r.cflr other.cflr --format json", "diff other.cflr r.cflr --only counts --format json",
    "--version=json",
]
FRONTEND_RUNS = [
    "query open.cflr 'alias first_of::own first_of::key' 'points-to outside' --format json",
    "query open.cflr 'points-to first_of::other' 'aliases first_of::key' --format json",
    "query narrow.cflr 'alias get::return put::p' --format json",
    "query places.cflr 'alias b p' --format json",
    "query macro.cflr 'points-to macro.c:3:32' --format json",
    "explain macro.cflr 'points-to macro.c:3:32' --format json -q",
    "extract program.c lost.c -o out.cflg --format json -q",
    "extract program.c lost.c --linkable -o part.cflg --format json -q",
    "link part.cflg -o out.cflg --format json -q",
    "extract --unknown program.c --format json -q",
    "extract --list-targets -p targets.json --format json -q",
    "compdb --format json -- sh -c 'echo cc program.c >compiled'",
    "analyze program.c other.c --format json -q",
    "analyze program.c --aliasing any --format json -q",
    "analyze program.c lost.c --context clone --show 99 --format json -q",
    "analyze calls.c --unresolved --context clone --format json -q",
    "analyze members.c --format json -q",
    "query analysis.cflr 'points-to where::return' --format json",
    "callgraph calls.cflr --format json -q", "callgraph calls.cflr --callees main --format json -q",
    "callgraph calls.cflr --callers main --callees f --format json -q",
    "explain calls.cflr 'points-to main::on_sale' 'main calls main' --format json -q",
    "explain open.cflr 'alias first_of::own first_of::key' --format json -q",
    "explain explained.cflr 'points-to last x' 'alias main::other last' --format json -q",
    "explain explained.cflr 'alias last push::value' --format json -q",
    "explain places.cflr 'points-to p l' 'points-to held l' 'alias b p' --format json -q",
    "explain --imprecision two.cflr --format json -q",
    "explain --imprecision callbacks.cflr --format json -q",
    "explain --imprecision kept.cflr --format json -q",
    "explain --imprecision fields.tsv --format json -q",
    "check checks.c --no-alias apart --format json -q",
    "check checks.c --no-alias apart --world open --format json -q",
    "check narrow.c --no-alias apart --format json -q",
    "check checks.c --may-alias may --must-alias same --no-alias apart --format json -q",
    "check checks.c lost.c --must-alias same --context clone --format json -q",
    "check flows.c --rules command --rules null --no-alias apart --format json -q",
    "check dead.c --rules null --cache kept --format json -q",
    "check members.c --must-alias same --format json -q",
    "check suppressed.c --rules null --no-alias apart --baseline old.baseline --format json -q",
]
# what prints an object a line: (schema, line)
LINES = [("ndjson-edge", "convert sources.cflg - --to ndjson"),
         ("ndjson-edge", "convert fields.tsv - --to ndjson"),
         ("ndjson-columns", "graph bfs path.tsv -q -o l.ndjson >report && cat l.ndjson"),
         ("ndjson-columns", "graph cc names.tsv -q -o l.ndjson >report && cat l.ndjson"),
         ("ndjson-columns", "graph mst --gen chain:3 -q -o l.ndjson >report && cat l.ndjson")]
FRONTEND_LINES = [("ndjson-edge", "convert analysis.cflr - --to ndjson")]
# no line prints them: an indexed nonterminal that the pointer grammars call
UNSEEN = {"explain/$defs/derivation/properties/index"}
# Lists of words: where the schema has them, and which file has them between which texts. Words of
# tables, the macros whose rows are X(...), are the first texts of rows.
WORDS = {
    "common/$defs/kind": ("include/cflr/graph.h", "CFLR_VERTEX_KIND_LIST(X)", "typedef"),
    "common/$defs/weights": ("cli/solve/cmd_convert.c", "weights[]", ";"),
    "common/$defs/level": ("include/cflr/extract.h", "CFLR_LEVEL_LIST(X)", "typedef"),
    "common/$defs/through": ("cli/answer/outside.c", 'words[] = {"nothing"', ";"),
    "common/$defs/assumes/items": ("cli/answer/assumption.c", "assumption_json(", "return"),
    "common/$defs/unresolved/properties/cause": ("cli/answer/entered.c", "words[]", ";"),
    "solve/properties/model": ("include/cflr/solve.h", "CFLR_MODEL_LIST(X)", "typedef"),
    "solve/properties/memory/items/properties/owners/propertyNames":
        ("include/cflr/result.h", "CFLR_OWNER_LIST(X)", "typedef"),
    "graph/properties/primitive": ("include/cflr/traverse.h", "CFLR_PRIMITIVE_LIST(X)", "typedef"),
    "graph/properties/device": ("cli/graph/cmd_graph.c", '"where to run, one of:', "DEVICE"),
    "graph/properties/graph/properties/order":
        ("include/cflr/csr.h", "CFLR_ORDER_LIST(X)", "typedef"),
    "extract/properties/world": ("cli/extract/extraction.c", '{"world",', "\n"),
    "extract/properties/aliasing": ("cli/extract/extraction.c", '{"aliasing",', "world"),
    "extract/properties/callees": ("cli/extract/extraction.c", '{"callees",', "\n"),
    "extract/properties/notes/items/properties/kind": ("cli/extract/report.c", "kinds[]", ";"),
    "check/properties/checks/items/properties/expected":
        ("cli/alerts/alerts.c", 'words[]', ";"),
    "check/properties/checks/items/properties/level": None,  # two of the levels
    "check/properties/checks/items/properties/found":
        ("cli/analyze/verdict.c", "CFLR_FOUND_ALIAS ?", ";"),
    "check/properties/findings/items/properties/rank":
        ("include/cflr/findings.h", "CFLR_RANK_LIST(X)", "typedef"),
    "callgraph/$defs/function/properties/body": ("cli/query/callgraph_print.c", "bodies[]", ";"),
    "callgraph/properties/edges/items/properties/how":
        ("cli/query/callgraph_print.c", "*how(", "\n}"),
    "explain-imprecision/properties/causes/items/properties/cause":
        ("cli/explain/causes.c", "CAUSE_LIST(X)", "static"),
    "query/$defs/entry/properties/through": ("cli/answer/outside.c", '"through", unknown ?', ";"),
}
# words of options and tables that no answer has
NOT_ANSWERED = {"auto", ""}


class Places:
    """Walks a value and its schema, and keeps by which schemas values were described."""

    def __init__(self):
        self.seen = set()

    def described(self, name, node):
        """The schema with those that it refers to: (name, schema) each."""
        yield name, node
        if "$ref" in node:
            path, _, pointer = node["$ref"].partition("#")
            name = path.removesuffix(".json") or name
            found = valid.SCHEMAS[name]
            for key in pointer.split("/")[1:]:
                found = found[key]
            yield from self.described(name, found)

    def walk(self, name, node, value):
        """(container, key, schemas) for each member of an object or a list."""
        nodes = list(self.described(name, node))
        members = value.items() if isinstance(value, dict) else \
            enumerate(value) if isinstance(value, list) else ()
        for key, member in list(members):
            for name_of_one, one in nodes:
                below = one.get("items") if isinstance(value, list) else \
                    one.get("properties", {}).get(key, one.get("additionalProperties"))
                if isinstance(below, dict):
                    self.seen.add(id(below))
                    yield value, key, nodes, list(self.described(name_of_one, below))
                    yield from self.walk(name_of_one, below, member)


def properties(at, node):
    """(path, schema) of all properties that a schema has."""
    if isinstance(node, dict):
        for key, below in node.items():
            if key == "properties":
                yield from ((f"{at}/properties/{one}", found) for one, found in below.items())
            yield from properties(f"{at}/{key}", below)


def lists_of_words(at, node):
    if isinstance(node, dict):
        if any(isinstance(word, str) for word in node.get("enum", ())):
            yield at, {word for word in node["enum"] if word is not None}
        for key, below in node.items():
            yield from lists_of_words(f"{at}/{key}", below)


def words_of_program(path, begin, end):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read().split(begin, 1)[1]
    if end == "DEVICE":
        return set(text.split('"')[0].split())
    text = text.split(end, 1)[0]
    rows = re.findall(r'\bX\(\w+,(?: \d+,)?\s*"([^"]*)"', text)
    return set(rows or re.findall(r'"([a-z0-9-]*)"', text))


def test_words():
    faults, lists = [], {}
    for name, schema in valid.SCHEMAS.items():
        lists.update(lists_of_words(name, schema))
    faults += [f"{at}: WORDS does not say where the program has them"
               for at in sorted(set(lists) ^ set(WORDS))]
    for at, place in WORDS.items():
        if place and at in lists:
            program = words_of_program(*place) - NOT_ANSWERED
            faults += [f"{at}: '{word}' is a word of the schema, or of {place[0]}, and not of both"
                       for word in sorted(program ^ lists[at])]
    return faults


def mutations(value, key, nodes, below):
    """What must not be accepted, one at a time: (what was done, undo)."""
    kept = value[key]
    words = any("enum" in one for _, one in below)
    for wrong in [[["wrong"]], {"wrong": [[]]}, *(["no such word"] if words else [])]:
        value[key] = wrong
        yield f"'{key}' is {wrong}"
    value[key] = kept
    if not isinstance(value, dict):
        return
    if any(key in one.get("required", ()) for _, one in nodes):
        del value[key]
        yield f"'{key}' is missing"
        value[key] = kept
    value["no_such_key"] = [["wrong"]]
    yield "a key is added"
    del value["no_such_key"]


def test_mutations(name, value, done):
    """Each place of a schema is changed in the first answer that has it."""
    faults, n = [], 0
    check = valid.validator(name)
    for container, key, nodes, below in Places().walk(name, valid.SCHEMAS[name], value):
        if (place := (name, id(below[0][1]))) in done:
            continue
        done.add(place)
        for what in mutations(container, key, nodes, below):
            n += 1
            if check.is_valid(value):
                faults.append(f"{name}.json: accepted although {what}")
    return faults, n


def answers(cflr, lines, ndjson):
    """(schema, value) of all that the lines print."""
    for line in lines:
        run = subprocess.run(f'"{cflr}" {line}', shell=True, capture_output=True, text=True,
                             check=False)
        yield valid.name_of(shlex.split(line)), json.loads(run.stdout), line
    for name, line in ndjson:
        run = subprocess.run(f'"{cflr}" {line}', shell=True, capture_output=True, text=True,
                             check=True)
        for one in run.stdout.splitlines():
            yield name, json.loads(one), line


def prepare(cflr, sources_graph, frontend):
    def run(*words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    run(sources_graph, "sources.cflg")
    run(cflr, "solve", "-q", "-g", "pointer.cfg", "sources.cflg", "-o", "r.cflr")
    with open("pointer.cfg", encoding="utf-8") as grammar, \
            open("other.cfg", "w", encoding="utf-8") as other:
        other.write(grammar.read().replace("points-to PointsTo", "points-to Alias"))
    run(cflr, "solve", "-q", "-g", "other.cfg", "sources.cflg", "-o", "other.cflr")
    run(os.path.join(os.path.dirname(sources_graph), "cut_result"), "r.cflr", "2", "cut")
    with open("macro.c", "w", encoding="ascii") as file:  # looks the same twice at one place
        file.write("#define TWICE(x) id(id(x))\nchar *id(char *p) { return p; }\n"
                   "char c, *p; void f(void) { p = TWICE(&c); }\n")
    for name in ("open", "narrow", "calls", "explained", "imprecise/two", "imprecise/callbacks",
                 "imprecise/kept", "places", "macro") if frontend else ():
        run(cflr, "analyze", "-q", "--aliasing", "strict" if name == "places" else "any",
            f"{name}.c", "-o", os.path.basename(name) + ".cflr")


def test_answers(cflr, frontend):
    places, faults, done, refused, n = Places(), [], set(), 0, 0
    for name, value, line in answers(cflr, RUNS + (FRONTEND_RUNS if frontend else []),
                                     LINES + (FRONTEND_LINES if frontend else [])):
        found = valid.faults(name, value)
        faults += [f"{line}: {fault}" for fault in found]
        if not found:
            list(places.walk(name, valid.SCHEMAS[name], value))
            more, k = test_mutations(name, value, done)
            faults, refused, n = faults + more, refused + k, n + 1
    every = [one for name, schema in valid.SCHEMAS.items() for one in properties(name, schema)]
    if frontend:
        faults += [f"no line prints {path}" for path, node in every
                   if (id(node) in places.seen) == (path in UNSEEN)]
    print(f"{n} answers, {len(every)} properties, {refused} changed answers refused")
    return faults


def test_configuration(cflr):
    """The schema that the command makes of its options, for .cflr.json."""
    printed = subprocess.run([cflr, "info", "--config-schema"], check=True, capture_output=True)
    schema = json.loads(printed.stdout)
    kind = valid.jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    right = {"//": "for people", "solve": {"model": "batch", "threads": 2, "only": ["P", "Q"]},
             "all": {"quiet": True}}
    wrong = [{"solve": {"model": "no such word"}}, {"solve": {"no-such-option": 1}}, [],
             {"no-such-command": {}}, {"all": {"quiet": "yes"}}, {"solve": {"output": "r.cflr"}}]
    faults = [f".cflr.json: {error.message}" for error in kind(schema).iter_errors(right)]
    return faults + [f".cflr.json: accepted: {one}" for one in wrong if kind(schema).is_valid(one)]


def main():
    cflr, sources_graph, frontend = sys.argv[1], sys.argv[2], sys.argv[3] == "1"
    if valid.jsonschema is None:
        sys.exit(77)
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    for schema in valid.SCHEMAS.values():
        valid.jsonschema.Draft202012Validator.check_schema(schema)
    faults = test_words() + test_configuration(cflr)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(shutil.copytree(data, os.path.join(work, "in")))
        os.environ["PATH"] = os.path.join(work, "in", "bin") + ":" + os.environ["PATH"]
        prepare(cflr, sources_graph, frontend)
        os.environ["CFLR_ARGS"] = "--verbose --threads 2"
        faults += test_answers(cflr, frontend)
        os.chdir("/")
    print("\n".join(faults))
    sys.exit(bool(faults))


main()
