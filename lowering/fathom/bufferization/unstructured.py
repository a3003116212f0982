"""Blocks that branches lead to, and what is passed to their arguments.

Source of the rules: `UnstructuredControlFlow.h` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.options import Refusal, with_any_layout
from fathom.bufferization.uses import Use
from fathom.ir.types import TensorType
from fathom.irdl.interfaces import Branch

if TYPE_CHECKING:
    from fathom.bufferization.state import Types
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.ir.types import MemRefType


def passed_to(argument: BlockArgument) -> list[Use]:
    """The operands of branches that an argument of a block is."""
    uses: list[Use] = []
    for op in argument.block.branches:
        branch = op.interface(Branch)
        edges = branch.edges(op) if branch is not None else []
        edge = next((way for way in edges if way.target is argument.block), None)
        if edge is not None:
            uses += [Use(op, place) for place, passed in edge.pairs if passed is argument]
    return uses


def of_block_argument(op: Operation, argument: BlockArgument, types: Types) -> MemRefType:
    """The type of the buffer of an argument: that of all that is passed to it, or one with any layout. Raises
    Refusal."""
    type, common = argument.type, None
    assert isinstance(type, TensorType), "only tensors bufferize"
    for use in passed_to(argument):
        if any(begun is use.value for begun in types.stack):
            continue
        passed = types.of(use.value)
        if common is None or common == passed:
            common = passed
            continue
        if common.space != passed.space:
            raise Refusal(op, "incoming operands of block argument have inconsistent memory spaces")
        common = with_any_layout(type, common.space)
    if common is None:
        raise Refusal(op, "could not infer buffer type of block argument")
    return common
