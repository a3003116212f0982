"""How many blocks a parallel loop is divided into, and who begins them.

func.func private @async_dispatch_fn(%group: !async.group, %first: index, %end: index, %block_size: index, …) {
scf.while (%first to %end is more than one block) {
%token = async.execute { call @async_dispatch_fn(%group, <middle>, <end>, …) }
async.add_to_group %token, %group
<the end is the middle now>
}
call @parallel_compute_fn(%first, %block_size, …)
}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.floats import from_float
from fathom.ir.operation import Block, Region, is_module, types_of
from fathom.ir.traversal import ancestors
from fathom.ir.types import F32, I32, INDEX
from fathom.irdl.build import segment_sizes
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.asynchronous.captures import take_constants_in
from fathom.passes.asynchronous.functions import add_function, call
from fathom.passes.asynchronous.types import type_of
from fathom.passes.buffers import choose, loop
from fathom.passes.transforms.async_parallel_for.blocks import Blocks, define_blocks, product
from fathom.records import record
from fathom.rewriting.folding import create_or_fold, integer_constant
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.ops.scf import ParallelOp
    from fathom.rewriting.rewriter import Rewriter

_MOST_UNROLLED: Final = 512
"""How many iterations of inner loops a block is a multiple of at most, so that LLVM may unroll them."""
_BLOCKS_PER_WORKER: Final = ((None, 8.0), (4, 4.0), (8, 2.0), (16, 1.0), (32, 0.8), (64, 0.6))
"""How many blocks there may be for each thread, where there are more threads than so many."""


@record
class Plan:
    """What the options of the pass say."""

    halves: bool
    workers: int
    smallest: int


def run_beside(op: ParallelOp, operands: Sequence[Value], rewriter: Rewriter, *, plan: Plan) -> Failure | None:
    """Divides a loop into blocks, if it iterates at all."""
    module = next((around for around in ancestors(op) if is_module(around)), None)
    if op.initVals or module is None:
        return Failure("reductions are not divided")
    smallest = constant(rewriter, plan.smallest)
    take_constants_in(op.region, rewriter)
    counts = [
        create_or_fold(
            rewriter, "arith.ceildivsi", [create_or_fold(rewriter, "arith.subi", [upper, lower], INDEX), step], INDEX
        )
        for lower, upper, step in zip(op.lowerBound, op.upperBound, op.step, strict=True)
    ]
    total = product(rewriter, counts)
    is_empty = compare(rewriter, "eq", total, constant(rewriter, 0))
    division = _Division(op, module, counts, plan)

    def divide() -> Sequence[Value]:
        most = _most_blocks(rewriter, plan.workers)
        size = binary(rewriter, "ceildivsi", total, most)
        size = binary(rewriter, "minsi", total, binary(rewriter, "maxsi", size, smallest))
        division.begin(rewriter, size, binary(rewriter, "ceildivsi", total, size))
        return ()

    choose(rewriter, is_empty, (lambda: (), divide))
    rewriter.erase(op)
    return None


def _most_blocks(rewriter: Rewriter, workers: int) -> Value:
    """How many blocks there are at most: some for each thread, and fewer for each the more there are."""
    if workers >= 0:
        count = constant(rewriter, workers)
    else:
        count = rewriter.create("async.runtime.num_worker_threads", (), [INDEX]).result
    factor: Value | None = None
    for more_than, each in _BLOCKS_PER_WORKER:
        if factor is None or more_than is None:
            factor = constant(rewriter, from_float(each, "f32"), F32)
        else:
            has_more = compare(rewriter, "sgt", count, constant(rewriter, more_than))
            factor = select(rewriter, has_more, constant(rewriter, from_float(each, "f32"), F32), factor)
    assert factor is not None, "there is a factor for few threads"

    def as_type(name: str, value: Value, type: Type) -> Value:
        return rewriter.create(f"arith.{name}", [value], [type]).result

    number = as_type("sitofp", as_type("index_cast", count, I32), F32)
    scaled = as_type("fptosi", binary(rewriter, "mulf", factor, number), I32)
    scaled = as_type("index_cast", scaled, INDEX)
    return binary(rewriter, "maxsi", constant(rewriter, 1), scaled)


class _Division:
    """A loop that is being divided."""

    def __init__(self, op: ParallelOp, module: Operation, counts: Sequence[Value], plan: Plan) -> None:
        self.op, self.module, self.counts, self.plan = op, module, counts, plan

    def begin(self, rewriter: Rewriter, size: Value, count: Value) -> None:
        """Runs so many blocks of a size. Where that is at least what inner loops of known bounds iterate, it is made a
        multiple of that."""
        aligned, iterations = self._unrollable()

        def as_they_are() -> Sequence[Value]:
            self._begin(rewriter, size, count, 0)
            return ()

        def as_multiples() -> Sequence[Value]:
            self._begin(rewriter, size, count, aligned, iterations)
            return ()

        if aligned:
            are_large = compare(rewriter, "sge", size, constant(rewriter, iterations))
            choose(rewriter, are_large, (as_multiples, as_they_are))
        else:
            as_they_are()

    def _unrollable(self) -> tuple[int, int]:
        """How many inner loops may be unrolled, and how often these iterate together."""
        iterations = [integer_constant(count) or 0 for count in self.counts]
        for place in range(len(iterations) - 2, -1, -1):
            iterations[place] *= iterations[place + 1]
        aligned = sum(0 < inner <= _MOST_UNROLLED for inner in iterations[1:])
        return aligned, iterations[len(iterations) - aligned] if aligned else 0

    def _begin(self, rewriter: Rewriter, size: Value, count: Value, aligned: int, multiple: int = 0) -> None:
        function, rest = define_blocks(rewriter, self.module, self.op, self.counts, aligned)
        if multiple:
            inner = constant(rewriter, multiple)
            size = binary(rewriter, "muli", binary(rewriter, "ceildivsi", size, inner), inner)
        begin = _begin_halves if self.plan.halves else _begin_each
        begin(rewriter, Blocks(function, self.module, size, rest), count)


def _begin_each(rewriter: Rewriter, blocks: Blocks, count: Value) -> None:
    """Begins a task for each block but the first, which is run here."""
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    group = _group(rewriter, count, one)

    def begin(number: Value, carried: Sequence[Value]) -> Sequence[Value]:
        _execute(rewriter, group, lambda: call(rewriter, blocks.function, blocks.operands(number)))
        return ()

    loop(rewriter, (one, count, one), (), begin)
    call(rewriter, blocks.function, blocks.operands(zero))
    rewriter.create("async.await_all", [group])


def _begin_halves(rewriter: Rewriter, blocks: Blocks, count: Value) -> None:
    """Begins tasks that begin others: half of the blocks, half of the rest, and so on. A single block is run here."""
    dispatch = _define_dispatch(rewriter, blocks)
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    is_single = compare(rewriter, "eq", count, one)

    def run() -> Sequence[Value]:
        call(rewriter, blocks.function, blocks.operands(zero))
        return ()

    def begin() -> Sequence[Value]:
        group = _group(rewriter, count, one)
        call(rewriter, dispatch, [group, zero, count, blocks.size, *blocks.rest])
        rewriter.create("async.await_all", [group])
        return ()

    choose(rewriter, is_single, (run, begin))


def _define_dispatch(rewriter: Rewriter, blocks: Blocks) -> Operation:
    """The function that does so; see above."""
    inputs = [type_of("GroupType"), INDEX, INDEX, INDEX, *types_of(blocks.rest)]
    with rewriter.elsewhere():
        function = add_function(rewriter, blocks.module, "async_dispatch_fn", inputs)
        group, first, end, *passed = function.regions[0].arguments
        one, two = constant(rewriter, 1), constant(rewriter, 2)
        before, after = (_loop_block(rewriter) for _ in range(2))
        regions = [Region([before]), Region([after])]
        rewriter.create("scf.while", [first, end], [INDEX, INDEX], regions=regions)

        rewriter.set_insertion_to_end(before)
        goes_on = compare(rewriter, "sgt", _distance(rewriter, before), one)
        rewriter.create("scf.condition", [goes_on, *before.arguments])

        rewriter.set_insertion_to_end(after)
        half = binary(rewriter, "divsi", _distance(rewriter, after), two)
        start, stop = after.arguments
        middle = binary(rewriter, "addi", start, half)
        _execute(rewriter, group, lambda: call(rewriter, function, [group, middle, stop, *passed]))
        rewriter.create("scf.yield", [start, middle])

        rewriter.set_insertion_to_end(function.regions[0].entry)
        call(rewriter, blocks.function, [first, *passed])
        rewriter.create("func.return")
    return function


def _loop_block(rewriter: Rewriter) -> Block:
    """A block that gets the numbers of a first block and of the one behind the last."""
    block = Block([INDEX, INDEX])
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    return block


def _distance(rewriter: Rewriter, block: Block) -> Value:
    start, end = block.arguments
    return binary(rewriter, "subi", end, start)


def _group(rewriter: Rewriter, count: Value, one: Value) -> Value:
    """A group for all tasks but one."""
    others = binary(rewriter, "subi", count, one)
    return rewriter.create("async.create_group", [others], [type_of("GroupType")]).result


def _execute(rewriter: Rewriter, group: Value, body: Callable[[], Operation]) -> None:
    """A task of a group."""
    block = Block()
    region = Region([block])
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        body()
        rewriter.create("async.yield")
    properties = {"operandSegmentSizes": segment_sizes(0, 0)}
    task = rewriter.create("async.execute", (), [type_of("TokenType")], properties, regions=[region])
    rewriter.create("async.add_to_group", [task.result, group], [INDEX])
