"""The gpu dialect of MLIR 15: results have no names of their own yet.

Source of the rules: *'gpu' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

completed = unnamed
_REDUCE: Final = "($op^)? $value $body attr-dict `:` functional-type(operands, results)"
CODE: Final = DialectCode({"all_reduce": OpCode(custom=two_way(_REDUCE))})
