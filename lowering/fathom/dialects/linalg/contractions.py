"""`linalg.matmul` and its like, `linalg.contract` and `linalg.elementwise`, whose maps may stand in the text.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.linalg.bodies import BINARY, UNARY, Apply, Formula, apply
from fathom.dialects.linalg.named import BODIES, NamedOp, imply_body, parse_named, resolve_named
from fathom.dialects.linalg.structured import (
    MEMOIZED,
    array_of,
    dims_of,
    is_projected_permutation,
    maps_in,
    rank_of,
    uses_dim,
    values_of,
)
from fathom.dialects.linalg.syntax import Parts, print_named
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.ir.types import ShapedType
from fathom.irdl.cases import case_of, word_of
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.listed import print_list
from fathom.irdl.verifying import verifies
from fathom.ops import linalg as ops
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.syntax.nodes import Node, Ref

MAPS: Final = "indexing_maps"

# ---- maps in the text


@record(frozen=False)
class _Maps:
    """Maps that stand in the text: as one array, or one by one, each with what follows it."""

    array: Node | None
    each: list[tuple[Node, Ref]]
    behind: Ref


def _parse_array(cursor: OpParser) -> _Maps | None:
    """`indexing_maps = [#a, #b, #c]`, an attribute like any other."""
    if not cursor.accept(MAPS):
        return None
    cursor.expect("=")
    array = cursor.attribute()
    return _Maps(array, [], cursor.here())


def _parse_each(cursor: OpParser) -> _Maps | None:
    """`indexing_maps = [#a, #b, #c]`, of which at least one must be there."""
    if not cursor.accept(MAPS):
        return None
    cursor.expect("=")
    cursor.expect("[")
    maps = comma_separated(cursor, lambda: (cursor.attribute(), cursor.here()))
    cursor.expect("]")
    return _Maps(None, maps, cursor.here())


def _resolve_maps(resolver: Resolver, parsed: ParsedOp, maps: _Maps) -> ArrayAttr:
    custom_op = f"custom op '{parsed.name}'"
    if maps.array is not None:
        array = resolver.attribute(maps.array)
        if not isinstance(array, ArrayAttr):
            resolver.fail(f"{custom_op} invalid kind of attribute specified", maps.array.start)
        if maps_in(array) is None:
            resolver.fail(f"{custom_op} element of indexing_maps array is not an affine_map", maps.behind)
        return array
    attributes: list[Attribute] = []
    for node, behind in maps.each:
        map = resolver.attribute(node)
        if not isinstance(map, AffineMapAttr):
            resolver.fail(f"{custom_op} expected affine map attribute", behind)
        attributes.append(map)
    return ArrayAttr(tuple(attributes))


def _print_maps(op: Operation, p: OpPrinter) -> None:
    p.write(f" {MAPS} = [")
    print_list(p, elements_property(op, MAPS), p.attribute)
    p.write("]")


def _maps_of(op: Operation) -> Sequence[AffineMap] | None:
    return maps_in(op.properties.get(MAPS))


# ---- matmul, batch_matmul, batch_reduce_matmul


@record
class Product:
    """What sets one of them apart: its loops, the maps that it has where the text gives none, its body, how maps are
    read, and what maps may be."""

    named: NamedOp
    parse: Callable[[OpParser], _Maps | None]
    check: Callable[[Sequence[AffineMap], Sequence[AffineMap]], str | None]

    @property
    def maps(self) -> tuple[AffineMap, ...]:
        """The maps that go without saying."""
        return self.named.maps_for((), ())


_MULTIPLIED: Final = apply("add", 2, apply("mul", apply("cast", 0), apply("cast", 1)))


def _product(
    parse_maps: Callable[[OpParser], _Maps | None],
    body: Formula,
    loops: Callable[[Operation], str | None],
    default: ArrayAttr | None = None,
) -> OpCode:
    """A product of two operands, whose maps stand in the text; they need not where there are some by `default`."""

    def parse(cursor: OpParser, parsed: ParsedOp) -> tuple[_Maps | None, Parts]:
        maps = parse_maps(cursor)
        if maps is None and default is None:
            cursor.fail(f"custom op '{parsed.name}' expected 'indexing_maps' attribute")
        return maps, parse_named(cursor, parsed, 3)

    def resolve(resolver: Resolver, parsed: ParsedOp, text: tuple[_Maps | None, Parts]) -> None:
        maps, parts = text
        if maps is not None:
            resolver.properties[MAPS] = _resolve_maps(resolver, parsed, maps)
        elif default is not None:
            resolver.properties.setdefault(MAPS, default)
        resolve_named(resolver, parsed, parts, body)

    def print_product(op: Operation, p: OpPrinter) -> None:
        if default is None or op.properties.get(MAPS) != default:
            _print_maps(op, p)
        print_named(op, p, elide=(MAPS,) if default is None else (MAPS, MEMOIZED))

    return OpCode(
        custom=CustomSyntax(parse, print_product, resolve, completes=False),
        interfaces=(Structured(_maps_of, loops),),
    )


def _is_within(map: AffineMap, default: AffineMap) -> bool:
    """Whether each result is one that the default has."""
    return {*map.results} <= {*default.results}


def _check_matmul(maps: Sequence[AffineMap], defaults: Sequence[AffineMap]) -> str | None:
    for map, default in zip(maps[:2], defaults, strict=False):
        if not _is_within(map, default):
            return "Unexpected dim expression in map result."
        if len(map.results) < len(default.results):
            if not all(uses_dim(expr, map.dims - 1) for expr in map.results[:1]):
                return "Invalid broadcast requested, should be (d2)."
    return None


def _check_batch(maps: Sequence[AffineMap], defaults: Sequence[AffineMap]) -> str | None:
    """Maps of products of batches: of the inputs, then of the output."""
    if len(maps) != 3:
        return "Indexing_map attribute must have 3 affine maps."
    for map, default, is_left in zip(maps[:2], defaults, (True, False), strict=False):
        if not _is_within(map, default):
            return "Unexpected result dim expression (outside the set of default result dims)."
        if len(map.results) > 3:
            return "no. of result dim expressions exceeds 3."
        if len(map.results) < len(default.results):
            if not _broadcasts(map, is_left=is_left):
                return "Invalid broadcast requested."
        elif not all(uses_dim(expr, 0) for expr in map.results[:1]):
            return "Invalid batch dimension expression."
    output, dims = maps[2], dims_of(defaults[2]) or []
    if len(output.results) != len(dims):
        return f"expects {len(dims)} dims, but got ({len(output.results)})."
    if not all(uses_dim(expr, dim) for expr, dim in zip(output.results, dims, strict=True)):
        return "Invalid output map result dimension."
    return None


def _broadcasts(map: AffineMap, *, is_left: bool) -> bool:
    """Whether fewer results than usual are the loop that reduces, or it and the batch or the input's own loop."""
    batch, left, right, reduced = range(4)
    if len(map.results) == 1:
        return uses_dim(map.results[0], reduced)
    if len(map.results) != 2:
        return False
    first, second = map.results
    if is_left:
        return (uses_dim(first, batch) or uses_dim(first, left)) and uses_dim(second, reduced)
    of_batch = uses_dim(first, batch) and uses_dim(second, reduced)
    return of_batch or (uses_dim(first, reduced) and uses_dim(second, right))


