"""What attributes from elsewhere add in LLVM IR: metadata, or attributes of functions, to what an operation becomes.

Source of the rules: *LLVM IR Target*, "Translation to LLVM IR", `amendOperation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from fathom.dialects.llvm.attributes import cases
from fathom.ir.operation import Operation
from fathom.irdl.faults import CodeFault
from fathom.llvmir.attribute_kinds import ORDER
from fathom.llvmir.attributes import Attribute, AttributeSet, StringAttribute, attribute_set
from fathom.llvmir.metadata import MDNode, Metadata
from fathom.records import record
from fathom.rewriting.lowerings import AMENDMENTS, Amended
from fathom.translation.metadata import bit, i32, i64, quoted

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
    return _attachments(amended_op, state) if amended_op is not None else {}


def _attachments(of: Amended, state: ModuleState) -> Attachments:
    return {kind: _node(operands, state) for kind, operands in of.metadata.items()}


def _node(operands: Iterable[object], state: ModuleState) -> MDNode:
    return state.nodes.tuple(*(_operand(operand, state) for operand in operands))


def _operand(given: object, state: ModuleState) -> Metadata | None:
    match given:
        case bool():
            return bit(given)
        case int():
            return i32(given) if -(2**31) <= given < 2**31 else i64(given)
        case str():
            return quoted(given)
        case list() | tuple():
            return _node(cast("Sequence[object]", given), state)
        case _:
            return None


@record
class Signature:
    """The calling convention, attributes and metadata of a function."""

    convention: int
    attributes: AttributeSet
    metadata: Attachments


def amended_function(op: Operation, own: Signature, state: ModuleState) -> Signature:
    """What a function has of its own, with what its attributes of other dialects add."""
    amended_op = amended(op, state.context)
    if amended_op is None:
        return own
    metadata = dict(own.metadata)
    for kind, node in _attachments(amended_op, state).items():
        state.kind(kind)
        metadata[kind] = node
    attributes: list[Attribute | StringAttribute] = [*own.attributes]
    for name, value in amended_op.attributes.items():
        if name in ORDER:
            from fathom.llvmir.attribute_reader import read_attributes

            attributes += read_attributes(f"{name}({value})" if value else name)
        else:
            attributes.append(StringAttribute(name, value))
    convention = cases("CConv").get(amended_op.convention, own.convention)
    return Signature(convention, attribute_set(attributes), metadata)
