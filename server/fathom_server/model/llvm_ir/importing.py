"""LLVM IR to the text of its import into the LLVM dialect."""

from __future__ import annotations

from fathom.context import Context
from fathom.importing import import_llvm
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import WRITTEN_FLAGS
from fathom.llvmir.loading import load
from fathom.text.beginnings import TextTooLong


def imported(text: str, context: Context) -> tuple[str, str]:
    """The text of the import, and why there is none."""
    source = load(text)
    if isinstance(source, list):
        problem = source[0]
        return "", f"{problem.message} (line {problem.line})" if problem.line else problem.message
    made = import_llvm(source, context)
    if made.module is None:
        return "", next((each.message for each in made.diagnostics), "it cannot be imported")
    try:
        return print_module(made.module, WRITTEN_FLAGS), ""
    except TextTooLong as problem:
        return "", str(problem)
