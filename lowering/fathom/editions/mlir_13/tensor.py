"""The tensor dialect of MLIR 13: a format writes two blanks before a region.

Source of the rules: observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode({"generate": OpCode(custom=two_way("$dynamicExtents ` ` $body attr-dict `:` type($result)"))})
