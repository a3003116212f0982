"""Who looks on while a pipeline runs: called before and after each pass, with the operation that it runs on."""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.passes.definition import Pass


class Observer:
    """Looks on and does nothing; what an observer is interested in it overrides."""

    def before_pass(self, use: Pass, op: Operation) -> None:
        """Called before a pass runs on `op`."""

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        """Called after a pass ran on `op`, which failed if it reported an error or what it made is not valid."""
