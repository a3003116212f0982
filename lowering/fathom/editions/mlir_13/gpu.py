"""The gpu dialect of MLIR 13: what asks for places and sizes, and what works on all of a group, has the generic form
only.

Source of the rules: *'gpu' Dialect* of MLIR 13, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.code import DialectCode, OpCode

_GENERIC: Final = ("all_reduce", "block_dim", "block_id", "grid_dim", "shuffle", "thread_id")
CODE: Final = DialectCode(dict.fromkeys(_GENERIC, OpCode()))
