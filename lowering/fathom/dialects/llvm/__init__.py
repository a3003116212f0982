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
from fathom.dialects.llvm.attribute_checks import CHECKS
from fathom.dialects.llvm.attributes import ATTRIBUTES
from fathom.dialects.llvm.described import DESCRIBED
from fathom.dialects.llvm.type_syntax import TYPES, unknown_type
from fathom.irdl.dialect import Dialect, Joined

OPERATIONS: Final = {
    operation.name: operation
    for operation in (
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
    )
}

DIALECT: Final = Dialect(
    "llvm",
    complete=True,
    admits=True,
    operations=Joined(OPERATIONS, DESCRIBED.by_name),
    types=TYPES,
    attributes=Joined(ATTRIBUTES, DESCRIBED.attributes),
    attribute_checks=CHECKS,
    unknown_type=unknown_type,
    materialize_constant=constants.materialize_constant,
)
