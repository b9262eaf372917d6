# SPDX-License-Identifier: Apache-2.0
"""Runs a check on a range of seeds, and tells what differs."""
import concurrent.futures
import functools
import os
import time

SHOWN = 20  # differences


def add_options(parser, few, many):
    """--seeds and --jobs; `few` seeds are taken, or `many` with CFLR_TEST_EXHAUSTIVE."""
    exhaustive = "CFLR_TEST_EXHAUSTIVE" in os.environ
    parser.add_argument("--seeds", metavar="FIRST-LAST", default=many if exhaustive else few)
    parser.add_argument("--jobs", type=int, default=1)


def run(options, check, noun):
    """check(cflr, seed) gives what differs, as texts, and a size. The exit code: 0 when nothing
    does."""
    first, last = map(int, options.seeds.split("-"))
    begin, differences, size = time.monotonic(), [], 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        work = functools.partial(check, options.cflr)
        for found, more in pool.map(work, range(first, last + 1), chunksize=4):
            differences += found
            size += more
    for difference in differences[:SHOWN]:
        print(difference)
    print(f"{last - first + 1} {noun}, {size} values, {time.monotonic() - begin:.0f} s, "
          f"differences: {len(differences)}")
    return 1 if differences or not size else 0
