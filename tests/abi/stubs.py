#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints C that defines each public function that is not experimental, with an empty body: a
library that has the interface of the headers, and nothing of the engine. That is what abidiff
compares; that the real libraries export these functions is checked by exports.sh.

    stubs.py HEADER...
"""
import re
import sys

DECLARATION = re.compile(r"^CFLR_API ([^;{]*\));", re.MULTILINE)


def main():
    print('#include <cflr/analyze.h>\n#include <cflr/cflr.h>\n#include <cflr/findings.h>\n')
    for path in sorted(sys.argv[1:]):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
        for declaration in DECLARATION.findall(text):
            print(" ".join(declaration.split()), "{ __builtin_trap(); }")


main()
