#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a small C file, a case of tests/c, out of a program of which the analysis misses something.

    reduce.py --build DIR --generated 44-44
    reduce.py --build DIR --files a.c --levels flat

Programs are named as for run.py; each that misses something is reduced, for the first level at
which it does. cvise takes parts out of it as long as what is left

    compiles without warnings that tell of undefined behaviour,
    runs to its end, and does so under the sanitizers too, and
    is still missed: a fact of the same kind, at the same level.

What the program itself does not keep is not asked of its parts: a warning, a sanitizer that cannot
run it. A program that needs flags is preprocessed first, since a case stands alone. The file and
the beginning of its .expected go to --out, and what is left to do is printed.

Exit status 1: nothing was missed, or something could not be reduced.
"""
import argparse
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import run

ROOT = os.path.dirname(os.path.dirname(run.HERE))
# What a program in which parts are missing does first: it uses what nothing sets, or calls what
# nothing declares.
DEFECTS = ["array-bounds", "conditional-uninitialized", "deprecated-non-prototype",
           "division-by-zero", "format",
           "implicit-function-declaration", "implicit-int", "incompatible-pointer-types",
           "infinite-recursion",
           "int-conversion", "main-return-type", "return-stack-address", "return-type",
           "shift-count-overflow", "uninitialized", "unsequenced"]
SANITIZERS = ["address,undefined", "memory"]
SANITIZED = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1")
KIND = re.compile(r"missed: (points|same) [^(,]*( \(unknown\))?, (site|object \w+) .*?( "
                  r"\(unknown\))?")
TEST = """#!/bin/sh
# Most parts are no C: a compiler says so at less cost than Python starts.
{compile} {name} 2>/dev/null || exit 1
exec {python} -B - <<'END'
import sys
sys.path.insert(0, {here!r})
from reduce import Goal, is_met
from run import Tools
sys.exit(0 if is_met({goal!r}, {name!r}) else 1)
END
"""
# The passes of cvise that small C can need: those for C++, and those that only rename, are left
# out.
PASSES = {
    "first": "includes unifdef comments line_markers blank "
             "clangbinarysearch:replace-function-def-with-decl "
             "clangbinarysearch:remove-unused-function lines:0 lines:1 lines:2 lines:3 lines:4",
    "main": "balanced:curly balanced:curly2 balanced:curly3 balanced:parens balanced:square "
            "balanced:curly-inside balanced:parens-inside balanced:curly-only ternary:b ternary:c "
            "clang:remove-unused-function clangbinarysearch:remove-unused-var "
            "clang:aggregate-to-scalar clang:param-to-local clang:union-to-struct "
            "clang:return-void clang:simple-inliner clang:copy-propagation "
            "clang:callexpr-to-value clang:replace-callexpr clang:simplify-callexpr "
            "clang:simplify-if clang:reduce-array-dim clang:reduce-array-size "
            "clang:simplify-comma-expr clang:replace-simple-typedef "
            "clang:replace-one-level-typedef-type clang:remove-unused-field clang:remove-pointer "
            "clang:remove-array clang:remove-addr-taken clang:simplify-struct lines:0 lines:1 "
            "lines:2 lines:3 clex:rm-toks-16 clex:rm-toks-8 clex:rm-toks-6 clex:rm-toks-5 "
            "clex:rm-toks-4 clex:rm-toks-3 clex:rm-toks-2 clex:rm-toks-1 peep:a peep:b ints:a "
            "ints:b balanced:parens-only",
    "last": "blank",
}
TO_DO = """{name}.c: {lines} lines
    {miss}
  1. name it after the construct, and make it read well; state what holds with the checks of
     tests/c/check.h
  2. mend the front end: run.py --files {name}.c --levels {level}
  3. CFLR_UPDATE=1 test_frontend --filter 'constructs/edges' writes {name}.expected; read it
  4. a row of docs/reference/constructs.md, a dial of generate.py and a row of faults.py
     (CONTRIBUTING.md)"""


@dataclasses.dataclass
class Goal:
    """What the parts of a program have to keep."""
    tools: run.Tools
    level: str
    kind: tuple  # of the miss
    sanitizers: list


def kind_of(miss):
    """Points or same, what the second is, and which of the two the graph does not know."""
    return KIND.fullmatch(miss).groups()


def beside(source):
    """A folder that goes, even when cvise ends what works in it: cvise clears up after its
    tests."""
    return tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(source)))


def source_lines(pre):
    """For each line of a preprocessed file, the one of the source that it comes from."""
    lines, at = [], 0
    with open(pre, encoding="utf-8", errors="replace") as file:
        for text in file:
            marker = re.match(r"# (\d+) ", text)
            at = int(marker[1]) - 1 if marker else at + 1
            lines.append(at)
    return lines


def misses(tools, source, level):
    """What the oracle misses of a program, in places of the source."""
    with beside(source) as work:
        seen = run.observe_all(tools, source, [], work)
        missed = [line for _, _, misses in run.examine(tools, seen, [level]) for line in misses]
        pre = seen.files[0]
        lines = source_lines(pre)
    return [re.sub(r"(\d+):(?=\d)", lambda m: f"{lines[int(m[1]) - 1]}:", miss).replace(f"{pre}:",
                                                                                        "")
            for miss in missed]


def compile_for(sanitizer, source, program):
    run.command([run.CLANG, "-std=gnu11", "-w", f"-fsanitize={sanitizer}",
                 "-fno-sanitize-recover=all", source,
                 "-lm", "-o", program], f"compiling for {sanitizer}")


def is_clean(source, sanitizer):
    """Does it run to its end, with nothing to be said?"""
    with beside(source) as work:
        try:
            compile_for(sanitizer, source, f"{work}/program")
            run.command(run.limited(f"{work}/program"), "running", env=SANITIZED,
                        stdin=subprocess.DEVNULL)
            return True
        except run.Failure:
            return False


def checked_for(defects):
    return [run.CLANG, "-std=gnu11", "-fsyntax-only", "-Wno-everything",
            *(f"-Werror={d}" for d in defects)]


def is_free_of(defect, source):
    return subprocess.run([*checked_for([defect]), source], capture_output=True,
                          check=False).returncode == 0


def is_met(goal, source):
    """The question that cvise asks of each part that compiles."""
    try:
        kinds = map(kind_of, misses(goal.tools, source, goal.level))
    except run.Failure:
        return False
    return goal.kind in kinds and all(is_clean(source, sanitizer) for sanitizer in goal.sanitizers)


def passes():
    """PASSES as cvise reads them."""
    groups = {}
    for group, words in PASSES.items():
        pairs = [word.split(":") for word in words.split()]
        groups[group] = [{"pass": pair[0], **({"arg": pair[1]} if pair[1:] else {})}
                         for pair in pairs]
    return json.dumps(groups)


def write_file(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def shrink(goal, source, jobs):
    """cvise makes the file smaller where it lies."""
    folder, name = os.path.split(source)
    defects = [d for d in DEFECTS if is_free_of(d, source)]
    write_file(f"{folder}/test",
               TEST.format(compile=shlex.join(checked_for(defects)), python=sys.executable,
                                             here=run.HERE, goal=goal, name=name))
    write_file(f"{folder}/passes.json", passes())
    os.chmod(f"{folder}/test", 0o755)
    out = run.command(["cvise", "--tidy", "--n", str(jobs), "--timeout", str(run.LIMIT),
                       "--pass-group-file",
                       "passes.json", "test", name], "cvise", limit=None, cwd=folder)
    if "PASS statistics" not in out:  # it ends with 0 when its test fails, too
        raise run.Failure(f"cvise: {out[-2000:]}")


def lay_out(goal, source):
    """In the form of the house, as far as it stays what it is."""
    formatted = f"{source}.formatted.c"
    shutil.copy(source, formatted)
    shutil.copy(f"{ROOT}/.clang-format", os.path.dirname(source))
    run.command(["clang-format", "-i", "--style=file", formatted], "clang-format")
    if is_met(goal, formatted):
        shutil.copy(formatted, source)


def write_case(goal, name, source, out):
    """OUT/NAME.c and the beginning of NAME.expected; the text that says what is left to do."""
    case = re.sub(r"\W", "_", name)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    write_file(f"{out}/{case}.c",
               f"/* What is left of {name}, of which something is missed. */\n{text}")
    found = misses(goal.tools, f"{out}/{case}.c", goal.level)
    miss = f"{goal.level}: " + next(m for m in found if kind_of(m) == goal.kind)
    write_file(f"{out}/{case}.expected", f"{miss}\n")
    return TO_DO.format(name=case, lines=text.count("\n"), level=goal.level, miss=miss)


def reduce(tools, name, source, flags, arguments):
    """Makes a case of a program; what is left to do, or a Failure."""
    verdict = run.try_program(tools, name, source, flags, arguments.levels.split(","), None)
    if not verdict.misses:
        raise run.Failure(verdict.failure or "nothing is missed")
    level, miss = verdict.misses[0].split(": ", 1)
    with tempfile.TemporaryDirectory(prefix="reduce-") as work:
        part = f"{work}/part.c"
        if flags:
            run.command([run.CLANG, "-std=gnu11", *flags, "-E", "-P", source, "-o", part],
                        "preprocessing")
        else:
            shutil.copy(source, part)
        goal = Goal(tools, level, kind_of(miss), [s for s in SANITIZERS if is_clean(part, s)])
        for sanitizer in set(SANITIZERS) - set(goal.sanitizers):
            print(f"{name}: goes without the sanitizer for {sanitizer}, under which it does not "
                  f"run well itself")
        shrink(goal, part, arguments.jobs)
        lay_out(goal, part)
        return write_case(goal, name, part, arguments.out)


def try_reduce(tools, program, arguments):
    """Prints what became of a program; is there a case?"""
    try:
        print(reduce(tools, *program, arguments), flush=True)
        return True
    except run.Failure as failure:
        print(f"{program[0]}: {failure}", flush=True)
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    run.add_tools(parser)
    run.add_programs(parser)
    parser.add_argument("--out", metavar="DIR", default=f"{ROOT}/tests/c",
                        help="where cases go; tests/c")
    arguments = parser.parse_args()
    for tool in ("cvise", "clang-format"):
        if not shutil.which(tool):
            raise SystemExit(f"reduce.py: {tool} is not there (Debian has a package of that name)")
    tools = run.tools_of(arguments)
    with tempfile.TemporaryDirectory(prefix="reduce-") as folder:
        cases = [try_reduce(tools, program, arguments)
                 for program in run.programs_of(arguments, folder)]
    sys.exit(0 if cases and all(cases) else 1)


if __name__ == "__main__":
    main()
