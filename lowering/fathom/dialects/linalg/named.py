"""The named operations whose maps, loops and bodies are fixed, a line for each in `named.toml`; their syntax and
checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import UNARY, Constant, Formula, Index, apply, check_body, fill_body, scalar_type
from fathom.dialects.linalg.structured import MEMOIZED, array_of, inputs_and_inits, maps_in, rank_of, values_of
from fathom.dialects.linalg.syntax import Parts, parse_further_attributes, parse_parts, print_named, resolve_parts
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, add, identity_map, multiply
from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.floats import from_float
from fathom.ir.operation import Operation
from fathom.ir.types import F64, I64, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured
from fathom.irdl.plain_toml import plain_table
from fathom.records import record
from fathom.text.files import beside, read_text

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, ParsedOp, Resolver


@record
class NamedOp:
    """What a named operation computes, its loops, and the maps of its operands; without maps it is elementwise, over
    the dimensions of its output."""

    body: Formula
    loops: str = ""
    maps: str = ""
    arity: int = 0

    @property
    def operands(self) -> int:
        """How many operands it has, with the output."""
        return self.arity or self.maps.count(";") + 1

    @property
    def windows(self) -> int:
        """How many strides and dilations it has."""
        return self.maps.count("~")

    def maps_for(self, strides: Sequence[int], dilations: Sequence[int]) -> tuple[AffineMap, ...]:
        """The maps with these strides and dilations, of which there are enough."""
        return _maps(self, tuple(strides), tuple(dilations))


@lru_cache(256)
def _maps(named: NamedOp, strides: tuple[int, ...], dilations: tuple[int, ...]) -> tuple[AffineMap, ...]:
    windows = iter(zip(strides, dilations, strict=True))
    maps: list[AffineMap] = []
    for text in named.maps.split(";"):
        results: list[AffineExpr] = []
        for word in text.split():
            if "~" not in word:
                first, *others = (AffineDim(int(loop)) for loop in word.split("+"))
                results.append(add(first, others[0]) if others else first)
                continue
            stride, dilation = next(windows)
            outer, inner = (AffineDim(int(loop)) for loop in word.split("~"))
            results.append(add(multiply(outer, AffineConstant(stride)), multiply(inner, AffineConstant(dilation))))
        maps.append(AffineMap(len(named.loops), 0, tuple(results)))
    return tuple(maps)


def _integer(value: int) -> Constant:
    return Constant(IntegerAttr(value, I64))


def _random(seed: Formula) -> Formula:
    """The next number of a linear congruential generator."""
    scaled = apply("mul", seed, apply("to_i32", _integer(1103515245)))
    return apply("add", scaled, apply("to_i32", _integer(12345)))


_STEP: Final = Constant(FloatAttr(from_float(2.3283063999999999e-10, "f64"), F64))
_NEXT: Final = _random(apply("add", apply("to_i32", Index(1)), _random(apply("add", apply("to_i32", Index(0)), 2))))
_BETWEEN: Final = apply(
    "mul",
    apply("add", apply("to_f64", _integer(2147483647)), apply("to_f64", _NEXT)),
    apply("mul", apply("sub", 1, 0), apply("to_f64", _STEP)),
)
_RANDOM: Final = apply("cast_signed", apply("add", _BETWEEN, 0))


def _pooled(function: str, cast: str = "cast_signed") -> Formula:
    return apply(function, 2, apply(cast, 0))


BODIES: Final = {
    "multiplied": apply("add", 2, apply("mul", apply("cast_signed", 0), apply("cast_signed", 1))),
    "quantized": apply(
        "add",
        4,
        apply(
            "mul",
            apply("sub", apply("cast_signed", 0), apply("cast_signed", 2)),
            apply("sub", apply("cast_signed", 1), apply("cast_signed", 3)),
        ),
    ),
    "random": _RANDOM,
    "sum": _pooled("add"),
    "max": _pooled("max_signed"),
    "max_unsigned": _pooled("max_unsigned", "cast_unsigned"),
    "min": _pooled("min_signed"),
    "min_unsigned": _pooled("min_unsigned", "cast_unsigned"),
}


def _table() -> Iterator[tuple[str, NamedOp]]:
    for name, row in (plain_table(read_text(beside(__file__, "named.toml"))) or {}).items():
        body, loops, maps = map(str, row) if isinstance(row, list) else ("", "", "")
        yield name, NamedOp(BODIES[body], loops, maps)


NAMED: Final[Mapping[str, NamedOp]] = {
    "copy": NamedOp(apply("cast", 0), arity=2),
    "fill": NamedOp(0, arity=2),
    **{name: NamedOp(apply(name, 0), arity=2) for name in UNARY},
    **{name: NamedOp(apply(name, 0, 1), arity=3) for name in ("add", "sub", "mul", "div", "div_unsigned", "powf")},
    **{name: NamedOp(apply(f"{name}_signed", 0, 1), arity=3) for name in ("max", "min")},
    "select": NamedOp(apply("select", 0, 1, 2), arity=4),
    **dict(_table()),
}
"""The operations, by their names without the dialect's."""


# ---- their syntax, bodies and checks


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
    problem = check_body(body, scalars)
    if problem is not None:
        resolver.fail(f"custom op '{parsed.name}' {problem}", parts.begin)
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
    numbers = [number for number in value.values if isinstance(number, int)]
    return numbers * count if len(numbers) == 1 else numbers


def _maps_with(named: NamedOp, properties: Mapping[str, Attribute]) -> tuple[AffineMap, ...] | None:
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
        mistake = mistake_in_windows(resolver.properties, named.windows)
        if mistake is not None:
            resolver.fail(f"custom op '{parsed.name}' '{parsed.name}' op {mistake}", parts.at_attributes)
        resolve_named(resolver, parsed, parts, named.body)
        if named.maps and MEMOIZED not in resolver.attributes:
            # MLIR's verifier leaves them there.
            maps = _maps_with(named, resolver.properties)
            if maps is not None:
                resolver.attributes[MEMOIZED] = array_of(maps)

    def maps(op: Operation) -> Sequence[AffineMap] | None:
        if not named.maps:
            return _elementwise_maps(op)
        kept = maps_in(op.attributes.get(MEMOIZED))
        return kept if kept is not None else _maps_with(named, op.properties)

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
