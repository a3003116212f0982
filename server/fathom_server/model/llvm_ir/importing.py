"""LLVM IR to the text of its import into the LLVM dialect."""

from __future__ import annotations

from fathom.context import Context
from fathom.importing import import_llvm
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import WRITTEN_FLAGS
from fathom.llvmir.loading import load
from fathom.records import NamedTuple
from fathom.text.beginnings import TextTooLong


class Made(NamedTuple):
    """The text of an import, or what stands in its way, with the number of its line, from 1 on; 0 where it has none."""

    text: str
    problem: str = ""
    line: int = 0

    @property
    def reason(self) -> str:
        """The problem with its line."""
        return f"{self.problem} (line {self.line})" if self.line else self.problem


def imported(text: str, context: Context) -> Made:
    """The text of the import, or why there is none."""
    source = load(text)
    if isinstance(source, list):
        return Made("", source[0].message, source[0].line)
    made = import_llvm(source, context)
    if made.module is None:
        errors = (each.message for each in made.diagnostics if each.severity == "error")
        return Made("", next(errors, "it cannot be imported"))
    try:
        return Made(print_module(made.module, WRITTEN_FLAGS))
    except TextTooLong as problem:
        return Made("", str(problem))
