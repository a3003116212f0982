"""The math dialect, described in `math.toml`, and the flags that it shares with arith."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.arith.attributes import FASTMATH
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(attribute_constraints={"FastMathFlags": FASTMATH})
DIALECT: Final = load_described("math", CODE)
