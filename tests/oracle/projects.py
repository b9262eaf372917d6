#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The soundness oracle over real programs: each is built with the compiler that observes (cc.py),
runs its own tests, and what was seen is looked for in the result of each level.

    projects.py --build DIR --work DIR [NAME...]

At the level `open` what is analysed is the units without `main`, as a library; the others are code
outside. The level `types` is left out, and the calls are printed, where a program calls functions
by other types than theirs.

Sources come from Debian's source packages (scripts/debian-source). --work keeps everything:
sources, what units leave, logs, results, and RESULT.missed with all that is missed. A program that
is there is not built again.
"""
import argparse
import dataclasses
import glob
import json
import multiprocessing
import os
import re
import resource
import shutil
import subprocess
import sys
import time

import run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CC = f"{HERE}/cc.py"
LIMIT = 3600  # seconds for one command


@dataclasses.dataclass
class Project:
    """`build` and `test` are shell texts, run in the sources; $CC is the compiler, $HERE this
    folder."""
    package: str
    build: str
    test: str


PROJECTS = {
    "lua": Project(
        "lua5.4",
        "cd src && $CC -std=gnu99 -O1 -g -DLUA_COMPAT_5_3 -DLUA_USE_LINUX"
        " $(ls *.c | grep -v luac.c) -Wl,-E -o lua -lm -ldl",
        "src/lua $HERE/programs/lua.lua"),
    "zlib": Project(
        "zlib",
        "CC=$CC CFLAGS='-O1 -g' ./configure --static && make example minigzip",
        "./example && ./minigzip < deflate.c | ./minigzip -d | cmp - deflate.c"
        " && for level in 1 2 3 4 5 6 7 8 9; do"
        " ./minigzip -$level < inflate.c | ./minigzip -d | cmp - inflate.c; done"
        " && ./minigzip -f < trees.c > /dev/null && ./minigzip -h < trees.c > /dev/null"
        " && ./minigzip -r < trees.c > /dev/null"),
    "bzip2": Project(
        "bzip2",
        "make CC=$CC CFLAGS='-O1 -g -D_FILE_OFFSET_BITS=64' bzip2 bzip2recover",
        "make CC=$CC test && cp sample1.ref again && ./bzip2 -kv again && ./bzip2 -tv again.bz2"
        " && ./bzip2 -dfv again.bz2 && ./bzip2recover sample2.bz2"),
    "sqlite": Project(
        "sqlite3",
        "./configure --disable-tcl --disable-readline CC=gcc && make sqlite3.c shell.c"
        " && $CC -O1 -g -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_JSON1 "
        "-DSQLITE_OMIT_LOOKASIDE -DSQLITE_DEFAULT_PCACHE_INITSZ=0"
        " shell.c sqlite3.c -o observed -lm -ldl"
        " && $CC -O1 -g -c test/speedtest1.c -I. -o speedtest1.o"
        " && $CC speedtest1.o $CFLR_ORACLE/sqlite3.*.o -o speed -lm -ldl",
        "rm -f *.db; ./observed t.db < $HERE/programs/sqlite.sql || [ $? = 1 ]; ./speed --size 1 "
        "--memdb"),
    "tcpdump": Project(
        "tcpdump",
        "./configure CC=$CC CFLAGS='-O1 -g' && make",
        "perl tests/TESTrun"),
    "mosquitto": Project(
        "mosquitto",
        "make CC=$CC CFLAGS='-O1 -g' WITH_DOCS=no WITH_SHARED_LIBRARIES=no "
        "WITH_STATIC_LIBRARIES=yes"
        " -C src mosquitto",
        "cd test/broker && python3 ./test.py || [ $? = 1 ]"),
    "redis": Project(
        "redis",
        "make MALLOC=libc CC=$CC OPTIMIZATION=-O1 V=1 redis-server redis-cli redis-benchmark",
        "./runtest --clients 1 --single unit/type/list --single unit/type/hash --single unit/dump"
        " --single unit/scripting --single unit/sort"),
}


def shell(text, folder, environment, log):
    with open(log, "a", encoding="utf-8") as out:
        done = subprocess.run(["timeout", str(LIMIT), "bash", "-ec", text], cwd=folder,
                              env=environment,
                              stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              check=False)
    return done.returncode


def environment_of(tools, units, logs):
    return dict(os.environ, CC=CC, HERE=HERE, CFLR_ORACLE=units, CFLR_OBSERVED=f"{logs}/log",
                CFLR_INSTRUMENT=os.path.abspath(tools.instrument), LD_LIBRARY_PATH=".",
                CFLR_OBSERVE=os.path.abspath(tools.observe), CFLR_CALLS_BY_TYPE=run.CALLS_BY_TYPE,
                UBSAN_OPTIONS=f"log_path={os.path.dirname(units)}/{run.UNTYPED}:symbolize=0")


def observe(tools, name, work):
    """Builds and runs a project; the folder of its units, and its logs."""
    project, sources = PROJECTS[name], f"{work}/{name}/source"
    units, logs, told = (f"{work}/{name}/{part}" for part in ("units", "logs", "told"))
    if not os.path.exists(f"{units}/compile_commands.json"):
        shutil.rmtree(f"{work}/{name}", ignore_errors=True)
        os.makedirs(units)
        subprocess.run([f"{ROOT}/scripts/debian-source", project.package, sources], check=True)
        if shell(project.build, sources, environment_of(tools, units, logs), told) != 0:
            raise SystemExit(f"{name}: could not be built: {told}")
        with open(f"{units}/units", encoding="utf-8") as lines:
            entries = [json.loads(line) for line in lines]
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        status = shell(project.test, sources, environment_of(tools, units, logs), told)
        if status != 0:
            raise SystemExit(f"{name}: its tests: exit status {status}: {told}")
        with open(f"{units}/compile_commands.json", "w", encoding="utf-8") as out:
            json.dump(entries, out, indent=1)
    plain = f"{units}/plain"
    if os.path.exists(plain):
        with open(plain, encoding="utf-8") as lines:
            print(f"{name}: not observed: {' '.join(lines.read().split())}")
    return units, [f"{logs}/{log}" for log in sorted(os.listdir(logs))]


def untyped(folder):
    """The places where functions were called by other types than theirs."""
    places = set()
    for path in glob.glob(f"{folder}/{run.UNTYPED}.*"):
        with open(path, encoding="utf-8", errors="replace") as lines:
            places.update(found[1] for line in lines
                          if (found := re.match(r"(\S+): runtime error:", line)))
    return sorted(places)


def units_of(database):
    with open(f"{database}/compile_commands.json", encoding="utf-8") as file:
        return [entry["file"] for entry in json.load(file)]


def library_of(paths):
    """The units that do not define `main`."""
    library = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as source:
            if not re.search(r"^(?:int\s+)?main\s*\(", source.read(), re.MULTILINE):
                library.append(path)
    return library


def check(tools, level, units, logs, result, options):
    """The counts of what was looked for, the time and the memory that the analysis took, and what
    was missed. In a process of its own, whose children are measured."""
    files, begin = units_of(units), time.time()
    if level == "open":
        files = library_of(files)
    run.analyse(tools, level, units, files, result, options, LIMIT)
    seconds, used = time.time() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    counts, misses = run.check(tools, result, logs, LIMIT)
    return counts, (seconds, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024), misses


def try_level(tools, name, level, units, logs, arguments):
    """Prints one line; was nothing missed?"""
    folder = os.path.dirname(units)
    result, places = f"{folder}/{level}.cflr", untyped(folder)
    if level == "types" and places:
        print(f"{name} types: not checked, calls by other types: {' '.join(places)}", flush=True)
        return True
    options = ["-j", str(arguments.jobs)]
    if "clone" in run.LEVELS[level] and arguments.clone_limit:
        options += ["--clone-limit", str(arguments.clone_limit)]
    try:
        with multiprocessing.Pool(1) as pool:
            counts, costs, misses = pool.apply(check, (tools, level, units, logs, result, options))
    except run.Failure as failure:
        print(f"{name} {level}: {failure}", flush=True)
        return False
    with open(f"{result}.missed", "w", encoding="utf-8") as out:
        out.writelines(f"{miss}\n" for miss in misses)
    print("{} {}: points {} same {} missed {} ({:.1f} s, {:.1f} CPU s, {} MB)".format(name, level,
                                                                                      *counts,
                                                                                      *costs),
          flush=True)
    return counts[2] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--levels", default=",".join(run.LEVELS))
    parser.add_argument("--clone-limit", type=int, metavar="N",
                        help="of the levels with contexts; that of cflr")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="threads of the analysis")
    run.add_tools(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {' '.join(PROJECTS)}")
    arguments = parser.parse_args()
    tools, work, well = run.tools_of(arguments), os.path.abspath(arguments.work), True
    for name in arguments.names or PROJECTS:
        units, logs = observe(tools, name, work)
        for level in arguments.levels.split(","):
            well &= try_level(tools, name, level, units, logs, arguments)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
