"""Removes `builtin.unrealized_conversion_cast`s that undo each other, and those that nothing uses.

    %1 = builtin.unrealized_conversion_cast %0 : index to i64
    %2 = builtin.unrealized_conversion_cast %1 : i64 to index
    use(%2)                                                      ->   use(%0)

Source of the rules: *Passes*, `-reconcile-unrealized-casts`.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.dismantle import dismantle_alone
from fathom.ir.operation import Operation
from fathom.rewriting.type_converter import is_cast


def reconcile(casts: Sequence[Operation]) -> list[Operation]:
    """Reconciles these casts and returns those that remain, in the same order."""
    for cast in casts:
        types = [result.type for result in cast.results]
        earlier: Operation | None = cast
        passed: set[Operation] = set()  # Casts of each other are a circle, where what they stand for was erased.
        while earlier is not None and earlier not in passed:
            passed.add(earlier)
            if [operand.type for operand in earlier.operands] == types:
                if not any(operand.defining_op is cast for operand in earlier.operands):
                    cast.replace_all_uses_with(earlier.operands)
                break
            earlier = _input_cast(earlier)
    return _remove_dead(casts)


def _input_cast(cast: Operation) -> Operation | None:
    """The cast whose results, all and in order, are the operands of this one."""
    if not cast.operands:
        return None
    source = cast.operands[0].defining_op
    if not is_cast(source) or list(source.results) != cast.operands:
        return None
    return source


def _remove_dead(casts: Sequence[Operation]) -> list[Operation]:
    known = set(casts)
    live: set[Operation] = set()

    def mark(op: Operation) -> None:
        stack = [op]
        while stack:
            cast = stack.pop()
            if cast in live:
                continue
            live.add(cast)
            for operand in cast.operands:
                source = operand.defining_op
                if source is not None and source in known:
                    stack.append(source)

    for cast in casts:
        if any(user not in known for result in cast.results for user in result.uses):
            mark(cast)
    dead = [cast for cast in casts if cast not in live]
    for cast in dead:
        cast.drop_all_references()
    for cast in dead:
        cast.unlink()
        dismantle_alone(cast)
    return [cast for cast in casts if cast in live]
