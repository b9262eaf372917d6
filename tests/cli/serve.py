#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cflr serve`, played by a client: hovers beside the answers of `cflr query` at every place of a
program, calls through pointers beside `cflr callgraph`, findings that come and go, texts that have
changed, encodings, requests that are cancelled, input that makes no sense, and ends.

    serve.py CFLR
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from language_client import Client, uri_of

CFLR = os.path.abspath(sys.argv[1])
PROGRAM = r'''#define CELL(r) ((r)->ops->data)
#include <stdlib.h>
#include <string.h>
#define BOTH(a, b) ((a) ? (a) : (b))
struct ops { int (*run)(int *); int *data; struct { char *in; } inner; };
static int one(int *p) { return *p; }
static int two(int *p) { return p[1]; }
static int other(char *p) { return *p; }
static struct ops table[2] = {{one, 0, {0}}, {two, 0, {0}}};
static int x, y;
extern int *elsewhere(int **where);
extern int (*given)(int *);
static int call(struct ops *o, int *v) { return o->run(v) + (*o->run)(v); }
int (*hook)(int *);
static int *same(int *p) { return p; } void *any;
int main(int argc, char **argv) {
    int *p = argc ? &x : &y;
    int **pp = &p, *q = BOTH(p, &x);
    int local[4], *list[3] = {&x, local, 0};
    struct ops own = {hook, &y, {argv[0]}}, *o = &own;
    char *text = "text", *copy = strdup(text);
    hook = argc > 1 ? one : two;
    any = argc > 2 ? (void *)other : (void *)one;
    local[0] = hook(*pp) + list[argc][0];
    table[argc].data = malloc(4);
    unsigned u = (unsigned)(unsigned long)p;
    int *back = (int *)(unsigned long)u;
    int **moved = (int **)((char *)pp + argc);
    int *far = elsewhere(&q);
    o->inner.in = copy;
    struct rows { struct ops *ops; } one_row = {o}, *rows = &one_row;
    int *cell = CELL(rows), *again = same(p); any = cell; any = again;
    return call(&table[argc], p) + (hook)(back) + local[1] + *far + **moved
           + o
               ->run(far) + ((int (*)(int *))any)(o->data) + given(q);
}
'''


def run(directory, *words, code=None, text=None):
    done = subprocess.run([CFLR, *words], cwd=directory, capture_output=True, text=True, input=text,
                          check=False)
    if code is not None:
        assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout


def write(directory, name, text, encoding="utf-8"):
    with open(os.path.join(directory, name), "w", encoding=encoding, newline="") as file:
        file.write(text)


