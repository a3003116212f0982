"""How long affine constraints are worked on: a system of a few lines may take exponential time to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.budget import allowing, spend
from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.observers import Watch

OF_COMPOSING: Final = 1024
OF_DEPENDENCE: Final = 8192
"""So many steps takes it at least to compose a map, and to ask about a dependence, however small the systems are."""
MOST_BITS: Final = 4096
"""No coefficient has more: what is eliminated one after the other may double them each time."""


class TooHard(Exception):
    """The affine constraints of an operation take too long. It never leaves the passes: `within_limits` reports it."""


def count_steps(steps: int) -> None:
    """Counts that so many coefficients are looked at. TooHard where all together are too many."""
    if steps >= OF_COMPOSING:
        checkpoint()
    if not spend(steps):
        raise TooHard("its affine constraints and dependences take too long to work out")


def check_size(row: Sequence[int]) -> None:
    """TooHard where a coefficient has become too long."""
    if max(map(int.bit_length, row), default=0) > MOST_BITS:
        raise TooHard(f"its affine constraints have coefficients of more than {MOST_BITS:,} bits")


def explained(watch: Watch, why: Callable[[], str]) -> str:
    """What is said of why something is not done. It counts no steps of the pass, whose result is the same whether
    anybody looks on, and has some of its own."""
    try:
        with allowing(watch.effort):
            return why()
    except TooHard:
        return "it would take too long to say why"


def within_limits(op: Operation, work: Callable[[], list[Diagnostic]]) -> list[Diagnostic]:
    """What the work on an operation says, or that it was given up."""
    try:
        return work()
    except TooHard as limit:
        return [Diagnostic(f"'{op.name}' op is not analysed: {limit}", op.span, code=PIPELINE, op=op)]
