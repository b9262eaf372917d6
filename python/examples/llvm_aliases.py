#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""May two pointers of a program in LLVM IR alias? A front end of your own over cflr's solver.

    clang-19 -S -emit-llvm -O0 -g program.c -o program.ll
    llvm_aliases.py program.ll main::p main::q ...          one answer for each pair of names

LLVM had CFL alias analyses, and dropped them. This file reads the textual IR (opaque pointers),
says what it means for pointers as edges of a graph, and leaves the rest to a shipped grammar,
`pointer-fs`, which is field-sensitive and follows calls through pointers. Its labels:

    a        y -> x          a value flows: load, store, phi, select, arguments, results
    d        p -> *p         what a pointer points to
    f[n]     p -> p + n      the member n bytes into a record
    alloc    o -> &o         an object (alloca, global, function, malloc) to its address
    s[k]     f -> slot k     parameter k, or the result, of a function value

A register of IR is a vertex, "main::%4"; an alloca or global is two: its address, and the object
that has the name of the variable, "main::p", which debug information tells (the second variable of
a function with this name is "main::p:LINE"). Since variables live in memory at -O0, the value of
the variable p is the content of that object. A pointer has one content, `*`:

    %4 = alloca ptr          o -alloc-> %4    %4 -d-> o
    %v = load ptr, ptr %p    *%p -a-> %v
    store ptr %v, ptr %p     %v -a-> *%p
    %q = gep %T, %p, 0, 1    %p -f[8]-> %q    and from what %p was itself computed from, so that a
                                              member of a member is one of the whole, too

