"""The tosa dialect, described in `mlir-22/tosa.toml`: operations on tensors that machine learning is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.tosa import control
from fathom.dialects.tosa.constraints import PREDICATES
from fathom.dialects.tosa.syntax import syntaxes
from fathom.dialects.tosa.values import TRAITS
from fathom.ir.dialect_values import Parameter
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.interfaces import ConstantLike
from fathom.irdl.parametric import Parametric
from fathom.records import replace


def _attribute(class_name: str) -> Parametric:
    return DESCRIPTION.attributes[class_name]


def _rank_problem(values: Mapping[str, Parameter]) -> str | None:
    rank = values["rank"]
    return f"invalid rank (must be >= 0): {rank}" if isinstance(rank, int) and rank < 0 else None


_CONSTANT: Final = OpCode(interfaces=(ConstantLike(lambda op: op.properties.get("values")),))
_CODE: Final[Mapping[str, OpCode]] = {
    **control.CODE,
    "const": _CONSTANT,
    "const_shape": _CONSTANT,
}
CODE: Final = DialectCode(
    operations={
        **_CODE,
        **{name: replace(_CODE.get(name, OpCode()), custom=made) for name, made in syntaxes(_attribute).items()},
    },
    predicates=PREDICATES,
    traits=TRAITS,
    directives={"VariableOpTypeOrInitialValue": control.VARIABLE},
    parameters={"shapeType": _rank_problem},
)
DESCRIPTION: Final = description_of("tosa", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("arrangement", "control", "convolutions")
