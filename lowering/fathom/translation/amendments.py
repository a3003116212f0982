"""What attributes from elsewhere add in LLVM IR: metadata, or attributes of functions, to what an operation becomes.

Source of the rules: *LLVM IR Target*, "Translation to LLVM IR", `amendOperation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from fathom.ir.operation import Operation
from fathom.irdl.faults import CodeFault
from fathom.rewriting.lowerings import AMENDMENTS, Amended
from fathom.translation.attribute_sets import ORDER, AttributeSet, attribute_set
from fathom.translation.metadata import Node, quoted

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.translation.attachments import Attachments
    from fathom.translation.state import ModuleState


def amended(op: Operation, context: Definitions) -> Amended | None:
    """What the attributes of an operation add to it; None if nothing."""
    joined: Amended | None = None
    for name, value in op.attributes.items():
        dialect, dot, _ = name.partition(".")
        amend = context.aspect(AMENDMENTS, dialect).get(name) if dot else None
        if amend is not None:
            joined = joined or Amended()
            amend(op, value, joined)
    return joined


def amendments(op: Operation, state: ModuleState) -> Attachments:
    """The metadata that attributes attach to what an operation becomes. What fails in finding it out is told."""
    try:
        amended_op = amended(op, state.context) if state.context is not None else None
    except CodeFault as fault:
        state.diagnostics.append(fault.diagnostic)
        return {}
    return (
        {kind: _node(operands, state) for kind, operands in amended_op.metadata.items()}
        if amended_op is not None
        else {}
    )


def _node(operands: Iterable[object], state: ModuleState) -> Node:
    return state.metadata.node(*(_operand(operand, state) for operand in operands))


def _operand(given: object, state: ModuleState) -> str | Node:
    match given:
        case bool():
            return "i1 true" if given else "i1 false"
        case int():
            return f"i64 {given}" if not -(2**31) <= given < 2**31 else f"i32 {given}"
        case str():
            return quoted(given)
        case list() | tuple():
            return _node(cast("Sequence[object]", given), state)
        case _:
            return "null"


def amended_function(
    op: Operation, attributes: AttributeSet, metadata: list[tuple[str, Node]], state: ModuleState
) -> tuple[AttributeSet, list[tuple[str, Node]]]:
    """The attributes and the metadata of a function, with what its attributes of other dialects add."""
    for kind, node in amendments(op, state).items():
        state.metadata.kind(kind)
        metadata = [*metadata, (kind, node)]
    amended_op = amended(op, state.context) if state.context is not None else None
    if amended_op is None or not amended_op.attributes:
        return attributes, metadata
    known = {name: value for name, value in amended_op.attributes.items() if name in ORDER}
    strings = {name: value for name, value in amended_op.attributes.items() if name not in ORDER}
    added = attribute_set({**dict(attributes.known), **known}, strings)
    return AttributeSet(added.known, (*attributes.strings, *added.strings)), metadata
