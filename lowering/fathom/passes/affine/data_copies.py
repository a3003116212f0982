"""Which loops of a function work on copies, and of what.

Source of the rules: `AffineDataCopyGeneration.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic
from fathom.dialects.affine.canonicalization import composed
from fathom.ir.attributes import IntegerAttr, index_attr
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.ops.affine import ForOp, LoadOp, StoreOp
from fathom.passes.affine.accesses import Access
from fathom.passes.affine.copies import Copying, Place
from fathom.passes.affine.coverage import is_used_otherwise, writes_all
from fathom.passes.affine.domains import affine_ops_around, loops_around, nesting_depth, variable
from fathom.passes.affine.promotion import promote_single_iteration
from fathom.passes.affine.regions import Region, footprint, region_of
from fathom.passes.affine.system import System
from fathom.rewriting.folding import fold, materialize
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Block, Operation
    from fathom.ir.operation import Region as Body
    from fathom.passes.affine.copies import Spaces


def generate_copies(function: Operation, context: Context, spaces: Spaces, *, skips_strides: bool) -> list[Diagnostic]:
    """Copies in all blocks of a function what their loops use, and tidies the copying."""
    body = function.regions[0]
    if body.first is None:
        return []
    rewriter = Rewriter(context)
    rewriter.stand_in(function)
    rewriter.set_insertion_to_start(body.first)
    rewriter.constant(index_attr(0), INDEX)
    generating = _Generating(body.first, spaces, rewriter, skips_strides=skips_strides)
    for block in [*body.blocks]:
        generating.in_block(block)
    generating.tidy()
    return generating.said


class _Generating:
    def __init__(self, entry: Block, spaces: Spaces, rewriter: Rewriter, *, skips_strides: bool) -> None:
        self.entry = entry
        self.spaces = spaces
        self.rewriter = rewriter
        self.skips_strides = skips_strides
        self.nests: dict[Operation, None] = {}
        self.said: list[Diagnostic] = []

    def in_block(self, block: Block) -> None:
        """Each loop works on copies of its own, unless it needs too much: then the loops in it do. So do the accesses
        between loops."""
        start = self._next(block.first)
        op = start
        while op is not None and start is not None:
            if not isinstance(op, ForOp) or op in self.nests:
                op = op.next
                continue
            self._copy(start, op)
            if self._is_divided(op):
                self.in_block(op.region.entry)
            elif op.next is not None:
                self._copy(op, op.next)
            start = op = self._next(op.next)
        if start is not None:
            self._copy(start, block.end)

    def _next(self, op: Operation | None) -> Operation | None:
        """The first operation from one on that is a loop, or accesses memory, and was not made here."""
        while op is not None and (not isinstance(op, (LoadOp, StoreOp, ForOp)) or op in self.nests):
            op = op.next
        return op

    def _is_divided(self, loop: ForOp) -> bool:
        if self.skips_strides:
            return loop.step.value != 1
        size = footprint(loop)
        return size is not None and size > self.spaces.capacity

    def _copy(self, begin: Operation, end: Operation) -> None:
        if begin is end or begin.parent is None:
            return
        regions = self._regions(begin, end)
        if regions is None:
            return
        ops = _range(begin, end)
        kept = {region.memref for region in regions if is_used_otherwise(region.memref, ops)}
        copying = Copying(self.entry, self.spaces, self.rewriter, kept)
        place = Place(begin.parent, begin, end, begin, end)
        succeeded = True
        for region in regions:
            place.copies_in, place.copies_out = _highest(region, place)
            succeeded &= copying.copy(region, place)
        self.nests.update(dict.fromkeys(copying.nests))
        around = begin.parent_op or place.begin.parent_op
        if succeeded and copying.bytes > self.spaces.capacity and around is not None:
            message = "total size of all copy buffers' for this block exceeds fast memory capacity"
            self.said.append(Diagnostic(message, around.span, severity="warning", op=around))

    def _regions(self, begin: Operation, end: Operation) -> list[Region] | None:
        """What is read, and then what is written, from one operation up to another; None where that has no size that is
        known."""
        depth = nesting_depth(begin)
        read: dict[Value, Region] = {}
        written: dict[Value, Region] = {}
        stores: dict[Value, list[StoreOp]] = {}
        ops = _range(begin, end)
        for access in (inner for op in ops for inner in op.walk_postorder()):
            if not isinstance(access, (LoadOp, StoreOp)) or not self._is_concerned(access, begin):
                continue
            if not _add(access, depth, read, written):
                return None
            if isinstance(access, StoreOp):
                stores.setdefault(access.memref, []).append(access)
        for memref, region in written.items():
            if memref not in read and not _is_all_written(region, stores[memref], depth, begin.parent):
                read[memref] = Region(region.access, region.system.copy(), fills=True)
        return [*read.values(), *written.values()]

    def _is_concerned(self, access: LoadOp | StoreOp, begin: Operation) -> bool:
        type = access.memref.type
        if not isinstance(type, MemRefType):
            return False
        if isinstance(type.space, IntegerAttr) and type.space.value != self.spaces.slow:
            return False
        return _is_above(access.memref, begin.parent_region)

    def tidy(self) -> None:
        """Loops that run once go, and subscripts are composed."""
        accesses: list[LoadOp | StoreOp] = []
        for nest in self.nests:
            for op in [*nest.walk_postorder()]:
                if isinstance(op, ForOp):
                    promote_single_iteration(op, self.rewriter)
                elif isinstance(op, (LoadOp, StoreOp)):
                    accesses.append(op)
        for access in accesses:
            self._compose(access)

    def _compose(self, op: LoadOp | StoreOp) -> None:
        """Folds an access, and composes its subscripts."""
        while True:
            self.rewriter.set_insertion_before(op)
            self.rewriter.stand_in(op)
            folded = fold(op)
            if folded is not None and not folded:
                continue
            results = materialize(op, folded, self.rewriter.context) if folded is not None else None
            if results is not None:
                made = [part if isinstance(part, Value) else self.rewriter.insert(part).result for part in results]
                self.rewriter.replace(op, made)
                return
            other = composed(op, self.rewriter)
            if not isinstance(other, (LoadOp, StoreOp)):
                return
            self.rewriter.replace(op, other.results)
            op = other


def _range(begin: Operation, end: Operation) -> list[Operation]:
    """The operations from one up to another, without it."""
    ops: list[Operation] = []
    op: Operation | None = begin
    while op is not None and op is not end:
        ops.append(op)
        op = op.next
    return ops


def _is_all_written(region: Region, stores: list[StoreOp], depth: int, block: Block | None) -> bool:
    """Whether some store writes all of the box of a region, which is around what all of them write."""
    box = region.box()
    if block is None or box is None:
        return box is None
    for store in stores:
        own = region_of(Access(store), depth, within_shape=False) if len(stores) > 1 else region
        if own is not None and own.box() == box and writes_all(store, block, box.sizes):
            return True
    return False


def _add(op: LoadOp | StoreOp, depth: int, read: dict[Value, Region], written: dict[Value, Region]) -> bool:
    """Adds what an access is to; False where that has no size that is known."""
    accessed = region_of(Access(op), depth, within_shape=False) or _whole(op, depth)
    if accessed is None:
        return False
    for known in (read, written):
        other = known.get(accessed.memref)
        if other is None:
            continue
        if other.join(accessed):
            accessed.system = other.system.copy()
            continue
        whole = _whole(op, depth)
        if whole is None:
            return False
        accessed = whole
        other.system = whole.system.copy()
    (written if accessed.is_written else read).setdefault(accessed.memref, accessed)
    return True


def _whole(op: LoadOp | StoreOp, depth: int) -> Region | None:
    """All of a memref; None where its size is not known."""
    type = op.memref.type
    if not isinstance(type, MemRefType) or DYNAMIC in type.ranked_shape:
        return None
    outer = [variable(loop) for loop in loops_around(op)[:depth]]
    system = System([None] * len(type.ranked_shape), outer)
    for place, size in enumerate(type.ranked_shape):
        system.add_least(place, 0)
        system.add_greatest(place, size - 1)
    return Region(Access(op), system)


def _is_above(memref: Value, region: Body | None) -> bool:
    """Whether a memref is there around a region."""
    home = memref.parent_block.parent if memref.parent_block is not None else None
    while region is not None and region is not home:
        region = region.parent.parent_region if region.parent is not None else None
    return region is not None


def _highest(region: Region, place: Place) -> tuple[Operation, Operation]:
    """In front of which operations is copied in and out: around the loops in which the region stays the same."""
    highest: ForOp | None = None
    first = place.block.first
    assert first is not None, "the block has operations"
    for op in reversed(affine_ops_around(first)):
        if not isinstance(op, ForOp) or not _is_above(region.memref, op.parent_region):
            break
        if any(value is variable(op) for value in region.system.symbols):
            break
        highest = op
    if highest is None or highest.next is None:
        return place.begin, place.end
    return highest, highest.next
