"""What the cf dialect says of folding: constants are those of arith."""

from __future__ import annotations

from typing import Final

from fathom.dialects.arith.folds import materialize_constant

MATERIALIZE_CONSTANT: Final = materialize_constant
