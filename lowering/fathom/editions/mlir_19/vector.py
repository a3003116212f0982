"""The vector dialect of MLIR 19: what distributes a vector over the lanes of a warp is an operation of it.

Source of the rules: *'vector' Dialect* of MLIR 19, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.gpu.launch import WARP
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode({"warp_execute_on_lane_0": OpCode(custom=WARP)})
# Vectors without dimensions may stand for scalars, and a mask may have any operation in it.
WITHOUT: Final = ("vector.insert", "vector.mask")
