"""The tensor dialect of MLIR 15: results have no names of their own yet, and lists of sizes are arrays.

Source of the rules: *'tensor' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.editions.mlir_15.index_lists import DIRECTIVES
from fathom.irdl.code import DialectCode

completed = unnamed
CODE: Final = DialectCode(directives=DIRECTIVES)
WITHOUT: Final = ("tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice")
"""Slices may go beyond what they are taken of."""
