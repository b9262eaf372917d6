#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates CUDA files to C++ for the emulator (emulator.h).

    translate.py SOURCE-ROOT OUTPUT-ROOT FILE...

A FILE is relative to both roots; a name of a .cu file ends in .cu.cpp there. Three things are no
C++: launches, variables that a block shares, and headers of CUDA, in whose place emulator.h is.
"""

import os
import re
import sys

LAUNCH = re.compile(r"([A-Za-z_]\w*(?:<\w+>)?)\s*<<<(.*?)>>>\s*\(", re.DOTALL)
SHARED_ARRAY = re.compile(r"extern\s+__shared__\s+(\w+)\s+(\w+)\[\];")
SHARED = re.compile(r"__shared__\s+(\w+)\s+(\w+);")
HEADER = re.compile(r"^#include <(?:cuda\w*\.h|thrust/[\w/]+\.h)>\n", re.MULTILINE)


def translate(text, name):
    numbers = iter(range(1, 1000))
    text = HEADER.sub("", text).replace(" __noinline__", "")  # a word of headers of C++, too
    text = LAUNCH.sub(r"emulated_prepare(\1, \2)(", text)
    text = SHARED_ARRAY.sub(r"\1 *\2 = static_cast<\1 *>(emulated_shared(0, 0));", text)
    text = SHARED.sub(
        lambda m: f"{m[1]} &{m[2]} = emulated_variable<{m[1]}>({next(numbers)});", text)
    return f'#include "tests/gpu/emulator/emulator.h"\n#line 1 "{name}"\n{text}'


def main():
    source, output, *files = sys.argv[1:]
    for name in files:
        to = os.path.join(output, name + ".cpp" if name.endswith(".cu") else name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        path = os.path.join(source, name)
        with open(path, encoding="utf-8") as file:
            text = translate(file.read(), path)
        with open(to, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
