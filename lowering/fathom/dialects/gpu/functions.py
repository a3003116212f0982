"""Functions of the gpu dialect, whose bodies have memory as further arguments; and what they give back.

Source of the rules: *'gpu' Dialect*, "gpu.func"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import (
    attributes_at,
    entry_arguments,
    print_body,
    print_signature,
    resolve_signature,
)
from fathom.ir.attributes import UNIT, ArrayAttr, DictAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import closest
from fathom.ir.types import I64, MemRefType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.keywords import bracketed
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import gpu as ops
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Resolver

KERNEL: Final = "gpu.kernel"
WORKGROUP_COUNT: Final = "workgroup_attributions"
"""How many arguments of the body are memory of a workgroup; those behind are private memory."""
_IN_HEADER: Final = frozenset(
    (
        "sym_name",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "workgroup_attrib_attrs",
        "private_attrib_attrs",
        WORKGROUP_COUNT,
        KERNEL,
    )
)


@record
class Memory:
    """The arguments of a body that are memory."""

    workgroup: tuple[Argument, ...]
    private: tuple[Argument, ...]


def parse_memory(parser: OpParser, *, allow_attributes: bool = False) -> Memory:
    """`workgroup(%a: memref<…>) private(%b: memref<…>)`, either of which may be left out."""
    found: list[tuple[Argument, ...]] = []
    for word in ("workgroup", "private"):
        read = partial(parser.argument, allow_attributes=allow_attributes)
        found.append(tuple(bracketed(parser, "()", read, "argument list")) if parser.accept(word) else ())
    return Memory(*found)


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


def _parse_function(parser: OpParser, parsed: ParsedOp) -> Memory:
    """`@f(%a: i32) -> f32 workgroup(…) private(…) kernel attributes {…} {…}`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    start = parser.here()
    signature = parser.signature(parsed)
    if signature.arguments and signature.arguments[0].token < 0:
        parser.fail("custom op 'gpu.func' gpu.func requires named arguments", start)
    memory = parse_memory(parser, allow_attributes=True)
    if parser.accept("kernel"):
        parsed.attributes[KERNEL] = UNIT
    parser.attr_dict_with_keyword(parsed)
    parser.region(parsed, [*signature.arguments, *memory.workgroup, *memory.private])
    return memory


def _resolve_function(resolver: Resolver, parsed: ParsedOp, memory: Memory) -> None:
    resolve_signature(resolver, parsed)
    resolver.attributes[WORKGROUP_COUNT] = IntegerAttr(len(memory.workgroup), I64)
    for name, arguments in (("workgroup", memory.workgroup), ("private", memory.private)):
        found = [resolver.argument_attributes(argument.attributes) for argument in arguments]
        if any(isinstance(each, DictAttr) and each.entries for each in found):
            resolver.properties[f"{name}_attrib_attrs"] = ArrayAttr(tuple(found))
    further = [resolver.argument_type(argument) for argument in (*memory.workgroup, *memory.private)]
    resolver.region_argument_types[0] += further


def _print_function(op: ops.FuncOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    arguments = entry_arguments(op)
    count = len(function_type(op).inputs)
    print_signature(op, p, arguments[:count] if arguments is not None else None)
    print_memory(op, p, arguments[count:] if arguments is not None else ())
    if is_kernel(op):
        p.write(" kernel")
    p.attributes_but(op, _IN_HEADER, keyword=True)
    print_body(op, p)


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


CODE: Final = {
    "func": OpCode(custom=CustomSyntax(_parse_function, _print_function, _resolve_function)),
}
