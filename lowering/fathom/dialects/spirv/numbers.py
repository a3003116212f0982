"""Operations on numbers, vectors and matrices.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import (
    CooperativeMatrixType,
    MatrixType,
    PointerType,
    StructType,
    bits_of,
    cases,
    count_of,
    is_scalar,
)
from fathom.dialects.spirv.words import number, spelling
from fathom.ir.types import FloatType, IntegerType, Type, UnknownType, VectorType, element_type
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Check, Checks, Complaint, verifies, without_name
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.verifying import Complaint


# ---- operands and result of one type


def _parse_alike(parser: OpParser, parsed: ParsedOp) -> bool:
    """`%a, %b, %c : f32`, or `(%a, %b, %c) : (f32, f32, f32) -> f32`."""
    is_generic = parser.at("(")
    parsed.operands["operands"] = parser.value_list() if is_generic else parser.bare_value_list()
    parser.attr_dict(parsed)
    parser.expect(":")
    if is_generic:
        parsed.types["inputs"], parsed.types["results"] = parser.functional_type()
    else:
        parsed.types["results"] = [parser.type()]
    return is_generic


def _resolve_alike(resolver: Resolver, parsed: ParsedOp, is_generic: bool) -> None:
    tokens = parsed.operands["operands"]
    resolver.result_types = resolver.types(parsed.types["results"])
    inputs = resolver.types(parsed.types["inputs"]) if is_generic else resolver.result_types * len(tokens)
    resolver.operands = resolver.operand_list(tokens, inputs)


def _print_alike(op: ops.GLFClampOp | ops.GLFmaOp | ops.GLSClampOp | ops.GLUClampOp, p: OpPrinter) -> None:
    result = op.result.type
    if any(value.type != result for value in op.operands):
        p.write("(")
        p.values(op.operands)
        p.write(")")
        p.attr_dict(op)
        p.write(" : ")
        p.functional_type([value.type for value in op.operands], [result])
        return
    p.write(" ")
    p.values(op.operands)
    p.attr_dict(op)
    p.write(" : ")
    p.type(result)


_ALIKE: Final = CustomSyntax(_parse_alike, _print_alike, _resolve_alike)

# ---- results in a struct of two


def _resolve_extended(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    node = parsed.types["result"][0]
    type, tokens = resolver.type(node), parsed.operands["operands"]
    resolver.result_types = [type]
    if isinstance(type, UnknownType):
        resolver.operands = [resolver.operand(token) for token in tokens]
        return
    if not isinstance(type, StructType) or len(type.members or ()) != 2:
        resolver.fail(f"custom op '{parsed.name}' expected spirv.struct type with two members", node.start)
    assert type.members is not None, "it has two members"
    resolver.operands = resolver.operand_list(tokens, [type.members[0].type] * 2)


@verifies("spirv.IAddCarry", "spirv.ISubBorrow", "spirv.SMulExtended", "spirv.UMulExtended")
def _verify_extended(op: ops.IAddCarryOp | ops.ISubBorrowOp | ops.SMulExtendedOp | ops.UMulExtendedOp) -> Complaint:
    type = op.result.type
    if not isinstance(type, StructType):
        return None
    members = type.members or ()
    if len(members) != 2:
        return "expected result struct type containing two members"
    types = {value.type for value in op.operands} | {member.type for member in members}
    return "expected all operand types and struct member types are the same" if len(types) > 1 else None


_EXTENDED: Final = OpCode(custom=two_way("` ` attr-dict `` operands `:` qualified(type($result))", _resolve_extended))


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


@verifies("spirv.MatrixTimesScalar")
def _matrix_times_scalar(op: ops.MatrixTimesScalarOp) -> Complaint:
    matrix, scalar = (value.type for value in op.operands)
    if isinstance(matrix, (MatrixType, CooperativeMatrixType)) and matrix.element != scalar:
        return "input matrix components' type and scaling value must have the same type"
    return None


@verifies("spirv.Transpose", bare=True)
def _transpose(op: ops.TransposeOp) -> Complaint:
    given, result = op.matrix.type, op.result.type
    if not isinstance(given, MatrixType) or not isinstance(result, MatrixType):
        return None
    if given.rows != result.count:
        return "input matrix rows count must be equal to output matrix columns count"
    if given.count != result.rows:
        return "input matrix columns count must be equal to output matrix rows count"
    if given.element != result.element:
        return "input and output matrices must have the same component type"
    return None


@verifies("spirv.MatrixTimesVector")
def _times_vector(op: ops.MatrixTimesVectorOp) -> Complaint:
    matrix, vector, result = op.matrix.type, op.vector.type, op.result.type
    if not isinstance(matrix, MatrixType):
        return None
    if matrix.count != count_of(vector):
        return f"matrix columns ({matrix.count}) must match vector operand size ({count_of(vector)})"
    if matrix.rows != count_of(result):
        return f"result size ({count_of(result)}) must match the matrix rows ({matrix.rows})"
    if matrix.element != element_type(result):
        return "matrix and result element types must match"
    return None


@verifies("spirv.VectorTimesMatrix")
def _vector_times(op: ops.VectorTimesMatrixOp) -> Complaint:
    vector, matrix, result = op.vector.type, op.matrix.type, op.result.type
    if not isinstance(matrix, MatrixType):
        return None
    if matrix.rows != count_of(vector):
        return "number of components in vector must equal the number of components in each column in matrix"
    if matrix.count != count_of(result):
        return "number of columns in matrix must equal the number of components in result"
    if matrix.element != element_type(result):
        return "matrix must be a matrix with the same component type as the component type in result"
    return None


@verifies("spirv.MatrixTimesMatrix", bare=True)
def _times_matrix(op: ops.MatrixTimesMatrixOp) -> Complaint:
    left, right, result = op.leftmatrix.type, op.rightmatrix.type, op.result.type
    if not isinstance(left, MatrixType) or not isinstance(right, MatrixType) or not isinstance(result, MatrixType):
        return None
    if left.count != right.rows:
        return "left matrix columns' count must be equal to the right matrix rows' count"
    if right.count != result.count:
        return "right and result matrices must have equal columns' count"
    if right.element != result.element:
        return "right and result matrices' component type must be the same"
    if left.element != result.element:
        return "left and result matrices' component type must be the same"
    if left.rows != result.rows:
        return "left and result matrices must have equal rows' count"
    return None


# ---- cooperative matrices


def _access(forbidden: str) -> Check:
    """Of loads and stores; `forbidden` is the kind of access that they do not have."""

    def check(op: ops.KHRCooperativeMatrixLoadOp | ops.KHRCooperativeMatrixStoreOp) -> Complaint:
        pointer = op.pointer.type
        pointee = pointer.pointee if isinstance(pointer, PointerType) else UnknownType("")
        if not isinstance(pointee, (UnknownType, VectorType)) and not is_scalar(pointee):
            return f"Pointer must point to a scalar or vector type but provided '{pointee}'"
        access, words = number(op, "memory_operand"), cases("MemoryAccess")
        if access is None:
            return None
        if access & words[forbidden]:
            return f"not compatible with memory operand '{forbidden}'"
        is_aligned, has_alignment = bool(access & words["Aligned"]), op.alignment is not None
        if is_aligned and not has_alignment:
            return "missing value for the 'Aligned' memory operand"
        if has_alignment and not is_aligned:
            return "found alignment attribute for non-'Aligned' memory operand"
        return None

    return check


@verifies("spirv.KHR.CooperativeMatrixMulAdd")
def _multiply_add(op: ops.KHRCooperativeMatrixMulAddOp) -> Complaint:
    matrices = [value.type for value in op.operands if isinstance(value.type, CooperativeMatrixType)]
    if len(matrices) != 3:
        return None
    for index, (matrix, use) in enumerate(zip(matrices, ("MatrixA", "MatrixB", "MatrixAcc"), strict=True)):
        if matrix.use != use:
            return f"operand #{index} must be of use '{use}'"
    if len({matrix.scope for matrix in matrices}) > 1:
        return "matrix scope mismatch"
    (rows, inner), (height, columns), sums = (matrix.ranked_shape for matrix in matrices)
    for dimension, first, second in (("M", rows, sums[0]), ("N", columns, sums[1]), ("K", inner, height)):
        if first != second:
            return f"matrix size mismatch on dimension '{dimension}'"
    of_integers = all(isinstance(matrix.element, IntegerType) for matrix in matrices)
    if op.matrix_operands is not None and not of_integers:
        return "Matrix Operands require all matrix element types to be Integer Types"
    return None


CODE: Final = {
    **{name: OpCode(custom=_ALIKE) for name in ("GL.FClamp", "GL.Fma", "GL.SClamp", "GL.UClamp")},
    **dict.fromkeys(("IAddCarry", "ISubBorrow", "SMulExtended", "UMulExtended"), _EXTENDED),
}


VERIFY: Final[Checks] = {
    **dict.fromkeys(
        ("spirv.ShiftLeftLogical", "spirv.ShiftRightArithmetic", "spirv.ShiftRightLogical"), without_name(_shift)
    ),
    "spirv.KHR.CooperativeMatrixLoad": _access("MakePointerAvailable"),
    "spirv.KHR.CooperativeMatrixStore": _access("MakePointerVisible"),
}
