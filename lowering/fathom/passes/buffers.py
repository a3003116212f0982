"""Short forms for the operations on memrefs and the control flow that passes make of what happens to buffers.

Each inserts at the rewriter's insertion point and returns the result, if there is one. Nothing is folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.memref.common import ranked, type_of
from fathom.dialects.memref.queries import metadata_types
from fathom.ir.operation import Block, Region, Value, types_of
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import INDEX, MemRefType, Type
from fathom.irdl.build import segment_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.rewriting.rewriter import Rewriter


def allocate(
    rewriter: Rewriter,
    type: MemRefType,
    sizes: Sequence[Value] = (),
    alignment: Attribute | None = None,
    *,
    on_stack: bool = False,
) -> Value:
    """`memref.alloc` or `memref.alloca`."""
    properties: dict[str, Attribute] = {"operandSegmentSizes": segment_sizes(len(sizes), 0)}
    if alignment is not None:
        properties["alignment"] = alignment
    return rewriter.create("memref.alloca" if on_stack else "memref.alloc", sizes, [type], properties).result


def deallocate(rewriter: Rewriter, memref: Value) -> None:
    rewriter.create("memref.dealloc", [memref])


def load(rewriter: Rewriter, memref: Value, *indices: Value) -> Value:
    """An element of a memref."""
    return rewriter.create("memref.load", [memref, *indices], [type_of(memref).element]).result


def store(rewriter: Rewriter, value: Value, memref: Value, *indices: Value) -> None:
    """An element of a memref."""
    rewriter.create("memref.store", [value, memref, *indices])


def size_of(rewriter: Rewriter, memref: Value, position: Value) -> Value:
    """`memref.dim`."""
    return rewriter.create("memref.dim", [memref, position], [INDEX]).result


def cast(rewriter: Rewriter, memref: Value, type: Type) -> Value:
    """`memref.cast`."""
    return rewriter.create("memref.cast", [memref], [type]).result


def copy(rewriter: Rewriter, source: Value, target: Value) -> None:
    rewriter.create("memref.copy", [source, target])


def extract_metadata(rewriter: Rewriter, memref: Value) -> Operation | None:
    """`memref.extract_strided_metadata`; None for what has no rank or no strided layout."""
    type = ranked(memref.type)
    if type is None or strides_and_offset(type) is None:
        return None
    return rewriter.create("memref.extract_strided_metadata", [memref], metadata_types(type))


# ---- control flow


def choose(rewriter: Rewriter, condition: Value, arms: Sequence[Callable[[], Sequence[Value]]]) -> Operation:
    """`scf.if`, whose arms insert what they do and return what they yield; there may be one or two. As MLIR's builders
    have it, the arms stand in no operation yet when they are filled."""
    regions: list[Region] = []
    yielded: list[Sequence[Value]] = []
    for arm in arms:
        block = Block()
        regions.append(Region([block]))
        yielded.append(_fill(rewriter, block, arm))
    without_else = [Region()] if len(regions) == 1 else []
    types = types_of(yielded[0])
    return rewriter.create("scf.if", [condition], types, regions=[*regions, *without_else])


def loop(
    rewriter: Rewriter,
    bounds: tuple[Value, Value, Value],
    initial: Sequence[Value],
    body: Callable[[Value, Sequence[Value]], Sequence[Value]],
) -> Operation:
    """`scf.for` from a lower bound to an upper one by a step. The body gets the index and the values that are carried,
    inserts what it does, and returns what it hands on; it stands in no operation yet then."""
    types = types_of(initial)
    block = Block([bounds[0].type, *types])
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    region = Region([block])
    _fill(rewriter, block, lambda: body(block.arguments[0], block.arguments[1:]))
    return rewriter.create("scf.for", [*bounds, *initial], types, regions=[region])


def _fill(rewriter: Rewriter, block: Block, arm: Callable[[], Sequence[Value]]) -> Sequence[Value]:
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        values = arm()
        rewriter.create("scf.yield", values)
    return values
