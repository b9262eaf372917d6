#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the public headers as another version of cflr would have them.

    headers.py older|newer OUT DIR...

All headers of the DIRs are copied to OUT/cflr, and the names of structs that were changed printed.
Each struct that carries its size (the one before
`size_t struct_size` in some declaration) lacks its last member in an older version, and in a newer
one has `later`, four numbers of 64 bits.
"""
import os
import re
import sys

SIZED = re.compile(r"(\w+) \*\w+,\s*size_t struct_size")


def change(name, text, newer):
    """`text` with the struct of that name changed, if it is defined there."""
    found = re.search(r"(typedef struct " + name + r" \{)(.*?)(\} " + name + ";)", text, re.DOTALL)
    if not found:
        return text
    members = re.sub(r"/\*.*?\*/", "", found.group(2), flags=re.DOTALL).split(";")[:-1]
    members = members + ["\n    uint64_t later[4]"] if newer else members[:-1]
    body = "".join(member + ";" for member in members)
    return text[:found.start()] + found.group(1) + body + "\n" + found.group(3) + text[found.end():]


def main():
    newer, out, folders = sys.argv[1] == "newer", sys.argv[2], sys.argv[3:]
    texts = {}
    for folder in folders:
        for name in os.listdir(folder):
            if name.endswith(".h"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts[name] = file.read()
    structs = sorted(set(SIZED.findall("".join(texts.values()))))
    changed = 0
    for struct in structs:
        for name, text in texts.items():
            texts[name] = change(struct, text, newer)
            changed += texts[name] != text
    if changed != len(structs) or not structs:
        sys.exit(f"{changed} of {len(structs)} structs were found")
    os.makedirs(os.path.join(out, "cflr"), exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(out, "cflr", name), "w", encoding="utf-8") as file:
            file.write(text)
    print(*structs, sep="\n")


main()
