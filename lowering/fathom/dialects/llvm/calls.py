"""The LLVM dialect's calls: of functions, of intrinsic functions by name, and of assembly text.

Source of the rules: *'llvm' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import calling_convention, cases, fastmath_of, tail_call_kind
from fathom.dialects.llvm.functions import keyword_of, print_results, print_typed
from fathom.dialects.llvm.intrinsics import BUNDLE_NAMES, parse_bundles, print_bundles, verify_bundles
from fathom.dialects.llvm.symbol_checks import variadic_problem
from fathom.dialects.llvm.types import LLVMPointerType, LLVMVoidType
from fathom.ir.attributes import ArrayAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type
from fathom.irdl.cases import word_of
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Effect, EffectKind, InlineAssembly, MemoryEffects, call_by_groups
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

# ---- llvm.call

CALL_HEADER: Final = (
    "callee",
    "CConv",
    "TailCallKind",
    "var_callee_type",
    "arg_attrs",
    "res_attrs",
    *BUNDLE_NAMES,
)


def _without_default(op: ops.CallOp | ops.CallIntrinsicOp, names: tuple[str, ...]) -> tuple[str, ...]:
    return (*names, "fastmathFlags") if op.fastmathFlags == fastmath_of() else names


def _print_call(op: ops.CallOp, p: OpPrinter) -> None:
    words = keyword_of(op.CConv, "ccc"), keyword_of(op.TailCallKind, "none")
    p.write("".join(f" {word}" for word in words if word) + " ")
    pointer, arguments = print_callee(op, p)
    print_variadic(op, p)
    print_bundles(op, p)
    p.attr_dict(op, elide=_without_default(op, CALL_HEADER))
    print_signature(op, pointer, arguments, p)


def print_callee(op: ops.CallOp | ops.InvokeOp, p: OpPrinter) -> tuple[Value | None, list[Value]]:
    """`@callee(%a, %b)`, or `%pointer(%a, %b)`; the pointer of such a call, and the arguments."""
    pointer: Value | None = None
    arguments = op.callee_operands
    if op.callee is not None:
        p.attribute(op.callee)
    else:
        pointer, *arguments = arguments
        p.value(pointer)
    p.write("(")
    p.values(arguments)
    p.write(")")
    return pointer, arguments


def print_variadic(op: ops.CallOp | ops.InvokeOp, p: OpPrinter) -> None:
    """` vararg(!llvm.func<…>)`, or nothing."""
    if op.var_callee_type is not None:
        p.write(" vararg(")
        p.attribute(op.var_callee_type)
        p.write(")")


def parse_variadic(cursor: OpParser, parsed: ParsedOp) -> None:
    """The same."""
    if cursor.accept("vararg"):
        cursor.expect("(")
        parsed.attributes["var_callee_type"] = cursor.type()
        cursor.expect(")")


def print_signature(op: Operation, pointer: Value | None, arguments: list[Value], p: OpPrinter) -> None:
    """` : (i32 {attributes}, f32) -> f32`, with the type of the pointer before it where there is one."""
    p.write(" : ")
    if pointer is not None:
        p.type(pointer.type)
        p.write(", ")
    _print_call_type(op, arguments, p)


def _print_call_type(op: Operation, arguments: list[Value], p: OpPrinter) -> None:
    p.write("(")
    print_typed([argument.type for argument in arguments], op, "arg_attrs", p)
    p.write(") -> ")
    print_results([result.type for result in op.results], op, p)


CallAttributes: TypeAlias = "Mapping[str, list[Node | None]]"
"""The dictionaries of a call's arguments and results, as `arg_attrs` and `res_attrs`."""


def _parse_call(cursor: OpParser, parsed: ParsedOp) -> CallAttributes:
    parsed.attributes["CConv"] = calling_convention(cursor.optional_keyword(cases("CConv")) or "ccc")
    parsed.attributes["TailCallKind"] = tail_call_kind(cursor.optional_keyword(cases("TailCallKind")) or "none")
    callee = parse_callee(cursor, parsed)
    arguments = cursor.value_list("(", ")")
    parse_variadic(cursor, parsed)
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    return parse_signature(cursor, parsed, callee, arguments)


def parse_callee(cursor: OpParser, parsed: ParsedOp) -> list[Ref]:
    """`@callee`, or the value of a pointer, which is returned."""
    if cursor.at_kind("value"):
        return [cursor.value_use()]
    at, is_symbol = cursor.here(), cursor.at_kind("symbol")
    parsed.attributes["callee"] = cursor.attribute()
    if not is_symbol:
        cursor.fail(f"custom op '{parsed.name}' invalid kind of attribute specified", at)
    return []


