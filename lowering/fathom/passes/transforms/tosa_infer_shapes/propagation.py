"""The shapes of a function's values, operation by operation.

Types change in place. Of a loop the shapes that hold in each turn are looked for with types that are put back after
each try. Source of the rules: what mlir-opt 22 infers, and the order in which it casts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects.tosa.values import shape_of
from fathom.ir.types import TensorType
from fathom.irdl.infer import infers
from fathom.ops.tosa import CondIfOp, WhileLoopOp, YieldOp
from fathom.passes.tosa.shapes import common, refined, shapes_of
from fathom.records import replace
from fathom.rewriting.rewriter import Rewriter
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions


def propagate(function: Operation, context: Definitions) -> list[Diagnostic]:
    """See the module. What is wrong is said, and nothing is inferred there."""
    changes = _Changes()
    for region in function.regions:
        _propagate(region, changes)
    changes.keep(Rewriter(context))
    return changes.wrong


class _Changes:
    """The values whose types were changed, with what those were, and what is wrong."""

    def __init__(self) -> None:
        self.wrong: list[Diagnostic] = []
        self._before: list[tuple[Value, Type]] = []

    def set(self, value: Value, type: Type) -> None:
        if value.type != type:
            self._before.append((value, value.type))
            value.type = type

    def take_back(self) -> None:
        for value, type in self._before:
            value.type = type

    def keep(self, rewriter: Rewriter) -> None:
        """Casts back where a value is used by an operation that does not follow the change."""
        for value, type in self._before:
            uses = [
                (user, index)
                for user in value.uses
                if not _follows(user)
                for index, operand in enumerate(user.operands)
                if operand is value
            ]
            maker = value.defining_op
            if not uses or maker is None:
                continue
            rewriter.set_insertion_behind(maker)
            rewriter.stand_in(maker)
            cast = rewriter.create("tensor.cast", [value], [type]).result
            for user, index in uses:
                user.set_operand(index, cast)


def _follows(user: Operation) -> bool:
    return user.dialect == "tosa" or (user.definition is not None and infers(user.definition))


def _propagate(region: Region, changes: _Changes) -> None:
    for block in region.blocks:
        for op in block:
            checkpoint()
            if op.dialect != "tosa":
                continue
            if isinstance(op, CondIfOp):
                _into_arms(op, changes)
            elif isinstance(op, WhileLoopOp):
                _into_loop(op, changes)
            shapes = shapes_of(op)
            if isinstance(shapes, str):
                changes.wrong.append(Diagnostic(shapes, op.span, code=REFUSED_BY_PASS, fatal=False))
                continue
            for result, shape in zip(op.results, shapes or (), strict=False):
                type = refined(result.type, shape)
                if type is not None:
                    changes.set(result, type)


def _into_arms(op: CondIfOp, changes: _Changes) -> None:
    """The arguments have the shapes of what they are given."""
    for region in op.regions:
        arguments = region.entry.arguments if region.first is not None else []
        if len(arguments) != len(op.input_list):
            return
        for argument, value in zip(arguments, op.input_list, strict=True):
            shape, type = shape_of(value.type), argument.type
            if shape is not None and isinstance(type, TensorType):
                changes.set(argument, replace(type, shape=shape))
        _propagate(region, changes)


def _into_loop(op: WhileLoopOp, changes: _Changes) -> None:
    """The arguments have the shapes that all turns have in common."""
    types = _types_of_all_turns(op)
    for region in op.regions:
        for argument, type in zip(region.entry.arguments, types, strict=True):
            changes.set(argument, type)
        _propagate(region, changes)


def _types_of_all_turns(op: WhileLoopOp) -> list[Type]:
    types: list[Type] = [value.type for value in op.operands]
    while True:
        tried = _Changes()
        block = op.body_graph.entry
        for argument, type in zip(block.arguments, types, strict=True):
            tried.set(argument, type)
        _propagate(op.body_graph, tried)
        last = block.last
        yielded = [value.type for value in last.operands] if isinstance(last, YieldOp) else types
        tried.take_back()
        kinds = [_common(*pair) for pair in zip(types, yielded, strict=True)]
        if kinds == types:
            return types
        types = kinds


def _common(one: Type, other: Type) -> Type:
    if not isinstance(one, TensorType) or not isinstance(other, TensorType):
        return one
    return replace(one, shape=common(one.shape, other.shape))
