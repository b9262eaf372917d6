# SPDX-License-Identifier: Apache-2.0
"""C programs: analysis, extraction, findings."""
import os
import unittest

import cflr
from cflr._native import lib
from support import HERE, Folder

BUGS = os.path.join(HERE, "..", "..", "examples", "bugs")
LIST = """#include <stdlib.h>
struct list { struct list *next; char *name; };
static struct list *head;
void push(char *name) {
    struct list *item = malloc(sizeof *item);
    item->name = name;
    item->next = head;
    head = item;
}
int main(void) {
    static char text[] = "hello", other[] = "other";
    char *greeting = text, *apart = other;
    push(greeting);
    char *got = head->name;
    return got[0] + apart[0];
}
"""


@unittest.skipUnless(hasattr(lib, "cflr_extract"), "built without the C front end")
class Programs(Folder):
    def setUp(self):
        super().setUp()
        self.list = self.path("list.c", LIST)

    def test_analyze(self):
        result = cflr.analyze(self.list)
        self.assertTrue(result.complete)
        self.assertTrue(result.alias("main::greeting", "main::got"))
        self.assertFalse(result.alias("main::apart", "main::got"))
        objects = [result.graph.vertex(v) for v in result.points_to("list.c:14:got")]
        self.assertEqual([(o.name, o.kind, o.line) for o in objects], [("text", "variable", 11)])
        self.assertEqual((result.report.counts["units"], result.report.units), (1, [self.list]))

    def test_analysis_is_saved_and_asked_again(self):
        path = self.path("a.cflr")
        cflr.analyze([self.list]).save(path)
        self.assertTrue(cflr.Result.load(path).alias("main::greeting", "main::got"))

    def test_extract_and_a_grammar_of_choice(self):
        program = cflr.extract([self.list], fields="insensitive", context="none", world="closed",
                               flags=["-DX=1"])
        self.assertIn("alloc", program.labels)
        self.assertFalse([label for label in program.labels if label.startswith("f[")])
        result = cflr.solve(program, cflr.Grammar.load("pointer"))
        self.assertTrue(result.alias("main::greeting", "main::got"))

    def test_options_that_are_not_there(self):
        self.assertRaises(TypeError, cflr.extract, [self.list], speed="high")
        self.assertRaises(ValueError, cflr.extract, [self.list], world="flat")
        self.assertRaises(TypeError, cflr.extract, [self.list], flags="-DX")

    def test_what_was_not_read(self):
        broken = self.path("broken.c", "int main(void) { return undeclared; }\n")
        report = cflr.extract([self.list, broken]).report
        self.assertEqual(report.counts["units_degraded"], 1)
        self.assertIn("degraded", {note.kind for note in report.notes})
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.extract([self.path("none.c")])
        self.assertEqual(caught.exception.code, "IO")

    def test_a_database(self):
        self.path("compile_commands.json", '[{"directory": "%s", "file": "list.c", '
                  '"arguments": ["cc", "-c", "list.c"]}]' % self.folder)
        self.assertTrue(cflr.analyze(database=self.folder).alias("main::greeting", "main::got"))

    def test_progress_and_interrupts(self):
        seen = []
        cflr.extract([self.list], progress=seen.append)

        def refuse(progress):
            raise KeyboardInterrupt

        files = [self.path(f"u{i}.c", LIST.replace("main", f"main{i}").replace("push", f"push{i}"))
                 for i in range(200)]
        self.assertRaises(KeyboardInterrupt, cflr.extract, files, threads=1, progress=refuse)

    def test_findings(self):
        found = cflr.check([os.path.join(BUGS, "tool.c")], rules=["null", "command"],
                           world="closed")
        self.assertTrue(found.complete)
        rules = [finding.rule for finding in found if finding.likely]
        self.assertEqual(rules, ["command", "null", "null"])
        command = found[0]
        self.assertEqual((os.path.basename(command.place.file), command.place.line), ("tool.c", 16))
        self.assertEqual((command.level, command.cwe), ("error", [78]))
        self.assertIn("tool.c:16:12: command: ", str(command))
        null = found[1]
        self.assertEqual((null.rank, null.steps[0].kind), ("direct", "assigned"))
        self.assertEqual(null.source.name, "malloc()")
        self.assertEqual(len({finding.fingerprint for finding in found}), len(found))

    def test_findings_of_an_extraction(self):
        program = cflr.extract([os.path.join(BUGS, "tool.c")], rules=["null"], world="closed")
        self.assertEqual({finding.rule for finding in cflr.check(program)}, {"null"})
        with self.assertRaises(cflr.CflrError) as caught:
            cflr.extract([self.list], rules=["no-such-rule"])
        self.assertTrue(caught.exception.message)


if __name__ == "__main__":
    unittest.main()
