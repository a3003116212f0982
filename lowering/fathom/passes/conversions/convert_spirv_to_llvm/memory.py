"""Variables, pointers, loads and stores, and parts of composites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.dialects.spirv.types import PointerType
from fathom.dialects.spirv.words import number as number_of
from fathom.ir.attributes import UNIT, Attribute, DenseArrayAttr, IntegerAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.operation import Region
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I32, FloatType, IntegerType, Type, VectorType
from fathom.ops import spirv
from fathom.ops.llvm import MlirConstantOp
from fathom.passes.conversions.convert_spirv_to_llvm.common import NO_TYPE, typed
from fathom.passes.conversions.convert_spirv_to_llvm.types import address_space
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, defined_by, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

READ_ONLY: Final = ("Input", "UniformConstant")
GLOBAL: Final = ("Input", "Private", "Output", "StorageBuffer", "UniformConstant")
"""The storage classes of variables outside of functions that one invocation is enough for."""


def _pointee(type: Type) -> Type:
    assert isinstance(type, PointerType), "the definition demands a pointer"
    return type.pointee


@named("AccessChainPattern")
def _access_chain(
    op: spirv.AccessChainOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = spirv.AccessChain %p[%i] : !spirv.ptr<!spirv.array<4xf32>, Function>, i32 -> !spirv.ptr<f32, Function>
    becomes
        %zero = llvm.mlir.constant(0 : i32) : i32
        %r = llvm.getelementptr %p[%zero, %i] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<4 x f32>
    """
    pointer, *indices = operands
    if not indices:
        return Failure("it has no indices")
    first = op.indices[0].type
    result, index, element = (types.convert(t) for t in (op.component_ptr.type, first, _pointee(op.base_ptr.type)))
    if result is None or index is None or element is None:
        return NO_TYPE
    zero = emit.constant(rewriter, index, IntegerAttr(0, first))
    rewriter.replace(op, [emit.gep(rewriter, pointer, element, zero, *_fixed(element, indices), type=result)])
    return None


def _fixed(type: Type | None, indices: Sequence[Value]) -> list[Value | int]:
    """Which member of a struct is meant must be known: such an index is a number, where it is a constant."""
    result: list[Value | int] = []
    for index in indices:
        constant = defined_by(index, MlirConstantOp)
        if isinstance(type, LLVMStructType) and constant is not None and isinstance(constant.value, IntegerAttr):
            member = constant.value.value
            result.append(member)
            type = type.field(member) if 0 <= member < len(type.body or ()) else None
        else:
            result.append(index)
            type = type.element if isinstance(type, (LLVMArrayType, VectorType)) else None
    return result


@typed("AddressOfPattern")
def _addressof(
    op: spirv.MlirAddressofOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
) -> Failure | None:
    """`spirv.mlir.addressof @v` becomes `llvm.mlir.addressof @v`."""
    rewriter.replace_with(op, "llvm.mlir.addressof", (), [result], {"global_name": op.variable})
    return None


def _access(op: spirv.LoadOp | spirv.StoreOp) -> dict[str, Attribute] | Failure:
    """What the operation says of how memory is accessed: one thing at most."""
    match number_of(op, "memory_access"):
        case None | 0:
            return {}
        case 1:
            return {"volatile_": UNIT}
        case 2 if op.alignment is not None:
            return {"alignment": i64_attr(op.alignment.value)}
        case 4:
            return {"nontemporal": UNIT}
        case _:
            return Failure("memory cannot be accessed in this way")


