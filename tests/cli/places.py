#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Places that cflr prints are asked back, and must mean the same expression.

Programs with macros in macros, calls in arguments, members, casts, subscripts and declarations are
analysed. Every place that `check`, `query`, `explain` and `callgraph` print of them is asked:

    FILE:LINE:COLUMN          stands for what was printed; or is refused, and the list of candidates
                              has it
    FILE:LINE:COLUMN:NAME     means what was printed

    places.py CFLR
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CFLR = os.path.abspath(sys.argv[1])

MACROS = r'''#include <stdlib.h>
struct s { char *a; struct s *next; char text[8]; char *list[4]; };
static char *id(char *p) { return p; }
static char *both(char *p, char *q) { return p ? p : q; }
#define ID(x) id(x)
#define TWICE(x) ID(ID(x))
#define FIRST(x, y) (id(y), id(x))
#define MEMBER(r) ((r)->next->a)
#define DECLARE(name, value) char *name = value
#define CALL(f, x) f(x)
char *g;
char *(*chosen)(char *) = id;
int main(int argc, char **argv) {
    char x[4], y[4];
    struct s r = { .a = x, .list = {x, y} }, *q = &r;
    r.next = q;
    char *one = TWICE(id(argv[1]));
    char *two = FIRST(x, one);
    char *three = (char *)q->next->a;
    char *four = MEMBER(q), *five = id(id(y));
    DECLARE(six, id(q->list[1]));
    DECLARE(seven, TWICE(FIRST(four, (*q).next->list[argc])));
    char *eight = CALL(chosen, x), *nine = CALL(id, both(x, y));
    char *ten = q->text, **eleven = &q->next->list[2];
    g = argc ? id(one) : (char *)id(two);
    *eleven = both(id(g), TWICE(ten));
    system(TWICE(getenv("X")));
    system(FIRST(getenv("Y"), three));
    system(id(getenv("Z"))); system(*eleven); system(MEMBER(q));
    return four == five && six == seven && eight == nine && *x == *nine;
}
'''

CALLS = r'''#include <stdlib.h>
#include <string.h>
typedef char *step(char *, int);
struct ops { step *run; char *data; struct { step *deep; } in; };
static char *left(char *p, int n) { return p + n; }
static char *right(char *p, int n) { return n ? p : strdup(p); }
static char *apply(step *f, char *p) { return f(p, 1); }
static char **fill(char **to, char *value) { to[0] = value; return to; }
#define RUN(o) ((o)->run((o)->data, 0))
#define OR(a, b) ((a) ? (a) : (b))
#define NEST(o) apply((o)->in.deep, RUN(o))
static struct ops table[2] = {{left, 0, {right}}, {right, 0, {left}}};
char *kept[3];
extern char *elsewhere(char *);
int main(int argc, char **argv) {
    struct ops *o = &table[argc > 1];
    char *text = malloc(8), *copy = strdup(argv[argc - 1]);
    o->data = OR(text, copy);
    char *result = RUN(o), *again = NEST(o);
    char *direct = o->run(o->data, 1), *star = (*o->in.deep)(o->data, 2);
    char *nested = apply(left, apply(right, apply(o->run, text)));
    char **filled = fill(kept, OR(left(text, 1), right(copy, 0)));
    char *odd = *fill(&kept[1], *filled), *far = elsewhere(odd);
    char *cast = (char *)(void *)((struct ops *)(void *)o)->data;
    char *twice = o->run(o->data, 2), *thrice = (o->run)(again, 3);
    memcpy(text, copy, 4);
    text[0] = 'x';
    system(again); system(RUN(o)); system(
        apply(left,
              getenv("HOME")));
    free(result); free(cast); free(twice); free(thrice);
    return *direct == *star && *nested == *far && kept[2] == odd;
}
'''


def run(directory, *words, text=None):
    return subprocess.run([CFLR, *words, "-q"], cwd=directory, capture_output=True, text=True,
                          input=text, check=False)


def answer(directory, *words):
    done = run(directory, *words, "--format", "json")
    assert done.returncode in (0, 1), (words, done.returncode, done.stderr)
    return json.loads(done.stdout)


def answers(directory, command, questions):
    """{question: its answer}, without those that are refused."""
    text = "\n".join(questions)
    done = run(directory, command, "r.cflr", "-", "--format", "json", text=text)
    assert done.returncode in (0, 1, 2), (command, done.returncode, done.stderr)
    return {one["question"]: one for one in json.loads(done.stdout)}


# ---- what is printed ----

def vertices_in(value, found):
    """Every vertex with a place in an answer."""
    if isinstance(value, dict):
        if {"vertex", "name", "kind", "file", "line", "column"} <= value.keys():
            found[value["vertex"]] = value
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        vertices_in(part, found)


def steps_in(value, found):
    """Every place of a step: that of what goes from one vertex to another."""
    if isinstance(value, dict):
        if {"from", "to", "file", "line", "column"} <= value.keys():
            found.append(value)
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        steps_in(part, found)


def place_of(value):
    return f"{os.path.basename(value['file'])}:{value['line']}:{value['column']}"


