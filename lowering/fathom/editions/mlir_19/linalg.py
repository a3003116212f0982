"""The linalg dialect of MLIR 19: products of transposed matrices and functions of elements by names of their own, and a
map whose body does not see what it writes to.

Source of the rules: *'linalg' Dialect* of MLIR 19, "Operations"; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.bodies import apply
from fathom.dialects.linalg.named import BODIES
from fathom.dialects.linalg.named import OPERATIONS as NAMED_OPERATIONS
from fathom.dialects.linalg.payloads import OPERATIONS as PAYLOAD_OPERATIONS
from fathom.dialects.linalg.payloads import payload_syntax
from fathom.editions.named_operations import function_code, named_code
from fathom.irdl.code import DialectCode
from fathom.records import replace

_PRODUCT: Final = BODIES["multiplied"]
CODE: Final = DialectCode(
    {
        name: named_code(_PRODUCT, 3)
        for name in (
            "batch_matmul_transpose_a",
            "batch_matmul_transpose_b",
            "matmul_transpose_a",
            "matmul_transpose_b",
            "matmul_unsigned",
        )
    }
    | {
        "elemwise_binary": function_code("add", 3),
        "elemwise_unary": function_code("exp", 2),
        "fill": replace(NAMED_OPERATIONS["fill"], custom=named_code(apply("cast_signed", 0), 2).custom),
        "map": replace(PAYLOAD_OPERATIONS["map"], custom=payload_syntax("", init_first=False, sees_output=False)),
    }
)
WITHOUT: Final = ("linalg.fill", "linalg.map")
"""What fills may have another type than what is filled."""
