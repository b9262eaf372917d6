#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Screenshots of pages, by headless Chromium: of `cflr check --html` in three sizes and two themes,
of `cflr report` a graph, and the overview.

    docs/pictures/report.py CFLR [DIRECTORY]      writes report-SIZE-THEME.png, result-THEME.png
                                                  (here)
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUGS = os.path.join(HERE, "..", "..", "examples", "bugs")
SIZES = {"large": "1500,900", "medium": "1000,800", "small": "420,900"}


def take(page, theme, picture, size):
    """A picture of a page in one theme."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    themed = page.replace(".html", ".themed.html")
    with open(themed, "w", encoding="utf-8") as file:
        file.write(text.replace('<html lang="en">', f'<html lang="en" data-theme="{theme}">'))
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--window-size={size}", f"--screenshot={picture}",
                    f"file://{themed}"], check=True, stderr=subprocess.DEVNULL)
    if shutil.which("pngquant"):  # a third of the bytes
        subprocess.run(["pngquant", "--force", "--ext", ".png", picture], check=True)


def main():
    cflr = os.path.abspath(sys.argv[1])
    target = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else HERE
    with tempfile.TemporaryDirectory() as work:
        page = os.path.join(work, "report.html")
        subprocess.run([cflr, "check", "-q", "jobs.c", "journal.c", "settings.c", "tool.c",
                        "watchers.c", "--rules", "null", "--rules", "command", "--rules", "format",
                        "--source-root", ".", "--html", page, "-o", "/dev/null"], cwd=BUGS,
                       check=False)
        shutil.copy(os.path.join(BUGS, "jobs.c"), work)
        subprocess.run([cflr, "analyze", "-q", "jobs.c", "-o", "analysis.cflr"], cwd=work,
                       check=True, stdout=subprocess.DEVNULL)
        for theme, options in (("light", ["--around", "jobs.c:30:job"]), ("dark", [])):
            subprocess.run([cflr, "report", "-q", "analysis.cflr", *options, "-o", "result.html"],
                           cwd=work, check=True)
            take(f"{work}/result.html", theme, f"{target}/result-{theme}.png", SIZES["large"])
        for theme in ("light", "dark"):
            for name, size in SIZES.items():
                take(page, theme, f"{target}/report-{name}-{theme}.png", size)


if __name__ == "__main__":
    main()
