"""The tensor dialect of MLIR 14: code reads the reshapes, which have today's text.

Source of the rules: *'tensor' Dialect* of MLIR 14, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.editions.mlir_14.memref import RESHAPE
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode({"collapse_shape": RESHAPE, "expand_shape": RESHAPE})
