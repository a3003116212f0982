"""The LLVM dialect's operations on memory.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import ORDERINGS, i64
from fathom.dialects.llvm.checks import verify_atomic_access
from fathom.dialects.llvm.types import LLVMPointerType, LLVMTargetExtType, lies_in_memory, struct_of
from fathom.ir.attributes import UNIT, IntegerAttr
from fathom.ir.types import I1, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, StackAllocation
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver

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
    if not isinstance(resolver.properties.get("alignment", i64(0)), IntegerAttr):
        resolver.fail(f"custom op '{parsed.name}' expected integer alignment")
    if any(len(parsed.types.get(name, ())) != 1 for name in ("arraySize", "res")):
        message = "expected trailing function type with one argument and one result"
        resolver.fail(f"custom op '{parsed.name}' {message}", types_at)
    resolver.resolve_by_rules()
    if resolver.properties.get("alignment") == i64(0):
        del resolver.properties["alignment"]


def _print_alloca(op: ops.AllocaOp, p: OpPrinter) -> None:
    if op.inalloca is not None:
        p.write(" inalloca")
    p.write(" ")
    p.values(op.operands)
    p.write(" x ")
    p.type(op.elem_type.type)
    zero = op.alignment == i64(0)
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
        if op.volatile_ is None and op.ordering in NOT_SYNCHRONISING:
            return (own,)
        return (own, Effect(EffectKind.WRITE), Effect(EffectKind.READ))

    return MemoryEffects(effects)


NOT_SYNCHRONISING: Final = (i64(ORDERINGS["not_atomic"]), i64(ORDERINGS["unordered"]))

_LOADED_ATOMICALLY: Final = verify_atomic_access("release", "acq_rel")


@verifies("llvm.load")
def _verify_load(op: ops.LoadOp) -> Complaint:
    if op.dereferenceable is not None and not isinstance(op.result.type, LLVMPointerType):
        return "expected op to return a single LLVM pointer type"
    return _LOADED_ATOMICALLY(op)


def compare_exchange_result(types: list[Type]) -> list[Type] | None:
    return [struct_of(type, I1) for type in types]


VERIFY: Final[Checks] = {
    "llvm.store": verify_atomic_access("acquire", "acq_rel"),
}


CODE: Final = {
    "alloca": OpCode(
        custom=CustomSyntax(_parse_alloca, _print_alloca, _resolve_alloca), interfaces=(StackAllocation(),)
    ),
    "load": OpCode(interfaces=(_access(EffectKind.READ),)),
    "store": OpCode(interfaces=(_access(EffectKind.WRITE),)),
}
