"""`tosa.cond_if` and `tosa.while_loop`: operations whose regions get the values that they are given.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts of errors are those of MLIR 22's
parser and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.scf.common import expect_word, parse_assignments, print_assignments, types_of
from fathom.irdl.definition import CustomSyntax
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


@record
class Condition:
    """The condition with its type, what the regions are given, and the types of that and of the results."""

    condition: Ref
    type: Node
    values: list[Ref]
    inputs: list[Node]
    results: list[Node]


def _parse_if(parser: OpParser, parsed: ParsedOp) -> Condition:
    """`%c (%a = %x) : tensor<i1> (tensor<f32>) -> tensor<f32> {…} else {…} {attributes}`."""
    condition = parser.value_use()
    has_values = parser.at("(")
    # The names on the left mean nothing: the regions name their arguments themselves.
    _, values = parse_assignments(parser) if has_values else ([], [])
    parser.part(lambda: parser.expect(":"), "expected type for condition operand")
    type = parser.part(parser.type, "expected type for condition operand")
    inputs: list[Node] = []
    if has_values:
        further = "expected list of types for block arguments followed by arrow type and list of return types"
        inputs, results = parser.part(parser.functional_type, further)
        if len(inputs) != len(values):
            counts = f"(expected {len(values)} got {len(inputs)})"
            parser.fail(f"custom op '{parsed.name}' expected as many input types as operands {counts}")
    else:
        results = parser.optional_arrow_types()
    parser.region(parsed)
    if parser.accept("else"):
        parser.region(parsed)
    else:
        parsed.absent_regions.append(1)
    parser.attr_dict(parsed)
    return Condition(condition, type, values, inputs, results)


def _resolve_if(resolver: Resolver, parsed: ParsedOp, found: Condition) -> None:
    if parsed.absent_regions:
        resolver.region_order = [0, -1]
    condition = resolver.operand(found.condition, resolver.type(found.type))
    resolver.operands = [condition, *resolver.operand_list(found.values, resolver.types(found.inputs))]
    resolver.result_types = resolver.types(found.results)


def _print_if(op: Operation, p: OpPrinter) -> None:
    condition, *values = op.operands
    then, otherwise = op.regions
    p.write(" ")
    p.value(condition)
    if values:
        p.write(" (")
        print_assignments(then.first.arguments if then.first is not None else (), values, p)
        p.write(")")
    p.write(" : ")
    p.type(condition.type)
    if values:
        p.write(" (")
        p.types(types_of(values))
        p.write(")")
    if op.results:
        p.arrow_types(types_of(op.results))
    else:
        p.write(" -> ()")
    p.write(" ")
    p.region(then)
    if not otherwise.is_empty:
        p.write(" else ")
        p.region(otherwise)
    p.attr_dict(op)


def _parse_while(parser: OpParser, parsed: ParsedOp) -> None:
    """`(%a = %x) : (tensor<i32>) -> tensor<i32> {…} do {…} attributes {…}`."""
    arguments: list[Argument] = []
    values: list[Ref] = []
    if parser.at("("):
        arguments, values = parse_assignments(parser)
    at = parser.here()
    parser.expect(":")
    inputs, results = parser.functional_type()
    if len(inputs) != len(values):
        counts = f"(expected {len(values)} got {len(inputs)})"
        parser.fail(f"custom op '{parsed.name}' expected as many input types as operands {counts}", at)
    # Not a value of its own: the regions are read while the parser still waits for the keyword between them.
    parsed.operands["input_list"] = values
    parsed.types["input_list"], parsed.types["output_list"] = inputs, results
    parser.region(parsed, arguments)
    expect_word("do", parser, parsed)
    parser.region(parsed)
    parser.attr_dict_with_keyword(parsed)


def _resolve_while(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    carried = resolver.types(parsed.types["input_list"])
    resolver.region_argument_types = [carried, []]
    resolver.operands = resolver.operand_list(parsed.operands["input_list"], carried)
    resolver.result_types = resolver.types(parsed.types["output_list"])


def _print_while(op: Operation, p: OpPrinter) -> None:
    condition, body = op.regions
    if op.operands:
        p.write(" (")
        print_assignments(condition.first.arguments if condition.first is not None else (), op.operands, p)
        p.write(")")
    p.write(" : ")
    p.functional_type(types_of(op.operands), types_of(op.results))
    p.write(" ")
    p.region(condition, entry_arguments=False)
    p.write(" do ")
    p.region(body)
    p.attr_dict(op, keyword=True)


COND_IF = CustomSyntax(_parse_if, _print_if, _resolve_if)
WHILE_LOOP = CustomSyntax(_parse_while, _print_while, _resolve_while, operands_first=True)
