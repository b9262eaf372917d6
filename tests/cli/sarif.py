#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a SARIF file of cflr must be: the rules of the standard for the objects that cflr writes,
and the limits of servers, as asserts. `validate` also asks Microsoft's validator where that is:
sarif-multitool in PATH, or CFLR_SARIF_MULTITOOL.
"""
import json
import os
import re
import shutil
import subprocess

LEVELS = {"none", "note", "warning", "error"}

# Of each object: the members that it may have, with a check each, and those that it must have.
# A check is a type, a set of values, a name of another object, or a list of one of these.
OBJECTS = {
    "log": ({"version": {"2.1.0"}, "$schema": str, "runs": ["run"]}, ["version", "runs"]),
    "run": ({"tool": "tool", "automationDetails": "automation",
             "columnKind": {"unicodeCodePoints"}, "invocations": ["invocation"],
             "results": ["result"]}, ["tool", "results"]),
    "tool": ({"driver": "driver"}, ["driver"]),
    "driver": ({"name": str, "semanticVersion": str, "rules": ["rule"]}, ["name"]),
    "rule": ({"id": str, "shortDescription": "message", "fullDescription": "message",
              "help": "message", "defaultConfiguration": "configuration", "properties": dict},
             ["id", "shortDescription", "fullDescription", "help"]),
    "configuration": ({"level": LEVELS}, ["level"]),
    "automation": ({"id": str}, ["id"]),
    "invocation": ({"executionSuccessful": bool, "toolExecutionNotifications": ["notification"]},
                   ["executionSuccessful"]),
    "notification": ({"level": LEVELS, "message": "message"}, ["message"]),
    "message": ({"text": str}, ["text"]),
    "result": ({"ruleId": str, "ruleIndex": int, "level": LEVELS, "message": "message",
                "locations": ["location"], "relatedLocations": ["location"],
                "codeFlows": ["codeFlow"], "partialFingerprints": dict, "rank": int,
                "baselineState": {"new", "unchanged"}, "properties": dict},
               ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"]),
    "location": ({"id": int, "physicalLocation": "physical", "logicalLocations": ["logical"],
                  "message": "message"}, []),
    "physical": ({"artifactLocation": "artifact", "region": "region"},
                 ["artifactLocation", "region"]),
    "artifact": ({"uri": str}, ["uri"]),
    "region": ({"startLine": int, "startColumn": int}, ["startLine"]),
    "logical": ({"fullyQualifiedName": str, "kind": {"function"}}, []),
    "codeFlow": ({"threadFlows": ["threadFlow"]}, ["threadFlows"]),
    "threadFlow": ({"locations": ["threadFlowLocation"]}, ["locations"]),
    "threadFlowLocation": ({"location": "location", "nestingLevel": int}, []),
}


def check(value, rule, at):
    if isinstance(rule, list):
        assert isinstance(value, list), f"{at}: no list"
        for i, member in enumerate(value):
            check(member, rule[0], f"{at}[{i}]")
    elif isinstance(rule, set):
        assert value in rule, f"{at}: {value!r}"
    elif isinstance(rule, type):
        assert type(value) is rule, f"{at}: {value!r}"
    else:
        members, needed = OBJECTS[rule]
        assert isinstance(value, dict), f"{at}: no object"
        for name in needed:
            assert name in value, f"{at}: no {name}"
        for name, member in value.items():
            assert name in members, f"{at}: {name} is not a member"
            check(member, members[name], f"{at}.{name}")


def check_uri(uri, relative):
    assert re.fullmatch(r"([A-Za-z0-9\-._~/]|%[0-9A-F]{2})+|file://.*", uri), uri
    if relative:
        assert not uri.startswith(("file:", "/", "../")) and "/../" not in uri, uri


def check_message(text):
    """No placeholder, and no link, is meant."""
    plain = text.replace("{{", "").replace("}}", "")
    assert "{" not in plain and "}" not in plain, text
    assert not re.search(r"(?<!\\)\[[^\]]*\]\(", text), text


def check_result(result, rules):
    assert rules[result["ruleIndex"]] == result["ruleId"]
    check_message(result["message"]["text"])
    assert len(result["locations"]) == 1
    place = result["locations"][0]["physicalLocation"]
    check_uri(place["artifactLocation"]["uri"], True)
    assert place["region"]["startLine"] >= 1 and place["region"].get("startColumn", 1) >= 1
    assert "primaryLocationLineHash" not in result["partialFingerprints"]
    for flow in result.get("codeFlows", []):
        (thread,) = flow["threadFlows"]
        assert 2 <= len(thread["locations"]) <= 10000
        for step in thread["locations"]:
            check_message(step["location"]["message"]["text"])
            physical = step["location"].get("physicalLocation")
            if physical:
                check_uri(physical["artifactLocation"]["uri"], False)


def multitool():
    return os.environ.get("CFLR_SARIF_MULTITOOL") or shutil.which("sarif-multitool")


def ask_multitool(path):
    log = path + ".validated"
    subprocess.run([multitool(), "validate", path, "--output", log, "--log", "ForceOverwrite",
                    "--level", "Error;Warning", "--rule-kind", "Sarif;Gh",
                    "--max-file-size-in-kb", "200000"], check=False, capture_output=True)
    with open(log, encoding="utf-8") as file:
        (run,) = json.load(file)["runs"]
    said = [r for r in run["results"] if r["ruleId"] != "SARIF2005"]  # the tool has no home page
    assert not said, said[:3]


def validate(path):
    """The document, which is valid."""
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    check(log, "log", "log")
    assert list(log)[0] == "version"
    (run,) = log["runs"]
    assert len(run["results"]) <= 25000
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    for rule in run["tool"]["driver"]["rules"]:
        assert len(rule.get("properties", {}).get("tags", [])) <= 10
    prints = set()
    for result in run["results"]:
        check_result(result, rules)
        prints.add(result["partialFingerprints"]["cflr/v1"])
    assert len(prints) == len(run["results"]), "fingerprints are not all different"
    if multitool():
        ask_multitool(path)
    return log