def printed(directory, name):
    """The vertices, steps and calls that commands print of one program."""
    found, steps, asked = {}, [], set()
    rules = ["--rules", "command", "--rules", "null"]
    assert run(directory, "analyze", name, *rules, "-o", "r.cflr").returncode == 0
    findings = answer(directory, "check", name, *rules)
    vertices_in(findings, found)
    steps_in(findings, steps)
    assert found and steps
    while set(found) - asked:  # what is asked about, by its number, prints more
        new = sorted(set(found) - asked)
        asked.update(new)
        for command, words in (("query", "points-to"), ("query", "aliases"),
                               ("explain", "points-to")):
            told = list(answers(directory, command, [f"{words} {v}" for v in new]).values())
            assert told
            vertices_in(told, found)
            steps_in(told, steps)
    return found, steps, answer(directory, "callgraph", "r.cflr")["edges"]


# ---- asked back ----

class Asked:
    """What `cflr query` says of places."""

    def __init__(self, directory, command, words):
        """`words`: places, perhaps with names."""
        self.directory, self.command = directory, command
        questions = {word: f"points-to {word}" for word in words}
        told = answers(directory, command, questions.values())
        self.subjects, self.candidates = {}, {}
        for word, question in questions.items():
            if question in told:
                self.subjects[word] = [about["name"] for about in told[question]["subjects"]]
            else:
                self.candidates[word] = self.refused(question)

    def refused(self, question):
        """The names of the candidates; none where nothing is there."""
        done = run(self.directory, self.command, "r.cflr", question)
        assert done.returncode == 2, (question, done.returncode)
        many = "several expressions stand at" in done.stderr
        lines = re.findall(r"^ {6}\S.* for \S+: (.*) \([a-z]+[,)]", done.stderr, re.M)
        assert bool(lines) == many and many != ("cflr: nothing at " in done.stderr), done.stderr
        return lines

    def names(self, word):
        return self.subjects.get(word) or self.candidates[word]


def expression(name):
    """Of what a vertex without an expression of its own belongs to: what a value points to, the
    address of one, a value behind a test, what is given to a call and what it returns."""
    name = re.sub(r"^\[guarded (?:argument )?(.*)\]$", r"\1", name.lstrip("*&"))
    return re.sub(r"\((\d+|ret)\)$", "", name).lstrip("*&")


def means(names, vertex):
    """Is the vertex what is named, a member of what is declared there, or on the way to one?"""
    wanted = expression(vertex["name"])
    return any(wanted == expression(name) or wanted.startswith(name + ".") or
               name.startswith(wanted + ".") for name in names)


def check_vertices(directory, vertices):
    asked = Asked(directory, "query", {place_of(v) for v in vertices})
    for v in vertices:
        names = asked.names(place_of(v))
        behind_test = v["name"].startswith("[guarded ")  # of a macro's argument: nothing is written
        assert means(names, v) or (names and behind_test), (place_of(v), v, names)
    named = {f"\"{place_of(v)}:{v['name']}\"": v for v in vertices if '"' not in v["name"]}
    for command in ("query", "explain"):
        asked = Asked(directory, command, named)
        for word, v in named.items():
            assert set(asked.names(word)) == {v["name"]}, (command, word, asked.names(word))


def check_steps(directory, steps, edges):
    """A step is where its source or its target is, or at the call between. Of a `return` it is at
    the word itself, which is no expression: then nothing is there."""
    calls = {place_of(edge) for edge in edges}
    asked = Asked(directory, "query", {place_of(step) for step in steps})
    same = 0
    for step in steps:
        place = place_of(step)
        names = asked.names(place)
        same += means(names, step["from"]) or means(names, step["to"])
        called = place in calls and any(name.endswith("()") for name in names)
        returned = not names and step["to"]["name"] == "return"
        assert means(names, step["from"]) or means(names, step["to"]) or called or returned, \
            (place, step, names)
    assert same > len(steps) / 2
    return len(asked.subjects) + len(asked.candidates)


def check_calls(directory, edges):
    """`cflr explain` takes each call by the place that `cflr callgraph` prints; a call through a
    pointer, whose results are used in these programs, stands there."""
    through = {place_of(edge) for edge in edges if edge["how"] == "pointer"}
    asked = Asked(directory, "query", through)
    for place in through:
        assert any(name.endswith("()") for name in asked.names(place)), (place, asked.names(place))
    direct = [edge for edge in edges if edge["how"] in ("direct", "pointer")]
    questions = [f"{place_of(edge)} calls {edge['callee']['name']}" for edge in direct]
    told = answers(directory, "explain", questions)
    for question in questions:
        assert told[question]["answer"] is True, (question, told[question])
    assert len(questions) > 10


def check_program(directory, name):
    found, steps, edges = printed(directory, name)
    check_vertices(directory, list(found.values()))
    check_calls(directory, edges)
    n = check_steps(directory, steps, edges)
    print(f"{name}: {len(found)} vertices, {len(edges)} calls, steps at {n} places")


def main():
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (("macros.c", MACROS), ("calls.c", CALLS)):
            with open(os.path.join(directory, name), "w", encoding="ascii") as file:
                file.write(text)
            check_program(directory, name)


main()
