"""The scf dialect: structured control flow.

Source of the rules: *'scf' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import Modules
from fathom.dialects.scf import branches, loops, parallel
from fathom.irdl.dialect import Dialect

DIALECT: Final = Dialect(
    "scf",
    operations=(*loops.OPERATIONS, *branches.OPERATIONS, *parallel.OPERATIONS),
    aspects=Modules("scf"),
    complete=True,
)
