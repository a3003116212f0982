"""Verifiers as functions that say what is wrong, one thing after the other in MLIR's order; the first of it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from fathom.irdl.definition import Problem

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

Found: TypeAlias = "str | Problem"
Check: TypeAlias = "Callable[[Operation], Iterator[Found] | Iterator[str]]"


def verifier(*checks: Check, bare: bool = False) -> Callable[[Operation], list[Problem]]:
    """What `OpCode` takes, of checks one after the other. `bare` messages go without the operation's name, as MLIR has
    it where it says `emitError`, and not `emitOpError`."""

    def verify(op: Operation) -> list[Problem]:
        for check in checks:
            for found in check(op):
                return [found if isinstance(found, Problem) else Problem(found, bare=bare)]
        return []

    return verify


def bare(message: str) -> Problem:
    """A message without the operation's name."""
    return Problem(message, bare=True)
