"""What the ptr dialect is in LLVM IR: pointers, and what is done with them.

Source of the rules: *'ptr' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i64_attr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.types import I8
from fathom.llvmir.instructions import LoadInst, StoreInst
from fathom.llvmir.metadata import MDNode, ValueAsMetadata
from fathom.llvmir.types import I32, I64, VOID, PointerType, VectorType
from fathom.llvmir.values import ConstantInt, ConstantPointerNull
from fathom.rewriting.llvm_exports import Builder, builds

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.llvmir import types as ir
    from fathom.llvmir.values import Value
    from fathom.ops import ptr as ops

_SPACES: Final = frozenset({"llvm.address_space", "nvvm.memory_space"})
"""The attributes that are numbers of address spaces."""
_ORDERINGS: Final = ("", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
ADDRESS_FLAGS: Final = (0, 2, 4, 3)
"""The flags of a getelementptr for `none`, `nusw`, `nuw` and `inbounds`."""
_WRAPS: Final = ((), ("nuw",), ("nsw",), ("nuw", "nsw"))


def _pointer(type: Type) -> Type | None:
    space = type.parameters[0] if isinstance(type, DialectType) else None
    match space:
        case DialectAttr(parameters=(int(number), *_)) if space.full_name in _SPACES:
            return LLVMPointerType(number)
        case _:
            return None


LLVM_TYPES: Final[Mapping[str, Callable[[Type], Type | None]]] = {"ptr.ptr": _pointer}


@builds("ptr.ptr_add")
def _add(op: ops.PtrAddOp, build: Builder) -> Value:
    flags = ADDRESS_FLAGS[op.flags.value]
    return build.address(I8, build.value(op.base), [build.value(op.offset)], flags)


@builds("ptr.ptr_diff")
def _difference(op: ops.PtrDiffOp, build: Builder) -> Value:
    type = build.type(op.result.type)
    left, right = build.value(op.lhs), build.value(op.rhs)
    wide: ir.Type = VectorType(I64, type.count, type.is_scalable) if isinstance(type, VectorType) else I64
    ends = (build.cast("ptrtoaddr", left, wide), build.cast("ptrtoaddr", right, wide))
    return build.cast("trunc", build.binary("sub", *ends, _WRAPS[op.flags.value & 3]), type)


@builds("ptr.type_offset")
def _offset(op: ops.TypeOffsetOp, build: Builder) -> Value:
    """The distance of the second element from the first, if that were at null."""
    null = ConstantPointerNull(PointerType())
    second = build.address(op.elementType.type, null, [ConstantInt(I32, 1)])
    return build.cast("ptrtoint", second, build.type(op.result.type))


@builds("ptr.constant")
def _constant(op: ops.ConstantOp, build: Builder) -> Value:
    type = build.type(op.result.type)
    match op.value:
        case DialectAttr(name="address", parameters=(_, int(address))):
            return build.cast("inttoptr", build.constant(i64_attr(address), I64), type)
        case _:
            return ConstantPointerNull(type)


@builds("ptr.load")
def _load(op: ops.LoadOp, build: Builder) -> Value:
    type = op.value.type
    load = LoadInst(
        build.type(type),
        [build.value(op.ptr)],
        _aligned(op.alignment) or build.alignment(type),
        _is_set(op.volatile_),
        _ORDERINGS[op.ordering.value],
        _scope(op.syncscope),
    )
    attachments = _hints(build, op.nontemporal, op.invariantGroup)
    if _is_set(op.invariant):
        attachments["invariant.load"] = build.node()
    return build.add(load, attachments)


@builds("ptr.store")
def _store(op: ops.StoreOp, build: Builder) -> None:
    store = StoreInst(
        VOID,
        [build.value(op.value), build.value(op.ptr)],
        _aligned(op.alignment) or build.alignment(op.value.type),
        _is_set(op.volatile_),
        _ORDERINGS[op.ordering.value],
        _scope(op.syncscope),
    )
    build.add(store, _hints(build, op.nontemporal, op.invariantGroup))


def _hints(build: Builder, nontemporal: Attribute, in_group: Attribute) -> dict[str, MDNode]:
    attachments: dict[str, MDNode] = {}
    if _is_set(nontemporal):
        attachments["nontemporal"] = build.node(ValueAsMetadata(ConstantInt(I32, 1)))
    if _is_set(in_group):
        attachments["invariant.group"] = build.node()
    return attachments


@builds("ptr.gather", "ptr.masked_load")
def _masked_read(op: ops.GatherOp | ops.MaskedLoadOp, build: Builder) -> Value:
    arguments = [build.value(operand) for operand in op.operands]
    base = "llvm.masked.gather" if isinstance(arguments[0].type, VectorType) else "llvm.masked.load"
    result = build.type(op.result.type)
    return build.intrinsic(base, [result, arguments[0].type], result, arguments, {0: _aligned(op.alignment) or 1})


@builds("ptr.scatter", "ptr.masked_store")
def _masked_write(op: ops.ScatterOp | ops.MaskedStoreOp, build: Builder) -> None:
    arguments = [build.value(operand) for operand in op.operands]
    value, target, _ = (argument.type for argument in arguments)
    base = "llvm.masked.scatter" if isinstance(target, VectorType) else "llvm.masked.store"
    build.intrinsic(base, [value, target], VOID, arguments, {1: _aligned(op.alignment) or 1})


def _is_set(attribute: Attribute | None) -> bool:
    match attribute:
        case UnitAttr():
            return True
        case IntegerAttr(value):
            return bool(value)
        case _:
            return False


def _aligned(alignment: ArrayAttr) -> int:
    """The alignment that is said; 0 for none."""
    first = next(iter(alignment.elements), None)
    return first.value if isinstance(first, IntegerAttr) else 0


def _scope(scope: StringAttr | None) -> str:
    return scope.value if scope is not None else ""
