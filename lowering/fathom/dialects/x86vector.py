"""The x86vector dialect: vector instructions of x86, of which the types are checked here.

Source of the rules: *'x86vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects import load_described
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import BF16, I1, I8, IntegerType, Type, VectorType
from fathom.irdl.code import DialectCode
from fathom.irdl.type_functions import TypeFunction, of_each
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.x86vector import Avx512MaskCompressOp


def _of_length(make: Callable[[int], Type]) -> TypeFunction:
    """A function of the first dimension of a vector."""
    return of_each(lambda type: make(type.ranked_shape[0]) if isinstance(type, VectorType) and type.shape else None)


@verifies("x86vector.avx512.mask.compress", bare=True)
def _verify_compress(op: Avx512MaskCompressOp) -> Complaint:
    source, constant, target = op.src, op.constant_src, op.result.type
    if source is not None and constant is not None:
        return "cannot use both src and constant_src"
    if source is not None and source.type != target:
        return "failed to verify that src and dst have same type"
    if isinstance(constant, DenseElementsAttr) and constant.type != target:
        return "failed to verify that constant_src and dst have same type"
    return None


_BITS: Final = _of_length(IntegerType)
_MASKS: Final = _of_length(lambda length: VectorType((length,), I1))

CODE: Final = DialectCode(
    operations={},
    matches={
        "`k` has the same number of bits as elements in `dst`": _MASKS,
        "k1 has the same number of bits as elements in a": _MASKS,
        "k2 has the same number of bits as elements in b": _MASKS,
        "imm has the same number of bits as elements in dst": _BITS,
        "k has the same number of bits as elements in dst": _BITS,
        "`a` has twice an many elements as `src`": _of_length(lambda length: VectorType((2 * length,), BF16)),
        "`a` has four times elements as `w`": _of_length(lambda length: VectorType((4 * length,), I8)),
    },
)
DIALECT: Final = load_described("x86vector", CODE)
