"""Operations of linalg that several passes make, with their bodies.

def product(arguments: Sequence[Value]) -> Sequence[Value]:
return [binary(rewriter, "mulf", arguments[0], arguments[1])]

generic(rewriter, [a, b], [output], [map, map, map], "pp", product)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.linalg.bodies import fill_body, scalar_type
from fathom.dialects.linalg.contractions import MAPS, PRODUCTS, formula_of_kind
from fathom.dialects.linalg.named import NAMED, casts_unsigned
from fathom.dialects.linalg.structured import MEMOIZED, array_of
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Block, Region
from fathom.ir.types import I64, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.interfaces import Structured
from fathom.passes.structured.generics import Form, properties_of
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.dialects.linalg.bodies import Formula
    from fathom.ir.affine import AffineMap
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

Body: TypeAlias = "Callable[[Sequence[Value]], Sequence[Value]]"
"""Inserts what is computed of scalars, and returns what is yielded."""

RELAYOUTS: Final = ("transpose", "broadcast")
"""The operations that yield what they read, and say where each of their operands stands without counting."""


def generic(
    rewriter: Rewriter,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    maps: Sequence[AffineMap],
    loops: str,
    body: Body,
    types: Sequence[Type] | None = None,
) -> Operation:
    """`linalg.generic` over loops: a `p` for each that is parallel, an `r` for each that reduces. Its results have the
    types of the outputs, if no others are given."""
    properties = properties_of(Form(inputs, outputs, maps, loops))
    return _with_body(rewriter, "linalg.generic", inputs, outputs, types, properties, body)


def reduce(
    rewriter: Rewriter, inputs: Sequence[Value], outputs: Sequence[Value], dimensions: Sequence[int], body: Body
) -> Operation:
    """`linalg.reduce` over dimensions."""
    properties: dict[str, Attribute] = {"dimensions": DenseArrayAttr(I64, tuple(dimensions))}
    return _with_body(rewriter, "linalg.reduce", inputs, outputs, None, properties, body)


def _with_body(
    rewriter: Rewriter,
    name: str,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    types: Sequence[Type] | None,
    properties: Mapping[str, Attribute],
    body: Body,
) -> Operation:
    values = [*inputs, *outputs]
    block = Block([scalar_type(value.type) for value in values])
    for argument, value in zip(block.arguments, values, strict=True):
        argument.span, argument.location = source_of(value)
    results = [value.type for value in outputs if isinstance(value.type, TensorType)] if types is None else types
    made = rewriter.create(name, values, results, properties, regions=[Region([block])])
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        rewriter.create("linalg.yield", body(block.arguments))
    return made


def transpose(rewriter: Rewriter, source: Value, output: Value, permutation: Sequence[int]) -> Operation:
    """`linalg.transpose`."""
    return named(rewriter, "transpose", [source], [output], {"permutation": DenseArrayAttr(I64, tuple(permutation))})


def named(
    rewriter: Rewriter,
    name: str,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    properties: Mapping[str, Attribute] | None = None,
    types: Sequence[Type] | None = None,
) -> Operation:
    """An operation whose body goes with its name and properties."""
    if name in RELAYOUTS:
        return _with_body(
            rewriter, f"linalg.{name}", inputs, outputs, types, properties or {}, lambda arguments: arguments[:1]
        )
    values = [*inputs, *outputs]
    results = [value.type for value in outputs if isinstance(value.type, TensorType)] if types is None else types
    properties = {"operandSegmentSizes": segment_sizes(len(inputs), len(outputs)), **(properties or {})}
    if name in PRODUCTS:
        properties.setdefault(MAPS, array_of(PRODUCTS[name].maps))
    made = rewriter.create(f"linalg.{name}", values, results, properties)
    scalars = [scalar_type(value.type) for value in values]
    fill_body(made, scalars, _formula(name, properties), rewriter.context, unsigned=casts_unsigned(made.properties))
    structured = made.interface(Structured)
    maps = structured.maps(made) if name in NAMED and NAMED[name].maps and structured is not None else None
    if maps is not None:
        made.attributes[MEMOIZED] = array_of(maps)
    return made


def _formula(name: str, properties: Mapping[str, Attribute]) -> Formula | None:
    if name == "elementwise":
        return formula_of_kind(properties.get("kind"))
    return (PRODUCTS[name].named if name in PRODUCTS else NAMED[name]).body


def fill(rewriter: Rewriter, value: Value, output: Value) -> Value:
    """`linalg.fill`."""
    return named(rewriter, "fill", [value], [output]).result
