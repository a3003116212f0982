"""The LLVM dialect: its types, attributes, and the operations that lowering produces and that LLVM IR has.

Source of the rules: *'llvm' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import ATTRIBUTES
from fathom.dialects.llvm.described import DESCRIBED
from fathom.dialects.llvm.type_syntax import TYPES, unknown_type
from fathom.irdl.lazy import Joined
from fathom.records import replace

DIALECT: Final = replace(
    DESCRIBED,
    complete=True,
    admits=True,
    types=TYPES,
    attributes=Joined(ATTRIBUTES, DESCRIBED.attributes),
    unknown_type=unknown_type,
)
