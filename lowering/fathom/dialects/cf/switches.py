"""Switches between the blocks of a region, those of other dialects too: what their successors get, and their syntax.

Source of the rules: *'cf' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I32, IndexType, IntegerType, Type, UnknownType, VectorType
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import Branch, BranchEdge
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.ops import llvm
    from fathom.ops.cf import SwitchOp


def edges_of(op: Operation) -> list[BranchEdge]:
    """The ways to the successors of a branch, in their order."""
    branch = op.interface(Branch)
    return branch.edges(op) if branch is not None else []


@verifies("cf.br")
def verify_branch(op: Operation) -> Complaint:
    """What is wrong with the values that successors get."""
    if not op.operands and not any(block.arguments for block in op.successors):
        return None
    for index, edge in enumerate(edges_of(op)):
        given, wanted = len(edge.passed), len(edge.target.arguments)
        if given != wanted:
            message = f"branch has {given} operands for successor #{index}, but target block has {wanted}"
            return Problem(message, bare=True)
        for position, (operand, argument) in enumerate(zip(edge.passed, edge.target.arguments, strict=True)):
            if operand.type != argument.type:
                return Problem(f"type mismatch for bb argument #{position} of successor #{index}", bare=True)
    return None


# ---- cases


def case_values(op: Operation, name: str = "case_values") -> list[int]:
    """The value of each case of a switch, signed, which a property has."""
    attribute = op.properties.get(name)
    if not isinstance(attribute, DenseElementsAttr):
        return []
    values = [value for value in attribute.values if isinstance(value, int)]
    # There may be said to be more of them than blocks; those are none's.
    return values * min(case_count(attribute), len(op.successors)) if attribute.is_splat else values


def case_count(values: DenseElementsAttr) -> int:
    """How many cases a property has the values of."""
    return values.type.shape[0] if values.type.shape else 1


def switch_properties(
    flag: Type, values: Sequence[int], sizes: Sequence[int], name: str = "case_values"
) -> dict[str, Attribute]:
    """The properties of a switch on `flag` with these case values, by the `name` of the property that has them, whose
    successors (the default first) get so many values each."""
    properties = _sizes(sizes)
    if values:
        properties[name] = dense_cases([case_value(value, flag) for value in values], flag)
    return properties


def _sizes(sizes: Sequence[int]) -> dict[str, Attribute]:
    """The properties that say how many values each successor gets, the default first."""
    default, *cases = sizes
    return {
        "case_operand_segments": DenseArrayAttr(I32, tuple(cases)),
        "operandSegmentSizes": DenseArrayAttr(I32, (1, default, sum(cases))),
    }


def dense_cases(values: Sequence[int], flag: Type) -> DenseElementsAttr:
    """The values of cases as the property holds them: `dense<[1, 2]> : vector<2xi32>`."""
    elements = values[:1] if len(set(values)) == 1 else values
    return DenseElementsAttr(tuple(elements), VectorType((len(values),), flag))


def _width(type: Type) -> int:
    return type.width if isinstance(type, IntegerType) else 64


def case_value(value: int, type: Type) -> int:
    """A number that is written as a case, as the property holds it: its lowest bits, signed where the type is."""
    width = _width(type)
    value &= (1 << width) - 1
    is_signed = isinstance(type, IndexType) or (width > 1 and isinstance(type, IntegerType) and type.signedness != "u")
    return value - (1 << width) if is_signed and value >> (width - 1) else value


def switch_syntax(selector: str, literals: str) -> CustomSyntax[list[int]]:
    """`%flag : i32, [default: ^bb1(%a : i32), 5: ^bb2]`, by the names of the operand and of the property that has the
    values of the cases."""

    def parse(parser: OpParser, parsed: ParsedOp) -> list[int]:
        parsed.operands[selector] = [parser.value_use()]
        parser.expect(":")
        parsed.types[selector] = [parser.type()]
        parser.expect(",")
        parser.expect("[")
        expect_keyword(parser, parsed, "default")
        parser.expect(":")
        parser.successor(parsed)
        values: list[int] = []
        while parser.accept(","):
            values.append(parser.integer_literal(f"custom op '{parsed.name}' expected integer value"))
            parser.expect(":")
            parser.successor(parsed)
        parser.expect("]")
        parser.attr_dict(parsed)
        return values

    def resolve(resolver: Resolver, parsed: ParsedOp, values: list[int]) -> None:
        node = parsed.types[selector][0]
        flag = resolver.type(node)
        if not isinstance(flag, (IntegerType, UnknownType)):
            wanted = f"expected builtin.integer, but found '{flag}'"
            resolver.fail(f"custom op '{parsed.name}' invalid kind of type specified: {wanted}", node.start)
        resolver.operands = [resolver.operand(parsed.operands[selector][0], flag)]
        resolver.resolve_successors()
        sizes = [len(successor.operands) for successor in parsed.successors]
        resolver.properties.update(switch_properties(flag, values, sizes, literals))

    def write(op: Operation, p: OpPrinter) -> None:
        flag = op.operands[0]
        p.write(" ")
        p.value(flag)
        p.write(" : ")
        p.type(flag.type)
        p.write(", [")
        p.newline()
        labels = ["default", *(str(value & ((1 << _width(flag.type)) - 1)) for value in case_values(op, literals))]
        for index, (label, edge) in enumerate(zip(labels, edges_of(op), strict=False)):
            if index:
                p.write(",")
                p.newline()
            p.write(f"  {label}: ")
            p.successor(edge.target, edge.passed)
        if len(labels) > 1:
            p.newline()
        p.write("]")
        p.attr_dict(op, (literals, "case_operand_segments"))

    return CustomSyntax(parse, write, resolve)


def _successor_ranges(op: SwitchOp | llvm.SwitchOp) -> list[range]:
    """The operands for the default block, then those for each case."""
    ranges = [range(1, 1 + len(op.defaultOperands))]
    for size in numbers_property(op, "case_operand_segments"):
        ranges.append(range(ranges[-1].stop, ranges[-1].stop + size))
    return ranges


def _change_successor_operands(op: SwitchOp | llvm.SwitchOp, passed: Mapping[int, Sequence[Value]]) -> None:
    ranges = _successor_ranges(op)
    operands = [passed.get(index, op.operands[range_.start : range_.stop]) for index, range_ in enumerate(ranges)]
    op.set_operands([op.operands[0], *(value for operand in operands for value in operand)])
    op.properties.update(_sizes([len(operand) for operand in operands]))


BRANCH_BY_CASE: Final = Branch(
    _successor_ranges, _change_successor_operands, ways=lambda op: ("default", *map(str, case_values(op)))
)
"""How a switch passes operands on: those for the default, and those for each case, whose numbers a property holds."""
