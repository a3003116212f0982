"""How operations of tensor bufferize: parts of tensors are views of memory, new tensors are allocations.

Source of the rules: `mlir/lib/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import Alias, Bufferizable, DestinationStyle, Reading, Relation, View
from fathom.bufferization.options import Refusal, with_any_layout, with_identity
from fathom.bufferization.subsets import is_number
from fathom.bufferization.uses import Use
from fathom.dialects.memref.reshapes import collapsed_layout, expanded_layout
from fathom.dialects.tensor.new_tensors import NEW_TENSORS
from fathom.dialects.tensor.parts import Lists, lists_of, part_of, part_type
from fathom.ir.attributes import StridedLayoutAttr
from fathom.ir.operation import OpResult, Value
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import INDEX, MemRefType, TensorType
from fathom.irdl.interfaces import EffectKind
from fathom.irdl.reassociations import groups_of
from fathom.records import replace
from fathom.rewriting.effects import has_only_effect

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ops import tensor as ops


def tensor(value: Value) -> TensorType:
    """The type of a value that is a tensor."""
    assert isinstance(value.type, TensorType), "what bufferizes is a tensor"
    return value.type


def memref(value: Value) -> MemRefType:
    """The type of a value that is a buffer."""
    assert isinstance(value.type, MemRefType), "a buffer is a memref"
    return value.type


# ---- the same elements, seen otherwise


class Cast(View):
    def buffer_type(self, op: ops.CastOp, value: Value, types: Types) -> MemRefType:
        source, type = types.of(op.source), tensor(op.dest)
        if source.shape is None or type.shape is None:
            return with_any_layout(type, source.space)
        return MemRefType(type.shape, type.element, source.layout, source.space)

    def bufferize(self, op: ops.CastOp, run: Bufferizer) -> None:
        buffer = run.buffer(op.source)
        run.replace_by_buffers(op, [run.cast(buffer, run.types.of(op.dest))])


class CollapseShape(View):
    def reads(self, op: ops.CollapseShapeOp, use: Use, state: AnalysisState) -> bool:
        return True

    def buffer_type(self, op: ops.CollapseShapeOp, value: Value, types: Types) -> MemRefType:
        source, type = types.of(op.src), tensor(op.result)
        if not _is_collapsible(source, op):
            return with_identity(type, source.space)
        return _collapsed(source, type, op)

    def bufferize(self, op: ops.CollapseShapeOp, run: Bufferizer) -> None:
        buffer, type = run.buffer(op.src), tensor(op.result)
        source = memref(buffer)
        if not type.ranked_shape:
            layout = None
            if not is_identity(source):
                known = strides_and_offset(source)
                if known is None:
                    raise Refusal(op, "")
                layout = StridedLayoutAttr((), known[1])
            scalar = MemRefType((), type.element, layout, source.space)
            run.replace_by(op, "memref.collapse_shape", [buffer], [scalar], op.properties)
            return
        if not _is_collapsible(source, op):
            source = replace(source, shape=tensor(op.src).shape, layout=None)
            buffer = run.create("bufferization.to_buffer", [_copied(op.src, run)], [source]).result
        run.replace_by(op, "memref.collapse_shape", [buffer], [_collapsed(source, type, op)], op.properties)


def _copied(value: Value, run: Bufferizer) -> Value:
    return run.allocate_tensor(value, copies_contents=True)


def _is_collapsible(source: MemRefType, op: ops.CollapseShapeOp) -> bool:
    """Whether it is known that dimensions that are joined lie one behind the other."""
    return is_identity(source) or collapsed_layout(source, groups_of(op.reassociation), strict=True) is not None


def _collapsed(source: MemRefType, type: TensorType, op: ops.CollapseShapeOp) -> MemRefType:
    layout = None if is_identity(source) else collapsed_layout(source, groups_of(op.reassociation))
    return MemRefType(type.shape, type.element, layout, source.space)


class ExpandShape(View):
    def buffer_type(self, op: ops.ExpandShapeOp, value: Value, types: Types) -> MemRefType:
        return _expanded(types.of(op.src), op)

    def bufferize(self, op: ops.ExpandShapeOp, run: Bufferizer) -> None:
        buffer = run.buffer(op.src)
        type = _expanded(memref(buffer), op)
        run.replace_by(op, "memref.expand_shape", [buffer, *op.output_shape], [type], op.properties)


def _expanded(source: MemRefType, op: ops.ExpandShapeOp) -> MemRefType:
    shape, layout = tensor(op.result).ranked_shape, None
    if not is_identity(source):
        layout = expanded_layout(source, shape, groups_of(op.reassociation))
        if layout is None:
            raise Refusal(op, "")
    return MemRefType(shape, source.element, layout, source.space)


class Reshape(Bufferizable):
    def reads(self, op: ops.ReshapeOp, use: Use, state: AnalysisState) -> bool:
        return use.value is op.shape

    def aliases(self, op: ops.ReshapeOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.result)] if use.place == 0 else []

    def buffer_type(self, op: ops.ReshapeOp, value: Value, types: Types) -> MemRefType:
        return with_identity(tensor(op.result), types.of(op.source).space)

    def bufferize(self, op: ops.ReshapeOp, run: Bufferizer) -> None:
        source, shape, type = run.buffer(op.source), run.buffer(op.shape), run.types.of(op.result)
        known = memref(source)
        if known.shape is not None and not is_identity(known):
            plain = replace(known, layout=None)
            source = run.create("bufferization.to_buffer", [_copied(op.source, run)], [plain]).result
        run.replace_by(op, "memref.reshape", [source, shape], [type])


# ---- parts


class ExtractSlice(View):
    relation = Relation.UNKNOWN

    def buffer_type(self, op: ops.ExtractSliceOp, value: Value, types: Types) -> MemRefType:
        return part_type(types.of(op.source), lists_of(op), tensor(op.result).ranked_shape)

    def bufferize(self, op: ops.ExtractSliceOp, run: Bufferizer) -> None:
        source = run.buffer(op.source)
        type = run.types.of(op.result)
        run.replace_by_buffers(op, [part_of(run, source, lists_of(op), type)])


class InsertSlice(DestinationStyle):
    def reads(self, op: ops.InsertSliceOp, use: Use, state: AnalysisState) -> bool:
        return use.place == 0 or not _covers(lists_of(op), tensor(op.dest))

    def bufferize(self, op: ops.InsertSliceOp, run: Bufferizer) -> None:
        target, lists = run.buffer(op.dest), lists_of(op)
        view = part_of(run, target, lists, part_type(memref(target), lists, tensor(op.source).ranked_shape))
        run.copy(run.buffer(op.source), view)
        run.replace_by_buffers(op, [target])


def _covers(lists: Lists, type: TensorType) -> bool:
    """Whether a part is known to be all of a tensor."""
    offsets, sizes, strides = lists
    return (
        all(is_number(offset, 0) for offset in offsets)
        and all(map(is_number, sizes, type.ranked_shape))
        and all(is_number(stride, 1) for stride in strides)
    )


class ParallelInsertSlice(Bufferizable):
    def reads(self, op: ops.ParallelInsertSliceOp, use: Use, state: AnalysisState) -> bool:
        return use.place == 0

    def writes(self, op: ops.ParallelInsertSliceOp, use: Use, state: AnalysisState) -> bool:
        return use.place == 1

    def resolve(self, op: ops.ParallelInsertSliceOp, run: Bufferizer, state: AnalysisState) -> None:
        """It is in place, whatever there is."""

    def bufferize(self, op: ops.ParallelInsertSliceOp, run: Bufferizer) -> None:
        around = op.parent_op
        assert around is not None and around.parent is not None, "its trait demands it"
        run.set_insertion_before(around)
        target, source, lists = run.buffer(op.dest), run.buffer(op.source), lists_of(op)
        view = part_of(run, target, lists, part_type(memref(target), lists, tensor(op.source).ranked_shape))
        run.copy(source, view)
        freed = next((user for user in source.uses if has_only_effect(user, EffectKind.FREE)), None)
        if freed is not None and freed.parent is around.parent:
            run.move_before(freed, around.parent, around.parent.last)
        run.erase(op)


# ---- elements and sizes


class Extract(Reading):
    def bufferize(self, op: ops.ExtractOp, run: Bufferizer) -> None:
        run.replace_by(op, "memref.load", [run.buffer(op.tensor), *op.indices], [op.result.type])


class Insert(DestinationStyle):
    def bufferize(self, op: ops.InsertOp, run: Bufferizer) -> None:
        target = run.buffer(op.dest)
        run.create("memref.store", [op.scalar, target, *op.indices])
        run.replace_by_buffers(op, [target])


class Dim(Bufferizable):
    def bufferize(self, op: ops.DimOp, run: Bufferizer) -> None:
        run.replace_by(op, "memref.dim", [run.buffer(op.source), op.index], [INDEX])


class Rank(Bufferizable):
    def bufferize(self, op: ops.RankOp, run: Bufferizer) -> None:
        run.replace_by(op, "memref.rank", [run.buffer(op.tensor)], [INDEX])


class Empty(Bufferizable):
    """A new tensor whose contents are not defined."""

    def allocates(self, op: ops.EmptyOp, value: Value) -> bool:
        return True

    def result_writes(self, op: ops.EmptyOp, result: OpResult, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: ops.EmptyOp, run: Bufferizer) -> None:
        if not op.result.uses:
            run.erase(op)
            return
        run.replace(op, [run.allocate_tensor(op.result, copies_contents=False)])


BUFFERIZATION: Final = {
    "tensor.cast": Cast(),
    "tensor.collapse_shape": CollapseShape(),
    "tensor.dim": Dim(),
    "tensor.empty": Empty(),
    "tensor.expand_shape": ExpandShape(),
    "tensor.extract": Extract(),
    "tensor.extract_slice": ExtractSlice(),
    "tensor.insert": Insert(),
    "tensor.insert_slice": InsertSlice(),
    "tensor.parallel_insert_slice": ParallelInsertSlice(),
    "tensor.rank": Rank(),
    "tensor.reshape": Reshape(),
    **NEW_TENSORS,
}
