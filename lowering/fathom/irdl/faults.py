"""What goes wrong in code that a person wrote beside the description of a dialect: a fault, with its line.

Such code is called in the midst of other work, which a fault ends. Who runs that work catches it and says it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from fathom.diagnostics import OWN_CODE, Diagnostic, Note
from fathom.ir.locations import FileLineColLoc

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


class CodeFault(Exception):
    """Code failed, or gave what nothing can be made of. `place` is its line, `doing` what it was called for, and `op`
    the operation that it was called with, if any."""

    def __init__(self, message: str, place: FileLineColLoc, doing: str = "", op: Operation | None = None) -> None:
        super().__init__(f"{place.file}:{place.line}: {message}")
        self.message = message
        self.place = place
        self.doing = doing
        self.op = op

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault at its line, with the operation that it is about."""
        span = self.op.span if self.op is not None else None
        notes = (Note(self.doing, span, hint=True),) if self.doing else ()
        return Diagnostic(self.message, span, code=OWN_CODE, notes=notes, place=self.place)


def line_of(function: Callable[..., object]) -> FileLineColLoc:
    """Where a function is defined."""
    code = getattr(function, "__code__", None)
    return FileLineColLoc(code.co_filename, code.co_firstlineno, 1) if code is not None else FileLineColLoc("", 0, 0)


def place_of_caller() -> FileLineColLoc:
    """Where that function was called which asks."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    columns = next((start for _, _, start, _ in islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)), None)
    return FileLineColLoc(frame.f_code.co_filename, frame.f_lineno, (columns or 0) + 1)


def place_of_error(error: BaseException, file: str) -> FileLineColLoc | None:
    """Where in a file an exception came from: the innermost line of that file which was being run; None if none was."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return FileLineColLoc(file, error.lineno or 1, error.offset or 1)
    from traceback import extract_tb  # few runs need it

    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename == file]
    return FileLineColLoc(file, frames[-1].lineno or 1, (frames[-1].colno or 0) + 1) if frames else None


def described(error: BaseException) -> str:
    """What an exception says, in one line."""
    text = str(error.args[0]) if isinstance(error, KeyError | SyntaxError) and error.args else str(error)
    name = type(error).__name__
    return f"{name}: {text}" if text else name