PRODUCTS: Final = {
    "matmul": Product(NamedOp(_MULTIPLIED, "ppr", "0 2; 2 1; 0 1"), _parse_array, _check_matmul),
    "batch_matmul": Product(NamedOp(_MULTIPLIED, "pppr", "0 1 3; 0 3 2; 0 1 2"), _parse_each, _check_batch),
    "batch_reduce_matmul": Product(
        NamedOp(BODIES["multiplied"], "rppr", "0 1 3; 0 3 2; 1 2"), _parse_each, _check_batch
    ),
}


def _loops_of(product: Product, _: Operation) -> str:
    return product.named.loops


@verifies(*(f"linalg.{name}" for name in PRODUCTS))
def _check_product(op: Operation) -> str | None:
    product, maps = PRODUCTS[op.name.removeprefix("linalg.")], _maps_of(op)
    return None if maps is None or tuple(maps) == product.maps else product.check(maps, product.maps)


# ---- contract


def _loops_of_contract(op: Operation) -> str | None:
    """What the output has a place for need not be reduced."""
    maps = _maps_of(op)
    if not maps:
        return None
    outputs = dims_of(maps[-1]) or []
    return "".join("p" if dim in outputs else "r" for dim in range(maps[-1].dims))


@verifies("linalg.contract", bare=True)
def _check_contract(op: ops.ContractOp) -> str | None:
    maps = _maps_of(op) or []
    loops = maps[0].dims if maps else 0
    reads, writes = [0] * loops, [0] * loops
    for map, operand, counts in zip(maps, op.operands, (reads, reads, writes), strict=False):
        if not is_projected_permutation(map):
            return "provided affine_map is not a projected permutation"
        if isinstance(operand.type, ShapedType):
            if len(map.results) != rank_of(operand.type):
                return "ranks of shaped operand and results of corresponding affine_map differ"
        elif map.results:
            return "affine_map specifies shaped access while operand has non-shaped type"
        if map.dims != loops:
            return "iteration spaces of provided affine_maps differ"
        for dim in dims_of(map) or ():
            counts[dim] += 1
    for dim, (read, written) in enumerate(zip(reads, writes, strict=True)):
        where = f"iteration space dim at index {dim}"
        if not read and not written:
            return f"{where} not used to access any operand"
        if read == 1 and written != 1:
            return f"{where} is neither a contracting dim nor of parallel iteration type"
    if not any(read == 2 and not written for read, written in zip(reads, writes, strict=True)):
        return "'indexing_maps' do not specify a contracting dimension"
    return None


