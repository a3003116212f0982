"""Deep copies of operations."""

from __future__ import annotations

from fathom.ir.operation import Block, Operation, Region, Value
from fathom.slices import checkpoint, paced


def clone(op: Operation, values: dict[Value, Value] | None = None) -> Operation:
    """A deep copy, which stands in no block.

    Operands found in `values` are replaced; results and block arguments are added to it, each with its copy.
    """
    copies = _Copies({} if values is None else values)
    copy = copies.operation(op)
    copies.settle()
    return copy


def clone_region(source: Region) -> Region:
    """A deep copy, which belongs to no operation."""
    copy = Region()
    copies = _Copies({})
    copies.region(source, copy)
    copies.settle()
    return copy


class _Copies:
    """The copies of values and blocks, and the operations that may use values whose copies came after theirs, with the
    places of these."""

    def __init__(self, values: dict[Value, Value]) -> None:
        self.values = values
        self.blocks: dict[Block, Block] = {}
        self.early: list[tuple[Operation, list[int]]] = []

    def operation(self, op: Operation) -> Operation:
        copy = Operation(
            op.name,
            [self.values.get(operand, operand) for operand in op.operands],
            [result.type for result in op.results],
            op.properties,
            op.attributes,
            [self.blocks.get(successor, successor) for successor in op.successors],
            span=op.span,
            definition=op.definition,
        )
        copy.location = op.location
        unknown = [index for index, operand in enumerate(op.operands) if operand not in self.values]
        if unknown:
            self.early.append((copy, unknown))
        for old, new in zip(op.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            self.values[old] = new
        for region in op.regions:
            self.region(region, copy.add_region(Region()))
        return copy

    def region(self, source: Region, target: Region) -> None:
        for block in source.blocks:
            twin = self.blocks[block] = target.append(Block(argument.type for argument in block.arguments))
            twin.name_hint, twin.label_span = block.name_hint, block.label_span
            for old, new in zip(block.arguments, twin.arguments, strict=True):
                new.name_hint, new.span, new.location = old.name_hint, old.span, old.location
                self.values[old] = new
        for block in source.blocks:
            for op in block:
                checkpoint()
                self.blocks[block].append(self.operation(op))

    def settle(self) -> None:
        """Gives uses that stand before the definition, in the same region or deeper, the copies of their values."""
        for copy, places in paced(self.early):
            operands = copy.operands
            for index in places:
                if (operand := self.values.get(operands[index])) is not None:
                    copy.set_operand(index, operand)
