"""The memref dialect: memory, and what is read from and written to it.

Source of the rules: *'memref' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import Modules
from fathom.dialects.memref import access, allocation, casts, queries, reshapes, transfers, views
from fathom.irdl.dialect import Dialect

DIALECT: Final = Dialect(
    "memref",
    operations=(
        *allocation.OPERATIONS,
        *access.OPERATIONS,
        *transfers.OPERATIONS,
        *queries.OPERATIONS,
        *casts.OPERATIONS,
        *views.OPERATIONS,
        *reshapes.OPERATIONS,
    ),
    aspects=Modules("memref"),
    complete=True,
)
