"""Blocks whose address is taken, and the numbers that they are known by.

A block has the number that LLVM gave it when it was first named: blocks whose addresses are taken further up come
first, then those of the function's own text in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.importing.attributes import made
from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.llvmir import instructions as llvm
from fathom.llvmir.module import Function, Module
from fathom.llvmir.numbering import local_names
from fathom.llvmir.values import BlockAddress, Constant, ConstantAggregate, ConstantExpr, Value

_INSIDE: Final = (ConstantExpr, ConstantAggregate)


class BlockAddresses:
    """The addresses of blocks in one module, which is gone through when the first is asked for."""

    def __init__(self, source: Module) -> None:
        self._source: Final = source
        self._found: dict[Function, dict[llvm.BasicBlock, None]] | None = None
        self._above: dict[Function, set[llvm.BasicBlock]] = {}
        """Of each function the blocks whose address is taken before it begins."""
        self._numbers: dict[Function, dict[llvm.BasicBlock, int]] = {}

    def of_function(self, function: Function) -> frozenset[llvm.BasicBlock] | dict[llvm.BasicBlock, None]:
        """The blocks of a function whose address is taken."""
        if self._found is None:
            self._found = {}
            self._look()
        return self._found.get(function) or frozenset()

    def tag(self, function: Function, block: llvm.BasicBlock) -> Attribute:
        """What a block is known by."""
        self.of_function(function)
        numbers = self._numbers.get(function)
        if numbers is None:
            numbers = self._numbers[function] = self._numbered(function)
        return made("BlockTagAttr", id=numbers.get(block, 0))

    def address(self, function: Function, block: llvm.BasicBlock) -> Attribute:
        """The address of a block."""
        return made("BlockAddressAttr", function=SymbolRefAttr(function.name), tag=self.tag(function, block))

    def _look(self) -> None:
        """Finds all addresses, in the order of the text."""
        assert self._found is not None
        begun: set[Function] = set()
        source = self._source
        constants: list[Constant | None] = [
            *(each.initializer for each in source.globals),
            *(each.aliasee for each in source.aliases),
        ]
        self._note(_addresses(each for each in constants if each is not None), begun)
        for function in source.functions:
            begun.add(function)
            for block in function.blocks:
                for instruction in block.instructions:
                    for operand in instruction.operands:
                        if operand.__class__ is BlockAddress or isinstance(operand, _INSIDE):
                            self._note(_addresses((operand,)), begun)

    def _note(self, addresses: Iterator[BlockAddress], begun: set[Function]) -> None:
        assert self._found is not None
        for address in addresses:
            self._found.setdefault(address.function, {})[address.block] = None
            if address.function not in begun:
                self._above.setdefault(address.function, set()).add(address.block)

    def _numbered(self, function: Function) -> dict[llvm.BasicBlock, int]:
        names = dict(local_names(function))
        above = sorted(self._above.get(function, ()), key=lambda block: _place(block, names[id(block)]))
        numbers: dict[llvm.BasicBlock, int] = {}
        for block in (*above, *_mentioned(function)):
            numbers.setdefault(block, len(numbers))
        return numbers


def _place(block: llvm.BasicBlock, name: str) -> tuple[bool, int, str]:
    """Blocks with numbers come before those with names."""
    return bool(block.name), 0 if block.name else int(name[1:]), block.name


def _addresses(constants: Iterable[Value]) -> Iterator[BlockAddress]:
    stack: list[Value] = [*constants][::-1]
    met: set[int] = set()
    while stack:
        current = stack.pop()
        if isinstance(current, BlockAddress):
            yield current
        elif isinstance(current, ConstantExpr | ConstantAggregate) and id(current) not in met:
            met.add(id(current))
            stack += reversed(current.operands)


def _mentioned(function: Function) -> Iterator[llvm.BasicBlock]:
    """The blocks of a function in the order in which its text names them."""
    for block in function.blocks:
        yield block
        for instruction in block.instructions:
            for operand in instruction.operands:
                if isinstance(operand, BlockAddress) and operand.function is function:
                    yield operand.block
            match instruction:
                case llvm.PHINode(blocks=blocks):
                    yield from blocks
                case llvm.CatchSwitchInst(handlers=handlers, unwind=unwind):
                    yield from handlers
                    if unwind is not None:
                        yield unwind
                case _:
                    yield from instruction.successors
