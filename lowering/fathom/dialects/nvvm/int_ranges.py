"""Between which numbers special registers lie: as they are annotated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.rewriting.int_ranges import IntRange, of_result, signed, width_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_REGISTERS: Final = """
cluster.ctaid.x cluster.ctaid.y cluster.ctaid.z cluster.ctarank cluster.nctaid.x cluster.nctaid.y cluster.nctaid.z
cluster.nctarank clusterid.x clusterid.y clusterid.z ctaid.x ctaid.y ctaid.z gridid laneid nclusterid.x nclusterid.y
nclusterid.z nctaid.x nctaid.y nctaid.z nsmid ntid.x ntid.y ntid.z nwarpid smid tid.x tid.y tid.z warpid warpsize
""".split()


def _annotated(op: Operation, _: Sequence[IntRange]) -> IntRange | None:
    """The bounds of the annotation, both of them in both readings, as MLIR has it."""
    annotation, width = op.properties.get("range"), width_of(op.result.type)
    if not isinstance(annotation, DialectAttr) or not width:
        return None
    bounds = [bound for bound in annotation.parameters if isinstance(bound, (int, IntegerAttr))]
    if len(bounds) != 2:
        return None
    lower, upper = (bound if isinstance(bound, int) else bound.value for bound in bounds)
    whole = 1 << width
    return IntRange(width, lower % whole, upper % whole, signed(lower, width), signed(upper, width))


INT_RANGES: Final = {f"nvvm.read.ptx.sreg.{name}": of_result(_annotated) for name in _REGISTERS}
