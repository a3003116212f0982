"""`affine.parallel`: a loop over several indices, each with bounds of its own, and reductions.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.dialects.affine.scope import check_identifiers
from fathom.dialects.affine.syntax import indices, map_of, refuse
from fathom.dialects.memref.access import KINDS
from fathom.dialects.scf.common import entry_arguments
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, substitute
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DenseElementsAttr, i64_attr
from fathom.ir.operation import Value
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I32, FloatType, IntegerType, TensorType, Type
from fathom.irdl.affine_values import (
    AffineValues,
    Tree,
    parse_affine_expr_of_values,
    parse_affine_map_of_values,
    print_affine_expr_of_values,
    print_affine_map_of_values,
    resolve_affine_map,
)
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import bracketed
from fathom.irdl.listed import print_list
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ParallelOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver

T = TypeVar("T")
KIND_NAMES: Final = {number: name for name, number in KINDS.items()}
"""The keywords of reductions by their numbers."""


def _parse_bounds(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(0, max(%a, %b))`: of each a group of one expression, or those of a `max(…)`."""

    def read() -> list[Tree]:
        if parser.accept(arguments[2]):
            return parse_affine_map_of_values(parser, "()")
        return [parse_affine_expr_of_values(parser)]

    parsed.notes[arguments[0]] = bracketed(parser, "()", read)


