"""What MLIR's verifiers say of the operations of complex."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.attributes import ArrayAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import ComplexType, FloatType, IntegerType, Type
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import verifies


@verifies("complex.constant")
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


@verifies("complex.bitcast")
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
