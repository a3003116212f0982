"""The complex dialect, described in `complex.toml`: its folds, its constants, and the attribute of a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import load_described
from fathom.dialects.arith.attributes import FASTMATH
from fathom.ir.attributes import ArrayAttr, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.operation import Operation
from fathom.ir.types import ComplexType, FloatType, IntegerType, Speller, Type
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import Problem
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


def _verify_constant(op: Operation) -> Sequence[Problem]:
    value, type = op.properties["value"], op.results[0].type
    if not isinstance(value, ArrayAttr) or not isinstance(type, ComplexType):
        return ()
    if len(value.elements) != 2:
        message = "requires 'value' to be a complex constant, represented as array of two values"
        return (Problem(message),)
    real, imaginary = value.elements
    if not isinstance(real, (FloatAttr, IntegerAttr)) or not isinstance(imaginary, (FloatAttr, IntegerAttr)):
        return (Problem("requires attribute's elements to be float or integer attributes"),)
    if real.type == imaginary.type == type.element:
        return ()
    message = (
        f"requires attribute's element types ('{real.type}', '{imaginary.type}') to match the element type of the "
        f"op's return type ('{type.element}')"
    )
    return (Problem(message),)


def _verify_bitcast(op: Operation) -> Sequence[Problem]:
    source, target = op.operands[0].type, op.results[0].type
    if source == target:
        return ()
    for name, type in (("operand", source), ("result", target)):
        if not isinstance(type, (IntegerType, FloatType, ComplexType)):
            return (Problem(f"{name} must be int/float/complex"),)
    if isinstance(source, ComplexType) == isinstance(target, ComplexType):
        return (Problem("requires that either input or output has a complex type"),)
    if _width(source) != _width(target):
        return (Problem("casting bitwidths do not match"),)
    return ()


def _width(type: Type) -> int:
    """The bits of a number; a complex one has two parts."""
    if isinstance(type, ComplexType):
        return 2 * _width(type.element)
    return type.width if isinstance(type, (IntegerType, FloatType)) else 0


CODE: Final = DialectCode(
    operations={
        "bitcast": OpCode(verify=_verify_bitcast),
        "constant": OpCode(verify=_verify_constant, result_names=lambda op: ("cst",) * len(op.results)),
    },
    attribute_constraints={"FastMathFlags": FASTMATH},
    customs={"Number": CustomParameters(_read_number, _spell_number)},
)
DIALECT: Final = load_described("complex", CODE)
