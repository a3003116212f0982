"""The operations that tell a debugger of variables and labels, as debug records.

Source of the rules: *Source Level Debugging with LLVM*, "Debug records"; MLIR 22, `LLVMIntrinsicOps.td`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.llvmir.metadata import DbgLabelRecord, DbgRecord, DbgVariableRecord, ValueAsMetadata
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.debug_info.locations import DebugLocations
    from fathom.debug_info.nodes import DebugNodes
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.operation import Value as SourceValue
    from fathom.llvmir.metadata import SpecializedMDNode
    from fathom.llvmir.values import Value


def record_of(
    op: Operation,
    location: Attribute,
    subprogram: SpecializedMDNode | None,
    nodes: DebugNodes,
    locations: DebugLocations,
    value_of: Callable[[SourceValue], Value],
) -> DbgRecord | None:
    """The record of such an operation in a function; None for one that stands in no line of the source, which LLVM
    would not take."""
    if locations.location(location, subprogram) is None:
        return None
    where = locations.location(location, locations.scope(location) or subprogram)
    assert where is not None
    if isinstance(op, ops.IntrDbgLabelOp):
        label = nodes.node(op.label)
        return None if label is None else DbgLabelRecord(label, where)
    if isinstance(op, ops.IntrDbgValueOp):
        kind, value = "value", op.value
    elif isinstance(op, ops.IntrDbgDeclareOp):
        kind, value = "declare", op.addr
    else:
        return None
    variable = nodes.node(op.varInfo)
    if variable is None:
        return None
    expression = nodes.expression(op.locationExpr)
    return DbgVariableRecord(kind, ValueAsMetadata(value_of(value)), variable, expression, where)
