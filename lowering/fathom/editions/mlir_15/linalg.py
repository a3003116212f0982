"""The linalg dialect of MLIR 15: results and arguments of regions have no names of their own yet.

Source of the rules: *'linalg' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.editions.mlir_15.index_lists import DIRECTIVES
from fathom.irdl.code import DialectCode

completed = unnamed
CODE: Final = DialectCode(directives=DIRECTIVES)
WITHOUT: Final = ("linalg.batch_matmul", "linalg.matmul", "linalg.matvec", "linalg.mmt4d", "linalg.vecmat")
"""Products of which one factor is cast as a number without a sign."""
