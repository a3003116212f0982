"""Casts that survive a lowering: what stands on both sides, and the pass that converts the side that lags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.diagnostics import SURVIVING_CAST
from fathom.ir.operation import BlockArgument
from fathom.passes import find
from fathom.passes.leftovers.causes import Cause
from fathom.passes.leftovers.removers import Step, last_of, place_for, rewriters, spelled
from fathom.rewriting.type_converter import is_cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.history import History

RECONCILE: Final = "reconcile-unrealized-casts"


def cause_of_cast(cast: Operation, history: History) -> Cause:
    """What stands before the cast and what behind it, and what would convert the one that is not LLVM dialect."""
    before = _origin(cast.operands[0]) if cast.operands else None
    behind = next((user for result in cast.results for user in result.uses if not is_cast(user)), None)
    lagging = next((op for op in (behind, before) if op is not None and op.dialect != "llvm"), None)
    types = f"from {_types(cast.operands)} to {_types(cast.results)}"
    between = f"the cast {types} stands between {_named(before)} and {_named(behind)}"
    if lagging is None:
        end, last = len(history.passes), last_of((RECONCILE,), history)
        if last is None and end:
            step = Step(RECONCILE, end)
            return Cause(SURVIVING_CAST, between, f"both are converted: {spelled(step, history)}", (step,))
        if last is not None and any(use.gives_to_llvm for use in history.passes[last:]):
            step = Step(RECONCILE, end, last)
            return Cause(SURVIVING_CAST, f"{between}; --{RECONCILE} had run", f"run --{RECONCILE} at the end", (step,))
        return Cause(
            SURVIVING_CAST,
            f"{between}, which were converted to types that differ",
            "give the passes that converted them the same options, such as index-bitwidth",
        )
    names = rewriters(lagging.name)
    reason = f"{between}, and '{lagging.name}' was not converted"
    if not names or find(names[0]) is None or last_of(names, history) is not None:
        return Cause(SURVIVING_CAST, reason, follows=True)
    step = Step(names[0], place_for(names[0], history, None))
    return Cause(SURVIVING_CAST, reason, spelled(step, history), (step,), follows=True)


def _origin(value: Value) -> Operation | None:
    """What defines a value: for an argument the operation around its block, and no cast, but one of a circle of them,
    which a graph region may hold."""
    seen: set[Operation] = set()
    while is_cast(cast := value.defining_op) and cast.operands and cast not in seen:
        seen.add(cast)
        value = cast.operands[0]
    if isinstance(value, BlockArgument):
        return value.block.parent.parent if value.block.parent is not None else None
    return value.defining_op


def _named(op: Operation | None) -> str:
    return f"'{op.name}'" if op is not None else "nothing"


def _types(values: Sequence[Value]) -> str:
    return ", ".join(str(value.type) for value in values) or "()"
