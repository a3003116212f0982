"""What one region is lifted with: numbers and poison, which stand at its beginning, and the branches that are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.cf.switches import switch_properties
from fathom.ir.attributes import i32_attr
from fathom.ir.operation import types_of
from fathom.ir.types import I32
from fathom.passes.conversions.lift_cf_to_scf.graph import Graph
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions


class Lifted:
    """A region that is lifted."""

    def __init__(self, region: Region, context: Definitions) -> None:
        self.region = region
        self.graph = Graph(region)
        self.rewriter = Rewriter(context)
        self._numbers: dict[int, Value] = {}
        self._poison: dict[Type, Value] = {}
        self._exits: dict[object, tuple[Operation, Block]] = {}

    # ---- constants

    def number(self, value: int) -> Value:
        """A number by which a switch chooses."""
        known = self._numbers.get(value)
        if known is None:
            with self.rewriter.elsewhere():
                self._to_the_beginning()
                known = self._numbers[value] = self.rewriter.constant(i32_attr(value), I32)
        return known

    def poison(self, type: Type) -> Value:
        """A value that nobody uses."""
        value = self._poison.get(type)
        if value is None:
            with self.rewriter.elsewhere():
                self._to_the_beginning()
                value = self._poison[type] = self.rewriter.create("ub.poison", (), [type]).result
        return value

    def _to_the_beginning(self) -> None:
        # The first block may have gone into a loop.
        self.rewriter.set_insertion_to_start(self.region.entry)
        if self.region.parent is not None:
            self.rewriter.stand_in(self.region.parent)

    # ---- branches

    def switch(
        self,
        flag: Value,
        default: tuple[Block, Sequence[Value]],
        cases: Sequence[tuple[int, Block, Sequence[Value]]] = (),
    ) -> Operation:
        """A switch at the insertion point."""
        operands = [flag, *default[1], *(value for _, _, values in cases for value in values)]
        numbers = [number for number, _, _ in cases]
        properties = switch_properties(flag.type, numbers, [len(default[1]), *(len(values) for _, _, values in cases)])
        blocks = [default[0], *(block for _, block, _ in cases)]
        return self.graph.add(self.rewriter.create("cf.switch", operands, (), properties, successors=blocks))

    # ---- what returns

    def combine_exit(self, op: Operation) -> None:
        """Has the operation, which returns, become a branch to the only block with one of its kind."""
        key = (op.name, tuple(types_of(op.operands)), tuple(op.properties.items()), tuple(op.attributes.items()))
        known = self._exits.get(key)
        if known is not None and known[0] is op:
            return
        if known is None:
            block = self.rewriter.create_block(self.region)
            self.rewriter.stand_in(op)
            self.rewriter.add_arguments(block, types_of(op.operands))
            self._exits[key] = op, block
        else:
            block = known[1]
        self.rewriter.set_insertion_before(op)
        self.rewriter.stand_in(op)
        self.switch(self.number(0), (block, list(op.operands)))
        if known is not None:
            op.erase()
            return
        self.rewriter.move_before(op, block, None)
        op.set_operands(block.arguments)
