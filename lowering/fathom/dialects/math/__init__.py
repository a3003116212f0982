"""The math dialect, described in `math.toml`: its folds, and the flags that it shares with arith."""

from __future__ import annotations

from typing import Final

from fathom.dialects.arith import materialize_constant
from fathom.dialects.arith.attributes import FASTMATH
from fathom.dialects.math.folds import FOLDERS
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.description import load_dialect

CODE: Final = DialectCode(
    operations={name: OpCode(fold=fold) for name, fold in FOLDERS.items()},
    attribute_constraints={"FastMathFlags": FASTMATH},
    materialize_constant=materialize_constant,
)
DIALECT: Final = load_dialect(__file__, CODE)
