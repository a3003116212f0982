"""LLVM's own verdict on LLVM IR text, through llvmlite's binding layer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom.translation.module import Translation

_PLACE: Final = re.compile(r"<string>:(\d+):\d+: error: (.*)")


def verify_ir(text: str) -> list[str]:
    """What LLVM's parser and verifier object to; an empty list means that the module is sound."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text, context=llvm.create_context())
        module.verify()
    except RuntimeError as error:
        message = str(error).removeprefix("LLVM IR parsing error\n")
        return [message.strip()]
    return []


def placed(problem: str, translation: Translation) -> tuple[str, Span | None]:
    """What LLVM objects to in one line, and where that comes from: its parser tells the line of the text, its verifier
    repeats it at the end. Of what has no place all is told."""
    found = _PLACE.match(problem)
    if found is not None:
        return found[2], translation.line_spans[int(found[1]) - 1]
    first, *rest = problem.splitlines()
    lines = translation.text.splitlines()
    at = next((at for at, line in enumerate(lines) if rest and line.strip() and line.strip() == rest[-1].strip()), None)
    span = translation.line_spans[at] if at is not None else None
    return (first, span) if span is not None else (problem, None)
