#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the generator: check.py GENERATE CFLR

The same line gives the same bytes, here and everywhere (digests below; `check.py GENERATE CFLR
--update` prints them anew); counts are those that are printed; closures of shapes are those of
their formulas.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

GRAMMARS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "grammars")

# options: digest of the .tsv with seed 1. A digest that changes makes earlier results of generated
# graphs incomparable: the change log must say so.
DIGESTS = {
    "pointers --vertices 20000": "08a1a1828ce50866",
    "pointers --vertices 5000 --fields 7": "106d91095e501649",
    "valueflow --vertices 70000": "d408c89686afbd63",
    "dataflow --vertices 10000": "aa614639915b211f",
    "dyck --vertices 10000": "78bd7760ee9a6f90",
    "dyck --vertices 3000 --kinds 5": "c822a7b7fffe1ef0",
    "chain --vertices 50": "e03b4a12dce210ae",
    "grid --vertices 144": "c8fc77f63d5ef37d",
    "grid --vertices 60 --width 20": "b209ef79d29e038b",
    "clique --vertices 12": "a57fd8fc6250db10",
    "random --vertices 500": "f0e69debdeebc0c8",
    "random --vertices 40 --edges 700": "baad3b32b9b8c245",
    "pa-psql --vertices 52000": "0724415697e441ae",
    "pa-httpd --vertices 17000": "743f34857ae506c1",
    "fpa-hdfs --vertices 53000": "c0bd46070b3a7589",
    "dfa-linux --vertices 42400": "bd5abc29f93141be",
}


def grid_pairs(width, height):
    return width * (width + 1) // 2 * (height * (height + 1) // 2) - width * height


# options: edges, pairs of the transitive closure
FORMULAS = {
    "chain --vertices 2": (1, 1),
    "chain --vertices 300": (299, 300 * 299 // 2),
    "grid --vertices 2": (1, 1),
    "grid --vertices 144": (2 * 12 * 11, grid_pairs(12, 12)),
    "grid --vertices 60 --width 20": (3 * 19 + 2 * 20, grid_pairs(20, 3)),
    "grid --vertices 30 --width 1": (29, 30 * 29 // 2),
    "clique --vertices 2": (2, 4),
    "clique --vertices 60": (60 * 59, 60 * 60),
}
# sizes where kinds have corners: the smallest, and around the borders of functions and modules
SIZES = {"pointers": (64, 65, 127, 600, 8192, 8193, 8300),
         "valueflow": (64, 65, 2111, 32768, 32769),
         "dataflow": (4, 5, 31, 32, 97), "dyck": (8, 9, 15, 16, 17, 300), "random": (2, 3, 1000),
         "pa-psql": (64, 65, 97, 1087, 5000), "fpa-hdfs": (64, 65, 97, 1087), "dfa-linux": (4, 5)}
PRINTED = "pa-httpd: seed 1, 1700000 vertices, 3022201 edges\n"
REFUSED = ["", "chain", "chain --vertices 1", "nonsense --vertices 9",
           "grid --vertices 7 --width 2", "chain --vertices 9 --width 3", "pointers --vertices 9",
           "pointers --vertices 99 --fields 9999", "chain --vertices -5", "chain --vertices 9x",
           "chain --vertices 5000000000", "dyck --vertices 99 --kinds 0"]


class Checker:
    def __init__(self, generate, cflr, directory):
        self.generate, self.cflr, self.directory = generate, cflr, directory
        self.failures = []

    def expect(self, what, wanted, got):
        if wanted != got:
            self.failures.append(f"{what}: expected {wanted}, got {got}")

    def run(self, options, name="graph.tsv"):
        """(path, what was printed)"""
        path = os.path.join(self.directory, name)
        printed = subprocess.run([self.generate, *options.split(), path], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        return path, printed

    def json(self, *words):
        return json.loads(subprocess.run([self.cflr, *words, "--format", "json"], check=True,
                                         stdout=subprocess.PIPE).stdout)

    def digest(self, options):
        path, _ = self.run(options)
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:16]

    def counts(self, options, vertices):
        """What is printed is what is there."""
        path, printed = self.run(options)
        info = self.json("info", path)
        self.expect(options, vertices, info["vertices"])
        self.expect(options, f"{options.split()[0]}: seed 1, {vertices} vertices, "
                    f"{info['edges']} edges\n", printed)
        return path, info["edges"]

    def formula(self, options, edges, pairs):
        path, counted = self.counts(options, int(options.split()[2]))
        self.expect(options + ", edges", edges, counted)
        solved = self.json("solve", "-q", "-g", os.path.join(GRAMMARS, "tc.cfg"), path)
        self.expect(options + ", closure", pairs, solved["labels"]["P"]["pairs"])

    def formats(self):
        """The binary form holds the same graph, and another seed another one."""
        line = "pointers --vertices 3000"
        binary, _ = self.run(line, "graph.cflg")
        text = os.path.join(self.directory, "converted.tsv")
        subprocess.run([self.cflr, "convert", binary, text], check=True)
        with open(text, "rb") as file:
            converted = hashlib.sha256(file.read()).hexdigest()[:16]
        self.expect("cflg", self.digest(line), converted)
        self.expect("another seed, the same graph", False,
                    self.digest(line + " --seed 2") == converted)

    def usual_size(self):
        """A kind that is named after a program has its size."""
        self.expect("pa-httpd", PRINTED, self.run("pa-httpd", "graph.cflg")[1])

    def refusal(self, options):
        path = os.path.join(self.directory, "refused.tsv")
        done = subprocess.run([self.generate, *options.split(), path], stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, check=False)
        self.expect(f"exit code of '{options}'", 2, done.returncode)
        self.expect(f"message of '{options}'", True, bool(done.stderr) and not os.path.exists(path))

    def all(self):
        for options, digest in DIGESTS.items():
            self.expect("digest of " + options, digest, self.digest(options))
        for options, (edges, pairs) in FORMULAS.items():
            self.formula(options, edges, pairs)
        for kind, sizes in SIZES.items():
            for size in sizes:
                self.counts(f"{kind} --vertices {size}", size)
        for options in REFUSED:
            self.refusal(options)
        self.formats()
        self.usual_size()


def main():
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(sys.argv[1], sys.argv[2], directory)
        if "--update" in sys.argv:
            for options in DIGESTS:
                print(f'    "{options}": "{checker.digest(options)}",')
            return 0
        checker.all()
    for failure in checker.failures:
        print(failure)
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
