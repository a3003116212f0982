"""The named operations that are a line of a table each: their syntax, bodies and checks.

Source of the rules: *'linalg' Dialect*, "Named Payload-Carrying Ops"; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import Formula, check_body, fill_body, scalar_type
from fathom.dialects.linalg.maps import array_of, maps_in
from fathom.dialects.linalg.named import NAMED, NamedOp
from fathom.dialects.linalg.structured import MEMOIZED, inputs_and_inits, rank_of, values_of
from fathom.dialects.linalg.syntax import Parts, parse_further_attributes, parse_parts, print_named, resolve_parts
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import Attribute, DenseElementsAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I64
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.types import Type
    from fathom.irdl.protocols import OpParser, ParsedOp, Resolver


def parse_named(cursor: OpParser, parsed: ParsedOp, operands: int | None) -> Parts:
    """`{…} ins(…) outs(…) {…} -> tensor<4xf32>` of an operation that has so many operands, or of which only its
    attributes say how many."""
    parts = parse_parts(cursor, parsed)
    parse_further_attributes(cursor, parts)
    parts.results = cursor.optional_arrow_types()
    given = len(parts.input_types) + len(parts.output_types)
    if operands not in (None, given) and len(parts.inputs) + len(parts.outputs) == given:
        expected = f"generated region expects {operands} args, got {given}"
        cursor.fail(f"custom op '{parsed.name}' [parseNamedStructuredOpRegion] ods-gen {expected}")
    return parts


def resolve_named(resolver: Resolver, parsed: ParsedOp, parts: Parts, body: Formula | None) -> list[Type]:
    """What all named operations mean; the types of the operands. A body that is known must be possible."""
    types = resolve_parts(resolver, parsed, parts)
    resolver.result_types = resolver.types(parts.results)
    if body is not None:
        imply_body(resolver, parsed, parts, body, types)
    return types


def imply_body(resolver: Resolver, parsed: ParsedOp, parts: Parts, body: Formula, types: Sequence[Type]) -> None:
    """The region computes a formula; fails where it cannot of operands of these types."""
    scalars = [scalar_type(type) for type in types]
    found = check_body(body, scalars)
    if found is not None:
        resolver.fail(f"custom op '{parsed.name}' {found}", parts.begin)
    resolver.imply = lambda op, definitions: fill_body(
        op, scalars, body, definitions, unsigned=casts_unsigned(op.properties)
    )


def casts_unsigned(properties: Mapping[str, Attribute]) -> bool:
    """What the attribute `cast` says."""
    cast = properties.get("cast")
    return isinstance(cast, DialectAttr) and cast.full_name == "linalg.type_fn" and cast.parameters[0] == 1


# ---- strides and dilations


def _window(properties: Mapping[str, Attribute], name: str, count: int) -> Sequence[int] | None:
    """The strides or dilations of an operation; None where they are not as many as it needs."""
    value = properties.get(name)
    if value is None:
        return [1] * count
    if not isinstance(value, DenseElementsAttr) or value.type.element != I64 or value.type.shape != (count,):
        return None
    found = [each for each in value.values if isinstance(each, int)]
    return found * count if len(found) == 1 else found


def _maps(named: NamedOp, properties: Mapping[str, Attribute]) -> tuple[AffineMap, ...] | None:
    strides, dilations = (_window(properties, name, named.windows) for name in ("strides", "dilations"))
    if strides is None or dilations is None:
        return None
    return named.maps_for(strides, dilations)


def mistake_in_windows(properties: Mapping[str, Attribute], count: int) -> str | None:
    for name in ("strides", "dilations"):
        if _window(properties, name, count) is None:
            what = f"64-bit signless int elements attribute of shape [{count}]"
            return f"attribute '{name}' failed to satisfy constraint: {what}"
    return None


# ---- the table


def _code(named: NamedOp) -> OpCode:
    def parse(cursor: OpParser, parsed: ParsedOp) -> Parts:
        return parse_named(cursor, parsed, named.operands)

    def resolve(resolver: Resolver, parsed: ParsedOp, parts: Parts) -> None:
        found = mistake_in_windows(resolver.properties, named.windows)
        if found is not None:
            resolver.fail(f"custom op '{parsed.name}' '{parsed.name}' op {found}", parts.at_attributes)
        resolve_named(resolver, parsed, parts, named.body)
        if named.maps and MEMOIZED not in resolver.attributes:
            # MLIR's verifier leaves them there.
            maps = _maps(named, resolver.properties)
            if maps is not None:
                resolver.attributes[MEMOIZED] = array_of(maps)

    def maps(op: Operation) -> Sequence[AffineMap] | None:
        if not named.maps:
            return _elementwise_maps(op)
        kept = maps_in(op.attributes.get(MEMOIZED))
        return kept if kept is not None else _maps(named, op.properties)

    def loops(op: Operation) -> str | None:
        if named.maps:
            return named.loops
        _, inits = inputs_and_inits(op)
        return "p" * rank_of(inits[0].type) if inits else None

    return OpCode(
        custom=CustomSyntax(parse, print_named, resolve, completes=False),
        interfaces=(Structured(maps, loops),),
    )


def _elementwise_maps(op: Operation) -> list[AffineMap] | None:
    """Scalars are the same for all elements."""
    _, inits = inputs_and_inits(op)
    if not inits:
        return None
    rank = rank_of(inits[0].type)
    return [identity_map(rank) if rank_of(value.type) else AffineMap(rank, 0, ()) for value in values_of(op)]


OPERATIONS: Final = {name: _code(named) for name, named in NAMED.items()}
