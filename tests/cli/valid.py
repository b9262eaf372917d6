#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `cflr` prints as JSON with its schema in cli/schemas; for all tests of the command.

    valid.py KEPT       for each file of the folder KEPT, whose command line is in a file that ends
                        in .words, each word followed by NUL (tests/cli/functions.sh)

Without python3-jsonschema nothing is compared, and a line says so.
"""
import functools
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("MISSING: JSON is not compared with its schemas: install python3-jsonschema",
          file=sys.stderr)

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cli", "schemas")
# of commands whose answer depends on an option
BY_OPTION = {"extract": ["unknown", "list-targets"], "info": ["config"], "explain": ["imprecision"]}


def load():
    """{name: schema}"""
    schemas = {}
    for name in sorted(os.listdir(FOLDER)):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            schemas[name.removesuffix(".json")] = json.load(file)
    return schemas


SCHEMAS = load()


def asks_for_json(words):
    """The last --format counts."""
    given = " ".join(words).replace("--format ", "--format=").split()
    return "--version=json" in words or \
        [word for word in given if word.startswith("--format=")][-1:] == ["--format=json"]


def name_of(words):
    """Which schema is that of the answer to a command line: its words, without `cflr`."""
    if "--version=json" in words:
        return "version"
    command = {"link": "extract"}.get(words[0], words[0])
    if command == "grammar":
        return next(f"grammar-{word}" for word in words if f"grammar-{word}" in SCHEMAS)
    for option in BY_OPTION.get(command, ()):
        if "--" + option in words:
            return f"{command}-{option}"
    return command


@functools.cache
def validator(name):
    """References lead to the other files of the folder, in old and new versions of jsonschema."""
    kind = jsonschema.Draft202012Validator
    files = {f"{one}.json": schema for one, schema in SCHEMAS.items()}
    try:
        from referencing import Registry, Resource
    except ImportError:
        resolver = jsonschema.RefResolver(f"{name}.json", SCHEMAS[name], store=files)
        return kind(SCHEMAS[name], resolver=resolver)
    resources = [(one, Resource.from_contents(schema)) for one, schema in files.items()]
    return kind(SCHEMAS[name], registry=Registry().with_resources(resources))


def faults(name, value):
    """Where a value is not as the schema of this name says: a list of texts."""
    if jsonschema is None:
        return []
    return [f"{name}.json: {error.json_path}: {error.message[:300]}"
            for error in validator(name).iter_errors(value)]


def answer(words, text):
    """The value that a command line has printed, which must be as its schema says."""
    value = json.loads(text)
    found = faults(name_of(words), value)
    assert not found, "\n".join([" ".join(words), *found])
    return value


def main():
    for name in sorted(os.listdir(sys.argv[1])):
        path = os.path.join(sys.argv[1], name)
        if name.endswith(".words") or os.path.getsize(path) == 0:
            continue
        with open(path + ".words", encoding="utf-8") as words, open(path, encoding="utf-8") as text:
            line = words.read().split("\0")[:-1]
            if asks_for_json(line):
                answer(line, text.read())


if __name__ == "__main__":
    main()
