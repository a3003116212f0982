"""The linalg dialect: computations on tensors and buffers as loops around a body.

Source of the rules: *'linalg' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.linalg import contractions, named, payloads, relayout
from fathom.dialects.linalg.generic import GENERIC, YIELD
from fathom.dialects.linalg.structured import with_effects
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(
    operations=with_effects(
        {
            "generic": GENERIC,
            **named.OPERATIONS,
            **contractions.OPERATIONS,
            **payloads.OPERATIONS,
            "yield": YIELD,
            **relayout.OPERATIONS,
        }
    ),
)
DESCRIPTION: Final = description_of("linalg", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("contractions", "payloads", "relayout", "structured")
