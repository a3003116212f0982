"""The LLVM dialect: its types, attributes, and the operations that lowering produces and that LLVM IR has.

Source of the rules: *'llvm' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm import described
from fathom.dialects.llvm.type_syntax import TYPES, unknown_type
from fathom.irdl.dialect import Dialect
from fathom.records import replace

DESCRIPTION: Final = described.DESCRIPTION


def completed(dialect: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(dialect, complete=True, admits=True, types=TYPES, unknown_type=unknown_type)


DIALECT: Final = completed(DESCRIPTION.dialect())
VERIFY_PARTS: Final = ("calls", "constants", "control", "functions", "globals", "intrinsics", "memory", "values")
