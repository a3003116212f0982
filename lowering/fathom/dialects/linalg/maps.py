"""Affine maps as the checks of linalg look at them."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.affine import AffineBinary, AffineDim, AffineExpr, AffineMap, evaluate
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute


def maps_in(attribute: Attribute | None) -> list[AffineMap] | None:
    """The maps of an array of nothing else."""
    if not isinstance(attribute, ArrayAttr):
        return None
    found = [each.map for each in attribute.elements if isinstance(each, AffineMapAttr)]
    return found if len(found) == len(attribute.elements) else None


def array_of(maps: Sequence[AffineMap]) -> ArrayAttr:
    return ArrayAttr(tuple(map(AffineMapAttr, maps)))


def selection(rank: int, dims: Sequence[int]) -> AffineMap:
    """The map of `rank` dimensions whose results are some of them."""
    return AffineMap(rank, 0, tuple(map(AffineDim, dims)))


def uses_dim(expr: AffineExpr, dim: int) -> bool:
    """Whether an expression depends on a dimension."""
    match expr:
        case AffineDim(position):
            return position == dim
        case AffineBinary(_, lhs, rhs):
            return uses_dim(lhs, dim) or uses_dim(rhs, dim)
        case _:
            return False


def dims_of(map: AffineMap) -> list[int] | None:
    """The dimensions that the results of a map are, if each is one."""
    found = [expr.position for expr in map.results if isinstance(expr, AffineDim)]
    return found if len(found) == len(map.results) else None


def is_projected_permutation(map: AffineMap) -> bool:
    """Whether the results are dimensions, none of them twice."""
    dims = dims_of(map)
    return dims is not None and not map.symbols and len({*dims}) == len(dims)


def places_of_loops(maps: Sequence[AffineMap], loops: int) -> list[int] | None:
    """For each loop, the first among the results of all maps that is just that loop; None where one has no such."""
    places: dict[int, int] = {}
    results = [expr for map in maps for expr in map.results]
    for place, expr in enumerate(results):
        if isinstance(expr, AffineDim):
            places.setdefault(expr.position, place)
    found = [places[loop] for loop in range(loops) if loop in places]
    return found if len(found) == loops else None


def apply_map(map: AffineMap, dims: Sequence[int]) -> list[int]:
    """The results at a point. A division by zero raises ZeroDivisionError."""
    return [evaluate(expr, tuple(dims), ()) for expr in map.results]
