"""What stands in the clauses of acc's operations: values, variables, loops, and words.

    async                  varPtr(%x : memref<10xf32>) varType(f32)

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.common import attribute, is_pointer_like, pointee
from fathom.dialects.acc.device_clauses import DEVICE_CLAUSES
from fathom.ir.attributes import UNIT, TypeAttr
from fathom.irdl.cases import word
from fathom.irdl.clauses import clause
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.listed import print_list, typed, typed_value

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


# ---- one value or a keyword


def _parse_value_or_keyword(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    operand, _, keyword = arguments
    if not parser.accept("("):
        parsed.attributes[keyword] = UNIT
        return
    typed_value(parser, parsed, operand)
    parser.expect(")")


def _parse_list_or_keyword(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    operands, _, keyword = arguments
    if not parser.accept("("):
        parsed.attributes[keyword] = UNIT
        return
    parsed.operands[operands] = comma_separated(parser, parser.value_use)
    parser.expect(":")
    parsed.types[operands] = comma_separated(parser, parser.type)
    parser.expect(")")


def _print_list_or_keyword(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, _, keyword = arguments
    if keyword not in op.properties:
        p.write("(")
        p.typed_values(op.all_of(operands))
        p.write(")")


# ---- variables


def _one_of(parser: OpParser, parsed: ParsedOp, pointer: str, other: str) -> None:
    """One of two words, and a parenthesis; messages want the second."""
    if not parser.accept(pointer):
        expect_keyword(parser, parsed, other)
    parser.expect("(")


def _parse_var(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`varPtr(%x`; its type and the parenthesis follow."""
    _one_of(parser, parsed, "varPtr", "var")
    parsed.operands[arguments[0]] = [parser.value_use()]


def _print_var(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    value = op.one_of(arguments[0])
    p.write("varPtr(" if is_pointer_like(value.type) else "var(")
    p.value(value)


def _parse_var_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`memref<10xf32>) varType(tensor<10xf32>)`; without the latter it is what the pointer points to."""
    var, prop = arguments
    node = parser.type()
    parsed.types[var] = [node]
    parser.expect(")")
    if parser.accept("varType"):
        parser.expect("(")
        parsed.attributes[prop] = parser.type()
        parser.expect(")")
    else:
        parsed.attributes[prop] = parser.composed_attribute(lambda type, _: TypeAttr(pointee(type(node))))


def _print_var_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    type, stated = op.one_of(arguments[0]).type, op.properties.get(arguments[1])
    p.type(type)
    p.write(")")
    if isinstance(stated, TypeAttr) and stated.type != pointee(type):
        p.write(" varType(")
        p.type(stated.type)
        p.write(")")


def _parse_acc_var(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`accPtr(%x : memref<10xf32>)`."""
    _one_of(parser, parsed, "accPtr", "accVar")
    typed_value(parser, parsed, arguments[0])
    parser.expect(")")


def _print_acc_var(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    value = op.one_of(arguments[0])
    p.write("accPtr(" if is_pointer_like(value.type) else "accVar(")
    typed(p, value)
    p.write(")")


# ---- loops


def _parse_combined(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    construct = parser.optional_keyword(("kernels", "parallel", "serial"))
    if construct is None:
        parser.fail(f"custom op '{parsed.name}' expected compute construct name")
    parsed.attributes[arguments[0]] = attribute("CombinedConstructsTypeAttr", f"{construct}_loop")


def _print_combined(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write(word(op, arguments[0]).removesuffix("_loop"))


def _parse_control(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`control(%i : i32) = (%a : i32) to (%b : i32) step (%c : i32) {`."""
    if not parser.accept("control"):
        parser.region(parsed)
        return
    _, lower, _, upper, _, step, _ = arguments
    parser.expect("(")
    variables = (
        comma_separated(parser, lambda: parser.argument(allow_attributes=False)) if parser.at_kind("value") else []
    )
    parser.expect(")")
    for group, ahead in ((lower, "="), (upper, "to"), (step, "step")):
        parser.expect(ahead, None if ahead == "=" else f"custom op '{parsed.name}' expected '{ahead}'")
        parser.expect("(")
        at = parser.here()
        parsed.operands[group] = parser.bare_value_list()
        if len(parsed.operands[group]) != len(variables):
            parser.fail(f"custom op '{parsed.name}' expected {len(variables)} operands", at)
        parser.expect(":")
        parsed.types[group] = parser.type_list()
        parser.expect(")")
    parser.region(parsed, variables)


def _print_control(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    block = op.regions[0].first
    if block is not None and block.arguments:
        p.write("control(")
        print_list(p, block.arguments, lambda argument: typed(p, argument))
        p.write(") = (")
        for group, behind in ((arguments[1], ") to ("), (arguments[3], ")  step ("), (arguments[5], ") ")):
            p.typed_values(op.all_of(group))
            p.write(behind)
    p.region(op.regions[0], entry_arguments=False)


CLAUSES: Final[Mapping[str, CustomDirective]] = {
    **DEVICE_CLAUSES,
    "AccVar": CustomDirective(_parse_acc_var, _print_acc_var),
    "CombinedConstructsLoop": CustomDirective(_parse_combined, _print_combined),
    "LoopControl": CustomDirective(_parse_control, _print_control),
    "OperandWithKeywordOnly": CustomDirective(_parse_value_or_keyword, _print_list_or_keyword),
    "OperandsWithKeywordOnly": CustomDirective(_parse_list_or_keyword, _print_list_or_keyword),
    "RecipeSym": clause("$0"),
    "Var": CustomDirective(_parse_var, _print_var),
    "VarPtrType": CustomDirective(_parse_var_type, _print_var_type),
}
