"""The quant dialect, described in `mlir-22/quant.toml`: its types, which have no definition there, and its
verifiers.

Source of the rules: *'quant' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.quant import verify as checks
from fathom.dialects.quant.types import TYPES, unknown_type
from fathom.irdl.code import DialectCode
from fathom.irdl.dialect import Dialect
from fathom.records import replace

CODE: Final = DialectCode(
    predicates={
        "quant_QuantizedScalarOrTensor": checks.is_quantized,
        "quant_IntegerOrQuantizedScalarOrTensor": checks.is_quantized_or_integer,
    },
    relations={
        "input and result are both scalars or both tensors with matching shape": checks.same_shape,
        "input must be integer and result must be quantized, or vice versa": checks.one_is_quantized,
    },
)


def completed(described: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(described, types=TYPES, unknown_type=unknown_type)


DIALECT: Final = completed(load_described("quant", CODE))
