#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Another cflr as a peer, an older build or another model:

    --peer 'before=python3 bench/peers/cflr.py /path/of/cflr batch'

An example of the contract for peers too (bench/README.md)."""
import json
import re
import subprocess
import sys

cflr, model, _case, graph, grammar, threads = sys.argv[1:]
with open(grammar, encoding="utf-8") as text:
    start = re.search(r"^%start\s+(\S+)", text.read(), re.MULTILINE).group(1)
answer = json.loads(subprocess.run([cflr, "solve", "-q", "-g", grammar, graph, "--model", model,
                                    "-j", threads, "--format", "json"], check=True,
                                   stdout=subprocess.PIPE).stdout)
print(json.dumps({"seconds": answer["seconds"]["solve"], "pairs": answer["pairs"],
                  "pairs_start": answer["labels"].get(start, {"pairs": 0})["pairs"],
                  "threads": answer["threads"]}))
