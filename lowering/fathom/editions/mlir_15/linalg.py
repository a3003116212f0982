"""The linalg dialect of MLIR 15: results and arguments of regions have no names of their own yet.

Source of the rules: *'linalg' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.bodies import Formula, apply
from fathom.dialects.linalg.named import BODIES
from fathom.editions.former import unnamed
from fathom.editions.mlir_15.index_lists import DIRECTIVES
from fathom.editions.named_operations import named_code
from fathom.irdl.code import DialectCode

completed = unnamed
_FIRST: Final[Formula] = 0
_SUM: Final = apply("add", 0, 1)
CODE: Final = DialectCode(
    {
        "elemwise_binary": named_code(_SUM, 3),
        "elemwise_unary": named_code(_FIRST, 2),
        "matmul_unsigned": named_code(BODIES["multiplied"], 3),
    },
    directives=DIRECTIVES,
)
WITHOUT: Final = ("linalg.batch_matmul", "linalg.matmul", "linalg.matvec", "linalg.vecmat")
"""Products of which one factor is cast as a number without a sign."""
