"""Taking IR apart that nobody needs any more.

Operations, their results, blocks and regions know each other in circles, so that IR which is only let go of stays until
the garbage collector comes, whose pauses grow with it. What was taken apart is gone at once.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from fathom.ir.operation import Operation
from fathom.slices import drained, paced


def dismantle(op: Operation) -> None:
    """Takes an operation apart with all that is nested in it. Nobody may use any of it afterwards."""
    for inner, _ in drained(dict.fromkeys(paced(op.walk()))):
        for region in inner.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.uses.clear()
                block.first = block.last = block.parent = block.previous = None
                block.arguments = []
            region.first = region.last = region.parent = None
        for result in inner.results:
            result.uses.clear()
        inner.parent = inner.previous = inner.next = None
        if inner.successors:
            inner.set_successors(())
        dismantle_alone(inner)


@contextmanager
def dismantling(op: Operation) -> Generator[None, None, None]:
    """Takes an operation apart at the end."""
    try:
        yield
    finally:
        dismantle(op)


def dismantle_alone(op: Operation) -> None:
    """Breaks the circles between an operation and what is its own; its operands it has given up, or they are let go of
    as well."""
    op.results = []
    op.regions = []
