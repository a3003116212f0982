"""Transforms that say something.

Source of the rules: *Transform Dialect*, `DebugExtensionOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.transform.handles import IS_OPERATION
from fathom.ir.attributes import StringAttr
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.texts import described

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.debug.emit_remark_at")
def emit_remark_at(op: ops.DebugEmitRemarkAtOp, run: Application) -> None:
    if IS_OPERATION(op.at.type):
        for target in run.ops(op.at):
            run.remark(op.message.value, target)
        return
    for value in run.values(op.at):
        run.remark(op.message.value, value, (f"value handle points to {described(value)}", None))


@transforms("transform.debug.emit_param_as_remark")
def emit_param_as_remark(op: ops.DebugEmitParamAsRemarkOp, run: Application) -> None:
    message = f"{op.message.value} " if isinstance(op.message, StringAttr) else ""
    message += ", ".join(map(str, run.params(op.param)))
    for place in run.ops(op.anchor) if op.anchor is not None else [op]:
        run.remark(message, place)
