"""The LLVM dialect's operations on memory.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import (
    ATOMIC_OPERATION,
    ORDERING,
    ORDERINGS,
    flag,
    i64,
)
from fathom.dialects.llvm.checks import type_in, verify_atomic_access
from fathom.dialects.llvm.constraints import (
    ATOMIC_VALUE,
    COMPARE_EXCHANGE_VALUE,
    LLVM_TYPE,
    LOADABLE,
    POINTER,
    STRUCT,
    result,
    same,
)
from fathom.dialects.llvm.described import ACCESS_GROUPS, ALIAS_SCOPES, DEREFERENCEABLE, TBAA_TAGS
from fathom.dialects.llvm.getelementptr import GETELEMENTPTR
from fathom.dialects.llvm.types import LLVMPointerType, LLVMTargetExtType, lies_in_memory, struct_of
from fathom.ir.attributes import UNIT, IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I1, Type
from fathom.irdl.constraints import I64_ATTRIBUTE, SIGNLESS_INTEGER, STRING, TYPE
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, TypeRule
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, StackAllocation, effects_on
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Checks, verifies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver

ALIGNMENT: Final = Property("alignment", I64_ATTRIBUTE, optional=True)
ALIASING: Final = (
    Property("access_groups", ACCESS_GROUPS, optional=True),
    Property("alias_scopes", ALIAS_SCOPES, optional=True),
    Property("noalias_scopes", ALIAS_SCOPES, optional=True),
    Property("tbaa", TBAA_TAGS, optional=True),
)
"""What access, alias and type-based metadata an access to memory carries."""

SYNC_SCOPE: Final = Property("syncscope", STRING, optional=True)
NOT_ATOMIC: Final = Property("ordering", ORDERING, default=i64(ORDERINGS["not_atomic"]))


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


def _print_alloca(op: Operation, p: OpPrinter) -> None:
    if "inalloca" in op.properties:
        p.write(" inalloca")
    p.write(" ")
    p.values(op.operands)
    p.write(" x ")
    p.type(type_in(op, "elem_type"))
    zero = op.properties.get("alignment") == i64(0)
    p.attr_dict(op, elide=("elem_type", "inalloca", "alignment") if zero else ("elem_type", "inalloca"))
    p.write(" : ")
    p.functional_type([v.type for v in op.operands], [r.type for r in op.results])


@verifies("llvm.alloca")
def _verify_alloca(op: Operation) -> list[Problem]:
    if isinstance(type := type_in(op, "elem_type"), LLVMTargetExtType) and not lies_in_memory(type):
        return [Problem("this target extension type cannot be used in alloca")]
    return []


ALLOCA: Final = OpDefinition(
    "llvm.alloca",
    operands=(Operand("arraySize", SIGNLESS_INTEGER),),
    results=result(POINTER),
    properties=(ALIGNMENT, Property("elem_type", TYPE), flag("inalloca")),
    custom=CustomSyntax(_parse_alloca, _print_alloca, _resolve_alloca),
    interfaces=(effects_on((EffectKind.ALLOCATE, "res")), StackAllocation()),
    summary="memory on the stack",
)


# ---- load and store


def _access(kind: EffectKind) -> MemoryEffects:
    """Reads or writes at the address. A volatile access, or an atomic one that synchronises, may read and write any
    memory besides."""

    def effects(op: Operation) -> Sequence[Effect]:
        own = Effect(kind, op.operands[-1])
        ordering = op.properties.get("ordering", NOT_SYNCHRONISING[0])
        if "volatile_" not in op.properties and ordering in NOT_SYNCHRONISING:
            return (own,)
        return (own, Effect(EffectKind.WRITE), Effect(EffectKind.READ))

    return MemoryEffects(effects)


NOT_SYNCHRONISING: Final = (i64(ORDERINGS["not_atomic"]), i64(ORDERINGS["unordered"]))

_LOADED_ATOMICALLY: Final = verify_atomic_access("release", "acq_rel")


@verifies("llvm.load")
def _verify_load(op: Operation) -> list[Problem]:
    if "dereferenceable" in op.properties and not isinstance(op.result.type, LLVMPointerType):
        return [Problem("expected op to return a single LLVM pointer type")]
    return _LOADED_ATOMICALLY(op)


LOAD: Final = OpDefinition(
    "llvm.load",
    operands=(Operand("addr", POINTER),),
    results=result(LOADABLE),
    properties=(
        ALIGNMENT,
        flag("volatile_"),
        flag("nontemporal"),
        flag("invariant"),
        flag("invariantGroup"),
        NOT_ATOMIC,
        SYNC_SCOPE,
        DEREFERENCEABLE,
        *ALIASING,
    ),
    assembly="(`volatile` $volatile_^)? $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? "
    "(`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? "
    "(`dereferenceable` `` $dereferenceable^)? attr-dict `:` qualified(type($addr)) `->` type($res)",
    interfaces=(_access(EffectKind.READ),),
    summary="a value read from memory",
)
STORE: Final = OpDefinition(
    "llvm.store",
    operands=(Operand("value", LOADABLE), Operand("addr", POINTER)),
    properties=(
        ALIGNMENT,
        flag("volatile_"),
        flag("nontemporal"),
        flag("invariantGroup"),
        NOT_ATOMIC,
        SYNC_SCOPE,
        *ALIASING,
    ),
    assembly="(`volatile` $volatile_^)? $value `,` $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? "
    "(`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` qualified(type($addr))",
    interfaces=(_access(EffectKind.WRITE),),
    summary="a value written to memory",
)

ATOMICRMW: Final = OpDefinition(
    "llvm.atomicrmw",
    operands=(Operand("ptr", POINTER), Operand("val", ATOMIC_VALUE)),
    results=result(ATOMIC_VALUE),
    properties=(
        Property("bin_op", ATOMIC_OPERATION),
        Property("ordering", ORDERING),
        SYNC_SCOPE,
        ALIGNMENT,
        flag("volatile_"),
        *ALIASING,
    ),
    rules=(TypeRule("res", ("val",), same, "result #0 and operand #1 have the same type"),),
    assembly="(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict "
    "`:` qualified(type($ptr)) `,` type($val)",
    summary="a value in memory, replaced in one step by what an operation makes of it",
)


def _compare_exchange_result(types: list[Type]) -> list[Type] | None:
    return [struct_of(type, I1) for type in types]


CMPXCHG: Final = OpDefinition(
    "llvm.cmpxchg",
    operands=(Operand("ptr", POINTER), Operand("cmp", COMPARE_EXCHANGE_VALUE), Operand("val", COMPARE_EXCHANGE_VALUE)),
    results=result(STRUCT),
    properties=(
        Property("success_ordering", ORDERING),
        Property("failure_ordering", ORDERING),
        SYNC_SCOPE,
        ALIGNMENT,
        flag("weak"),
        flag("volatile_"),
        *ALIASING,
    ),
    rules=(
        TypeRule("cmp", ("val",), same, "operand #1 and operand #2 have the same type"),
        TypeRule(
            "res",
            ("val",),
            _compare_exchange_result,
            "result #0 has an LLVM struct type consisting of the type of operand #2 and a bool",
        ),
    ),
    assembly="(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val (`syncscope` `(` $syncscope^ `)`)? "
    "$success_ordering $failure_ordering attr-dict `:` qualified(type($ptr)) `,` type($val)",
    summary="a value in memory, replaced in one step if it is the expected one",
)
FENCE: Final = OpDefinition(
    "llvm.fence",
    properties=(Property("ordering", ORDERING), SYNC_SCOPE),
    assembly="(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict",
    summary="an order between accesses to memory",
)


VA_ARG: Final = OpDefinition(
    "llvm.va_arg",
    operands=(Operand("arg", POINTER),),
    results=result(LLVM_TYPE),
    assembly="$arg attr-dict `:` functional-type($arg, $res)",
    summary="the next argument of a function of a variable number of arguments",
)

OPERATIONS: Final = (
    ALLOCA,
    LOAD,
    STORE,
    ATOMICRMW,
    CMPXCHG,
    FENCE,
    GETELEMENTPTR,
    VA_ARG,
)


VERIFY: Final[Checks] = {
    "llvm.store": verify_atomic_access("acquire", "acq_rel"),
}
