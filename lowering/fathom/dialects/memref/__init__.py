"""The memref dialect: memory, and what is read from and written to it.

Source of the rules: *'memref' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.memref import access, allocation, casts, queries, reshapes, transfers, views
from fathom.irdl.code import DialectCode

_FAMILIES: Final = (allocation, access, transfers, queries, casts, views, reshapes)
CODE: Final = DialectCode(
    {name: code for family in _FAMILIES for name, code in family.CODE.items()},
    directives={"GlobalMemrefOpTypeAndInitialValue": allocation.INITIAL_VALUE},
)
DIALECT: Final = load_described("memref", CODE)
