"""Who looks on while tensors get memory: what was decided, what was made, and what is freed.

    with looked_on_by(onlooker):
        use.run(module, context)

Bufferization asks once whether anybody looks on, so that it costs nothing where nobody does.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.bufferization.state import AnalysisState
    from fathom.ir.operation import Operation, Value


class Onlooker:
    """Looks on and does nothing; what an onlooker is interested in it overrides. Operations are not to be changed."""

    def decided(self, op: Operation, state: AnalysisState) -> None:
        """All is decided of an operation and what is in it, and nothing is changed yet."""

    def made(self, op: Operation) -> None:
        """An operation on memory was inserted, which allocates or copies."""

    def dropped(self, op: Operation) -> None:
        """Such an operation is about to go, since nothing needs it."""

    def freed(self, memory: Value, before: Operation) -> None:
        """Memory is freed before an operation, if it is still owned there."""

    def not_freed(self, function: Operation) -> None:
        """Nothing is freed in a function after all."""


class _Here(local):
    """Who looks on in this thread."""

    onlooker: Onlooker | None = None


_HERE: Final = _Here()


@contextmanager
def looked_on_by(onlooker: Onlooker) -> Generator[None]:
    """Has somebody look on at what runs inside."""
    before, _HERE.onlooker = _HERE.onlooker, onlooker
    try:
        yield
    finally:
        _HERE.onlooker = before


def onlooker() -> Onlooker | None:
    """Who looks on, if anybody does."""
    return _HERE.onlooker
