"""The linalg dialect: computations on tensors and buffers as loops around a body.

Source of the rules: *'linalg' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import DESCRIBED
from fathom.dialects.arith import materialize_constant
from fathom.dialects.linalg import contractions, leaves, operations, payloads, relayout, winograd
from fathom.dialects.linalg.effects import with_effects
from fathom.dialects.linalg.folds import with_folds
from fathom.dialects.linalg.generic import GENERIC
from fathom.irdl.code import DialectCode
from fathom.irdl.description import read_description

CODE: Final = DialectCode(
    operations=with_folds(
        with_effects(
            {
                "generic": GENERIC,
                **operations.OPERATIONS,
                **contractions.OPERATIONS,
                **payloads.OPERATIONS,
                **leaves.OPERATIONS,
                **relayout.OPERATIONS,
                **winograd.OPERATIONS,
            }
        )
    ),
    materialize_constant=materialize_constant,
)
DESCRIPTION: Final = read_description(DESCRIBED / "linalg.toml", CODE)
DIALECT: Final = DESCRIPTION.dialect()
