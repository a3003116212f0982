"""The LLVM dialect: its types, attributes, and the operations that lowering produces and that LLVM IR has.

Source of the rules: *'llvm' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm import described
from fathom.dialects.llvm.type_syntax import TYPES, unknown_type
from fathom.records import replace

DESCRIPTION: Final = described.DESCRIPTION
DIALECT: Final = replace(DESCRIPTION.dialect(), complete=True, admits=True, types=TYPES, unknown_type=unknown_type)
VERIFY_PARTS: Final = ("calls", "constants", "control", "functions", "globals", "intrinsics", "memory", "values")
