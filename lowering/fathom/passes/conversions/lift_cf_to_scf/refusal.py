"""Why something cannot be lifted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


class Refused(Exception):
    """An operation stands in the way; a message that is `bare` does not begin with its name."""

    def __init__(self, op: Operation, message: str, *, bare: bool = False) -> None:
        super().__init__(message)
        self.op = op
        self.message = message if bare else f"'{op.name}' op {message}"

    @property
    def diagnostic(self) -> Diagnostic:
        """What is said of it."""
        return Diagnostic(self.message, self.op.span, code=REFUSED_BY_PASS, op=self.op)
