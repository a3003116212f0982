"""Matrices that the threads of a warp hold together, as the registers of a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.types import MMAMatrixType
from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import LLVMStructType, is_compatible
from fathom.dialects.nvvm import case
from fathom.dialects.nvvm.matrices import INPUTS, PRODUCTS, SUMS, registers
from fathom.ir.attributes import FloatAttr, i32_attr, i64_attr
from fathom.ir.floats import nan
from fathom.ir.types import F64, I1, I32, FloatType, IntegerType, MemRefType, VectorType, element_type
from fathom.irdl.cases import word_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element_address
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.dialects.nvvm.matrices import Shape
    from fathom.ir.attributes import Attribute, UnitAttr
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops import gpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_UNSUPPORTED: Final = Failure("Unsupported WMMA variant.")
_NOT_LLVM: Final = Failure("cannot convert if operands aren't of LLVM type.")


def _element(type: MMAMatrixType) -> str:
    """What the instructions call the elements of a matrix."""
    match type.element:
        case FloatType("f32"):
            return "f32" if type.operand == "COp" else "tf32"
        case FloatType(name):
            return name
        case IntegerType(8, signedness):
            return f"{signedness}8"
        case _:
            return "s32"


def _fragment(type: MMAMatrixType) -> str:
    return type.operand[0].lower()


def matrix_type(type: MMAMatrixType) -> Type:
    """The registers in a struct; one of `f64` stands alone."""
    rows, columns = type.shape
    fragment = _fragment(type)
    # Only the rows of a, or the columns of b, count for how many registers there are.
    register, count = registers(_element(type), fragment, (rows, columns, 0))
    return F64 if register == F64 and count == 1 else LLVMStructType((register,) * count)


def convert_matrix(type: Type) -> Type | None:
    """The struct of a matrix's registers."""
    return matrix_type(type) if isinstance(type, MMAMatrixType) else None


def _complete(type: MMAMatrixType) -> Shape | None:
    """The extents m, n and k of a product with such a matrix, of which the instruction follows; None if there is
    none."""
    fragment, (rows, columns) = _fragment(type), type.shape
    places = {"a": (0, 2), "b": (2, 1), "c": (0, 1)}[fragment]
    shapes = (SUMS if fragment == "c" else INPUTS).get(_element(type), ())
    return next((s for s in shapes if (s[places[0]], s[places[1]]) == (rows, columns)), None)


def _layout(transposed: UnitAttr | None) -> Attribute:
    return case("MMALayoutAttr", "row" if transposed is None else "col")


def _extents(shape: Shape) -> dict[str, Attribute]:
    return dict(zip("mnk", map(i32_attr, shape), strict=True))


def _are_llvm(operands: Sequence[Value]) -> bool:
    return all(is_compatible(operand.type) for operand in operands)


def _matrix(value: Value) -> MMAMatrixType:
    assert isinstance(value.type, MMAMatrixType), "a verified operation works on matrices"
    return value.type


