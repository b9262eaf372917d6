# SPDX-License-Identifier: Apache-2.0
"""Grammars: text to rules, with the place of what is wrong in it."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

from cflr._native import Context, encoded, ffi, lib, made, own, text, word


class Warning(NamedTuple):
    """What is odd about a grammar: a rule that is never used, a symbol that derives nothing."""

    line: int
    column: int
    message: str


class Grammar:
    """A context-free grammar over labels (docs/reference/grammar.md).

    >>> Grammar("Reach ::= e | Reach e").start
    'Reach'
    """

    def __init__(self, rules: str, name: str = "grammar", format: str = "auto") -> None:
        """`name` stands for the text in messages; `format`: auto, cflr, pocr, gracfl, svf, cfpq."""
        data = rules.encode()
        self._adopt(Context(), lib.cflr_grammar_parse, data, len(data), encoded(name),
                    word("CFLR_GRAMMAR", format))

    @classmethod
    def load(cls, path: Any, format: str = "auto") -> Grammar:
        """Reads a file; or a shipped grammar, by its name: "pointer-fs"."""
        grammar = cls.__new__(cls)
        grammar._adopt(Context(), lib.cflr_grammar_load, encoded(path),
                       word("CFLR_GRAMMAR", format))
        return grammar

    def _adopt(self, context: Context, call: Any, *arguments: Any) -> None:
        self._context = context
        pointer = made("cflr_grammar", call, context.pointer, *arguments)
        self._pointer = own(pointer, lib.cflr_grammar_free, context.pointer)

    @staticmethod
    def shipped() -> list[str]:
        """Names of the grammars that come with the library."""
        names, i = [], 0
        while lib.cflr_grammar_shipped(i):
            names.append(text(lib.cflr_grammar_shipped(i)))
            i += 1
        return names

    @property
    def start(self) -> str:
        """The start symbol."""
        return text(lib.cflr_grammar_start(self._pointer))

    @property
    def warnings(self) -> list[Warning]:
        found = [lib.cflr_grammar_diagnostic(self._pointer, i)
                 for i in range(lib.cflr_grammar_diagnostics(self._pointer))]
        return [Warning(w.line, w.column, text(w.message)) for w in found]

    def answer(self, question: str) -> Optional[str]:
        """By what a question ("alias", "points-to", "flows") is answered."""
        return text(lib.cflr_grammar_answer(self._pointer, question.encode())) or None

    def show(self, stage: str = "rules", graph: Any = None) -> str:
        """The rules at a stage: rules, expanded, normal, index; of a graph also ground, plan."""
        shown = made("char", lib.cflr_grammar_show, self._pointer, word("CFLR_STAGE", stage),
                     graph._pointer if graph is not None else ffi.NULL)
        try:
            return text(shown)
        finally:
            lib.cflr_text_free(self._context.pointer, shown)

    def __str__(self) -> str:
        return self.show()

    def __repr__(self) -> str:
        return f"<Grammar of {self.start}>"
