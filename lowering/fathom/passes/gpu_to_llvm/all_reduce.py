"""`gpu.all_reduce`: values of all threads of a block, combined by shuffles in each subgroup and then, through memory of
the block, by the first subgroup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.func.callees import function_type
from fathom.dialects.gpu.functions import WORKGROUP_COUNT, workgroup_count
from fathom.ir.attributes import IntegerAttr
from fathom.ir.clone import clone_region
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import BlockArgument
from fathom.ir.types import I1, I32, I64, INDEX, MemRefType
from fathom.irdl.cases import word_of
from fathom.ops import gpu as ops
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.branches import branch, conditional_branch
from fathom.passes.gpu_operations import case, dimension
from fathom.passes.vectors.combining import combined
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Value
    from fathom.rewriting.rewriter import Rewriter

_SUBGROUP: Final = 32

Combine: TypeAlias = "Callable[[Value, Value], Value]"


@named("GpuAllReduceRewrite")
def reduce_all(function: ops.FuncOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """All reductions of a function at once."""
    reductions: list[ops.AllReduceOp] = []
    for op in function.walk():
        if not isinstance(op, ops.AllReduceOp):
            continue
        if op.uniform is None:
            return Failure("Non uniform reductions are not supported yet.")
        reductions.append(op)
    if not reductions:
        return Failure("nothing is reduced")
    for op in reductions:
        rewriter.stand_in(op)
        rewriter.set_insertion_before(op)
        _Reduction(function, op, rewriter).rewrite()
    return None


class _Reduction:
    """One reduction, step by step."""

    def __init__(self, function: ops.FuncOp, op: ops.AllReduceOp, rewriter: Rewriter) -> None:
        self.function = function
        self.op = op
        self.rewriter = rewriter
        self.type = op.value.type

    def rewrite(self) -> None:
        rewriter = self.rewriter
        dim_x, dim_y, dim_z = (self.along("gpu.block_dim", axis) for axis in "xyz")
        x, y, z = (self.along("gpu.thread_id", axis) for axis in "xyz")
        row = self.add(self.multiply(z, dim_y), y)
        before = self.multiply(row, dim_x)
        area = self.multiply(dim_x, dim_y)
        thread = self.add(before, x)
        threads = self.multiply(area, dim_z)
        mask = self.number(_SUBGROUP - 1)
        lane = binary(rewriter, "andi", thread, mask)
        is_first = compare(rewriter, "eq", lane, self.number(0))
        width = binary(rewriter, "subi", threads, binary(rewriter, "subi", thread, lane))
        reduced = self.reduce_subgroup(width, self.op.value)
        buffer = self.buffer()
        with_first = self.when(is_first)
        subgroup = binary(rewriter, "divsi", thread, self.number(_SUBGROUP))
        self.store(reduced, buffer, self.index(subgroup))
        self.go_on(with_first)
        rewriter.create("gpu.barrier")
        subgroups = binary(rewriter, "divsi", self.add(threads, mask), self.number(_SUBGROUP))
        is_valid = compare(rewriter, "slt", thread, subgroups)
        zero = constant(rewriter, 0)
        with_valid = self.when(is_valid)
        part = self.load(buffer, self.index(thread))
        self.store(self.reduce_subgroup(subgroups, part), buffer, zero)
        self.go_on(with_valid)
        rewriter.create("gpu.barrier")
        rewriter.replace(self.op, [self.load(buffer, zero)])

    # Numbers.

    def along(self, name: str, axis: str) -> Value:
        size = dimension(self.rewriter, name, axis)
        return self.rewriter.create("arith.index_cast", [size], [I32]).result

    def index(self, value: Value) -> Value:
        return self.rewriter.create("arith.index_cast", [value], [INDEX]).result

    def number(self, value: int) -> Value:
        return constant(self.rewriter, value, I32)

    def add(self, left: Value, right: Value) -> Value:
        return binary(self.rewriter, "addi", left, right)

    def multiply(self, left: Value, right: Value) -> Value:
        return binary(self.rewriter, "muli", left, right)

    # Memory.

    def buffer(self) -> BlockArgument:
        """New memory of the block, behind what the function has of it."""
        function, rewriter = self.function, self.rewriter
        space = case("AddressSpaceAttr", "workgroup")
        type = MemRefType((_SUBGROUP,), self.type, None, space)
        entry, count = function.body.first, workgroup_count(function)
        assert entry is not None, "a function has a body"
        argument = entry.insert_argument(len(function_type(function).inputs) + count, type)
        argument.location = UnknownLoc()

        def change() -> None:
            function.attributes[WORKGROUP_COUNT] = IntegerAttr(count + 1, I64)

        rewriter.modify(function, change)
        return argument

    def store(self, value: Value, buffer: Value, index: Value) -> None:
        self.rewriter.create("memref.store", [value, buffer, index])

    def load(self, buffer: Value, index: Value) -> Value:
        return self.rewriter.create("memref.load", [buffer, index], [self.type]).result

    # Blocks.

    def split(self) -> tuple[Block, Block, Block, Block]:
        """The block here, two empty ones for both cases, and what follows."""
        rewriter, block = self.rewriter, self.rewriter.block
        assert block is not None, "there is an insertion point"
        then = rewriter.split_block(block, rewriter.anchor)
        other = rewriter.split_block(then, then.first)
        following = rewriter.split_block(other, other.first)
        return block, then, other, following

    def when(self, condition: Value) -> tuple[Block, Block]:
        """Operations are made for where a condition holds, until it goes on with what this returns."""
        block, then, other, following = self.split()
        self.rewriter.set_insertion_to_end(block)
        conditional_branch(self.rewriter, condition, then, (), other)
        self.rewriter.set_insertion_to_start(then)
        return other, following

    def otherwise(self, blocks: tuple[Block, Block], value: Value) -> None:
        """Operations are made for where it does not hold; where it does, the value is this one."""
        other, following = blocks
        branch(self.rewriter, following, [value])
        self.argument_for(value, following)
        self.rewriter.set_insertion_to_start(other)

    def go_on(self, blocks: tuple[Block, Block], value: Value | None = None) -> None:
        """Both cases are over; where it did not hold, the value is this one."""
        other, following = blocks
        branch(self.rewriter, following, [] if value is None else [value])
        if value is None:
            self.rewriter.set_insertion_to_start(other)
            branch(self.rewriter, following)
        self.rewriter.set_insertion_to_start(following)

    def argument_for(self, value: Value, block: Block) -> Value:
        """A new argument of a block, which comes from where a value does."""
        with self.rewriter.standing_in(value):
            return self.rewriter.add_arguments(block, [value.type])[0]

    # Combining.

    def reduce_subgroup(self, width: Value, operand: Value) -> Value:
        """Of a subgroup of which so many lanes take part; the first lane has the result."""
        rewriter = self.rewriter
        size = self.number(_SUBGROUP)
        partial = self.when(compare(rewriter, "slt", width, size))
        self.otherwise(partial, self.shuffled(operand, width, self.if_active))
        self.go_on(partial, self.shuffled(operand, size, lambda value, other, _: self.combine(value, other)))
        return self.first_argument()

    def shuffled(self, value: Value, width: Value, combine: Callable[[Value, Value, Value], Value]) -> Value:
        """Each lane is combined with the one whose number differs in a bit, for all bits."""
        distance = 1
        while distance < _SUBGROUP:
            taken = [value, self.number(distance), width]
            mode = {"mode": case("ShuffleModeAttr", "xor")}
            other, valid = self.rewriter.create("gpu.shuffle", taken, [self.type, I1], mode).results
            value = combine(value, other, valid)
            distance *= 2
        return value

    def if_active(self, value: Value, other: Value, valid: Value) -> Value:
        blocks = self.when(valid)
        self.otherwise(blocks, self.combine(value, other))
        self.go_on(blocks, value)
        return self.first_argument()

    def first_argument(self) -> Value:
        block = self.rewriter.block
        assert block is not None, "there is an insertion point"
        return block.arguments[0]

    def combine(self, left: Value, right: Value) -> Value:
        body = self.op.body
        if body.first is None:
            made = combined(self.rewriter, word_of(self.op.op), left, right)
            assert made is not None, "a verified reduction fits its type"
            return made
        rewriter, block = self.rewriter, self.rewriter.block
        assert block is not None, "there is an insertion point"
        split = rewriter.split_block(block, rewriter.anchor)
        copy = clone_region(body)
        first = copy.first
        assert first is not None and split.parent is not None, "a copy of a body has blocks too"
        for argument, value in zip(first.arguments, (left, right), strict=True):
            rewriter.replace_all_uses(argument, value)
        first.erase_arguments(range(len(first.arguments)))
        inner = list(copy.blocks)
        rewriter.inline_region_before(copy, split.parent, split)
        rewriter.set_insertion_to_end(block)
        branch(rewriter, first)
        for each in inner:
            last = each.last
            if isinstance(last, ops.YieldOp):
                rewriter.set_insertion_before(last)
                with rewriter.standing_in(last):
                    branch(rewriter, split, last.operands)
                rewriter.erase(last)
        rewriter.set_insertion_to_start(split)
        return self.argument_for(left, split)
