"""How operations that make new tensors bufferize: an allocation, which is filled.

Source of the rules: `mlir/lib/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from fathom.bufferization.models import Bufferizable
from fathom.bufferization.options import Refusal
from fathom.bufferization.uses import Use
from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.tensor.parts import part_of, part_type
from fathom.ir.affine import AffineMap, AffineSymbol, add
from fathom.ir.attributes import AffineMapAttr, IntegerAttr
from fathom.ir.operation import Region, Value
from fathom.ir.types import DYNAMIC, I64, INDEX, MemRefType, TensorType
from fathom.irdl.index_lists import mixed
from fathom.rewriting.result_shapes import constant_index, dim
from fathom.rewriting.slicing import inserted

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ops import tensor as ops

SUM: Final = add(AffineSymbol(0), AffineSymbol(1))
SUM_OF_THREE: Final = AffineMap(0, 3, (add(SUM, AffineSymbol(2)),))


class New(Bufferizable):
    """One whose result is a new tensor."""

    def allocates(self, op: Any, value: Value) -> bool:
        return True


def _tensor(value: Value) -> TensorType:
    assert isinstance(value.type, TensorType), "what bufferizes is a tensor"
    return value.type


def _without_space(op: ops.GenerateOp | ops.SplatOp | ops.ConcatOp, run: Bufferizer) -> None:
    """No memory space is asked for, which these do not know. Raises Refusal."""
    if run.options.memory_space(_tensor(op.result)) is not None:
        raise Refusal(op, "memory space not implemented yet", is_bare=True)


class FromElements(New):
    def bufferize(self, op: ops.FromElementsOp, run: Bufferizer) -> None:
        tensor = run.allocate_tensor(op.result, copies_contents=False)
        buffer = run.create("bufferization.to_buffer", [tensor], [run.types.of(tensor)]).result
        shape = _tensor(op.result).ranked_shape
        elements = op.elements
        if elements:
            numbers = [constant_index(run, index) for index in range(max(shape, default=0))]
            for element, place in zip(elements, product(*map(range, shape)), strict=True):
                run.create("memref.store", [element, buffer, *(numbers[index] for index in place)])
        run.replace_by_buffers(op, [buffer])


class Generate(New):
    def bufferize(self, op: ops.GenerateOp, run: Bufferizer) -> None:
        _without_space(op, run)
        tensor = run.allocate_tensor(op.result, copies_contents=False)
        run.replace(op, [_mapped(run, tensor, op.body)])


def _mapped(run: Bufferizer, tensor: Value, body: Region) -> Value:
    """`linalg.map` with the body of an operation that makes each element of its indices."""
    type, old = _tensor(tensor), body.first
    assert old is not None and old.last is not None, "it has a body"
    block = run.block_of([type.element])
    mapped = run.create("linalg.map", [tensor], [type], regions=[Region([block])])
    with run.elsewhere():
        run.set_insertion_to_start(block)
        indices = [
            run.create("linalg.index", (), [INDEX], {"dim": IntegerAttr(index, I64)}).result
            for index in range(len(type.ranked_shape))
        ]
        end = old.last
        run.inline_block_before(old, block, None, indices)
        run.stand_before(end)
        run.replace_with(end, "linalg.yield", end.operands)
    return mapped.result


class Splat(New):
    def bufferize(self, op: ops.SplatOp, run: Bufferizer) -> None:
        tensor = run.allocate_tensor(op.result, copies_contents=False)
        _without_space(op, run)
        block = run.block_of([_tensor(tensor).element])
        mapped = run.create("linalg.map", [tensor], [tensor.type], regions=[Region([block])])
        with run.elsewhere():
            run.set_insertion_to_start(block)
            run.create("linalg.yield", [op.input])
        run.replace(op, [mapped.result])


class Pad(New):
    def reads(self, op: ops.PadOp, use: Use, state: AnalysisState) -> bool:
        return True

    def buffer_type(self, op: ops.PadOp, value: Value, types: Types) -> MemRefType:
        type = _tensor(op.result)
        return MemRefType(type.shape, type.element, None, types.of(op.source).space)

    def bufferize(self, op: ops.PadOp, run: Bufferizer) -> None:
        type, source = _tensor(op.result), _tensor(op.source)
        low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
        for index, size in enumerate(type.ranked_shape):
            if size == DYNAMIC:
                before = dim(run, op.source, index)
                parts = [_value(run, low[index]), _value(run, high[index])]
                run.create("affine.apply", [before, *parts], [INDEX], {"map": AffineMapAttr(SUM_OF_THREE)})
        tensor = run.allocate_tensor(op.result, copies_contents=False)
        filled = _mapped(run, tensor, op.region)
        sizes = [
            size if size != DYNAMIC else dim(run, op.source, index) for index, size in enumerate(source.ranked_shape)
        ]
        ones = [1] * len(sizes)
        run.replace(op, [inserted(run, op.source, filled, low, sizes, ones)])


def _value(run: Bufferizer, number: int | Value) -> Value:
    return constant_index(run, number) if isinstance(number, int) else number


class Concat(New):
    def reads(self, op: ops.ConcatOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.ConcatOp, run: Bufferizer) -> None:
        tensor = run.allocate_tensor(op.result, copies_contents=False)
        _without_space(op, run)
        type, along = _tensor(op.result), op.dim.value
        memory = MemRefType(type.shape, type.element)
        target = run.create("bufferization.to_buffer", [tensor], [memory]).result
        rank = len(type.ranked_shape)
        offsets: list[int | Value] = [0] * rank
        sizes = list(_sizes(run, target))
        for input_ in op.inputs:
            source = run.buffer(input_)
            sizes[along] = _size(run, source, along)
            lists = (list(offsets), list(sizes), [1] * rank)
            view = part_of(run, target, lists, part_type(memory, lists, _tensor(input_).ranked_shape))
            run.copy(source, view)
            offsets[along] = apply_folded(run, SUM, [offsets[along], sizes[along]])
        run.replace_by_buffers(op, [target])


def _size(run: Bufferizer, buffer: Value, index: int) -> int | Value:
    assert isinstance(buffer.type, MemRefType), "a buffer is a memref"
    size = buffer.type.ranked_shape[index]
    return size if size != DYNAMIC else dim(run, buffer, index)


def _sizes(run: Bufferizer, buffer: Value) -> Iterator[int | Value]:
    assert isinstance(buffer.type, MemRefType), "a buffer is a memref"
    for index in range(len(buffer.type.ranked_shape)):
        yield _size(run, buffer, index)


NEW_TENSORS: Final = {
    "tensor.concat": Concat(),
    "tensor.from_elements": FromElements(),
    "tensor.generate": Generate(),
    "tensor.pad": Pad(),
    "tensor.splat": Splat(),
}
