# SPDX-License-Identifier: Apache-2.0
"""Pages of HTML in headless Chromium, for tests. Where there is none, CHROMIUM is None. axe is
asked where it is: CFLR_AXE=axe.min.js (package axe-core)."""
import html
import os
import re
import shutil
import subprocess

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                "google-chrome"))), None)


def dump(path, script="", fragment="", size="1400,900"):
    """The document after the page has run, and a script behind it, for which there is no policy of
    content."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if script:
        text = re.sub(r"<meta http-equiv[^>]*>", "", text)
        text = text.replace("</body>", f"<script>{script}</script></body>")
    other = path.replace(".html", ".run.html")
    with open(other, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000",
         f"--window-size={size}", "--dump-dom", f"file://{other}{fragment}"],
        capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def inner(document, name, between=""):
    """The text of the element with this id; `between` stands for each tag in it."""
    found = re.search(rf'<(\w+)[^>]*id="{name}"[^>]*>(.*?)</\1>', document, re.S)
    return html.unescape(re.sub(r"<[^>]*>", between, found.group(2)))


def check_axe(path, sizes, fragments=("",)):
    """Fails where axe finds a serious fault in one of the themes, sizes and views."""
    axe = os.environ.get("CFLR_AXE")
    if not axe:
        print("axe is not here (CFLR_AXE=axe.min.js): accessibility is not checked")
        return
    with open(axe, encoding="utf-8") as file:
        source = file.read().replace("</script", "<\\/script")
    for theme in ("light", "dark"):
        run = f'document.documentElement.dataset.theme = "{theme}";' + source + """;
            axe.run().then((found) => {
                document.body.dataset.axe = found.violations.map(
                    (v) => `${v.impact} ${v.id} ${v.nodes[0].html}`).join("; ") || "none";
            });"""
        for size, fragment in ((size, fragment) for size in sizes for fragment in fragments):
            found = re.search(r'data-axe="([^"]*)"', dump(path, run, fragment, size))
            said = html.unescape(found.group(1)) if found else "it did not run"
            assert not re.search("serious|critical|not run", said), (theme, size, said)
            print(f"axe, {theme}, {size}, {fragment or 'as it opens'}: {said}")
