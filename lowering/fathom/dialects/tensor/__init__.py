"""The tensor dialect: making tensors, taking them apart, and seeing them in another shape.

Source of the rules: *'tensor' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.complex import materialize_constant
from fathom.dialects.tensor import elements, reshapes, slices
from fathom.dialects.tensor.folds import FOLDS
from fathom.irdl.code import DialectCode, with_folds

CODE: Final = DialectCode(
    operations=with_folds({**elements.OPERATIONS, **reshapes.OPERATIONS, **slices.OPERATIONS}, FOLDS),
    materialize_constant=materialize_constant,
)
DIALECT: Final = load_described("tensor", CODE)
