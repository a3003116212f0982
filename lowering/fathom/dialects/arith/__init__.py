"""The arith dialect: arithmetic on integers, floats, and vectors and tensors of them."""

from __future__ import annotations

from typing import Final

from fathom.dialects import Modules
from fathom.dialects.arith.attributes import FASTMATH, OVERFLOW
from fathom.dialects.arith.operations import OPERATIONS
from fathom.irdl.constraints import enum_reader
from fathom.irdl.dialect import Dialect

DIALECT: Final = Dialect(
    "arith",
    operations=OPERATIONS,
    attributes={"fastmath": enum_reader(FASTMATH), "overflow": enum_reader(OVERFLOW)},
    aspects=Modules("arith"),
    complete=True,
)
