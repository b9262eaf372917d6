#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guards in random programs: what is found must not depend on the order in which a unit defines its
functions, and must be what an independent computation says.

A program has functions that may test their pointer, ask others about it, call each other in cycles,
or end the program; and users, which follow the pointer behind a test by one of them. Conditions on
the number are taken for unknown, so whether a user can come to follow a null pointer is decided by
a fixed point over which results each function can have for it.

    guard_order.py CFLR FIRST-LAST       seeds
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

CFLR = os.path.abspath(sys.argv[1])
FIRST, LAST = (int(part) for part in sys.argv[2].split('-'))

HEAD = '#include <stdlib.h>\nstruct j { int type; };\nstatic int more(void);\n'

# The body of a function, and what it can do when p is null, by what the functions F and G that it
# calls can do: 0 and 1 are the truths of its result; nothing: it does not return. A set is given as
# a function of those of F and G.
BODIES = [
    ('return p != NULL;', lambda f, g: {0}),
    ('if (p) return 1; return 0;', lambda f, g: {0}),
    ('return !p;', lambda f, g: {1}),
    ('return n;', lambda f, g: {0, 1}),
    ('if (!p) for (;;) more(); return 1;', lambda f, g: set()),
    ('if (!p) abort(); return n;', lambda f, g: set()),
    ('return F(p, n);', lambda f, g: f),
    ('return !F(p, n);', lambda f, g: {1 - r for r in f}),
    ('if (!F(p, n)) return 0; return n;', lambda f, g: ({0} if 0 in f else set()) |
     ({0, 1} if 1 in f else set())),
    ('if (n > 3) return F(p, n - 1); return p != NULL;', lambda f, g: f | {0}),
    ('if (n > 3) return F(p, n - 1); return G(p, n);', lambda f, g: f | g),
    ('if (!p) return 0; return F(p, n - 1);', lambda f, g: {0}),
    ('if (n) F(p, n - 1); else return G(p, n); return p != NULL;',
     lambda f, g: g | ({0} if f else set())),
    ('F(p, n); return G(p, n);', lambda f, g: g if f else set()),
]
USES = [
    ('if (!F(p, n)) return 0; return p->type;', lambda f: 1 in f),
    ('if (F(p, n)) return 0; return p->type;', lambda f: 0 in f),
    ('F(p, n); return p->type;', lambda f: bool(f)),
    ('return F(p, n) ? p->type : 0;', lambda f: 1 in f),
    ('return F(p, n) && p->type;', lambda f: 1 in f),
]


class Program:
    """`functions` have a name, the number of a body, and the two that they call."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        n = self.random.randint(2, 7)
        names = [f'f{i}' for i in range(n)]
        self.functions = [(name, self.random.randrange(len(BODIES)), self.random.choice(names),
                           self.random.choice(names)) for name in names]
        self.users = [(f'u{i}', self.random.randrange(len(USES)), self.random.choice(names))
                      for i in range(n)]
        self.static = {name: self.random.random() < 0.5 for name, *_ in self.functions}

    def outcomes(self):
        """The results that each function can have for a null pointer: the least fixed point."""
        can = {name: set() for name, *_ in self.functions}
        changed = True
        while changed:
            changed = False
            for name, body, f, g in self.functions:
                now = can[name] | BODIES[body][1](can[f], can[g])
                changed |= now != can[name]
                can[name] = now
        return can

    def expected(self):
        can = self.outcomes()
        return {name for name, use, f in self.users if USES[use][1](can[f])}

    def signature(self, name):
        kind = 'static ' if self.static.get(name) else ''
        return f'{kind}int {name}(const struct j *p, int n)'

    def definitions(self):
        texts = []
        for name, body, f, g in self.functions:
            text = re.sub(r'\bF\b', f, re.sub(r'\bG\b', g, BODIES[body][0]))
            texts.append(f'{self.signature(name)} {{ {text} }}\n')
        for name, use, f in self.users:
            texts.append(f'{self.signature(name)} {{ {re.sub(r"F", f, USES[use][0])} }}\n')
        return texts

    def text(self):
        """With prototypes on top, and all definitions in some order."""
        texts = self.definitions()
        self.random.shuffle(texts)
        names = [name for name, *_ in self.functions + self.users]
        protos = ''.join(f'{self.signature(name)};\n' for name in names)
        calls = ' + '.join(f'{name}(malloc(sizeof(struct j)), n)' for name, *_ in self.users)
        main = f'static int more(void) {{ return rand(); }}\n' \
               f'int main(int n, char **v) {{ (void)v; return {calls}; }}\n'
        return HEAD + protos + ''.join(texts) + main


def found(text, *options):
    """The users that a null pointer is found in, and the ranks."""
    with open('x.c', 'w', encoding='utf-8') as file:
        file.write(text)
    command = [CFLR, 'check', '-q', 'x.c', '--rules', 'null', '--findings', 'all', '--format',
               'json', *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f'{done.stderr}\n{text}')
    return {(f['sink']['function'], f['rank']) for f in json.loads(done.stdout)['findings']}


def main():
    found_any = 0
    for seed in range(FIRST, LAST + 1):
        program = Program(seed)
        expected = program.expected()
        answers = []
        for turn in range(4):
            text = program.text()
            answer = found(text, '--threads', str(1 + turn % 2))
            users = {name for name, _ in answer}
            answers.append(answer)
            if users != expected:
                sys.exit(f'seed {seed}: found {sorted(users)}, expected {sorted(expected)}\n{text}')
            if answer != answers[0]:
                sys.exit(f'seed {seed}: {answer} is not {answers[0]}\n{text}')
        found_any += len(expected)
    if LAST - FIRST > 10 and found_any == 0:
        sys.exit('nothing was ever found')
    print(f'{LAST - FIRST + 1} programs, 4 orders each: {found_any} users follow null')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as room:
        os.chdir(room)
        main()
