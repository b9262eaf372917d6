#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates small, sparse, pointer-heavy C programs for a dynamic soundness oracle.

A program is instrumented and run, and every (pointer expression, object) pair seen at a dereference
must be in the result of the static analysis. So a program has to be

  * sparse: every object is fresh and normally has one way only to the dereference, through the
    construct under test, so that a flow the analysis loses is not masked by another path;
  * defined: it ends with exit code 0, reads no input and is clean under the address and undefined
    sanitizers;
  * observed: every pointer that a construct moved is dereferenced (or called) in the end.

    generate.py --list                                   the dials: name, short text
    generate.py --seed N [--dial NAME]                   one program; without --dial: dial N modulo
                                                         their number, gaps left out
    generate.py --from A --to B --out DIR [--dial NAME]  DIR/NNNNN-DIAL.c for each seed from A to B
                                                         (included)

With --combine, or the name A+B for a dial, a pointer goes through two constructs: where a scene of
A would use it, a scene of B takes it for its objects. Seeds choose every pair in turn.

A *dial* is one construct. A program is a few *scenes* of one dial; each is a function or a block of
main, with a target type of its own. The C text of a scene is written as a template:

  $name       a name of this scene (p in scene 2 is p_2); $T is the target type, a scalar or a
              struct
  OBJ         the address of a fresh T object, in any storage, perhaps passed through a plain flow
              first
  GOBJ        the same as an address constant, for the initialisers of static variables
  FUN         a fresh function T *(T *) that dereferences its argument
  USE(e);     a dereference of e, a T *; often at the end of a plain flow (copy, parameter, return,
              member, ...)
  READ(e);    the same, but nothing is written through e and there is no further flow
  CALL(f);    a call of f, a T *(*)(T *), with a fresh object; the result is dereferenced
  VAL(e)      the scalar that e, a T *, points to

A word given as a pair (type, suffix) stands for a fresh variable `type name suffix` in random
storage; it is made when the text names it.

`zero` is a volatile 0, so that a condition on it has one outcome at run time and two for a
compiler; `sink` takes what is read. The same seed and dial give the same text everywhere: nothing
depends on Python's hash or random.
"""
import argparse
import os
import re
import string
import textwrap

DIALS = {}
GAPS = set()
UNTYPED = set()  # dials that break the rules of aliasing (C11 6.5 paragraph 7)
CARRYING = set()  # dials that copy pointers as text (docs/explanation/aliasing.md, "Text")
MARK = re.compile(r"\b(?:(USE|READ|CALL|VAL)\(|(OBJ|GOBJ|FUN)\b)")
HEADERS = {
    "pthread.h": r"pthread_\w+",
    "search.h": r"tsearch|tfind|twalk|tdelete|lfind|lsearch|insque|hsearch",
    "setjmp.h": r"jmp_buf",
    "stdarg.h": r"va_list",
    "stddef.h": r"offsetof|ptrdiff_t|size_t",
    "stdint.h": r"u?int(?:ptr|\d+)_t",
    "stdio.h": r"getline|open_memstream|sscanf|FILE",
    "stdlib.h": r"[mc]alloc|realloc|alloca|free|qsort|bsearch|strtol|strtod|getenv|setenv|atexit"
                r"|realpath|exit\(",
    "unistd.h": r"pipe\(",
    "string.h": r"mem\w+|str(?:dup|chr|rchr|str|cpy|cat|cmp|pbrk|tok|tok_r|sep|ndup|len)|stpcpy",
}


def dial(text, gap=False, untyped=False, carrying=False):
    """Registers a function as the dial of its name. A gap is a construct that
    docs/reference/constructs.md says the analysis does not model: no seed chooses it, --dial does.
    An untyped one reads memory by types that it does not have, a carrying one copies pointers as
    text."""
    def register(function):
        DIALS[function.__name__] = (function, text)
        if gap:
            GAPS.add(function.__name__)
        if untyped:
            UNTYPED.add(function.__name__)
        if carrying:
            CARRYING.add(function.__name__)
        return function
    return register


class Random:
    """The splitmix64 generator."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
        return ((bits ^ (bits >> 31)) >> 8) % limit


class SceneNames(dict):
    """The names of a template: what the caller gave, otherwise the name itself with the scene's
    number."""

    def __init__(self, scene, given):
        super().__init__(given)
        self.scene = scene

    def __missing__(self, name):
        return f"{name}_{self.scene}"


class Program:
    """Builds one program: `top` adds file-level text, `body` adds statements to the current
    scene."""

    def __init__(self, name, seed):
        start = seed
        for letter in name:
            start = start * 131 + ord(letter)
        self.random = Random(start)
        untyped = ", breaks the rules of aliasing" if UNTYPED & set(name.split("+")) else ""
        carrying = ", copies pointers as text" if CARRYING & set(name.split("+")) else ""
        self.title = f"/* dial {name}, seed {seed}{untyped}{carrying} */"
        self.file = []          # file-level texts, in order
        self.main = []          # statements of main
        self.lines = []         # statements of the current scene
        self.scene = 0          # the number of the current one
        self.scenes = 0         # how many there are
        self.next = []          # the dials that a pointer still has to go through
        self.fed = ""           # the pointer that came out of the scene around this one
        self.fresh = 0
        self.type = "int"       # the target type, and its member to access when it is a struct
        self.member = ""
        self.in_file = False    # is the text at hand outside the scene's own function?

    # Random choices and fresh names

    def number(self, low, high):
        return low + self.random.below(high - low + 1)

    def pick(self, *options):
        return options[self.random.below(len(options))]

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    # Text

    def fill(self, text, words):
        given = {"T": self.type}
        for key, value in words.items():
            if not isinstance(value, tuple):
                given[key] = string.Template(value).substitute(SceneNames(self.scene, given))
            elif re.search(rf"\${key}\b", text):
                given[key] = self.place(*value, shared=self.in_file)
        return self.replace(string.Template(text).substitute(SceneNames(self.scene, given)))

    def top(self, text, **words):
        self.in_file = True
        self.file.append(self.fill(one_a_line(textwrap.dedent(text).strip("\n")), words))
        self.in_file = False

    def body(self, text, **words):
        self.lines += self.fill(one_a_line(textwrap.dedent(text).strip("\n")), words).split("\n")

    def one_of(self, *options, **words):
        """Picks one option: statements, or a pair of file-level text and statements."""
        option = self.pick(*options)
        if isinstance(option, tuple):
            self.top(option[0], **words)
            option = option[1]
        self.body(option, **words)

    def replace(self, text):
        """Replaces the marks (USE, OBJ, ...) from left to right."""
        done = ""
        while found := MARK.search(text):
            done += text[:found.start()]
            if found.group(2):
                make = {"OBJ": self.object, "GOBJ": self.constant,
                        "FUN": self.function}[found.group(2)]
                done, text = done + make(), text[found.end():]
                continue
            end = closing(text, found.end())
            inner, text = self.replace(text[found.end():end]), text[end + 1:]
            make = {"USE": self.use, "READ": self.read, "CALL": self.call,
                    "VAL": self.value}[found.group(1)]
            done += make(inner)
            if found.group(1) != "VAL":
                text = text.removeprefix(";")
        return done + text

    # Types and storage

    def choose_type(self):
        self.type, self.member = self.pick("int", "long", "short", "double", "struct", "struct"), ""
        if self.type == "struct":
            thing, self.member = self.name("thing"), self.pick("value", "count", "weight")
            before = self.pick("", "char tag; ", "long pad[2]; ",
                               "struct { short low, high; } in; ")
            scalar = self.pick("int", "long", "float")
            self.file.append(f"struct {thing} {{ {before}{scalar} {self.member}; }};")
            self.type = "struct " + thing
            if self.random.below(3) == 0:
                self.file.append(f"typedef struct {thing} {thing}_t;")
                self.type = thing + "_t"

    def record(self, *members):
        """A struct type with these members, pointers to T, at random offsets."""
        fields = ""
        for member in members:
            pad = self.name("pad")
            fields += self.pick("", "", f"int {pad}; ", f"char {pad}[5]; ", f"long {pad}; ",
                                f"float {pad}; ")
            fields += f"{self.type} *{member}; "
        record = self.name("struct record")
        self.file.append(f"{record} {{ {fields}}};")
        return record

    def place(self, kind, suffix="", shared=False):
        """A fresh zeroed variable in random storage, as an lvalue; `shared`: functions can use it
        too."""
        kind = string.Template(kind).substitute(SceneNames(self.scene, {"T": self.type}))
        name, where = self.name("var"), self.pick("global", "file")
        if not shared:
            where = self.pick(where, where, "static", "local", "heap")
        if where in ("global", "file"):
            self.file.append(f"{'static ' if where == 'file' else ''}{kind} {name}{suffix};")
        elif where == "heap":
            self.lines.append(f"{kind} (*{name}){suffix} = calloc(1, sizeof *{name});")
            return f"(*{name})"
        else:
            self.lines.append(f"{'static ' if where == 'static' else ''}{kind} {name}{suffix} = "
                              f"{{0}};")
        return name

    # Objects, functions and dereferences: what the marks stand for

    def declare(self, name):
        """A declaration of a T, an array of T or a struct around a T, and the address of the T in
        it."""
        return self.pick(
            (f"{self.type} {name}", f"&{name}"),
            (f"{self.type} {name}", f"&{name}"),
            (f"{self.type} {name}[3]", self.pick(f"&{name}[1]", f"({name} + 2)", f"{name}")),
            (f"struct {{ int first; {self.type} inner; }} {name}", f"&{name}.inner"))

    def constant(self):
        declaration, address = self.declare(self.name("obj"))
        self.file.append(f"{self.pick('', 'static ')}{declaration};")
        return address

    def maker(self):
        make = self.name("make")
        self.file.append(f"static {self.type} *{make}(void) {{\n"
                         f"    {self.type} *made = malloc(sizeof *made);\n"
                         f"    *made = ({self.type}){{0}};\n    return made;\n}}")
        return make + "()"

    def object(self):
        if self.fed and not self.in_file and self.random.below(4):
            return self.fed
        where = self.random.below(6)
        if where < 2:
            address = self.constant()
        elif self.in_file:
            address = self.maker()
        elif where < 4:
            name = self.name("obj")
            declaration, address = self.declare(name)
            self.lines.append(f"{self.pick('', '', 'static ')}{declaration} = {{0}};")
        elif where == 4:
            address = self.name("heap")
            self.lines.append(f"{self.type} *{address} = calloc(1, sizeof *{address});")
        else:
            address = self.maker()
        if self.random.below(5) == 0:
            keep = self.name("keep")
            self.file.append(f"static {self.type} *{keep}({self.type} *x) {{ return x; }}")
            return f"{keep}({address})"
        return address if address[0] != "&" or self.random.below(4) else f"({address})"

    def function(self):
        name, local = self.name("fun"), self.name("arg")
        was, self.in_file = self.in_file, True
        result = self.pick(local, local, self.constant())
        self.file.append(f"{self.pick('', 'static ')}{self.type} *{name}({self.type} *{local}) {{\n"
                         f"    {self.access(local)}\n    return {result};\n}}")
        self.in_file = was
        return name

    def value(self, pointer):
        if not pointer.isidentifier():
            pointer = f"({pointer})"
        if self.member:
            return self.pick(f"{pointer}->", f"(*{pointer}).", f"{pointer}[0].") + self.member
        return self.pick(f"*{pointer}", f"*{pointer}", f"{pointer}[0]")

    def read(self, pointer):
        return f"sink += {self.value(pointer)};"

    def access(self, pointer):
        return self.pick(self.read(pointer), self.read(pointer), f"{self.value(pointer)} = 1;")

    def use(self, pointer):
        """A dereference, half of the time at the end of one plain flow; or a scene of the next
        dial."""
        if self.next:
            return self.feed(pointer)
        flow, kind, name = self.random.below(12), self.type, self.name("via")
        if flow == 0:
            return f"{{ {kind} *{name} = {pointer}; {self.access(name)} }}"
        if flow == 1:
            self.file.append(f"static void {name}({kind} *x) {{ {self.access('x')} }}")
            return f"{name}({pointer});"
        if flow == 2:
            self.file.append(f"static {kind} *{name}({kind} *x) {{ return x; }}")
            return self.access(f"{name}({pointer})")
        if flow == 3:
            declared = f"struct {{ long pad; {kind} *m; }} {name};"
            return f"{{ {declared} {name}.m = {pointer}; {self.access(name + '.m')} }}"
        if flow == 4:
            used = self.access(self.pick(name, "*to"))
            return f"{{ {kind} *{name}, **to = &{name}; *to = {pointer}; {used} }}"
        if flow == 5:
            later = self.name("later")
            self.file.append(f"static {kind} *{name};\n"
                             f"static void {later}(void) {{ {self.access(name)} }}")
            return f"{{ {name} = {pointer}; {later}(); }}"
        return self.access(pointer)

    def call(self, function):
        if not function.isidentifier():
            function = f"({function})"
        argument = self.object()
        callee = self.pick(function, function, f"(*{function})", f"(**{function})")
        return self.use(f"{callee}({argument})")

    # Scenes and the whole

    def make_scene(self, make):
        """The statements of a new scene."""
        self.scenes += 1
        outer = self.scene, self.lines, self.in_file
        self.scene, self.lines, self.in_file = self.scenes, [], False
        make(self)
        lines = self.lines
        self.scene, self.lines, self.in_file = outer
        return lines

    def feed(self, pointer):
        """A scene of the next dial, whose objects are what this points to. It runs once: a scene
        relies on that."""
        outer = self.next, self.fed
        self.fed, once = self.name("fed"), self.name("once")
        make, *self.next = self.next
        self.file.append(f"static {self.type} *{self.fed};")
        lines = [f"{self.fed} = {pointer};", *self.make_scene(make)]
        self.next, self.fed = outer
        return "\n".join([f"{{ static int {once};", f"if (!{once}++) {{",
                          *("    " + line for line in lines), "} }"])

    def add_scene(self, make, *then):
        self.choose_type()
        self.next, name = then, f"scene_{self.scenes + 1}"
        self.lines = self.make_scene(make)
        opening, end = self.pick(("", ""), ("", ""),
                                 ("for (int once = 0; once < 1; once++) {", "}"),
                                 ("if (!zero) {", "}"), ("do {", "} while (zero);"))
        if opening:
            self.lines = [opening, *("    " + line for line in self.lines), end]
        self.lines = ["    " + line for line in self.lines]
        if self.random.below(3):
            self.file.append("\n".join([f"static void {name}(void) {{", *self.lines, "}"]))
            self.main.append(f"    {name}();")
        else:
            self.main += ["    {", *("    " + line for line in self.lines), "    }"]

    def text(self):
        parts = [*self.file, "int main(void) {", *self.main, "    return 0;\n}"]
        code = "\n".join(parts)
        headers = [name for name, words in HEADERS.items() if re.search(rf"\b(?:{words})\b", code)]
        top = [self.title, *(f"#include <{name}>" for name in headers), "",
               "static volatile long sink;", "static volatile int zero;", ""]
        return "\n".join(top) + code + "\n"


