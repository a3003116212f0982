"""The gpu dialect of MLIR 16: most of its operations give no names to their results.

Source of the rules: observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from fathom.editions.former import unnamed
from fathom.irdl.dialect import Dialect


def completed(dialect: Dialect) -> Dialect:
    """The dialect without most of the names."""
    return unnamed(dialect, ("gpu.shuffle",))
