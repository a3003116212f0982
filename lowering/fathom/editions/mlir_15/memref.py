"""The memref dialect of MLIR 15: results have no names of their own yet, and layouts of views are maps.

Source of the rules: *'memref' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.editions.mlir_15.index_lists import DIRECTIVES
from fathom.irdl.code import DialectCode

completed = unnamed
CODE: Final = DialectCode(directives=DIRECTIVES)
WITHOUT: Final = ("memref.reinterpret_cast", "memref.subview", "memref.transpose")
"""Views may go beyond what they are taken of, and their layouts are other maps than MLIR 22 works out."""
