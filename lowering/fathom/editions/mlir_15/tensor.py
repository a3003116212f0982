"""The tensor dialect of MLIR 15: nothing has a name of its own yet.

Source of the rules: *'tensor' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from fathom.editions.former import unnamed as completed

__all__ = ["completed"]
