"""What a dialect says of inlining: which of its calls may be inlined, how its functions end, what is done beside, and
what may come into the regions of its operations.

Source of the rules: *Interfaces*, "Dialect Interfaces", and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.irdl.aspects import Aspect
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.rewriting.rewriter import Rewriter


def _as_given(
    call: Operation, function: Operation, value: Value, attributes: Mapping[str, Attribute], rewriter: Rewriter
) -> Value:
    del call, function, attributes, rewriter
    return value


def _nothing(call: Operation, blocks: Sequence[Block], rewriter: Rewriter) -> None:
    """There is nothing to be done."""


@record(eq=False)
class InliningRules:
    """`may_inline(call, function)` says whether a call may be inlined at all. Functions end with operations named
    `returns`, or where that is empty with those that are `ReturnLike`; these become a `branch` where a function of
    several blocks comes in, or of one that may not be joined (`joins`).

    `argument(call, function, value, attributes, rewriter)` is what stands for an argument with these attributes that is
    given a value; the rewriter is right behind the call. `finish(call, blocks, rewriter)` sees to the blocks that came
    in, before they are joined with others.

    `takes(target, body, given)` says whether a body may come into a region of one of the dialect's operations, where
    its arguments are what is given for them; `holds(op, target)` whether an operation of the dialect may.
    """

    returns: str = ""
    branch: str = ""
    may_inline: Callable[[Any, Any], bool] = lambda call, function: False
    joins: Callable[[Block], bool] = lambda block: True
    argument: Callable[[Any, Any, Value, Mapping[str, Attribute], Rewriter], Value] = _as_given
    finish: Callable[[Any, Sequence[Block], Rewriter], None] = _nothing
    takes: Callable[[Region, Region, Mapping[Value, Value]], bool] = lambda target, body, given: False
    holds: Callable[[Any, Region], bool] = lambda op, target: False


INLINING: Final[Aspect[InliningRules | None]] = Aspect("inlining", None)
"""What a dialect says of inlining its calls, if it has any, and of what may come into its operations."""
