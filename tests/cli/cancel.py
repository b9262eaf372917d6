#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Extraction that is stopped at any moment ends with the code of that, soon, and leaves nothing
behind.

    cancel.py CFLR [COUNT]

COUNT times (4, or 40 with CFLR_TEST_EXHAUSTIVE) a signal comes at a random moment, and as often the
process is killed. Prints the seed.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

GUARD = 60  # seconds; only against hanging


def write_units(folder, n):
    names = []
    for i in range(n):
        names.append(os.path.join(folder, f"u{i}.c"))
        with open(names[-1], "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n#include <stdlib.h>\n")
            file.writelines(f"int *f{i}_{k}(int *p) {{ static int x; return p ? p : &x; }}\n"
                            for k in range(500))
    return names


def alive(group):
    """Processes of a session that have not ended; one that its parent has not waited for has."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                state, _, _, session = file.read().rsplit(")", 1)[1].split()[:4]
        except OSError:
            continue
        if int(session) == group and state != "Z":
            found.append(name)
    return found


def stop(command, after, number):
    """The exit code; fails when it does not end, or a worker outlives it."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as child:
        time.sleep(after)
        child.send_signal(number)
        code = child.wait(GUARD)
        until = time.time() + GUARD
        while alive(child.pid):
            if time.time() > until:
                raise SystemExit(f"left: {alive(child.pid)}")
            time.sleep(0.01)
    return code


def main():
    cflr, count = sys.argv[1], 40 if os.environ.get("CFLR_TEST_EXHAUSTIVE") else 4
    if len(sys.argv) > 2:
        count = int(sys.argv[2])
    seed = int.from_bytes(os.urandom(4), "little")
    print("seed", seed)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        command = [cflr, "extract", "-q", "-j2", "--cache", f"{folder}/cache", "-o",
                   f"{folder}/graph.cflg", *write_units(folder, 12)]
        begin = time.time()
        subprocess.run(command, check=True, timeout=GUARD)
        most = time.time() - begin
        for _ in range(count):
            after = random.uniform(0.02, most)
            number = random.choice((signal.SIGTERM, signal.SIGINT))
            code = stop(command, after, number)
            early = code == -number and after < 0.1  # before the program itself runs
            if code not in (0, 130) and not early:
                raise SystemExit(f"exit code {code} after {after:.3f} s")
            stop(command, random.uniform(0, most), signal.SIGKILL)
            for name in os.listdir(f"{folder}/cache") if os.path.isdir(f"{folder}/cache") else ():
                for entry in os.listdir(f"{folder}/cache/{name}"):
                    if random.random() < 0.5:
                        os.unlink(f"{folder}/cache/{name}/{entry}")
        subprocess.run(command, check=True, timeout=GUARD)  # what was left does no harm


main()
