#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Screenshots of the page of `cflr check --html`, by headless Chromium: three sizes, two themes.

    docs/pictures/report.py CFLR [DIRECTORY]      writes report-SIZE-THEME.png (here)
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUGS = os.path.join(HERE, "..", "..", "examples", "bugs")
SIZES = {"large": "1500,900", "medium": "1000,800", "small": "420,900"}


def main():
    cflr = os.path.abspath(sys.argv[1])
    target = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else HERE
    with tempfile.TemporaryDirectory() as work:
        page = os.path.join(work, "report.html")
        subprocess.run([cflr, "check", "-q", "jobs.c", "journal.c", "settings.c", "tool.c",
                        "watchers.c", "--rules", "null", "--rules", "command", "--rules", "format",
                        "--source-root", ".", "--html", page, "-o", "/dev/null"], cwd=BUGS,
                       check=False)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for theme in ("light", "dark"):
            with open(page, "w", encoding="utf-8") as file:
                file.write(text.replace('<html lang="en">',
                                        f'<html lang="en" data-theme="{theme}">'))
            for name, size in SIZES.items():
                picture = f"{target}/report-{name}-{theme}.png"
                subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                "--hide-scrollbars", f"--window-size={size}",
                                f"--screenshot={picture}",
                                f"file://{page}"], check=True, stderr=subprocess.DEVNULL)
                if shutil.which("pngquant"):  # a third of the bytes
                    subprocess.run(["pngquant", "--force", "--ext", ".png", picture], check=True)


if __name__ == "__main__":
    main()
