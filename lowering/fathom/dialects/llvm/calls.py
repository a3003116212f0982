"""The LLVM dialect's calls: of functions, of intrinsic functions by name, and of assembly text.

Source of the rules: *'llvm' Dialect*, "Operations".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.func.signatures import spell_function_type
from fathom.dialects.llvm.intrinsics import verify_bundles
from fathom.dialects.llvm.types import LLVMPointerType, LLVMVoidType
from fathom.dialects.llvm.verify import variadic_problem
from fathom.ir.attributes import ArrayAttr, DictAttr
from fathom.ir.types import Type
from fathom.irdl.cases import word_of
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.declared import CustomDirective
from fathom.irdl.interfaces import (
    Effect,
    EffectKind,
    InlineAssembly,
    MemoryEffects,
    branch_by_groups,
    call_by_groups,
)
from fathom.irdl.keywords import bracketed
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

# ---- the syntax of calls


def _parse_callee(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`@callee(%a, %b)`, or `%pointer(%a, %b)`."""
    callee, group = arguments
    pointer: list[Ref] = []
    if cursor.at_kind("value"):
        pointer = [cursor.value_use()]
    else:
        at, is_symbol = cursor.here(), cursor.at_kind("symbol")
        parsed.attributes[callee] = cursor.attribute()
        if not is_symbol:
            cursor.fail(f"custom op '{parsed.name}' invalid kind of attribute specified", at)
    parsed.operands[group] = [*pointer, *cursor.value_list("(", ")")]


def _spell_callee(op: ops.CallOp | ops.InvokeOp, p: OpPrinter, arguments: Sequence[str]) -> str:
    values, callee = op.callee_operands, op.callee
    if callee is not None:
        return f"{p.spell(callee)}({p.spell_values(values)})"
    pointer, *values = values
    return f"{p.spell_value(pointer)}({p.spell_values(values)})"


def parse_call_type(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str], *, says_pointer: bool = True) -> None:
    """` : (i32 {attributes}, f32) -> f32`, with the type of the pointer before it where there is one, unless that goes
    without saying. That it is none MLIR says at the colon."""
    operands, result, *attributes = arguments
    at, lead = cursor.here(), f"custom op '{parsed.name}'"
    cursor.expect(":")
    pointer: list[Node] = []
    expected = f"{lead} expected direct call to have 1 trailing types"
    is_indirect = parsed.name != "llvm.call_intrinsic" and "callee" not in parsed.attributes
    if is_indirect and says_pointer:
        expected = f"{lead} expected trailing function type"
        pointer = [cursor.type()]
        if not cursor.accept(","):
            cursor.fail(f"{lead} expected indirect call to have 2 trailing types", at)
    inputs, *nodes = cursor.part(lambda: _parse_typed(cursor), expected, at)
    if not cursor.accept("->"):
        cursor.fail(expected, at)
    results, *more = cursor.part(lambda: _parse_results(cursor), expected, at)
    if len(results) > 1:
        cursor.fail(f"{lead} expected function with 0 or 1 result", at)
    count = len(parsed.operands[operands]) - is_indirect
    if len(inputs) != count:
        counts = f"got {count} operands and {len(inputs)} types"
        cursor.fail(f"{lead} number of operands and types do not match: {counts}", parsed.name_token)
    parsed.types[operands], parsed.types[result] = [*pointer, *inputs], results
    for name, node in zip(attributes, (*nodes, *more), strict=True):
        if any(node):
            parsed.attributes[name] = cursor.composed_attribute(partial(_dictionaries, node))


def _dictionaries(
    nodes: list[Node | None], type: Callable[[Node], Type], attribute: Callable[[Node, Type | None], Attribute]
) -> Attribute:
    """The attributes of the arguments, or of the results."""
    return ArrayAttr(tuple(attribute(node, None) if node is not None else DictAttr(()) for node in nodes))


def spell_call_type(
    op: ops.CallOp | ops.CallIntrinsicOp | ops.InvokeOp,
    p: OpPrinter,
    arguments: Sequence[str],
    *,
    says_pointer: bool = True,
) -> str:
    types, lead = [value.type for value in op.all_of(arguments[0])], " : "
    if not isinstance(op, ops.CallIntrinsicOp) and op.callee is None:
        pointer = types.pop(0)
        lead = f" : {p.spell(pointer)}, " if says_pointer else lead
    return lead + spell_function_type(types, [result.type for result in op.results], op, p)


