#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does docs/reference/headers.md name each public header, and say which ones cflr.h brings?

    header_table.py SOURCE_DIR
"""
import pathlib
import re
import sys


def main(source):
    source = pathlib.Path(source)
    page = (source / "docs/reference/headers.md").read_text()
    there = {path.name.removesuffix(".in") for path in (source / "include/cflr").iterdir()}
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z_]+\.h)`", row)}
    if named != there - {"cflr.h"}:
        sys.exit(f"the table and include/cflr differ: {sorted(named ^ (there - {'cflr.h'}))}")
    text = (source / "include/cflr/cflr.h").read_text()
    brought = set(re.findall(r'#include "cflr/(\w+\.h)"', text))
    sentence = re.search(r"brings all of them but\n?(.*?)\.\n", page, re.S)[1]
    apart = set(re.findall(r"`(\w+\.h)`", sentence))
    if apart != there - brought - {"cflr.h"}:
        sys.exit(f"cflr.h does not bring {sorted(there - brought - {'cflr.h'})}, "
                 f"and the page says {sorted(apart)}")


main(*sys.argv[1:])
