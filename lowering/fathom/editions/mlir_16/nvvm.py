"""nvvm as MLIR 16 has it."""

from __future__ import annotations

from typing import Final

from fathom.irdl.verifying import AttributeChecks

ATTRIBUTE_CHECKS: Final = AttributeChecks()
"""How many threads a kernel has, it says in a list."""
