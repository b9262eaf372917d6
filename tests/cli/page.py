#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `cflr check --html` in headless Chromium: what it shows, that text of a program is
never markup, that 10,000 findings open fast, and that axe finds no serious fault. Without Chromium
it is skipped (exit code 77); axe is asked where it is: CFLR_AXE=axe.min.js (package axe-core).

    page.py CFLR
"""
import html
import os
import re
import subprocess
import sys
import tempfile

from browser import CHROMIUM, check_axe, dump, inner

CFLR = os.path.abspath(sys.argv[1])


def page(directory, *words):
    """The path of a page about these files, and its text."""
    subprocess.run([CFLR, "check", "-q", *words, "--html", "page.html", "-o", "/dev/null"],
                   cwd=directory, check=False, capture_output=True)
    path = f"{directory}/page.html"
    with open(path, encoding="utf-8") as file:
        return path, file.read()


def test_shows(directory):
    with open(f"{directory}/a.c", "w", encoding="ascii") as file:
        file.write("#include <stdlib.h>\nint main(void) {\n    system(getenv(\"A\"));\n"
                   "    int *p = NULL; /* nothing */\n    int *q = p;\n    return *q;\n}\n")
    path, text = page(directory, "a.c", "--rules", "null", "--rules", "command")
    assert "http:" not in text and "https:" not in text  # it needs no network
    document = dump(path)
    assert inner(document, "count") == "2 of 2"
    assert inner(document, "headline") == "text from outside runs as a command: system()"
    document = dump(path, fragment="#1")
    assert inner(document, "headline") == "null pointer dereference: *q"
    assert "a.c:6:12 in main" in inner(document, "about")
    steps = inner(document, "steps")
    assert steps == "1NULLa.c:42assigned to pa.c:43assigned to qa.c:54*qa.c:6", steps
    assert "int *q = p;" in re.sub(r"</?span[^>]*>", "", document)
    assert "Test the pointer" in inner(document, "rule")
    moved = dump(path, """for (const key of "jnn") document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key, bubbles: true}));""")
    assert inner(moved, "headline") == "null pointer dereference: *q"
    assert re.search(r'aria-current="step"><span class="bubble">3<', moved)
    found = dump(path, 'const s = document.getElementById("search"); s.value = "getenv null";'
                 's.dispatchEvent(new Event("input"));')
    assert inner(found, "count") == "0 of 2" and inner(found, "headline") == "Nothing is found"


def test_further(directory):
    """Other sources stand below the path, and nothing does where there are none."""
    with open(f"{directory}/a.c", "w", encoding="ascii") as file:
        file.write("#include <stdio.h>\n#include <stdlib.h>\nstatic char text[9];\n"
                   "int main(int n, char **words) {\n    fgets(text, 9, stdin);\n"
                   "    fread(text, 1, 9, stdin);\n    system(text);\n"
                   "    return system(words[n - 1]);\n}\n")
    path, _ = page(directory, "a.c", "--rules", "command")
    document = dump(path)
    assert inner(document, "further") == "fgets()a.c:5", inner(document, "further")
    assert re.search(r'<div id="others">', document)
    document = dump(path, fragment="#1")
    assert inner(document, "further") == ""
    assert re.search(r'<div id="others" hidden="">', document)


def test_baseline(directory):
    """What is new comes first, and is alone there at first; reasons and ranks are lines."""
    follow = "int {0}(void) {{\n    int *p = NULL;\n    return *p;{1}\n}}\n"
    reason = " /* cflr: ignore null -- by hand */"
    with open(f"{directory}/a.c", "w", encoding="ascii") as file:
        file.write("#include <stdlib.h>\n" + follow.format("a", ""))
    words = ("--rules", "null", "--baseline", "known")
    page(directory, "a.c", *words, "--update-baseline")
    with open(f"{directory}/b.c", "w", encoding="ascii") as file:
        file.write("#include <stdlib.h>\n" + follow.format("b", "") + follow.format("c", reason))
    path, _ = page(directory, "a.c", "b.c", *words)
    document = dump(path)
    assert inner(document, "count") == "1 of 3" and "b.c:4:12" in inner(document, "about")
    assert '<span class="state">new</span>' in document
    assert '<span class="why">direct: by locals' in document
    every = dump(path, 'const s = document.getElementById("state"); s.value = "";'
                 's.dispatchEvent(new Event("input"));')
    assert inner(every, "count") == "3 of 3"
    assert every.index(">b.c (2)<") < every.index(">a.c (1)<")
    assert inner(dump(path, fragment="#2"), "about").endswith("by handdirect: by locals, "
                                                              "arguments and results")
    tall = dump(path, 'document.body.dataset.tall = Math.round(document.getElementById("summary")'
                ".getBoundingClientRect().height);", size="500,900")
    assert int(re.search(r'data-tall="(\d+)"', tall).group(1)) < 70, tall


def test_markup(directory):
    """Names and code that look like markup are text."""
    bad = "<img src=x onerror=alert(1)><script>document.title='taken'<"
    name = bad.replace("/", "") + ".c"
    with open(os.path.join(directory, name), "w", encoding="ascii") as file:
        file.write('#include <stdlib.h>\nint main(void) {\n    char *t = "</script><!--<script>";\n'
                   "    int *p = NULL; /* <b>]]>&lt;</title> */\n    return *p + *t;\n}\n")
    path, text = page(directory, f"./{name}", "--rules", "null")
    assert text.count("<script") == 2 and text.count("</script") == 2 and "<!--" not in text
    document = dump(path)
    assert "<img" not in document and "<title>cflr: findings</title>" in document
    assert inner(document, "about").count(bad) == 1
    assert '"</script><!--<script>"' in html.unescape(re.sub(r"</?span[^>]*>", "", document))


def many(directory, n):
    with open(f"{directory}/many.c", "w", encoding="ascii") as file:
        file.write("#include <stddef.h>\n")
        for i in range(n):
            file.write(f"int f{i}(void) {{\n    int *p = NULL;\n    return *p;\n}}\n\n")
    return page(directory, "many.c", "--rules", "null")


def test_many(directory):
    path, text = many(directory, 10000)
    assert len(text) < 20 << 20
    document = dump(path, "document.body.dataset.opened = performance.now();")
    opened = float(re.search(r'data-opened="([\d.]+)"', document).group(1)) / 1000
    assert inner(document, "count") == "10000 of 10000"
    rows = document.count('class="row')
    assert 10 < rows < 60, rows
    end = dump(path, 'const l = document.getElementById("list"); l.scrollTop = l.scrollHeight;'
               'l.dispatchEvent(new Event("scroll"));')
    assert "many.c:49999:12" in end
    print(f"10,000 findings: {len(text) / 1e6:.1f} MB, open after {opened:.2f} s")
    assert opened < 20, opened  # only against hanging: timings do not decide


def test_axe(directory):
    check_axe(many(directory, 50)[0], ("1400,900", "900,800", "420,900"))


def main():
    if not CHROMIUM:
        print("SKIP: Chromium is not here")
        sys.exit(77)
    for test in (test_shows, test_further, test_baseline, test_markup, test_many, test_axe):
        with tempfile.TemporaryDirectory() as directory:
            os.mkdir(f"{directory}/.git")
            test(os.path.realpath(directory))
        print(f"{test.__name__}: passed")


if __name__ == "__main__":
    main()
