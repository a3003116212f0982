"""The complex dialect, described in `complex.toml`: its folds, its constants, and the attribute of a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import load_described
from fathom.dialects.arith.attributes import FASTMATH
from fathom.ir.attributes import FloatAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.types import ComplexType, FloatType, Speller
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.parameter_directives import CustomParameters
from fathom.irdl.readers import ParameterReader


def _read_number(reader: ParameterReader) -> Sequence[Parameter]:
    """`:f32 1.0, 2.0`: both parts, and the type that follows from theirs."""
    reader.expect(":")
    element = reader.type()
    if not isinstance(element, FloatType):
        reader.fail("element type of the complex attribute must be float like type.")
    real = reader.number(element)
    reader.expect(",")
    return real, reader.number(element), ComplexType(element)


def _spell_number(values: Sequence[Parameter], of: Speller) -> str:
    real, imaginary, _ = values
    assert isinstance(real, FloatAttr) and isinstance(imaginary, FloatAttr), "both parts are floats"
    return f":{of(real.type)} {real.spell_value()}, {imaginary.spell_value()}"


CODE: Final = DialectCode(
    operations={
        "constant": OpCode(result_names=lambda op: ("cst",) * len(op.results)),
    },
    attribute_constraints={"FastMathFlags": FASTMATH},
    customs={"Number": CustomParameters(_read_number, _spell_number)},
)
DIALECT: Final = load_described("complex", CODE)
