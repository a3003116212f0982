"""The LLVM dialect's operations on memory, atomic ones among them, and addresses of parts of what a pointer points to.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, GEP_FLAGS, cases, i32_array, spell_case
from fathom.dialects.llvm.constraints import is_float
from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
    lies_in_memory,
    struct_of,
)
from fathom.ir.attributes import UNIT, IntegerAttr, i32_attr, i64_attr
from fathom.ir.operation import Value
from fathom.ir.types import I1, FloatType, IntegerType, Type, VectorType, element_type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, StackAllocation
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


# ---- atomic accesses


def is_atomic(type: Type) -> bool:
    """Whether memory is accessed as this type at once: a scalar of whole bytes, a power of two of them."""
    match type:
        case LLVMPointerType():
            return True
        case IntegerType(width):
            return width >= 8 and width & (width - 1) == 0
        case FloatType():
            return is_float(type) and type.width & (type.width - 1) == 0
        case _:
            return False


def verify_atomic_access(*unsupported: str) -> Check:
    """The check of a load or store, for which these orderings make no sense."""

    def verify(op: ops.LoadOp | ops.StoreOp) -> Complaint:
        ordering = spell_case(op.ordering, "AtomicOrdering")
        if ordering == "not_atomic":
            return "expected syncscope to be null for non-atomic access" if op.syncscope is not None else None
        accessed = op.value.type if isinstance(op, ops.StoreOp) else op.result.type
        if not is_atomic(accessed):
            return f"unsupported type '{accessed}' for atomic access"
        if ordering in unsupported:
            return f"unsupported ordering '{ordering}'"
        return "expected alignment for atomic access" if op.alignment is None else None

    return verify


FLOAT_OPERATIONS: Final = frozenset(("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"))


@verifies("llvm.atomicrmw")
def verify_atomicrmw(op: ops.AtomicrmwOp) -> Complaint:
    kind = spell_case(op.bin_op, "AtomicBinOp")
    type = op.val.type
    if kind in FLOAT_OPERATIONS:
        if not is_float(element_type(type)):
            of_vector = " for vector element" if isinstance(type, VectorType) else ""
            return f"expected LLVM IR floating point type{of_vector}"
    elif kind == "xchg":
        if not is_atomic(type):
            return "unexpected LLVM IR type for 'xchg' bin_op"
    elif not isinstance(type, IntegerType) or type.width not in (8, 16, 32, 64):
        return "expected LLVM IR integer type"
    if op.ordering.value < cases("AtomicOrdering")["monotonic"]:
        return "expected at least 'monotonic' ordering"
    return None


@verifies("llvm.cmpxchg")
def verify_cmpxchg(op: ops.CmpxchgOp) -> Complaint:
    type = op.val.type
    if not is_atomic(type):
        return "unexpected LLVM IR type"
    if min(op.success_ordering.value, op.failure_ordering.value) < cases("AtomicOrdering")["monotonic"]:
        return "ordering must be at least 'monotonic'"
    if spell_case(op.failure_ordering, "AtomicOrdering") in ("release", "acq_rel"):
        return "failure ordering cannot be 'release' or 'acq_rel'"
    return None


@verifies("llvm.fence")
def verify_fence(op: ops.FenceOp) -> Complaint:
    if spell_case(op.ordering, "AtomicOrdering") in ("not_atomic", "unordered", "monotonic"):
        return "can be given only acquire, release, acq_rel, and seq_cst orderings"
    return None


# ---- alloca


def _parse_alloca(cursor: OpParser, parsed: ParsedOp) -> Ref:
    if cursor.accept("inalloca"):
        parsed.attributes["inalloca"] = UNIT
    parsed.operands["arraySize"] = [cursor.value_use()]
    expect_keyword(cursor, parsed, "x")
    parsed.attributes["elem_type"] = cursor.type()
    cursor.attr_dict(parsed)
    cursor.expect(":")
    at = cursor.here()
    if not cursor.at("("):
        cursor.type()
        return at
    parsed.types["arraySize"], parsed.types["res"] = cursor.functional_type()
    return at


def _resolve_alloca(resolver: Resolver, parsed: ParsedOp, types_at: Ref) -> None:
    """An alignment of zero says nothing, and is dropped."""
    if not isinstance(resolver.properties.get("alignment", i64_attr(0)), IntegerAttr):
        resolver.fail(f"custom op '{parsed.name}' expected integer alignment")
    if any(len(parsed.types.get(name, ())) != 1 for name in ("arraySize", "res")):
        message = "expected trailing function type with one argument and one result"
        resolver.fail(f"custom op '{parsed.name}' {message}", types_at)
    resolver.resolve_by_rules()
    if resolver.properties.get("alignment") == i64_attr(0):
        del resolver.properties["alignment"]


def _print_alloca(op: ops.AllocaOp, p: OpPrinter) -> None:
    if op.inalloca is not None:
        p.write(" inalloca")
    p.write(" ")
    p.values(op.operands)
    p.write(" x ")
    p.type(op.elem_type.type)
    zero = op.alignment == i64_attr(0)
    p.attr_dict(op, elide=("elem_type", "inalloca", "alignment") if zero else ("elem_type", "inalloca"))
    p.write(" : ")
    p.functional_type([v.type for v in op.operands], [r.type for r in op.results])


@verifies("llvm.alloca")
def _verify_alloca(op: ops.AllocaOp) -> Complaint:
    is_wrong = isinstance(type := op.elem_type.type, LLVMTargetExtType) and not lies_in_memory(type)
    return "this target extension type cannot be used in alloca" if is_wrong else None


# ---- load and store


def _access(kind: EffectKind) -> MemoryEffects:
    """Reads or writes at the address. A volatile access, or an atomic one that synchronises, may read and write any
    memory besides."""

    def effects(op: ops.LoadOp | ops.StoreOp) -> Sequence[Effect]:
        own = Effect(kind, op.operands[-1])
        if op.volatile_ is None and op.ordering.value < cases("AtomicOrdering")["monotonic"]:
            return (own,)
        return (own, Effect(EffectKind.WRITE), Effect(EffectKind.READ))

    return MemoryEffects(effects)


_LOADED_ATOMICALLY: Final = verify_atomic_access("release", "acq_rel")


@verifies("llvm.load")
def _verify_load(op: ops.LoadOp) -> Complaint:
    if op.dereferenceable is not None and not isinstance(op.result.type, LLVMPointerType):
        return "expected op to return a single LLVM pointer type"
    return _LOADED_ATOMICALLY(op)


def compare_exchange_result(types: list[Type]) -> list[Type] | None:
    return [struct_of(type, I1) for type in types]


# ---- getelementptr


INBOUNDS_ALONE: Final = "inbounds_flag"
"""The bit of `inbounds` without the one that it implies, which can be read, but not be meant."""


def _parse_gep(cursor: OpParser, parsed: ParsedOp) -> tuple[Ref, Node] | None:
    flags = 0
    while (word := cursor.optional_keyword((*GEP_FLAGS, INBOUNDS_ALONE))) is not None:
        flags |= GEP_FLAGS.get(word, 1)
        cursor.accept("|")
    parsed.attributes["noWrapFlags"] = i32_attr(flags)
    parsed.operands["base"] = [cursor.value_use()]
    cursor.expect("[")
    dynamic: list[int] = []

    def read() -> int:
        if cursor.at_kind("integer") or cursor.at_any(("-", "true", "false")):
            return cursor.integer_literal()
        dynamic.append(cursor.value_use())
        return DYNAMIC_GEP_INDEX

    parsed.attributes["rawConstantIndices"] = i32_array(*comma_separated(cursor, read))
    cursor.expect("]")
    parsed.operands["dynamicIndices"] = dynamic
    cursor.attr_dict(parsed)
    cursor.expect(":")
    at = cursor.here()
    if not cursor.at("("):
        return at, cursor.type()
    inputs, results = cursor.functional_type()
    if len(inputs) != len(dynamic) + 1:
        counts = f"got {len(dynamic) + 1} operands and {len(inputs)} types"
        cursor.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", parsed.name_token)
    parsed.types["base"], parsed.types["dynamicIndices"], parsed.types["res"] = inputs[:1], inputs[1:], results
    cursor.expect(",")
    parsed.attributes["elem_type"] = cursor.type()
    return None


def _resolve_gep(resolver: Resolver, parsed: ParsedOp, no_function: tuple[Ref, Node] | None) -> None:
    """The types at the end are those of a function."""
    if no_function is not None:
        at, node = no_function
        expected = f"expected builtin.function, but found '{resolver.type(node)}'"
        resolver.fail(f"custom op '{parsed.name}' invalid kind of type specified: {expected}", at)
    resolver.resolve_by_rules()


def gep_indices(op: ops.GetelementptrOp) -> list[int | Value]:
    """The indices of a `getelementptr`, in order: numbers and operands."""
    dynamic, raw = iter(op.dynamicIndices), op.rawConstantIndices.values
    return [next(dynamic) if number == DYNAMIC_GEP_INDEX else number for number in raw]


_IN_TEXT_OF_GEP: Final = ("rawConstantIndices", "elem_type", "noWrapFlags")


def _print_gep(op: ops.GetelementptrOp, p: OpPrinter) -> None:
    flags = spell_gep_flags(op.noWrapFlags.value)
    indices = ", ".join([str(i) if isinstance(i, int) else p.spell_value(i) for i in gep_indices(op)])
    p.write(f"{flags and f' {flags}'} {p.spell_value(op.base)}[{indices}]")
    p.attr_dict(op, elide=_IN_TEXT_OF_GEP)
    types = p.spell_functional_type([v.type for v in op.operands], [r.type for r in op.results])
    p.write(f" : {types}, {p.spell(op.elem_type.type)}")


@lru_cache(maxsize=16)
def spell_gep_flags(number: int) -> str:
    """`inbounds|nuw`; `nusw` is not named where `inbounds` implies it."""
    names: list[str] = []
    for name, bits in GEP_FLAGS.items():
        if number & bits == bits:
            names.append(name)
            number &= ~bits
    return "|".join(names)


@verifies("llvm.getelementptr")
def _verify_gep(op: ops.GetelementptrOp) -> Complaint:
    if op.rawConstantIndices.values.count(DYNAMIC_GEP_INDEX) != len(op.dynamicIndices):
        return "expected as many dynamic indices as specified in 'rawConstantIndices'"
    if op.noWrapFlags.value == 1:
        return f"'{INBOUNDS_ALONE}' cannot be used directly."
    return _walk_gep(op.elem_type.type, gep_indices(op)[1:])


def _walk_gep(type: Type, indices: list[int | Value]) -> Complaint:
    """Follows the indices after the first into the element type."""
    for position, index in enumerate(indices, start=1):
        if isinstance(type, LLVMStructType):
            if not isinstance(index, int):
                return f"expected index {position} indexing a struct to be constant"
            if not 0 <= index < len(type.body or ()):
                return f"index {position} indexing a struct is out of bounds"
            type = type.field(index)
        elif isinstance(type, (LLVMArrayType, VectorType)):
            type = type.element
        else:
            return f"type '{type}' cannot be indexed (index #{position})"
    return None


VERIFY: Final[Checks] = {
    "llvm.store": verify_atomic_access("acquire", "acq_rel"),
}


CODE: Final = {
    "alloca": OpCode(
        custom=CustomSyntax(_parse_alloca, _print_alloca, _resolve_alloca), interfaces=(StackAllocation(),)
    ),
    "load": OpCode(interfaces=(_access(EffectKind.READ),)),
    "store": OpCode(interfaces=(_access(EffectKind.WRITE),)),
    "getelementptr": OpCode(custom=CustomSyntax(_parse_gep, _print_gep, _resolve_gep)),
}
