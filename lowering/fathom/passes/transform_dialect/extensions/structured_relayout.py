"""Transforms of `linalg.pack` and `linalg.unpack`.

Source of the rules: `LinalgTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ops import transform as ops
from fathom.ops.linalg import PackOp, UnpackOp
from fathom.passes.structured import relayouts
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.structured.lower_pack")
@each(of=lambda target: isinstance(target, PackOp))
def lower_pack(op: ops.StructuredLowerPackOp, target: PackOp, run: Application) -> list[Operation | None]:
    inserts = bool(op.lowerPadLikeWithInsertSlice.value)
    found = relayouts.lower_pack(target, run.rewriter, inserts=inserts)
    if found is None:
        raise run.silenceable("cannot lower to pad + expand + transpose", at=target)
    return found


@transforms("transform.structured.lower_unpack")
@each(of=lambda target: isinstance(target, UnpackOp))
def lower_unpack(op: ops.StructuredLowerUnpackOp, target: UnpackOp, run: Application) -> list[Operation | None]:
    extracts = bool(op.lowerUnpadLikeWithExtractSlice.value)
    return relayouts.lower_unpack(target, run.rewriter, extracts=extracts)
