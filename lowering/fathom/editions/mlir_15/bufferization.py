"""The bufferization dialect of MLIR 15: nothing has a name of its own yet, and who writes what is said in other ways.

Source of the rules: *'bufferization' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.former import unnamed
from fathom.irdl.verifying import AttributeChecks

completed = unnamed
ATTRIBUTE_CHECKS: Final = AttributeChecks()
