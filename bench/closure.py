#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times closures: our models and any peers, on public and generated graphs, paired in one run.

    bench/closure.py --cflr build/release/cli/cflr [--data DIR]
                     [--generate build/release/bench/generate] [--cases 'aa-*,gen-aa-120k']
                     [--models batch,batch+start,parallel] [--threads 1,2] [--gracfl PATH]
                     [--peer NAME=COMMAND] [--runs 3] [--limit 300] [--ablation] [--growth]
                     [--json out.json] [--table out.md]

bench/README.md tells what cases there are, what peers must do, and how the tables are read. Exit
code 1 when counts or checksums differ from each other or from what is published, or when a run of
ours fails; 3 when all that is well and a peer is faster somewhere with as many threads or fewer.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

import cases
import programs
import report


def numbers(text):
    return sorted({int(word) for word in text.split(",")})


def words(text):
    return text.split(",")


def peer(text):
    name, equals, command = text.partition("=")
    if not name or not equals or not command or name in ("cflr", "gracfl"):
        raise argparse.ArgumentTypeError("NAME=COMMAND, not named cflr or gracfl")
    return name, command


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cflr", required=True, type=os.path.abspath)
    parser.add_argument("--data", help="folder of the public graphs")
    parser.add_argument("--generate", type=os.path.abspath, help="the generator that was built")
    parser.add_argument("--cases", type=words, default=["*"], help="names and patterns")
    parser.add_argument("--models", type=words, default=["batch", "batch+start"],
                        help="models of ours; MODEL+start: the start symbol only")
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--gracfl", type=os.path.abspath, help="a GraCFL binary")
    parser.add_argument("--peer", type=peer, action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300, help="seconds of a run")
    parser.add_argument("--ablation", action="store_true",
                        help="the batch model without each of its techniques, instead of models")
    parser.add_argument("--growth", action="store_true", help="a table of costs a pair")
    parser.add_argument("--json")
    parser.add_argument("--table", help="a file for the tables in Markdown")
    options = parser.parse_args()
    options.peers = bool(options.gracfl or options.peer)
    if options.ablation and "--without" not in subprocess.run(
            [options.cflr, "solve", "--help"], check=True, stdout=subprocess.PIPE,
            text=True).stdout:
        parser.error("--ablation needs a cflr whose solve has --without")
    return options


def is_settled(program, samples, all_samples, options):
    """Is another run of the program useless? After a failure; when it used fewer threads than it
    was given, as a run with fewer did before; when it is a mode of a peer twice as slow as the
    peer's best with as many threads."""
    if not samples:
        return False
    last = samples[-1]
    if "failure" in last or last["threads"] < program.threads != options.threads[0]:
        return True
    firsts = [runs[0]["seconds"] for other, runs in all_samples.items()
              if (other.side, other.threads) == (program.side, program.threads)
              and runs and "failure" not in runs[0]]
    return program.side != "cflr" and samples[0]["seconds"] > 2 * min(firsts)


def measure(case, options, directory):
    """Rows of one case: the programs take turns."""
    lineup = programs.ours(options) + programs.peers(options)
    for program in lineup:
        program.prepare(case, directory)
    samples = {program: [] for program in lineup}
    for _ in range(options.runs):
        for program in lineup:
            if not is_settled(program, samples[program], samples, options):
                samples[program].append(program.sample(case))
    rows = []
    for program, runs in samples.items():
        if "failure" not in runs[-1] and runs[0]["threads"] < program.threads != options.threads[0]:
            continue  # the same as with fewer threads
        rows.append(report.summarise(program, runs))
        if program.side == "cflr" and not rows[-1]["failure"]:
            rows[-1]["checksum"] = program.checksum(case, runs[0])
    return rows


def print_rows(name, rows, limit):
    for row in rows:
        if row["failure"]:
            why = f"> {limit:g} s" if row["failure"] == programs.LIMIT else row["failure"]
            print(f"{name:16} {row['program']:34} {why}")
            continue
        pairs = row["pairs"] if row["pairs"] is not None else row["pairs_start"]
        print(f"{name:16} {row['program']:34} {row['seconds']:10.3f} {row['least_seconds']:10.3f} "
              f"{row['wall']:10.3f} {row['peak_mb']:8.0f} {'' if pairs is None else pairs:>14} "
              f"{row['runs']:4} {row.get('checksum', '')[:14]}")
    sys.stdout.flush()


def main():
    options = read_options()
    names = cases.select(options.cases, options.data, options.generate)
    everything = {"host": report.host(options), "options": vars(options), "cases": {},
                  "results": {}}
    print("# " + ", ".join(f"{key} {value}" for key, value in everything["host"].items()))
    print(f"{'case':16} {'program':34} {'solve s':>10} {'least s':>10} {'wall s':>10} "
          f"{'peak MB':>8} {'pairs':>14} runs checksum")
    wrong, lost = [], []
    for name in names:
        with tempfile.TemporaryDirectory() as directory:
            case = cases.Case(name, options, directory)
            rows = measure(case, options, directory)
        print_rows(name, rows, options.limit)
        wrong += report.wrong(case, rows)
        lost += report.lost(name, rows, options.limit)
        everything["cases"][name] = {"vertices": case.vertices, "edges": case.edges}
        everything["results"][name] = rows
        report.write(options, everything, report.markdown(everything))
    print(report.derived(everything))
    return report.exit_code(wrong, lost, "LOST")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
