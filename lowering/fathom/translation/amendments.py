"""What attributes from elsewhere add in LLVM IR: metadata, or attributes of functions, to what an operation becomes.

Source of the rules: *LLVM IR Target*, "Translation to LLVM IR", `amendOperation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from fathom.ir.operation import Operation
from fathom.irdl.faults import CodeFault
from fathom.records import record
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
        amended_op = amended(op, state.context)
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


@record
class Signature:
    """The calling convention, attributes and metadata of a function."""

    convention: str
    attributes: AttributeSet
    metadata: list[tuple[str, Node]]


def amended_function(op: Operation, own: Signature, state: ModuleState) -> Signature:
    """What a function has of its own, with what its attributes of other dialects add."""
    metadata = own.metadata
    for kind, node in amendments(op, state).items():
        state.metadata.kind(kind)
        metadata = [*metadata, (kind, node)]
    amended_op = amended(op, state.context)
    if amended_op is None:
        return own
    known = {name: value for name, value in amended_op.attributes.items() if name in ORDER}
    strings = {name: value for name, value in amended_op.attributes.items() if name not in ORDER}
    added = attribute_set({**dict(own.attributes.known), **known}, strings)
    kept = [text for text in own.attributes.strings if _key(text) not in map(_key, added.strings)]
    attributes = AttributeSet(added.known, tuple(sorted((*kept, *added.strings), key=_key)))
    return Signature(amended_op.convention or own.convention, attributes, metadata)


def _key(attribute: str) -> str:
    """The name of an attribute in quotes."""
    return attribute.split('"')[1]
