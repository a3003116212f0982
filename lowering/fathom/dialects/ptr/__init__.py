"""The ptr dialect, described in `mlir-22/ptr.toml`: the types that follow from others, and its checks.

Source of the rules: *'ptr' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.arith.elements import integer_value
from fathom.ir.attributes import FALSE, IntegerAttr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.property_values import numbers_of
from fathom.ir.types import MemRefType, ShapedType, TensorType, Type, VectorType, element_type
from fathom.irdl.checking import bare
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import TypeRule
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import ptr as ops
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import ParsedOp, Resolver


def _is_pointer(type: Type) -> bool:
    return isinstance(type, DialectType) and type.full_name == "ptr.ptr"


def _sum_type(base: list[Type], offset: list[Type]) -> list[Type] | None:
    """The type of a pointer that an offset is added to, element by element."""
    (pointer,), (number,) = base, offset
    if isinstance(pointer, ShapedType) or not isinstance(number, ShapedType):
        return [pointer]
    if isinstance(number, VectorType):
        return [VectorType(number.shape, pointer, number.scalable)]
    return [TensorType(number.shape, pointer, number.encoding)] if isinstance(number, TensorType) else [pointer]


def _metadata_of(types: list[Type]) -> list[Type] | None:
    return [DESCRIPTION.types["PtrMetadataType"].make_type(type=types[0])]


def _space(type: Type) -> Attribute | None:
    if isinstance(type, MemRefType):
        return type.space
    space = type.parameters[0] if isinstance(type, DialectType) and _is_pointer(type) else None
    return space if not isinstance(space, (Type, int, str, tuple)) else None


@verifies("ptr.from_ptr")
def _verify_from(op: ops.FromPtrOp) -> Complaint:
    if _is_pointer(op.result.type):
        return bare("the result type cannot be `!ptr.ptr`")
    return _space_problem(op.result.type, op.ptr.type)


@verifies("ptr.to_ptr")
def _verify_to(op: ops.ToPtrOp) -> Complaint:
    if _is_pointer(op.ptr.type):
        return bare("the input value cannot be of type `!ptr.ptr`")
    return _space_problem(op.ptr.type, op.result.type)


def _space_problem(type: Type, pointer: Type) -> Complaint:
    if isinstance(type, MemRefType) and _is_pointer(pointer) and _space(type) != _space(pointer):
        return bare("expected the input and output to have the same memory space")
    return None


@verifies("ptr.ptr_diff")
def _verify_difference(op: ops.PtrDiffOp) -> Complaint:
    left, result = op.lhs.type, op.result.type
    if isinstance(left, ShapedType) and type(left) is not type(result):
        return bare("expected the result to have the same container type as the operands when operands are shaped")
    return None


# ---- accesses

_ORDERINGS: Final = ("not_atomic", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
_RESTRICTED: Final = ("llvm.address_space", "nvvm.memory_space")
"""The memory spaces that hold what LLVM has types for."""


def _alignment(op: Operation) -> int | None:
    return next(iter(numbers_of(op.properties.get("alignment"))), None)


def _space_refuses(space: Attribute | None, type: Type) -> Complaint:
    if not isinstance(space, DialectAttr) or space.full_name not in _RESTRICTED:
        return None
    from fathom.dialects.llvm.constraints import has_size

    return None if has_size(type) else bare(f"type must be LLVM type with size, but got '{type}'")


def _effects(pointer: str, value: str) -> MemoryEffects:
    """Those of an access by a pointer to what a value is of."""
    kind = EffectKind.WRITE if value else EffectKind.READ

    def effects(op: Operation) -> Sequence[Effect]:
        own, ordering = Effect(kind, op.one_of(pointer)), op.properties.get("ordering")
        is_volatile = op.properties.get("volatile_") not in (None, FALSE)
        if not is_volatile and not (
            isinstance(ordering, IntegerAttr) and ordering.value > _ORDERINGS.index("unordered")
        ):
            return (own,)
        return (own, Effect(EffectKind.WRITE), Effect(EffectKind.READ))

    return MemoryEffects(effects)


def _access(pointer: str, value: str, unsupported: Sequence[str] = ()) -> Check:
    """The check of an access, which cannot have some orderings if it may be atomic."""

    def verify(op: Operation) -> Complaint:
        pointers, held = op.one_of(pointer).type, (op.one_of(value) if value else op.result).type
        space = _space(element_type(pointers))
        alignment = _alignment(op)
        if problems := _space_refuses(space, held):
            return problems
        if alignment is not None and alignment <= 0:
            return bare("alignment must be positive")
        if alignment is not None and alignment & (alignment - 1):
            return bare("alignment must be a power of 2")
        if not isinstance(op, (ops.LoadOp, ops.StoreOp)):
            return None
        if not op.ordering.value:
            return "expected syncscope to be null for non-atomic access" if op.syncscope is not None else None
        ordering = _ORDERINGS[op.ordering.value]
        if ordering in unsupported:
            return f"unsupported ordering '{ordering}'"
        return "expected alignment for atomic access" if alignment is None else None

    return verify


def _sum_problem(base: Type, offset: Type) -> str | None:
    if not isinstance(base, ShapedType) or not isinstance(offset, ShapedType):
        return None
    if base.shape != offset.shape:
        return "shapes of base and offset must match"
    return None if type(base) is type(offset) else "the shaped containers type must match"


def _resolve_sum(resolver: Resolver, parsed: ParsedOp) -> None:
    """What is added up fits before a type follows from it."""
    base, offset = (resolver.type(parsed.types[name][0]) for name in ("base", "offset"))
    if problem := _sum_problem(base, offset):
        resolver.fail(problem)
    resolver.resolve_by_rules()


@verifies("ptr.ptr_add", bare=True)
def _verify_sum(op: ops.PtrAddOp) -> Complaint:
    return _sum_problem(op.base.type, op.offset.type)


_BITS: Final = 8


def _spec_problem(parameters: Mapping[str, Parameter]) -> str | None:
    for name in ("size", "abi", "preferred", "index"):
        value = parameters[name]
        if isinstance(value, int) and value % _BITS:
            return f"{name} entry must be divisible by 8"
    abi, preferred = parameters["abi"], parameters["preferred"]
    if isinstance(abi, int) and isinstance(preferred, int) and abi > preferred:
        return "preferred alignment is expected to be at least as large as ABI alignment"
    return None


# ---- folds


def _fold_from(op: ops.FromPtrOp, constants: Constants) -> Folded:
    """What was made a pointer and comes back as what it was, also by way of several such steps."""
    pointer: Value | None = None
    back: ops.FromPtrOp | None = op
    while back is not None:
        there = defined_by(back.ptr, ops.ToPtrOp)
        if there is None or there.ptr.type != back.result.type:
            break
        metadata = defined_by(back.metadata, ops.GetMetadataOp) if back.metadata is not None else None
        if isinstance(there.ptr.type, MemRefType) and (metadata is None or metadata.ptr is not there.ptr):
            break
        pointer = there.ptr
        back = defined_by(pointer, ops.FromPtrOp)
    return [pointer] if pointer is not None else None


def _fold_to(op: ops.ToPtrOp, constants: Constants) -> Folded:
    """The pointer that something was made of."""
    pointer: Value | None = None
    there: ops.ToPtrOp | None = op
    while there is not None and (back := defined_by(there.ptr, ops.FromPtrOp)) is not None:
        pointer = back.ptr
        there = defined_by(pointer, ops.ToPtrOp)
    return [pointer] if pointer is not None else None


def _fold_sum(op: ops.PtrAddOp, constants: Constants) -> Folded:
    """Nothing is added."""
    return [op.base] if integer_value(constants[1]) == 0 else None


FOLDS: Final[Mapping[str, Fold]] = {
    "ptr.constant": lambda op, _: [op.value],
    "ptr.from_ptr": _fold_from,
    "ptr.ptr_add": _fold_sum,
    "ptr.to_ptr": _fold_to,
}
_ACCESSES: Final = {
    "gather": ("ptrs", ""),
    "load": ("ptr", ""),
    "masked_load": ("ptr", ""),
    "masked_store": ("ptr", "value"),
    "scatter": ("ptrs", "value"),
    "store": ("ptr", "value"),
}
"""The pointer and what is written, if anything is."""
_UNSUPPORTED: Final = {"load": ("release", "acq_rel"), "store": ("acquire", "acq_rel")}

VERIFY: Final[Checks] = {
    f"ptr.{name}": _access(*groups, _UNSUPPORTED.get(name, ())) for name, groups in _ACCESSES.items()
}
CODE: Final = DialectCode(
    operations={
        **{name: OpCode(interfaces=(_effects(*groups),)) for name, groups in _ACCESSES.items()},
        "get_metadata": OpCode(rules=(TypeRule("result", ("ptr",), _metadata_of, ""),)),
        "ptr_add": OpCode(rules=(TypeRule("result", ("base", "offset"), _sum_type, ""),), resolve=_resolve_sum),
    },
    parameters={"SpecAttr": _spec_problem},
)
DESCRIPTION: Final = description_of("ptr", CODE)
DIALECT: Final = DESCRIPTION.dialect()
