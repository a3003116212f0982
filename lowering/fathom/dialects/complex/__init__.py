"""The complex dialect, described in `complex.toml`: its folds, its constants, and the attribute of a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import arith
from fathom.dialects.arith.attributes import FASTMATH
from fathom.dialects.complex.folds import FOLDERS
from fathom.ir.attributes import ArrayAttr, Attribute, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.operation import Operation, Span
from fathom.ir.types import ComplexType, FloatType, IntegerType, Speller, Type
from fathom.irdl.build import create
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.description import load_dialect
from fathom.irdl.dialect import Definitions
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


def _is_constant_of(attribute: Attribute, type: Type) -> bool:
    """Whether `complex.constant` can hold the attribute as a value of the type."""
    if not isinstance(attribute, ArrayAttr) or not isinstance(type, ComplexType) or len(attribute.elements) != 2:
        return False
    return any(
        all(isinstance(part, kind) and part.type == type.element for part in attribute.elements)
        for kind in (FloatAttr, IntegerAttr)
    )


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`complex.constant` for a pair of numbers, `arith.constant` for what that holds, None for anything else."""
    if _is_constant_of(attribute, type):
        return create(context, "complex.constant", (), [type], {"value": attribute}, span=span)
    return arith.materialize_constant(context, attribute, type, span)


CODE: Final = DialectCode(
    operations={
        **{name: OpCode(fold=fold) for name, fold in FOLDERS.items() if name not in ("bitcast", "constant")},
        "bitcast": OpCode(verify=_verify_bitcast, fold=FOLDERS["bitcast"]),
        "constant": OpCode(
            verify=_verify_constant, fold=FOLDERS["constant"], result_names=lambda op: ("cst",) * len(op.results)
        ),
    },
    attribute_constraints={"FastMathFlags": FASTMATH},
    customs={"Number": CustomParameters(_read_number, _spell_number)},
    materialize_constant=materialize_constant,
)
DIALECT: Final = load_dialect(__file__, CODE)
