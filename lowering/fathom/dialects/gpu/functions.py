"""Functions of the gpu dialect, whose bodies have memory as further arguments; and what they give back.

Source of the rules: *'gpu' Dialect*, "gpu.func"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import (
    ATTRIBUTES_BUT,
    attributes_at,
    entry_arguments,
    resolve_signature,
    write_signature,
)
from fathom.ir.attributes import UNIT, ArrayAttr, DictAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import closest
from fathom.ir.types import I64, MemRefType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.keywords import bracketed
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import gpu as ops

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Resolver

KERNEL: Final = "gpu.kernel"
WORKGROUP_COUNT: Final = "workgroup_attributions"
"""How many arguments of the body are memory of a workgroup; those behind are private memory."""


def parse_memory(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`workgroup(%a: memref<…>) private(%b: memref<…>)`, either of which may be left out: the last arguments of the
    body, which may have attributes where `arguments` says so."""
    read = partial(parser.argument, allow_attributes=bool(arguments))
    for word in ("workgroup", "private"):
        parsed.notes[word] = bracketed(parser, "()", read, "argument list") if parser.accept(word) else []
        parsed.named += parsed.notes[word]
    parsed.attributes[WORKGROUP_COUNT] = IntegerAttr(len(parsed.notes["workgroup"]), I64)


def print_memory(op: ops.FuncOp | ops.LaunchOp, p: OpPrinter, arguments: Sequence[BlockArgument]) -> None:
    """The arguments of the body behind the others."""
    count = workgroup_count(op)
    for word, group in (("workgroup", arguments[:count]), ("private", arguments[count:])):
        for index, argument in enumerate(group):
            p.write(", " if index else f" {word}(")
            p.value(argument)
            p.write(" : ")
            p.type(argument.type)
            p.entries(list(attributes_at(op, f"{word}_attrib_attrs", index).entries))
        if group:
            p.write(")")


def workgroup_count(op: ops.FuncOp | ops.LaunchOp) -> int:
    """How many arguments of the body are memory of a workgroup."""
    value = op.attributes.get(WORKGROUP_COUNT)
    return value.value if isinstance(value, IntegerAttr) else 0


def check_memory(arguments: Sequence[BlockArgument], count: int) -> Complaint:
    """Memory is given in the space where it is."""
    for index, argument in enumerate(arguments):
        if not isinstance(argument.type, MemRefType):
            return "expected memref type in attribution"
        word = "workgroup" if index < count else "private"
        space = argument.type.space
        if isinstance(space, DialectAttr) and space.full_name == "gpu.address_space":
            number = {"workgroup": 2, "private": 3}[word]
            if space.parameters != (number,):
                return f"expected memory space {word} in attribution"
    return None


# ---- gpu.func


def _parse_head(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    """`@f(%a: i32) -> f32`; the name is no property."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    start = parser.here()
    signature = parser.signature(parsed)
    if signature.arguments and signature.arguments[0].token < 0:
        parser.fail(f"custom op '{parsed.name}' gpu.func requires named arguments", start)
    parsed.named += signature.arguments


def _print_head(op: ops.FuncOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.symbol(symbol_name(op))
    write_signature(op, p, arguments)


def _parse_kernel(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    if parser.accept("kernel"):
        parsed.attributes[KERNEL] = UNIT


def _print_memory(op: ops.FuncOp, p: OpPrinter, _: Sequence[str]) -> None:
    print_memory(op, p, (entry_arguments(op) or [])[len(function_type(op).inputs) :])


def _resolve_function(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolve_signature(resolver, parsed)
    for name in ("workgroup", "private"):
        arguments: Sequence[Argument] = parsed.notes[name]
        dictionaries = [resolver.argument_attributes(argument.attributes) for argument in arguments]
        if any(isinstance(dictionary, DictAttr) and dictionary.entries for dictionary in dictionaries):
            resolver.properties[f"{name}_attrib_attrs"] = ArrayAttr(tuple(dictionaries))
        resolver.region_argument_types[0] += [resolver.argument_type(argument) for argument in arguments]


def is_kernel(op: Operation) -> bool:
    """Whether a function is one that is launched."""
    return KERNEL in op.attributes


@verifies("gpu.func")
def _verify_function(op: ops.FuncOp) -> Complaint:
    type = function_type(op)
    if is_kernel(op) and type.results:
        return "expected void return type for kernel function"
    entry = op.body.first
    if entry is None:
        return "expected body with at least one block"
    count, least = workgroup_count(op), len(type.inputs) + workgroup_count(op)
    if len(entry.arguments) < least:
        return f"expected at least {least} arguments to body region"
    for index, (expected, argument) in enumerate(zip(type.inputs, entry.arguments, strict=False)):
        if expected != argument.type:
            return f"expected body region argument #{index} to be of type '{expected}', got '{argument.type}'"
    return check_memory(entry.arguments[len(type.inputs) :], count)


@verifies("gpu.return")
def _verify_return(op: ops.ReturnOp) -> Complaint:
    function = closest(op, ops.FuncOp)
    if function is None:
        return None
    results = function_type(function).results
    if len(results) != len(op.operands):
        note = ("return type declared here", function)
        return Problem(f"expected {len(results)} result operands", notes=(note,))
    for index, (type, operand) in enumerate(zip(results, op.operands, strict=True)):
        if type != operand.type:
            return f"unexpected type `'{operand.type}'' for operand #{index}"
    return None


_FUNCTION: Final = """custom<Head>($function_type, $arg_attrs, $res_attrs) custom<Memory>("attributes") custom<Kernel>()
    custom<AttributesBut>("sym_name", ref($function_type), ref($arg_attrs), ref($res_attrs),
                          ref($workgroup_attrib_attrs), ref($private_attrib_attrs), "workgroup_attributions",
                          "gpu.kernel")
    custom<Unlabelled>($body)"""
DIRECTIVES: Final = {
    "AttributesBut": ATTRIBUTES_BUT,
    "Head": CustomDirective(_parse_head, _print_head),
    "Kernel": CustomDirective(_parse_kernel, lambda op, p, _: p.write(" kernel" if is_kernel(op) else ""), spaced=True),
    "Memory": CustomDirective(parse_memory, _print_memory, spaced=True),
}
CODE: Final = {"func": OpCode(custom=two_way(_FUNCTION, _resolve_function))}
