#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a test fail for each row of docs/explanation/libclang.md whose handling is taken out?

    rows.py [--copy DIR] [ROW...]
    rows.py --places                only looks whether each row has a fault, and its place is still
                                    in the source

A copy of the sources is changed in one place, the unit tests of the front end are built again, and
those that the table names are run. A row says which of them noticed. A row without a fault, a fault
whose place is no longer in the source, that does not compile, or that no test notices is an error.
--copy keeps the copy with its build for the next time.
"""
import argparse
import contextlib
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
BUILD_LIMIT = 1800  # seconds
TEST_LIMIT = 300

# row: (file of frontend/, what stands there, what is put in its place), several where one alone
# changes nothing
FAULTS = {
    "operators": [("walk/operator.c", '#include "frontend/walk/walk.h"\n',
                   '''#include "frontend/walk/walk.h"
static enum CXBinaryOperatorKind in_text(CXCursor cursor) {
    CXSourceLocation at = clang_getCursorLocation(cursor);
    unsigned written, used;
    clang_getSpellingLocation(at, NULL, NULL, NULL, &written);
    clang_getExpansionLocation(at, NULL, NULL, NULL, &used);
    return written == used ? clang_getCursorBinaryOperatorKind(cursor) : CXBinaryOperator_Invalid;
}
#define cflri_clang_getCursorBinaryOperatorKind in_text
''')],
    "arrow or dot": [("walk/names/spell.c",
                      "bool arrow = cflri_expr_class(s->w, base) != CFLRI_TYPE_RECORD;",
                      "bool arrow = true;")],
    "implicit conversions": [("walk/unnamed.c", "return cflri_cast_value(w, e, first);",
                              "return cflri_expr_value(w, first);")],
    "`a ?: b`": [("walk/unnamed.c", "    if (!alone && cflri_is_elvis(w, e)) return ELVIS;\n", "")],
    "`_Generic`": [("walk/expr.c",
                    "if (!cflri_clang_equalTypes(cflri_expr_plain(w, arm), type)) continue;",
                    "(void)type;")],
    "`__builtin_choose_expr`": [("walk/unnamed.c", "return constant ? yes :",
                                 "return yes ? yes :")],
    "`va_arg`": [("walk/unnamed.c",
                  "    if (is_va_arg(w, e, cflri_tree_last(&w->tree, e))) return VA_ARG;\n",
                  "    (void)is_va_arg;\n")],
    "`__atomic_*`": [("walk/unnamed.c", "== CFLRI_TYPE_POINTER) return ATOMIC;",
                      "== CFLRI_TYPE_POINTER) return OTHER;")],
    "`sizeof` and similar operators": [("clang/tree.c", "        case CXCursor_UnaryExpr:\n", "")],
    "offsetof": [("walk/memory/container.c", "    path p;\n    return read_path(w, e, &p);",
                  "    path p;\n    return read_path(w, e, &p) && !w;")],
    "calls": [("walk/call.c", "        if (kind != CXCursor_UnaryOperator) return CFLRI_NO_NUMBER;",
               "        if (kind != CXCursor_Namespace) return CFLRI_NO_NUMBER;")],
    "constants": [("walk/expr.c",
                   "bool known = cflri_clang_EvalResult_getKind(result) == CXEval_Int;",
                   "bool known = false;")],
    "designators": [("walk/memory/init.c", "    frame->index = field->position;\n", "")],
    "initialisers": [("walk/memory/init.c", "        if (!push(w, &o, e)) return;\n        skip",
                      "        advance(top(w));\n        return;\n        skip")],
    "initialiser of a variable": [("walk/stmt.c", "return found ? last : CFLRI_NO_CHILD;",
                                   "return found ? cflri_tree_first(&w->tree, declaration) : "
                                   "CFLRI_NO_CHILD;")],
    "sizes of arrays": [("walk/stmt.c",
                         "    if (first == initialiser || !is_variable(type)) return;\n",
                         "    if (w || !is_variable(type)) return;\n")],
    "offsets": [("walk/names/types.c", "    if (cflri_clang_equalCursors(record, named)) {",
                 "    if (true) {")],
    "places of members": [("walk/names/layout.c",
                           "        cflri_clang_Cursor_hasAttrs(member) || "
                           "cflri_clang_Cursor_isBitField(member))", "        false)")],
    "members of anonymous records": [("walk/names/types.c",
                                      "        if (field->anonymous) continue;\n", ""),
                                     ("walk/memory/member.c",
                                      "field->anonymous ? 0 : field->offset", "field->offset")],
    "parameters as arrays and functions": [
        ("walk/names/names.c",
         "    if (decl.class == CFLRI_TYPE_ARRAY || decl.class == CFLRI_TYPE_FUNCTION) {\n"
         "        decl.class", "    if (decl.class == CFLRI_TYPE_NONE) {\n        decl.class")],
    "types under other names": [("walk/names/types.c",
                                 "    CXType plain = cflri_clang_getCanonicalType(type);",
                                 "    CXType plain = type;")],
    "records in declarations": [("clang/tree.c", "kind == CXCursor_VarDecl ||",
                                 "kind == CXCursor_VarDecl || kind == CXCursor_StructDecl || kind "
                                 "== CXCursor_FieldDecl ||")],
    "tentative definitions": [("walk/names/names.c",
                               "           cflri_clang_Cursor_getStorageClass(cursor) != "
                               "CX_SC_Extern;", "           false;")],
    "names across units": [("walk/names/names.c",
                            "    const char *path = string(names, place->file);",
                            "    const char *path = strrchr(string(names, place->file), '/');")],
    "asm labels": [("walk/names/names.c", "    if (!text || !*text) return name;",
                    "    if (name) return name;")],
    "attributes": [("walk/names/attribute.c", "        if (at > text && (at[-1] == '(' ||",
                    "        if (at > text && (at[-1] == ';' ||")],
    "`#pragma weak a = b`": [("walk/names/alias.c", "    } else if (named && *text == '=') {",
                              "    } else if (named && *text == ';') {")],
    "functions with `alias` or `ifunc`": [
        ("walk/names/names.c",
         "    bool made = makes_variable(decl->cursor) && !cflri_alias_of(names, number);",
         "    bool made = !makes_variable(decl->cursor) && cflri_alias_of(names, number);")],
    "inline assembly": [("walk/asm.c", "    text->n_outputs += r->section == 1;\n", "")],
    "labels": [("walk/order/control.c", "    label.data[0] = NULL;", "    ;")],
    "parts of `for`": [("walk/for_parts.c",
                        "        uint32_t part = (at > h.semicolon[0]) + (at > h.semicolon[1]);\n",
                        "        uint32_t part = 0;\n"
                        "        while (part < 2 && parts[part] != CFLRI_NO_CHILD) part++;\n"
                        "        (void)at;\n")],
    "places in macros": [("walk/names/names.c",
                          "    cflri_clang_getExpansionLocation(location, &file, NULL, NULL, "
                          "&place.offset);",
                          "    clang_getSpellingLocation(location, &file, NULL, NULL, "
                          "&place.offset);")],
    "places in arguments of macros": [("walk/names/names.c",
                                       "    cflri_clang_getFileLocation(location, &file, NULL, "
                                       "NULL, &offset);",
                                       "    cflri_clang_getExpansionLocation(location, &file, "
                                       "NULL, NULL, &offset);")],
    "old C": [("compdb/compdb.c", '    "-Wno-error=implicit-function-declaration",\n', "")],
    "flags of gcc": [("units/unit.c", "    if (!file && line == 0) return; /* about a flag */\n",
                      "")],
    "code of gcc": [("units/unit.c",
                     "    outcome->state = CFLRI_UNIT_DEGRADED;\n    if (outcome->errors++",
                     "    if (outcome->errors++")],
    "fortified headers": [("compdb/compdb.c", '    "-U_FORTIFY_SOURCE",\n', "")],
    "compilation databases": [("compdb/compdb.c",
                               'push(l, words, "-working-directory") && push(l, words, '
                               'unit->directory) &&', "")],
    "failures": [("units/unit.c", '        lose(work->outcome, "%s", refusal(code));\n',
                  "        (void)refusal;\n")],
    "crashes": [("units/unit.c",
                 '    if (code == CXError_Crashed) return "the parser crashed on it";\n',
                 "    (void)code;\n")],
    "deep nesting": [("clang/deep.c", "        action.sa_flags |= SA_ONSTACK;\n", "")],
}


class Failure(Exception):
    """A step that did not work; its text says which."""


def command(words, what, limit):
    """Runs it; its output."""
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=limit,
                          check=False)
    if done.returncode != 0:
        raise Failure(f"{what}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def rows():
    """Of the tables: name of the row, names of its tests."""
    found = {}
    with open(f"{ROOT}/docs/explanation/libclang.md", encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if line.startswith("| ") and len(cells) == 4 and cells[0] not in ("row", "---"):
                found[cells[0]] = re.findall(r"`([^`]+)`", cells[3])
    return found


def run_tests(build, tests):
    """Those of the tests that fail."""
    suites = {"constructs/*" if test.endswith(".c") else test for test in tests}
    failed = set()
    for suite in sorted(suites):
        done = subprocess.run([f"{build}/tests/test_frontend", "--filter", suite],
                              capture_output=True, text=True,
                              errors="replace", timeout=TEST_LIMIT, check=False)
        output = done.stdout + done.stderr
        if "Tested: 0 " in output:
            raise Failure(f"there is no test {suite}")
        if done.returncode == 0:
            continue
        failed |= {test for test in tests if test == suite
                   or (suite == "constructs/*" and f"{test}:" in output)}
        if suite == "constructs/*" and "CRASH" in output:
            failed.add("a crash")
    return sorted(failed)


@contextlib.contextmanager
def injected(edits, copy):
    """The tests are built with the fault while the body runs."""
    before = {}
    try:
        for name, old, new in edits:
            path = f"{copy}/source/frontend/{name}"
            with open(path, encoding="utf-8") as file:
                before[path] = file.read()
            if before[path].count(old) != 1:
                raise Failure(f"{name}: the place is not there")
            with open(path, "w", encoding="utf-8") as file:
                file.write(before[path].replace(old, new))
        command(["cmake", "--build", f"{copy}/build", "--target", "test_frontend"], "building",
                BUILD_LIMIT)
        yield
    finally:
        for path, text in before.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def try_row(row, tests, copy):
    """Prints a row; was it noticed?"""
    failed = []
    try:
        with injected(FAULTS[row], copy):
            failed = run_tests(f"{copy}/build", tests)
    except Failure as failure:
        print(failure)
    print(f"| {row} | {', '.join(failed) or 'NO TEST'} |", flush=True)
    return bool(failed)


def places():
    """Prints the faults whose place is not there; are there none?"""
    gone = []
    for row, edits in FAULTS.items():
        for name, old, _ in edits:
            with open(f"{ROOT}/frontend/{name}", encoding="utf-8") as file:
                if file.read().count(old) != 1:
                    gone.append(row)
                    print(f"{row}: {name}: the place is not there")
    return not gone


def copy_if_other(source, target):
    """With the time of now, so that what was built of another content is built again."""
    if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def make_copy(copy):
    """COPY/source, and COPY/build for its tests."""
    shutil.copytree(ROOT, f"{copy}/source", ignore=shutil.ignore_patterns("build", ".git"),
                    dirs_exist_ok=True, copy_function=copy_if_other)
    if not os.path.exists(f"{copy}/build/build.ninja"):
        command(["cmake", "-S", f"{copy}/source", "-B", f"{copy}/build", "-G", "Ninja",
                 "-DCFLR_CLI=OFF", "-DCFLR_BENCH=OFF",
                 "-DCMAKE_BUILD_TYPE=Debug"], "configuring", BUILD_LIMIT)
    command(["cmake", "--build", f"{copy}/build", "--target", "test_frontend"], "building",
            BUILD_LIMIT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--copy", metavar="DIR", help="of the sources, kept")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="of the table; all")
    arguments = parser.parse_args()
    table = rows()
    unknown = set(table) ^ set(FAULTS) | set(arguments.rows) - set(table)
    if unknown:
        raise SystemExit(f"rows.py: table and faults differ, or there is no "
                         f"{', no '.join(sorted(unknown))}")
    if arguments.places:
        sys.exit(0 if places() else 1)
    chosen = [row for row in table if not arguments.rows or row in arguments.rows]
    with contextlib.ExitStack() as stack:
        copy = arguments.copy or stack.enter_context(tempfile.TemporaryDirectory(prefix="rows-"))
        make_copy(copy)
        wrong = run_tests(f"{copy}/build", sorted({test for row in chosen for test in table[row]}))
        if wrong:
            raise SystemExit(f"rows.py: these fail without any fault: {', '.join(wrong)}")
        noticed = [try_row(row, table[row], copy) for row in chosen]
    sys.exit(0 if all(noticed) else 1)


if __name__ == "__main__":
    try:
        main()
    except Failure as wrong_copy:
        sys.exit(f"rows.py: {wrong_copy}")
