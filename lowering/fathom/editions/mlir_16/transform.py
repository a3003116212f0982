"""The transform dialect of MLIR 16: most handles are of one type, which goes without saying.

Source of the rules: *Transform Dialect* of MLIR 16; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.code import DialectCode
from fathom.irdl.parametric import CustomBody

CODE: Final = DialectCode(bodies={"OperationType": CustomBody((), lambda _: [], lambda _values, _of: "")})
