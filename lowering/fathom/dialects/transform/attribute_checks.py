"""The discardable attributes of the transform dialect.

Source of the rules: *Transform Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import Attribute, StringAttr, SymbolRefAttr, UnitAttr
from fathom.ir.operation import Operation
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import SymbolTable, symbol_name
from fathom.irdl.verifying import AttributeChecks
from fathom.ops import transform as ops


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    message: str | None = None
    circle: list[Operation] = []
    match name:
        case "transform.with_named_sequence":
            if op.interface(SymbolTable) is None:
                message = f'"{name}" attribute can only be attached to operations with symbol tables'
            elif circle := _recursive(op):
                message = "recursion not allowed in named sequences"
        case "transform.target_tag":
            message = None if isinstance(value, StringAttr) else f'"{name}" attribute must be a string'
        case "transform.consumed" | "transform.readonly" | "transform.silence_tracking_failures":
            message = None if isinstance(value, UnitAttr) else f'"{name}" must be a unit attribute'
        case _:
            message = f'unknown attribute: "{name}"'
    if message is None:
        return None
    notes = tuple(("operation on recursion stack", called) for called in circle[1:])
    return Problem(message, at=circle[0] if circle else None, bare=True, notes=notes)


def _recursive(table: Operation) -> list[Operation]:
    """The first sequences that include each other, or the first that includes itself, last the one that is met first;
    none where no sequence does."""
    inside = [op for region in table.regions for block in region.blocks for op in block]
    named = {symbol_name(inner): inner for inner in inside if isinstance(inner, ops.NamedSequenceOp)}
    calls = {name: _included_by(inner, named) for name, inner in named.items()}
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    for start in named:
        waiting = [(start, iter(calls[start]))] if start not in order else []
        if waiting:
            order[start] = lowest[start] = len(order)
            open_.append(start)
        while waiting:
            name, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                waiting.pop()
                if waiting:
                    before = waiting[-1][0]
                    lowest[before] = min(lowest[before], lowest[name])
                if lowest[name] == order[name]:
                    circle = open_[open_.index(name) :]
                    if len(circle) > 1 or name in calls[name]:
                        return [named[member] for member in reversed(circle)]
                    del open_[open_.index(name) :]
            elif following not in order:
                order[following] = lowest[following] = len(order)
                open_.append(following)
                waiting.append((following, iter(calls[following])))
            elif following in open_:
                lowest[name] = min(lowest[name], order[following])
    return []


def _included_by(op: Operation, named: Mapping[str, Operation]) -> list[str]:
    targets = (inner.properties.get("target") for inner in op.walk() if isinstance(inner, ops.IncludeOp))
    return [target.root for target in targets if isinstance(target, SymbolRefAttr) and target.root in named]


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
