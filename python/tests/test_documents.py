# SPDX-License-Identifier: Apache-2.0
"""What documents say is run: the page of the package, docstrings, the notebook, type hints."""
import doctest
import importlib
import inspect
import os
import re
import runpy
import unittest
from contextlib import redirect_stdout
from io import StringIO

import cflr
from cflr._native import lib
from support import HERE, Folder, package

SOURCES = os.path.join(HERE, "..", "..")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def text_of(*path):
    with open(os.path.join(SOURCES, *path), encoding="utf-8") as file:
        return file.read()


class Documents(Folder):
    def must_hold(self, *path):
        """Examples of a page, in the folder with list.c, the program of the first page."""
        self.path("list.c", re.search(r"```c file=list.c\n(.*?)```", text_of("README.md"),
                                      re.DOTALL)[1])
        page = text_of(*path)
        examples = doctest.DocTestParser().get_doctest(page, {"cflr": cflr}, path[-1], path[-1], 0)
        self.assertGreater(len(examples.examples), 5)
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            out = StringIO()
            failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=out.write)
            self.assertEqual(failed, 0, out.getvalue())
        finally:
            os.chdir(before)

    @unittest.skipUnless(hasattr(lib, "cflr_extract") and package("numpy"), "needs all parts")
    def test_readme(self):
        self.must_hold("python", "README.md")

    @unittest.skipUnless(hasattr(lib, "cflr_extract") and package("scipy") and package("pandas"),
                         "needs all parts, scipy and pandas")
    def test_how_to(self):
        self.must_hold("docs", "how-to", "python.md")

    def test_docstrings(self):
        for name in ("", "._graph", "._grammar", "._result"):
            failed, _ = doctest.testmod(importlib.import_module("cflr" + name))
            self.assertEqual(failed, 0, name)

    def test_notebook(self):
        with redirect_stdout(StringIO()) as out:
            runpy.run_path(os.path.join(SOURCES, "python", "examples", "swap_grammar.py"))
        self.assertIn("call[1](0, 1)", out.getvalue())

    def test_all_that_is_public_is_described_and_typed(self):
        for name in cflr.__all__:
            thing = getattr(cflr, name)
            self.assertTrue(thing.__doc__, name)
            members = vars(thing).values() if inspect.isclass(thing) else [thing]
            for member in members:
                function = getattr(member, "__func__", getattr(member, "fget", member))
                if inspect.isfunction(function) and function.__module__.startswith("cflr"):
                    self.assertIn("return", function.__annotations__, f"{name}: {function}")


if __name__ == "__main__":
    unittest.main()
