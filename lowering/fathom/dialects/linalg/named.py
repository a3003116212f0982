"""The named operations whose maps, loops and bodies are fixed: a line for each, and their syntax and checks.

    "matvec": NamedOp(MULTIPLIED, "pr", "0 1; 1; 0")

A `p` is a parallel loop, an `r` one that reduces. A map stands for each operand, and in it a loop for each dimension of
the operand; `0+1` is a sum, and `1~4` the next window: loop 1 times the stride, and loop 4 times the dilation.
Source of the facts: `LinalgNamedStructuredOps.yaml` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from fathom.ir.types import F64, I64
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Structured
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.types import Type
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
    found: list[AffineMap] = []
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
        found.append(AffineMap(len(named.loops), 0, tuple(results)))
    return tuple(found)


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

MULTIPLIED: Final = apply("add", 2, apply("mul", apply("cast_signed", 0), apply("cast_signed", 1)))
QUANTIZED: Final = apply(
    "add",
    4,
    apply(
        "mul",
        apply("sub", apply("cast_signed", 0), apply("cast_signed", 2)),
        apply("sub", apply("cast_signed", 1), apply("cast_signed", 3)),
    ),
)
SUM: Final = apply("add", 2, apply("cast_signed", 0))
MAX: Final = apply("max_signed", 2, apply("cast_signed", 0))
MAX_UNSIGNED: Final = apply("max_unsigned", 2, apply("cast_unsigned", 0))
MIN: Final = apply("min_signed", 2, apply("cast_signed", 0))
MIN_UNSIGNED: Final = apply("min_unsigned", 2, apply("cast_unsigned", 0))

NAMED: Final[Mapping[str, NamedOp]] = {
    "copy": NamedOp(apply("cast", 0), arity=2),
    "fill": NamedOp(0, arity=2),
    **{name: NamedOp(apply(name, 0), arity=2) for name in UNARY},
    **{
        name: NamedOp(apply(function, 0, 1), arity=3)
        for name, function in {
            "add": "add",
            "sub": "sub",
            "mul": "mul",
            "div": "div",
            "div_unsigned": "div_unsigned",
            "max": "max_signed",
            "min": "min_signed",
            "powf": "powf",
        }.items()
    },
    "select": NamedOp(apply("select", 0, 1, 2), arity=4),
    "fill_rng_2d": NamedOp(_RANDOM, "pp", "; ; ; 0 1"),
    "quantized_matmul": NamedOp(QUANTIZED, "ppr", "0 2; 2 1; ; ; 0 1"),
    "mmt4d": NamedOp(MULTIPLIED, "pprppr", "0 2 3 5; 1 2 4 5; 0 1 3 4"),
    "batch_mmt4d": NamedOp(MULTIPLIED, "ppprppr", "0 1 3 4 6; 0 2 3 5 6; 0 1 2 4 5"),
    "quantized_batch_matmul": NamedOp(QUANTIZED, "pppr", "0 1 3; 0 3 2; ; ; 0 1 2"),
    "matvec": NamedOp(MULTIPLIED, "pr", "0 1; 1; 0"),
    "vecmat": NamedOp(MULTIPLIED, "pr", "1; 1 0; 0"),
    "batch_matvec": NamedOp(MULTIPLIED, "ppr", "0 1 2; 0 2; 0 1"),
    "batch_vecmat": NamedOp(MULTIPLIED, "ppr", "0 2; 0 2 1; 0 1"),
    "dot": NamedOp(MULTIPLIED, "r", "0; 0; "),
    "conv_1d": NamedOp(MULTIPLIED, "pr", "0+1; 1; 0"),
    "conv_2d": NamedOp(MULTIPLIED, "pprr", "0+2 1+3; 2 3; 0 1"),
    "conv_3d": NamedOp(MULTIPLIED, "ppprrr", "0+3 1+4 2+5; 3 4 5; 0 1 2"),
    "conv_1d_nwc_wcf": NamedOp(MULTIPLIED, "ppprr", "0 1~3 4; 3 4 2; 0 1 2"),
    "conv_1d_ncw_fcw": NamedOp(MULTIPLIED, "ppprr", "0 3 2~4; 1 3 4; 0 1 2"),
    "conv_2d_nhwc_hwcf": NamedOp(MULTIPLIED, "pppprrr", "0 1~4 2~5 6; 4 5 6 3; 0 1 2 3"),
    "conv_2d_nhwc_fhwc": NamedOp(MULTIPLIED, "pppprrr", "0 1~4 2~5 6; 3 4 5 6; 0 1 2 3"),
    "conv_2d_nhwc_hwcf_q": NamedOp(QUANTIZED, "pppprrr", "0 1~4 2~5 6; 4 5 6 3; ; ; 0 1 2 3"),
    "conv_2d_nhwc_fhwc_q": NamedOp(QUANTIZED, "pppprrr", "0 1~4 2~5 6; 3 4 5 6; ; ; 0 1 2 3"),
    "conv_2d_nchw_fchw_q": NamedOp(QUANTIZED, "pppprrr", "0 4 2~5 3~6; 1 4 5 6; ; ; 0 1 2 3"),
    "conv_2d_nchw_fchw": NamedOp(MULTIPLIED, "pppprrr", "0 4 2~5 3~6; 1 4 5 6; 0 1 2 3"),
    "conv_2d_ngchw_fgchw": NamedOp(MULTIPLIED, "ppppprrr", "0 1 5 3~6 4~7; 2 1 5 6 7; 0 1 2 3 4"),
    "conv_2d_ngchw_gfchw": NamedOp(MULTIPLIED, "ppppprrr", "0 1 5 3~6 4~7; 1 2 5 6 7; 0 1 2 3 4"),
    "conv_2d_nhwgc_gfhwc": NamedOp(MULTIPLIED, "ppppprrr", "0 1~5 2~6 3 7; 3 4 5 6 7; 0 1 2 3 4"),
    "conv_2d_nhwgc_gfhwc_q": NamedOp(QUANTIZED, "ppppprrr", "0 1~5 2~6 3 7; 3 4 5 6 7; ; ; 0 1 2 3 4"),
    "conv_2d_ngchw_gfchw_q": NamedOp(QUANTIZED, "ppppprrr", "0 1 5 3~6 4~7; 1 2 5 6 7; ; ; 0 1 2 3 4"),
    "conv_3d_ndhwc_dhwcf": NamedOp(MULTIPLIED, "ppppprrrr", "0 1~5 2~6 3~7 8; 5 6 7 8 4; 0 1 2 3 4"),
    "conv_3d_ndhwc_dhwcf_q": NamedOp(QUANTIZED, "ppppprrrr", "0 1~5 2~6 3~7 8; 5 6 7 8 4; ; ; 0 1 2 3 4"),
    "conv_3d_ncdhw_fcdhw": NamedOp(MULTIPLIED, "ppppprrrr", "0 5 2~6 3~7 4~8; 1 5 6 7 8; 0 1 2 3 4"),
    "depthwise_conv_1d_nwc_wc": NamedOp(MULTIPLIED, "pppr", "0 1~3 2; 3 2; 0 1 2"),
    "depthwise_conv_1d_ncw_cw": NamedOp(MULTIPLIED, "pppr", "0 2 1~3; 2 3; 0 2 1"),
    "depthwise_conv_1d_nwc_wcm": NamedOp(MULTIPLIED, "ppppr", "0 1~4 2; 4 2 3; 0 1 2 3"),
    "depthwise_conv_2d_nhwc_hwc": NamedOp(MULTIPLIED, "pppprr", "0 1~4 2~5 3; 4 5 3; 0 1 2 3"),
    "depthwise_conv_2d_nchw_chw": NamedOp(MULTIPLIED, "pppprr", "0 3 1~4 2~5; 3 4 5; 0 3 1 2"),
    "depthwise_conv_2d_nhwc_hwc_q": NamedOp(QUANTIZED, "pppprr", "0 1~4 2~5 3; 4 5 3; ; ; 0 1 2 3"),
    "depthwise_conv_2d_nhwc_hwcm": NamedOp(MULTIPLIED, "ppppprr", "0 1~5 2~6 3; 5 6 3 4; 0 1 2 3 4"),
    "depthwise_conv_2d_nhwc_hwcm_q": NamedOp(QUANTIZED, "ppppprr", "0 1~5 2~6 3; 5 6 3 4; ; ; 0 1 2 3 4"),
    "depthwise_conv_3d_ndhwc_dhwc": NamedOp(MULTIPLIED, "pppprrrp", "0 1~4 2~5 3~6 7; 4 5 6 7; 0 1 2 3 7"),
    "depthwise_conv_3d_ncdhw_cdhw": NamedOp(MULTIPLIED, "pppprrrp", "0 7 1~4 2~5 3~6; 7 4 5 6; 0 7 1 2 3"),
    "depthwise_conv_3d_ndhwc_dhwcm": NamedOp(MULTIPLIED, "ppppprrrp", "0 1~5 2~6 3~7 8; 5 6 7 8 4; 0 1 2 3 8 4"),
    "pooling_nhwc_sum": NamedOp(SUM, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nchw_sum": NamedOp(SUM, "pppprr", "0 1 2~4 3~5; 4 5; 0 1 2 3"),
    "pooling_nhwc_max": NamedOp(MAX, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nhwc_max_unsigned": NamedOp(MAX_UNSIGNED, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nchw_max": NamedOp(MAX, "pppprr", "0 1 2~4 3~5; 4 5; 0 1 2 3"),
    "pooling_nhwc_min": NamedOp(MIN, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nhwc_min_unsigned": NamedOp(MIN_UNSIGNED, "pppprr", "0 1~4 2~5 3; 4 5; 0 1 2 3"),
    "pooling_nwc_sum": NamedOp(SUM, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ncw_sum": NamedOp(SUM, "pppr", "0 1 2~3; 3; 0 1 2"),
    "pooling_nwc_max": NamedOp(MAX, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_nwc_max_unsigned": NamedOp(MAX_UNSIGNED, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ncw_max": NamedOp(MAX, "pppr", "0 1 2~3; 3; 0 1 2"),
    "pooling_nwc_min": NamedOp(MIN, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_nwc_min_unsigned": NamedOp(MIN_UNSIGNED, "pppr", "0 1~3 2; 3; 0 1 2"),
    "pooling_ndhwc_sum": NamedOp(SUM, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
    "pooling_ndhwc_max": NamedOp(MAX, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
    "pooling_ndhwc_min": NamedOp(MIN, "ppppprrr", "0 1~5 2~6 3~7 4; 5 6 7; 0 1 2 3 4"),
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
        found = mistake_in_windows(resolver.properties, named.windows)
        if found is not None:
            resolver.fail(f"custom op '{parsed.name}' '{parsed.name}' op {found}", parts.at_attributes)
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