def parse_signature(cursor: OpParser, parsed: ParsedOp, callee: list[Ref], arguments: list[Ref]) -> CallAttributes:
    """The types at the end of a call."""
    at = cursor.here()
    cursor.expect(":", "expected ':'")
    pointer: list[Node] = []
    if callee:
        pointer = [cursor.type()]
        if not cursor.accept(","):
            cursor.fail(f"custom op '{parsed.name}' expected indirect call to have 2 trailing types", at)
    inputs, attributes = _parse_call_type(cursor, parsed, at, direct=not callee)
    if len(inputs) != len(arguments):
        counts = f"got {len(arguments)} operands and {len(inputs)} types"
        cursor.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", parsed.name_token)
    parsed.operands["callee_operands"] = [*callee, *arguments]
    parsed.types["callee_operands"] = [*pointer, *inputs]
    return attributes


def _parse_call_type(
    cursor: OpParser, parsed: ParsedOp, at: Ref, *, direct: bool = True
) -> tuple[list[Node], CallAttributes]:
    """`(i32 {attributes}, f32) -> (f32 {attributes})`. That it is none MLIR says at `at`."""
    trailing = "direct call to have 1 trailing types" if direct else "trailing function type"
    expected = f"custom op '{parsed.name}' expected {trailing}"
    inputs, attributes = cursor.part(lambda: _parse_typed(cursor), expected, at)
    if not cursor.accept("->"):
        cursor.fail(expected, at)
    results, result_attributes = cursor.part(lambda: _parse_results(cursor), expected, at)
    if len(results) > 1:
        cursor.fail(f"custom op '{parsed.name}' expected function with 0 or 1 result", at)
    parsed.types["result"] = results
    return inputs, {"arg_attrs": attributes, "res_attrs": result_attributes}


def _parse_results(cursor: OpParser) -> tuple[list[Node], list[Node | None]]:
    return _parse_typed(cursor) if cursor.at("(") else ([cursor.plain_type()], [])


def _parse_typed(cursor: OpParser) -> tuple[list[Node], list[Node | None]]:
    cursor.expect("(")
    types: list[Node] = []
    attributes: list[Node | None] = []
    while not cursor.at(")"):
        types.append(cursor.type())
        attributes.append(cursor.optional_dictionary())
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return types, attributes


def resolve_call(resolver: Resolver, parsed: ParsedOp, attributes: CallAttributes) -> None:
    """The operands and the result of a call, with the attributes of each."""
    if any(isinstance(type, LLVMVoidType) for type in resolver.types(parsed.types.get("result", []))):
        resolver.fail(f"custom op '{parsed.name}' expected a non-void result type")
    resolver.resolve_by_rules()
    for name, nodes in attributes.items():
        if any(node is not None for node in nodes):
            resolver.properties[name] = ArrayAttr(tuple(resolver.argument_attributes(node) for node in nodes))


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


# ---- llvm.call_intrinsic

INTRINSIC_HEADER: Final = ("intrin", "arg_attrs", "res_attrs", *BUNDLE_NAMES)


def _print_call_intrinsic(op: ops.CallIntrinsicOp, p: OpPrinter) -> None:
    p.write(" ")
    p.attribute(op.intrin)
    p.write("(")
    p.values(op.args)
    p.write(")")
    print_bundles(op, p)
    p.attr_dict(op, elide=_without_default(op, INTRINSIC_HEADER))
    p.write(" : ")
    _print_call_type(op, op.args, p)


def _parse_call_intrinsic(cursor: OpParser, parsed: ParsedOp) -> CallAttributes:
    parsed.attributes["intrin"] = cursor.attribute()
    arguments = cursor.value_list("(", ")")
    parse_bundles(cursor, parsed)
    cursor.attr_dict(parsed)
    at = cursor.here()
    cursor.expect(":")
    inputs, attributes = _parse_call_type(cursor, parsed, at)
    if len(inputs) != len(arguments):
        counts = f"got {len(arguments)} operands and {len(inputs)} types"
        cursor.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", parsed.name_token)
    parsed.types["results"] = parsed.types.pop("result")
    parsed.operands["args"], parsed.types["args"] = arguments, inputs
    return attributes


# ---- llvm.inline_asm


@verifies("llvm.inline_asm")
def _verify_inline_asm(op: ops.InlineAsmOp) -> Complaint:
    is_must = word_of(op.tail_call_kind) == "musttail"
    return "tail call kind 'musttail' is not supported by this operation" if is_must else None


def _effects_of_inline_asm(op: ops.InlineAsmOp) -> Sequence[Effect]:
    """Any memory, if it says that it has side effects; otherwise none."""
    return ANY_MEMORY if op.has_side_effects is not None else ()


ANY_MEMORY: Final = (Effect(EffectKind.WRITE), Effect(EffectKind.READ))


CODE: Final = {
    "call": OpCode(
        interfaces=(call_by_groups("callee_operands"),), custom=CustomSyntax(_parse_call, _print_call, resolve_call)
    ),
    "call_intrinsic": OpCode(custom=CustomSyntax(_parse_call_intrinsic, _print_call_intrinsic, resolve_call)),
    "inline_asm": OpCode(interfaces=(MemoryEffects(_effects_of_inline_asm), InlineAssembly())),
}
