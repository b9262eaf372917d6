#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The soundness oracle over real programs: each is built with the compiler that observes (cc.py), runs its own tests,
and what was seen is looked for in the result of each level.

    projects.py --build DIR --work DIR [NAME...]

At the level `open` what is analysed is the units without `main`, as a library; the others are code outside.

Sources come from Debian's source packages (scripts/debian-source). --work keeps everything: sources, what units
leave, logs, results, and RESULT.missed with all that is missed. A program that is there is not built again.
"""
import argparse
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import time

import run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CC = f"{HERE}/cc.py"
LIMIT = "3600"  # seconds for one command


@dataclasses.dataclass
class Project:
    """`build` and `test` are shell texts, run in the sources; $CC is the compiler, $HERE this folder."""
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
        " && $CC -O1 -g -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_JSON1 -DSQLITE_OMIT_LOOKASIDE -DSQLITE_DEFAULT_PCACHE_INITSZ=0"
        " shell.c sqlite3.c -o observed -lm -ldl"
        " && $CC -O1 -g -c test/speedtest1.c -I. -o speedtest1.o"
        " && $CC speedtest1.o $CFLR_ORACLE/sqlite3.*.o -o speed -lm -ldl",
        "rm -f *.db; ./observed t.db < $HERE/programs/sqlite.sql || [ $? = 1 ]; ./speed --size 1 --memdb"),
    "redis": Project(
        "redis",
        "make MALLOC=libc CC=$CC OPTIMIZATION=-O1 V=1 redis-server redis-cli redis-benchmark",
        "./runtest --clients 1 --single unit/type/list --single unit/type/hash --single unit/dump"
        " --single unit/scripting --single unit/sort"),
}


def shell(text, folder, environment, log):
    with open(log, "a", encoding="utf-8") as out:
        done = subprocess.run(["timeout", LIMIT, "bash", "-ec", text], cwd=folder, env=environment,
                              stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              check=False)
    return done.returncode


def environment_of(tools, units, logs):
    return dict(os.environ, CC=CC, HERE=HERE, CFLR_ORACLE=units, CFLR_OBSERVED=f"{logs}/log",
                CFLR_INSTRUMENT=os.path.abspath(tools.instrument), LD_LIBRARY_PATH=".",
                CFLR_OBSERVE=os.path.abspath(tools.observe))


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


def library_of(units):
    """The units that do not define `main`."""
    with open(f"{units}/compile_commands.json", encoding="utf-8") as file:
        paths = [entry["file"] for entry in json.load(file)]
    library = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as source:
            if not re.search(r"^(?:int\s+)?main\s*\(", source.read(), re.MULTILINE):
                library.append(path)
    return library


def check(tools, name, level, units, logs, work):
    """Prints one line; was nothing missed?"""
    result, begin = f"{work}/{name}/{level}.cflr", time.time()
    files = library_of(units) if level == "open" else []
    done = subprocess.run([tools.cflr, "analyze", "-q", "-p", units, *run.LEVELS[level], *files, "-o",
                           result],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    seconds = time.time() - begin
    if done.returncode != 0:
        print(f"{name} {level}: exit status {done.returncode}\n{done.stdout[-500:]}")
        return False
    done = subprocess.run([tools.check, result, *logs], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name} {level}: could not be checked")
    with open(f"{result}.missed", "w", encoding="utf-8") as out:
        out.write(done.stdout)
    print(f"{name} {level}: {done.stdout.splitlines()[-1]} ({seconds:.1f} s)")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--levels", default=",".join(run.LEVELS))
    run.add_tools(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {' '.join(PROJECTS)}")
    arguments = parser.parse_args()
    tools, work, well = run.tools_of(arguments), os.path.abspath(arguments.work), True
    for name in arguments.names or PROJECTS:
        units, logs = observe(tools, name, work)
        for level in arguments.levels.split(","):
            well &= check(tools, name, level, units, logs, work)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