def _parse_results(cursor: OpParser) -> tuple[list[Node], list[Node | None]]:
    return _parse_typed(cursor) if cursor.at("(") else ([cursor.plain_type()], [])


def _parse_typed(cursor: OpParser) -> tuple[list[Node], list[Node | None]]:
    entries = bracketed(cursor, "()", lambda: (cursor.type(), cursor.optional_dictionary()))
    return [type for type, _ in entries], [dictionary for _, dictionary in entries]


def resolve_call(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """A call of what gives nothing has no result."""
    results = [type for name in ("result", "results") for type in resolver.types(parsed.types.get(name, []))]
    if any(isinstance(type, LLVMVoidType) for type in results):
        resolver.fail(f"custom op '{parsed.name}' expected a non-void result type")
    resolver.resolve_by_rules()


def argument_types(op: ops.CallOp | ops.InvokeOp) -> list[Type]:
    """The types of the arguments of a call, without its pointer."""
    return [value.type for value in op.callee_operands[0 if op.callee is not None else 1 :]]


@verifies("llvm.call")
def _verify_call(op: ops.CallOp) -> Complaint:
    if problems := verify_bundles(op):
        return problems
    if (problem := variadic_problem(op, argument_types(op))) is not None:
        return problem
    if op.callee is not None:
        return None
    if not op.operands:
        return "must have either a `callee` attribute or at least an operand"
    type = op.callee_operands[0].type
    return None if isinstance(type, LLVMPointerType) else f"indirect call expects a pointer as callee: '{type}'"


# ---- llvm.inline_asm


@verifies("llvm.inline_asm")
def _verify_inline_asm(op: ops.InlineAsmOp) -> Complaint:
    is_must = word_of(op.tail_call_kind) == "musttail"
    return "tail call kind 'musttail' is not supported by this operation" if is_must else None


def _effects_of_inline_asm(op: ops.InlineAsmOp) -> Sequence[Effect]:
    """Any memory, if it says that it has side effects; otherwise none."""
    return ANY_MEMORY if op.has_side_effects is not None else ()


ANY_MEMORY: Final = (Effect(EffectKind.WRITE), Effect(EffectKind.READ))


_BUNDLES: Final = "custom<Bundles>($op_bundle_operands, $op_bundle_sizes, $op_bundle_tags)"
_REST: Final = f"""(`vararg` `(` $var_callee_type^ `)`)? {_BUNDLES} attr-dict
    custom<CallType>(type($callee_operands), type($result), $arg_attrs, $res_attrs)"""
DIRECTIVES: Final = {
    "Callee": CustomDirective(_parse_callee, spell=_spell_callee),
    "CallType": CustomDirective(parse_call_type, spell=spell_call_type, spaced=True),
}
CODE: Final = {
    "call": OpCode(
        interfaces=(call_by_groups("callee_operands"),),
        custom=two_way(
            "custom<CConv>($CConv) custom<TailCallKind>($TailCallKind) "
            f"custom<Callee>($callee, $callee_operands) {_REST}",
            resolve_call,
        ),
    ),
    "call_intrinsic": OpCode(
        custom=two_way(
            f"$intrin `(` $args `)` {_BUNDLES} attr-dict "
            "custom<CallType>(type($args), type($results), $arg_attrs, $res_attrs)",
            resolve_call,
        )
    ),
    "inline_asm": OpCode(interfaces=(MemoryEffects(_effects_of_inline_asm), InlineAssembly())),
    "invoke": OpCode(
        interfaces=(branch_by_groups("normalDestOperands", "unwindDestOperands", ways=("normal", "unwind")),),
        custom=two_way(
            "custom<CConv>($CConv) custom<Callee>($callee, $callee_operands) "
            "`to` $normalDest (`(` $normalDestOperands^ `:` type($normalDestOperands) `)`)? "
            f"`unwind` $unwindDest (`(` $unwindDestOperands^ `:` type($unwindDestOperands) `)`)? {_REST}",
            resolve_call,
        ),
    ),
}
