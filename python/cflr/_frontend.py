# SPDX-License-Identifier: Apache-2.0
"""C programs: extraction, analysis, and findings of rules (needs libclang when it is used).

Options of the library that have words are taken by these: `extract(..., aliasing="strict")` is
CFLR_ALIASING_STRICT. `man cflr-extract` says what they mean.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

from cflr._graph import Graph, Vertex
from cflr._native import (PARTIAL, Context, ProgressCallback, encoded, ffi, lib, made,
                          own, text, word, words)
from cflr._result import Result

_NUMBERED = {"context": "CFLR_CONTEXT"} | {
    name: "CFLR_" + name.upper()
    for name in ("fields", "calls", "locals", "programs", "world", "callees", "arrays", "aliasing")}
_LISTS = ("summaries", "targets", "may_alias", "must_alias", "no_alias")
_NOTES = ("lost", "degraded", "unmodelled", "assumed", "limit", "overruled", "unused", "language",
          "redefined", "cache", "open", "changed")


class Note(NamedTuple):
    """What an extraction could not read, or has approximated (cflr_note)."""

    kind: str
    times: int
    file: str
    line: int
    text: str


class Report:
    """What was read: `units`, `counts` (all numbers of cflr_extract_counts), `notes`."""

    def __init__(self, pointer: Any, context: Context) -> None:
        self._pointer = own(pointer, lib.cflr_extract_report_free, context.pointer)
        counts = ffi.new("cflr_extract_counts *")
        lib.cflr_extract_get_counts(self._pointer, counts)
        self.counts: dict[str, int] = {name: getattr(counts, name) for name, _ in
                                       ffi.typeof("cflr_extract_counts").fields}
        self.units: list[str] = _all(
            lambda i: text(lib.cflr_extract_unit(self._pointer, i)) or None)
        self.notes: list[Note] = [
            Note(_word(_NOTES, n.kind), n.count, text(n.file), n.line, text(n.text))
            for n in _all(lambda i: lib.cflr_extract_note(self._pointer, i) or None)]

    def __repr__(self) -> str:
        counts = self.counts
        return f"<Report: {counts['units']} units, {counts['units_lost']} lost>"


def _all(at: Any) -> list:
    """at(0), at(1), ... until None."""
    found: list = []
    while (one := at(len(found))) is not None:
        found.append(one)
    return found


def _word(known: Sequence[str], number: int) -> str:
    return known[number] if 0 <= number < len(known) else f"number {number}"


class Program(Graph):
    """The graph of a C program, with the report of its extraction."""

    report: Report


def _need_frontend() -> None:
    if not hasattr(lib, "cflr_extract"):
        raise ImportError("this cflr was built without the C front end")


def _input(options: Any, files: Any, database: Any, flags: Sequence[str]) -> list:
    """Fills in what is read. Returns what must live meanwhile."""
    if isinstance(files, (str, bytes)) or hasattr(files, "__fspath__"):
        files = [files]
    kept = [words(files), words(flags)]
    (options.files, options.n_files, _), (options.flags, options.n_flags, _) = kept
    if database is not None:
        kept.append(ffi.new("char[]", encoded(database)))
        options.database = kept[-1]
    return kept


def extract(files: Any = (), *, database: Any = None, flags: Sequence[str] = (),
            rules: Sequence[str] = (), data_flow: bool = False, cache: Any = None,
            threads: int = 0, memory_limit: int = 0, time_limit: float = 0,
            progress: Optional[ProgressCallback] = None, **options: Any) -> Program:
    """Reads C files, or those of a compilation database, into a label graph.

    `rules`: names of shipped ones ("null", "command"), or files, for `check`. `options`: fields,
    calls, context, locals, programs, world, callees, arrays, aliasing by their words; summaries,
    targets, may_alias, must_alias, no_alias as lists; clone_limit. C is parsed in processes of its
    own.
    """
    _need_frontend()
    context = Context(threads, memory_limit, time_limit, progress)
    given = ffi.new("cflr_extract_opts *")
    lib.cflr_extract_opts_init(given)
    kept = _input(given, files, database, flags)
    given.parsing, given.data_flow = lib.CFLR_PARSING_WORKERS, data_flow
    lists = {"rules": rules, **{name: options.pop(name) for name in _LISTS if name in options}}
    for name, values in lists.items():
        kept.append(words(values))
        setattr(given, name, kept[-1][0])
        setattr(given, "n_" + name, kept[-1][1])
    given.clone_limit = options.pop("clone_limit", 0)
    if cache is not None:
        kept.append(ffi.new("char[]", encoded(cache)))
        given.cache = kept[-1]
    for name, value in options.items():
        if name not in _NUMBERED:
            raise TypeError(f"extract has no option {name!r}")
        setattr(given, name, word(_NUMBERED[name], value))
    report = ffi.new("cflr_extract_report **")
    pointer = _reported(report, lambda: context.make(
        "cflr_graph", lib.cflr_graph_free,
        lambda out, error: lib.cflr_extract(context.pointer, given, out, report, error)))
    program = Program._of(pointer, context)
    program.report = Report(report[0], context)
    return program


def _reported(report: Any, call: Any) -> Any:
    """What the call makes; when it fails its report goes."""
    try:
        return call()
    except BaseException:
        lib.cflr_extract_report_free(report[0])
        raise


def analyze(files: Any = (), *, database: Any = None, flags: Sequence[str] = (),
            cache: Any = None, grammar: Optional[str] = None, threads: int = 0,
            memory_limit: int = 0, time_limit: float = 0,
            progress: Optional[ProgressCallback] = None) -> Result:
    """From C files, or a compilation database, to answers: what `cflr analyze` does.

    The result answers `alias`, `points_to` and `aliases` about names such as "main::p" and
    "list.c:21:got"; `result.report` tells what was read. `grammar`: a shipped one, or a file.
    """
    _need_frontend()
    context = Context(threads, memory_limit, time_limit, progress)
    given = ffi.new("cflr_analyze_opts *")
    lib.cflr_analyze_opts_init(given)
    kept = _input(given, files, database, flags)
    for name, value in (("cache", cache), ("grammar", grammar)):
        if value is not None:
            kept.append(ffi.new("char[]", encoded(value)))
            setattr(given, name, kept[-1])
    report = ffi.new("cflr_extract_report **")
    pointer = _reported(report, lambda: context.make(
        "cflr_result", lib.cflr_result_free,
        lambda out, error: lib.cflr_analyze(context.pointer, given, out, report, error),
        fine=PARTIAL))
    result = Result._owning(pointer, context, None)
    result.report = Report(report[0], context)
    return result


# ---- findings ----

class Place(NamedTuple):
    """A place of the source; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class FindingStep(NamedTuple):
    """One step of the way of a value: where, what happens ("assigned", ...), to which vertex."""

    place: Place
    kind: str
    vertex: Vertex


