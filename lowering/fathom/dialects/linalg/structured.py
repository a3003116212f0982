"""What all structured operations share: their loops and maps, and the checks of them.

Source of the rules: *'linalg' Dialect*, "High-Level Description of Linalg Ops"; the texts of errors are those of MLIR
22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.linalg.bodies import scalar_type
from fathom.ir.affine import AffineBinary, AffineDim, AffineExpr, AffineMap, evaluate, spell_expr
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, MemRefType, TensorType, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.destinations import check_destinations
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, Speculatable, Speculation, Structured
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import linalg as ops
from fathom.records import replace


def maps_in(attribute: Attribute | None) -> list[AffineMap] | None:
    """The maps of an array of nothing else."""
    if not isinstance(attribute, ArrayAttr):
        return None
    maps = [element.map for element in attribute.elements if isinstance(element, AffineMapAttr)]
    return maps if len(maps) == len(attribute.elements) else None


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
    dims = [expr.position for expr in map.results if isinstance(expr, AffineDim)]
    return dims if len(dims) == len(map.results) else None


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
    listed = [places[loop] for loop in range(loops) if loop in places]
    return listed if len(listed) == loops else None


def apply_map(map: AffineMap, dims: Sequence[int]) -> list[int]:
    """The results at a point. A division by zero raises ZeroDivisionError."""
    return [evaluate(expr, tuple(dims), ()) for expr in map.results]


MEMOIZED: Final = "linalg.memoized_indexing_maps"
"""The attribute in which an operation keeps maps that follow from its name."""


def inputs_and_inits(op: Operation) -> tuple[list[Value], list[Value]]:
    """The operands that are read, and those that are written."""
    if op.definition is None:
        return [], []
    *inputs, inits = op.definition.operand_groups(op).values()
    return [value for group in inputs for value in group], inits


def values_of(op: Operation) -> list[Value]:
    """All operands that have a map."""
    inputs, inits = inputs_and_inits(op)
    return [*inputs, *inits]


def rank_of(type: Type) -> int:
    """The rank of a tensor or memref; 0 of one that has none, and of all that counts as a scalar."""
    return len(shape_of(type))


def shape_of(type: Type) -> tuple[int, ...]:
    return type.shape or () if isinstance(type, (TensorType, MemRefType)) else ()


def maps_and_loops(op: Operation) -> tuple[Sequence[AffineMap], str] | None:
    """The maps and loops of a structured operation; None of any other, and of one that does not say them."""
    structured = op.interface(Structured)
    maps, loops = (structured.maps(op), structured.loops(op)) if structured is not None else (None, None)
    return (maps, loops) if maps is not None and loops is not None else None


def static_ranges(op: Operation) -> list[int] | None:
    """How often each loop of a structured operation runs, as far as types tell; None of any other."""
    structure = maps_and_loops(op)
    places = places_of_loops(structure[0], len(structure[1])) if structure is not None else None
    sizes = [size for value in values_of(op) for size in shape_of(value.type)]
    if places is None or any(place >= len(sizes) for place in places):
        return None
    return [sizes[place] for place in places]


# ---- LinalgOp


def check_structure(op: Operation) -> Complaint:
    """What holds of every structured operation, once its region is known to be well-formed."""
    inputs, inits = inputs_and_inits(op)
    if problems := check_destinations(op, range(len(inputs), len(inputs) + len(inits))):
        return problems
    values = values_of(op)
    types = [value.type for value in values]
    has_tensors = any(isinstance(type, TensorType) for type in types)
    has_buffers = any(isinstance(type, MemRefType) for type in types)
    if values and has_tensors == has_buffers:
        return "expected to have pure tensor or buffer semantics"
    structure = maps_and_loops(op)
    if structure is None:
        return None
    maps, loops = structure
    if problems := check_maps(values, maps, len(loops)):
        return problems
    for number, map in enumerate(maps):
        if map.dims != len(loops):
            counts = f"#{number} to have {len(loops)} dim(s) to match the number of loops"
            return f"expected indexing_map {counts}"
    return _check_body(op, types)


def check_maps(values: Sequence[Value], maps: Sequence[AffineMap], loops: int) -> Complaint:
    """What `IndexingMapOpInterface` asks: the maps fit the shapes of the operands."""
    if len(maps) != len(values):
        counts = f"({len(maps)}) to be equal to the number of input/output operands ({len(values)})"
        return f"expected the number of indexing_map {counts}"
    for number, (value, map) in enumerate(zip(values, maps, strict=True)):
        if map.symbols:
            return f"unexpected symbols in indexing_map #{number}"
        if len(map.results) != rank_of(value.type):
            ranks = f"({rank_of(value.type)}) to match the result rank of indexing_map ({len(map.results)})"
            return f"expected operand #{number} rank {ranks}"
    dims = maps[0].dims if maps else 0
    places = places_of_loops(maps, dims)
    if places is None:
        results = ", ".join(spell_expr(expr) for map in maps for expr in map.results)
        dims_text = ", ".join(f"d{dim}" for dim in range(dims))
        return f"invalid indexing maps are non-invertible: (({dims_text}) -> ({results}))"
    if any(map.dims != dims for map in maps):
        return None
    sizes = [size for value in values for size in shape_of(value.type)]
    ranges = [sizes[place] for place in places if place < len(sizes)]
    if len(ranges) != len(places) or DYNAMIC in ranges:
        return None
    return _check_ranges(values, maps, ranges)


def _check_ranges(values: Sequence[Value], maps: Sequence[AffineMap], ranges: Sequence[int]) -> Complaint:
    """The loops stay inside the shapes, and reach their ends where a dimension is just one loop."""
    for number, (value, map) in enumerate(zip(values, maps, strict=True)):
        try:
            starts = apply_map(map, [0] * len(ranges))
            ends = apply_map(map, [extent - 1 for extent in ranges])
        except ZeroDivisionError:
            return None
        for dim, (extent, start, end) in enumerate(zip(shape_of(value.type), starts, ends, strict=True)):
            if extent in (DYNAMIC, 0):
                continue
            inferred = max(start, end) + 1
            if min(start, end) < 0:
                return f"unexpected result less than 0 at expression #{dim} in {map}"
            where = f"inferred input/output operand #{number} has shape's dimension #{dim} to be"
            if isinstance(map.results[dim], AffineDim):
                if inferred != extent:
                    return f"{where} {inferred}, but found {extent}"
            elif inferred > extent:
                return f"{where} greater than or equal to {inferred}, but found {extent}"
    return None


def _check_body(op: Operation, types: Sequence[Type]) -> Complaint:
    if len(op.regions) != 1 or not op.regions[0].has_one_block:
        return "expects to have 1 region with 1 block"
    arguments = op.regions[0].arguments
    if len(arguments) != len(types):
        return "expected as many non-induction variable region arguments as the number of input/output operands"
    for number, (argument, type) in enumerate(zip(arguments, types, strict=True)):
        if argument.type != scalar_type(type):
            operand = f"to match element or self type of the corresponding operand ('{scalar_type(type)}')"
            message = f"expected type of bb argument #{number} ('{argument.type}') {operand}"
            return Problem(message, types=(argument.type, scalar_type(type)))
    return None


# ---- linalg.yield, linalg.index


@verifies("linalg.yield")
def check_yield(op: ops.YieldOp) -> Complaint:
    parent = op.parent_op
    if parent is None or len(parent.regions) != 1 or parent.regions[0].is_empty:
        return "expected single non-empty parent region"
    if parent.definition is None:
        return None
    if parent.interface(Structured) is None:
        # Of an operation of others that says it is one, only C++ tells more.
        is_one = any(trait.name == "LinalgStructuredInterface" for trait in parent.definition.traits)
        return None if is_one else "expected parent op with LinalgOp interface"
    _, inits = inputs_and_inits(parent)
    if len(op.operands) != len(inits):
        counts = f"({len(op.operands)}) to match the number of inits / outs operands of the enclosing LinalgOp"
        return f"expected number of yield values {counts} ({len(inits)})"
    for number, (value, init) in enumerate(zip(op.operands, inits, strict=True), 1):
        expected = scalar_type(init.type)
        if value.type != expected:
            types = f"('{value.type}') doesn't match the element type of the enclosing linalg.generic op ('{expected}')"
            return Problem(f"type of yield operand {number} {types}", types=(value.type, expected))
    return None


@verifies("linalg.index")
def check_index(op: ops.IndexOp) -> Complaint:
    parent = op.parent_op
    structured = parent.interface(Structured) if parent is not None else None
    if parent is None or (structured is None and parent.definition is not None):
        return "expected parent op with LinalgOp interface"
    loops = structured.loops(parent) if structured is not None else None
    dim = op.dim.value
    if loops is None or dim < len(loops):
        return None
    return f"expected dim ({dim}) to be lower than the number of loops ({len(loops)}) of the enclosing LinalgOp"


# ---- what they do to memory


def with_effects(operations: Mapping[str, OpCode]) -> dict[str, OpCode]:
    """The code of these operations; that of structured ones says what they do to memory."""
    return {
        name: replace(code, interfaces=(*code.interfaces, EFFECTS, SPECULATABLE))
        if any(isinstance(interface, Structured) for interface in code.interfaces)
        else code
        for name, code in operations.items()
    }


def _effects(op: Operation) -> list[Effect]:
    inputs, inits = inputs_and_inits(op)
    effects = [Effect(EffectKind.READ, value) for value in inputs if isinstance(value.type, MemRefType)]
    arguments = op.regions[0].arguments[len(inputs) :] if op.regions else []
    for index, value in enumerate(inits):
        if isinstance(value.type, MemRefType):
            if index < len(arguments) and arguments[index].uses:
                effects.append(Effect(EffectKind.READ, value))
            effects.append(Effect(EffectKind.WRITE, value))
    return effects


def _speculation(op: Operation) -> Speculation:
    types = [value.type for value in op.operands]
    has_buffers = any(isinstance(type, MemRefType) for type in types)
    has_tensors = any(isinstance(type, TensorType) for type in types)
    return Speculation.IF_NESTED if has_tensors and not has_buffers else Speculation.NEVER


EFFECTS: Final = MemoryEffects(_effects)
SPECULATABLE: Final = Speculatable(_speculation)
