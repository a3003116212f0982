"""Vectors whose elements are combined: contractions of two, outer products, reductions to scalars and to vectors of
fewer dimensions, and scans.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from fathom.dialects import own_description
from fathom.dialects.vector.common import combines, flags, kind_of, rank, vector, vector_of, vector_type
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DictAttr, StringAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.ir.types import I1, IntegerType, Type, VectorType, element_type
from fathom.irdl.cases import case_of, word_of
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.vector import ContractOp, MultiReductionOp, OuterproductOp, ReductionOp, ScanOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

ITERATORS: Final = ("parallel", "reduction")
"""What the loops of a contraction are, by number."""
NAMES: Final = ("indexing_maps", "iterator_types", "kind")
"""The attributes that stand before the operands."""

# ---- contract


@record
class Contraction:
    """The dictionary in front, the values with their place, and the types as they are written."""

    dictionary: Node
    at: Ref
    values: list[Ref]
    types: list[Node]
    result: Node


def _parse_contract(parser: OpParser, parsed: ParsedOp) -> Contraction:
    """`{…} %lhs, %rhs, %acc {…} : vector<…>, vector<…> into vector<…>`."""
    at = parser.here()
    dictionary = parser.attribute()
    values = [parser.value_use()]
    for _ in range(2):
        parser.expect(",")
        values.append(parser.value_use())
    while parser.accept(","):
        values.append(parser.value_use())
    parsed.operands[""] = values
    parser.attr_dict(parsed)
    parser.expect(":")
    types = parser.type_list()
    expect_keyword(parser, parsed, "into")
    result = parser.type()
    if len(types) < 2:
        parser.fail(f"custom op '{parsed.name}' expected two types", at)
    return Contraction(dictionary, at, values, types, result)


def _resolve_contract(resolver: Resolver, parsed: ParsedOp, contraction: Contraction) -> None:
    def refuse(message: str, at: Ref = contraction.at) -> NoReturn:
        resolver.fail(f"custom op '{parsed.name}' {message}", at)

    dictionary = resolver.attribute(contraction.dictionary)
    if not isinstance(dictionary, DictAttr):
        refuse("invalid kind of attribute specified")
    lhs, rhs = resolver.types(contraction.types[:2])
    result = resolver.type(contraction.result)
    resolver.operands = [
        resolver.operand(token, type) for token, type in zip(contraction.values, (lhs, rhs, result), strict=False)
    ]
    resolver.result_types = [result]
    for name, value in dictionary.entries:
        (resolver.properties if name in NAMES else resolver.attributes)[name] = value
    iterators = resolver.properties.get("iterator_types")
    if not isinstance(iterators, ArrayAttr):
        refuse('expected "iterator_types" array attribute')
    definition, made = own_description("vector").attributes["IteratorTypeAttr"], list[Attribute]()
    for element in iterators.elements:
        if isinstance(element, StringAttr) and element.value not in ITERATORS:
            refuse(f"unexpected iterator_type ({element.value})")
        made.append((case_of(definition, element.value) if isinstance(element, StringAttr) else None) or element)
    resolver.properties["iterator_types"] = ArrayAttr(tuple(made))
    masks = contraction.values[3:]
    if len(masks) not in (0, 2):
        refuse("expected zero or exactly 2 vector mask operands", parsed.name_token)
    for token, type in zip(masks, (lhs, rhs), strict=False):
        mask = VectorType(type.shape, I1, type.scalable) if isinstance(type, VectorType) else None
        resolver.operands.append(resolver.operand(token, mask))


def _print_contract(op: Operation, p: OpPrinter) -> None:
    entries = [(name, value) for name, value in op.properties.items() if name in NAMES]
    for index, (name, value) in enumerate(entries):
        if name == "iterator_types" and isinstance(value, ArrayAttr):
            words = tuple(StringAttr(word) for element in value.elements if (word := word_of(element)))
            entries[index] = name, ArrayAttr(words)
    p.write(f" {{{p.spell_entries(entries)}}} ")
    p.values(op.operands)
    p.attr_dict(op, elide=NAMES)
    p.write(" : ")
    p.types([value.type for value in op.operands[:2]])
    p.write(" into ")
    p.type(op.result.type)


def maps_of(op: Operation) -> list[AffineMap]:
    """The maps from the loops to the operands of a contraction, of which nobody may have asked whether it is valid."""
    return [element.map for element in elements_property(op, "indexing_maps") if isinstance(element, AffineMapAttr)]


def iterators_of(op: ContractOp) -> list[str]:
    return list(map(word_of, op.iterator_types.elements))


def _places(map: AffineMap) -> dict[int, int]:
    """Where each dimension stands among the results of a projected permutation."""
    return {result.position: place for place, result in enumerate(map.results) if isinstance(result, AffineDim)}


def dimension_pairs(op: ContractOp, kind: str) -> list[tuple[int, int]]:
    """The dimensions of both vectors over which the same loop goes, for the loops of a kind."""
    lhs, rhs = map(_places, maps_of(op)[:2])
    return [
        (lhs[loop], rhs[loop])
        for loop, word in enumerate(iterators_of(op))
        if word == kind and loop in lhs and loop in rhs
    ]


@verifies("vector.contract")
def _verify_contract(op: ContractOp) -> Complaint:
    lhs, rhs = vector_type(op.lhs), vector_type(op.rhs)
    if isinstance(lhs.element, IntegerType) and lhs.element.signedness:
        return "only supports signless integer types"
    maps = maps_of(op)
    if len(maps) != 3:
        return "expected an indexing map for each vector operand"
    return (
        _check_maps(op, maps) or _check_loops(op, lhs, rhs) or _check_kind(op, "contraction") or _check_invertible(maps)
    )


def _check_maps(op: ContractOp, maps: list[AffineMap]) -> Complaint:
    loops = len(iterators_of(op))
    for index, map in enumerate(maps):
        expected = f"expected indexing map {index} to"
        if map.symbols:
            return f"{expected} have no symbols"
        if map.dims != loops:
            return f"{expected} have {loops} number of inputs"
        if len(map.results) != rank(op.operands[index].type):
            return f"{expected} have {rank(op.operands[index].type)} number of outputs"
        if len(_places(map)) != len(map.results):
            return f"{expected} be a projected permutation of its inputs"
    return None


def _check_loops(op: ContractOp, lhs: VectorType, rhs: VectorType) -> Complaint:
    contracting, batch = dimension_pairs(op, "reduction"), dimension_pairs(op, "parallel")
    if not contracting:
        return "expected at least one contracting dimension pair"
    for kind, pairs in (("contracting", contracting), ("batch", batch)):
        if any(lhs.ranked_shape[i] != rhs.ranked_shape[j] for i, j in pairs):
            return f"invalid {kind} dimension map"
    return _check_shape(op, lhs, rhs, contracting, batch)


def _check_shape(
    op: ContractOp, lhs: VectorType, rhs: VectorType, contracting: list[tuple[int, int]], batch: list[tuple[int, int]]
) -> Complaint:
    """The accumulator and the result have the dimensions that are not contracted."""
    acc, result = vector(op.acc.type), vector(op.result.type)
    is_scalar = rank(lhs) == len(contracting) and rank(rhs) == len({j for _, j in (*contracting, *batch)})
    if is_scalar and acc is None and result is None:
        return None
    if is_scalar or acc is None or result is None:
        return "invalid accumulator/result vector shape"
    first, second, last = maps_of(op)
    extents = {loop: lhs.ranked_shape[place] for loop, place in _places(first).items()}
    extents |= {loop: rhs.ranked_shape[place] for loop, place in _places(second).items() if loop not in extents}
    if len(extents) != first.dims:
        return "expected all dimensions to be either a LHS or a RHS dimension"
    shape = [extents[result.position] for result in last.results if isinstance(result, AffineDim)]
    expected = vector_of(shape, result.element, flags(result))
    if result != expected or acc != expected:
        return f"invalid accumulator/result vector shape, expected: '{expected}'"
    return None


def _check_kind(op: ContractOp | OuterproductOp, noun: str) -> Complaint:
    if "kind" not in op.properties:
        return "expected 'kind' attribute of type CombiningKind (e.g. 'vector.kind<add>')"
    return None if combines(kind_of(op.kind), element_type(op.result.type)) else f"unsupported {noun} type"


def _check_invertible(maps: list[AffineMap]) -> Complaint:
    """Each loop goes over a dimension of some vector."""
    if len({loop for map in maps for loop in _places(map)}) == maps[0].dims:
        return None
    joint = AffineMap(maps[0].dims, 0, tuple(result for map in maps for result in map.results))
    return f"invalid indexing maps are non-invertible: ({joint})"


def contract_mask(op: ContractOp) -> Type | None:
    """The mask of a contraction: a dimension for each loop."""
    maps, lhs, rhs = maps_of(op), vector(op.lhs.type), vector(op.rhs.type)
    if len(maps) != 3 or lhs is None or rhs is None:
        return None
    extents: dict[int, tuple[int, bool]] = {}
    for map, type in zip(maps, (lhs, rhs), strict=False):
        dims = list(zip(type.ranked_shape, flags(type), strict=True))
        extents |= {loop: dims[place] for loop, place in _places(map).items() if place < len(dims)}
    if sorted(extents) != list(range(maps[0].dims)):
        return None
    ordered = [extents[loop] for loop in range(maps[0].dims)]
    return vector_of([extent for extent, _ in ordered], I1, [flag for _, flag in ordered])


CONTRACT: Final = OpCode(
    custom=CustomSyntax(_parse_contract, _print_contract, _resolve_contract, strings={"iterator_types": ITERATORS})
)


# ---- outerproduct


@record
class OuterProduct:
    """The types as they are written."""

    lhs: Node
    rhs: Node


def _parse_outer(parser: OpParser, parsed: ParsedOp) -> OuterProduct:
    """`%lhs, %rhs, %acc {…} : vector<…>, vector<…>`."""
    parsed.operands[""] = parser.bare_value_list()
    parser.attr_dict(parsed)
    parser.expect(":")
    lhs = parser.type()
    parser.expect(",")
    rhs = parser.type()
    if len(parsed.operands[""]) < 2:
        parser.fail(f"custom op '{parsed.name}' expected at least 2 operands", parsed.name_token)
    return OuterProduct(lhs, rhs)


def _resolve_outer(resolver: Resolver, parsed: ParsedOp, outer_product: OuterProduct) -> None:
    lhs, rhs = resolver.type(outer_product.lhs), resolver.type(outer_product.rhs)
    if not isinstance(lhs, VectorType):
        resolver.fail(f"custom op '{parsed.name}' expected vector type for operand #1", parsed.name_token)
    sides = [lhs, rhs] if isinstance(rhs, VectorType) else [lhs]
    if not all(side.shape for side in sides):
        resolver.fail(f"custom op '{parsed.name}' expected vectors with dimensions", parsed.name_token)
    result = vector_of([side.ranked_shape[0] for side in sides], lhs.element, [flags(side)[0] for side in sides])
    tokens = parsed.operands[""][:3]
    resolver.operands = [resolver.operand(token, type) for token, type in zip(tokens, (lhs, rhs, result), strict=False)]
    resolver.result_types = [result]


def _print_outer(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    if len(op.operands) > 2:
        p.attr_dict(op)
    p.write(" : ")
    p.types([value.type for value in op.operands[:2]])


@verifies("vector.outerproduct")
def _verify_outer(op: OuterproductOp) -> Complaint:
    lhs, rhs, result = vector_type(op.lhs), vector(op.rhs.type), vector_type(op.result)
    if rank(lhs) != 1:
        return "expected 1-d vector for operand #1"
    if problem := _check_product(lhs, rhs, result) if rhs is not None else _check_scaled(lhs, result):
        return problem
    if op.acc is not None and op.acc.type != result:
        return "expected operand #3 of same type as result type"
    return _check_kind(op, "outerproduct")


def _check_product(lhs: VectorType, rhs: VectorType, result: VectorType) -> Complaint:
    if rank(rhs) != 1:
        return "expected 1-d vector for operand #2"
    if rank(result) != 2:
        return "expected 2-d vector result"
    for index, side in enumerate((lhs, rhs)):
        if side.ranked_shape[0] != result.ranked_shape[index]:
            return f"expected #{index + 1} operand dim to match result dim #{index + 1}"
    if lhs.scalable and not rhs.scalable:
        return "expected either both or only #2 operand dim to be scalable"
    return None


def _check_scaled(lhs: VectorType, result: VectorType) -> Complaint:
    if rank(result) != 1:
        return "expected 1-d vector result"
    if lhs.shape != result.shape:
        return "expected #1 operand dim to match result dim #1"
    return None


OUTER_PRODUCT: Final = OpCode(custom=CustomSyntax(_parse_outer, _print_outer, _resolve_outer))


# ---- reductions


@verifies("vector.reduction")
def _verify_reduction(op: ReductionOp) -> Complaint:
    source, type = op.vector.type, op.result.type
    if rank(source) > 1:
        return f"unsupported reduction rank: {rank(source)}"
    kind = kind_of(op.kind)
    return None if combines(kind, type) else f"unsupported reduction type ''{type}'' for kind '{kind}'"


@verifies("vector.multi_reduction")
def _verify_multi_reduction(op: MultiReductionOp) -> Complaint:
    source, given = vector_type(op.source), op.result.type
    kept = [index for index in range(rank(source)) if index not in op.reduction_dims.values]
    shape, scalable = source.ranked_shape, flags(source)
    expected = vector_of([shape[i] for i in kept], source.element, [scalable[i] for i in kept])
    if given == (expected if kept else source.element):
        return None
    return f"destination type '{given}' is incompatible with source type '{source}'"


@verifies("vector.scan")
def _verify_scan(op: ScanOp) -> Complaint:
    source, initial, dim = vector_type(op.source), vector_type(op.initial_value), op.reduction_dim.value
    if dim >= rank(source):
        return f"reduction dimension {dim} has to be less than {rank(source)}"
    if rank(initial) != rank(source) - 1:
        return f"initial value rank {rank(initial)} has to be equal to {rank(source) - 1}"
    if initial.shape != tuple(n for index, n in enumerate(source.ranked_shape) if index != dim):
        return "incompatible input/initial value shapes"
    kind, element = kind_of(op.kind), element_type(op.dest.type)
    return None if combines(kind, element) else f"unsupported reduction type '{element}' for kind '{kind}'"
