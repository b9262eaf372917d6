#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports of `cflr check` at their limits: 30,000 findings, a path of 12,000 steps, files with all
kinds of names, columns behind other letters than ASCII, findings that end outside of the tree.

    reports.py CFLR
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import sarif

CFLR = os.path.abspath(sys.argv[1])
NAMES = [b"a b.c", b"q\"uote's.c", b"new\nline.c", b"\xff\xfe.c", "\u00fcml\u00e4ut.c".encode(),
         b"%41.c", b"#x?.c", b"[a](b){0}.c", b"-dash.c", b"c:olon.c", b"back\\slash.c"]


def check(directory, *words, codes=(1,)):
    done = subprocess.run([CFLR, "check", *words], cwd=directory, capture_output=True, check=False)
    assert done.returncode in codes, (words, done.returncode, done.stderr[-500:])
    return done


def test_many(directory):
    with open(f"{directory}/many.c", "w", encoding="ascii") as file:
        file.write("#include <stddef.h>\n")
        for i in range(30000):
            file.write(f"int f{i}(void) {{ int *p = NULL; return *p; }}\n")
    words = ["-q", "many.c", "--rules", "null", "-o", "/dev/null", "--baseline", "many.baseline"]
    check(directory, *words, "--sarif", "many.sarif", "--code-quality", "many.json", "--markdown",
          "many.md", "--update-baseline", codes=(0,))
    run = sarif.validate(f"{directory}/many.sarif")["runs"][0]
    assert len(run["results"]) == 25000
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("5000 results are left out")
    with open(f"{directory}/many.json", encoding="utf-8") as file:
        quality = json.load(file)
    assert len(quality) == len({alert["fingerprint"] for alert in quality}) == 30000
    assert os.path.getsize(f"{directory}/many.md") < 60000
    with open(f"{directory}/many.baseline", encoding="utf-8") as file:
        assert len(file.readlines()) == 30005
    check(directory, *words, codes=(0,))


def test_long(directory):
    for n, cut in ((9998, False), (9999, True), (12000, True)):
        with open(f"{directory}/long.c", "w", encoding="ascii") as file:
            file.write("#include <stddef.h>\nint main(void) {\n    int *p0 = NULL;\n")
            for i in range(n - 1):
                file.write(f"    int *p{i + 1} = p{i};\n")
            file.write(f"    return *p{n - 1};\n}}\n")
        check(directory, "-q", "long.c", "--rules", "null", "--sarif", "long.sarif")
        (result,) = sarif.validate(f"{directory}/long.sarif")["runs"][0]["results"]
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        texts = [step["location"]["message"]["text"] for step in steps]
        assert len(texts) == min(n + 2, 10000), (n, len(texts))
        assert texts[0] == "NULL" and texts[-1] == f"*p{n - 1}"
        left_out = [text for text in texts if text.endswith(" steps are left out here")]
        assert left_out == ([f"{n + 2 - 9999} steps are left out here"] if cut else []), left_out


def test_names(directory):
    for i, name in enumerate(NAMES):
        with open(os.path.join(directory.encode(), name), "wb") as file:
            file.write(b"#include <stddef.h>\n/* \xc3\xa4\xf0\x9f\x90\x9b */ "
                       b"int g%d(void) { int *p = NULL; return *p; }\n" % i)
    check(directory, "-q", *(b"./" + name for name in NAMES), "--rules", "null", "--max-lost", "0",
          "--sarif", "names.sarif", "--code-quality", "names.json", "--markdown", "names.md",
          "--baseline", "names.baseline", "--update-baseline", codes=(0,))
    results = sarif.validate(f"{directory}/names.sarif")["runs"][0]["results"]
    found = {}
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        name = urllib.parse.unquote_to_bytes(place["artifactLocation"]["uri"])
        found[name] = place["region"]["startColumn"]
    line = "/* xx */ int g%d(void) { int *p = NULL; return *p; }"
    columns = {name: (line % i).rindex("*p") + 1 for i, name in enumerate(NAMES)}
    assert found == columns, (found, columns)
    with open(f"{directory}/names.json", encoding="utf-8") as file:
        assert len(json.load(file)) == len(NAMES)
    check(directory, "-q", *(b"./" + name for name in NAMES), "--rules", "null", "--baseline",
          "names.baseline", codes=(0,))


def test_not_read(directory):
    """Units that were not read in full are named: the first three, and how many more."""
    wanted = "0 of 5 units were read in full, and not: gone.c (No such file or directory)"
    for i in range(4):
        with open(f"{directory}/half{i}.c", "w", encoding="ascii") as file:
            file.write(f"int half{i}(void) {{\n    return {i}\n}}\n")
        wanted += f", half{i}.c:2 (expected ';' after return statement)" if i < 2 else ""
    wanted += ", and 2 more"
    check(directory, "-q", "half0.c", "half1.c", "half2.c", "half3.c", "gone.c", "--rules", "null",
          "--sarif", "r.sarif", "--markdown", "r.md", "--html", "r.html", codes=(0,))
    (run,) = sarif.validate(f"{directory}/r.sarif")["runs"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note == {"level": "warning", "message": {"text": wanted}}, note
    with open(f"{directory}/r.md", encoding="utf-8") as file:
        text = file.read()
        assert wanted in re.sub(r"\\(.)", r"\1", text), text
    with open(f"{directory}/r.html", encoding="utf-8") as file:
        assert f"0 fail the run. {wanted}. cflr " in file.read()


def test_outside(directory):
    """A sink in a header that is not in the tree: reported where its path leaves the tree."""
    os.makedirs(f"{directory}/usr/include")
    os.makedirs(f"{directory}/project/.git")
    with open(f"{directory}/usr/include/follow.h", "w", encoding="ascii") as file:
        file.write("static inline int follow(int *p) { return *p; }\n")
    with open(f"{directory}/project/a.c", "w", encoding="ascii") as file:
        file.write("#include <stddef.h>\n#include <follow.h>\nint main(void) {\n"
                   "    return follow(NULL);\n}\n")
    project = f"{directory}/project"
    check(project, "-q", "a.c", "--rules", "null", "--sarif", "a.sarif", "--", "-isystem",
          f"{directory}/usr/include")
    (result,) = sarif.validate(f"{project}/a.sarif")["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.c" and place["region"]["startLine"] == 4, place
    check(directory, "-q", "project/a.c", "--rules", "null", "--sarif", "b.sarif", "--source-root",
          f"{directory}/project", "--", "-isystem", f"{directory}/usr/include")
    (again,) = sarif.validate(f"{directory}/b.sarif")["runs"][0]["results"]
    assert again["partialFingerprints"] == result["partialFingerprints"]
    assert again["locations"] == result["locations"]


def main():
    for test in (test_many, test_long, test_names, test_not_read, test_outside):
        with tempfile.TemporaryDirectory() as directory:
            test(os.path.realpath(directory))
        print(f"{test.__name__}: passed")
    if not sarif.multitool():
        print("sarif-multitool is not here: SARIF was checked by tests/cli/sarif.py alone")


if __name__ == "__main__":
    main()