class Finding(NamedTuple):
    """A value that comes from a source of a rule and arrives at a sink of it (cflr_finding)."""

    rule: str
    message: str
    level: str
    rank: str
    likely: bool
    place: Place
    source: Vertex
    sink: Vertex
    steps: list[FindingStep]
    cwe: list[int]
    fingerprint: str

    def __str__(self) -> str:
        rank = f", {self.rank}" if self.rank else ""
        return f"{self.place}: {self.rule}: {self.message}{rank}"


class Findings(list):
    """Findings, likely ones first. `complete` is False when a limit has ended the search."""

    complete: bool = True
    program: Program


_KINDS = ("assigned", "passed", "returned", "result", "tested", "member", "brought", "filled",
          "pointed into", "content", "in memory", "silent", "arrived")


def _place(place: Any) -> Place:
    return Place(text(place.file), place.line, place.column)


def _finding(program: Program, raw: Any) -> Finding:
    steps = [FindingStep(_place(step.place), _word(_KINDS, step.kind),
                         program.vertex(step.pair.target))
             for step in raw.step[0:raw.n_steps] if step.kind != lib.CFLR_STEP_SILENT]
    rule = raw.rule
    return Finding(text(rule.name), text(rule.message),
                   text(lib.cflr_level_name(lib.cflr_finding_level(raw))),
                   text(lib.cflr_rank_name(raw.rank)), raw.likely, _place(raw.place),
                   program.vertex(raw.source), program.vertex(raw.sink), steps,
                   list(rule.cwe[0:rule.n_cwe]) if rule.n_cwe else [], text(raw.fingerprint))


def check(program: Union[Program, Any], rules: Sequence[str] = ("null",),
          **options: Any) -> Findings:
    """What rules find in a program: null pointers that are followed, text from outside that runs.

    `program` is a Program that `extract` has made with rules; or files, which are extracted with
    these rules and the options of `extract`.
    """
    _need_frontend()
    if not isinstance(program, Program):
        program = extract(program, rules=rules, **options)
    given = ffi.new("cflr_findings_opts *")
    lib.cflr_findings_opts_init(given)
    n = ffi.new("size_t *")
    given.rules = lib.cflr_extract_rules(program.report._pointer, n)
    given.n_rules = n[0]
    given.flows = lib.cflr_extract_flows(program.report._pointer, n)
    given.n_flows = n[0]
    given.uncalled = lib.cflr_extract_uncalled(program.report._pointer, n)
    given.n_uncalled = n[0]
    directory = ffi.NULL
    if options.get("cache") is not None:
        directory = ffi.new("char[]", encoded(options["cache"]))
    given.cache = directory
    context = Context()
    graph = own(made("cflr_graph", lib.cflr_graph_share, context.pointer, program._pointer),
                lib.cflr_graph_free, context.pointer, program._pointer)
    pointer = own(context.make("cflr_findings", lib.cflr_findings_free, lib.cflr_findings_new,
                               graph, given, fine=PARTIAL), lib.cflr_findings_free, graph)
    found = Findings(_finding(program, raw) for raw in
                     _all(lambda i: lib.cflr_findings_at(pointer, i) or None))
    counts = ffi.new("cflr_findings_counts *")
    lib.cflr_findings_get_counts(pointer, counts)
    found.complete, found.program = counts.complete, program
    return found
