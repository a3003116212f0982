"""Matrices and cooperative matrices.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import CooperativeMatrixType, MatrixType, PointerType, cases, count_of, is_scalar
from fathom.dialects.spirv.words import number
from fathom.ir.types import IntegerType, UnknownType, VectorType, element_type
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.irdl.verifying import Complaint


@verifies("spirv.MatrixTimesScalar")
def _times_scalar(op: ops.MatrixTimesScalarOp) -> Complaint:
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


VERIFY: Final[Checks] = {
    "spirv.KHR.CooperativeMatrixLoad": _access("MakePointerAvailable"),
    "spirv.KHR.CooperativeMatrixStore": _access("MakePointerVisible"),
}