def _place(
    memref: Value, operands: Sequence[Value], leading: Attribute, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> tuple[Value, Value]:
    """The address of the first element, and how far rows are apart."""
    descriptor, *indices = operands
    assert isinstance(memref.type, MemRefType), "matrices lie in memrefs"
    address = element_address(rewriter, types, descriptor, memref.type, indices)
    return address, emit.constant(rewriter, I32, leading)


@named("WmmaLoadOpToNVVMLowering")
def load(
    op: ops.SubgroupMmaLoadMatrixOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_mma_load_matrix` becomes `nvvm.wmma.load`."""
    type = _matrix(op.res)
    shape = _complete(type)
    if not _are_llvm(operands):
        return _NOT_LLVM
    if shape is None:
        return _UNSUPPORTED
    address, stride = _place(op.srcMemref, operands, op.leadDimension, rewriter, types)
    properties = {
        **_extents(shape),
        "layout": _layout(op.transpose),
        "eltype": case("MMATypesAttr", _element(type)),
        "frag": case("MMAFragAttr", _fragment(type)),
    }
    rewriter.replace_with(op, "nvvm.wmma.load", [address, stride], [matrix_type(type)], properties)
    return None


@named("WmmaStoreOpToNVVMLowering")
def store(
    op: ops.SubgroupMmaStoreMatrixOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_mma_store_matrix` becomes `nvvm.wmma.store`."""
    type = _matrix(op.src)
    shape = _complete(type)
    if not _are_llvm(operands):
        return _NOT_LLVM
    if shape is None:
        return _UNSUPPORTED
    values = _unpacked(operands[0], rewriter)
    address, stride = _place(op.dstMemref, operands[1:], op.leadDimension, rewriter, types)
    properties = {
        **_extents(shape),
        "layout": _layout(op.transpose),
        "eltype": case("MMATypesAttr", _element(type)),
    }
    rewriter.replace_with(op, "nvvm.wmma.store", [address, *values, stride], (), properties)
    return None


def _unpacked(value: Value, rewriter: ConversionRewriter) -> list[Value]:
    """The registers of a matrix."""
    if not isinstance(value.type, LLVMStructType):
        return [value]
    fields = value.type.body or ()
    return [emit.extract(rewriter, value, type, place) for place, type in enumerate(fields)]


@named("WmmaMmaOpToNVVMLowering")
def multiply(
    op: ops.SubgroupMmaComputeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_mma_compute` becomes `nvvm.wmma.mma`."""
    a, b, c = (_matrix(value) for value in (op.opA, op.opB, op.opC))
    shape = (*c.shape, a.shape[1])
    if not _are_llvm(operands):
        return _NOT_LLVM
    if shape not in INPUTS.get(_element(a), ()) or _element(c) not in PRODUCTS[_element(a)]:
        return _UNSUPPORTED
    if _element(a) != _element(b):
        return Failure("WMMA compute op input matrix element types must match.")
    values = [register for operand in operands for register in _unpacked(operand, rewriter)]
    properties = {
        **_extents(shape),
        "layoutA": _layout(op.a_transpose),
        "layoutB": _layout(op.b_transpose),
        "eltypeA": case("MMATypesAttr", _element(a)),
        "eltypeB": case("MMATypesAttr", _element(c)),
    }
    rewriter.replace_with(op, "nvvm.wmma.mma", values, [operands[2].type], properties)
    return None


@named("WmmaConstantOpToNVVMLowering")
def constant(
    op: ops.SubgroupMmaConstantMatrixOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """`gpu.subgroup_mma_constant_matrix %x` becomes a struct of registers, in all of which the number stands."""
    if not _are_llvm(operands):
        return _NOT_LLVM
    (value,), type = operands, matrix_type(_matrix(op.res))
    fields = type.body if isinstance(type, LLVMStructType) else None
    if fields is None:
        rewriter.replace(op, [value])
        return None
    if isinstance(vector := fields[0], VectorType):
        filled = emit.poison(rewriter, vector)
        for place in range(vector.ranked_shape[0]):
            index = emit.i32(rewriter, place)
            filled = emit.insert_element(rewriter, filled, value, index)
        value = filled
    rewriter.replace(op, [_packed([value] * len(fields), type, rewriter)])
    return None


def _packed(values: Sequence[Value], type: Type, rewriter: ConversionRewriter) -> Value:
    struct = emit.poison(rewriter, type)
    for place, value in enumerate(values):
        struct = emit.insert(rewriter, struct, value, place)
    return struct


@named("WmmaElementwiseOpToNVVMLowering")
def elementwise(
    op: ops.SubgroupMmaElementwiseOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.subgroup_mma_elementwise addf %a, %b` becomes an addition for each register."""
    kind, type = word_of(op.opType), matrix_type(_matrix(op.res))
    if not _are_llvm(operands):
        return _NOT_LLVM
    if kind not in _FLOATS and kind not in ("minf", "maxf"):
        return Failure(f"there is no operation on registers for {kind}")
    fields = type.body if isinstance(type, LLVMStructType) else None
    if fields is None:
        rewriter.replace(op, [_computed(kind, operands, rewriter)])
        return None
    struct = emit.poison(rewriter, type)
    for place, field in enumerate(fields):
        parts = [emit.extract(rewriter, operand, field, place) for operand in operands]
        struct = emit.insert(rewriter, struct, _computed(kind, parts, rewriter), place)
    rewriter.replace(op, [struct])
    return None


_FLOATS: Final = {"addf": "llvm.fadd", "mulf": "llvm.fmul", "divf": "llvm.fdiv"}


def _computed(kind: str, operands: Sequence[Value], rewriter: ConversionRewriter) -> Value:
    left, right = operands
    if kind in _FLOATS:
        return rewriter.create(_FLOATS[kind], [left, right], [left.type]).result
    chosen = _compare(rewriter, "olt" if kind == "minf" else "ogt", left, right)
    chosen = rewriter.create("llvm.select", [chosen, left, right], [left.type]).result
    unordered = _compare(rewriter, "uno", left, right)
    of = element_type(left.type)
    assert isinstance(of, FloatType), "floats are compared"
    none = emit.constant(rewriter, left.type, FloatAttr(nan(of.name), of))
    return rewriter.create("llvm.select", [unordered, none, chosen], [left.type]).result


def _compare(rewriter: ConversionRewriter, predicate: str, left: Value, right: Value) -> Value:
    truth = VectorType(left.type.shape, I1) if isinstance(left.type, VectorType) else I1
    properties = {"predicate": i64_attr(cases("FCmpPredicate")[predicate])}
    return rewriter.create("llvm.fcmp", [left, right], [truth], properties).result


MATRICES: Final[Mapping[str, Lower]] = {
    "gpu.subgroup_mma_load_matrix": load,
    "gpu.subgroup_mma_compute": multiply,
    "gpu.subgroup_mma_store_matrix": store,
    "gpu.subgroup_mma_constant_matrix": constant,
    "gpu.subgroup_mma_elementwise": elementwise,
}