# ---- elementwise


def formula_of_kind(attribute: Attribute | None) -> Apply | None:
    """The function that `#linalg.elementwise_kind<exp>` names, of as many operands as it has."""
    if not isinstance(attribute, DialectAttr) or attribute.full_name != "linalg.elementwise_kind":
        return None
    name = word_of(attribute)
    return Apply(name, tuple(range(1 if name in UNARY else 2 if name in BINARY else 3)))


def kind_named(name: str) -> Attribute:
    """`#linalg.elementwise_kind<exp>`."""
    made = case_of(own_description("linalg").attributes["ElementwiseKindAttr"], name)
    assert made is not None, f"{name} is a kind of element-wise operations"
    return made


@record(frozen=False)
class _Elementwise:
    kind: Node
    behind_kind: Ref
    maps: _Maps | None
    parts: Parts
    end: Ref


def _parse_elementwise(cursor: OpParser, parsed: ParsedOp) -> _Elementwise:
    """`kind=#linalg.elementwise_kind<add> indexing_maps = […] ins(…) outs(…) -> tensor<4xf32>`."""
    expect_keyword(cursor, parsed, "kind")
    cursor.expect("=")
    kind = cursor.part(cursor.attribute, f"custom op '{parsed.name}' expected operation 'kind' attribute")
    behind = cursor.here()
    maps = _parse_each(cursor)

    unable = f"custom op '{parsed.name}' unable to parse elemwise op"
    parts = cursor.part(lambda: parse_named(cursor, parsed, None), unable)
    return _Elementwise(kind, behind, maps, parts, cursor.here())


def _resolve_elementwise(resolver: Resolver, parsed: ParsedOp, text: _Elementwise) -> None:
    custom_op = f"custom op '{parsed.name}'"
    kind = resolver.attribute(text.kind)
    body = formula_of_kind(kind)
    if body is None:
        resolver.fail(f"{custom_op} expected ElementwiseKind attribute", text.behind_kind)
    resolver.properties["kind"] = kind
    expected = len(body.operands) + 1
    types = resolve_named(resolver, parsed, text.parts, None)
    if len(types) != expected:
        counts = f"generated region expects {expected} args, got {len(types)}"
        resolver.fail(f"{custom_op} [parseNamedStructuredOpRegion] ods-gen {counts}", text.end)
    imply_body(resolver, parsed, text.parts, body, types)
    if text.maps is not None:
        resolver.properties[MAPS] = _resolve_maps(resolver, parsed, text.maps)
        return
    if not isinstance(types[-1], ShapedType):
        resolver.fail(f"{custom_op} return type needs to be shaped type", text.end)
    resolver.properties[MAPS] = array_of([identity_map(rank_of(types[-1]))] * expected)


def _print_elementwise(op: Operation, p: OpPrinter) -> None:
    kind = op.properties.get("kind")
    p.write(" kind=")
    if kind is not None:
        p.attribute(kind)
    values = values_of(op)
    rank = rank_of(values[-1].type) if values else 0
    if op.properties.get(MAPS) != array_of([identity_map(rank)] * len(values)):
        _print_maps(op, p)
    print_named(op, p, elide=("kind", MAPS))


def _loops_of_elementwise(op: Operation) -> str | None:
    values = values_of(op)
    return "p" * rank_of(values[-1].type) if values else None


OPERATIONS: Final = {
    **{
        name: _product(product.parse, product.named.body, partial(_loops_of, product), array_of(product.maps))
        for name, product in PRODUCTS.items()
    },
    "contract": _product(_parse_array, _MULTIPLIED, _loops_of_contract),
    "elementwise": OpCode(
        custom=CustomSyntax(_parse_elementwise, _print_elementwise, _resolve_elementwise, completes=False),
        interfaces=(Structured(_maps_of, _loops_of_elementwise),),
    ),
}
