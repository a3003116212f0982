"""How branches on tensors bufferize, and what loops have in common with them.

Source of the rules: `mlir/lib/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.bufferization.models import Bufferizable, Source
from fathom.bufferization.options import Refusal, with_any_layout
from fathom.bufferization.unstructured import of_block_argument, passed_to
from fathom.bufferization.uses import Use, is_tensor
from fathom.ir.operation import BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import MemRefType, TensorType, Type
from fathom.ops import scf as ops

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types


def end_of(region: Region) -> Operation:
    """The terminator of the only block of a region."""
    block = region.first
    assert block is not None and block.last is not None, "the region has a terminator"
    return block.last


def arguments_of(region: Region) -> list[BlockArgument]:
    """The arguments of the first block of a region."""
    return region.first.arguments if region.first is not None else []


def joined_type(op: Operation, value: Value, yielded: Sequence[Value], types: Types, where: str) -> MemRefType:
    """The type of the buffer of a result that is one of several. Raises Refusal."""
    joined, *others = (types.of(buffer) for buffer in yielded)
    for other in others:
        if other == joined:
            continue
        if other.space != joined.space:
            raise Refusal(op, f"inconsistent memory space on {where}", is_bare=True)
        assert isinstance(value.type, TensorType), "only tensors bufferize"
        joined = with_any_layout(value.type, joined.space)
    return joined


class If(Bufferizable):
    def sources(self, op: ops.IfOp, value: OpResult, state: AnalysisState) -> list[Source]:
        ends = (end_of(region) for region in op.regions)
        return [Source(Use(end, value.index), is_definite=False) for end in ends]

    def buffer_type(self, op: ops.IfOp, value: OpResult, types: Types) -> MemRefType:
        yielded = [end_of(region).operands[value.index] for region in op.regions]
        return joined_type(op, value, yielded, types, "then/else branches")

    def bufferize(self, op: ops.IfOp, run: Bufferizer) -> None:
        _with_regions(op, run, run.buffer_types(op.results))


class IndexSwitch(Bufferizable):
    def sources(self, op: ops.IndexSwitchOp, value: OpResult, state: AnalysisState) -> list[Source]:
        ends = (end_of(region) for region in (*op.caseRegions, op.defaultRegion))
        return [Source(Use(end, value.index), is_definite=False) for end in ends]

    def buffer_type(self, op: ops.IndexSwitchOp, value: OpResult, types: Types) -> MemRefType:
        regions = (op.defaultRegion, *op.caseRegions)
        yielded = [end_of(region).operands[value.index] for region in regions]
        return joined_type(op, value, yielded, types, "switch cases")

    def bufferize(self, op: ops.IndexSwitchOp, run: Bufferizer) -> None:
        _with_regions(op, run, run.buffer_types(op.results))


def _with_regions(op: Operation, run: Bufferizer, types: Sequence[Type]) -> None:
    """The same operation with other results."""
    regions = [Region() for _ in op.regions]
    for new, old in zip(regions, op.regions, strict=True):
        run.inline_region_before(old, new, None)
    new = run.create(op.name, op.operands, types, op.properties, None, (), regions)
    run.replace_by_buffers(op, new.results)


class ExecuteRegion(Bufferizable):
    def takes_blocks(self) -> bool:
        return True

    def is_writable(self, op: ops.ExecuteRegionOp, value: Value, state: AnalysisState) -> bool:
        return True

    def verify(self, op: ops.ExecuteRegionOp, state: AnalysisState) -> None:
        if _only_yield(op) is None:
            raise Refusal(op, "op without unique scf.yield is not supported")

    def sources(self, op: ops.ExecuteRegionOp, value: Value, state: AnalysisState) -> list[Source]:
        if isinstance(value, BlockArgument):
            return [Source(use, is_definite=False) for use in passed_to(value)]
        end = _only_yield(op)
        return [Source(Use(end, value.index))] if end is not None and isinstance(value, OpResult) else []

    def buffer_type(self, op: ops.ExecuteRegionOp, value: Value, types: Types) -> MemRefType:
        return of_block_argument(op, value, types) if isinstance(value, BlockArgument) else types.by_default(value)

    def bufferize(self, op: ops.ExecuteRegionOp, run: Bufferizer) -> None:
        end = _only_yield(op)
        assert end is not None, "the analysis looks at it"
        region = Region()
        run.inline_region_before(op.region, region, None)
        types = [operand.type for operand in end.operands]
        new = run.create(op.name, (), types, op.properties, op.attributes, (), [region])
        for block in region.blocks:
            run.bufferize_arguments(new, block)
        run.stand_after(new)
        values = [
            run.tensor_of(result, old.type) if is_tensor(old) else result
            for old, result in zip(op.results, new.results, strict=True)
        ]
        run.replace(op, values)


def _only_yield(op: ops.ExecuteRegionOp) -> ops.YieldOp | None:
    ends = [block.last for block in op.region.blocks if isinstance(block.last, ops.YieldOp)]
    return ends[0] if len(ends) == 1 else None
