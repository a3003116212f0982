"""`affine.delinearize_index` and `affine.linearize_index`: one index and several, by a basis.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import FALSE, UNIT
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, INDEX
from fathom.irdl.build import segment_sizes
from fathom.irdl.checking import group
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

BASIS: Final = "static_basis"
MISMATCH: Final = (
    "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can "
    "only happen due to an incorrect fold/rewrite"
)


def basis_of(op: Operation) -> list[int]:
    """The basis, with DYNAMIC for each operand in it."""
    return list(numbers_property(op, BASIS))


def _print_basis(op: Operation, p: OpPrinter) -> None:
    print_index_list(mixed(op.properties.get(BASIS), group(op, "dynamic_basis")), p, "()")


# ---- affine.delinearize_index


def _parse_delinearize(parser: OpParser, parsed: ParsedOp) -> None:
    """`%i into (4, %n) {attributes} : index, index`."""
    parsed.operands["linear_index"] = [parser.value_use()]
    expect_keyword(parser, parsed, "into")
    parse_index_list(parser, parsed, "dynamic_basis", BASIS, "()")
    parser.attr_dict(parsed)
    parser.expect(":")
    parsed.types["multi_index"] = parser.optional_type_list()


def _resolve_delinearize(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    tokens = [*parsed.operands["linear_index"], *parsed.operands["dynamic_basis"]]
    resolver.operands = [resolver.operand(token, INDEX) for token in tokens]
    resolver.result_types = resolver.types(parsed.types["multi_index"])


def _print_delinearize(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    p.write(" into ")
    _print_basis(op, p)
    p.attr_dict(op, elide=(BASIS,))
    p.write(" : ")
    p.types([result.type for result in op.results])


@verifies("affine.delinearize_index")
def _verify_delinearize(op: Operation) -> Complaint:
    basis = basis_of(op)
    if len(op.results) not in (len(basis), len(basis) + 1):
        return "should return an index for each basis element and up to one extra index"
    if basis.count(DYNAMIC) != len(op.operands) - 1:
        return MISMATCH
    if any(extent <= 0 and extent != DYNAMIC for extent in basis):
        return "no basis element may be statically non-positive"
    return None


# ---- affine.linearize_index


def _parse_linearize(parser: OpParser, parsed: ParsedOp) -> None:
    """`disjoint [%i, %j] by (4, %n) {attributes} : index`."""
    if parser.accept("disjoint"):
        parsed.attributes["disjoint"] = UNIT
    parsed.operands["multi_index"] = parser.value_list("[", "]")
    expect_keyword(parser, parsed, "by")
    parse_index_list(parser, parsed, "dynamic_basis", BASIS, "()")
    parser.attr_dict(parsed)
    parser.expect(":")
    parsed.types["linear_index"] = [parser.type()]


def _resolve_linearize(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    groups = [parsed.operands["multi_index"], parsed.operands["dynamic_basis"]]
    resolver.operands = [resolver.operand(token, INDEX) for group in groups for token in group]
    resolver.result_types = resolver.types(parsed.types["linear_index"])
    resolver.properties["operandSegmentSizes"] = segment_sizes(*map(len, groups))


def _print_linearize(op: Operation, p: OpPrinter) -> None:
    p.write(" [" if op.properties.get("disjoint") in (None, FALSE) else " disjoint [")
    p.values(group(op, "multi_index"))
    p.write("] by ")
    _print_basis(op, p)
    p.attr_dict(op, elide=(BASIS, "disjoint"))
    p.write(" : ")
    p.type(op.results[0].type)


@verifies("affine.linearize_index")
def _verify_linearize(op: Operation) -> Complaint:
    basis = basis_of(op)
    if len(group(op, "multi_index")) not in (len(basis), len(basis) + 1):
        return "should be passed a basis element for each index except possibly the first"
    return MISMATCH if basis.count(DYNAMIC) != len(group(op, "dynamic_basis")) else None


CODE: Final = {
    "delinearize_index": OpCode(custom=CustomSyntax(_parse_delinearize, _print_delinearize, _resolve_delinearize)),
    "linearize_index": OpCode(custom=CustomSyntax(_parse_linearize, _print_linearize, _resolve_linearize)),
}