def read(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", newline="") as file:
        return file.read()


def analysed(directory, name, text, *options, encoding="utf-8"):
    """Writes the file and its result; the file is older than the result then."""
    write(directory, name, text, encoding)
    old = time.time() - 60
    os.utime(os.path.join(directory, name), (old, old))
    time.sleep(0.1)  # the entry of the file has a time too, which nothing can set back
    run(directory, "analyze", "-q", name, "-o", "given.cflr", *options, code=0)


def loaded(client):
    """Waits until a place has an answer, which is when the result is there."""
    for note in client.notes:
        assert note["method"] != "window/showMessage", note


# ---- hovers and questions ----

def answers_of(directory, result, questions):
    """What `cflr query` prints for each question, without headings and what stands at a place."""
    out = run(directory, "query", "-q", result, "-", text="\n".join(questions))
    answers, last = {}, None
    for line in out.split("\n"):
        if line.startswith("# "):
            last = line[2:]
            answers[last] = []
        elif line and not re.match(r"\S+:\d+:\d+ is ", line):
            answers[last].append(line)
    return answers


def expected(lines):
    """The lines of a hover for those of an answer: objects first, then what they rest on."""
    items, rest = [], ""
    for line in lines:
        if line.startswith("no others"):
            rest = line
        elif line.startswith("none"):
            return ["nothing" + line[4:]]
        elif "(lost" in line:
            place, name = line.rsplit(" (lost", 1)[0].split(": ", 1)
            items.append(f"unknown: a value is not followed: {name}, at {place}")
        else:
            items.append(line)
    return sorted(items) + ([rest] if rest else []) or ["nothing"]


def shown(section):
    """The lines of one answer of a hover, as expected() has them."""
    lines = section.strip().split("\n")
    if " points to nothing" in lines[0]:
        return ["nothing" + lines[0].split(" points to nothing")[1]]
    assert lines[0].endswith(" may point to:"), section
    items = sorted(line[2:] for line in lines[1:] if line.startswith("  "))
    rest = [line for line in lines[1:] if line and not line.startswith("  ")]
    return items + [line for line in rest if line.startswith("no others")]


def compare_hovers(directory, name, client, text):
    """Every byte of the program: where `cflr query` has an answer, a hover has it too, and where it
    has several, all of them; and what a hover says is never anything else."""
    places = [(i + 1, k + 1) for i, line in enumerate(text.split("\n")) for k in range(len(line))]
    questions = {f"points-to {name}:{line}:{column}": (line, column) for line, column in places}
    answers = answers_of(directory, "given.cflr", questions)
    known = {tuple(expected(lines)) for lines in answers.values()}
    n, ambiguous = 0, 0
    for question, (line, column) in questions.items():
        hover = client.hover(name, line - 1, column - 1)
        if hover and " is a function: " in hover:
            continue
        if question not in answers:
            if hover is None:
                continue
            for section in sections_of(hover):  # of a token elsewhere, or of the one that is named
                if tuple(shown(section)) not in known:
                    ambiguous += 1
            continue
        got = shown(sections_of(hover)[0])
        assert got == expected(answers[question]), (question, got, answers[question])
        n += 1
    return n, ambiguous


def sections_of(hover):
    found = []
    for line in hover.split("\n"):
        if line.endswith(" may point to:") or " points to nothing" in line:
            found.append("")
        if line.startswith("the call "):
            break
        if found:
            found[-1] += line + "\n"
    assert found, hover
    return found


def check_hovers(directory):
    analysed(directory, "a.c", PROGRAM)
    client = Client(CFLR, directory, "given.cflr")
    client.open("a.c")
    n, elsewhere = compare_hovers(directory, "a.c", client, PROGRAM)
    assert n > 60, n
    # a macro makes several expressions in one column: those are asked for by their names
    line = next(i for i, text in enumerate(PROGRAM.split("\n")) if "CELL(rows" in text)
    column = PROGRAM.split("\n")[line].index("CELL")
    both = sections_of(client.hover("a.c", line, column))
    assert len(both) == 2, both
    for section in both:
        asked = section.split(" may point to:")[0]
        question = f"points-to a.c:{line + 1}:{column + 1}:{asked}"
        out = answers_of(directory, "given.cflr", [question])
        assert [shown(section)] == [expected(lines) for lines in out.values()], (section, out)
    assert elsewhere == 0, elsewhere
    # words that a reader must find
    def at(text, part, offset=0):
        line = next(i for i, found in enumerate(PROGRAM.split("\n")) if text in found)
        return line, PROGRAM.split("\n")[line].index(text) + text.index(part) + offset
    assert "or others: from code without model" in client.hover("a.c", *at("given(q)", "given")) \
        or "no function that is known: from code without model" in \
        client.hover("a.c", *at("given(q)", "given"))
    far = client.hover("a.c", *at("*far +", "far"))
    assert "elsewhere" in far and "unknown" in far, far
    entered = client.hover("a.c", *at("any)(o->data)", "any"))
    assert "other (function)" in entered, entered
    # what is written as an argument of a macro stands where it is written
    assert "`" not in client.hover("a.c", *at("BOTH(p,", "p"))
    assert client.hover("a.c", *at("BOTH(p,", "p")).startswith("p may point to:")
    assert client.hover("a.c", *at("BOTH(p, &x)", "&")).startswith("&x may point to:")
    # a declaration: of a local, a parameter, a global, an array, and what functions return
    assert client.hover("a.c", *at("int **pp = &p", "pp")).startswith("pp may point to:")
    assert client.hover("a.c", *at("call(struct ops *o, int *v)", "v)")).startswith("v may point")
    assert client.hover("a.c", *at("int (*hook)(int *)", "hook")).startswith("hook may point to:")
    assert "local (variable, in main)" in client.hover("a.c", *at("local[4], *list", "local"))
    assert client.hover("a.c", *at("int main(", "main")) == \
        "main is a function: no pointer that it returns is known\n"
    assert client.hover("a.c", *at("static int *same(int", "same")).startswith(
        "what same returns may point to:\n\n  a.c:10:12: x (variable)")
    # of what begins in a column, what the token names
    hook = client.hover("a.c", *at("hook(*pp)", "hook"))
    assert hook.startswith("hook may point to:") and len(sections_of(hook)) == 1, hook
    assert client.hover("a.c", *at("same(p)", "same")).startswith("same() may point to:")
    # from the bracket that opens a call or a subscript, and from the dot or arrow of a member
    assert client.hover("a.c", *at("strdup(text)", "(")) == \
        client.hover("a.c", *at("strdup(text)", ")"))
    assert "in" in client.hover("a.c", *at("o->inner.in", ".in"))
    # nothing in a comment, a keyword, a number, white space
    for text, part in (("return call", "return"), ("local[4]", "4"), ("    int **pp", " ")):
        assert client.hover("a.c", *at(text, part)) is None, (text, part)
    assert client.leave() == 0
    markdown = Client(CFLR, directory, "given.cflr", formats=["markdown", "plaintext"])
    markdown.open("a.c")
    got = markdown.hover("a.c", *at("o->data", "data"))
    assert f"- [a.c:10:15]({uri_of(os.path.join(directory, 'a.c'))}#L10): y (variable)" in got, got
    assert markdown.leave() == 0
    check_long(directory)
    return n + check_kinds(directory)


def check_kinds(directory):
    """The same of graphs of other kinds: what the outside gives, what escapes, members that are not
    told apart."""
    n = 0
    for options, word in ((["--world", "open"], "escapes"),
                          (["--world", "open"], "memory (through"),
                          (["--aliasing", "any"], ""), (["--fields", "insensitive"], ""),
                          (["--locals", "whole", "--context", "clone"], "")):
        analysed(directory, "a.c", PROGRAM, *options)
        client = Client(CFLR, directory, "given.cflr")
        client.open("a.c")
        some, elsewhere = compare_hovers(directory, "a.c", client, PROGRAM)
        assert elsewhere == 0 and some > 40, (options, some, elsewhere)
        lines = PROGRAM.split("\n")
        hovers = [client.hover("a.c", i, k) or "" for i, line in enumerate(lines)
                  for k in range(len(line)) if word]
        assert not word or any(word in hover for hover in hovers), word
        assert client.leave() == 0
        n += some
    return n


def check_long(directory):
    """Of a long list the first objects, and how many more; all that is unknown beside them."""
    names = [f"x{k}" for k in range(15)]
    text = (f"int {', '.join(names)};\nint *given(void), *p;\nint main(void) {{\n" +
            "".join(f"    p = &{name};\n" for name in names) +
            "    p = given();\n    return *p;\n}\n")
    analysed(directory, "long.c", text)
    client = Client(CFLR, directory, "given.cflr")
    client.open("long.c")
    line = text.split("\n").index("    return *p;")
    lines = client.hover("long.c", line, 12).split("\n")
    assert [at for at in lines if "(variable)" in at] == [
        f"  long.c:1:{text.index(name) + 1}: {name} (variable)" for name in names[:10]], lines
    assert "  long.c:2:6: given (unknown)" in lines and "  and 5 more" in lines, lines
    assert client.leave() == 0


# ---- calls ----

def check_calls(directory):
    client = Client(CFLR, directory, "given.cflr")
    client.open("a.c")
    edges = json.loads(run(directory, "callgraph", "-q", "given.cflr", "--format", "json"))
    lines = PROGRAM.split("\n")

    def names(result):
        return sorted(lines[at["range"]["start"]["line"]]
                      [at["range"]["start"]["character"]:at["range"]["end"]["character"]]
                      for at in result or [] if at["uri"] == uri_of(os.path.join(directory, "a.c")))

    through = {}
    for edge in edges["edges"]:
        if edge["how"] == "pointer":
            through.setdefault((edge["line"], edge["column"], edge["through"]), set()).add(
                edge["callee"]["name"])
    assert len(through) >= 5, through
    for (line, column, expression), callees in through.items():
        token = expression.replace("*", "").split(">")[-1]
        at, found = line - 1, -1
        while found < 0:  # a call may go over lines
            found = lines[at].find(token, column - 1 if at == line - 1 else 0)
            at += found < 0
        for method in ("definition", "implementation"):
            got = names(client.request("textDocument/" + method, client.at("a.c", at, found)))
            assert got == sorted(callees), (method, expression, got, callees)
    # another server answers for all else
    for text, part in (("call(&table", "call"), ("hook = argc", "hook"), ("int *p =", "p")):
        line = next(i for i, found in enumerate(lines) if text in found)
        place = client.at("a.c", line, lines[line].index(text) + text.index(part))
        assert client.request("textDocument/definition", place) is None, text
    line = next(i for i, found in enumerate(lines) if "hook = argc" in found)
    assert names(client.request("textDocument/implementation", client.at(
        "a.c", line, lines[line].index("hook")))) == ["one", "two"]
    compare_hierarchy(directory, client, edges, lines)
    aliases = client.request("workspace/executeCommand", {
        "command": "cflr.aliases",
        "arguments": [client.at("a.c", line, lines[line].index("hook"))]})
    texts = sorted(place["text"] for place in aliases["places"])
    want = run(directory, "query", "-q", "given.cflr", f"aliases a.c:{line + 1}:5", code=0)
    assert texts == sorted(t for t in want.strip().split("\n")[1:] if t[:9] != "no others"), \
        (texts, want)
    assert client.leave() == 0


def compare_hierarchy(directory, client, edges, lines):
    """All edges of the graph of calls, from both ends."""
    del directory
    incoming, outgoing = {}, {}
    for edge in edges["edges"]:
        incoming.setdefault(edge["callee"]["name"], set()).add(edge["caller"]["name"])
        outgoing.setdefault(edge["caller"]["name"], set()).add(edge["callee"]["name"])
    unresolved = {edge["function"] for edge in edges["unresolved"]}
    n = 0
    for name in ("one", "two", "other", "call", "main"):
        line = next(i for i, found in enumerate(lines)
                    if f"int {name}(" in found and found.rstrip().endswith(("}", "{")))
        items = client.request("textDocument/prepareCallHierarchy",
                               client.at("a.c", line, lines[line].index(name + "(")))
        assert [item["name"] for item in items] == [name], items
        got = client.request("callHierarchy/incomingCalls", {"item": items[0]})
        assert {call["from"]["name"] for call in got} == incoming.get(name, set()), (name, got)
        got = client.request("callHierarchy/outgoingCalls", {"item": items[0]})
        callees = {call["to"]["name"] for call in got}
        assert ("?" in callees) == (name in unresolved), (name, callees)
        assert callees - {"?"} == outgoing.get(name, set()), (name, callees)
        n += len(got)
    assert n > 5, n


# ---- texts that have changed ----

def check_drift(directory):
    analysed(directory, "a.c", PROGRAM)
    client = Client(CFLR, directory, "given.cflr", encodings=["utf-32"])
    client.open("a.c")
    lines = PROGRAM.split("\n")
    line = next(i for i, found in enumerate(lines) if "= hook(*pp)" in found)
    column = lines[line].index("hook")
    first = client.hover("a.c", line, column)

    def change(begin, end, text):
        client.change("a.c", {"range": {"start": {"line": begin[0], "character": begin[1]},
                                        "end": {"line": end[0], "character": end[1]}},
                              "text": text})

    note = "\nas it was when it was analysed: the text has changed elsewhere\n"
    change((0, 0), (0, 0), "// one\n// two\n")  # before it
    assert client.hover("a.c", line, column) != first
    assert client.hover("a.c", line + 2, column) == first + note
    change((line + 4, 0), (line + 5, 0), "")  # a line behind it is gone
    assert client.hover("a.c", line + 2, column) == first + note
    links = client.request("textDocument/definition", client.at("a.c", line + 2, column))
    shifted = next(i for i, found in enumerate(lines) if "static int one" in found) + 2
    assert shifted in [at["range"]["start"]["line"] for at in links], links
    change((line + 2, 0), (line + 2, 0), " ")  # the line itself
    said = client.hover("a.c", line + 2, column + 1)
    assert said == "cflr: this line has changed since the analysis\n", said
    assert client.request("textDocument/definition", client.at("a.c", line + 2, column + 1)) is None
    change((line + 2, 0), (line + 2, 1), "")  # as it was
    assert client.hover("a.c", line + 2, column) == first + note
    client.change("a.c", {"text": PROGRAM})  # all of it, in another way of changing
    assert client.hover("a.c", line, column) == first
    draw_edits(client, lines)
    # a file that is newer than the result is not what was analysed
    client.notify("textDocument/didClose", client.at("a.c", 0, 0))
    write(directory, "a.c", PROGRAM)
    client.open("a.c")
    said = client.hover("a.c", line, column)
    assert said == "cflr: the file has changed since the analysis\n", said
    assert client.leave() == 0


def draw_edits(client, lines):
    """Lines are added, dropped and swapped: a hover on a line is that of the same text before, or
    says that the line has changed."""
    draw = random.Random(3)
    at = {}
    for i, line in enumerate(lines):
        for column in range(len(line)):
            hover = client.hover("a.c", i, column) if line.strip() else None
            if hover:
                at.setdefault(line, {})[column] = hover.replace(
                    "\nas it was when it was analysed: the text has changed elsewhere\n", "")
    kept, all_seen = 0, 0
    for _ in range(12):
        now = list(lines)
        for _ in range(draw.randint(1, 6)):
            k = draw.randrange(len(now))
            what = draw.choice(["add", "drop", "swap", "change"])
            if what == "add":
                now.insert(k, draw.choice(["", "// x", "int z;", "}"]))
            elif what == "drop":
                now.pop(k)
            elif what == "swap" and k + 1 < len(now):
                now[k], now[k + 1] = now[k + 1], now[k]
            else:
                now[k] += " "
        client.change("a.c", {"text": "\n".join(now)})
        for i, line in enumerate(now):
            for column in list(at.get(line, {}))[::7]:
                hover = client.hover("a.c", i, column)
                all_seen += 1
                if hover and not hover.startswith("cflr: "):
                    kept += 1
                    same = hover.replace("\nas it was when it was analysed: the text has changed "
                                         "elsewhere\n", "")
                    # places in this file move with the text in links only, not in words
                    assert same == at[line][column], (line, column, same, at[line][column])
    assert kept > all_seen * 0.8, (kept, all_seen)


# ---- encodings ----

WIDE = '''/* Grüße */ static int x; static char wide[] = "ä€\U0001d11e"; char *z;
int main(void) { char *w = "é\U0001d11e", *v = wide; /* \U0001d11e */ int *p = &x, *q; q = p; z = w;
    return *q + *v; }
'''


def check_encodings(directory):
    analysed(directory, "wide.c", WIDE)
    lines = WIDE.split("\n")
    places = [(1, lines[1].index("&x")), (1, lines[1].index("= p;") + 2),
              (1, lines[1].index("wide")), (1, lines[1].index("= w;") + 2)]
    units = {"utf-8": lambda text: len(text.encode()), "utf-32": len,
             "utf-16": lambda text: len(text.encode("utf-16-le")) // 2}
    hovers = {}
    for name, count in units.items():
        client = Client(CFLR, directory, "given.cflr", encodings=["latin-1", name, "utf-16"])
        assert client.capabilities["positionEncoding"] == name
        client.open("wide.c")
        for line, k in places:
            place = client.at("wide.c", line, count(lines[line][:k]))
            result = client.request("textDocument/hover", place)
            assert result, (name, lines[line][k:])
            begin = result["range"]["start"]["character"]
            assert begin == place["position"]["character"], (name, result)
            hovers.setdefault((line, k), set()).add(result["contents"]["value"])
        # changes count in the same units
        before = count(lines[1][:lines[1].index("int *p")])
        client.change("wide.c", {"range": {"start": {"line": 1, "character": before},
                                           "end": {"line": 1, "character": before + 3}},
                                 "text": "int"}, {"range": {
                                     "start": {"line": 1, "character": before},
                                     "end": {"line": 1, "character": before}}, "text": ""})
        assert client.hover("wide.c", 1, count(lines[1][:places[0][1]])) in hovers[places[0]]
        assert client.leave() == 0
    assert all(len(found) == 1 for found in hovers.values()), hovers
    check_closed(directory, units)
    default = Client(CFLR, directory, "given.cflr")
    assert default.capabilities["positionEncoding"] == "utf-16"
    assert default.leave() == 0
    # a file in another encoding, which the client decodes
    text = ("static int x; /* \xe9\xe8 */ int *p = &x; /* \xfc */ int *q = &x;\n"
            "int main(void) { return *p; }\n")
    analysed(directory, "latin.c", text, encoding="latin-1")
    client = Client(CFLR, directory, "given.cflr")
    client.open("latin.c")
    for k in (text.index("&x"), text.rindex("&x")):
        assert "x (variable)" in (client.hover("latin.c", 0, k) or ""), (k, client.said())
    assert client.leave() == 0


def check_closed(directory, units):
    """A place in a file that is not open has columns in the units of the client, too."""
    header = "/* \u00fc\U0001d11e */ static int far(void) { return 0; }\n"
    write(directory, "far.h", header)
    analysed(directory, "near.c", '#include "far.h"\nint (*p)(void) = far;\n'
             "int main(void) { return p(); }\n")
    for name, count in units.items():
        client = Client(CFLR, directory, "given.cflr", encodings=[name])
        client.open("near.c")
        at = client.request("textDocument/definition", client.at("near.c", 2, 24))
        begin, end = at[0]["range"]["start"]["character"], at[0]["range"]["end"]["character"]
        assert (begin, end - begin) == (count(header[:header.index("far")]), 3), (name, at)
        assert client.leave() == 0


def check_links(directory):
    """A client and a build name the same file in different ways, and with bytes to be escaped."""
    folder = os.path.join(directory, "a b%25#")
    os.makedirs(folder)
    write(folder, "ä c.c", "int x, *p = &x; int main(void) { int *q = p; return *q; }\n")
    os.symlink(folder, os.path.join(directory, "link"))
    time.sleep(0.1)
    run(directory, "analyze", "-q", os.path.join(directory, "link", "ä c.c"), "-o", "given.cflr",
        code=0)
    for path in ("a b%25#/ä c.c", "link/ä c.c"):
        client = Client(CFLR, directory, "given.cflr", formats=["markdown"])
        client.open(path)
        got = client.hover(path, 0, 42)
        assert got and uri_of(os.path.join(directory, path)) + "#L1" in got, got
        assert client.leave() == 0


# ---- analyses ----

BUG = '''#include <stdlib.h>
struct item { int n; };
int main(void) {
    struct item *made = malloc(sizeof *made);
    /* \u00fc\U0001d11e */ made->n = 1; /* here */
    return made->n;
}
'''
FIXED = BUG.replace("    struct", "\n    struct").replace(
    "    /* \u00fc", "    if (!made) return 1;\n    /* \u00fc")
MADE = len("    /* \u00fc\U0001d11e */ ") + 1  # where `made` is written to, as UTF-16 counts


def project(directory, name):
    root = os.path.join(directory, name)
    os.makedirs(root)
    write(root, "bug.c", BUG)
    write(root, "compile_commands.json", json.dumps(
        [{"directory": root, "file": "bug.c", "arguments": ["cc", "-c", "bug.c"]}]))
    write(root, ".cflr.json", json.dumps({"check": {"rules": ["null"]}}))
    cache = os.path.join(directory, "cache")
    time.sleep(0.1)  # what is written as an analysis begins counts as changed
    return root, {"XDG_CACHE_HOME": cache}


def findings(client, name, wanted):
    uri = uri_of(os.path.join(client.root, name))
    note = client.wait("textDocument/publishDiagnostics", lambda m: m["params"]["uri"] == uri
                       and bool(m["params"]["diagnostics"]) == wanted)
    return note["params"]["diagnostics"]


def check_analyses(directory):
    root, environment = project(directory, "project")
    client = Client(CFLR, root, environment=environment, progress=True)
    client.open("bug.c")
    found = findings(client, "bug.c", True)
    assert found[0]["code"] == "null" and found[0]["severity"] in (1, 2, 3), found
    assert found[0]["source"] == "cflr" and "null pointer" in found[0]["message"], found
    assert found[0]["range"] == {"start": {"line": 4, "character": MADE + 6},
                                 "end": {"line": 4, "character": MADE + 7}}, found
    steps = found[0]["relatedInformation"]
    assert len(steps) >= 2 and steps[0]["location"]["range"]["start"]["line"] == 3, steps
    assert "malloc() (allocation, in main)" in client.hover("bug.c", 4, MADE)
    kinds = [note["params"]["value"]["kind"] for note in client.notes
             if note["method"] == "$/progress"]
    assert kinds[:1] == ["begin"], kinds
    client.wait("$/progress", lambda m: m["params"]["value"]["kind"] == "end")
    # the bug is taken out, and put in again
    client.change("bug.c", {"text": FIXED})
    assert "as it was when" in client.hover("bug.c", 6, MADE)
    said = client.hover("bug.c", 5, 9)
    assert said == "cflr: this line has changed since the analysis: save to update\n", said
    write(root, "bug.c", FIXED)
    client.save("bug.c")
    findings(client, "bug.c", False)
    assert "as it was when" not in client.hover("bug.c", 6, MADE)
    client.change("bug.c", {"text": BUG})
    write(root, "bug.c", BUG)
    client.save("bug.c")
    findings(client, "bug.c", True)
    # what a baseline knows is no news
    run(root, "check", "-q", "--baseline", "known", "--update-baseline")
    write(root, ".cflr.json", json.dumps({"check": {"rules": ["null"], "baseline": "known"}}))
    client.save("bug.c")
    findings(client, "bug.c", False)
    assert client.leave() == 0
    assert not [name for name in os.listdir(root) if name.endswith((".cflr", ".sarif"))]
    # the next server has the last result at once
    client = Client(CFLR, root, environment=environment)
    client.open("bug.c")
    assert "malloc()" in client.hover("bug.c", 4, MADE), client.said()
    assert client.leave() == 0


def check_failures(directory):
    root, environment = project(directory, "failing")
    os.remove(os.path.join(root, "compile_commands.json"))
    client = Client(CFLR, root, environment=environment)
    client.open("bug.c")
    note = client.wait("window/showMessage")
    assert "nothing to read" in note["params"]["message"], note
    client.save("bug.c")
    client.save("bug.c")
    time.sleep(1)
    assert client.hover("bug.c", 4, MADE) is None
    assert not [m for m in client.notes if m["method"] == "window/showMessage"], client.notes
    write(root, "compile_commands.json", json.dumps(
        [{"directory": root, "file": "bug.c", "arguments": ["cc", "-c", "bug.c"]}]))
    client.save("bug.c")
    findings(client, "bug.c", True)
    # options are those of the analyses
    for words, why in ((["--memory", "1K"], "memory limit of 1024 bytes"),
                       (["-p", "nowhere"], "nowhere: no compilation database")):
        limited = Client(CFLR, root, *words, environment=environment)
        note = limited.wait("window/showMessage")
        assert why in note["params"]["message"], note
        assert limited.leave() == 0
    # an analysis that hangs: the server does not; then it is killed, and the last result stays
    database = os.path.join(root, "compile_commands.json")
    os.remove(database)
    os.mkfifo(database)
    client.save("bug.c")
    child = client.until(lambda: children_of(client.child.pid), "a child")[0]
    assert "malloc()" in client.hover("bug.c", 4, MADE)
    os.kill(child, signal.SIGKILL)
    note = client.wait("window/showMessage")
    assert "signal 9" in note["params"]["message"], note
    assert "malloc()" in client.hover("bug.c", 4, MADE)
    # it ends with the server, however that ends
    client.request("workspace/executeCommand", {"command": "cflr.analyze", "arguments": []})
    child = client.until(lambda: children_of(client.child.pid), "a child")[0]
    assert client.leave() == 0
    assert not is_there(child)
    for ends in (lambda client: client.child.stdin.close(), lambda client: client.child.kill()):
        client = Client(CFLR, root, environment=environment)
        child = client.until(lambda: children_of(client.child.pid), "a child")[0]
        ends(client)
        client.child.wait(60)
        end = time.monotonic() + 60
        while is_there(child) and time.monotonic() < end:
            time.sleep(0.01)
        assert not is_there(child)
        client.end()


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def is_there(pid):
    """Does the process run? One that has ended, and that none has waited for, does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def check_given(directory):
    """A result that is replaced, damaged, and repaired."""
    analysed(directory, "a.c", "int x; int *p = &x; int main(void) { return *p; }\n")
    client = Client(CFLR, directory, "given.cflr")
    client.open("a.c")
    assert "x (variable)" in client.hover("a.c", 0, 45)
    with open(os.path.join(directory, "given.cflr"), "rb") as file:
        good = file.read()
    with open(os.path.join(directory, "new"), "wb") as file:
        file.write(good[:len(good) // 2])
    os.replace(os.path.join(directory, "new"), os.path.join(directory, "given.cflr"))
    note = client.wait("window/showMessage")
    assert "given.cflr" in note["params"]["message"], note
    assert "x (variable)" in client.hover("a.c", 0, 45)
    text = "int y; int *p = &y; int main(void) { return *p; }\n"
    client.change("a.c", {"text": text})
    analysed(directory, "a.c", text)
    client.until(lambda: "y (variable)" in (client.hover("a.c", 0, 45) or ""), "the new result")
    assert client.leave() == 0
    write(directory, "path.tsv", "a b e\nb c e\n")
    write(directory, "path.cfg", "%start P\nP ::= e | P e\n")
    run(directory, "solve", "-q", "-g", "path.cfg", "path.tsv", "-o", "other.cflr", code=0)
    client = Client(CFLR, directory, "other.cflr")  # not of pointers
    note = client.wait("window/showMessage")
    assert "does not answer 'points-to'" in note["params"]["message"], note
    assert client.leave() == 0
    client = Client(CFLR, directory, "not-there.cflr")
    note = client.wait("window/showMessage")
    assert "not-there.cflr: cannot open" in note["params"]["message"], note
    client.open("a.c")
    assert client.hover("a.c", 0, 45) is None
    assert client.leave() == 0


# ---- the protocol ----

def check_protocol(directory):
    client = Client(CFLR, directory, "given.cflr", start=False)
    assert client.refused("textDocument/hover") == -32002
    client.notify("textDocument/didOpen", {"textDocument": {}})
    client.initialize({})
    assert client.refused("initialize", {}) == -32600
    assert client.refused("no/such") == -32601
    client.notify("no/such")
    client.notify("$/anything")
    client.open("a.c")
    # some that come together, of which the last ones are cancelled while they wait
    numbers, data = list(range(client.last + 1, client.last + 9)), b""
    client.last += len(numbers)
    for number in numbers:
        data += frame({"jsonrpc": "2.0", "id": number, "method": "textDocument/hover",
                       "params": client.at("a.c", 0, 45)})
    for number in numbers[5:]:
        data += frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
    assert len(data) < 4096  # so that a pipe takes it at once
    client.send_bytes(data)
    for number in numbers:
        message = client.answer(number)
        assert ("error" in message) == (number in numbers[5:]), message
        assert "error" not in message or message["error"]["code"] == -32800, message
    assert client.refused("textDocument/hover", {}) == -32602
    assert client.request("shutdown") is None
    assert client.refused("textDocument/hover") == -32600
    client.notify("exit")
    assert client.end() == 0
    client = Client(CFLR, directory, "given.cflr")
    client.notify("exit")
    assert client.end() == 1  # without a shutdown
    client = Client(CFLR, directory, "given.cflr")
    assert client.end() == 1  # a client that is gone
    client = Client(CFLR, directory, "given.cflr")
    client.child.send_signal(signal.SIGTERM)
    assert client.end() == 130
    many_before_reading(directory)


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def many_before_reading(directory):
    """A client that asks more than pipes hold before it reads an answer."""
    client = Client(CFLR, directory, "given.cflr")
    client.open("a.c")
    first = client.last
    for _ in range(3000):
        client.ask("textDocument/hover", client.at("a.c", 0, 45))
    for number in range(first + 1, client.last + 1):
        client.answer(number)
    assert client.leave() == 0


WRONG = [None, True, 7, -1, 1.5, 1e300, 2**62, "", "x", "\0", [], [[]], {}, {"a": 1}]


def check_wrong(directory):
    """Every parameter of every kind; the server goes on."""
    methods = {
        "textDocument/didOpen": {"textDocument": {"uri": "file:///x.c", "languageId": "c",
                                                  "version": 1, "text": "int x;"}},
        "textDocument/didChange": {"textDocument": {"uri": "file:///x.c", "version": 2},
                                   "contentChanges": [{"range": {
                                       "start": {"line": 0, "character": 0},
                                       "end": {"line": 0, "character": 1}}, "text": "y"}]},
        "textDocument/didSave": {"textDocument": {"uri": "file:///x.c"}},
        "textDocument/hover": {"textDocument": {"uri": "file:///x.c"},
                               "position": {"line": 0, "character": 4}},
        "textDocument/definition": {"textDocument": {"uri": "file:///x.c"},
                                    "position": {"line": 0, "character": 4}},
        "textDocument/implementation": {"textDocument": {"uri": "file:///x.c"},
                                        "position": {"line": 0, "character": 4}},
        "textDocument/prepareCallHierarchy": {"textDocument": {"uri": "file:///x.c"},
                                              "position": {"line": 0, "character": 4}},
        "callHierarchy/incomingCalls": {"item": {"data": {"file": "a", "name": "b", "line": 3}}},
        "callHierarchy/outgoingCalls": {"item": {"data": {"file": "a", "name": "b", "line": 3}}},
        "workspace/executeCommand": {"command": "cflr.aliases", "arguments": [
            {"textDocument": {"uri": "file:///x.c"}, "position": {"line": 0, "character": 4}}]},
        "$/cancelRequest": {"id": 3},
    }
    client = Client(CFLR, directory, "given.cflr")
    sent = 0
    for method, right in methods.items():
        for wrong in variants(right):
            client.last += 1
            client.send({"id": client.last, "method": method, "params": wrong})
            client.send({"method": method, "params": wrong})
            sent += 1
            if sent % 50 == 0:
                client.answer(client.last)
    for wrong in WRONG:
        client.send({"id": wrong, "method": "textDocument/hover", "params": {}})
        client.send({"method": wrong})
        client.send_bytes(frame(json.dumps(wrong).encode()))
    for text in (b"", b"{", b"[1,2]", b"\xff\xfe", b"{\"a\":" * 5000, b"null", b"{}"):
        client.send_bytes(frame(text))
    client.until(lambda: (client.messages.get(None) or {}).get("error"), "an error without id")
    assert client.request("shutdown") is None
    client.notify("exit")
    assert client.end() == 0
    roots = [*WRONG, "file:///no/such", "http://x/", "file://host/x", "file:///%",
             "file:///" + "a" * 5000]
    for root in roots:
        client = Client(CFLR, directory, "given.cflr", start=False)
        for parameters in ({"rootUri": root, "capabilities": root},
                           {"workspaceFolders": [{"uri": root}], "capabilities": {
                               "general": {"positionEncodings": root}, "window": root}}):
            client.answer(client.ask("initialize", parameters))
        client.child.kill()
        client.end()
    return sent


def variants(right):
    """The parameters with one member, at any depth, of another kind or gone."""
    yield from WRONG
    if isinstance(right, dict):
        for key, value in right.items():
            yield {k: v for k, v in right.items() if k != key}
            for wrong in variants(value):
                yield {**right, key: wrong}
    elif isinstance(right, list):
        for i, value in enumerate(right):
            for wrong in variants(value):
                yield [*right[:i], wrong, *right[i + 1:]]


def check_mutations(directory):
    """Sessions of which bytes are changed, left out and repeated: whatever that makes of them, the
    server comes to an end of its own."""
    draw = random.Random(7)
    place = {"textDocument": {"uri": uri_of(os.path.join(directory, "a.c"))},
             "position": {"line": 0, "character": 45}}
    whole = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "rootUri": uri_of(directory), "capabilities": {}}})
    whole += frame({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    whole += frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
        "textDocument": {**place["textDocument"], "text": read(directory, "a.c") * 3}}})
    for k, method in enumerate(("hover", "definition", "prepareCallHierarchy")):
        whole += frame({"jsonrpc": "2.0", "id": k + 2, "method": "textDocument/" + method,
                        "params": place})
        whole += frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": place["textDocument"], "contentChanges": [
                {"range": {"start": {"line": k, "character": 3},
                           "end": {"line": k + 1, "character": 0}}, "text": "\u00e4\n"}]}})
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 12)):
            at = draw.randrange(len(data))
            what = draw.choice(["bit", "byte", "cut", "twice"])
            if what == "bit":
                data[at] ^= 1 << draw.randrange(8)
            elif what == "byte":
                data[at] = draw.choice(b'\0\xff{}[]":,0-9\r\n')
            elif what == "cut":
                del data[at:at + draw.randint(1, 20)]
            else:
                data[at:at] = data[at:at + draw.randint(1, 200)]
        done = subprocess.run([CFLR, "serve", "--stdio", "given.cflr"], cwd=directory,
                              input=bytes(data), capture_output=True, timeout=60, check=False)
        assert done.returncode in (0, 1), (done.returncode, done.stderr[-500:])


def check_frames(directory):
    """Heads that make no sense end the server, in order."""
    for head in (b"Content-Length: x\r\n\r\n", b"Content-Length: -1\r\n\r\n{}",
                 b"Content-Length: 99999999999999999999\r\n\r\n",
                 b"Content-Length: 1000000000\r\n\r\n",
                 b"\r\n\r\n", b"Content-Type: a\r\n\r\n", b"garbage\r\n\r\n", b"x" * 20000,
                 b"Content-Length: 5\n\n{}" + b"y" * 20000):
        client = Client(CFLR, directory, "given.cflr")
        try:
            client.send_bytes(head)
            client.until(lambda: (client.messages.get(None) or {}).get("error"), repr(head[:40]))
        except BrokenPipeError:
            pass
        code = client.child.wait(60)
        assert code == 1, (head[:40], code)
        client.end()
    # heads that do make sense, in small pieces
    client = Client(CFLR, directory, "given.cflr")
    data = (b"content-length:  58 \r\n"
            b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"
            + json.dumps({"jsonrpc": "2.0", "id": 99, "method": "shutdown"}).encode().ljust(58))
    for k in range(0, len(data), 7):
        client.send_bytes(data[k:k + 7])
    client.answer(99)
    client.notify("exit")
    assert client.end() == 0


def main():
    directory = os.path.realpath(tempfile.mkdtemp())
    try:
        print("places with answers:", check_hovers(directory))
        analysed(directory, "a.c", PROGRAM)
        check_calls(directory)
        check_drift(directory)
        check_encodings(directory)
        check_links(directory)
        check_given(directory)
        check_protocol(directory)
        print("wrong parameters:", check_wrong(directory))
        check_mutations(directory)
        check_frames(directory)
        check_analyses(directory)
        check_failures(directory)
    finally:
        shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
