"""dlti as MLIR 16 has it."""

from __future__ import annotations

from typing import Final

from fathom.irdl.verifying import AttributeChecks

ATTRIBUTE_CHECKS: Final = AttributeChecks()
"""The sizes in a layout have 32 bits, and which names mean something is not told yet."""
