"""The tensor dialect: making tensors, taking them apart, and seeing them in another shape.

Source of the rules: *'tensor' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.tensor import elements
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(elements.OPERATIONS)
DIALECT: Final = load_described("tensor", CODE)