@named("LoadStorePattern")
def _load(
    op: spirv.LoadOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Load "Function" %p ["Volatile"] : f32` becomes `llvm.load volatile %p : !llvm.ptr -> f32`."""
    access, result = _access(op), types.convert(op.value.type)
    if isinstance(access, Failure):
        return access
    if result is None:
        return NO_TYPE
    rewriter.replace(op, [emit.load(rewriter, result, operands[0], access)])
    return None


@named("LoadStorePattern")
def _store(
    op: spirv.StoreOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Store "Function" %p, %x : f32` becomes `llvm.store %x, %p : f32, !llvm.ptr`."""
    access = _access(op)
    if isinstance(access, Failure):
        return access
    pointer, value = operands
    emit.store(rewriter, value, pointer, access)
    rewriter.erase(op)
    return None


@named("VariablePattern")
def _variable(
    op: spirv.VariableOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Variable init(%x) : !spirv.ptr<f32, Function>` becomes `llvm.alloca`, and a store of `%x`."""
    pointee = _pointee(op.pointer.type)
    if operands and not isinstance(pointee, (IntegerType, FloatType, VectorType)):
        return Failure("only numbers and vectors of them are initialised")
    result, element = types.convert(op.pointer.type), types.convert(pointee)
    if result is None or element is None:
        return NO_TYPE
    room = emit.alloca(rewriter, element, emit.i32(rewriter, 1), result)
    for value in operands:
        emit.store(rewriter, value, room)
    rewriter.replace(op, [room])
    return None


def global_variable(client: str) -> Lower:
    """`spirv.GlobalVariable @v : !spirv.ptr<f32, Private>` becomes
    `llvm.mlir.global private @v() {addr_space = 0 : i32} : f32`."""

    @named("GlobalVariablePattern")
    def lower(
        op: spirv.GlobalVariableOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        pointer = op.type.type
        if op.initializer is not None or not isinstance(pointer, PointerType):
            return Failure("what it begins with has no counterpart")
        type = types.convert(pointer.pointee)
        if type is None:
            return NO_TYPE
        if pointer.storage not in GLOBAL:
            return Failure(f"variables in '{pointer.storage}' have no counterpart")
        properties: dict[str, Attribute] = {
            "addr_space": i32_attr(address_space(pointer.storage, client)),
            "global_type": TypeAttr(type),
            "linkage": linkage("private" if pointer.storage == "Private" else "external"),
            "sym_name": op.sym_name,
            "visibility_": i64_attr(0),
        }
        if pointer.storage in READ_ONLY:
            properties["constant"] = UNIT
        location = op.attribute("location")
        attributes = {"location": location} if location is not None else {}
        rewriter.replace_with(op, "llvm.mlir.global", (), (), properties, attributes, regions=[Region()])
        return None

    return lower


# ---- parts of composites


def _part(type: Type, indices: Sequence[int]) -> Type | None:
    """The type of a part of a struct or an array."""
    for index in indices:
        match type:
            case LLVMStructType():
                type = type.field(index)
            case LLVMArrayType(_, element):
                type = element
            case _:
                return None
    return type


@typed("CompositeExtractPattern")
def _extract(
    op: spirv.CompositeExtractOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
) -> Failure | None:
    """`spirv.CompositeExtract %v[0 : i32]` becomes `llvm.extractelement` of a vector, else `llvm.extractvalue`."""
    (composite,) = operands
    indices = numbers_of(op.indices)
    if isinstance(op.composite.type, VectorType):
        index = emit.i32(rewriter, indices[0])
        rewriter.replace_with(op, "llvm.extractelement", [composite, index], [result])
        return None
    part = _part(composite.type, indices)
    if part is None:
        return Failure("a part of a vector in a composite cannot be had at once")
    rewriter.replace(op, [emit.extract(rewriter, composite, part, *indices)])
    return None


@typed("CompositeInsertPattern")
def _insert(
    op: spirv.CompositeInsertOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
) -> Failure | None:
    """`spirv.CompositeInsert %x, %v[0 : i32]` becomes `llvm.insertelement` for a vector, else `llvm.insertvalue`."""
    object, composite = operands
    indices = numbers_of(op.indices)
    if isinstance(op.composite.type, VectorType):
        index = emit.i32(rewriter, indices[0])
        rewriter.replace_with(op, "llvm.insertelement", [composite, object, index], [result])
    else:
        rewriter.replace(op, [emit.insert(rewriter, composite, object, *indices)])
    return None


@named("VectorShufflePattern")
def _shuffle(
    op: spirv.VectorShuffleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = spirv.VectorShuffle [1 : i32, 3 : i32] %a, %b : vector<2xf32>, vector<2xf32> -> vector<2xf32>
    becomes
        %r = llvm.shufflevector %a, %b [1, 3] : vector<2xf32>
    and, of vectors that are not of one length, extractions and insertions of each element.
    """
    first, second = operands
    components = [_index(component) for component in numbers_of(op.components)]
    if not isinstance(first.type, VectorType) or not isinstance(second.type, VectorType):
        return NO_TYPE
    (size,) = first.type.ranked_shape
    if second.type.ranked_shape == (size,):
        mask: dict[str, Attribute] = {"mask": DenseArrayAttr(I32, tuple(components))}
        shuffled = VectorType((len(components),), first.type.element)
        rewriter.replace_with(op, "llvm.shufflevector", operands, [shuffled], mask)
        return None
    result = types.convert(op.results[0].type)
    if not isinstance(result, VectorType):
        return NO_TYPE
    value = emit.poison(rewriter, result)
    for place, component in enumerate(components):
        if component == -1:
            continue
        source, start = (first, 0) if component < size else (second, size)
        target, index = emit.i32(rewriter, place), emit.i32(rewriter, component - start)
        part = emit.extract_element(rewriter, source, index)
        value = emit.insert_element(rewriter, value, part, target)
    rewriter.replace(op, [value])
    return None


def _index(component: int) -> int:
    """Which element is meant, as a number with a sign: all ones is none."""
    return -1 if component == 0xFFFFFFFF else component


LOWERINGS: Final[dict[str, Lower]] = {
    "spirv.AccessChain": _access_chain,
    "spirv.CompositeExtract": _extract,
    "spirv.CompositeInsert": _insert,
    "spirv.Load": _load,
    "spirv.Store": _store,
    "spirv.Variable": _variable,
    "spirv.VectorShuffle": _shuffle,
    "spirv.mlir.addressof": _addressof,
}
