"""What MLIR's verifiers say of the operations of complex."""

from __future__ import annotations

from fathom.ir.attributes import FloatAttr, IntegerAttr
from fathom.ir.types import ComplexType, FloatType, IntegerType, Type, element_width
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.complex import BitcastOp, ConstantOp


@verifies("complex.constant")
def _verify_constant(op: ConstantOp) -> Complaint:
    elements, type = op.value.elements, op.result.type
    if len(elements) != 2:
        return "requires 'value' to be a complex constant, represented as array of two values"
    real, imaginary = elements
    if not isinstance(real, (FloatAttr, IntegerAttr)) or not isinstance(imaginary, (FloatAttr, IntegerAttr)):
        return "requires attribute's elements to be float or integer attributes"
    if not isinstance(type, ComplexType) or real.type == imaginary.type == type.element:
        return None
    return (
        f"requires attribute's element types ('{real.type}', '{imaginary.type}') to match the element type of the "
        f"op's return type ('{type.element}')"
    )


@verifies("complex.bitcast")
def _verify_bitcast(op: BitcastOp) -> Complaint:
    source, target = op.operand.type, op.result.type
    if source == target:
        return None
    for name, type in (("operand", source), ("result", target)):
        if not isinstance(type, (IntegerType, FloatType, ComplexType)):
            return f"{name} must be int/float/complex"
    if isinstance(source, ComplexType) == isinstance(target, ComplexType):
        return "requires that either input or output has a complex type"
    if _width(source) != _width(target):
        return "casting bitwidths do not match"
    return None


def _width(type: Type) -> int:
    """The bits of a number; a complex one has two parts."""
    if isinstance(type, ComplexType):
        return 2 * _width(type.element)
    return element_width(type)
