"""Which elements of a memref accesses come to, while outer loops stand still.

Source of the rules: `MemRefRegion` of MLIR 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.affine.scope import is_symbol
from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, MemRefType, VectorType
from fathom.passes.affine.accesses import ACCESSES, Access
from fathom.passes.affine.boxes import enlarge
from fathom.passes.affine.domains import (
    add_loop,
    add_value,
    aligned,
    flattened_into,
    loop_of,
    nesting_depth,
    variables_around,
)
from fathom.passes.affine.effort import OF_DEPENDENCE, count_steps
from fathom.passes.affine.elimination import eliminate, project_out, put_in_known
from fathom.passes.affine.extents import extent
from fathom.passes.affine.slices import add_slice
from fathom.passes.affine.system import System
from fathom.records import record
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.affine.slices import Slice


def rank_of(memref: Value) -> int:
    assert isinstance(memref.type, MemRefType), "accesses are to memrefs"
    return len(memref.type.ranked_shape)


@record
class Box:
    """How many elements there are in each dimension, and from where on: maps of symbols."""

    sizes: list[int]
    lower: list[AffineMap]


@record(frozen=False, eq=False)
class Region:
    """Elements of a memref that an access comes to, the first that was met of those that it stands for: a system over
    the dimensions, with the variables of outer loops, and others, as symbols."""

    access: Access
    system: System
    fills: bool = False
    """Whether it is read all the same, since not all of it is surely written."""

    @property
    def memref(self) -> Value:
        return self.access.memref

    @property
    def is_written(self) -> bool:
        return self.access.is_write and not self.fills

    def box(self) -> Box | None:
        """The smallest box of a size that is a number; None where there is none."""
        type = self.memref.type
        assert isinstance(type, MemRefType), "regions are of memrefs"
        system = self.system.copy()
        for place, size in enumerate(type.ranked_shape):
            system.add_least(place, 0)
            if size != DYNAMIC:
                system.add_greatest(place, size - 1)
        sizes: list[int] = []
        lower: list[AffineMap] = []
        for place, size in enumerate(type.ranked_shape):
            known = extent(system, place)
            low = known.lower if known is not None else None
            if known is None:
                if size == DYNAMIC:
                    return None
                low = AffineMap(0, len(system.symbols), (AffineConstant(0),))
            if low is None:
                return None
            sizes.append(known.size if known is not None else size)
            lower.append(low)
        return Box(sizes, lower)

    def bytes(self) -> int | None:
        """The size of the box; None where it is no number."""
        type = self.memref.type
        if not isinstance(type, MemRefType):
            return None
        if type.layout is not None:
            return 0
        box = self.box()
        element = element_bytes(type)
        return prod(box.sizes) * element if box is not None and element is not None else None

    def join(self, other: Region) -> bool:
        """Has a region be a box around itself and another one; False where there is none."""
        return enlarge(self.system, other.system)


def element_bytes(type: MemRefType) -> int | None:
    """How long an element is, if it is a number or a vector of numbers."""
    match type.element:
        case IntegerType(width=bits) | FloatType(width=bits):
            return -(-bits // 8)
        case VectorType(element=IntegerType(width=bits) | FloatType(width=bits)) as vector:
            return -(-bits * prod(vector.ranked_shape) // 8)
        case _:
            return None


def region_of(
    access: Access,
    depth: int,
    slice: Slice | None = None,
    *,
    within_shape: bool = True,
    drop_locals: bool = True,
    drop_variables: bool = True,
) -> Region | None:
    """The elements that an access comes to in the loops beyond a depth, or in a slice; None where that is not affine.
    `within_shape` adds the sizes of the memref. Not to drop locals or variables keeps them as locals."""
    count_steps(OF_DEPENDENCE)
    rank = rank_of(access.memref)
    around = variables_around(access.op)[:depth]
    if not rank:
        return Region(access, System([], around))
    system = _with_operands(access, slice)
    if system is None:
        return None
    rows = flattened_into(system, aligned(system, *access.applied))
    if rows is None:
        return None
    system.insert_dims(0, [None] * rank)
    for place, row in enumerate(rows):
        equality = [0] * rank + [-value for value in row]
        equality[place] = 1
        system.add_equality(equality)
    system.separate(rank)
    for value in [*system.symbols]:
        if value is None or loop_of(value) is None or any(value is outer for outer in around):
            continue
        column = system.column_of(value)
        if drop_variables:
            eliminate(system, column)
        else:
            system.make_local(column, column + 1)
    if drop_locals:
        project_out(system, system.named, system.locals)
    put_in_known(system, rank, len(system.symbols))
    if within_shape:
        assert isinstance(access.memref.type, MemRefType), "regions are of memrefs"
        for place, size in enumerate(access.memref.type.ranked_shape):
            system.add_least(place, 0)
            if size != DYNAMIC:
                system.add_greatest(place, size - 1)
    system.remove_trivial()
    return Region(access, system)


def _with_operands(access: Access, slice: Slice | None) -> System | None:
    """What is known of the operands of an access, and of a slice."""
    map, operands = access.applied
    symbols = operands[map.dims :]
    if slice is not None:
        symbols = [*symbols, *(v for v in slice.operands if not any(v is operand for operand in operands))]
    system = System(operands[: map.dims], symbols)
    for value in system.values:
        assert value is not None, "operands are values"
        loop = loop_of(value)
        if loop is not None:
            if not add_loop(system, loop):
                return None
        elif is_symbol(value):
            number = integer_constant(value)
            if number is not None:
                system.add_value(system.column_of(value), number)
        else:
            return None
    if slice is not None and not (
        all(add_value(system, value) for value in slice.operands) and add_slice(system, slice)
    ):
        return None
    return system


def footprint(op: Operation) -> int | None:
    """How many bytes an operation accesses; None where that is not known."""
    depth = nesting_depth(op)
    regions: dict[Value, Region] = {}
    for inner in op.walk_postorder():
        if not isinstance(inner, ACCESSES):
            continue
        accessed = region_of(Access(inner), depth)
        if accessed is None:
            return None
        known = regions.setdefault(accessed.memref, accessed)
        if known is not accessed and not known.join(accessed):
            return None
    sizes = [region.bytes() for region in regions.values()]
    return sum(size for size in sizes if size is not None) if None not in sizes else None
