"""`affine.delinearize_index` and `affine.linearize_index`: one index and several, by a basis.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import FALSE, UNIT, Attribute, DenseArrayAttr, IntegerAttr, index_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, I64, INDEX
from fathom.irdl.build import segment_sizes
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.keywords import expect_keyword

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


def _group(op: Operation, name: str) -> list[Value]:
    assert op.definition is not None, "an operation of this dialect has a definition"
    return op.definition.operand_groups(op)[name]


def _print_basis(op: Operation, p: OpPrinter) -> None:
    print_index_list(mixed(op.properties.get(BASIS), _group(op, "dynamic_basis")), p, "()")


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


def _verify_delinearize(op: Operation) -> list[Problem]:
    basis = basis_of(op)
    if len(op.results) not in (len(basis), len(basis) + 1):
        return [Problem("should return an index for each basis element and up to one extra index")]
    if basis.count(DYNAMIC) != len(op.operands) - 1:
        return [Problem(MISMATCH)]
    if any(extent <= 0 and extent != DYNAMIC for extent in basis):
        return [Problem("no basis element may be statically non-positive")]
    return []


def _fold_basis(op: Operation, constants: Sequence[Attribute | None]) -> bool:
    """Puts numbers in the place of the basis's operands that are known, as far as there are any."""
    known = dict(zip(_group(op, "dynamic_basis"), constants, strict=True))
    if all(constant is None for constant in constants):
        return False
    basis: list[int] = []
    rest: list[Value] = []
    for extent in mixed(op.properties.get(BASIS), _group(op, "dynamic_basis")):
        constant = known[extent] if isinstance(extent, Value) else None
        if isinstance(constant, IntegerAttr):
            basis.append(constant.value)
        elif isinstance(extent, Value):
            basis.append(DYNAMIC)
            rest.append(extent)
        else:
            basis.append(extent)
    others = op.operands[: len(op.operands) - len(constants)]
    op.set_operands([*others, *rest])
    op.properties[BASIS] = DenseArrayAttr(I64, tuple(basis))
    if "operandSegmentSizes" in op.properties:
        op.properties["operandSegmentSizes"] = segment_sizes(len(others), len(rest))
    return True


def _fold_delinearize(op: Operation, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
    if _fold_basis(op, constants[1:]):
        return []
    if len(op.results) == 1:
        return [op.operands[0]]
    linear = constants[0]
    if not isinstance(linear, IntegerAttr) or len(op.operands) > 1:
        return None
    basis, rest = basis_of(op), linear.value
    parts: list[Value | Attribute] = []
    for extent in reversed(basis[1:] if len(basis) == len(op.results) else basis):
        parts.append(index_attr(rest % extent))
        rest //= extent
    return [index_attr(rest), *reversed(parts)]


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
    p.values(_group(op, "multi_index"))
    p.write("] by ")
    _print_basis(op, p)
    p.attr_dict(op, elide=(BASIS, "disjoint"))
    p.write(" : ")
    p.type(op.results[0].type)


def _verify_linearize(op: Operation) -> list[Problem]:
    basis = basis_of(op)
    if len(_group(op, "multi_index")) not in (len(basis), len(basis) + 1):
        return [Problem("should be passed a basis element for each index except possibly the first")]
    return [Problem(MISMATCH)] if basis.count(DYNAMIC) != len(_group(op, "dynamic_basis")) else []


def _fold_linearize(op: Operation, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
    parts = _group(op, "multi_index")
    if _fold_basis(op, constants[len(parts) :]):
        return []
    if not parts:
        return [index_attr(0)]
    if len(parts) == 1:
        return [parts[0]]
    numbers = [constant.value for constant in constants if isinstance(constant, IntegerAttr)]
    if len(numbers) != len(op.operands) or len(op.operands) != len(parts):
        return None
    result, stride = 0, 1
    basis = basis_of(op)
    for extent, number in zip(reversed(basis), reversed(numbers), strict=False):
        result += number * stride
        stride *= extent
    if len(basis) < len(parts):
        result += numbers[0] * stride
    return [index_attr((result + 2**63) % 2**64 - 2**63)]


CODE: Final = {
    "delinearize_index": OpCode(
        custom=CustomSyntax(_parse_delinearize, _print_delinearize, _resolve_delinearize),
        verify=_verify_delinearize,
        fold=_fold_delinearize,
    ),
    "linearize_index": OpCode(
        custom=CustomSyntax(_parse_linearize, _print_linearize, _resolve_linearize),
        verify=_verify_linearize,
        fold=_fold_linearize,
    ),
}
