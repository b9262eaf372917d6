#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A compiler that observes: clang, but what it compiles tells what its pointers point to
(instrument.c).

    make CC=tests/oracle/cc.py          in the environment that projects.py makes

CFLR_ORACLE names a directory. In it each unit leaves its preprocessed source, its list of sites,
and an entry of DIR/units, from which projects.py makes a compilation database. Units that cannot be
instrumented are compiled as they are, and told of in DIR/plain. What configure scripts try out is
left alone.
"""
import fcntl
import json
import os
import subprocess
import sys

CLANG = os.environ.get("CFLR_CLANG", "clang-19")
HERE = os.path.dirname(os.path.abspath(__file__))
WITH_VALUE = {"-o", "-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-iquote", "-x", "-MF",
              "-MT", "-MQ", "-L", "-l", "-Xlinker", "-T", "-u", "-z"}
ALONE = {"-E", "-S", "-M", "-MM", "--version", "-v", "-print-prog-name=ld", "-dumpversion"}
LANGUAGE = ("-std=", "-f", "-m")  # flags that the analysis needs for preprocessed source


def split(arguments):
    """(sources, output, the rest)"""
    sources, output, rest = [], None, []
    words = iter(arguments)
    for word in words:
        if word == "-o":
            output = next(words)
        elif word in WITH_VALUE:
            rest += [word, next(words)]
        elif word.endswith(".c") and not word.startswith("-"):
            sources.append(word)
        else:
            rest.append(word)
    return sources, output, rest


def note(folder, name, line):
    with open(f"{folder}/{name}", "a", encoding="utf-8") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(line + "\n")


def number(folder):
    """The next one, in the order in which units come."""
    with open(f"{folder}/count", "a+", encoding="ascii") as count:
        fcntl.flock(count, fcntl.LOCK_EX)
        count.seek(0)
        n = int(count.read() or "0")
        count.truncate(0)
        count.write(str(n + 1))
    return n


def compile_unit(folder, source, output, flags):
    """One object file; the exit status."""
    stem = f"{folder}/{number(folder):04}-{os.path.basename(source)[:-2]}"
    pre, code, sites = f"{stem}.i", f"{stem}.observed.c", f"{stem}.sites"
    flags = [f for f in flags if f not in ("-c", "-Werror")] + ["-w", "-U_FORTIFY_SOURCE"]
    language = [f for f in flags if f.startswith(LANGUAGE)]
    plain = [CLANG, *flags, "-c", source, "-o", output]
    done = subprocess.run([CLANG, *flags, "-E", source, "-o", pre], check=False)
    if done.returncode != 0:
        return done.returncode
    done = subprocess.run([os.environ["CFLR_INSTRUMENT"], pre, code, sites, "-x", "c", "-w",
                           *language],
                          check=False)
    if done.returncode == 0:
        done = subprocess.run([CLANG, *flags, os.environ["CFLR_CALLS_BY_TYPE"], "-include",
                               f"{HERE}/observe.h", "-c", code, "-o", output], check=False)
    if done.returncode != 0:
        note(folder, "plain", source)
        return subprocess.run(plain, check=False).returncode
    note(folder, "units", json.dumps({"directory": os.getcwd(), "file": pre,
                                      "arguments": ["cc", *language, "-w", "-c", pre]}))
    return 0


def main():
    folder = os.environ.get("CFLR_ORACLE")
    sources, output, rest = split(sys.argv[1:])
    trial = not folder or any(os.path.basename(s).startswith("conftest") for s in sources)
    if trial or ALONE & set(rest) or (not sources and "-c" in rest):
        os.execvp(CLANG, [CLANG, *sys.argv[1:]])
    if "-c" in rest:
        sys.exit(compile_unit(folder, sources[0],
                              output or os.path.basename(sources[0])[:-2] + ".o", rest))
    objects = []
    for source in sources:
        objects.append(f"{folder}/{os.path.basename(source)[:-2]}.{os.getpid()}.o")
        status = compile_unit(folder, source, objects[-1], rest)
        if status != 0:
            sys.exit(status)
    library = os.environ["CFLR_OBSERVE"]
    os.execvp(CLANG, [CLANG, os.environ["CFLR_CALLS_BY_TYPE"], *objects, *rest, library,
                      f"-Wl,-rpath,{os.path.dirname(library)}",
                      *(["-o", output] if output else [])])


if __name__ == "__main__":
    main()
