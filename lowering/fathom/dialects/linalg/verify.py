"""What MLIR's verifiers say of the operations of linalg.

Source of the rules: *'linalg' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.kinds import check_contraction, check_convolution, check_fill
from fathom.dialects.linalg.named import NAMED
from fathom.dialects.linalg.operations import mistake_in_windows
from fathom.dialects.linalg.structured import check_structure
from fathom.ir.operation import Operation
from fathom.irdl.verifying import Checks, Complaint, verifies

PARTS: Final = ("contractions", "payloads", "relayout", "structured", "winograd")
_PRODUCTS: Final = ("contract", "matmul", "batch_matmul", "batch_reduce_matmul")
_CONTRACTIONS: Final = (*_PRODUCTS, "mmt4d", "batch_mmt4d", "matvec", "vecmat", "batch_matvec", "batch_vecmat", "dot")
_STRUCTURED: Final = (*NAMED, "broadcast", "elementwise", "generic", "map", "reduce", "transpose")
_CONVOLUTIONS: Final = tuple(name for name in NAMED if name.startswith(("conv_", "depthwise_conv_", "pooling_")))


@verifies(*(f"linalg.{name}" for name in _CONVOLUTIONS))
def _convolution(op: Operation) -> Complaint:
    named = NAMED[op.name.removeprefix("linalg.")]
    return mistake_in_windows(op.properties, named.windows) or check_convolution(op)


@verifies(*(f"linalg.{name}" for name in _STRUCTURED if name not in _CONTRACTIONS), regions=True)
def _structure(op: Operation) -> Complaint:
    return check_structure(op)


@verifies(*(f"linalg.{name}" for name in _CONTRACTIONS), regions=True)
def _contraction(op: Operation) -> Complaint:
    return check_structure(op) or check_contraction(op)


VERIFY: Final[Checks] = {"linalg.fill": check_fill}
