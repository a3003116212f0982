"""What a schedule asks of targets and data layouts.

Source of the rules: `DLTITransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.dlti.queries import query
from fathom.ir.attributes import StringAttr, TypeAttr
from fathom.irdl.definition import Problem
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.dialects.dlti import Key
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.dlti.query")
@each()
def dlti_query(op: ops.DltiQueryOp, target: Operation, run: Application) -> Attribute:
    keys: list[Key] = []
    for key in op.keys.elements:
        match key:
            case StringAttr(text):
                keys.append(text)
            case TypeAttr(type):
                keys.append(type)
            case _:
                kinds = "only StringAttr and TypeAttr are allowed"
                raise run.definite(f"'transform.dlti.query' keys of wrong type: {kinds}")
    found = query(target, keys, run.context)
    if not isinstance(found, Problem):
        return found
    run.error(found.message, target, *found.notes)
    raise run.silenceable("'transform.dlti.query' op failed to apply")
