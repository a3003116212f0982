"""How operations of linalg bufferize: they write what they are given to write.

Source of the rules: `mlir/lib/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import Bufferizable, DestinationStyle, destinations_of
from fathom.bufferization.options import Refusal
from fathom.bufferization.uses import Use, is_tensor
from fathom.ir.operation import Operation, Region
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.interfaces import Structured
from fathom.ops import OpClass
from fathom.ops import linalg as ops

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState


class Loops(DestinationStyle):
    """A structured operation: what it reads of its operands, its body says."""

    def reads(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        block = op.regions[0].first
        return block is None or bool(block.arguments[use.place].uses)

    def is_elementwise(self, op: Operation, uses: Sequence[Use], state: AnalysisState) -> bool:
        structured = op.interface(Structured)
        loops, maps = (structured.loops(op), structured.maps(op)) if structured is not None else (None, None)
        if loops is None or maps is None or set(loops) - {"p"} or _is_sparse(op):
            return False
        return all(
            map.is_identity
            for use, map in ((Use(op, index), map) for index, map in enumerate(maps))
            if use in uses and isinstance(use.value.type, (TensorType, MemRefType))
        )

    def bufferize(self, op: Operation, run: Bufferizer) -> None:
        if not any(is_tensor(operand) for operand in op.operands):
            return
        if any(isinstance(operand.type, MemRefType) for operand in op.operands):
            raise Refusal(op, "op does not have pure tensor semantics", is_bare=True)
        places = destinations_of(op)
        inputs = run.buffers(op.operands[: places.start])
        outputs = [run.buffer(op.operands[index]) for index in places]
        region = Region()
        run.set_insertion_before(op)
        run.inline_region_before(op.regions[0], region, None)
        new = run.create(op.name, [*inputs, *outputs], (), op.properties, op.attributes, (), [region])
        new.span = op.span
        run.replace_by_buffers(op, outputs)


def _is_sparse(op: Operation) -> bool:
    """Whether a tensor of an operation is stored sparsely."""
    types = (operand.type for operand in op.operands)
    return any(isinstance(type_, TensorType) and type_.encoding is not None for type_ in types)


class Softmax(DestinationStyle):
    def reads(self, op: ops.SoftmaxOp, use: Use, state: AnalysisState) -> bool:
        return use.place == 0

    def bufferize(self, op: ops.SoftmaxOp, run: Bufferizer) -> None:
        source, target = run.buffer(op.input), run.buffer(op.output)
        run.create(op.name, [source, target], (), op.properties)
        run.replace_by_buffers(op, [target])


OTHERS: Final = frozenset(
    f"linalg.{name}"
    for name in (
        "index",
        "pack",
        "softmax",
        "unpack",
        "winograd_filter_transform",
        "winograd_input_transform",
        "winograd_output_transform",
        "yield",
    )
)
"""All operations of linalg that are no loops."""
LOOPS: Final = tuple(
    class_.name for class_ in vars(ops).values() if isinstance(class_, OpClass) and class_.name not in OTHERS
)
"""All operations of linalg that are loops."""

BUFFERIZATION: Final[Mapping[str, Bufferizable]] = {**dict.fromkeys(LOOPS, Loops()), "linalg.softmax": Softmax()}