def _parse_steps(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`step (2, 1)`, or nothing for ones."""
    if parser.accept("step"):
        parsed.notes[arguments[0]] = parse_affine_map_of_values(parser, "()")
    else:
        parsed.attributes[arguments[0]] = ArrayAttr((i64_attr(1),) * len(parsed.named))


def _parse_reductions(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`reduce ("addf")`, or nothing."""
    parsed.notes[arguments[0]] = bracketed(parser, "()", parser.string) if parser.accept("reduce") else []


def _resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.operands = []
    for name in ("lowerBounds", "upperBounds"):
        groups = parsed.notes[f"{name}Map"]
        map, values = _resolve_bounds(resolver, groups)
        resolver.properties[f"{name}Map"] = AffineMapAttr(map)
        resolver.properties[f"{name}Groups"] = group_sizes([len(group) for group in groups])
        resolver.operands += values
    if "steps" in parsed.notes:
        resolver.properties["steps"] = _resolve_steps(resolver, parsed, parsed.notes["steps"])
    reductions = tuple(_resolve_reduction(resolver, parsed, token) for token in parsed.notes["reductions"])
    resolver.properties["reductions"] = ArrayAttr(reductions)
    resolver.result_types = resolver.types(parsed.types["results"])


def _resolve_bounds(resolver: Resolver, groups: Sequence[Sequence[Tree]]) -> tuple[AffineMap, list[Value]]:
    """The map of all groups, and what it is applied to: each value once, in the order in which they are met."""
    dims: list[Value] = []
    symbols: list[Value] = []
    results: list[AffineExpr] = []
    for group in groups:
        values = AffineValues(resolver)
        expressions = [values.expression(tree) for tree in group]
        of_dims: list[AffineExpr] = [AffineDim(_position(v, dims)) for v in indices(resolver, values.dims)]
        of_symbols: list[AffineExpr] = [AffineSymbol(_position(v, symbols)) for v in indices(resolver, values.symbols)]
        results += [substitute(expression, of_dims, of_symbols) for expression in expressions]
    return AffineMap(len(dims), len(symbols), tuple(results)), [*dims, *symbols]


def _position(value: Value, values: list[Value]) -> int:
    """Where a value stands in a list, to which it is added if it is new."""
    if value not in values:
        values.append(value)
    return values.index(value)


def _resolve_steps(resolver: Resolver, parsed: ParsedOp, trees: Sequence[Tree]) -> ArrayAttr:
    map, _ = resolve_affine_map(resolver, trees)
    steps: list[Attribute] = []
    for step in map.results:
        if not isinstance(step, AffineConstant):
            refuse(resolver, parsed, "steps must be constant integers")
        steps.append(i64_attr(step.value))
    return ArrayAttr(tuple(steps))


def _resolve_reduction(resolver: Resolver, parsed: ParsedOp, token: Ref) -> Attribute:
    text = resolver.text(token)
    number = KINDS.get(text[1:-1])
    if number is None:
        refuse(resolver, parsed, f"invalid reduction value: {text}", token)
    return i64_attr(number)


def group_sizes(sizes: Sequence[int]) -> DenseElementsAttr:
    """The property that says how many results of the map each bound has."""
    values = tuple(sizes[:1] if len(set(sizes)) == 1 else sizes)
    return DenseElementsAttr(values, TensorType((len(sizes),), I32))


# ---- printing


def groups_of(attribute: Attribute) -> list[int]:
    """How many results of the map each bound has."""
    if not isinstance(attribute, DenseElementsAttr):
        return []
    values = [value if isinstance(value, int) else 0 for value in attribute.values]
    return values * prod(attribute.type.ranked_shape) if attribute.is_splat else values


def grouped(listed: Sequence[T], sizes: Sequence[int]) -> list[Sequence[T]]:
    """What belongs to the results of a map, bound by bound."""
    ends = [*accumulate(sizes)]
    return [listed[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _print_bounds(op: ParallelOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    name, groups, prefix = arguments
    map, count, start = map_of(op, name), op.lowerBoundsMap.map.inputs, 0
    values = op.operands[:count] if prefix == "max" else op.operands[count:]

    def write(size: int) -> None:
        nonlocal start
        results = map.results[start : start + size]
        start += size
        if size == 1 and results:
            print_affine_expr_of_values(results[0], values[: map.dims], values[map.dims :], p)
        else:
            p.write(f"{prefix}(")
            print_affine_map_of_values(AffineMap(map.dims, map.symbols, results), values, p)
            p.write(")")

    p.write("(")
    print_list(p, groups_of(op.properties[groups]), write)
    p.write(")")


def _print_steps(op: ParallelOp, p: OpPrinter, _: Sequence[str]) -> None:
    steps = numbers_of(op.steps)
    if any(step != 1 for step in steps):
        p.write(f" step ({', '.join(map(str, steps))})")


def _print_reductions(op: ParallelOp, p: OpPrinter, _: Sequence[str]) -> None:
    if op.results:
        names = [f'"{KIND_NAMES.get(number, number)}"' for number in numbers_of(op.reductions)]
        p.write(f" reduce ({', '.join(names)})")


# ---- checks


@verifies("affine.parallel")
def _verify(op: ParallelOp) -> Complaint:
    arguments, steps = len(entry_arguments(op)), numbers_of(op.steps)
    lower, upper = groups_of(op.lowerBoundsGroups), groups_of(op.upperBoundsGroups)
    first, second = op.lowerBoundsMap.map, op.upperBoundsMap.map
    if not len(lower) == len(upper) == len(steps) == arguments:
        groups = f"lower ({len(lower)}) and upper bound ({len(upper)})"
        return (
            f"the number of region arguments ({arguments}) and the number of map groups for {groups}, and the "
            f"number of steps ({len(steps)}) must all match"
        )
    for which, groups, map in (("lower", lower, first), ("upper", upper, second)):
        if 0 in groups:
            return f"expected {which} bound map to have at least one result"
        if sum(groups) != len(map.results):
            return f"expected {which} bounds map to have {sum(groups)} results"
    values, count = op.operands, first.inputs
    return (
        _verify_reductions(op)
        or check_identifiers(op, values[:count], first.dims)
        or check_identifiers(op, values[count:], second.dims)
    )


def _verify_reductions(op: ParallelOp) -> Complaint:
    numbers = numbers_of(op.reductions)
    if len(numbers) != len(op.results):
        return "a reduction must be specified for each output"
    for number, result in zip(numbers, op.results, strict=True):
        name = KIND_NAMES.get(number)
        if name is None:
            return "invalid reduction attribute"
        if not _reduces(name, result.type):
            return "result type cannot match reduction attribute"
    return None


def _reduces(kind: str, type: Type) -> bool:
    """Whether values of a type can be joined in a way."""
    if kind == "assign":
        return True
    if kind in ("addf", "mulf", "maximumf", "minimumf"):
        return isinstance(type, FloatType)
    if not isinstance(type, IntegerType) or kind not in SIGNS:
        return False
    return SIGNS[kind] is None or type.signedness == SIGNS[kind]


SIGNS: Final = {
    **dict.fromkeys(("addi", "muli", "ori", "andi")),
    **dict.fromkeys(("maxs", "mins"), "s"),
    **dict.fromkeys(("maxu", "minu"), "u"),
}
DIRECTIVES: Final = {
    "Bounds": CustomDirective(_parse_bounds, _print_bounds),
    "Steps": CustomDirective(_parse_steps, _print_steps, spaced=True),
    "Reductions": CustomDirective(_parse_reductions, _print_reductions, spaced=True),
}
CODE: Final = {
    "parallel": OpCode(
        custom=two_way(
            'custom<Variables>(ref($region)) `=` custom<Bounds>($lowerBoundsMap, $lowerBoundsGroups, "max") `to` '
            'custom<Bounds>($upperBoundsMap, $upperBoundsGroups, "min") custom<Steps>($steps) '
            "custom<Reductions>($reductions) custom<Results>(type($results)) custom<Body>($region) attr-dict",
            _resolve,
            operands_first=True,
        )
    )
}
