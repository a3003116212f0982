"""The tosa dialect, described in `mlir-22/tosa.toml`: operations on tensors that machine learning is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.tosa import control, syntax
from fathom.dialects.tosa.constraints import PREDICATES
from fathom.dialects.tosa.values import TRAITS
from fathom.ir.dialect_values import Parameter
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.interfaces import ConstantLike


def _rank_problem(values: Mapping[str, Parameter]) -> str | None:
    rank = values["rank"]
    return f"invalid rank (must be >= 0): {rank}" if isinstance(rank, int) and rank < 0 else None


_CONSTANT: Final = OpCode(interfaces=(ConstantLike(lambda op: op.properties.get("values")),))
CODE: Final = DialectCode(
    operations={**control.CODE, **syntax.CODE, "const": _CONSTANT, "const_shape": _CONSTANT},
    predicates=PREDICATES,
    traits=TRAITS,
    directives={"Given": control.GIVEN, "VariableOpTypeOrInitialValue": control.VARIABLE},
    parameters={"shapeType": _rank_problem},
)
DESCRIPTION: Final = description_of("tosa", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("arrangement", "control", "convolutions")