An array is one element. What a copy of memory (memcpy) brings along is the content at every offset
that the module uses. Functions without a body do nothing, but those that allocate; their names, and
instructions with pointers that are not read (cmpxchg, inline assembly), are in `unmodelled`, since
an answer is only as good as what was read.
"""
import re
import sys

import cflr

TOKEN = re.compile(r'c?"(?:[^"\\]|\\.)*"|[%@!#][-$.\w]+|[%@]"[^"]*"|-?[\w.$]+|\.\.\.|\S')
ALLOCATORS = {"malloc", "calloc", "realloc", "strdup", "aligned_alloc"}
FORGOTTEN = re.compile(r"llvm\.(dbg|lifetime|assume|expect|stack|donothing|trap)|free$")
COPIES = re.compile(r"(llvm\.)?mem(cpy|move)")
FLAGS = set("""atomic inbounds nuw nsw nusw noundef tail musttail notail fast volatile dso_local
    internal private unnamed_addr local_unnamed_addr constant global external common weak hidden
    linkonce_odr thread_local noalias nonnull signext zeroext inreg returned nocapture readonly
    writeonly readnone immarg extern_weak weak_odr linkonce fastcc ccc noreturn nofree""".split())
SIZED_FLAGS = {"align", "dereferenceable", "dereferenceable_or_null", "sret", "byval", "addrspace",
               "range", "captures"}
HARMLESS = {"icmp", "br", "switch"}
CONVERSIONS = {"bitcast", "addrspacecast", "freeze", "inttoptr", "ptrtoint"}


DECLARED = re.compile(r"dbg[_.]declare\((?:metadata )?ptr (%[-$.\w]+), (?:metadata )?(![0-9]+)")
VARIABLE = re.compile(r'^(![0-9]+) = !DILocalVariable\(name: "([^"]*)".*?line: ([0-9]+)', re.M)


class Reader:
    """The tokens of one line, from left to right."""

    def __init__(self, line):
        self.tokens, self.at = TOKEN.findall(line), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        if expected and token != expected:
            raise SyntaxError(f"{expected!r} expected at {token!r}: {' '.join(self.tokens)}")
        self.at += 1
        return token

    def has(self, token):
        found = self.peek() == token
        self.at += found
        return found

    def skip_flags(self):
        while self.peek() in FLAGS or self.peek() in SIZED_FLAGS:
            if self.take() in SIZED_FLAGS:
                if self.peek() == "(":
                    self.skip_group()
                else:
                    self.take()

    def skip_group(self):
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(self.take(), 0)
            if not depth:
                return


class Module:
    """Edges of one module, and the graph of them."""

    def __init__(self, text):
        self.edges, self.unmodelled, self.copies = [], set(), []
        self.structs, self.globals = {}, {}  # name -> types of members; name -> type
        self.functions = {}  # defined ones: name -> registers of parameters
        self.origin = {}  # pointer -> (what it was computed from, bytes)
        self.content, self.offsets, self.function = {}, set(), ""
        self.variables = {number: names for number, *names in VARIABLE.findall(text)}
        self.names = {}  # register of an alloca -> the variable in it
        lines = [line for line in text.splitlines() if line and not line.startswith((";", "!"))]
        for line in lines:
            self.declare(line)
        self.function = ""
        for line in lines:
            self.read(line)
        for target, source in self.copies:
            for n in sorted(self.offsets):
                self.flow(self.content_of(self.member(source, n)),
                          self.content_of(self.member(target, n)))
        self.graph = cflr.Graph.from_edges(self.edges)

    # ---- types: tuples, with sizes of x86-64 ----

    def type(self, r):
        token = r.take()
        if token == "[" or (token == "<" and r.peek() != "{"):
            n = int(r.take())
            r.take("x")
            found = ("array", n, self.type(r))
            r.take()
        elif token in ("{", "<"):
            packed = token == "<" and bool(r.take("{"))
            members = []
            while not r.has("}"):
                members.append(self.type(r))
                r.has(",")
            if packed:
                r.take(">")
            found = ("struct", packed, members)
        else:
            found = ("name", token) if token[0] == "%" else ("scalar", token)
        r.skip_flags() if r.peek() == "addrspace" else None
        if r.peek() == "(" and found[0] == "scalar":  # the type of a variadic function
            r.skip_group()
        return found

    def resolve(self, kind):
        return self.structs.get(kind[1], ("scalar", "i8")) if kind[0] == "name" else kind

    def layout(self, kind):
        """Size and alignment."""
        kind = self.resolve(kind)
        if kind[0] == "array":
            size, align = self.layout(kind[2])
            return kind[1] * size, align
        if kind[0] == "struct":
            end, align = 0, 1
            for offset, member in self.members(kind):
                end, align = offset + self.layout(member)[0], max(align, self.layout(member)[1])
            align = 1 if kind[1] else align
            return -(-end // align) * align, align
        size = {"ptr": 8, "float": 4, "double": 8, "x86_fp80": 16, "half": 2}.get(kind[1])
        size = size or (max(1, int(kind[1][1:]) // 8) if kind[1][1:].isdigit() else 8)
        size = 1 << (size - 1).bit_length()
        return size, min(size, 16)

    def members(self, kind):
        """Offsets and types of the members of a struct."""
        found, at = [], 0
        for member in kind[2]:
            size, align = self.layout(member)
            at = at if kind[1] else -(-at // align) * align
            found.append((at, member))
            at += size
        return found

    def fold(self, kind, offset):
        """A byte offset in a type, with all elements of an array as one."""
        kind = self.resolve(kind)
        if kind[0] == "array":
            return self.fold(kind[2], offset % max(1, self.layout(kind[2])[0]))
        if kind[0] == "struct":
            for at, member in reversed(self.members(kind)):
                if at <= offset:
                    return at + self.fold(member, offset - at)
        return 0

    # ---- edges ----

    def edge(self, source, target, label):
        self.edges.append((source, target, label))

    def flow(self, source, target):
        if source and target:
            self.edge(source, target, "a")

    def content_of(self, pointer):
        if not pointer:
            return None
        if pointer not in self.content:
            self.content[pointer] = "*" + pointer
            self.edge(pointer, self.content[pointer], "d")
        return self.content[pointer]

    def object(self, address, name, kind=None):
        self.edge(name, address, "alloc")
        self.content[address] = name
        self.edge(address, name, "d")
        if kind:
            self.spread(address, kind)

    def spread(self, pointer, kind):
        """The members of what a pointer leads to, of the whole and of its parts."""
        kind = self.resolve(kind)
        while kind[0] == "array":
            kind = self.resolve(kind[2])
        for offset, member in self.members(kind) if kind[0] == "struct" else ():
            self.spread(self.member(pointer, offset), member)

    def member(self, pointer, offset):
        """The place at an offset, which has one vertex, from whichever member it is reached."""
        if not pointer or not offset:
            return pointer
        root, before = pointer, 0
        while root in self.origin:
            root, more = self.origin[root]
            before += more
        name = f"{root}+{before + offset}"
        self.derive(pointer, name, offset)
        return name

    def derive(self, pointer, result, offset):
        """`result` is the member at an offset of what `pointer` leads to."""
        self.origin.setdefault(result, (pointer, offset))
        if not offset:
            self.flow(pointer, result)
        while pointer and offset:
            self.offsets.add(offset)
            self.edge(pointer, result, f"f[{offset}]")
            pointer, before = self.origin.get(pointer, (None, 0))
            offset += before

    def slot(self, function, k):
        """The content of a parameter, or of the result, of a function value."""
        name = f"{function}({k})"
        if name not in self.content:
            self.edge(function, name, f"s[{k}]")
        return self.content_of(name)

    # ---- values ----

    def register(self, token):
        return token if token[0] == "@" else f"{self.function}::{token}"

    def value(self, r, kind=None):
        """The vertex of an operand; None for what is no pointer."""
        token = r.take()
        if token[0] in "%@":
            return self.register(token)
        if token == "getelementptr":
            r.skip_flags()
            r.take("(")
            found = self.constant_member(r)
            r.take(")")
            return found
        if token in CONVERSIONS:
            r.take("(")
            found = self.value(r, self.type(r))
            r.take("to")
            self.type(r)
            r.take(")")
            return found
        return None

    def constant_member(self, r):
        """The rest of a constant getelementptr: bytes into a global."""
        kind = self.type(r)
        r.take(",")
        base = self.value(r, self.type(r))
        offset = self.offset(r, kind, whole=True)
        return self.member(base, self.fold(self.globals.get(base, ("scalar", "i8")), offset))

    def offset(self, r, kind, whole=False):
        """Bytes that the indexes of a getelementptr add up to, those of arrays only if `whole`."""
        total, first = 0, True
        while r.has(","):
            if r.peek()[:1] == "!":  # what is known about the line
                break
            self.type(r)
            index = r.take()
            step = int(index) if index.lstrip("-").isdigit() else 0
            if first or kind[0] == "array":
                kind = kind if first else kind[2]
                total += step * self.layout(kind)[0] if whole else 0
            else:
                at, kind = self.members(kind)[step]
                total += at
            kind, first = self.resolve(kind), False
        return total

    def initial(self, r, kind, pointer):
        """A constant that is stored where a pointer leads."""
        kind, token = self.resolve(kind), r.peek()
        if token in ("{", "[", "<"):
            closing = {"{": "}", "[": "]", "<": ">"}[r.take()]
            packed = token == "<" and r.has("{")
            places = iter(self.members(kind) if kind[0] == "struct" else ())
            while not r.has("}" if packed else closing):
                member = self.type(r)
                self.initial(r, member, self.member(pointer, next(places, (0,))[0]))
                r.has(",")
            if packed:
                r.take(">")
        else:
            value = self.value(r, kind)
            if value and kind == ("scalar", "ptr"):
                self.flow(value, self.content_of(pointer))

    # ---- lines ----

    def declare(self, line):
        """First pass: names of types, globals, functions and variables."""
        r = Reader(line)
        name = r.take()
        if name == "define":
            while r.peek()[:1] != "@":
                r.take()
            function, parameters = r.take(), []
            r.take("(")
            while not r.has(")"):
                if r.has("...") or r.has(","):
                    continue
                self.type(r)
                r.skip_flags()
                parameters.append(f"{function[1:]}::{r.take()}")
            self.functions[function], self.function = parameters, function[1:]
        elif name[:1] == "%" and r.has("=") and r.has("type"):
            self.structs[name] = ("scalar", "i8") if r.peek() == "opaque" else self.type(r)
        elif name[:1] == "@" and r.has("="):
            r.skip_flags()
            self.globals[name] = self.type(r)
        for register, number in DECLARED.findall(line):
            variable, place = self.variables[number]
            name = f"{self.function}::{variable}"
            name = f"{name}:{place}" if name in self.names.values() else name
            self.names[self.register(register)] = name

    def read(self, line):
        """Second pass: what a line does."""
        r = Reader(line)
        first = r.peek()
        if first == "define":
            self.function = re.search(r"@([-$.\w]+)", line)[1]
            self.define("@" + self.function)
        elif first == "}":
            self.function = ""
        elif self.function:
            self.instruction(r)
        elif first in self.globals:
            r.take(), r.take("=")
            external = r.peek() in ("external", "extern_weak")
            r.skip_flags()
            kind = self.type(r)
            self.object(first, first[1:], kind)
            if not external:
                self.initial(r, kind, first)

    def define(self, function):
        self.object(function, function[1:] + "()")
        for k, parameter in enumerate(self.functions[function]):
            self.flow(self.slot(function, k), parameter)
        self.flow(f"{self.function}::return", self.slot(function, "ret"))

    def instruction(self, r):
        result = self.register(r.peek()) if r.peek()[0] == "%" else None
        if result:
            r.take(), r.take("=")
        r.skip_flags()
        operation = r.take()
        r.skip_flags()
        known = getattr(self, "do_" + operation, None)
        if operation in CONVERSIONS:
            self.flow(self.value(r, self.type(r)), result)
        elif known:
            known(r, result)
        elif "ptr" in r.tokens and operation not in HARMLESS and operation[0] != "#":
            self.unmodelled.add(operation)

    def do_alloca(self, r, result):
        self.object(result, self.names.get(result, result + " object"), self.type(r))

    def do_load(self, r, result):
        self.type(r), r.take(","), self.type(r)
        self.flow(self.content_of(self.value(r)), result)

    def do_store(self, r, result):
        stored = self.value(r, self.type(r))
        r.take(","), self.type(r)
        pointer = self.value(r)
        if stored:
            self.flow(stored, self.content_of(pointer))

    def do_getelementptr(self, r, result):
        kind = self.resolve(self.type(r))
        r.take(","), self.type(r)
        base = self.value(r)
        if base:
            self.derive(base, result, self.offset(r, kind))

    def do_phi(self, r, result):
        self.type(r)
        while r.has("[") or (r.has(",") and r.has("[")):
            self.flow(self.value(r), result)
            r.take(","), r.take(), r.take("]")

    def do_select(self, r, result):
        self.type(r), self.value(r)
        while r.has(","):
            self.flow(self.value(r, self.type(r)), result)

    def do_ret(self, r, result):
        if not r.has("void"):
            self.flow(self.value(r, self.type(r)), f"{self.function}::return")

    def do_call(self, r, result):
        self.type(r)
        callee, arguments = r.take(), []
        if callee[0] not in "%@":
            self.unmodelled.add(callee)  # assembly
            return
        r.take("(")
        while not r.has(")"):
            if not r.has(","):
                self.type(r)
                r.skip_flags()
                arguments.append(self.value(r))
        name = callee[1:]
        if callee in self.functions:
            for argument, parameter in zip(arguments, self.functions[callee]):
                self.flow(argument, parameter)
            self.flow(f"{name}::return", result)
        elif callee[0] == "%":
            for k, argument in enumerate(arguments):
                if argument:
                    self.flow(argument, self.slot(self.register(callee), k))
            self.flow(self.slot(self.register(callee), "ret"), result)
        elif COPIES.match(name):
            self.flow(self.content_of(arguments[1]), self.content_of(arguments[0]))
            self.copies.append((arguments[0], arguments[1]))
            self.flow(arguments[0], result)
        elif name in ALLOCATORS:
            self.object(result, f"{result}()")
            self.flow(arguments[0] if name == "realloc" else None, result)
        elif not FORGOTTEN.match(name):
            self.unmodelled.add(name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return Module(file.read())


def solve(module):
    """The closure, which answers alias and points_to of names such as "main::p"."""
    return cflr.solve(module.graph, cflr.Grammar.load("pointer-fs"))


def main(path, *names):
    module = read(path)
    result = solve(module)
    for p, q in zip(names[::2], names[1::2]):
        print(p, q, "may alias" if result.alias(p, q) else "do not alias")
    if module.unmodelled:
        print("without a body, so they do nothing here:", ", ".join(sorted(module.unmodelled)),
              file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
