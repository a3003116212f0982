"""Who has to free which buffer: of each memref, at each place, the condition under which a block is to free it.

A block *owns* a buffer if it is to free it, or to hand this duty on. A condition (an `i1`) says so at run time:

    %m = memref.alloc()        owned if %true
    %v = memref.subview %m     owned as %m is, since it may be the same memory
    %a                         (an argument of a function) owned if %false

Source of the rules: *Ownership-based Buffer Deallocation*, and the sources and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.options import NotFreed
from fathom.bufferization.origins import is_buffer
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr, StridedLayoutAttr
from fathom.ir.operation import Value
from fathom.ir.types import I1, I64, INDEX, MemRefType, Type
from fathom.irdl.aspects import Aspect
from fathom.irdl.build import segment_sizes
from fathom.irdl.lazy import Joined
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.live_values import LiveValues
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation
    from fathom.rewriting.rewriter import Rewriter


class Unclear:
    """Several conditions meet, of which nobody can tell which one holds."""


UNCLEAR: Final = Unclear()
Owner: TypeAlias = "Value | Unclear | None"
"""The condition under which a block owns a buffer; None where nothing is known yet."""


def joined(one: Owner, other: Owner) -> Owner:
    """What is known of a buffer that may be either of two."""
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, Unclear) or isinstance(other, Unclear):
        return UNCLEAR
    if one is other:
        return one
    known = truth(one)
    return one if known is not None and known == truth(other) else UNCLEAR


def truth(condition: Value) -> bool | None:
    """Whether a condition holds, where it is a constant."""
    number = integer_constant(condition)
    return bool(number) if number is not None else None


def constant(rewriter: Rewriter, value: bool) -> Value:
    """`arith.constant true` or `false`."""
    return rewriter.constant(IntegerAttr(int(value), I1), I1)


class Ownership:
    """What is known of the memrefs of a function, as far as its blocks have been gone through; and what each block is
    to free at its end."""

    def __init__(self, function: Operation) -> None:
        self.live = LiveValues(function, is_buffer)
        self._onlooker = onlooker()
        self._owners: dict[tuple[Value, Block | None], Owner] = {}
        self._freed: dict[Block | None, list[Value]] = {}

    def of(self, memref: Value, block: Block | None) -> Owner:
        """Under which condition a block owns a memref."""
        return self._owners.get((memref, block))

    def add(self, memref: Value, owner: Owner, block: Block | None = None) -> None:
        """A memref is owned so too, by the block that defines it where none is given."""
        key = memref, block if block is not None else memref.parent_block
        self._owners[key] = joined(self._owners.get(key), owner)

    def forget(self, memrefs: Iterable[Value], block: Block | None) -> None:
        """What was known of memrefs in a block holds no more."""
        for memref in memrefs:
            self._owners[memref, block] = None

    def free_at_end(self, memref: Value, block: Block | None) -> None:
        """A block is to free a memref at its end, if it owns it then."""
        self._freed.setdefault(block, []).append(memref)

    # ---- what is asked at the ends of blocks

    def unique(self, memref: Value, block: Block | None, rewriter: Rewriter) -> tuple[Value, Value]:
        """A memref and the condition under which it is owned: a copy, where nobody can tell that of the memref."""
        owner = self.of(memref, block)
        if isinstance(owner, Value):
            return memref, owner
        with rewriter.elsewhere():
            rewriter.span, rewriter.location = source_of(memref)
            clone = rewriter.create("bufferization.clone", [memref], [memref.type]).result
            condition = constant(rewriter, True)
        self.add(clone, condition)
        self.free_at_end(clone, clone.parent_block)
        return clone, condition

    def to_free(self, op: Operation, rewriter: Rewriter) -> tuple[list[Value], list[Value]]:
        """The memory that the block of `op` is to free at its end, each with its condition; what is inserted to know it
        stands before `op`. Raises Refusal."""
        memory: list[Value] = []
        conditions: list[Value] = []
        for memref in self._freed.get(op.parent, ()):
            owner = self.of(memref, op.parent)
            if not isinstance(owner, Value):
                raise NotFreed(op, "MemRef value does not have valid ownership", memref)
            if self._onlooker is not None and truth(owner) is not False:
                self._onlooker.freed(memref, op)
            memory.append(_base_of(memref, rewriter))
            conditions.append(owner)
        return memory, conditions

    def to_retain(self, block: Block | None, target: Block | None, passed: Iterable[Value]) -> list[Value]:
        """What is used behind the end of a block, and so is not freed there: what is passed on, and what is live."""
        buffers = [operand for operand in passed if is_buffer(operand)]
        return buffers + self.live.beyond(block, target) if block is not None else buffers

    def deallocate(
        self,
        op: Operation,
        memory: Sequence[Value],
        conditions: Sequence[Value],
        retained: Sequence[Value],
        rewriter: Rewriter,
    ) -> list[Value]:
        """Inserts a `bufferization.dealloc` before `op`; its results are the conditions under which what is retained is
        owned from then on."""
        sizes = segment_sizes(len(memory), len(conditions), len(retained))
        operands = [*memory, *conditions, *retained]
        types: list[Type] = [I1] * len(retained)
        made = rewriter.create("bufferization.dealloc", operands, types, {"operandSegmentSizes": sizes}).results
        self.forget(retained, op.parent)
        for memref, condition in zip(retained, made, strict=True):
            self.add(memref, condition, op.parent)
        return list(made)

    def free_before_end(self, op: Operation, passed: Sequence[Value], rewriter: Rewriter) -> list[Value]:
        """Frees at the end of a block that control leaves by no branch; the conditions under which the memrefs among
        those that are passed on are owned."""
        memory, conditions = self.to_free(op, rewriter)
        retained = self.to_retain(op.parent, None, passed)
        if not memory and not retained:
            return []
        made = self.deallocate(op, memory, conditions, retained, rewriter)
        return made[: sum(map(is_buffer, passed))]


def _base_of(memref: Value, rewriter: Rewriter) -> Value:
    """The memory that was allocated, as it is freed, of which a memref shows a part."""
    type = memref.type
    assert isinstance(type, MemRefType), "only memrefs are freed"
    if type.shape is None:
        numbers = {"offsets": (0,), "sizes": (), "strides": ()}
        properties: dict[str, Attribute] = {f"static_{kind}": DenseArrayAttr(I64, of) for kind, of in numbers.items()}
        properties["operandSegmentSizes"] = segment_sizes(1, 0, 0, 0)
        type = MemRefType((), type.element, StridedLayoutAttr((), 0), type.space)
        memref = rewriter.create("memref.reinterpret_cast", [memref], [type], properties).result
    types: list[Type] = [INDEX] * (2 + 2 * len(type.ranked_shape))
    types[0] = MemRefType((), type.element, None, type.space)
    return rewriter.create("memref.extract_strided_metadata", [memref], types).results[0]


class Deallocating:
    """How an operation frees and hands on buffers, as its dialect says it in the module `deallocation.py` of its
    folder; the others do as their interfaces tell. `BufferDeallocationOpInterface` of MLIR."""

    def process(self, op: Any, state: Ownership, rewriter: Rewriter) -> None:
        """Inserts what is freed, before `op`, and notes what is owned. Raises Refusal."""

    def unique(self, op: Any, memref: Value, state: Ownership, rewriter: Rewriter) -> tuple[Value, Value]:
        """One of its results, or of the arguments in it, and the condition under which it is owned."""
        return state.unique(memref, memref.parent_block, rewriter)


DEALLOCATION: Final = Aspect[Mapping[str, Deallocating]]("deallocation", {}, Joined)
"""How operations free and hand on buffers, by their full names."""
