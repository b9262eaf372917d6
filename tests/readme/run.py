#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every snippet of the files given and compares what it prints.

A block that starts with ```console holds commands and their output:

    $ cflr query analysis.cflr 'alias p q'      run by sh, in a fresh directory
    yes                                         must be printed, stdout and stderr together
    ...                                         any number of lines
    a line that is wider than the page \        goes on in the next line, however far that is
        and printed as one                      indented

A block that starts with ```c file=NAME or ```text file=NAME is written to NAME first; blocks follow
each other in one directory. A block that starts with ```sh is run line by line in a fresh copy of
the sources, with a home of its own; each line must succeed. Lines that begin with a word of NOT_RUN
are left out: they change the machine.

    run.py BUILD_DIR FILE.md...
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT = 3600  # seconds: only what hangs takes so long
NOT_RUN = ("scripts/install-deps",)
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))


def blocks(path):
    """Yields (line, info string, body) of each fenced block."""
    info, start, body = None, 0, []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fence = re.match(r"^```(.*)$", line.rstrip("\n"))
            if fence and info is None:
                info, start, body = fence.group(1).strip(), number, []
            elif fence:
                yield start, info, "".join(body)
                info = None
            elif info is not None:
                body.append(line)


def commands(body):
    """Splits a console block into (command, expected lines); '\\' continues a command."""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1][0] = found[-1][0] + "\n" + line
        elif found:
            found[-1][1].append(line.rstrip())
    return found


def matches(expected, printed):
    """Do the printed lines fit, '...' standing for any number of lines?"""
    pattern = ""
    for line in re.sub(r" \\\n\s*", " ", "\n".join(expected)).splitlines():
        pattern += r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n"
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


def run_block(body, directory, environment):
    failures = []
    for command, expected in commands(body):
        done = subprocess.run(["sh", "-c", command], cwd=directory, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT,
                              check=False)
        if not matches(expected, done.stdout.splitlines()):
            failures.append(f"$ {command}\nexpected:\n" + "\n".join(expected) +
                            "\nprinted:\n" + done.stdout)
    return failures


def run_in_sources(body):
    """Runs the lines of a sh block in a fresh copy of the sources, as a new user does. The CUDA
    compiler is hidden: the build that is tested was made with it where there is one. It is not
    optimised."""
    with tempfile.TemporaryDirectory() as home:
        tree = os.path.join(home, "cflr")
        shutil.copytree(SOURCES, tree, ignore=shutil.ignore_patterns("build", ".git"))
        environment = dict(os.environ, HOME=home, CUDACXX=os.path.join(home, "none"),
                           CMAKE_C_COMPILER_LAUNCHER=os.path.join(HERE, "unoptimised"))
        for line in body.splitlines():
            if line.startswith(NOT_RUN):
                continue
            done = subprocess.run(["sh", "-c", line], cwd=tree, env=environment,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=LIMIT, check=False)
            if done.returncode != 0:
                return [f"{line}\nfailed and printed:\n{done.stdout}"]
    return []


def install(build, prefix):
    """Installs the build, as a reader of the snippets has done; the environment for it."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    packages = [root for root, _, names in os.walk(prefix) if "cflr.pc" in names]
    return dict(os.environ, PATH=os.path.join(prefix, "bin") + ":" + os.environ["PATH"],
                LD_LIBRARY_PATH=os.path.dirname(packages[0]), PKG_CONFIG_PATH=packages[0],
                NO_COLOR="1", LC_ALL="C.UTF-8")


def main():
    build, files = sys.argv[1], sys.argv[2:]
    ran, failures = 0, []
    prefix = tempfile.TemporaryDirectory()
    environment = install(build, prefix.name)
    for path in files:
        with tempfile.TemporaryDirectory() as directory:
            for line, info, body in blocks(path):
                named = re.search(r"file=(\S+)", info)
                if named:
                    with open(os.path.join(directory, named.group(1)), "w",
                              encoding="utf-8") as file:
                        file.write(body)
                elif info == "console":
                    ran += 1
                    failures += [f"{path}:{line}: {text}"
                                 for text in run_block(body, directory, environment)]
                elif info == "sh":
                    ran += 1
                    failures += [f"{path}:{line}: {text}" for text in run_in_sources(body)]
    prefix.cleanup()
    print("\n".join(failures))
    print(f"{ran} blocks run, {len(failures)} failures")
    return 1 if failures or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
