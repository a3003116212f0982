"""References to what is async, counted: what all passes go by that add or take away such counting.

    async.runtime.add_ref %token {count = 1 : i64} : !async.token
    async.runtime.drop_ref %token {count = 1 : i64} : !async.token

Source of the rules: the passes on reference counts of MLIR 22's async dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.ir.attributes import i64_attr
from fathom.ops.async_ import AwaitAllOp, AwaitOp, ExecuteOp, YieldOp
from fathom.passes.asynchronous.types import is_counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter


class Refused(Exception):
    """What a pass on counts objects to: an operation, and why, in MLIR's words."""

    def __init__(self, op: Operation, message: str) -> None:
        super().__init__(message)
        self.op = op
        self.message = message

    def diagnostic(self) -> Diagnostic:
        return Diagnostic(self.message, self.op.span, code=REFUSED_BY_PASS, op=self.op)


def count_each(root: Operation, count: Callable[[Value], None]) -> list[Diagnostic]:
    """Has references counted to each value in `root` that is async, unless something is to be lowered first."""
    try:
        for op in root.walk_postorder():
            if isinstance(op, (ExecuteOp, AwaitOp, AwaitAllOp, YieldOp)):
                raise Refused(op, "async operations must be lowered to async runtime operations")
        for value in counted_values(root):
            count(value)
    except Refused as refused:
        return [refused.diagnostic()]
    return []


def counted_values(root: Operation) -> list[Value]:
    """The values in `root` to which references are counted: arguments of blocks first, what is nested before what is
    around it."""
    values: list[Value] = [argument for block in _blocks(root) for argument in block.arguments if is_counted(argument)]
    for op in root.walk_postorder():
        values += filter(is_counted, op.results)
    return values


def _blocks(op: Operation) -> Iterator[Block]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block:
                yield from _blocks(inner)
            yield block


def users_of(value: Value) -> list[Operation]:
    """Its users, the newest first, each as often as it uses it."""
    return [user for user, times in reversed(value.uses.items()) for _ in range(times)]


def drop_if_unused(value: Value, rewriter: Rewriter) -> bool:
    """Gives up the reference to what nothing uses, where it is made; whether that was so."""
    if value.uses:
        return False
    rewriter.set_insertion_behind(value)
    drop_reference(rewriter, value)
    return True


def add_reference(rewriter: Rewriter, value: Value, count: int = 1, *, source: Operation | Value | None = None) -> None:
    """`async.runtime.add_ref`, which comes from where `source` does: by default the value."""
    _count(rewriter, "async.runtime.add_ref", value, count, source)


def drop_reference(
    rewriter: Rewriter, value: Value, count: int = 1, *, source: Operation | Value | None = None
) -> None:
    """`async.runtime.drop_ref`, which comes from where `source` does: by default the value."""
    _count(rewriter, "async.runtime.drop_ref", value, count, source)


def _count(rewriter: Rewriter, name: str, value: Value, count: int, source: Operation | Value | None) -> None:
    with rewriter.standing_in(source or value):
        rewriter.create(name, [value], (), {"count": i64_attr(count)})
