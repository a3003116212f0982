"""The layouts of the xegpu dialect: how the elements of a tensor are dealt out to subgroups and lanes.

Source of the rules: *'xegpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter


def numbers_of(layout: DialectAttr, name: str) -> tuple[int, ...] | None:
    """The numbers that a layout says under a name; without the dimensions that it slices away."""
    if layout.full_name == "xegpu.slice":
        parent, dims = layout.parameters
        numbers = numbers_of(parent, name) if isinstance(parent, DialectAttr) else None
        left_out = dims.values if isinstance(dims, DenseArrayAttr) else ()
        return numbers and tuple(number for index, number in enumerate(numbers) if index not in left_out)
    numbers = layout.parameter(name) if name in layout.definition.names else None
    return tuple(numbers.values) if isinstance(numbers, DenseArrayAttr) else None


def rank_of(layout: DialectAttr) -> int:
    """How many dimensions a layout has."""
    lists = (numbers_of(layout, name) for name in ("sg_layout", "inst_data", "lane_layout"))
    return next((len(list_) for list_ in lists if list_ is not None), 0)


def is_for_workgroup(layout: DialectAttr) -> bool:
    return numbers_of(layout, "sg_layout") is not None


def is_for_subgroup(layout: DialectAttr) -> bool:
    return numbers_of(layout, "sg_layout") is None and numbers_of(layout, "lane_layout") is not None


def cannot_distribute(shape: Sequence[int], layout: DialectAttr) -> bool:
    """Whether elements cannot be dealt out evenly."""
    rest: tuple[int, ...] | None = tuple(shape)
    for parts, data, again in (
        ("sg_layout", "sg_data", True),
        ("", "inst_data", False),
        ("lane_layout", "lane_data", False),
    ):
        rest = _dealt(rest, numbers_of(layout, parts) if parts else None, numbers_of(layout, data), again)
        if rest is None:
            return True
    return False


def _ratio(shape: Sequence[int], parts: Sequence[int]) -> tuple[int, ...] | None:
    if len(shape) != len(parts) or any(part <= 0 or extent % part for extent, part in zip(shape, parts, strict=True)):
        return None
    return tuple(extent // part for extent, part in zip(shape, parts, strict=True))


def _dealt(
    shape: tuple[int, ...], parts: tuple[int, ...] | None, data: tuple[int, ...] | None, again: bool
) -> tuple[int, ...] | None:
    """What each part gets; with `again`, several parts may get the same."""
    extents = shape
    if parts:
        ratio = _ratio(shape, parts)
        if ratio is None and not (again and _ratio(parts, shape) is not None):
            return None
        extents = ratio or extents
    if data:
        if _ratio(extents, data) is None and not (again and _ratio(data, extents) is not None):
            return None
        extents = data
    return extents


# ---- what is wrong with parameters


def _length(parameters: Mapping[str, Parameter], name: str) -> int | None:
    parameter = parameters[name]
    return len(parameter.values) if isinstance(parameter, DenseArrayAttr) else None


_PAIRS: Final = (("sg_layout", "inst_data"), ("sg_layout", "lane_layout"), ("inst_data", "lane_layout"))


def layout_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with `#xegpu.layout<…>`."""
    lengths = {name: _length(parameters, name) for name in parameters}
    if all(lengths[name] is None for name in ("sg_layout", "inst_data", "lane_layout")):
        return "expected at least one of sg_layout, inst_data or lane_layout"
    for first, second in _PAIRS:
        one, other = lengths[first], lengths[second]
        if one is not None and other is not None and one != other:
            got = f", got inst_data {one}, lane_layout {other}" if first == "inst_data" else ""
            return f"expected {first} and {second} to have the same rank{got}"
    for data, parts in (("sg_data", "sg_layout"), ("lane_data", "lane_layout")):
        if lengths[data] is not None and lengths[parts] is None:
            return f"expected {parts} being used with {data}"
        if lengths[data] is not None and lengths[data] != lengths[parts]:
            return f"expected {data} and {parts} to have the same rank"
    return _order_problem(lengths)


def _order_problem(lengths: Mapping[str, int | None]) -> str | None:
    order = lengths["order"]
    if order is None:
        return None
    parts = [name for name in ("sg_layout", "lane_layout") if lengths[name] is not None]
    if not parts:
        return "expected sg_layout/lane_layout being used with order"
    different = next((name for name in parts if lengths[name] != order), None)
    return f"expected order and {different} to have the same rank" if different is not None else None


def slice_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with `#xegpu.slice<…>`."""
    parent, dims = parameters["parent"], parameters["dims"]
    if not isinstance(parent, DialectAttr) or not isinstance(dims, DenseArrayAttr):
        return None
    rank, seen = rank_of(parent), set[int]()
    for dim in dims.values:
        if not 0 <= dim < rank:
            return f"invalid dim ({dim}) in slice attribute."
        if dim in seen:
            return f"repeated dim ({dim}) in slice attribute."
        seen.add(dim)
    return None


def scatter_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with `#xegpu.scatter_tdesc_attr<…>`."""
    chunk = parameters["chunk_size"]
    return "invalid chunk size" if isinstance(chunk, IntegerAttr) and chunk.value <= 0 else None


def range_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with `#xegpu.range<…>`."""
    start, end = parameters["start"], parameters["end"]
    if not isinstance(start, IntegerAttr) or not isinstance(end, IntegerAttr) or start.value < end.value:
        return None
    return f"'end' : {end.value} must be greater than 'start' : {start.value}"


PARAMETERS: Final = {
    "LayoutAttr": layout_problem,
    "RangeAttr": range_problem,
    "ScatterTensorDescAttr": scatter_problem,
    "SliceAttr": slice_problem,
}
