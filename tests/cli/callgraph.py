#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The call graph against runs: each call between functions of a program that a run makes is an
edge.

Programs are compiled with -finstrument-functions, so that each function tells when it begins and
ends, and where it was called: nm knows in which function that is. Where it is none of the program,
the library has called, and it is taken for a call of the function that began last in the thread,
for which a stack is kept:

    main -> qsort -> by_value        seen: main by_value        an edge, or two by way of qsort

Programs: data/called, and some that tests/oracle/generate.py makes up. It is made sure first that a
call which is not in the graph is noticed.

    callgraph.py CFLR CC DATA GENERATE.py SEEDS
"""
import bisect
import pathlib
import subprocess
import sys
import tempfile

import valid

HOOKS = r"""
#include <stdio.h>
#include <stdlib.h>
#define HOOK __attribute__((no_instrument_function))
static __thread void *stack[4096];
static __thread unsigned depth;
HOOK void __cyg_profile_func_enter(void *function, void *site);
HOOK void __cyg_profile_func_exit(void *function, void *site);
void __cyg_profile_func_enter(void *function, void *site) {
    static FILE *seen;
    if (!seen) seen = fopen(getenv("SEEN"), "w");
    if (depth && depth < 4096)
        fprintf(seen, "%lx %lx %lx\n", (long)site, (long)stack[depth - 1], (long)function);
    fflush(seen);
    if (depth < 4096) stack[depth] = function;
    depth++;
}
void __cyg_profile_func_exit(void *function, void *site) {
    (void)site;
    while (depth && (depth > 4096 || stack[depth - 1] != function)) depth--; /* behind a longjmp */
    if (depth) depth--;
}
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True, **options).stdout


def symbols(program):
    """({address: names of the function there}, [(first address, past the last)] in their order)"""
    names, spans = {}, set()
    for line in run("nm", "-S", program).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            first = int(words[0], 16)
            names.setdefault(first, set()).add(words[3])
            spans.add((first, first + int(words[1], 16)))
    return names, sorted(spans)


def pairs(lines, names, spans):
    """{(caller, callee)}: sets of names, since a function may have several."""
    found = set()
    for site, last, function in {tuple(int(word, 16) for word in line.split()) for line in lines}:
        # where it returns to may be the next function: the last call may not return
        call = site - 1
        at = bisect.bisect_right(spans, (call, sys.maxsize)) - 1
        caller = spans[at][0] if at >= 0 and call < spans[at][1] else last
        found.add((frozenset(names[caller]), frozenset(names[function])))
    return found


def build(compiler, sources, work, *flags):
    (work / "hooks.c").write_text(HOOKS)
    run(compiler, "-c", "-w", "-O1", work / "hooks.c", "-o", work / "hooks.o")
    run(compiler, "-w", "-O0", "-no-pie", "-fno-pie", "-pthread", "-finstrument-functions",
        *sources, work / "hooks.o", "-o", work / "program", *flags)


def observed(compiler, sources, work):
    build(compiler, sources, work)
    subprocess.run([work / "program"], check=False, timeout=60, stdout=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL, env={"SEEN": str(work / "seen")})
    return pairs((work / "seen").read_text().splitlines(), *symbols(work / "program"))


def callgraph(cflr, sources, work, options):
    run(cflr, "analyze", "-q", *options, *sources, "-o", work / "r.cflr")
    printed = valid.answer(["callgraph"], run(cflr, "callgraph", "-q", work / "r.cflr", "--format",
                                              "json"))
    edges = {(e["caller"]["name"], e["callee"]["name"]) for e in printed["edges"]}
    library = {end["name"] for e in printed["edges"] for end in (e["caller"], e["callee"])
               if end["body"] != "here"}
    return edges, library


def missing(seen, edges, library):
    def is_there(caller, callee):
        return (caller, callee) in edges or any(
            (caller, way) in edges and (way, callee) in edges for way in library)
    return sorted((sorted(a), sorted(b)) for a, b in seen
                  if not any(is_there(x, y) for x in a for y in b))


def compare(cflr, compiler, name, sources, options):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        seen = observed(compiler, sources, work)
        edges, library = callgraph(cflr, sources, work, options)
        lost = [pair for pair in seen if missing({pair}, edges - {
            (x, y) for x in pair[0] for y in pair[1]}, set())]
        if len(lost) != len(seen):
            return [f"{name}: a graph without the edge of a call passes"], seen
        return [f"{name} {' '.join(options)}: {a} calls {b}, which is no edge"
                for a, b in missing(seen, edges, library)], seen


def main():
    cflr, compiler, data, generate, seeds = sys.argv[1:]
    faults, calls = [], 0
    called = sorted(pathlib.Path(data).glob("*.c"))
    with tempfile.TemporaryDirectory() as folder:
        programs = [("called", called)]
        for seed in range(int(seeds)):
            path = pathlib.Path(folder) / f"generated{seed}.c"
            path.write_text(run(sys.executable, "-B", generate, "--seed", seed))
            programs.append((path.stem, [path]))
        for name, sources in programs:
            for options in ([], ["--callees", "types"], ["--context", "clone"]):
                found, seen = compare(cflr, compiler, name, sources, options)
                faults += found
                calls += len(seen)
    print("\n".join(faults) or f"{len(programs)} programs, {calls} calls, each an edge")
    return 1 if faults or calls == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
