"""How functions, calls and returns on tensors bufferize.

Source of the rules: `FuncBufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.casts import cast_or_copy
from fathom.bufferization.functions import (
    LAYOUT,
    WRITABLE,
    argument_attribute,
    returns_of,
    signature,
)
from fathom.bufferization.models import EQUIVALENT, Alias, Bufferizable, Relation, Source
from fathom.bufferization.options import Refusal
from fathom.bufferization.state import unknown_aliases
from fathom.bufferization.unstructured import of_block_argument, passed_to
from fathom.bufferization.uses import Use, any_tensor, is_tensor
from fathom.ir.attributes import AffineMapAttr, IntegerAttr, TypeAttr
from fathom.ir.operation import BlockArgument, Value
from fathom.ir.types import FunctionType, MemRefType, TensorType, Type
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.bufferization.options import Options
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ops import func as ops


class Call(Bufferizable):
    """A call reads, writes and returns what the function does, if that is known."""

    def reads(self, op: ops.CallOp, use: Use, state: AnalysisState) -> bool:
        facts = state.functions.of_call(op) if state.functions is not None else None
        return facts is None or use.place in facts.read

    def writes(self, op: ops.CallOp, use: Use, state: AnalysisState) -> bool:
        facts = state.functions.of_call(op) if state.functions is not None else None
        return facts is None or use.place in facts.written

    def aliases(self, op: ops.CallOp, use: Use, state: AnalysisState) -> list[Alias]:
        facts = state.functions.of_call(op) if state.functions is not None else None
        if facts is None:
            return unknown_aliases(use)
        results = facts.sharing.get(use.place, [])
        is_same = len(results) == 1 and results[0] in facts.same
        relation = EQUIVALENT if is_same else Relation.UNKNOWN
        return [Alias(op.results[index], relation, is_same) for index in results]

    def buffer_type(self, op: ops.CallOp, value: Value, types: Types) -> MemRefType:
        function = types.called(op)
        index = next(result.index for result in op.results if result is value)
        type = signature(function).results[index] if function is not None else value.type
        if isinstance(type, MemRefType):
            return type
        assert isinstance(type, TensorType), "only tensors bufferize"
        return types.options.boundary_type(type)

    def bufferize(self, op: ops.CallOp, run: Bufferizer) -> None:
        results = run.buffer_types(op.results)
        function = run.types.called(op)
        if function is None:
            # It stands in a table of an operation that nobody knows.
            raise Refusal(op, "")
        wanted, operands = signature(function).inputs, list[Value]()
        body = function.regions[0].first
        for index, operand in enumerate(op.operands):
            if not is_tensor(operand):
                operands.append(operand)
                continue
            buffer, type = run.buffer(operand), wanted[index]
            if not isinstance(type, MemRefType):
                # The function calls its caller, and is not done yet.
                assert body is not None, "a declaration calls nobody"
                type = run.types.of(body.arguments[index])
            if buffer.type != type:
                cast = cast_or_copy(run, buffer, type)
                if cast is None:
                    raise Refusal(op, "")
                buffer = cast
            operands.append(buffer)
        new = run.create(op.name, operands, results, op.properties, op.attributes)
        run.replace_by_buffers(op, new.results)


class Return(Bufferizable):
    """It is bufferized with its function."""

    def reads(self, op: ops.ReturnOp, use: Use, state: AnalysisState) -> bool:
        return True


class Function(Bufferizable):
    def takes_blocks(self) -> bool:
        return True

    def has_tensors(self, op: ops.FuncOp) -> bool:
        type = signature(op)
        if any_tensor((*type.inputs, *type.results)):
            return True
        return any(any_tensor(argument.type for argument in block.arguments) for block in op.body.blocks)

    def sources(self, op: ops.FuncOp, value: Value, state: AnalysisState) -> list[Source]:
        assert isinstance(value, BlockArgument), "a function has no results"
        return [Source(use, is_definite=False) for use in passed_to(value)]

    def buffer_type(self, op: ops.FuncOp, value: Value, types: Types) -> MemRefType:
        assert isinstance(value, BlockArgument), "a function has no results"
        if value.block is op.body.first:
            return argument_type(op, value.index, types.options)
        return of_block_argument(op, value, types)

    def is_writable(self, op: ops.FuncOp, value: Value, state: AnalysisState) -> bool:
        if not isinstance(value, BlockArgument) or value.block is not op.body.first:
            return True
        said = argument_attribute(op, value.index, WRITABLE)
        return bool(said.value) if isinstance(said, IntegerAttr) else True

    def bufferize(self, op: ops.FuncOp, run: Bufferizer) -> None:
        type, options = signature(op), run.options
        inputs = tuple(
            argument_type(op, index, options) if isinstance(input_, TensorType) else input_
            for index, input_ in enumerate(type.inputs)
        )
        results = tuple(_boundary(result, options) for result in type.results)
        if not op.body.is_empty:
            for block in op.body.blocks:
                run.bufferize_arguments(op, block)
            for end in returns_of(op):
                run.stand_before(end)
                end.set_operands(
                    [
                        run.create("bufferization.to_buffer", [value], [wanted]).result if is_tensor(value) else value
                        for value, wanted in zip(list(end.operands), results, strict=True)
                    ]
                )
        op.properties["function_type"] = TypeAttr(FunctionType(inputs, results))


def _boundary(type: Type, options: Options) -> Type:
    return options.boundary_type(type) if isinstance(type, TensorType) else type


def argument_type(op: ops.FuncOp, index: int, options: Options) -> MemRefType:
    """The type of the buffer of an argument of a function; the layout may be given by an attribute."""
    type = signature(op).inputs[index]
    if isinstance(type, MemRefType):
        return type
    assert isinstance(type, TensorType), "only tensors bufferize"
    of_boundary, layout = options.boundary_type(type), argument_attribute(op, index, LAYOUT)
    if layout is None:
        return of_boundary
    is_plain = isinstance(layout, AffineMapAttr) and layout.map.is_identity
    return replace(of_boundary, layout=None if is_plain else layout)


BUFFERIZATION: Final = {"func.call": Call(), "func.func": Function(), "func.return": Return()}
