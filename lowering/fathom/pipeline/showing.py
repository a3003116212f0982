"""Writes what passes say that only say something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import ShowingPass
from fathom.passes.shown import begin_showing, end_showing
from fathom.pipeline.observer import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass


class Showing(Observer):
    """Looks on, and writes what is said at once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def before_pass(self, use: Pass, op: Operation) -> None:
        begin_showing(self._write)

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        end_showing()
        if isinstance(use, ShowingPass):
            self._write(use.shown(op))
