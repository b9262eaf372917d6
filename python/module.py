#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the source of the module cflr._cflr, by cffi in API mode, from the public headers.

    module.py OUT.c CC frontend|engine INCLUDE_DIR...

The headers are read as they are, so the module has every public function, struct and number, and
a change of the interface needs no change here. The compiler's preprocessor expands the lists
X(...); headers of the system are left out, since cffi knows their types. An inline function becomes
a declaration: the module is compiled with the headers, so what runs is the inline function itself,
which hands over the size of the struct that the module was compiled with.

`engine`: for a library without the front end, whose functions are left out.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

HEADERS = ["cflr/cflr.h", "cflr/analyze.h", "cflr/findings.h"]
SYSTEM = ["stdbool.h", "stddef.h", "stdint.h"]
NUMBERS = ["CFLR_NO_VERTEX", "CFLR_NO_LABEL", "CFLR_NO_DERIVATION", "CFLR_MAX_VERTICES"]
INLINE = re.compile(r"static inline ([^{;]*)\{[^}]*\}")
FRONTEND = re.compile(r"^[^;{}]*\bcflr_(?:extract|link|analyze|rule_shipped)\w*\([^;]*;", re.M)
OWN = """
extern "Python" bool cflr_python_progress(void *user, const cflr_progress *progress);
extern "Python" void cflr_python_release_schema(struct ArrowSchema *schema);
extern "Python" void cflr_python_release_array(struct ArrowArray *array);
"""
# The Arrow C data interface, whose layout its specification fixes.
ARROW = """
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
"""


def declarations(compiler, folders):
    """What the headers declare, as text that cffi understands."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in SYSTEM:
            (pathlib.Path(stubs) / name).touch()
        source = "".join(f'#include "{name}"\n' for name in HEADERS)
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-xc", "-", "-I", stubs]
        command += [word for folder in folders for word in ("-I", folder)]
        text = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return INLINE.sub(r"\1;", text.stdout)


def main():
    out, compiler, parts, *folders = sys.argv[1:]
    text = declarations(compiler, folders)
    if parts == "engine":
        text = FRONTEND.sub("", text)
    ffi = cffi.FFI()
    ffi.cdef(text + "".join(f"#define {name} ...\n" for name in NUMBERS) + ARROW + OWN)
    includes = "".join(f'#include "{name}"\n' for name in HEADERS)
    ffi.set_source("cflr._cflr", includes + ARROW)
    ffi.emit_c_code(out)


main()
