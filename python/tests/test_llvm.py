# SPDX-License-Identifier: Apache-2.0
"""examples/llvm_aliases.py on C programs whose aliases are known: by their comments, which say what
may be equal, and by running the programs, which must not do more."""
import os
import shutil
import subprocess
import unittest

import llvm_aliases
from support import Folder

CLANG = next(filter(None, map(shutil.which, ("clang-19", "clang-20", "clang"))), None)

# name, program, pairs that may alias, pairs that do not
PROGRAMS = [
    ("assignments", """
int x, y;
int main(void) { int *p = &x, *q = p, *r = &y; return *q + *r - *p; }
""", ["main::p main::q"], ["main::p main::r", "main::q main::r"]),
    ("through memory", """
int x, y;
int main(void) {
    int *p = &x, *r = &y, **pp = &p, **rr = &r;
    int *q = *pp, *s = *rr;
    *pp = s;
    return q == s || p == r;
}
""", ["main::p main::s", "main::p main::r", "main::q main::p"], ["main::pp main::rr"]),
    ("members are apart", """
struct pair { int *first, *second; };
int x, y;
int main(void) {
    struct pair s, t;
    s.first = &x;
    s.second = &y;
    t = s;
    int *p = s.first, *q = s.second, *r = t.first, *u = t.second;
    return p == q || r == u;
}
""", ["main::p main::r", "main::q main::u"], ["main::p main::q", "main::r main::u",
                                             "main::p main::u"]),
    ("a list on the heap", """
#include <stdlib.h>
struct list { struct list *next; char *name; };
static struct list *head;
static void push(char *name) {
    struct list *item = malloc(sizeof *item);
    item->name = name;
    item->next = head;
    head = item;
}
static char *first(void) { return head->name; }
char text[4], other[4];
int main(void) {
    char *greeting = text, *apart = other;
    push(greeting);
    char *got = first();
    return got == apart;
}
""", ["main::greeting main::got", "push::name main::got", "head push::item"],
     ["main::apart main::got", "main::got push::item"]),
    ("calls through pointers", """
int x, y, z;
static int *left(int *a, int *b) { return b ? a : a; }
static int *right(int *a, int *b) { return a ? b : b; }
static int *third(int *a) { return a; }
int main(int n, char **words) {
    int *(*choose)(int *, int *) = n > 1 ? left : right;
    int *p = choose(&x, &y), *q = &x, *r = &y, *s = third(&z), *t = &z;
    return p == s || words == 0 || q == r || s != t;
}
""", ["main::p main::q", "main::p main::r", "main::s main::t"],
     ["main::p main::s", "main::q main::r", "left::a right::b"]),
    ("choices", """
int x, y, z;
int main(int n, char **words) {
    int *p = n > 1 ? &x : &y, *q = words ? p : 0, *r = &z, *s = &y;
    return p == r || q == s;
}
""", ["main::p main::q", "main::q main::s", "main::p main::s"],
     ["main::p main::r", "main::q main::r"]),
    ("globals that are initialised", """
struct inner { int n; int *q; };
struct outer { struct inner in[2]; int **table; };
int x, y, z;
int *table[2] = {&x, &y};
struct outer all = {{{1, &z}, {2, &z}}, table};
int **second = &table[1], **member = &all.in[1].q;
int main(void) {
    int *p = *second, *q = *member, *r = all.table[0], *s = &z;
    return p == q || q != s || p == r;
}
""", ["main::p main::r", "main::q main::s"], ["main::p main::q", "main::r main::s"]),
    ("records in records, by address", """
struct inner { int *a, *b; };
struct outer { int n; struct inner in; };
int x, y;
static void fill(struct inner *in) { in->a = &x; in->b = &y; }
static int *take(struct outer *from) { return from->in.b; }
int main(void) {
    struct outer one, two;
    fill(&one.in);
    two = one;
    int *p = take(&two), *q = two.in.a, *r = &y;
    return p != r || p == q;
}
""", ["main::p main::r"], ["main::p main::q"]),
    ("arrays, and names that come twice", """
int x, y;
int main(int n, char **words) {
    int *all[3] = {&x, &x, &x}, *p = all[n % 3];
    for (int i = 0; i < n; i++) {
        int *p = words ? &y : &y;
        if (p != &y) return 1;
    }
    return p != &x;
}
""", [], ["main::p main::p:5"]),
]


@unittest.skipUnless(CLANG, "needs clang-19")
class Aliases(Folder):
    def module(self, program):
        source, out = self.path("program.c", program.strip() + "\n"), self.path("program.ll")
        subprocess.run([CLANG, "-S", "-emit-llvm", "-O0", "-g", source, "-o", out], check=True)
        return llvm_aliases.read(out)

    def test_programs(self):
        for name, program, may, no in PROGRAMS:
            module = self.module(program)
            result = llvm_aliases.solve(module)
            self.assertEqual(module.unmodelled, set(), name)
            for pairs, expected in ((may, True), (no, False)):
                for pair in pairs:
                    with self.subTest(name, pair=pair):
                        self.assertIs(bool(result.alias(*pair.split())), expected)

    def test_functions_that_do_not_alias_by_calls(self):
        """What stands in a table of functions is what is called, and no other function."""
        module = self.module("""
static int one(int *a) { return *a; }
static int two(int *b) { return *b; }
static int (*const calls[])(int *) = {one};
int main(void) { int x = 1, y = 2; return calls[0](&x) + two(&y); }
""")
        result = llvm_aliases.solve(module)
        names = [module.graph.vertex(v).name for v in result.points_to("one::a")]
        self.assertEqual(names, ["main::x"])
        self.assertFalse(result.alias("one::a", "two::b"))

    def test_what_is_not_modelled_is_named(self):
        module = self.module("char *getenv(const char *);\n"
                             "int main(void) { return *getenv(\"HOME\"); }")
        self.assertEqual(module.unmodelled, {"getenv"})

    def test_atomics(self):
        module = self.module("""
#include <stdatomic.h>
int x, y;
_Atomic(int *) shared;
int main(void) {
    int *p = &x, *q, *r = &y;
    atomic_store(&shared, p);
    q = atomic_load(&shared);
    return q != p || !atomic_compare_exchange_strong(&shared, &q, r);
}
""")
        result = llvm_aliases.solve(module)
        self.assertTrue(result.alias("main::p", "main::q"))
        self.assertFalse(result.alias("main::p", "main::r"))
        self.assertEqual(module.unmodelled, {"cmpxchg"})

    def test_command(self):
        self.module(PROGRAMS[0][1])
        printed = subprocess.run(
            [os.sys.executable, "-B", llvm_aliases.__file__, self.path("program.ll"),
             "main::p", "main::q", "main::p", "main::r"], text=True, check=True,
            capture_output=True)
        self.assertEqual(printed.stdout.splitlines(), ["main::p main::q may alias",
                                                       "main::p main::r do not alias"])


if __name__ == "__main__":
    unittest.main()
