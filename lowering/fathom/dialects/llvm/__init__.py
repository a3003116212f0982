"""The LLVM dialect: its types, attributes, and the operations that lowering produces and that LLVM IR has.

Source of the rules: *'llvm' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm import (
    aggregates,
    aliases,
    arithmetic,
    calls,
    constants,
    constrained,
    control,
    exceptions,
    functions,
    intrinsics,
    memory,
    vectors,
)
from fathom.dialects.llvm.attributes import ATTRIBUTES
from fathom.dialects.llvm.described import DESCRIBED
from fathom.dialects.llvm.type_syntax import TYPES, unknown_type
from fathom.irdl.dialect import Dialect, Joined

_WRITTEN: Final = Dialect(
    "llvm",
    operations=(
        *constants.OPERATIONS,
        *arithmetic.OPERATIONS,
        *memory.OPERATIONS,
        *aggregates.OPERATIONS,
        *control.OPERATIONS,
        *functions.OPERATIONS,
        *calls.OPERATIONS,
        *exceptions.OPERATIONS,
        *aliases.OPERATIONS,
        *intrinsics.OPERATIONS,
        *vectors.OPERATIONS,
        *constrained.OPERATIONS,
    ),
    aspects=DESCRIBED.aspects,
)
"""What is not described yet."""

DIALECT: Final = Dialect(
    "llvm",
    complete=True,
    admits=True,
    operations=Joined(_WRITTEN.by_name, DESCRIBED.by_name),
    types=TYPES,
    attributes=Joined(ATTRIBUTES, DESCRIBED.attributes),
    unknown_type=unknown_type,
    aspects=DESCRIBED.aspects,
)
