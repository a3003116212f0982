"""Writes what passes say that only say something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import ShowingPass
from fathom.pipeline.observer import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass


class Showing(Observer):
    """Looks on, and writes what is said at once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        if isinstance(use, ShowingPass):
            self._write(use.shown(op))
