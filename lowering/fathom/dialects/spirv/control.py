"""Structured control flow of SPIR-V and its conditional branch.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.words import attribute_of, parse_word, spelling
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr
from fathom.ir.types import I1, I32
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def _structured(enumeration: str, name: str) -> CustomSyntax[None]:
    """`control(Unroll) -> f32 {…}`."""

    def parse(parser: OpParser, parsed: ParsedOp) -> None:
        number = 0
        if parser.accept("control"):
            parser.expect("(")
            number = parse_word(parser, parsed.name, enumeration, name)
            parser.expect(")")
        parsed.attributes[name] = attribute_of(enumeration, number)
        parsed.types["results"] = parser.type_list() if parser.accept("->") else []
        parser.region(parsed)

    return CustomSyntax(parse, _printer(enumeration, name))


def _printer(enumeration: str, name: str) -> Callable[[Operation, OpPrinter], None]:
    def write(op: Operation, p: OpPrinter) -> None:
        control = spelling(op, name, enumeration)
        if control != "None":
            p.write(f" control({control})")
        if op.results:
            p.write(" -> ")
            p.types([result.type for result in op.results])
        p.write(" ")
        p.region(op.regions[0], entry_arguments=False)

    return write


# ---- spirv.BranchConditional


def _parse_branch(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`%c [5, 10], ^bb1(%a : i32), ^bb2`."""
    parsed.operands["condition"] = [parser.value_use()]
    weights: list[Node] = []
    if parser.accept("["):
        weights.append(parser.attribute(I32))
        parser.expect(",")
        weights.append(parser.attribute(I32))
        parser.expect("]")
    for _ in range(2):
        parser.expect(",")
        parser.successor(parsed)
    return weights


def _resolve_branch(resolver: Resolver, parsed: ParsedOp, weights: list[Node]) -> None:
    resolver.operands = [resolver.operand(parsed.operands["condition"][0], I1)]
    resolver.resolve_successors()
    if weights:
        resolver.properties["branch_weights"] = ArrayAttr(tuple(resolver.attribute(each, I32) for each in weights))
    sizes = (1, *(len(successor.operands) for successor in parsed.successors))
    resolver.properties["operandSegmentSizes"] = DenseArrayAttr(I32, sizes)


def _print_branch(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    weights = op.properties.get("branch_weights")
    if isinstance(weights, ArrayAttr):
        listed = [str(each.value) for each in weights.elements if isinstance(each, IntegerAttr)]
        p.write(f" [{', '.join(listed)}]")
    for block, group in zip(op.successors, ("trueTargetOperands", "falseTargetOperands"), strict=False):
        p.write(", ")
        p.successor(block, op.group(group))


def _verify_branch(op: Operation) -> list[Problem]:
    weights = op.properties.get("branch_weights")
    if not isinstance(weights, ArrayAttr):
        return []
    if len(weights.elements) != 2:
        return [Problem("must have exactly two branch weights")]
    if all(isinstance(each, IntegerAttr) and not each.value for each in weights.elements):
        return [Problem("branch weights cannot both be zero")]
    return []


CODE: Final = {
    "BranchConditional": OpCode(
        custom=CustomSyntax(_parse_branch, _print_branch, _resolve_branch), verify=_verify_branch
    ),
    "mlir.loop": OpCode(custom=_structured("LoopControl", "loop_control")),
    "mlir.selection": OpCode(custom=_structured("SelectionControl", "selection_control")),
}