def closing(text, at):
    """The position of the parenthesis that closes the one before `at`."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def one_a_line(text):
    """Breaks the line after every statement that is in no brackets."""
    lines, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if depth == 0 and text.startswith("; ", at):
            lines.append(text[start:at + 1])
            start = at + 2
    return "\n".join([*lines, text[start:]])


def generate(name, seed):
    """The program of a dial, or of two: A+B."""
    program = Program(name, seed)
    makes = [DIALS[part][0] for part in name.split("+")]
    wanted = program.number(44, 60)
    while program.scenes < 2 or (program.scenes < 8 and program.text().count("\n") < wanted):
        program.add_scene(*makes)
    return program.text()


def chosen(seed, combine):
    """The dial of a seed; two: the second comes one further behind the first with each round of all
    dials."""
    names = [name for name in DIALS if name not in GAPS]
    n, first = len(names), seed % len(names)
    return f"{names[first]}+{names[(first + 1 + seed // n) % n]}" if combine else names[first]


# Copies and levels of pointers


@dial("chains of plain assignments; chained assignment a = b = c")
def assignment(p):
    if p.number(0, 2) == 0:
        p.body("$T *$a, *$b, *$c; $a = $b = $c = OBJ; USE($which);", which=p.pick("$a", "$b"))
        return
    p.body("$T *$p0 = OBJ;")
    last = p.number(1, 5)
    for i in range(last):
        copy = p.pick("$T *$to = $old;", "$T *$to; $to = ($old);", "__typeof__($old) $to = $old;",
                      "__auto_type $to = $old;", "register $T *$to = $old;")
        p.body(copy, to=f"$p{i + 1}", old=f"$p{i}")
    p.body(f"USE($p{last});")


@dial("address-of: variables, elements, members, &*p, *&p")
def address_of(p):
    p.top("struct $box { int pad; $T m; $T v[3]; };")
    how = p.pick("&$p->m", "&(*$p).v[2]", "$p->v", "&*&($p)->v[1]", "&1[$p->v]", "*&$p->v + 1",
                 "&(*$pp)->m",
                 "&$p[0].v[0] + 2", "(&(&*$p)->m)", "&(**$pp).v[1]", "&*($p->v + 1)", "*(&$p->v)")
    p.body("struct $box *$p = &$s, **$pp = &$p; $T *$q = $how; USE($q);", s=("struct $box", ""),
           how=how)


@dial("stores through a pointer to a pointer")
def deref_store(p):
    p.one_of("$T **$w = &$q; *$w = OBJ; USE($q);",
             "$T **$w = &$q, **$w2 = $w; $w2[0] = OBJ; USE($q);",
             "*&$q = OBJ; USE($q);",
             "struct { int n; $T **to; } $s = {1, &$q}; *$s.to = OBJ; USE($q);",
             "void **$w = &$v; *$w = OBJ; $T *$r = $v; USE($r);",
             ("static void $put($T **to, $T *x) { *to = x; }", "$put(&$q, OBJ); USE($q);"),
             ("static void $put($T **to, $T *x) { to[0] = x; }", "$put(&$q, OBJ); USE($q);"),
             q=("$T *", ""), v=("void *", ""))


@dial("loads through a pointer to a pointer")
def deref_load(p):
    q = p.place("$T *")
    p.body("$q = OBJ; $T **$w = &$q;", q=q)
    p.one_of("USE(*$w);", "$T *$r; $r = *$w; USE($r);",
             "struct { $T **from; } $s = {$w}; USE(*$s.from);",
             "$T *$r = **&$w; USE($r);", "USE(0[$w]);", "$T *$r = *&$q; USE($r);",
             ("static $T *$get($T **from) { return *from; }", "USE($get($w));"), q=q)


@dial("pointers to pointers to pointers")
def deep_pointer(p):
    name = p.place("$T *")
    p.body("$T **$q = &$p, ***$r = &$q, ****$s = &$r;", p=name)
    p.one_of("**$r = OBJ; USE($p);", "***$s = OBJ; USE($p);", "$p = OBJ; USE(**$r);",
             "$p = OBJ; USE(***$s);",
             "$T *$p2 = 0; *$r = &$p2; *$q = OBJ; USE($p2);",
             "$T *$p2 = OBJ; **$s = &$p2; USE(*$q);",
             ("static void $put($T ***to, $T *x) { **to = x; }", "$put($r, OBJ); USE(*$q);"),
             ("static $T *$get($T ***from) { return **from; }", "$p = OBJ; USE($get(*$s));"),
             p=name)


# Functions


@dial("parameters: position, more than fit in registers, several levels, arrays, functions as "
      "parameters")
def parameters(p):
    p.one_of(("static void $deep($T *x) { USE(x); }\n"
              "static void $pass(int n, $T *x) { if (n) $deep(x); }",
              "$pass(1, OBJ);"),
             ("static void $many($list) { USE($x); }",
              "$many(OBJ, OBJ, OBJ, OBJ, OBJ, OBJ, OBJ, OBJ, OBJ);"),
             ("static $T *$second($T *v[$bound]) { return v[1]; }",
              "$T *$v[2] = {0}; $v[1] = OBJ; USE($second($v));"),
             ("static $T *$apply($T *g($T *), $T *x) { return g(x); }",
              "USE($apply($take FUN, OBJ));"),
             ("static void $change($T *x, $T *y) { x = y; USE(x); }", "$change(0, OBJ);"),
             ("static void $put($T *x, $T **to) { if (x) *to = x; }",
              "$T *$r = 0; $put(OBJ, &$r); USE($r);"),
             list=", ".join(f"$T *a{i}" for i in range(9)), x=f"a{p.number(0, 8)}",
             bound=p.pick("static 2", "2", "", "const 2", "restrict"), take=p.pick("", "&"))


@dial("returns: of a global, a parameter, an address, from several places; nested calls f(g(h(x)))")
def returns(p):
    p.one_of(("static $T *$fixed(void) { return GOBJ; }", "USE($fixed());"),
             ("static $T *$late($T *x) {\n    $T *result = 0;\n"
              "    if (x) { result = x; goto out; }\nout:\n"
              "    return result;\n}", "$T *$p = $late(OBJ); USE($p);"),
             ("static $T **$slot(void) { static $T *kept; return &kept; }",
              "*$slot() = OBJ; USE(*$slot());"),
             ("static $T *$either($T *x, $T *y) { if (zero) return x; else return y; }",
              "USE($either(0, OBJ));"),
             ("static $T *$f($T **x) { return *x; }\nstatic $T **$g($T **x) { return x; }\n"
              "static $T **$h($T ***x) { return *x; }",
              "$T *$p = OBJ, **$q = &$p; USE($f($g($h(&$q))));"),
             ("static $T *$f(int n, $T *x) { return n ? x : 0; }\n"
              "static $T *$g($T *x, long n) { return x + n; }", "USE($f(1, $g($f(2, OBJ), 0)));"))


@dial("recursion: direct, mutual, with an out-parameter")
def recursion(p):
    p.one_of(("static $T *$walk($T *x, int n) { return n > 0 ? $walk(x, n - 1) : x; }",
              "USE($walk(OBJ, $n));"),
             ("static void $odd($T *x, int n);\n"
              "static void $even($T *x, int n) { if (n) $odd(x, n - 1); else USE(x); }\n"
              "static void $odd($T *x, int n) { if (n) $even(x, n - 1); else READ(x); }",
              "$even(OBJ, $n);"),
             ("static void $fill(int n, $T **to, $T *x) {\n    $T *own = 0;\n"
              "    if (n) { $fill(n - 1, &own, x); *to = own; }\n    else *to = x;\n}",
              "$T *$p = 0; $fill($n, &$p, OBJ); USE($p);"), n=str(p.number(1, 4)))


@dial("parameters whose address is taken: scalars, records, members of records")
def parameter_objects(p):
    p.one_of(("static void $use($T **at) { USE(*at); }\n"
              "static void $pass(int n, $T *x) { if (n) $use(&x); }",
              "$pass(1, OBJ);"),
             ("static void $set(int *n) { *n = 1; }\n"
              "static int $count(int n) { int *w = &n; $set(w); return n + *w; }",
              "sink += $count(2); READ(OBJ);"),
             ("struct $in { int n; $T *p, *q; };\nstatic void $use($T **at) { USE(*at); }\n"
              "static void $pass(struct $in s) { $use(&s.q); }",
              "struct $in $v = {1, 0, OBJ}; $pass($v);"),
             ("struct $in { long n; $T *p; };\nstatic $T *$of(struct $in *s) { return s->p; }\n"
              "static $T *$pass(int n, struct $in s) { return n ? $of(&s) : 0; }",
              "struct $in $v = {1, OBJ}; USE($pass(1, $v));"),
             ("static $T *$first($T **at) { return *at; }\n"
              "static $T *$pass($T *x) { $T **at = &x; return $first(at); }", "USE($pass(OBJ));"),
             ("static void $put($T **to, $T *x) { *to = x; }\n"
              "static $T *$pass($T *out, $T *x) { $put(&out, x); return out; }",
              "USE($pass(0, OBJ));"))


@dial("K&R definitions and calls without a prototype")
def old_style(p):
    p.one_of(("static $T *$keep(x) $T *x; { return x; }", "USE($keep(OBJ));"),
             ("static void $put(n, to, x)\n    int n;\n    $T **to, *x; { if (n) *to = x; }",
              "$T *$p = 0; $put(2, &$p, OBJ); USE($p);"),
             ("static $T *$last(); static $T *$use_it(x) $T *x; { return $last(1, x); }\n"
              "static $T *$last(n, x) int n; $T *x; { return n ? x : 0; }", "USE($use_it(OBJ));"),
             ("static void $run(f, x) $T *(*f)(); $T *x; { $T *y = f(x); USE(y); }",
              "$run(FUN, OBJ);"))


@dial("variable arguments: va_arg, more than fit in registers, mixed with numbers, va_copy")
def varargs(p):
    copy = "va_list again;\n    va_copy(again, ap);\n    (void)va_arg(ap, $T *);"
    copy, name, end = p.pick((copy, "again", "va_end(again);"), ("", "ap", ""))
    nulls = ", ($T *)0" * 7
    p.one_of((
        """
        static $T *$nth(int n, ...) {
            va_list ap;
            $T *x = 0;
            va_start(ap, n);
            $copy
            while (n-- > 0) x = va_arg($name, $T *);
            va_end(ap); $end
            return x;
        }
        """, p.pick("USE($nth(2, OBJ, OBJ));", "USE($nth(9, OBJ$nulls, OBJ));")), (
        """
        static $T *$mixed(const char *form, ...) {
            va_list ap;
            $T *x = 0;
            va_start(ap, form);
            for (; *form; form++) {
                if (*form == 'd') sink += (long)va_arg(ap, double);
                else if (*form == 'i') sink += va_arg(ap, int);
                else x = va_arg(ap, $T *);
            }
            va_end(ap);
            return x;
        }
        """, p.pick('USE($mixed("dip", 1.5, 2, OBJ));',
                   'USE($mixed("iiiiiidp", 1, 2, 3, 4, 5, 6, 7.5, OBJ));')),
        copy=copy, name=name, end=end, nulls=nulls)


@dial("va_list handed on: to a function, by address, in a struct")
def va_list_passed(p):
    simple = "va_list ap;\n    va_start(ap, n);"
    helper, start, get, end, arguments = p.pick(
        ("static $T *$get(va_list ap) { return va_arg(ap, $T *); }",
         simple, "$get(ap)", "va_end(ap);", "1, OBJ"),
        ("static $T *$get(va_list *ap) { (void)va_arg(*ap, int); return va_arg(*ap, $T *); }",
         simple, "$get(&ap)", "va_end(ap);", "1, 7, OBJ"),
        ("struct $args { int n; va_list list; };\n"
         "static $T *$get(struct $args *args) { return va_arg(args->list, $T *); }",
         "struct $args args = {n};\n    va_start(args.list, n);",
         "$get(&args)", "va_end(args.list);", "1, OBJ"))
    p.top(helper)
    p.top("static void $show(int n, ...) {\n    $start\n    $T *x = $get;\n    $end\n"
          "    USE(x);\n}", start=start, get=get, end=end)
    p.body("$show($arguments);", arguments=arguments)


# Initialisers


@dial("initialisers of globals and static locals")
def static_initialiser(p):
    p.one_of(("$T *$one = GOBJ;", "USE($one);"),
             ("static $T *$many[3] = {0, GOBJ};", "USE($many[1]);"),
             ("$T *$one = GOBJ; static $T **$deep = &$one;", "USE(*$deep);"),
             ("static $T *$v[2] = {0, GOBJ}, *const *$mid = &$v[1];", "USE(*$mid);"),
             ("static struct { int n; $T *p; } $s = {1, GOBJ}, *$ps = &$s;", "USE($ps->p);"),
             ("static struct { int n; struct { $T *q; } in[2]; } $s = {1, {{0}, {GOBJ}}};",
              "USE($s.in[1].q);"),
             ("static $T *$local(void) { static $T *kept = GOBJ; return kept; }", "USE($local());"),
             ("static $T *$local(void) { static $T *kept = GOBJ, **where = &kept; return *where; }",
              "USE($local());"), ("static $T $store[4], *$at = $store + 2;", "USE($at);"),
             ("static $T $store, *$at = ($T *)(void *)&$store; static void *$any = &$at;",
              "USE(*($T **)$any);"), "static $T *$in = GOBJ; USE($in);",
             "static struct { char c; $T *p; } $in[] = {{'a', GOBJ}, {'b', GOBJ}}; USE($in[1].p);")


@dial("initialisers of local structs and arrays")
def local_initialiser(p):
    p.top("struct $pair { $T *a, *b; }; struct $outer { int n; struct $pair in[2]; $T *last; };")
    p.one_of("$T *$v[] = {OBJ, OBJ, 0}; USE($v[1]);", "struct $pair $s = {0, OBJ}; USE($s.b);",
             "struct $outer $o = {1, {{0, 0}, {OBJ, OBJ}}, OBJ}; USE($o.in[1].b); USE($o.last);",
             "struct $pair $s = {OBJ}, $o[2] = {$s, {0, OBJ}}; USE($o[0].a); USE($o[1].b);",
             "struct $pair $s = {0, OBJ}; struct $outer $o = {2, {$s}, 0}; USE($o.in[0].b);",
             "$T *$v[2][2] = {{0, OBJ}, {OBJ}}; USE($v[1][0]); USE($v[0][1]);",
             "$T *$p = {OBJ}; USE($p);",
             "struct $pair $s = {0, OBJ}; struct { struct $pair *p; } $o = {{&$s}}; USE($o.p->b);")


@dial("designated initialisers: nested, ranges, going on after a designator")
def designators(p):
    # The value of a range is a constant, for clang 19 cannot compile a call there.
    init, use = p.pick(
        ("{.last = OBJ}", "last"), ("{.in[1].b = OBJ}", "in[1].b"), ("{.v = {[2] = OBJ}}", "v[2]"),
        ("{.v[1 ... 3] = GOBJ}", "v[2]"), ("{.v[3] = 0, OBJ}", "last"),
        ("{.in[0].a = 0, OBJ}", "in[0].b"),
        ("{.in[1] = {.b = OBJ}, .n = 3}", "in[1].b"), ("{.in[0 ... 1] = {0, GOBJ}}", "in[1].b"),
        ("{.in[0].b = 0, {OBJ}}", "in[1].a"), ("{.v = {[0 ... 1] = 0, OBJ}}", "v[2]"),
        ("{last: OBJ}", "last"),
        ("{.last = 0, .in = {[2] = {OBJ}}}", "in[2].a"), ("{.in[2].b = 0, {OBJ}}", "v[0]"))
    pair_and_outer(p, "struct $outer $o", init, "$o." + use)


@dial("initialisers with braces left out")
def elided_braces(p):
    pair_and_outer(p, *p.pick(("struct $outer $o", "{1, 0, OBJ, 0, 0, 0, 0}", "$o.in[0].b"),
                              ("struct $outer $o", "{1, 0, 0, OBJ}", "$o.in[1].a"),
                              ("struct $outer $o", "{1, 0, 0, 0, 0, 0, 0, OBJ}", "$o.v[0]"),
                              ("struct $pair $o[]", "{0, 0, 0, OBJ}", "$o[1].b"),
                              ("$T *$o[2][2]", "{0, 0, OBJ}", "$o[1][0]"),
                              ("struct $outer $o", "{1, {0, 0, OBJ}, 0, 0}", "$o.in[1].a"),
                              ("struct $pair $o[2][2]", "{0, 0, 0, OBJ}", "$o[0][1].b"),
                              ("$T *$o[][2]", "{0, OBJ, {OBJ, 0}}", "$o[0][1]")))


def pair_and_outer(p, kind, init, use):
    """A variable with this initialiser, of static or of automatic storage."""
    p.top("struct $pair { $T *a, *b; }; struct $outer { int n; struct $pair in[3]; $T *v[4], "
          "*last; };")
    if p.number(0, 1):
        p.body("$kind = $init; USE($use);", kind=kind, init=init, use=use)
    else:
        p.top("static $kind = $init;", kind=kind, init=re.sub(r"\bOBJ", "GOBJ", init))
        p.body("USE($use);", use=use)


@dial("initialisers that point to the variable itself or to one another")
def self_reference(p):
    p.top("struct $node { $T *p; struct $node *next, **back; };")
    ring = ("static struct $node $two; "
            "static struct $node $one = {GOBJ, &$two, &$one.next}, $two = {GOBJ, &$one, "
            "&$two.next};")
    p.one_of((ring, "USE($one.next->p);"), (ring, "USE((*$one.back)->p);"),
             (ring, "USE($one.next->next->p);"),
             ("static struct { $T item; $T *at; } $self = {.at = &$self.item};", "USE($self.at);"),
             ("static void *$loop = &$loop;",
              "void **$l = $loop; *$l = OBJ; $T *$p = $loop; USE($p);"),
             "struct $node $n = {OBJ, &$n, &$n.next}; USE($n.next->p);",
             "struct $node $n = {OBJ, &$n, &$n.next}; USE((*$n.back)->p);",
             "void *$v[2] = {&$v[1], OBJ}; $T *$p = *(void **)$v[0]; USE($p);")


@dial("tables: of string literals, indexed by an enum, made by X-macros")
def tables(p):
    colours = ("#define $LIST(X) X($red) X($green)\n#define $DEFINE(id) static $T id;\n"
               "#define $ROW(id) &id,\n"
               "$LIST($DEFINE)\nstatic $T *$colours[] = { $LIST($ROW) 0 };")
    p.one_of(("enum { $FIRST, $SECOND, $COUNT }; static $T *$table[$COUNT] = {[$SECOND] = GOBJ, "
              "[$FIRST] = 0};",
              "USE($table[$SECOND]);"),
             ('static const char *const $names[] = {"alpha", "beta", "gamma"};',
              "const char *$c = $names[$n]; sink += *$c + $c[1];"),
             ('static const struct { const char *name; $T *p; } $rows[] = {{"a", 0}, {"b", GOBJ}, '
              '{0, 0}};',
              "int $i = 0; while ($rows[$i].name[0] != 'b') $i++; USE($rows[$i].p);"),
             (colours, "USE($colours[1]);"),
             (colours, "for (int i = 0; $colours[i]; i++)\n    USE($colours[i]);"),
             n=str(p.number(0, 2)))


# Arrays and pointer arithmetic


@dial("arrays of pointers: filled and read in loops, by variable index, index first; "
      "two-dimensional arrays")
def pointer_array(p):
    p.one_of("for (int i = 0; i < 3; i++) $v[i] = &$store[i]; USE($v[2]);",
             "$v[1] = OBJ; for (int i = 0; i < 3; i++)\n    if ($v[i]) USE($v[i]);",
             "$v[zero + 2] = OBJ; USE($v[2]);", "*$v = OBJ; USE(0[$v]);",
             "*($v + 1) = OBJ; USE($v[zero + 1]);",
             "1[$v] = OBJ; USE(*($v + 1));", "$m[1][2] = OBJ; USE($m[1][zero + 2]);",
             "*$m[1] = OBJ; USE($m[1][0]);",
             "$T **$row = $m[1]; $row[1] = OBJ; USE((*($m + 1))[1]);",
             "2[1[$m]] = OBJ; USE(*(*($m + 1) + 2));", v=("$T *", "[3]"), m=("$T *", "[2][3]"),
             store=("$T", "[3]"))


@dial("arrays of structs with pointers; structs in arrays in structs")
def struct_array(p):
    record = p.record("a", "b")
    if p.number(0, 1):
        p.top("struct $out { int n; struct { long pad; $record in[2]; } mid[2]; };", record=record)
        p.one_of("$o.mid[1].in[0].b = OBJ; USE($o.mid[1].in->b);",
                 "$record *$p = &$o.mid[zero].in[1]; $p->a = OBJ; USE($o.mid[0].in[1].a);",
                 "struct $out *$q = &$o; $q->mid->in[1].b = OBJ; USE((*$q).mid[0].in[1].b);",
                 "$o.mid[0].in[1].a = OBJ; $record $c[2] = {$o.mid[0].in[1]}; USE($c->a);",
                 record=record, o=("struct $out", ""))
    else:
        p.one_of("$v[1].b = OBJ; USE($v[1].b);", "$v[2].a = OBJ; $record *$p = $v + 2; USE($p->a);",
                 "for (int i = 0; i < 3; i++) $v[i].b = OBJ; USE($v[zero + 1].b);",
                 "(*($v + 1)).a = OBJ; USE((1 + $v)->a);",
                 "$record *$p = $v; $p++; $p->b = OBJ; USE($v[1].b);",
                 record=record, v=(record, "[3]"))


@dial("elements by constant index on one side: a variable index, a decayed array, a copy or a view "
      "on the other")
def constant_index(p):
    record = p.record("a", "b")
    p.top("struct $out { int n; $T *v[3]; $record in[2]; $T *end; };", record=record)
    p.one_of("$v[$k] = OBJ; USE($v[zero + $k]);", "$v[zero + $k] = OBJ; USE($v[$k]);",
             "$v[$k] = OBJ; USE((1 + $v)[$k - 1]);",
             "$T **$w = $v; $w[$k] = OBJ; USE($v[$k]);",
             "$v[$k] = OBJ; $T **$w = &$v[0]; USE($w[$k]);",
             "$T **$w = &$v[2]; *--$w = OBJ; USE($v[1]);",
             "for (int i = 0; i < 3; i++) $v[i] = OBJ; USE($v[$k]);",
             ("static void $fill($T **v, $T *x) { v[$k] = x; }", "$fill($v, OBJ); USE($v[$k]);"),
             "void *$h = $v; (($T **)$h)[$k] = OBJ; USE($v[$k]);",
             "$v[$k] = OBJ; USE(($v[$k])); USE($v[$k] + zero);",
             "$wide[7] = OBJ; USE($wide[zero + 7]);", "$wide[zero + 7] = OBJ; USE($wide[7]);",
             "$T **$x = $wide; $x[7] = OBJ; USE($wide[7]);",
             "$wide[18] = OBJ; USE($wide[18]);", "$wide[18] = OBJ; USE($wide[zero + 18]);",
             "struct $out $r[9] = {0}, *$q = $r; $q[7].v[$k] = OBJ; USE($r[7].v[$k]);",
             "struct $out $r[9] = {0}; $r[7].in[1].b = OBJ; USE($r[zero + 7].in[1].b);",
             "$m[1][1] = OBJ; USE($m[zero + 1][1]);", "$m[1][zero + 1] = OBJ; USE($m[1][1]);",
             "$m[0][1] = OBJ; $T **$w = $m[0]; USE($w[1]);",
             "$T *(*$x)[2] = $m; $x[1][0] = OBJ; USE($m[1][0]);",
             "$T **$w = $v; $T ***$x = &$w; (*$x)[$k] = OBJ; USE($v[$k]);",
             "$T **$d[2] = {$v, $v}; $v[0] = OBJ; USE($d[1][0]);",
             "$T **$d[2] = {$v, $v}; ($d[1])[$k] = OBJ; USE($v[$k]);",
             "$o.v[$k] = OBJ; struct $out $c = $o; USE($c.v[$k]);",
             "$o.v[zero + $k] = OBJ; struct $out *$q = &$o; USE($q->v[$k]);",
             "struct $out $c[2], *$q = $c; $o.v[$k] = OBJ; $c[1] = $o; USE($q[1].v[$k]);",
             ("static $T *$get(struct $out o) { return o.v[$k]; }",
              "$o.v[zero + $k] = OBJ; USE($get($o));"),
             ("static struct $out $same(struct $out o) { return o; }",
              "$o.in[1].b = OBJ; USE($same($o).in[zero + 1].b);"),
             "$record *$q = &$o.in[0]; $q++; $q->b = OBJ; USE($o.in[1].b);",
             "$T **$q = &$o.in[1].b; *$q = OBJ; USE($o.in[1].b);",
             "$o.v[1] = OBJ; $T **$q = ($T **)((char *)&$o + offsetof(struct $out, v)); "
             "USE($q[1]);",
             "$o.v[$k] = OBJ; $T *$c[3]; memcpy($c, $o.v, sizeof $c); USE($c[$k]);",
             "$o.end = OBJ; struct $out $c; memcpy($c.v, $o.v, sizeof $c - offsetof(struct $out, "
             "v)); USE($c.end);",
             "struct $out *$q = malloc(sizeof *$q); $o.in[1].b = OBJ; memcpy($q, &$o, sizeof $o); "
             "USE($q->in[1].b);",
             record=record, k=str(p.number(1, 2)), v=("$T *", "[3]"),
             wide=("$T *", "[20]"), m=("$T *", "[2][2]"), o=("struct $out", ""))


@dial("elements whose address goes elsewhere: members of one, records that begin with them, what "
      "moves them about")
def element_address(p):
    record = p.record("a", "b")
    p.top("struct $out { int n; $T *v[3]; $record in[2]; $T *end; };", record=record)
    p.one_of("$o.in[1].a = OBJ; $record *$q = ($record *)((char *)&$o.in[0].b - offsetof($record, "
             "b)); USE($q[1].a);",
             ("static int $less(const void *a, const void *b) {\n"
              "    $T *const *p = a, *const *q = b;\n    return *p ? -1 : *q ? 1 : 0;\n}",
              "$v[$k] = OBJ; qsort($v, 3, sizeof $v[0], $less); USE($v[0]);"),
             ("static int $less(const void *a, const void *b) {\n"
              "    const $record *p = a, *q = b;\n    return p->b ? -1 : q->b ? 1 : 0;\n}",
              "$o.in[1].b = OBJ; qsort($o.in, 2, sizeof $o.in[0], $less); USE($o.in[0].b);"),
             "$v[$k] = OBJ; memmove($v, $v + $k, sizeof $v[0]); USE($v[0]);",
             ("static void $hide(void *v, $T *x) { $T **w = v; w[1] = x; }",
              "struct { $T *v[2]; int n; } $s = {0}; $hide(&$s, OBJ); USE($s.v[1]);"),
             record=record, k=str(p.number(1, 2)), v=("$T *", "[3]"), o=("struct $out", ""))


@dial("records with an array, seen as records with members in its place: modelled where elements "
      "are apart", gap=True)
def array_as_members(p):
    index, member = p.pick(("1", "b"), ("2", "c"))
    p.top("struct $out { int n; $T *v[3]; }; struct $flat { long n; $T *a, *b, *c; };")
    p.one_of("$o.v[$k] = OBJ; struct $flat *$q = (struct $flat *)&$o; USE($q->$m);",
             "struct $flat *$q = (struct $flat *)&$o; $q->$m = OBJ; USE($o.v[$k]);",
             "void *$h = &$o; struct $flat *$q = $h; $q->$m = OBJ; USE($o.v[zero + $k]);", k=index,
             m=member, o=("struct $out", ""))


@dial("tables by constant index: initialisers of elements, rows, members and ranges; arrays "
      "completed later")
def constant_table(p):
    p.top("struct $pair { $T *a, *b; }; struct $out { int n; $T *v[3]; struct $pair in[2]; $T "
          "*end; };")
    p.one_of(("static $T *$t[] = {0, GOBJ, GOBJ};", "USE($t[$k]);"), ("static $T *$t[4] = {[$k] = "
                                                                      "GOBJ, GOBJ};",
                                                                      "USE($t[$k + 1]);"),
             ("static $T *$t[2][2] = {{0, GOBJ}, {GOBJ}};", "USE($t[0][1]); USE($t[1][0]);"),
             ("static $T *$t[2][2] = {0, 0, 0, GOBJ};", "USE($t[1][1]);"), ("static $T *$t[2][2] = "
                                                                            "{[1][1] = GOBJ};",
                                                                            "USE($t[1][1]);"),
             ("static $T *$t[5] = {[1 ... 2] = GOBJ, GOBJ};", "USE($t[$k]); USE($t[3]);"),
             ("static struct $out $t = {1, {0, GOBJ}, {{0, 0}, {0, GOBJ}}};",
              "USE($t.v[1]); USE($t.in[1].b);"),
             ("static struct $out $t = {.in[1].b = GOBJ, GOBJ};", "USE($t.in[1].b); USE($t.end);"),
             ("static struct $out $t = {1, 0, GOBJ, GOBJ};", "USE($t.v[$k]);"),
             ("static struct $out $t[2] = {[1].v = {[$k] = GOBJ}};", "USE($t[1].v[$k]);"),
             ("static struct $pair $t[3] = {[0 ... 2].b = GOBJ};", "USE($t[$k].b);"),
             ("static $T *(*const $t[3])($T *) = {0, FUN, FUN};",
              "CALL($t[$k]); CALL($t[zero + $k]);"),
             ("static struct { int n; $T *(*f[2])($T *); } $t = {1, {0, FUN}}, $c;",
              "$c = $t; CALL($c.f[1]);"),
             ("extern $T *$t[]; static $T *$get(void) { return $t[$k]; } $T *$t[3] = {0, GOBJ, "
              "GOBJ};", "USE($get());"),
             ("extern $T *$t[]; static void $put($T *x) { $t[$k] = x; } $T *$t[3];",
              "$put(OBJ); USE($t[$k]);"),
             "$T *$t[3] = {0, OBJ, OBJ}; USE($t[$k]);",
             "struct $pair $t[2] = {[1] = {.b = OBJ}}; USE($t[1].b);",
             "struct $out $t = (struct $out){.v = {0, OBJ, OBJ}}; USE($t.v[$k]);",
             "$T **$t = ($T *[]){0, OBJ, OBJ}; USE($t[$k]);",
             "$T *$t[20] = {[18] = OBJ}; USE($t[18]); USE($t[zero + 18]);", k=str(p.number(1, 2)))


@dial("pointer arithmetic inside an array: p += n, negative offsets, differences, 1[p]")
def pointer_arithmetic(p):
    p.one_of("$T *$p = $v; $p += 2; USE($p);", "$T *$p = $v + 3 - 1; USE($p);",
             "$T *$p = 1 + $v; USE($p);",
             "$T *$p = $v; USE(&2[$p]);", "for ($T *p = $v, *end = &p[4]; p != end; p++) READ(p);",
             "$T *$p = $v + 3; USE(&$p[-1]); USE($p - 2);",
             "$T *$p = $v; ptrdiff_t $d = &$v[3] - $p; USE($p + $d);",
             "$T *$p = &$v[2]; --$p; USE($p--); USE($p);",
             "$T *$p = ($T *)((char *)$v + 2 * sizeof $v[0]); USE($p);",
             "$T *$p; USE(($p = $v + 1, $p + 1));",
             "$w[1] = OBJ; $T **$x = $w + 2; USE($x[-1]);",
             "$T **$x = &$w[2]; *--$x = OBJ; USE($w[1]);", v=("$T", "[4]"), w=("$T *", "[3]"))


@dial("dereferences with side effects: *p++, *++p, (*pp)++, *p++ = x")
def side_effects(p):
    p.one_of("$T *$p = $store, **$pp = &$p; (*$pp)++; USE($p);",
             "$T *$p = $store, **$pp = &$p; USE(++*$pp);",
             "$T *$p = $store, **$pp = &$p; USE((*$pp)++); USE($p);",
             "$T *$p = $store + 2; USE(--$p);",
             "$T **$w = $v; $v[0] = OBJ; USE(*$w++);", "$T **$w = $v; $v[1] = OBJ; USE(*++$w);",
             "$T **$w = $v; *$w++ = OBJ; *$w = OBJ; USE($v[0]); USE($v[1]);",
             "$T **$w = $v + 2; *--$w = OBJ; USE(*$w--);",
             "int $i = 0; $v[$i++] = OBJ; $v[$i++] = OBJ; USE($v[--$i]);", v=("$T *", "[3]"),
             store=("$T", "[3]"))


@dial("pointers to arrays: int (*)[4], T *(*)[3]")
def array_pointer(p):
    p.one_of("$T (*$p)[4] = $m + 1; USE(&(*$p)[2]);",
             "$T (*$p)[4] = $m; USE($p[1]); USE($p[2] + 1);",
             "$T (*$p)[4] = &$m[1]; USE(*++$p);", "$T *(*$p)[3] = &$v; (*$p)[1] = OBJ; USE($v[1]);",
             "$v[2] = OBJ; $T *(*$p)[3] = &$v, *(**$q)[3] = &$p; USE((**$q)[2]);",
             ("static $T *$last($T (*rows)[4], int n) { return &rows[n - 1][3]; }",
              "USE($last($m, 3));"),
             ("static $T *$store[3]; static $T *(*$all(void))[3] { return &$store; }",
              "(*$all())[1] = OBJ; USE($store[1]);"), m=("$T", "[3][4]"), v=("$T *", "[3]"))


# Structs and unions


@dial("member stores and loads, through variables and pointers")
def members(p):
    record = p.record("a", "b", "c")
    one, two = p.pick(("a", "b"), ("b", "c"), ("c", "a"))
    p.one_of("$s.$one = OBJ; USE($s.$one);", "$r *$p = &$s; $p->$one = OBJ; USE($s.$one);",
             "$s.$one = OBJ; $r *$p = &$s; USE((*$p).$one);",
             "(&$s)->$one = OBJ; $s.$two = $s.$one; USE($s.$two);",
             "$T **$p = &$s.$one; *$p = OBJ; USE($s.$one);",
             "$r *$p = &$s, **$q = &$p; (*$q)->$one = OBJ; USE($s.$one);",
             ("static void $set($r *r, $T *x) { r->$one = x; }\n"
              "static $T *$get(const $r *r) { return r->$one; }",
              "$set(&$s, OBJ); USE($get(&$s));"),
             s=(record, ""), r=record, one=one, two=two)


@dial("nested struct members; anonymous struct and union members")
def nested_members(p):
    path = p.pick("x.in.a", "x.in.b", "x.v[1]", "d", "e", "m.in.b")
    p.top("""
        struct $in { char c; $T *a, *b; };
        struct $out {
            int n;
            struct { struct $in in; $T *v[2]; } x;
            struct { $T *d; union { $T *e; long bits; }; };
            union { struct { long pad; struct $in in; } m; };
        };
        """)
    p.one_of("$s.$path = OBJ; USE($s.$path);",
             "struct $out *$p = &$s; $p->$path = OBJ; USE($s.$path);",
             "$T **$w = &$s.$path; *$w = OBJ; USE($s.$path);",
             "struct $out $t = {.$path = OBJ}; USE($t.$path);",
             ("struct $anonymous { long n$width; struct { $T *d; union { $T *e; long bits; }; }; "
              "};\n"
              "struct $flat { long n; $T *d, *e; };\n"
              "union $either { struct $anonymous a; struct $flat f; };",
              "union $either $u = {0}; $u.a.$m = OBJ; USE($u.f.$m);"),
             "struct { int k; struct $out o, *po; } $t = {1}; $t.po = &$t.o; "
             "$t.o.$path = OBJ; USE($t.po->$path);", s=("struct $out", ""), path=path,
             m=p.pick("d", "e"),
             # libclang is asked where the members of a record with bit-fields lie
             width=p.pick("", " : 40"))


@dial("struct inheritance: casts to the first member and back")
def inheritance(p):
    record = p.record("p", "q")
    p.top("struct $derived { $base base; $T *own; }; struct $leaf { struct $derived up; $T *leaf; "
          "};",
          base=record)
    p.one_of("$base *$b = ($base *)&$s; $b->$m = OBJ; USE($s.up.base.$m);",
             "$base *$b = &$s.up.base; (($leaf)$b)->leaf = OBJ; USE($s.leaf);",
             "$s.leaf = OBJ; void *$v = &$s.up; USE((($leaf)$v)->leaf);",
             "$s.up.base.$m = OBJ; USE((($base *)(struct $derived *)&$s)->$m);",
             ("static $T *$get($base *b) { return ((struct $derived *)b)->own; }",
              "$s.up.own = OBJ; USE($get(($base *)&$s));"),
             s=("struct $leaf", ""), base=record, m=p.pick("p", "q"), leaf="struct $leaf *")


@dial("flexible array members")
def flexible_array(p):
    p.top("struct $bag { int n; $T *first; $T *v[$bound]; };", bound=p.pick("", "0"))
    p.body("struct $bag *$b = calloc(1, sizeof *$b + 4 * sizeof $b->v[0]);")
    p.one_of("$b->v[2] = OBJ; USE($b->v[2]);", "$T **$w = $b->v; *++$w = OBJ; USE($b->v[1]);",
             "for ($b->n = 0; $b->n < 3;) $b->v[$b->n++] = OBJ; USE($b->v[1]);",
             "*(($T **)($b + 1)) = OBJ; USE($b->v[0]);",
             ("struct $head { long n; }; struct $rest { int k; $T *p; };\n"
              "struct $all { struct $head h; struct $rest rest[1]; };",
              "struct $head *$h = calloc(1, sizeof(struct $all)); struct $rest *$r = (struct $rest "
              "*)($h + 1); "
              "$r->p = OBJ; USE(((struct $all *)$h)->rest[0].p);"),
             ("static $T *$at(struct $bag *b, int i) { return b->v[i]; }",
              "$b->v[3] = OBJ; USE($at($b, 3));"))


@dial("struct assignment: through variables, pointers, elements; nested structs and arrays in "
      "structs")
def struct_assignment(p):
    record = p.record("a", "b")
    p.top("struct $out { int n; $r in; $T *v[3]; };", r=record)
    p.one_of("$s.$m = OBJ; $r $t = $s; USE($t.$m);",
             "$s.$m = OBJ; $r $t, *$p = &$t; *$p = $s; USE($t.$m);",
             "$s.$m = OBJ; $r $t[2] = {0}, *$p = &$s; $t[1] = *$p; USE($t[1].$m);",
             "$r $t, $u; $s.$m = OBJ; $u = $t = $s; USE($u.$m);",
             "$o.in.$m = OBJ; struct $out $t = $o; USE($t.in.$m);",
             "$o.v[1] = OBJ; struct $out $t; $t = $o; USE($t.v[1]);",
             "$s.$m = OBJ; struct $out *$p = &$o; $p->in = $s; USE($o.in.$m);",
             "$o.in.$m = OBJ; $s = (&$o)->in; USE($s.$m);",
             "$r *$p = &$s, $t; $p->$m = OBJ; *&$t = *&*$p; USE($t.$m);",
             "$r *$p = malloc(sizeof *$p); $s.$m = OBJ; *$p = $s; USE($p->$m);", s=(record, ""),
             o=("struct $out", ""), r=record, m=p.pick("a", "b"))


@dial("structs of so many members that they are not copied by members")
def large_struct(p):
    nested = "".join(f"struct $s{i} {{ struct $s{i - 1} a, b; }}; " for i in range(1, 12))
    p.top("struct $s0 { $T *p; }; " + nested)
    member = ".".join(p.pick("a", "b") for _ in range(11)) + ".p"
    p.one_of("$s.$m = OBJ; $t = $s; USE($t.$m);",
             "$s.$m = OBJ; struct $s11 *$p = &$s; $t = *$p; USE($t.$m);",
             ("static struct $s11 $kept; static struct $s11 *$keep(struct $s11 x) { $kept = x; "
              "return &$kept; }",
              "$s.$m = OBJ; USE($keep($s)->$m);"), s=("struct $s11", ""), t=("struct $s11", ""),
             m=member)


@dial("structs passed and returned by value")
def struct_value(p):
    record = p.record("a", "b", *p.pick([], ["c", "d", "e"]))
    p.one_of(("static void $show($r r) { USE(r.$m); }", "$s.$m = OBJ; $show($s);"),
             ("static $r $make($T *x) { $r r = {0}; r.$m = x; return r; }", "USE($make(OBJ).$m);"),
             ("static $r $make($T *x) { return ($r){.$m = x}; }",
              "$r $t = $make(OBJ), $u = $t; USE($u.$m);"),
             ("static $r $same(int n, $r r) { (void)n; return r; }",
              "$s.$m = OBJ; $r $t = $same(1, $s); USE($t.$m);"),
             ("static $r $load($r *r) { return *r; }", "$s.$m = OBJ; USE($load(&$s).$m);"),
             ("static $r $change($r r, $T *x) { r.$m = x; return r; }",
              "$r $t = $change($s, OBJ); USE($t.$m);"),
             ("static $r $same($r r) { return r; }\nstatic $r (*$by)($r) = $same;",
              "$s.$m = OBJ; USE($by($s).$m);"),
             ("static $T *$last(int n, ...) {\n    va_list ap;\n    va_start(ap, n);\n"
              "    $r r = va_arg(ap, $r);\n    va_end(ap);\n    return r.$m;\n}",
              "$s.$m = OBJ; USE($last(1, $s));"), s=(record, ""), r=record, m=p.pick("a", "b"))


@dial("compound literals: structs and arrays")
def compound_literal(p):
    record = p.record("a", "b")
    p.one_of("$r $s = ($r){.b = OBJ}; USE($s.b);", "$r *$p = &($r){.a = OBJ}; USE($p->a);",
             "USE((($r){.b = OBJ}).b);", "$T **$v = ($T *[]){0, OBJ}; USE($v[1]);",
             "USE((($T *[3]){[2] = OBJ})[2]);", "USE(*($T *[]){OBJ});",
             "$T *$p = &($T){0}; USE($p);",
             "$T *$p = ($T[3]){0} + 1; USE($p);", "$T **$p = &($T *){OBJ}; USE(*$p);",
             ("static $r *$one = &($r){.b = GOBJ};", "USE($one->b);"),
             ("static $T **$v = ($T *[]){GOBJ, GOBJ};", "USE($v[1]);"),
             ("static void $show($r r) { USE(r.a); }", "$show(($r){.a = OBJ});"),
             ("static void $show(const $r *r) { USE(r->b); }", "$show(&($r){.b = OBJ});"),
             ("static $T *$last($T **v, int n) { return v[n - 1]; }",
              "USE($last(($T *[]){0, OBJ}, 2));"),
             r=record)


@dial("unions: same member, other member, common initial sequence, pointer and uintptr_t, array "
      "and struct")
def unions(p):
    p.top("union $any { $T *p; void *v; uintptr_t bits; $T *arr[3]; struct { $T *x, *y, *z; } s;\n"
          "    struct { int tag; $T *q; } a; struct { int tag; $T *r; long more; } b; };")
    store, load = p.pick(("p", "p"), ("p", "v"), ("v", "p"), ("arr[1]", "s.y"), ("s.z", "arr[2]"),
                         ("a.q", "b.r"), ("b.r", "a.q"), ("p", "s.x"), ("arr[0]", "p"),
                         ("bits", "p"),
                         ("p", "bits"))
    p.one_of("$u.$store = $cast OBJ; $T *$p = ($T *)$u.$load; USE($p);",
             "union $any *$q = &$u; $q->$store = $cast OBJ; $T *$p = ($T *)$u.$load; USE($p);",
             "union $any $w; $u.$store = $cast OBJ; $w = $u; $T *$p = ($T *)$w.$load; USE($p);",
             ("static $T *$get(union $any u) { return ($T *)u.$load; }",
              "union $any $w = {.$store = $cast OBJ}; USE($get($w));"),
             "$T *$p = OBJ; union $any $w = (union $any)$p; USE($w.s.x);",
             "union $any $w = {.arr = {0, OBJ}}; USE($w.s.y);",
             "union { struct $other *o; uintptr_t n; } $w; $w.n = (uintptr_t)OBJ; USE(($T *)$w.n);",
             u=("union $any", ""), store=store,
             load=load, cast="(uintptr_t)" if store == "bits" else "")


@dial("tagged values (union of pointer, double and integer, with a tag) copied as structs")
def tagged_value(p):
    p.top("typedef struct { union { void *p; double d; long n; } v; int tag; } $value; "
          "static void $setp($value *to, void *x) { to->v.p = x; to->tag = 1; }")
    p.body("$value $one = {{0}, 0}; $setp(&$one, OBJ);")
    p.one_of("$value $two = $one; $T *$p = $two.v.p; if ($two.tag == 1) USE($p);",
             "$value $stack[4] = {0}, *$top = $stack; *++$top = $one; $T *$p = $top->v.p; USE($p);",
             "$value *$io = &$s; $io->v = $one.v; $io->tag = $one.tag; $T *$p = $s.v.p; USE($p);",
             ("static void $copy($value *to, const $value *from) { *to = *from; }",
              "$copy(&$s, &$one); $T *$p = $s.tag == 1 ? $s.v.p : 0; USE($p);"),
             ("static $value $same($value x) { return x; }", "$T *$p = $same($one).v.p; USE($p);"),
             s=("$value", ""))


@dial("bit-fields beside pointers")
def bit_fields(p):
    p.top("struct $bits { unsigned a : 3, b : 5; $T *p; unsigned c : 1; int : 0; long d : 40; $T "
          "*q; };")
    p.one_of("$s.a = 2; $s.$m = OBJ; $s.d = 5; USE($s.$m);",
             "$s.$m = OBJ; $s.c = 1; struct $bits $t = $s; USE($t.$m);",
             "struct $bits *$p = &$s; $p->b++; $p->$m = OBJ; if ($p->b) USE($s.$m);",
             "struct $bits $t = {1, 2, OBJ, 1, 3, OBJ}; USE($t.$m);",
             s=("struct $bits", ""), m=p.pick("p", "q"))


# Expressions


@dial("conditional operator and a ?: b")
def conditional(p):
    record = p.record("x")
    p.one_of("$T *$p = zero ? OBJ : OBJ; USE($p);", "$T *$p = !zero ? OBJ : 0; USE($p);",
             "$T *$q = 0; $T *$p = $q ?: OBJ; USE($p);", "$T *$q = OBJ; USE($q ?: 0);",
             "USE(zero ? 0 : zero ? OBJ : OBJ);",
             "$T *$p = (zero, !zero) ? OBJ : (void *)0; USE($p);",
             "$T *$a = 0, *$b = OBJ; USE(*(zero ? &$a : &$b));",
             "$r $a = {.x = OBJ}, $b = {.x = OBJ}; USE((zero ? $a : $b).x);",
             "$r $a = {.x = OBJ}, $b = {.x = OBJ}; USE((zero ? &$a : &$b)->x);",
             ("static $T *$find(int n) { return n ? GOBJ : 0; }", "USE($find(0) ?: $find(1));"),
             ("static $T *$find(int n) { return n ? GOBJ : 0; }",
              "$T *$p, *$q = ($p = $find(!zero)) ?: OBJ; USE($q);"),
             "$r $a = {.x = OBJ}; $T *$p = $a.x ?: ($T *)0; USE($p);",
             "if (($T *)0 ?: OBJ) { $T *$p = OBJ ?: 0; USE($p); }", r=record)


@dial("stores through a conditional lvalue pointer: *(c ? &a : &b) = x")
def conditional_store(p):
    record = p.record("x")
    p.one_of("$T *$a2 = 0, *$b2 = 0; *(zero ? &$a2 : &$b2) = OBJ; USE($b2);",
             "(zero ? &$a : &$b)->x = OBJ; USE($b.x);",
             "*(zero ? &$v[0] : &$v[2]) = OBJ; USE($v[2]);",
             "$T *$a2 = 0, **$w = 0; *($w ?: &$a2) = OBJ; USE($a2);",
             "(!zero ? $v : 0)[1] = OBJ; USE($v[1]);",
             "*(!zero ? &$a.x : &$v[1]) = OBJ; USE($a.x);", a=(record, ""), b=(record, ""),
             v=("$T *", "[3]"))


@dial("comma operator and statement expressions")
def comma_and_block(p):
    p.one_of("$T *$p = (sink++, OBJ); USE($p);", "USE((zero, OBJ));",
             "$T *$a, *$b; $a = OBJ, $b = $a; USE($b);",
             "$T *$p = ({ $T *q = OBJ; sink++; q; }); USE($p);",
             "USE(({ OBJ; }));", "USE(*({ $v[1] = OBJ; &$v[1]; }));",
             "for (int i = ($v[0] = OBJ, 0); i < 1; i++) USE($v[i]);",
             "*(sink++, &$v[2]) = OBJ; USE($v[2]);",
             ("#define $MAX(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); VAL(a_) > VAL(b_) ? a_ : "
              "b_; })",
              "$T *$p = OBJ, *$q = OBJ; USE($MAX($p, $q));"), v=("$T *", "[3]"))


@dial("assignment as a condition: if ((p = next())), while ((p = next()))")
def assigned_condition(p):
    p.top("static $T *$next(void) {\n    static $T *items[] = {GOBJ, GOBJ, 0};\n"
          "    static int at;\n"
          "    return items[at++];\n}")
    p.one_of("$T *$p; if (($p = $next())) USE($p);", "$T *$p; while (($p = $next())) USE($p);",
             "$T *$p; if (!($p = $next())) sink++; else USE($p);",
             "for ($T *p; (p = $next()) != 0;) USE(p);",
             "$T *$p, *$q; if (($p = $q = $next()) && $q) USE($p);",
             "$T *$p = 0; if (zero || ($p = $next())) USE($p);",
             "USE(($v[1] = $next())); USE($v[1]);", v=("$T *", "[2]"))


@dial("_Generic, __builtin_expect, __builtin_choose_expr, __builtin_constant_p")
def selections(p):
    p.one_of("$T *$a = OBJ; USE(_Generic($a, $T *: $a, default: ($T *)0));",
             "$T *$p = _Generic(0L, int: 0, long: OBJ); USE($p);",
             "CALL(_Generic(1.0, double: FUN, default: FUN));",
             "$T *$p = OBJ; if (__builtin_expect($p != 0, 1)) USE($p);",
             "$T *$p = (void *)__builtin_expect((long)OBJ, 0); USE($p);",
             "USE(__builtin_choose_expr(1, OBJ, 0));",
             "USE(__builtin_choose_expr(sizeof(int) == 1, 0, OBJ));",
             "USE(__builtin_constant_p(zero) ? 0 : OBJ);",
             "$T *$v[2] = {OBJ, OBJ}; $T *$p = _Generic(&$v, $T *(*)[2]: $v[1], default: 0); "
             "USE($p);")


# Casts, integers and bytes


@dial("arrays of pointers seen as structs, and back; nested structs seen as flat ones",
      untyped=True)
def array_views(p):
    p.top("struct $pair { $T *a, *b; }; struct $nest { $T *first; struct $pair in; }; struct $flat "
          "{ $T *x, *y, *z; };")
    p.one_of("$T *$v[2] = {0, OBJ}; struct $pair *$p = (struct $pair *)$v; USE($p->b);",
             "$T *$v[2] = {0, 0}; struct $pair *$p = (struct $pair *)$v; $p->b = OBJ; USE($v[1]);",
             "$s.b = OBJ; $T **$v = ($T **)&$s; USE($v[1]);",
             "$T **$v = ($T **)&$s; $v[1] = OBJ; USE($s.b);",
             "$n.in.b = OBJ; struct $flat *$f = (struct $flat *)&$n; USE($f->z);",
             "struct $flat *$f = (struct $flat *)&$n; $f->y = OBJ; USE($n.in.a);",
             "struct $pair *$p = calloc(2, sizeof *$p); $T **$v = ($T **)($p + 1); $v[0] = OBJ; "
             "USE($p[1].a);",
             ("static $T *$get(struct $flat *f) { return f->z; }",
              "struct $nest *$p = calloc(1, sizeof *$p); $p->in.b = OBJ; USE($get((struct $flat "
              "*)$p));"),
             "$n.in.b = OBJ; void *$h = &$n; struct $flat *$f = $h; USE($f->z);",
             ("static void $set(void *h) { struct $flat *f = h; f->y = OBJ; }",
              "$set(&$n); USE($n.in.a);"),
             "struct $pair *$r = &$n.in; struct $flat *$f = (struct $flat *)&$n; $f->z = OBJ; "
             "USE($r->b);",
             s=("struct $pair", ""), n=("struct $nest", ""))


@dial("casts through void *, char *, other pointer types and struct types of the same layout")
def casts(p):
    p.top("struct $pair { $T *a, *b; }; struct $twin { $T *x, *y; } __attribute__((may_alias));")
    p.one_of("void *$v = OBJ; $T *$p = $v; USE($p);", "char *$c = (char *)OBJ; USE(($T *)$c);",
             "USE(($T *)(void *)(const char *)OBJ);",
             "long **$l = (long **)(void *)OBJ; $T *$p = (void *)$l; USE($p);",
             "$s.b = OBJ; void *$v = &$s; USE(((struct $pair *)$v)->b);",
             "struct $twin *$t = (struct $twin *)&$s; $t->y = OBJ; USE($s.b);",
             "$s.a = OBJ; USE(((struct $twin *)(void *)&$s)->x);",
             "$s.b = OBJ; USE(((struct $twin *)&$s)->y);",
             "$T *$q = 0; void *$v[2] = {&$s, &$q}; for (int i = 0; i < 2; i++) { void *$w = "
             "$v[i]; "
             "if (i == 0) ((struct $pair *)$w)->a = OBJ; else *($T **)$w = OBJ; } USE($q); "
             "USE($s.a);",
             ("static void $set(void **to, $T *x) { *to = x; }",
              "$T *$q = 0; $set((void *)&$q, OBJ); USE($q);"),
             "struct { long n; $T *p; } $o; void *$v[2] = {&$s, &$o}; for (int i = 0; i < 2; i++) "
             "{ "
             "void *$w = $v[i]; if (i == 0) ((struct $pair *)$w)->b = OBJ; "
             "else ((__typeof__($o) *)$w)->p = OBJ; } USE($o.p); USE($s.b);",
             "struct opaque *$o = (struct opaque *)OBJ; USE(($T *)$o);",
             "void *$v[2] = {OBJ, OBJ}; $T *$p = $v[1]; USE($p);",
             "$s.b = OBJ; $T *$p = *($T **)((char *)&$s + offsetof(struct $pair, b)); USE($p);",
             ("static void *$same(void *x) { return x; }", "$T *$p = $same(OBJ); USE($p);"),
             ("static void $put(void *to, $T *x) { ((struct $pair *)to)->b = x; }",
              "$put(&$s, OBJ); USE($s.b);"), s=("struct $pair", ""))


@dial("pointers through uintptr_t, intptr_t, long, size_t")
def integers(p):
    integer = p.pick("uintptr_t", "intptr_t", "long", "unsigned long", "size_t")
    p.one_of("$int $n = ($int)OBJ; $T *$p = ($T *)$n; USE($p);",
             "$int $n[2] = {0, ($int)OBJ}; USE(($T *)$n[1]);",
             "struct { int k; $int n; } $s = {1, ($int)OBJ}, $t = $s; USE(($T *)$t.n);",
             "$int $n = ($int)OBJ + 16; $T *$p = ($T *)($n - 16); USE($p);",
             "$int $n = ($int)$v; USE(($T *)($n + 2 * sizeof($T)));",
             "$T *$p = 0; $int $n = ($int)&$p; *($T **)$n = OBJ; USE($p);",
             ("static $int $kept; static void $later(void) { USE(($T *)$kept); }",
              "$kept = ($int)OBJ; $later();"),
             ("static $int $same($int n) { return n; }", "USE(($T *)$same(($int)OBJ));"),
             "$int $n = ($int)((char *)OBJ - (char *)0); $T *$p = ($T *)$n; USE($p);",
             "$int $n = ($int)OBJ; USE(($T *)((char *)0 + $n));",
             "$int $n, *$at = &$n; *$at = ($int)OBJ; $T *$p = ($T *)$n; USE($p);",
             int=integer, v=("$T", "[3]"))


@dial("pointers tagged in the low bit, which is masked off again")
def tagged_pointer(p):
    clear = p.pick("$n & ~(uintptr_t)1", "$n - 1", "$n ^ 1", "$n & -2", "$n >> 1 << 1")
    p.one_of("uintptr_t $n = (uintptr_t)OBJ | 1; if ($n & 1) USE(($T *)($clear));",
             "uintptr_t $n = (uintptr_t)OBJ + 1; $T *$p = ($T *)($clear); USE($p);",
             "char *$c = (char *)OBJ + 1; USE(($T *)($c - 1));",
             "void *$w = (void *)((uintptr_t)OBJ | 1); uintptr_t $n = (uintptr_t)$w; USE(($T "
             "*)($clear));",
             ("struct $s { uintptr_t word; int n; }; static $T *$get(struct $s *s) { uintptr_t $n "
              "= s->word; "
              "return ($T *)($clear); }",
              "struct $s $v[2] = {{0, 0}, {(uintptr_t)OBJ | 1, 2}}; USE($get(&$v[1]));"),
             clear=clear)


@dial("XOR-linked pointers")
def xor_pointers(p):
    chain = """
        struct $cell $a = {OBJ, 0}, $b = {OBJ, 0}, $c = {OBJ, 0}, *$before = 0, *$at = &$a;
        $a.link = (uintptr_t)&$b;
        $b.link = (uintptr_t)&$a ^ (uintptr_t)&$c;
        $c.link = (uintptr_t)&$b;
        while ($at) {
            struct $cell *$after = (struct $cell *)($at->link ^ (uintptr_t)$before);
            READ($at->p);
            $before = $at;
            $at = $after;
        }
        """
    p.one_of(("struct $cell { $T *p; uintptr_t link; };", chain),
             "$T *$a = OBJ, *$b = OBJ; uintptr_t $x = (uintptr_t)$a ^ (uintptr_t)$b; "
             "USE(($T *)($x ^ (uintptr_t)$b)); USE(($T *)($x ^ (uintptr_t)$a));",
             "$T *$a = OBJ, *$b = 0; uintptr_t $x = (uintptr_t)$a, $y = (uintptr_t)$b; "
             "$x ^= $y; $y ^= $x; $x ^= $y; USE(($T *)$y);")


@dial("pointers shifted, turned over, or packed into wider integers")
def shifted(p):
    p.body("$T *$x = OBJ;")
    p.one_of("uintptr_t $n = (uintptr_t)$x << 1; USE(($T *)($n >> 1));",
             "unsigned __int128 $n = (uintptr_t)$x; $n = $n << 32; USE(($T *)(uintptr_t)($n >> "
             "32));",
             "uintptr_t $n = ~(uintptr_t)$x; USE(($T *)~$n);")


@dial("pointers in two halves", gap=True)
def halves(p):
    p.body("$T *$x = OBJ;")
    p.one_of("uint32_t $half[2] = {(uint32_t)(uintptr_t)$x, (uint32_t)((uintptr_t)$x >> 32)}; "
             "USE(($T *)(((uintptr_t)$half[1] << 32) | $half[0]));",
             "union { uint32_t half[2]; $T *p; } $u = {.p = $x}, $w = {{$u.half[0], $u.half[1]}}; "
             "USE($w.p);")


@dial("memcpy and memmove of pointers, structs and arrays; builtins; a helper with a size")
def memory_copy(p):
    record = p.record("a", "b")
    copy = p.pick("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove")
    p.one_of("$T *$p = OBJ, *$q; $copy(&$q, &$p, sizeof $q); USE($q);",
             "$s.b = OBJ; $copy(&$t, &$s, sizeof $t); USE($t.b);",
             "$v[1].b = OBJ; $r $w[3]; $copy($w, $v, sizeof $w); USE($w[1].b);",
             "$v[0].a = OBJ; $copy($v + 1, $v, sizeof *$v); USE($v[1].a);",
             "$v[0].b = OBJ; memmove(&$v[1], &$v[0], 2 * sizeof $v[0]); USE($v[1].b);",
             "$s.b = OBJ; $T *$q; $copy(&$q, (char *)&$s + offsetof($r, b), sizeof $q); USE($q);",
             "$s.a = OBJ; $r *$p = malloc(sizeof *$p); $r *$q = $copy($p, &$s, sizeof $s); "
             "USE($q->a);",
             "$T *$p = OBJ; char $bytes[sizeof $p]; $copy($bytes, &$p, sizeof $p); $T *$q; "
             "$copy(&$q, $bytes, sizeof $q); USE($q);",
             "uintptr_t $n; $T *$p = OBJ; $copy(&$n, &$p, sizeof $n); USE(($T *)$n);",
             ("static void $move(void *to, const void *from, size_t n) { $copy(to, from, n); }",
              "$s.b = OBJ; $move(&$t, &$s, sizeof $s); USE($t.b);"),
             ("static void *$dup(const void *from, size_t n) { return $copy(malloc(n), from, n); }",
              "$s.b = OBJ; $r *$p = $dup(&$s, sizeof $s); USE($p->b);"),
             "$s.b = OBJ; $copy(&$t.a, &$s.a, sizeof $s - offsetof($r, a)); USE($t.b);",
             "void *$v2 = malloc(sizeof $s); $s.b = OBJ; $copy($v2, &$s, sizeof $s); USE((($r "
             "*)$v2)->b);", s=(record, ""),
             t=(record, ""), v=(record, "[3]"), r=record, copy=copy)


@dial("pointers copied by loops over bytes or over words")
def copy_loop(p):
    record = p.record("a", "b")
    p.top(p.pick("static void $copy(void *to, const void *from, size_t n) {\n"
                 "    unsigned char *t = to;\n"
                 "    const unsigned char *f = from;\n    while (n--) *t++ = *f++;\n}",
                 "static void $copy(void *to, const void *from, size_t n) {\n"
                 "    for (size_t i = 0; i < n; i++)\n"
                 "        ((char *)to)[i] = ((const char *)from)[i];\n}",
                 "typedef long __attribute__((may_alias)) $word; "
                 "static void $copy(void *to, const void *from, size_t n) {\n    $word *t = to;\n"
                 "    const $word *f = from;\n    for (n /= sizeof *t; n; n--) *t++ = *f++;\n}",
                 "static void $copy(void *to, const void *from, size_t n) {\n"
                 "    char *t = to, byte;\n"
                 "    const char *f = from;\n    do { byte = *f++; *t++ = byte; } while (--n);\n}"))
    p.one_of("$T *$p = OBJ, *$q; $copy(&$q, &$p, sizeof $q); USE($q);",
             "$s.b = OBJ; $copy(&$t, &$s, sizeof $t); USE($t.b);",
             "$v[1].a = OBJ; $copy(&$v[0], &$v[1], sizeof $v[0]); USE($v[0].a);",
             "$s.a = OBJ; $r *$p = malloc(sizeof *$p); $copy($p, &$s, sizeof $s); USE($p->a);",
             ("static void (*$by)(void *, const void *, size_t) = $copy;",
              "$T *$p = OBJ, *$q; $by(&$q, &$p, sizeof $q); USE($q);"), s=(record, ""),
             t=(record, ""), v=(record, "[2]"), r=record)


@dial("swapping the bytes of two variables through a generic swap")
def generic_swap(p):
    record = p.record("a")
    p.top(p.pick("static void $swap(void *a, void *b, size_t n) {\n    char c, *x = a, *y = b;\n"
                 "    for (; n--; x++, y++) { c = *x; *x = *y; *y = c; }\n}",
                 "typedef long __attribute__((may_alias)) $word; static void $swap(void *a, void "
                 "*b, size_t n) {\n"
                 "    $word c, *x = a, *y = b;\n"
                 "    for (n /= sizeof c; n; n--) { c = *x; *x++ = *y; *y++ = c; }\n}",
                 "static void $swap(void *a, void *b, size_t n) {\n    char *old = malloc(n);\n"
                 "    memcpy(old, a, n);\n    memcpy(a, b, n);\n    memcpy(b, old, n);\n"
                 "    free(old);\n}",
                 "static void $swap(void *a, void *b, size_t n) {\n    char *x = a, *y = b;\n"
                 "    while (n--) { char c = *x; *x++ = *y; *y++ = c; }\n}"))
    p.one_of("$T *$p = OBJ, *$q = OBJ; $swap(&$p, &$q, sizeof $p); USE($p); USE($q);",
             "$s.a = OBJ; $swap(&$s, &$t, sizeof $s); USE($t.a);", s=(record, ""), t=(record, ""))


@dial("container_of and offsetof, forward and backward")
def container_of(p):
    how = p.pick(
        "((struct $item *)((char *)(p) - offsetof(struct $item, link)))",
        "({ struct $link *link_ = (p); (struct $item *)((char *)link_ - offsetof(struct $item, "
        "link)); })",
        "((struct $item *)((uintptr_t)(p) - __builtin_offsetof(struct $item, link)))")
    p.top("struct $link { struct $link *next; };\n"
          "struct $item { int n; $T *a; struct $link link; $T *b; };\n#define $of(p) $how", how=how)
    p.one_of("struct $link *$l = &$s.link; $s.$m = OBJ; USE($of($l)->$m);",
             "struct $link *$l = &$s.link; $of($l)->$m = OBJ; USE($s.$m);",
             "$T **$w = ($T **)((char *)&$s + offsetof(struct $item, $m)); *$w = OBJ; USE($s.$m);",
             "$s.b = OBJ; char *$c = (char *)&$s.a; "
             "USE(*($T **)($c + offsetof(struct $item, b) - offsetof(struct $item, a)));",
             ("static $T *$get(struct $link *l) { return $of(l)->$m; }",
              "$s.$m = OBJ; USE($get(&$s.link));"),
             "$s.b = OBJ; char *$c = (char *)&$s; $c += offsetof(struct $item, b); "
             "USE(*($T **)$c);",
             "$s.$m = OBJ; char *$c = (char *)&$s.link; $c -= offsetof(struct $item, link); "
             "USE(((struct $item *)$c)->$m);",
             "$s.b = OBJ; USE(*($T **)((char *)&$s + (size_t)&((struct $item *)0)->b));",
             s=("struct $item", ""), m=p.pick("a", "b"))


@dial("intrusive lists: links embedded in items, walked with container_of")
def intrusive_list(p):
    p.top("""
        struct $link { struct $link *next, *prev; };
        struct $item { $T *p; struct $link link; };
        #define $entry(l, type, member) ((type *)((char *)(l) - offsetof(type, member)))
        static void $add(struct $link *head, struct $link *l) {
            l->next = head->next;
            l->prev = head;
            head->next->prev = l;
            head->next = l;
        }
        """)
    p.body("""
        struct $link $head = {&$head, &$head};
        struct $item $one = {OBJ, {0, 0}}, *$two = malloc(sizeof *$two);
        $two->p = OBJ;
        $add(&$head, &$one.link);
        $add($head.prev, &$two->link);
        for (struct $link *l = $head.$way; l != &$head; l = l->$way)
            USE($entry(l, struct $item, link)->p);
        """, way=p.pick("next", "prev"))


@dial("negative offsets: a header before a block")
def block_header(p):
    p.top("struct $head { $T *owner; size_t size; }; static void *$new(size_t n, $T *owner) {\n"
          "    struct $head *h = calloc(1, sizeof *h + n);\n    h->owner = owner;\n"
          "    h->size = n;\n"
          "    return h + 1;\n}")
    p.body("$T *$p = $new(sizeof *$p, OBJ);")
    p.one_of("USE(((struct $head *)$p)[-1].owner);", "USE(((struct $head *)$p - 1)->owner);",
             "USE($p);",
             "struct $head *$h = (void *)((char *)$p - sizeof *$h); USE($h->owner); USE($p);",
             "USE(*($T **)((char *)$p - sizeof(struct $head)));",
             "char *$c = (char *)$p; size_t $n = sizeof(struct $head); $c -= $n; "
             "USE(((struct $head *)$c)->owner);")


@dial("offsets that are kept as numbers: in variables, members, tables and arguments, forth and "
      "back")
def moved_by_numbers(p):
    p.top("struct $node { struct $node *left; $T *tag; };\n"
          "struct $item { $T *a; long key; struct $node node; $T *b; };\n"
          "struct $tree { struct $node *root; size_t offset; };\n"
          "static void $put(struct $tree *t, void *e) {\n"
          "    struct $node *n = (struct $node *)((char *)e + t->offset);\n    n->left = t->root;\n"
          "    t->root = n;\n}\n"
          "static void *$get(struct $tree *t, struct $node *n) {\n"
          "    return (char *)n - t->offset;\n}")
    p.one_of("struct $tree $t = {0, offsetof(struct $item, node)}; $s.$m = OBJ; $put(&$t, &$s); "
             "struct $item *$g = $get(&$t, $t.root); USE($g->$m);",
             "size_t $n = offsetof(struct $item, $m); $s.$m = OBJ; "
             "USE(*($T **)((char *)&$s + $n));",
             "size_t $n = offsetof(struct $item, $m); $T **$w = ($T **)((char *)&$s + $n); *$w = "
             "OBJ; USE($s.$m);",
             "size_t $n = offsetof(struct $item, node); struct $node *$l = &$s.node; $s.$m = OBJ; "
             "struct $item *$g = (struct $item *)((char *)$l - $n); USE($g->$m);",
             "ptrdiff_t $n = (char *)&$s.node - (char *)&$s; $s.$m = OBJ; struct $node *$l = "
             "&$s.node; "
             "USE(((struct $item *)((char *)$l - $n))->$m);",
             "static const size_t $table[] = {offsetof(struct $item, a), offsetof(struct $item, "
             "b)}; $s.b = OBJ; "
             "USE(*($T **)((char *)&$s + $table[1]));",
             "char *$w = (char *)&$s; size_t $n = offsetof(struct $item, node); $w += $n; "
             "struct $node *$l = (struct $node *)$w; $l->tag = OBJ; USE($s.node.tag);",
             "char *$w = (char *)&$s; $T *$o = OBJ; memcpy($w + offsetof(struct $item, $m), &$o, "
             "sizeof $o); USE($s.$m);",
             "enum { $n = offsetof(struct $item, b) }; char *$w = (char *)&$s; $s.b = OBJ; $w += "
             "$n; USE(*($T **)$w);",
             "enum { $n = offsetof(struct $item, node) }; char *$w = (char *)&$s.node; $s.$m = "
             "OBJ; $w -= $n; "
             "USE(((struct $item *)$w)->$m);",
             "char *$w = (char *)&$s.node; size_t $n = offsetof(struct $item, node); $s.$m = OBJ; "
             "$w -= $n; "
             "USE(((struct $item *)$w)->$m);",
             s=("struct $item", ""), m=p.pick("a", "b"))


@dial("integers that were pointers and are moved; members from the address of another; numbers "
      "that are less than 0")
def moved_integers(p):
    p.top("struct $row { $T *a, *b, *c; };\nstruct $part { const int *to_top; };\n"
          "struct $whole { $T *a; struct $part one; long n; struct $part two; };\n"
          "static void *$top(struct $part *p) {\n    return (char *)p + *p->to_top;\n}")
    p.one_of("uintptr_t $u = (uintptr_t)&$s; $s.b = OBJ; USE(*($T **)($u + offsetof(struct $row, "
             "b)));",
             "uintptr_t $u = (uintptr_t)&$s; $s.b = OBJ; USE(*($T **)(offsetof(struct $row, b) + "
             "$u));",
             "uintptr_t $u = (uintptr_t)&$s; size_t $n = offsetof(struct $row, c); $s.c = OBJ; "
             "USE(*($T **)($n + $u));",
             "uintptr_t $u = (uintptr_t)&$s; $u += 2 * sizeof $s.a; $s.c = OBJ; USE(*($T **)$u);",
             "$s.b = OBJ; USE((&$s.a)[1]);",
             "$s.a = OBJ; USE(*(&$s.c - 2));",
             "struct $row *$p = &$s; int $n = 2; $s.c = OBJ; USE((&$p->a)[$n]);",
             "static const int $n = -(int)offsetof(struct $whole, two); struct $whole $w = {OBJ, "
             "{&$n}, 0, {&$n}}; "
             "struct $whole *$t = $top(&$w.two); USE($t->a);",
             "ptrdiff_t $n = (char *)&$s.a - (char *)&$s.c; $s.a = OBJ; USE(*($T **)((char *)&$s.c "
             "+ $n));",
             "struct $row *$r = malloc(sizeof(struct $part) + sizeof *$r); "
             "struct $row *$q = (struct $row *)((struct $part *)$r + 1); $q->b = OBJ; "
             "struct $row *$p = (void *)((char *)$r + sizeof(struct $part)); USE($p->b);",
             s=("struct $row", ""))


@dial("pointers to bytes that lie in memory, are passed by address, or come back as results",
      carrying=True)
def bytes_in_memory(p):
    record = p.record("a", "b")
    p.top("struct $job { char *from, *to; size_t n; };\n"
          "static void $run(const struct $job *j) {\n"
          "    for (size_t i = 0; i < j->n; i++) j->to[i] = j->from[i];\n}\n"
          "static void $once(const struct $job *j) {\n    memcpy(j->to, j->from, j->n);\n}\n"
          "static void $skip(char **p, int n) {\n    *p += n;\n}\n"
          "static char *$at(char *p, size_t n) {\n    return p + n;\n}")
    p.one_of("struct $job $j = {(char *)&$s, (char *)&$t, sizeof $s}; $s.b = OBJ; $do(&$j); "
             "USE($t.b);",
             "struct $job $j; $j.from = (char *)&$s; $j.to = (char *)&$t; $j.n = sizeof $s; $s.a = "
             "OBJ; $do(&$j); "
             "USE($t.a);",
             "char *$c = (char *)&$s; $s.b = OBJ; $skip(&$c, offsetof($r, b)); USE(*($T **)$c);",
             "$s.b = OBJ; $T *$q; memcpy(&$q, $at((char *)&$s, offsetof($r, b)), sizeof $q); "
             "USE($q);",
             "char *$c = $at((char *)&$s, 0); $s.b = OBJ; USE(*($T **)($c + offsetof($r, b)));",
             "struct $job $j = {0}; char **$p = &$j.from; $j.from = (char *)&$s; char *$c = *$p; "
             "$s.a = OBJ; if (*$c) USE($s.a);",
             "char *$c = malloc(sizeof $s), *$d = $c; (($r *)$c)->b = OBJ; USE((($r *)$d)->b);",
             s=(record, ""), t=(record, ""), r=record, do=p.pick("$run", "$once"))


@dial("memory copied by floating point, vectors, members of unions, records without pointers")
def other_words(p):
    p.top("typedef long $pair __attribute__((vector_size(16)));\n"
          "struct $four { _Alignas(16) $T *a; $T *b, *c, *d; };\n"
          "struct $eight { char bytes[8]; };\n"
          "union $raw { struct $four r; unsigned char bytes[sizeof(struct $four)]; };")
    p.one_of("double *$d = (double *)&$t; const double *$f = (const double *)&$s; $s.b = OBJ; "
             "for (int i = 0; i < 4; i++) $d[i] = $f[i]; USE($t.b);",
             "$s.b = OBJ; *($pair *)&$t = *($pair *)&$s; USE($t.b);",
             "$s.d = OBJ; $pair $v = (($pair *)&$s)[1]; (($pair *)&$t)[1] = $v; USE($t.d);",
             "struct $eight *$d = (struct $eight *)&$t, *$f = (struct $eight *)&$s; $s.c = OBJ; "
             "for (int i = 0; i < 4; i++) $d[i] = $f[i]; USE($t.c);",
             "union $raw $u, $w; $u.r.b = OBJ; for (unsigned i = 0; i < sizeof $u; i++) "
             "$w.bytes[i] = $u.bytes[i]; "
             "USE($w.r.b);",
             "$T *$p = OBJ, *$q; double $d = *(double *)&$p; *(double *)&$q = $d; USE($q);",
             s=("struct $four", ""), t=("struct $four", ""))


@dial("records in buffers of bytes: rings, queues in records, copies by characters")
def byte_buffers(p):
    p.top("struct $message { long kind; $T *a, *b; };\n" +
          p.pick("static unsigned char $ring[256];\nstatic unsigned $in, $out;\n"
                 "static void $put(const void *p, unsigned n) {\n    const unsigned char *s = p;\n"
                 "    for (unsigned i = 0; i < n; i++) $ring[($in + i) % 256] = s[i];\n"
                 "    $in += n;\n}\n"
                 "static void $get(void *p, unsigned n) {\n    unsigned char *d = p;\n"
                 "    for (unsigned i = 0; i < n; i++) d[i] = $ring[($out + i) % 256];\n"
                 "    $out += n;\n}",
                 "static struct { unsigned n; char bytes[128]; } $queue;\n"
                 "static void $put(const void *p, unsigned n) {\n    const char *s = p;\n"
                 "    while (n--) $queue.bytes[$queue.n++] = *s++;\n}\n"
                 "static void $get(void *p, unsigned n) {\n    char *d = (char *)p + n;\n"
                 "    while (n--) *--d = $queue.bytes[--$queue.n];\n}",
                 "static char $buffer[128];\nstatic void $put(const void *p, unsigned n) {\n"
                 "    memcpy($buffer, p, n);\n}\nstatic void $get(void *p, unsigned n) {\n"
                 "    memcpy(p, $buffer, n);\n}"))
    p.body("struct $message $m = {1, OBJ, OBJ}, $r; $put(&$m, sizeof $m); $get(&$r, sizeof $r); "
           "USE($r.$which);",
           which=p.pick("a", "b"))


@dial("copies of records through pointers to a type that is never completed")
def opaque_records(p):
    p.top("typedef struct $closed $closed;\nstruct $open { $T *a; long n; $T *b; };\n" +
          p.pick("static void $copy($closed *d, const $closed *s, size_t n) { memcpy(d, s, n); }",
                 "static void $copy($closed *d, const $closed *s, size_t n) { memmove(d, s, n); }",
                 "static void $copy($closed *d, const $closed *s, size_t n) {\n    void *v = d;\n"
                 "    memcpy(v, s, n);\n}",
                 "static void $copy($closed *d, const $closed *s, size_t n) {\n"
                 "    char *t = (char *)d;\n"
                 "    const char *f = (const char *)s;\n    while (n--) *t++ = *f++;\n}"))
    p.body("struct $open $s = {OBJ, 1, OBJ}, $t; $copy(($closed *)&$t, ($closed *)&$s, sizeof $s); "
           "USE($t.$which);",
           which=p.pick("a", "b"))


# Function pointers


@dial("function pointers in variables; f(x), (*f)(x), (**f)(x); conditional callee")
def function_variable(p):
    p.one_of("$T *(*$f)($T *) = FUN; CALL($f);", "$T *(*$f)($T *); $f = &FUN; CALL($f);",
             "$T *(*$f)($T *) = *FUN, *(**$g)($T *) = &$f; CALL(*$g);", "CALL(zero ? FUN : FUN);",
             "$T *(*$f)($T *) = zero ? FUN : &FUN; CALL($f);", "(zero ? FUN : FUN)(OBJ);",
             "(****FUN)(OBJ);",
             "__typeof__(FUN) *$f = FUN; CALL($f);",
             ("static $T *(*$f)($T *);", "$f = FUN; CALL($f);"),
             ("$T *(*$f)($T *) = FUN;", "CALL($f);"),
             ("static $T *(*$f)($T *) = FUN, *(**$g)($T *) = &$f;", "CALL(*$g);"),
             "$T *(*const volatile $f)($T *) = FUN; CALL($f);",
             "void *(*$f)(unsigned long) = (void *(*)(unsigned long))FUN; USE(($T *)$f((unsigned "
             "long)OBJ));",
             "void (*$f)(void) = (void (*)(void))FUN; CALL((($T *(*)(const void *))$f));")


@dial("tables of functions: arrays with designators, arrays of structs, two-dimensional")
def function_table(p):
    p.one_of(("static $T *(*$table[])($T *) = {[1] = FUN, [0] = FUN};", "CALL($table[zero + 1]);"),
             ("static $T *(*const $table[3])($T *) = {FUN, 0, &FUN};",
              "for (int i = 0; i < 3; i++)\n    if ($table[i]) $table[i](OBJ);"),
             ("static const struct { const char *name; $T *(*f)($T *); } $rows[] = {\n"
              "    {\"a\", FUN}, {.f = FUN, .name = \"b\"}};", "CALL($rows[1].f);"),
             ("static $T *(*$table[2][2])($T *) = {{0, FUN}, {FUN}};",
              "CALL($table[1][0]); CALL(*$table[0][1]);"),
             "$T *(*$v[2])($T *) = {FUN, FUN}; CALL($v[1]);",
             "$T *(*$v[2])($T *), *(**$w)($T *) = $v; *++$w = FUN; CALL($v[1]);",
             ("typedef $T *$fn($T *); static $fn *$table[2];",
              "$table[1] = FUN; $fn **$w = $table; CALL($w[1]);"))


@dial("virtual tables: functions as struct members")
def vtable(p):
    p.top("struct $obj; struct $ops { int n; $T *(*get)(struct $obj *); void (*set)(struct $obj *, "
          "$T *); }; "
          "struct $obj { const struct $ops *ops; $T *p; }; static $T *$get(struct $obj *o) { "
          "return o->p; }\n"
          "static void $set(struct $obj *o, $T *x) { o->p = x; }")
    p.top("static const struct $ops $table = $init;", init=p.pick("{1, $get, $set}",
                                                                  "{.set = $set, .get = &$get}"))
    p.one_of("$o.ops = &$table; $o.ops->set(&$o, OBJ); USE($o.ops->get(&$o));",
             "struct $obj *$p = &$o; $p->ops = &$table; $p->p = OBJ; USE((*$p->ops->get)($p));",
             "struct $ops $mine = $table; $mine.n = 2; $o.ops = &$mine; $o.p = OBJ; "
             "USE($o.ops->get(&$o));",
             ("static void $run(struct $obj *o, $T *x) { o->ops->set(o, x); }",
              "$o.ops = &$table; $run(&$o, OBJ); USE($o.p);"), o=("struct $obj", ""))


@dial("functions returning function pointers; pointers to such functions")
def function_returned(p):
    p.top("static $T *(*$choose(int n))($T *) { return n ? FUN : FUN; }")
    p.one_of("CALL($choose(zero));", "$T *(*$f)($T *) = $choose(1); CALL($f);",
             "$T *(*(*$g)(int))($T *) = $choose; CALL($g(1));", "USE((*(*(&$choose))(0))(OBJ));",
             ("typedef $T *(*$fn)($T *); static $fn $pick(int n) { return $choose(!n); }",
              "CALL($pick(1));"),
             ("typedef $T *$fn($T *); typedef $fn *$chooser(int); static $chooser *$all[] = "
              "{$choose};",
              "CALL($all[0](zero));"))


@dial("callbacks, also with void *user data")
def callbacks(p):
    p.top("struct $state { int n; $T *p; };")
    p.one_of(("static $T *$apply($T *(*f)($T *), $T *x) { return f(x); }",
              "USE($apply(FUN, OBJ));"),
             ("static void $each(void (*f)(void *), void *data) { f(data); }\n"
              "static void $visit(void *data) { $T *x = data; USE(x); }", "$each($visit, OBJ);"),
             ("static void $each(void (*f)(int, void *), void *data) {\n"
              "    for (int i = 0; i < 2; i++) f(i, data);\n}\n"
              "static void $visit(int i, void *data) {\n"
              "    struct $state *s = data;\n    s->n += i;\n    READ(s->p);\n}",
              "struct $state $s = {0, OBJ}; $each($visit, &$s);"),
             ("static void $each(void (*f)($T *, void *), void *data) { f(GOBJ, data); }\n"
              "static void $visit($T *x, void *data) { ((struct $state *)data)->p = x; }",
              "struct $state $s = {0}; $each($visit, &$s); USE($s.p);"),
             ("static struct { void (*f)(void *); void *data; } $slot; "
              "static void $fire(void) { $slot.f($slot.data); }\n"
              "static void $visit(void *data) { USE(($T *)data); }",
              "$slot.f = $visit; $slot.data = OBJ; $fire();"))


@dial("functions called by other types than theirs, as machines allow and C does not")
def loose_calls(p):
    nth = ("static $T *$nth(int n, ...) {\n    va_list ap;\n    $T *x = 0;\n    va_start(ap, n);\n"
           "    while (n--) x = va_arg(ap, $T *);\n    va_end(ap);\n    return x;\n}")
    p.one_of(("static $T *$get($T *x) { return x; }",
              "$T *(*volatile $f)(uintptr_t) = ($T *(*)(uintptr_t))$get; USE($f((uintptr_t)OBJ));"),
             ("static $T *$get(uintptr_t n) { return ($T *)n; }",
              "$T *(*volatile $f)($T *) = ($T *(*)($T *))$get; USE($f(OBJ));"),
             ("static void $put($T **to, $T *x) { *to = x; }",
              "$T *$p = 0; void (*volatile $f)(void *, void *) = (void (*)(void *, void *))$put; "
              "$f(&$p, OBJ); USE($p);"),
             ("static $T *$get(long n, $T *x) { return n ? x : 0; }",
              "uintptr_t (*volatile $f)(long, void *) = (uintptr_t (*)(long, void *))$get; USE(($T "
              "*)$f(1, OBJ));"),
             (nth, "$T *(*volatile $f)() = ($T *(*)())$nth; USE($f(2, OBJ, OBJ));"),
             (nth,
              "$T *(*volatile $f)(int, $T *, $T *) = ($T *(*)(int, $T *, $T *))$nth; USE($f(2, "
              "OBJ, OBJ));"))


@dial("function pointers cast to other types and back")
def function_cast(p):
    p.top("typedef $T *(*$fn)($T *);")
    p.one_of("void (*$any)(void) = (void (*)(void))FUN; CALL(($fn)$any);",
             "void *$v = (void *)FUN; $fn $f = ($fn)$v; CALL($f);",
             "uintptr_t $n = (uintptr_t)FUN; CALL(($fn)$n);",
             "$fn $f; *(void **)(void *)&$f = (void *)FUN; CALL($f);",
             "void *$v = (void *)&FUN; USE((($T *(*)($T *))$v)(OBJ));",
             ("static void (*$table[])(void) = {0, (void (*)(void))FUN};", "CALL(($fn)$table[1]);"),
             ("static void *$find(int n) { return n ? (void *)FUN : 0; }",
              "$fn $f = ($fn)$find(1); CALL($f);"),
             "$fn $f = FUN, $g; memcpy(&$g, &$f, sizeof $g); CALL($g);")


# The heap


@dial("malloc, calloc and realloc; cells, structs and growing arrays")
def heap(p):
    record = p.record("a", "b")
    p.one_of("$T **$c = malloc(sizeof *$c); *$c = OBJ; USE(*$c);",
             "$r *$s = calloc(1, sizeof($r)); $s->b = OBJ; USE($s->b);",
             "$r *$s = calloc(3, sizeof *$s); $s[2].a = OBJ; USE(($s + 2)->a);",
             "$T **$v = malloc(2 * sizeof *$v); $v[1] = OBJ; $v = realloc($v, 8 * sizeof *$v); "
             "USE($v[1]);",
             "$T **$v = 0; $v = realloc($v, 2 * sizeof *$v); $v[0] = OBJ; "
             "$T **$w = realloc($v, 90 * sizeof *$w); USE($w[0]);",
             "$r *$s = malloc(sizeof *$s), *$n; "
             "$s->b = OBJ; if (($n = realloc($s, 3 * sizeof *$n))) USE($n->b);",
             ("static void $push($T ***v, size_t *n, $T *x) {\n"
              "    *v = realloc(*v, (*n + 1) * sizeof **v);\n"
              "    (*v)[(*n)++] = x;\n}",
              "$T **$v = 0; size_t $n = 0; for (int i = 0; i < 3; i++) $push(&$v, &$n, OBJ); "
              "USE($v[2]);"),
             "$T *$p = calloc(4, sizeof *$p); $p = realloc($p, 40 * sizeof *$p); USE($p + 1);",
             r=record)


@dial("allocation wrappers called from several places; constructors")
def wrappers(p):
    p.top("static void *$keep(void *x) {\n    if (!x) abort();\n    return x;\n}\n"
          "static void *$get(size_t n) { return $make; }\n"
          "static void *$alloc(size_t n) {\n    void *x = $get(n);\n    $checked\n    return x;\n}",
          make=p.pick("calloc(1, n)", "memset(malloc(n), 0, n)", "calloc(n, 1)"),
          checked=p.pick("if (!x) abort();", "x = $keep(x);", "$keep(x);"))
    p.one_of("$T *$p = $alloc(sizeof *$p), *$q = $alloc(sizeof *$q); USE($p); USE($q);",
             "$T **$c = $alloc(sizeof *$c), **$d = $alloc(sizeof *$d); *$c = OBJ; *$d = OBJ; "
             "USE(*$c); "
             "USE(*$d);",
             ("struct $s { int n; $T *p; }; static struct $s *$new($T *x) { struct $s *s = "
              "$alloc(sizeof *s); "
              "s->p = x; return s; }",
              "struct $s *$a = $new(OBJ), *$b = $new(OBJ); USE($a->p); USE($b->p);"),
             ("static void *(*$hook)(size_t) = $alloc;", "$T *$p = $hook(sizeof *$p); USE($p);"),
             ("static void *(*$hook)(size_t) = $alloc, *(*$again)(void *) = $keep;",
              "$T *$p = $alloc(sizeof *$p), **$c = $again($hook(sizeof *$c)); *$c = $keep($p); "
              "USE($p); USE(*$c);"),
             ("static int $make($T **to) { *to = $alloc(sizeof **to); return 0; }",
              "$T *$p; if ($make(&$p) == 0) USE($p);"))


@dial("an allocator with a free list")
def free_list(p):
    p.top(p.pick("""
        union $cell { union $cell *next; struct { $T *p; int n; } use; };
        static union $cell *$free;
        static union $cell *$take(void) {
            union $cell *c = $free;
            if (c) $free = c->next;
            else c = malloc(sizeof *c);
            return c;
        }
        static void $give(union $cell *c) { c->next = $free; $free = c; }
        """, """
        union $cell { void *next; struct { $T *p; int n; } use; };
        static void *$free;
        static void *$take(void) {
            void *c = $free;
            if (!c) return malloc(sizeof(union $cell));
            $free = *(void **)c;
            return c;
        }
        static void $give(void *c) { *(void **)c = $free; $free = c; }
        """))
    p.body("union $cell *$a = $take(), *$b = $take(); $b->use.p = OBJ; USE($b->use.p); $give($a); "
           "union $cell *$c = $take(); $c->use.p = OBJ; USE($c->use.p);")
    p.one_of("",
             "$give($b); $give($c); union $cell *$d = $take(); $d->use.p = OBJ; USE($d->use.p);")


@dial("an arena: bump allocation from an array or a block")
def arena(p):
    p.top(p.pick("static _Alignas(16) char $pool[512]; static size_t $used; static void "
                 "*$bump(size_t n) {\n"
                 "    void *p = $pool + $used;\n    $used += (n + 15) & ~(size_t)15;\n"
                 "    return p;\n}",
                 "static char *$at, *$end; static void *$bump(size_t n) {\n"
                 "    n = (n + 15) / 16 * 16;\n"
                 "    if (!$at || $at + n > $end) {\n        $at = calloc(1, 512);\n"
                 "        $end = $at + 512;\n    }\n    $at += n;\n    return $at - n;\n}",
                 "struct $block { size_t used; _Alignas(16) char data[512]; }; static struct "
                 "$block *$now; "
                 "static void *$bump(size_t n) {\n    if (!$now) $now = calloc(1, sizeof *$now);\n"
                 "    void *p = &$now->data[$now->used];\n    $now->used += n + -n % 16;\n"
                 "    return p;\n}"))
    p.one_of("$T *$p = $bump(sizeof *$p), *$q = $bump(sizeof *$q); USE($p); USE($q);",
             "$T **$c = $bump(sizeof *$c); *$c = OBJ; USE(*$c);",
             "$r *$s = $bump(sizeof *$s), *$t = $bump(sizeof *$t); $s->a = OBJ; $t->b = OBJ; "
             "USE($s->a); "
             "USE($t->b);", r=p.record("a", "b"))


@dial("a realloc'd struct whose pointers into itself are fixed up")
def realloc_fixup(p):
    p.top("struct $buf { $T *at; int n; $T data[]; };")
    measure, fix = p.pick(("$b->at - $b->data", "$b->data + $off"),
                          ("(char *)$b->at - (char *)$b", "($T *)((char *)$b + $off)"))
    p.body("struct $buf *$b = calloc(1, sizeof *$b + 4 * sizeof($T)); $b->at = &$b->data[1]; "
           "ptrdiff_t $off = $measure; $b = realloc($b, sizeof *$b + 40 * sizeof($T)); $b->at = "
           "$fix; "
           "USE($b->at);", measure=measure, fix=fix)


@dial("linked lists: push, reverse, walk, remove through a pointer to the link, queue with a tail")
def linked_list(p):
    p.top("struct $node { $fields };",
          fields=p.pick("$T *p; struct $node *next;", "struct $node *next; $T *p;",
                                                     "int n; $T *p; struct $node *next;"))
    p.top("static struct $node *$cons($T *x, struct $node *next) {\n"
          "    struct $node *n = calloc(1, sizeof *n);\n    n->p = x;\n    n->next = next;\n"
          "    return n;\n}")
    p.one_of("for (struct $node *n = $cons(OBJ, $cons(OBJ, 0)); n; n = n->next) USE(n->p);",
             ("static struct $node *$reverse(struct $node *n) {\n"
              "    struct $node *done = 0, *rest;\n"
              "    for (; n; n = rest) { rest = n->next; n->next = done; done = n; }\n"
              "    return done;\n}",
              "struct $node *$l = $reverse($cons(OBJ, $cons(OBJ, 0))); USE($l->p); "
              "USE($l->next->p);"),
             "struct $node *$l = $cons(OBJ, $cons(OBJ, 0)), **$at = &$l->next; $at = "
             "&(*$at)->next; "
             "*$at = $cons(OBJ, 0); USE($l->next->next->p);",
             "struct $node *$l = $cons(OBJ, $cons(OBJ, 0)), **$at = &$l; *$at = (*$at)->next; "
             "USE($l->p);",
             ("static struct { struct $node *head, **tail; } $q = {0, &$q.head}; "
              "static void $add($T *x) { *$q.tail = $cons(x, 0); $q.tail = &(*$q.tail)->next; }\n"
              "static $T *$take(void) { struct $node *n = $q.head; $q.head = n->next; return n->p; "
              "}",
              "$add(OBJ); $add(OBJ); USE($take()); USE($take());"))


@dial("binary trees, doubly linked rings, hash tables with chains")
def containers(p):
    tree = """
        struct $tree { int key; $T *p; struct $tree *kid[2]; };
        static void $insert(struct $tree **at, int key, $T *x) {
            while (*at) at = &(*at)->kid[key > (*at)->key];
            *at = calloc(1, sizeof **at);
            (*at)->key = key;
            (*at)->p = x;
        }
        static $T *$find(struct $tree *t, int key) {
            return !t ? 0 : t->key == key ? t->p : $find(t->kid[key > t->key], key);
        }
        """
    ring = """
        struct $ring { struct $ring *prev, *next; $T *p; };
        static struct $ring *$join(struct $ring *r, $T *x) {
            struct $ring *n = malloc(sizeof *n);
            n->p = x;
            if (!r) return n->prev = n->next = n;
            n->next = r;
            n->prev = r->prev;
            r->prev->next = n;
            return r->prev = n;
        }
        """
    table = """
        struct $entry { const char *key; $T *p; struct $entry *next; };
        static struct $entry *$buckets[4];
        static struct $entry **$slot(const char *key) {
            struct $entry **at = &$buckets[key[0] % 4];
            while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
            return at;
        }
        static void $put(const char *key, $T *x) {
            struct $entry **at = $slot(key);
            if (!*at) *at = calloc(1, sizeof **at);
            (*at)->key = key;
            (*at)->p = x;
        }
        """
    p.one_of((tree, "struct $tree *$root = 0; $insert(&$root, 5, OBJ); $insert(&$root, $key, OBJ); "
                    "USE($find($root, $key));"),
             (ring,
              "struct $ring *$r = $join($join(0, OBJ), OBJ); USE($r->$way->p); "
              "USE($r->$way->$way->p);"),
             (table, '$put("one", OBJ); $put("six", OBJ); USE((*$slot("$word"))->p);'),
             key=str(p.pick(2, 9)), way=p.pick("next", "prev"), word=p.pick("one", "six"))


# The C library


@dial("strings: strdup, strchr, strstr, strtol's end pointer, strtok, results that are their "
      "argument")
def strings(p):
    p.type, p.member = "char", ""
    p.body(p.pick("", "static ") + 'char $s[] = "key=17;rest";')
    p.one_of("char *$p = strdup($s); USE($p);", "char *$p = strchr($s, '='); USE($p);",
             "char *$p = strstr($s, \"17\"); USE($p);",
             "char *$p; sink += strtol($s + 4, &$p, 10); READ($p);",
             "char *$p; sink += (long)strtod($s + 4, &$p); READ($p);", "USE(strrchr($s, ';'));",
             "char *$p = strtok($s, \"=\"), *$q = strtok(0, \";\"); READ($p); READ($q);",
             "char $t[20]; char *$p = strcpy($t, $s); USE($p);",
             "char $t[20] = \"\", *$p = strcat($t, $s); USE($p);",
             "USE((char *)memchr($s, 'k', sizeof $s));",
             "READ(strpbrk($s, \";=\") + 1);",
             "char $t[20], *$p = memcpy($t, $s, sizeof $s); USE($p);",
             "char *$p = memset($s, 'a', 2); USE($p + 1);",
             "char *$names[2] = {strdup(\"a\"), strdup($s)}; READ($names[1]);",
             "char *$p = strndup($s, 3); USE($p);")


@dial("qsort and bsearch, pointers dereferenced in the comparator")
def sorting(p):
    p.one_of(("static int $compare(const void *a, const void *b) {\n"
              "    $T *x = *($T *const *)a, *y = *($T *const *)b;\n"
              "    return (VAL(x) > VAL(y)) - (VAL(x) < VAL(y));\n}",
              "$T *$v[3] = {OBJ, OBJ, OBJ}; VAL($v[0]) = 5; qsort($v, 3, sizeof *$v, $compare); "
              "USE($v[2]);"),
             ("struct $row { int key; $T *p; }; static int $compare(const void *a, const void *b) "
              "{\n"
              "    const struct $row *x = a, *y = b;\n    READ(x->p);\n"
              "    return x->key - y->key;\n}",
              "struct $row $v[2] = {{7, OBJ}, {3, OBJ}}; qsort($v, 2, sizeof *$v, $compare); "
              "USE($v[1].p);"),
             ("struct $row { int key; $T *p; }; static int $compare(const void *key, const void "
              "*row) {\n"
              "    READ(((const struct $row *)row)->p);\n"
              "    return *(const int *)key - ((const struct $row *)row)->key;\n}",
              "struct $row $v[] = {{1, OBJ}, {4, OBJ}, {9, OBJ}}, *$r; int $key = 4; "
              "$r = bsearch(&$key, $v, 3, sizeof *$v, $compare); USE($r->p);"),
             ("static int $compare(const void *a, const void *b) {\n"
              "    $T *x = ($T *)a, *y = ($T *)b;\n"
              "    return (VAL(x) > VAL(y)) - (VAL(x) < VAL(y));\n}",
              "qsort($store, 3, sizeof *$store, $compare); "
              "USE(($T *)bsearch($store, $store, 3, sizeof *$store, $compare));"),
             ("struct $key { $T *p; }; static int $compare(const void *key, const void *element) "
              "{\n"
              "    const struct $key *k = key;\n    READ(k->p);\n"
              "    return *(const char *)element != 'x';\n}",
              "struct $key $k = {OBJ}; char $x[] = \"x\", *$c = bsearch(&$k, $x, 1, 1, $compare); "
              "sink += *$c;"), store=("$T", "[3]"))


@dial("library functions through pointers: copies, searches, sorting")
def library_function_values(p):
    # memcpy and memmove may be one function, which is then seen under either name
    p.one_of("void *(*$copy)(void *, const void *, size_t) = memmove; $T *$p = OBJ, *$q; "
             "$copy(&$q, &$p, sizeof $q); USE($q);",
             ("static const struct { int n; void *(*copy)(void *, const void *, size_t); } "
              "$table[] = "
              "{{0, 0}, {1, &memmove}};",
              "struct { int n; $T *p; } $a = {1, OBJ}, $b; $table[zero + 1].copy(&$b, &$a, sizeof "
              "$b); USE($b.p);"),
             ("static int $compare(const void *a, const void *b) { const $T *x = *($T *const *)a; "
              "(void)b;\n"
              "    READ(x); return 0; }",
              "void *(*$search)(const void *, const void *, size_t, size_t, int (*)(const void *, "
              "const void *)) = "
              "bsearch; $T *$v[1] = {OBJ}, *$k = OBJ, **$r = $search(&$k, $v, 1, sizeof *$v, "
              "$compare); USE(*$r);"),
             ("static void *$call(void *(*f)(void *, const void *, size_t), void *a, void *b, "
              "size_t n) "
              "{ return f(a, b, n); }",
              "$T *$p = OBJ, *$q = 0; $call(zero ? 0 : memmove, &$q, &$p, sizeof $q); USE($q);"),
             "char *(*$find)(const char *, int) = strchr; char $s[] = \"a=b\", *$c = $find($s, "
             "'='); sink += *$c;",
             ("static int $compare(const void *a, const void *b) { $T *x = *($T *const *)a; "
              "READ(x);\n"
              "    return (a > b) - (a < b); }",
              "void (*$sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort; "
              "$T *$v[2] = {OBJ, OBJ}; $sort($v, 2, sizeof *$v, $compare); USE($v[0]);"))


@dial("search trees, lists and tables of the library")
def search_tables(p):
    p.top("struct $row { int key; $T *p; }; static int $compare(const void *a, const void *b) {\n"
          "    const struct $row *x = a, *y = b;\n    READ(x->p); READ(y->p);\n"
          "    return x->key - y->key;\n}")
    p.one_of(("static void *$root; static void $add(int key, $T *x) {\n"
              "    struct $row *r = malloc(sizeof *r);\n    r->key = key;\n    r->p = x;\n"
              "    tsearch(r, &$root, $compare);\n}",
              "$add(3, OBJ); $add(1, OBJ); struct $row $k = {1, OBJ}, **$r = tfind(&$k, &$root, "
              "$compare); "
              "USE((*$r)->p);"),
             ("static void *$root; static void $visit(const void *node, VISIT order, int depth) {\n"
              "    const struct $row *r = *(const struct $row *const *)node;\n"
              "    sink += depth;\n    if (order == leaf) READ(r->p);\n}",
              "static struct $row $one; $one.p = OBJ; tsearch(&$one, &$root, $compare); "
              "twalk($root, $visit); "
              "tdelete(&$one, &$root, $compare);"),
             "struct $row $v[3] = {{1, OBJ}, {2, OBJ}}, $k = {2, OBJ}, *$r; size_t $n = 2; "
             "$r = lfind(&$k, $v, &$n, sizeof *$v, $compare); USE($r->p);",
             "struct $row $v[3] = {{1, OBJ}}, $k = {2, OBJ}, *$r; size_t $n = 1; "
             "$r = lsearch(&$k, $v, &$n, sizeof *$v, $compare); USE($r->p); USE($v[1].p);",
             ("struct $link { struct $link *next, *prev; $T *p; };",
              "static struct $link $a, $b; $b.p = OBJ; insque(&$a, 0); insque(&$b, &$a); "
              "USE($a.next->p); "
              "USE($b.prev->next->p);"))


@dial("threads: arguments, results, what is kept for a thread; functions called at the end")
def threads(p):
    p.one_of(("static void *$run(void *x) { USE(($T *)x); return x; }",
              "pthread_t $t; void *$r = 0; pthread_create(&$t, 0, $run, OBJ); pthread_join($t, "
              "&$r); "
              "USE(($T *)$r);"),
             ("struct $job { $T *in, *out; }; static void *$run(void *x) {\n"
              "    struct $job *j = x;\n    j->out = j->in;\n    return 0;\n}",
              "struct $job $j = {OBJ, 0}; pthread_t $t; pthread_create(&$t, 0, &$run, &$j); "
              "pthread_join($t, 0); USE($j.out);"),
             ("static void *$run(void *x) { pthread_exit(x); }",
              "pthread_t $t; void *$r; pthread_create(&$t, 0, $run, OBJ); pthread_join($t, &$r); "
              "READ(($T *)$r);"),
             ("static pthread_key_t $key; static void $end(void *x) { USE(($T *)x); }\n"
              "static void *$run(void *x) {\n    pthread_setspecific($key, x);\n"
              "    $T *mine = pthread_getspecific($key);\n    USE(mine);\n    return 0;\n}",
              "pthread_t $t; pthread_key_create(&$key, $end); pthread_create(&$t, 0, $run, OBJ); "
              "pthread_join($t, 0);"),
             ("static $T *$g; static void $once(void) { $g = GOBJ; }\n"
              "static pthread_once_t $control = PTHREAD_ONCE_INIT;",
              "pthread_once(&$control, $once); USE($g);"),
             ("static $T *$g; static void $end(void) { USE($g); }", "$g = GOBJ; atexit($end);"))


@dial("text that the library makes or points into: getline, open_memstream, sscanf, the "
      "environment")
def library_text(p):
    p.type, p.member = "char", ""
    p.one_of("setenv(\"ORACLE\", \"value\", 1); char *$p = getenv(\"ORACLE\"); READ($p);",
             "char *$text = 0; size_t $n; FILE *$f = open_memstream(&$text, &$n); fputs(\"abc\", "
             "$f); fclose($f); "
             "USE($text);",
             "char *$line = 0; size_t $n = 0; char $s[] = \"one\\ntwo\\n"
             "\"; FILE *$f = fmemopen($s, sizeof $s, \"r\"); "
             "if (getline(&$line, &$n, $f) > 0) USE($line); fclose($f);",
             "char *$word = 0; if (sscanf(\"17 rest\", \"%*d %ms\", &$word) == 1) USE($word);",
             "char $s[] = \"a,b\", *$at = $s, *$p = strsep(&$at, \",\"); USE($p); USE($at);",
             "char $s[] = \"a b\", *$rest = 0, *$p = strtok_r($s, \" \", &$rest); USE($p); "
             "READ($rest);",
             "char *$p = realpath(\"/\", 0); USE($p);",
             "char $s[] = \"12;\", *$p = $s; for (; *$p && *$p != ';'; $p++) sink++; char *$q = "
             "stpcpy($s, $p); "
             "READ($q);")


@dial("setjmp and longjmp with pointers set before")
def long_jump(p):
    p.top("static jmp_buf $env; static $T *$g;")
    p.one_of(("static void $jump($T *x) { $g = x; longjmp($env, 1); }",
              "if (setjmp($env) == 0) $jump(OBJ); else USE($g);"),
             "$T *volatile $p = OBJ; if (!setjmp($env)) {\n    $p = OBJ;\n    longjmp($env, 2);\n"
             "}\nUSE($p);",
             ("static void $jump($T **to, $T *x) { *to = x; longjmp($env, 3); }",
              "switch (setjmp($env)) {\ncase 0: $jump(&$g, OBJ);\ncase 3: USE($g);\n}"),
             ("struct $frame { jmp_buf env; $T *p; }; static void $throw(struct $frame *f, $T *x) "
              "{ f->p = x; "
              "longjmp(f->env, 1); }",
              "static struct $frame $f; if (setjmp($f.env)) USE($f.p); else $throw(&$f, OBJ);"))


# Storage, scope and control flow


@dial("state between calls: static locals and globals set in one function and used in another")
def state(p):
    p.one_of(("static $T *$keep($T *x) { static $T *kept; if (x) kept = x; return kept; }",
              "$keep(OBJ); USE($keep(0));"),
             ("static $T *$swap_in($T *x) { static $T *kept = 0; $T *old = kept; kept = x; return "
              "old; }",
              "$swap_in(OBJ); USE($swap_in(0));"),
             ("static $T *$g; static void $set($T *x) { $g = x; }\n"
              "static void $use_it(void) { USE($g); }",
              "$set(OBJ); $use_it();"),
             ("static struct { int n; $T *p[2]; } $g; static void $set($T *x) { $g.p[$g.n++] = x; "
              "}\n"
              "static $T *$get(void) { return $g.p[--$g.n]; }",
              "$set(OBJ); $set(OBJ); USE($get());"),
             ("static $T **$g; static void $fill($T *x) { *$g = x; }",
              "$T *$p = 0; $g = &$p; $fill(OBJ); USE($p); $g = 0;"),
             ("$T *$g; extern $T *$g; static $T *$get(void) { extern $T *$g; return $g; }",
              "$g = OBJ; USE($get());"))


@dial("swaps through pointers; out-parameters")
def out_parameters(p):
    record = p.record("a", "b")
    p.top("static int $get($T **to, $T *x) { if (!to) return 0; *to = x; return 1; }\n"
          "static void $swap($T **a, $T **b) { $T *old = *a; *a = *b; *b = old; }")
    p.one_of("$T *$p = 0; if ($get(&$p, OBJ)) USE($p);",
             "$T *$p = OBJ, *$q = OBJ; $swap(&$p, &$q); USE($p); USE($q);",
             "$get(&$v[1], OBJ); USE($v[1]);",
             "$v[2] = OBJ; $swap(&$v[0], $v + 2); USE($v[0]);",
             "$r $s = {0}; $get(&$s.b, OBJ); USE($s.b);",
             "$r $s = {.a = OBJ}, *$p = &$s; $swap(&$p->a, &$p->b); USE($s.b);",
             ("static void $make($r **to, $T *x) { *to = calloc(1, sizeof **to); (*to)->a = x; }",
              "$r *$s; $make(&$s, OBJ); USE($s->a);"), r=record, v=("$T *", "[3]"))


@dial("control flow: for-init declarations, goto, computed goto, do-while, switch, break and "
      "continue")
def control_flow(p):
    p.one_of("for ($T *p = OBJ, *q = p; q; q = 0) USE(q);",
             "$T *$p = OBJ, *$q = 0; int $n = 0; $again:\n"
             "if ($n++ < 2) {\n    $q = $p;\n    goto $again;\n}\nUSE($q);",
             "$T *$p = 0; int $n = 0; do {\n"
             "    if ($n == 1) { $p = OBJ; continue; }\n    if ($p) break;\n"
             "} while (++$n < 3); USE($p);",
             "$T *$p = 0; switch (zero + 2) {\ncase 1: $p = OBJ; break;\ncase 2 ... 4: $p = OBJ; "
             "/* fall through */\ndefault: sink++;\n}\nUSE($p);",
             "static void *$to[] = {&&$one, &&$two}; "
             "$T *$p = 0; goto *$to[zero + 1]; $one: $p = OBJ; $two: $p = $p ?: OBJ; USE($p);",
             "$T *$a = OBJ, *$b = 0, *$c = 0; for (int i = 0; i < 3; i++) {\n    $c = $b;\n"
             "    $b = $a;\n}\n"
             "USE($c);", "$T *$p = 0; int $n = 3; switch ($n) {\n    do {\ncase 3: $p = OBJ;\n"
             "    } while (--$n > 5);\n}\nUSE($p);",
             "$T *$p = OBJ; if (zero) {\n$in:\n    USE($p);\n} else goto $in;",
             "$T *$p = 0; for (int i = 0; i < 3; i++) {\n    $p = OBJ;\n    if (i == 1) break;\n"
             "    $p = 0;\n}\nUSE($p);",
             "static void *$to[] = {&&$one, &&$two}; $T *$p = OBJ; goto *$to[zero + 1]; $one: $p = "
             "0; "
             "$two: if ($p) USE($p);",
             "$T *$p = OBJ; switch (zero + 2) {\ncase 1: $p = 0; /* fall through */\n"
             "case 2: if ($p) USE($p);\n}",
             "$T *$next = OBJ; for ($T *p = OBJ;; p = $next) {\n    USE(p);\n"
             "    if (p == $next) break;\n}",
             "$T *$p = 0; for (int i = 0; i < 2; i++) {\n    if (i) {\n        USE($p);\n"
             "        continue;\n    }\n"
             "    $p = OBJ;\n    continue;\n    $p = 0;\n}",
             "$T *$p = OBJ, *$q = OBJ; if (zero) $p = $q;\nUSE($p); USE($q);",
             "$T *$p = OBJ, *$q = OBJ; if (zero) $p = $q;\nelse sink++;\nUSE($p); USE($q);",
             "$T *$p = OBJ, *$q = 0; while ($p) {\n    $q = $p;\n    $p = 0;\n}\nUSE($q);")


@dial("pointers that go through pipes and files as bytes")
def through_bytes(p):
    record = p.record("x")
    p.one_of("int $e[2]; $T *$q = OBJ, *$s = 0; if (pipe($e) == 0 && write($e[1], &$q, sizeof $q) "
             "> 0 && "
             "read($e[0], &$s, sizeof $s) > 0) USE($s);",
             "int $e[2]; $r $q = {.x = OBJ}, $s = {.x = 0}; if (pipe($e) == 0 && write($e[1], &$q, "
             "sizeof $q) > 0 && "
             "read($e[0], &$s, sizeof $s) > 0) USE($s.x);",
             "FILE *$f = tmpfile(); $r $q = {.x = OBJ}, $s = {.x = 0}; if ($f) {\n"
             "    fwrite(&$q, sizeof $q, 1, $f);\n"
             "    rewind($f);\n    if (fread(&$s, sizeof $s, 1, $f) == 1) USE($s.x);\n}",
             "FILE *$f = tmpfile(); $T *$v[2] = {0, OBJ}, *$w[2] = {0}; if ($f) {\n"
             "    fwrite($v, sizeof $v, 1, $f);\n"
             "    rewind($f);\n    if (fread($w, sizeof $w, 1, $f) == 1) USE($w[1]);\n}",
             ("static long $get(int e, void *to, unsigned long n) { return read(e, to, n); }",
              "int $e[2]; $r $q = {.x = OBJ}, $s = {.x = 0}; if (pipe($e) == 0 && write($e[1], "
              "&$q, sizeof $q) > 0 && "
              "$get($e[0], &$s, sizeof $s) > 0) USE($s.x);"), r=record)


@dial("calls of functions that do not return on all ways, and what comes behind them")
def endings(p):
    use = "$T *$p = OBJ; if (!zero) { $p = 0; $stop(1); $p = OBJ; } USE($p);"
    p.one_of(("static void $stop(int n) { for (;;) { if (n) break; sink++; } }", use),
             ("static void $stop(int n) { while (1) { for (;;) if (n) goto out; } out: sink++; }",
              use),
             ("static void $stop(int n) { do { switch (n) { case 1: return; } } while (1); }", use),
             ("static void $stop(int n) { switch (n) { case 0: exit(1); case 2: exit(2); } }", use),
             ("static void $stop(int n) { if (!n) exit(1); else sink++; }", use),
             ("static void $stop(int n) { for (;;) if (n) return; }", use),
             ("static void $stop(int n) { again: if (n > 1) exit(1); if (n++ < 1) goto again; }",
              use),
             ("static void $end(int n) { if (n) exit(1); for (;;) sink++; }",
              "$T *$p = zero ? OBJ : OBJ; if (zero) $end(1); USE($p);"),
             ("static void $end(int n) { exit(n); }", "$T *$p = OBJ; if (!$p) $end(1); USE($p);"))


@dial("shadowed variables, block-scope extern and function declarations, parameters with a "
      "global's name")
def scopes(p):
    p.one_of("$T *$p = OBJ; {\n    $T *$p = OBJ;\n    USE($p);\n}\nUSE($p);",
             "$T *$p = OBJ; for ($T *$p = OBJ, *$q = 0; !$q; $q = $p) USE($p); USE($p);",
             ("$T *$g = GOBJ; static void $f(void) {\n    $T *$g = OBJ;\n    USE($g);\n"
              "    { extern $T *$g; "
              "USE($g); }\n}", "$f();"),
             ("static $T *$g = GOBJ; static void $f($T *$g) { USE($g); }", "$f(OBJ); USE($g);"),
             ("static $T *$before(void) { extern $T *$g; return $g; }\n$T *$g = GOBJ;",
              "USE($before());"),
             ("static $T *$before($T *x) { $T *$after($T *); return $after(x); }\n"
              "$T *$after($T *x) { return x; }", "USE($before(OBJ));"),
             "struct $p { $T *$p; } $p = {OBJ}; USE($p.$p);",
             ("static $T *$f(void) { static $T *p = GOBJ; { static $T *p; p = OBJ; USE(p); } "
              "return p; }",
              "USE($f());"))


@dial("inline functions of system headers, which are read when they are called")
def system_header(p):
    p.top("# 1 \"$own.h\" 3\nstatic inline $T *$same($T *x) { return x; }\n"
          "static inline void $put($T **to, $T *x) { *to = $same(x); }\n# 100 \"$own.c\"")
    p.one_of("USE($same(OBJ));", "$T *$p = 0; $put(&$p, OBJ); USE($p);",
             "$T *(*$f)($T *) = $same; USE($f(OBJ));")


@dial("typedefs everywhere")
def typedefs(p):
    p.top("typedef $T $item, *$ref, **$slot; typedef $ref $pair[2]; typedef $ref $fn($ref); "
          "typedef struct { int n; $ref r; $pair both; $fn *f; } $box, *$boxes;")
    p.one_of("$ref $p = OBJ; $slot $w = &$p; USE(*$w);",
             "$pair $v = {0, OBJ}; $slot $w = $v; USE($w[1]);",
             "$box $b = {1, OBJ, {0}, 0}; $boxes $p = &$b; USE($p->r);",
             "$boxes $b = calloc(1, sizeof($box)); $b->both[1] = OBJ; USE($b->both[1]);",
             "$box $b = {.f = FUN}; CALL($b.f);", "$fn *$f = FUN; CALL($f);",
             ("static $fn $same; static $ref $same($ref x) { return x; }", "USE($same(OBJ));"),
             "$pair $m[2] = {{0}, {OBJ}}; $pair *$p = &$m[1]; USE((*$p)[0]);")


@dial("qualifiers: const, volatile, restrict, register, and casts that drop them")
def qualifiers(p):
    p.one_of("$T *const $p = OBJ; USE($p);", "const $T *$c = OBJ; READ($c); USE(($T *)$c);",
             "$T *volatile $p = OBJ; USE($p);", "volatile $T *const volatile $p = OBJ; READ($p);",
             "$T *const $v[2] = {0, OBJ}; USE($v[1]);",
             "$T *volatile $p = 0, *volatile *$w = &$p; *$w = OBJ; USE($p);",
             "register $T *$p = OBJ; USE($p);",
             ("static void $copy($T **restrict to, $T **restrict from) { *to = *from; }",
              "$T *$p = OBJ, *$q = 0; $copy(&$q, &$p); USE($q);"),
             ("static $T *const $g = GOBJ;", "USE($g);"),
             ("struct $s { $T *const p; const volatile int n; };",
              "const struct $s $s = {OBJ, 1}, *$p = &$s; USE($p->p);"),
             ("static $T *$drop(const $T *x) { return ($T *)x; }", "USE($drop(OBJ));"))


@dial("_Atomic pointers; __atomic and __sync builtins")
def atomics(p):
    p.one_of("_Atomic($T *) $a = OBJ; USE($a);",
             "_Atomic($T *) $a; $a = OBJ; $T *$p = $a; USE($p);",
             "__atomic_store_n(&$g, OBJ, __ATOMIC_RELEASE); USE(__atomic_load_n(&$g, "
             "__ATOMIC_ACQUIRE));",
             "$g = OBJ; USE(__atomic_exchange_n(&$g, 0, __ATOMIC_SEQ_CST));",
             "__atomic_exchange_n(&$g, OBJ, __ATOMIC_ACQ_REL); USE($g);", "$T *$old = $g; "
             "if (__atomic_compare_exchange_n(&$g, &$old, OBJ, 0, __ATOMIC_SEQ_CST, 0)) USE($g);",
             "$g = OBJ; $T *$old = 0; "
             "__atomic_compare_exchange_n(&$g, &$old, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); "
             "USE($old);",
             "$T *$p = OBJ, *$q; __atomic_store(&$g, &$p, __ATOMIC_SEQ_CST); "
             "__atomic_load(&$g, &$q, __ATOMIC_SEQ_CST); USE($q);", "$T *$p = OBJ, *$q; $g = OBJ; "
             "__atomic_exchange(&$g, &$p, &$q, __ATOMIC_SEQ_CST); USE($q); USE($g);",
             "if (__sync_bool_compare_and_swap(&$g, 0, OBJ)) USE($g);",
             "$g = OBJ; USE(__sync_val_compare_and_swap(&$g, 0, 0));",
             "__sync_lock_test_and_set(&$g, OBJ); USE($g);",
             "$g = OBJ; USE(__sync_lock_test_and_set(&$g, 0));",
             "struct { int n; _Atomic($T *) p; } $s = {1, OBJ}; USE($s.p);",
             "$T *$old = $g, *$new = OBJ; "
             "__atomic_compare_exchange(&$g, &$old, &$new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); "
             "USE($g);",
             g=("$T *", ""))


@dial("inline assembly: operands in registers and in memory, memory that is clobbered, jumps")
def assembly(p):
    p.top("""
        #ifdef __x86_64__
        #define $STORE(to, from) __asm__ volatile("movq %1, (%0)" : : "r"(to), "r"(from) : "memory")
        #define $LOAD(to, from) __asm__("movq (%1), %0" : "=r"(to) : "r"(from))
        #define $JUMP(label) __asm__ goto("jmp %l0" : : : : label)
        #else
        #define $STORE(to, from) (*(void **)(to) = (from))
        #define $LOAD(to, from) ((to) = *(from))
        #define $JUMP(label) goto label
        #endif
        """)
    p.one_of("$T *$p = OBJ, *$q; __asm__(\"\" : \"=r\"($q) : \"0\"($p)); USE($q);",
             "$T *$p = OBJ; __asm__ volatile(\"\" : \"+r\"($p)); USE($p);",
             "$T *$p = OBJ, *$q; __asm__(\"\" : \"=r\"($q) : \"0\"($p) : \"memory\"); USE($q);",
             "$T *$p = OBJ; __asm__ volatile(\"\" : \"+m\"($p)); USE($p);",
             "$T *$p = OBJ, *$q = 0; $STORE(&$q, $p); USE($q);",
             "$T *$p = OBJ, *$q; $LOAD($q, &$p); USE($q);",
             "$s.b = OBJ; $T *$q = 0; __asm__ volatile(\"\" : \"+m\"($s)); $q = $s.b; USE($q);",
             "$T *$p = OBJ; $JUMP($out);\n$p = 0; $out: USE($p);", s=(p.record("a", "b"), ""))


@dial("attributes: cleanup with a pointer, constructor functions")
def attributes(p):
    p.one_of(("static void $done($T **slot) { USE(*slot); }",
              "{\n    __attribute__((cleanup($done))) $T *$p = OBJ;\n    sink++;\n}"),
             ("static void $done($T **slot) { USE(*slot); }",
              "{\n    __attribute__((cleanup($done))) $T *$p = 0;\n    if (!zero) $p = OBJ;\n"
              "    sink++;\n    $p = OBJ;\n}"),
             ("struct $s { int n; $T *p; }; static void $done(struct $s *s) { USE(s->p); }",
              "for (int i = 0; i < 2; i++) {\n"
              "    struct $s $s __attribute__((cleanup($done))) = {i, OBJ};\n"
              "    if (i) continue;\n    $s.n++;\n}"),
             ("static $T *$g; __attribute__((constructor)) static void $start(void) { $g = OBJ; }",
              "USE($g);"),
             ("static $T *$g[2]; static void $start(void) __attribute__((constructor, used)); "
              "static void $start(void) { $g[1] = GOBJ; }", "USE($g[1]);"),
             ("static $T *$last; __attribute__((destructor)) static void $stop(void) { USE($last); "
              "}",
              "static $T $kept; $last = &$kept;"),
             ("static $T *$same($T *x) __attribute__((noinline)); "
              "static __attribute__((noinline)) $T *$same($T *x) { return x; }",
              "USE($same(OBJ));"))


@dial("second names of functions and variables: alias, weak, weakref, ifunc, asm labels, assembly")
def second_names(p):
    """What an unknown function is given it may return: so none does."""
    keep = "static $T *$kept; %s__attribute__((noinline)) void $f($T *x) { $kept = x; } "
    public, own, use = keep % "", keep % "static ", "$g(OBJ); USE($kept);"
    p.one_of((public + 'extern __typeof($f) $g __attribute__((alias("$f")));', use),
             (own + 'void $g($T *) __attribute__((weak, alias("$f")));', use),
             ("#define $alias(o, n) extern __typeof(o) n __attribute__((__weak__, __alias__(#o)))\n"
              + public + "$alias($f, $g);", use),
             (public
              + 'void $h($T *) __attribute__((alias("$f"))); '
                'void $g($T *) __attribute__((alias("$h")));', use),
             (public + "\n#pragma weak $g = $f\nvoid $g($T *);", use),
             (public + 'static __typeof($f) $g __attribute__((weakref("$f")));', use),
             (own + 'void $g($T *) __asm__("$f");', "$g(OBJ); USE($kept); $f(0);"),
             (public + '__asm__(".globl $g\\n\\t.set $g, $f"); void $g($T *);', use),
             (own
              + 'static void (*$r(void))($T *) { return $f; } '
                'void $g($T *) __attribute__((ifunc("$r")));', use),
             ("static __attribute__((noinline)) $T *$f($T *x) { static $T $own; return x ? &$own : "
              "0; } "
              'static void *$r(void) { return $f; } $T *$g($T *) __attribute__((ifunc("$r")));',
              "USE($g(OBJ));"),
             ('$T *$v; extern $T *$w __attribute__((alias("$v")));', "$w = OBJ; USE($v);"),
             ('$T *$v = GOBJ; extern $T *$w __attribute__((alias("$v")));', "USE($w);"),
             ('struct $s { int n; $T *p; } $v; extern struct $s $w __attribute__((alias("$v")));',
              "$v.p = OBJ; USE($w.p);"))


@dial("linker sets: variables between __start_ and __stop_ of their section")
def linker_sets(p):
    used = '__attribute__((used, section("$set")))'
    ends = "extern %s__start_$set[], %s__stop_$set[];"
    p.one_of((f"static $T *$one {used} = GOBJ; " + ends % ("$T *", "*"),
              "for ($T **$p = __start_$set; $p < __stop_$set; $p++) USE(*$p);"),
             (f"static $T *$one {used}, *$two {used}; " + ends % ("$T *", "*"),
              "$one = $two = OBJ; USE(__stop_$set[-1]); USE(__start_$set[1]);"),
             ("struct $s { int n; $T *p; }; "
              f"static struct $s $one {used} = {{1, GOBJ}}; " + ends % ("struct $s ", ""),
              "for (struct $s *$p = __start_$set; $p < __stop_$set; $p++) USE($p->p);"),
             ("struct $s { $T *(*f)($T *); }; "
              f"static struct $s $one {used} = {{FUN}}; " + ends % ("const struct $s ", ""),
              "CALL(__start_$set->f);"),
             (f"static void const *const $one {used} = GOBJ; "
              "extern $T *__start_$set, *__stop_$set;",
              "for ($T **$p = &__start_$set; $p < &__stop_$set; $p++) USE(*$p);"),
             (f"static $T *$one {used}; " 'extern $T *$begin[] __asm__("__start_$set");',
              "*$begin = OBJ; USE($one);"))


@dial("variable-length arrays of pointers")
def stack_arrays(p):
    p.one_of("int $n = zero + 3; $T *$v[$n]; $v[2] = OBJ; USE($v[$n - 1]);",
             "int $n = zero + 2; $T *$v[$n][$n]; $v[1][0] = OBJ; USE($v[$n - 1][0]);",
             "int $n = zero + 3; $T $v[$n], *$p = $v + 1; *$p = ($T){0}; USE($p);",
             ("static $T *$last(int n, $T *v[n]) { return v[n - 1]; }",
              "$T *$v[zero + 2]; $v[1] = OBJ; USE($last(2, $v));"),
             ("struct $s { int n; $T *p; }; static $T *$get(int n, $T *x) { struct $s v[n]; v[n - "
              "1].p = x; "
              "return v[n - 1].p; }", "USE($get(3, OBJ));"))


@dial("alloca: apart from arrays, whose memory it may get when their block has ended")
def stack_blocks(p):
    p.one_of("$T **$v = __builtin_alloca(3 * sizeof *$v); $v[1] = OBJ; USE($v[1]);",
             "$T *$p = alloca(sizeof *$p); *$p = ($T){0}; USE($p);")


@dial("thread-local pointers")
def thread_local(p):
    p.one_of(("static _Thread_local $T *$t;", "$t = OBJ; USE($t);"),
             ("__thread $T *$t = GOBJ;", "USE($t);"),
             ("static __thread struct { int n; $T *p; } $t;", "$t.p = OBJ; USE($t.p);"),
             ("static _Thread_local $T *$t[2]; static $T **$slot(void) { return &$t[1]; }",
              "*$slot() = OBJ; USE($t[1]);"),
             ("static $T *$get(void) { static __thread $T *kept = GOBJ; return kept; }",
              "USE($get());"),
             ("static _Thread_local $T $own;", "USE(&$own);"))


@dial("pointers compared and conditionally swapped")
def compare_swap(p):
    p.body("$T *$a = OBJ, *$b = OBJ; VAL($a) = $n;", n=str(p.number(0, 1)))
    p.one_of("if (VAL($a) > VAL($b)) { $T *old = $a; $a = $b; $b = old; }\nUSE($a); USE($b);",
             "$T *$low = VAL($a) < VAL($b) ? $a : $b, *$high = $low == $a ? $b : $a; USE($low); "
             "USE($high);",
             "if ($a != $b) { $T **x = &$a, **y = &$b, *old = *x; *x = *y; *y = old; }\nUSE($b);",
             ("static void $order($T **a, $T **b) {\n    if (VAL(*a) < VAL(*b)) return;\n"
              "    $T *old = *a;\n"
              "    *a = *b;\n    *b = old;\n}", "$order(&$a, &$b); USE($a);"),
             "$T *$v[2] = {$a, $b}; int $first = VAL($a) > 0; USE($v[$first]); USE($v[!$first]);")


@dial("macros: getter and setter pairs, token pasting, pointers behind do-while")
def macros(p):
    p.one_of(("struct $s { $T *first, *second; };\n"
              "#define $SET(s, member, x) do { (s)->member = (x); "
              "} while (0)\n#define $GET(s, member) ((s)->member)",
              "$SET(&$v, second, OBJ); USE($GET(&$v, second));"),
             ("struct $s { $T *first, *second; };\n#define $ACCESS(name) \\\n"
              "    static $T *${get}_##name(struct $s *s) { return s->name; } \\\n"
              "    static void ${set}_##name(struct $s *s, $T *x) { s->name = x; }\n"
              "$ACCESS(first)\n"
              "$ACCESS(second)", "${set}_first(&$v, OBJ); USE(${get}_first(&$v));"),
             ("struct $s { $T *first; };\n#define $EACH(i, v) for ($T **i = (v); *i; i++)",
              "$T *$l[] = {OBJ, OBJ, 0}; $EACH(i, $l) USE(*i);"),
             ("struct $s { $T *first; };\n#define $DEREF(p) (*(p))\n#define $ADDRESS(x) (&(x))",
              "$v.first = OBJ; $T *$p = $DEREF($ADDRESS($v.first)); USE($p);"), v=("struct $s", ""))


# Command line


def main():
    parser = argparse.ArgumentParser(description="Generates small pointer-heavy C programs.")
    parser.add_argument("--list", action="store_true", help="list the dials")
    parser.add_argument("--seed", type=int, help="print the program of this seed")
    parser.add_argument("--dial", metavar="NAME", help="the dial; otherwise chosen by the seed")
    parser.add_argument("--combine", action="store_true",
                        help="choose two dials, each feeding the next")
    parser.add_argument("--from", type=int, dest="first", metavar="A",
                        help="the first seed of a range")
    parser.add_argument("--to", type=int, dest="last", metavar="B", help="the last seed of a range")
    parser.add_argument("--out", metavar="DIR", help="where a range is written")
    given = parser.parse_args()
    unknown = given.dial and set(given.dial.split("+")) - set(DIALS)
    if unknown:
        parser.error(f"there is no dial {', '.join(sorted(unknown))}")
    if given.list:
        for name, (_, text) in DIALS.items():
            print(f"{name:20} {text}{' (a gap)' if name in GAPS else ''}")
    elif given.seed is not None:
        print(generate(given.dial or chosen(given.seed, given.combine), given.seed), end="")
    elif None not in (given.first, given.last, given.out):
        os.makedirs(given.out, exist_ok=True)
        for seed in range(given.first, given.last + 1):
            name = given.dial or chosen(seed, given.combine)
            path = os.path.join(given.out, f"{seed:05}-{name}.c")
            with open(path, "w", encoding="ascii", newline="\n") as file:
                file.write(generate(name, seed))
    else:
        parser.error("give --list, --seed, or --from, --to and --out")


if __name__ == "__main__":
    main()
