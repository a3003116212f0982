"""The tosa dialect, described in `mlir-22/tosa.toml`: operations on tensors that machine learning is made of."""

from __future__ import annotations

from typing import Final

from fathom.dialects import DESCRIBED
from fathom.dialects.tosa.control import COND_IF, WHILE_LOOP
from fathom.dialects.tosa.syntax import syntaxes
from fathom.dialects.tosa.variables import VARIABLE, resolve_variable
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.description import read_description
from fathom.irdl.parametric import Parametric


def _attribute(class_name: str) -> Parametric:
    return DESCRIPTION.attributes[class_name]


CODE: Final = DialectCode(
    operations={
        **{name: OpCode(custom=syntax) for name, syntax in syntaxes(_attribute).items()},
        "cond_if": OpCode(custom=COND_IF),
        "while_loop": OpCode(custom=WHILE_LOOP),
        "variable": OpCode(resolve=resolve_variable),
    },
    directives={"VariableOpTypeOrInitialValue": VARIABLE},
)
DESCRIPTION: Final = read_description(DESCRIBED / "tosa.toml", CODE)
DIALECT: Final = DESCRIPTION.dialect()
