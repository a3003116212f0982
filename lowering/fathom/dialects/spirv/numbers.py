"""Operations on numbers whose types are related in ways that no trait says.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import StructType, bits_of, count_of
from fathom.dialects.spirv.words import spelling
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Checks, Complaint, verifies, without_name
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.verifying import Complaint

# ---- dot products of integers


@verifies("spirv.SDot", "spirv.SUDot", "spirv.UDot", "spirv.SDotAccSat", "spirv.SUDotAccSat", "spirv.UDotAccSat")
def _dot(op: Operation) -> Complaint:
    factor, result = op.operands[0].type, op.result.type
    is_packed = op.attribute("format") is not None
    if isinstance(factor, IntegerType):
        if not is_packed:
            return "requires Packed Vector Format attribute for integer vector operands"
        if factor.width != 32:
            format = f"with specified Packed Vector Format ({spelling(op, 'format', 'PackedVectorFormat')})"
            return f"{format} requires integer vector operands to be 32-bits wide"
    elif is_packed:
        return f"with invalid format attribute for vector operands of type '{factor}'"
    given, made = bits_of(factor), bits_of(result)
    if given is not None and made is not None and given > made:
        insufficient = f"result type has insufficient bit-width ({made} bits)"
        return f"{insufficient} for the specified vector operand type ({given} bits)"
    return None


# ---- shifts, products, choices


def _shift(op: ops.ShiftLeftLogicalOp | ops.ShiftRightArithmeticOp | ops.ShiftRightLogicalOp) -> Complaint:
    given, result = op.operand1.type, op.result.type
    if given != result:
        return f"expected the same type for the first operand and result, but provided '{given}' and '{result}'"
    return None


@verifies("spirv.VectorTimesScalar")
def _times_scalar(op: ops.VectorTimesScalarOp) -> Complaint:
    vector, scalar, result = op.vector.type, op.scalar.type, op.result.type
    if vector != result:
        return "vector operand and result type mismatch"
    if isinstance(result, VectorType) and scalar != result.element:
        return "scalar operand and result element type match"
    return None


@verifies("spirv.Select")
def _select(op: ops.SelectOp) -> Complaint:
    condition, result = op.condition.type, op.result.type
    if not isinstance(condition, VectorType):
        return None
    if not isinstance(result, VectorType):
        return "result expected to be of vector type when condition is of vector type"
    if count_of(result) != count_of(condition):
        return "result should have the same number of elements as the condition when condition is of vector type"
    return None


# ---- numbers in two parts


@verifies("spirv.GL.FrexpStruct")
def _split(op: ops.GLFrexpStructOp) -> Complaint:
    """Of a float as its significand and exponent."""
    struct, given = op.result.type, op.operand.type
    if not isinstance(struct, StructType) or struct.members is None:
        return None
    if len(struct.members) != 2:
        return bare("result type must be a struct type with two memebers")
    significand, exponent = (member.type for member in struct.members)
    if significand != given:
        return bare("member zero of the resulting struct type must be the same type as the operand")
    if isinstance(exponent, VectorType):
        if not _is_word(exponent.element):
            return bare("member one of the resulting struct type mustbe a scalar or vector of 32 bit integer type")
    elif not _is_word(exponent):
        return bare("member one of the resulting struct type must be a scalar or vector of 32 bit integer type")
    if isinstance(given, VectorType) and isinstance(exponent, VectorType) and count_of(given) == count_of(exponent):
        return None
    if not isinstance(given, FloatType) or not isinstance(exponent, IntegerType):
        same = "the same number of components as the operand type"
        return bare(f"member one of the resulting struct type must have {same}")
    return None


def _is_word(type: Type) -> bool:
    return isinstance(type, IntegerType) and type.width == 32


@verifies("spirv.GL.Ldexp")
def _join(op: ops.GLLdexpOp) -> Complaint:
    significand, exponent = (value.type for value in op.operands)
    if isinstance(significand, FloatType) is not isinstance(exponent, IntegerType):
        return "operands must both be scalars or vectors"
    if (count_of(significand) or 1) != (count_of(exponent) or 1):
        return "operands must have the same number of elements"
    return None


VERIFY: Final[Checks] = {
    **dict.fromkeys(
        ("spirv.ShiftLeftLogical", "spirv.ShiftRightArithmetic", "spirv.ShiftRightLogical"), without_name(_shift)
    ),
}
