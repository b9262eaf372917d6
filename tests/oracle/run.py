#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The soundness oracle: what a program was seen to do must be in what the analysis says of it.

    run.py TOOLS --generated 0-200      programs of generate.py, about one construct each
    run.py TOOLS --combined 0-200       the same, of two constructs each
    run.py TOOLS --csmith 0-200         programs of csmith, with options that favour pointers
    run.py TOOLS --files a.c b.c        programs of one file each
    run.py TOOLS --libraries            those of libraries/: only library.c is analysed, as an open
                                        program; driver.c is code outside
    run.py TOOLS --suites               those of suites/: several programs, analysed as one database

Each program is preprocessed, instrumented (instrument.c), compiled with observe.c and run; each
level of the analysis reads the preprocessed source, and check.c compares. --keep DIR keeps the
files of programs of which something was missed, or that could not be run. A program of csmith that
does not end is left out; --want N takes programs until N have ended.

TOOLS are --build DIR, a build of cflr with tests, or the four of them.

At the level `linked` each unit is extracted by itself, and `cflr link` makes one graph of them.
Levels of strict aliasing leave out programs that say that they break its rules, and those of text
what copies pointers as text.

The last lines say, for each level, how many programs and facts were checked and how many facts were
missed. Exit status 1: some were, or some program could not be run.
"""
import argparse
import concurrent.futures
import dataclasses
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CFLR_CLANG", "clang-19")
LEVELS = {
    "fields": ["--fields", "sensitive"],
    "fields+contexts": ["--fields", "sensitive", "--context", "clone"],
    "fields+types": ["--fields", "sensitive", "--context", "types"],
    "data": ["--data-flow"],
    "data+contexts": ["--data-flow", "--context", "clone"],
    "arrays": ["--arrays", "constant"],
    "heap": ["--context", "heap"],
    "whole": ["--locals", "whole"],
    "brackets": ["--calls", "brackets"],
    "types": ["--callees", "types"],
    "strict": ["--aliasing", "strict", "--context", "none"],
    "strict+any": ["--aliasing", "strict", "--callees", "any"],
    "strict+types": ["--aliasing", "strict", "--context", "types"],
    "text": ["--aliasing", "text"],
    "text+open": ["--aliasing", "text", "--world", "open"],
    "strict+open": ["--aliasing", "strict", "--world", "open"],
    "linked": ["--linkable"],
    "flat": ["--fields", "insensitive"],
    "flat+contexts": ["--fields", "insensitive", "--context", "clone"],
    "open": ["--fields", "sensitive", "--world", "open"],
}
CSMITH = ["--max-pointer-depth", "4", "--max-funcs", "6", "--max-block-depth", "3",
          "--max-array-dim", "2", "--max-array-len-per-dim", "4", "--max-struct-fields", "6",
          "--no-volatiles", "--no-volatile-pointers", "--no-argc", "--no-packed-struct"]
LANGUAGE = ["-std=gnu11", "-w"]
CALLS_BY_TYPE = "-fsanitize=function"  # tells of each call that is not, in files
UNTYPED = "untyped"  # of this name
# seconds for one step, which take a second or two: only what hangs is ended, on a busy machine too
LIMIT = 600
RUN_LIMIT = 5  # of work, for the program itself: those of csmith end at once or not at all


class Failure(Exception):
    """A step that did not work; its text says which."""


class Endless(Failure):
    """One that did not come to an end."""


@dataclasses.dataclass
class Verdict:
    name: str
    facts: dict = dataclasses.field(default_factory=dict)  # level: (points, same, missed)
    misses: list = dataclasses.field(default_factory=list)
    failure: str = ""
    left_out: bool = False


@dataclasses.dataclass
class Tools:
    cflr: str
    instrument: str
    observe: str
    check: str


def command(arguments, what, allowed=(0,), limit=LIMIT, **options):
    """Runs a command; what it printed, or a Failure."""
    try:
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=limit, **options)
    except subprocess.TimeoutExpired:
        raise Endless(f"{what}: no end after {limit} s") from None
    if done.returncode == -signal.SIGXCPU:
        raise Endless(f"{what}: no end after {RUN_LIMIT} s of work")
    if done.returncode not in allowed:
        raise Failure(f"{what}: exit status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def limited(program):
    """A program that is ended when it has worked for RUN_LIMIT seconds, however long that takes."""
    return ["sh", "-c", f'ulimit -S -t {RUN_LIMIT} && exec "$0"', program]


def linked(library):
    """What links a program with a library, wherever that lies."""
    return [library, f"-Wl,-rpath,{os.path.dirname(os.path.abspath(library))}"]


def instrument(tools, source, flags, work):
    """The preprocessed source and the instrumented one."""
    stem = f"{work}/{os.path.basename(source)[:-2]}"
    pre, code = f"{stem}.i", f"{stem}.observed.c"
    command([CLANG, "-std=gnu11", *flags, "-E", source, "-o", pre], "preprocessing")
    command([tools.instrument, pre, code, f"{stem}.sites", "-x", "c", *LANGUAGE], "instrumenting")
    return pre, code


def observe(tools, programs, flags, work):
    """Instruments the sources of some programs and runs these; the preprocessed source of each, and
    the logs. A run that calls a function by another type leaves UNTYPED."""
    sources = dict.fromkeys(source for program in programs for source in program)
    units = {source: instrument(tools, source, flags, work) for source in sources}
    environment = dict(os.environ, CFLR_OBSERVED=f"{work}/log",
                       UBSAN_OPTIONS=f"log_path={work}/{UNTYPED}:symbolize=0")
    for program in programs:
        command([CLANG, *LANGUAGE, "-O1", "-g", CALLS_BY_TYPE, "-include", f"{HERE}/observe.h",
                 *(units[source][1] for source in program), *linked(tools.observe), "-lm", "-o",
                 f"{work}/program"],
                "compiling")
        command(limited(f"{work}/program"), "running", allowed=range(0, 128), env=environment,
                stdin=subprocess.DEVNULL)
    logs = sorted(glob.glob(f"{work}/log.*"))
    if len(logs) < len(programs):
        raise Failure("running: nothing was observed")
    return {source: pre for source, (pre, _) in units.items()}, logs


def write_database(units, folder):
    """`units` are pairs of a preprocessed source and the object file that is made of it."""
    entries = [{"directory": folder, "file": pre, "output": output,
                "arguments": ["cc", *LANGUAGE, "-c", pre, "-o", output]} for pre, output in units]
    with open(f"{folder}/compile_commands.json", "w", encoding="utf-8") as out:
        json.dump(entries, out, indent=1)


def analyse(tools, level, database, files, result, options=(), limit=LIMIT):
    """Makes RESULT of these files of the database."""
    said = [] if "--aliasing" in LEVELS[level] else ["--aliasing", "any"]
    read, solved = [tools.cflr, "analyze", "-q", "-p", database], [*LEVELS[level], *said, *options,
                                                                   "-o", result]
    if level == "linked":
        parts = [f"{result}.{n}.cflg" for n in range(len(files))]
        for file, part in zip(files, parts):
            command([tools.cflr, "extract", "-q", "-p", database, "--linkable", file, "-o", part],
                    "extracting", limit=limit)
        command([tools.cflr, "link", "-q", *options, *parts, "-o", f"{result}.cflg"], "linking",
                limit=limit)
        read, solved = [tools.cflr, "solve", "-q", "-g", "pointer-fs", f"{result}.cflg"], ["-o",
                                                                                           result]
        files = []
    command([*read, *solved, *files], "analysing", limit=limit)


def check(tools, result, logs, limit=LIMIT):
    """(points, same, missed) and the lines of what was missed."""
    out = command([tools.check, result, *logs], "checking", allowed=(0, 1),
                  limit=limit).splitlines()
    counts = re.fullmatch(r"points (\d+) same (\d+) missed (\d+)", out[-1])
    return tuple(int(n) for n in counts.groups()), out[:-1]


@dataclasses.dataclass
class Source:
    """Where programs come from: the units of each, and of all those that are analysed the object
    file."""
    programs: list
    analysed: list  # (unit, object file)
    options: list


@dataclasses.dataclass
class Run:
    """Programs that have run: the folder with their database, what of it is analysed, and what was
    observed."""
    work: str
    files: list
    logs: list
    options: list


def read_links(path):
    """What each target of a suite is made of: units and other targets."""
    with open(path, encoding="utf-8") as lines:
        return {target: parts.split() for target, parts in (line.split(":") for line in lines)}


def units_of(target, links):
    return [unit for part in links[target]
            for unit in (units_of(part, links) if part in links else [part])]


def suite(folder):
    """What a target `run_NAME` is made of runs; the database tells the other targets, and not
    which needs which."""
    links = read_links(f"{folder}/links")
    programs = [units_of(target, links) for target in links if target.startswith("run_")]
    analysed = [(unit, f"CMakeFiles/{target}.dir/{unit}.o") for target in links
                for unit in links[target]
                if unit not in links]
    return Source(programs, analysed, [])


def source_of(path):
    """Of a file, of a folder of libraries/, or of one of suites/."""
    if not os.path.isdir(path):
        name = os.path.basename(path)
        return Source([[name]], [(name, "program.o")], [])
    if os.path.exists(f"{path}/links"):
        return suite(path)
    return Source([["library.c", "driver.c"]], [("library.c", "library.o")], ["--world", "open"])


def observe_all(tools, path, flags, work):
    """The Run of a file or folder."""
    source = source_of(path)
    for file in glob.glob(f"{path}/*.[ch]") if os.path.isdir(path) else [path]:
        shutil.copy(file, work)
    programs = [[f"{work}/{unit}" for unit in program] for program in source.programs]
    pre, logs = observe(tools, programs, flags, work)
    units = [(pre[f"{work}/{unit}"], output) for unit, output in source.analysed]
    write_database(units, work)
    return Run(work, list(dict.fromkeys(pre for pre, _ in units)), logs,
               ["-j", "1", *source.options])


def says(seen, text):
    """Does a source say that it does so?"""
    return any(text in open(path, encoding="utf-8").read()
               for path in glob.glob(f"{seen.work}/*.c"))


def can_be_checked(seen, level):
    """Not where an assumption of the level does not hold (docs/explanation/aliasing.md)."""
    breaks = "--aliasing" in LEVELS[level] and says(seen, "breaks the rules of aliasing")
    return not breaks and not ("text" in LEVELS[level] and says(seen, "copies pointers as text"))


def examine(tools, seen, levels):
    """Yields for each level that can be checked what `check` says of a Run."""
    result = f"{seen.work}/program.cflr"
    for level in levels:
        if can_be_checked(seen, level):
            analyse(tools, level, seen.work, seen.files, result, seen.options)
            yield level, *check(tools, result, seen.logs)


def try_program(tools, name, path, flags, levels, keep):
    verdict = Verdict(name)
    work = tempfile.mkdtemp(prefix="oracle-")
    try:
        seen = observe_all(tools, path, flags, work)
        for level, facts, misses in examine(tools, seen, levels):
            verdict.facts[level] = facts
            verdict.misses += [f"{level}: {line}" for line in misses]
    except Failure as failure:
        verdict.left_out = isinstance(failure, Endless) and name.startswith("csmith")
        verdict.failure = "" if verdict.left_out else str(failure)
    if keep and (verdict.failure or verdict.misses):
        shutil.copytree(work, f"{keep}/{name}", dirs_exist_ok=True)
    shutil.rmtree(work)
    return verdict


# ---- where programs come from ----

def numbers(text):
    first, last = text.split("-")
    return range(int(first), int(last) + 1)


def generated(span, folder, *options):
    command([sys.executable, "-B", f"{HERE}/generate.py", "--from", str(span.start), "--to",
             str(span.stop - 1), "--out", folder, *options], "generating")
    return [(os.path.basename(p)[:-2], p, []) for p in sorted(glob.glob(f"{folder}/*.c"))]


def csmith(span, folder):
    programs = []
    for seed in span:
        path = f"{folder}/csmith-{seed:05}.c"
        command(["csmith", "--seed", str(seed), *CSMITH, "--output", path], "csmith",
                cwd=folder)  # where it leaves a note about the platform
        programs.append((f"csmith-{seed:05}", path, ["-I/usr/include/csmith"]))
    return programs


# ---- the whole ----

def report(verdicts, levels):
    """Prints what was missed and the sums; is everything well?"""
    for v in verdicts:
        if v.failure:
            print(f"{v.name}: {v.failure}")
        for line in v.misses:
            print(f"{v.name}: {line}")
    for level in levels:
        of_level = [v.facts[level] for v in verdicts if level in v.facts]
        points, same, missed = (sum(f[i] for f in of_level) for i in range(3))
        print(f"{level}: {len(of_level)} programs, {points} points, {same} same, {missed} missed")
    failed = sum(1 for v in verdicts if v.failure)
    left_out = sum(1 for v in verdicts if v.left_out)
    print(f"{len(verdicts)} programs, {failed} could not be run, {left_out} do not end")
    return failed == 0 and not any(v.misses for v in verdicts)


def in_turn(levels, n, every):
    """The first level, and of the others every so-manyth, so that so many programs in a row have
    all."""
    return levels[:1] + [level for i, level in enumerate(levels[1:]) if (i + n) % every == 0]


def try_programs(tools, programs, arguments):
    """The verdicts in the order of the programs, up to the one with which --want of them have
    ended."""
    levels, verdicts, ended = arguments.levels.split(","), [], 0

    def attempt(numbered):
        n, program = numbered
        return try_program(tools, *program, in_turn(levels, n, arguments.turns), arguments.keep)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for verdict in pool.map(attempt, enumerate(programs)):
            verdicts.append(verdict)
            ended += bool(verdict.facts)
            if ended == arguments.want:
                pool.shutdown(cancel_futures=True)
                break
    return verdicts


def add_tools(parser):
    parser.add_argument("--build", help="a build directory with tests")
    for tool in dataclasses.fields(Tools):
        parser.add_argument(f"--{tool.name}", metavar="FILE")


def tools_of(arguments):
    """The tools that are named, and those of the build; they are found from everywhere."""
    oracle = f"{arguments.build}/tests/oracle"
    tools = Tools(f"{arguments.build}/cli/cflr", f"{oracle}/oracle_instrument",
                  f"{oracle}/liboracle_observe.so", f"{oracle}/oracle_check")
    for tool in dataclasses.fields(Tools):
        named = getattr(arguments, tool.name)
        if named:
            setattr(tools, tool.name, named)
        elif not arguments.build:
            raise SystemExit(f"run.py: --build, or --{tool.name}")
    return Tools(*map(os.path.abspath, dataclasses.astuple(tools)))


def add_programs(parser):
    parser.add_argument("--generated", type=numbers, metavar="FROM-TO")
    parser.add_argument("--combined", type=numbers, metavar="FROM-TO")
    parser.add_argument("--csmith", type=numbers, metavar="FROM-TO")
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--libraries", action="store_true")
    parser.add_argument("--suites", action="store_true")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())


def programs_of(arguments, folder):
    """(name, source, flags) of each; what has to be made lies in the folder."""
    programs = [(os.path.basename(f).removesuffix(".c"), f, []) for f in arguments.files]
    for kind in ["libraries"] * arguments.libraries + ["suites"] * arguments.suites:
        programs += [(os.path.basename(f), f, []) for f in sorted(glob.glob(f"{HERE}/{kind}/*"))]
    if arguments.generated:
        programs += generated(arguments.generated, f"{folder}/generated")
    if arguments.combined:
        programs += generated(arguments.combined, f"{folder}/combined", "--combine")
    if arguments.csmith:
        programs += csmith(arguments.csmith, folder)
    return programs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    add_tools(parser)
    add_programs(parser)
    parser.add_argument("--want", type=int, metavar="N",
                        help="stop when so many programs have ended")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--turns", type=int, default=1, metavar="N",
                        help="a program has the first level and an N-th of the others (not with "
                             "CFLR_TEST_EXHAUSTIVE)")
    arguments = parser.parse_args()
    if os.environ.get("CFLR_TEST_EXHAUSTIVE"):
        arguments.turns = 1
    tools = tools_of(arguments)
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        verdicts = try_programs(tools, programs_of(arguments, folder), arguments)
    sys.exit(0 if verdicts and report(verdicts, arguments.levels.split(",")) else 1)


if __name__ == "__main__":
    main()
