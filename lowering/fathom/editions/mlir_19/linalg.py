"""The linalg dialect of MLIR 19: products of transposed matrices by names of their own.

Source of the rules: *'linalg' Dialect* of MLIR 19, "Operations"; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.named import BODIES
from fathom.editions.named_operations import named_code
from fathom.irdl.code import DialectCode

_PRODUCT: Final = BODIES["multiplied"]
CODE: Final = DialectCode(
    {
        name: named_code(_PRODUCT, 3)
        for name in (
            "batch_matmul_transpose_a",
            "batch_matmul_transpose_b",
            "matmul_transpose_a",
            "matmul_transpose_b",
        )
    }
)
# The region of a map has no argument for what it writes to yet.
WITHOUT: Final = ("linalg.map",)
