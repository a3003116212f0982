"""The memref dialect: memory, and what is read from and written to it.

Source of the rules: *'memref' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.memref import access, allocation, queries, transfers, views
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(
    {**allocation.CODE, **access.CODE, **transfers.CODE, **queries.CODE, **views.CODE},
    directives={
        **access.DIRECTIVES,
        "GlobalMemrefOpTypeAndInitialValue": allocation.INITIAL_VALUE,
        "Permutation": views.PERMUTATION,
    },
)
DIALECT: Final = load_described("memref", CODE)
VERIFY_PARTS: Final = ("access", "allocation", "casts", "queries", "reshapes", "transfers", "views")
