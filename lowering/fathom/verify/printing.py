"""How to print an operation of which nobody has said that it is valid.

The code of a definition that writes an operation in its own form may count on what the definition says of it. So an
operation that is not valid, or that has one in it, is written in the generic form. Source of the rule: observed
behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import Operation
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.records import replace
from fathom.verify.verifier import verify

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


def flags_for(op: Operation, flags: PrintingFlags = DEFAULT_FLAGS, context: Definitions | None = None) -> PrintingFlags:
    """The flags to print `op` with: those that are given, in the generic form if it is not valid."""
    if flags.generic or not any(diagnostic.severity == "error" for diagnostic in verify(op, context=context)):
        return flags
    return replace(flags, generic=True)
