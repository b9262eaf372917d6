# SPDX-License-Identifier: Apache-2.0
"""Cases: a graph, the grammar to close it under, and what is known of the result.

FAMILY-NAME      a public graph: DIR/FAMILY/NAME.*.xz
gen-FAMILY-SIZE  a generated one of so many vertices: gen-aa-120k, gen-df-42M
"""
import fnmatch
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

# Public graphs, and the numbers of pairs that are published for them or that independent programs
# agree on. "all" counts every symbol, input edges included.
PUBLIC = {
    "aa-gzip": {"V": 4770, "A": 1256, "FV": 2253, "all": 12015},
    "aa-crafty": {"V": 71555, "A": 18103, "FV": 35478, "all": 150865},
    "aa-psql": {"V": 6525284, "all": 9305297},
    "aa-janet": {"V": 7720380, "FV": 3578747},
    "aa-i3": {"V": 13186507, "all": 26442534},
    "vf-bzip2": {"A": 237386, "CA": 23126, "all": 273623},
    "vf-gzip": {"A": 823940, "all": 922638},
    "vf-crafty": {"A": 55333263},
    "vf-psql": {"A": 36211393},
    "pt-psql": {"all": 2408045},
    "pt-i3": {"all": 2805656},
    "cspa-psql": {"VF": 179506, "VA": 25894487, "MA": 39619},
    "cspa-nvim": {"VF": 616694, "VA": 110718842, "MA": 86684},
    "tc-fe_sphere": {"P": 78557912},
    "tc-SF.cedge": {"P": 80498014},
    "tc-fe_body": {"P": 156120489},
    "tc-usroads": {"P": 871365688},
    "tc-Gnutella31": {"P": 884179859},
    "sg-fe_sphere": {"SG": 205814099},
    "sg-fe_body": {"SG": 408444072},
    "sg-SF.cedge": {"SG": 382460585},
    "sg-usroads": {"SG": 3137422620},
}
FILES = {"aa": "aa/{}.peg.xz", "pt": "aa/{}.peg.xz", "vf": "vf/{}.vfg.xz", "cspa": "cspa/{}.g.xz",
         "tc": "tc/{}.facts.xz", "sg": "tc/{}.facts.xz"}

# family of a generated graph: kind of the generator, grammar
GENERATED = {"aa": ("pointers", "aa"), "pt": ("pointers", "pt"), "cspa": ("pointers", "cspa"),
             "vf": ("valueflow", "vf"), "df": ("dataflow", "tc"),
             "dyck": ("dyck", "../../grammars/dyck"),  # shipped
             "chain": ("chain", "tc"), "grid": ("grid", "tc"), "clique": ("clique", "tc"),
             "random": ("random", "tc"), "psql": ("pa-psql", "pt"), "httpd": ("pa-httpd", "pt"),
             "hdfs": ("fpa-hdfs", "fpa"), "linux": ("dfa-linux", "tc")}
USUAL = ("gen-aa-12k gen-aa-120k gen-pt-120k gen-cspa-120k gen-vf-160k gen-df-1M gen-dyck-100k "
         "gen-chain-3k gen-grid-2500 gen-clique-1k gen-random-5k").split()
# labels that a grammar reads, where its graphs have others too
LABELS = {"pt": ("a", "d"), "cspa": ("a", "d")}


def size(text):
    """12k, 42M, 500"""
    digits, unit = re.fullmatch(r"(\d+)([kM]?)", text).groups()
    return int(digits) * {"": 1, "k": 1000, "M": 1000000}[unit]


def is_generated(name):
    return re.fullmatch(rf"gen-({'|'.join(GENERATED)})-\d+[kM]?", name) is not None


def family(name):
    """What results are grouped by: aa, gen-aa"""
    return name.rpartition("-")[0] if is_generated(name) else name.partition("-")[0]


def select(patterns, public, generated):
    """Names of the cases that the patterns choose, in their order; a generated case may have any
    size."""
    known = (list(PUBLIC) if public else []) + (USUAL if generated else [])
    names = []
    for pattern in patterns:
        found = fnmatch.filter(known, pattern)
        if not found and generated and is_generated(pattern):
            found = [pattern]
        if not found:
            raise SystemExit(f"no case '{pattern}' (public ones need --data, generated ones "
                             "--generate)")
        names += [name for name in found if name not in names]
    return names


def add_options(parser):
    """Options that say which cases there are, and which are chosen."""
    parser.add_argument("--data", default="", help="folder of public graphs")
    parser.add_argument("--generate", default="", help="the generator of graphs")
    parser.add_argument("--cases", default="", help="names and patterns, as of closure.py")


def chosen(options):
    """Names of the cases that --cases of the options chooses; none without it."""
    patterns = [name.strip() for name in options.cases.split(",") if name.strip()]
    return select(patterns, True, True) if patterns else []


def formula(name):
    """What is known of a generated case without computing it."""
    _, kind, text = name.split("-")
    n = size(text)
    if kind == "chain":
        return {"P": n * (n - 1) // 2}
    if kind == "clique":
        return {"P": n * n}
    if kind == "grid":
        width = int(n ** 0.5)
        height = n // width
        return {"P": width * (width + 1) // 2 * (height * (height + 1) // 2) - n}
    return {}


def keep_labels(path, labels, self_loops):
    """Rewrites a .tsv with the edges of these labels only; with self_loops, r at the ends of a."""
    kept, touched = path[:-len(".tsv")] + ".kept.tsv", set()
    with open(path, encoding="utf-8") as edges, open(kept, "w", encoding="utf-8") as out:
        for line in edges:
            words = line.split()
            if words[0].startswith("#") or words[2] not in labels:
                continue
            out.write(line)
            if self_loops and words[2] == "a":
                touched.update(words[:2])
        for vertex in sorted(touched, key=int):
            out.write(f"{vertex}\t{vertex}\tr\n")
    os.replace(kept, path)


def start_of(grammar):
    """The start symbol that the file names."""
    with open(grammar, encoding="utf-8") as text:
        return re.search(r"^%start\s+(\S+)", text.read(), re.MULTILINE).group(1)


class Case:
    """A case made ready in a directory. Peers read text, so graphs are binary only without them."""

    def __init__(self, name, options, directory):
        self.name = name
        kind = name.split("-")[1] if is_generated(name) else family(name)
        self.grammar = os.path.join(HERE, "grammars", GENERATED[kind][1] + ".cfg"
                                    if is_generated(name) else kind + ".cfg")
        self.start = start_of(self.grammar)
        text = options.peers or kind in LABELS
        self.graph = os.path.join(directory, name + (".tsv" if text else ".cflg"))
        if is_generated(name):
            self.expected = formula(name)
            subprocess.run([options.generate, GENERATED[kind][0], "--vertices",
                            str(size(name.split("-")[2])), self.graph], check=True,
                           stdout=subprocess.DEVNULL)
        else:
            self.expected = PUBLIC[name]
            source = os.path.join(options.data, FILES[kind].format(name.partition("-")[2]))
            subprocess.run([options.cflr, "convert", source, self.graph], check=True)
        if kind in LABELS:
            keep_labels(self.graph, LABELS[kind], kind == "cspa")
        info = json.loads(subprocess.run([options.cflr, "info", self.graph, "--format", "json"],
                                         check=True, stdout=subprocess.PIPE).stdout)
        self.vertices, self.edges = info["vertices"], info["edges"]
