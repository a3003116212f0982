"""What gets an alias in the text of an operation: found by printing it to nowhere, in MLIR's order.

Operations in which nothing could have an alias, nor in what is nested in them, are passed over: most have plain types
and attributes. Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.aliases import LEAVES, AliasCollector, AliasTable
from fathom.ir.attributes import AffineMapAttr, IntegerSetAttr, SymbolRefAttr
from fathom.ir.operation_printer import Locator, Printer
from fathom.ir.types import Type
from fathom.slices import paced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.attributes import Attribute, DictAttr
    from fathom.ir.element_printer import Element
    from fathom.ir.naming import Names
    from fathom.ir.operation import Block, BlockArgument, Operation
    from fathom.ir.printing_flags import PrintingFlags


def find_aliases(op: Operation, names: Names, flags: PrintingFlags, locate: Locator | None) -> AliasTable:
    """The aliases that the text of an operation has, when it is printed with these names and flags."""
    printer = _AliasPrinter(names, flags, locate)
    if locate is None:  # Else each operation has a location.
        printer.looked_at = _with_something(op)
    printer.op(op)
    return printer.collector.table(numbers_first=flags.language.numbers_first)


class _AliasPrinter(Printer):
    """Prints to nowhere, in the order in which MLIR looks for what to give an alias."""

    def __init__(self, names: Names, flags: PrintingFlags, locate: Locator | None) -> None:
        super().__init__(names, flags, locate=locate)
        self.collector = AliasCollector()
        self.looked_at: set[Operation] | None = None
        """The operations in which there may be something, if that is known."""

    def spell(self, element: Element) -> str:
        self.collector.visit(element)
        return ""

    def spell_without_type(self, attribute: Attribute) -> str:
        self.collector.visit(attribute)
        return ""

    def op(self, op: Operation) -> None:
        if self.locate is not None:
            self.collector.visit(self.locate(op), deferrable=True)
        if self.looked_at is None or op in self.looked_at:
            self.custom_or_generic(op)

    def generic_op(self, op: Operation) -> None:
        for region in op.regions:
            self.region(region)
        self.types([operand.type for operand in op.operands])
        self.types([result.type for result in op.results])
        for _, value in sorted([*op.properties.items(), *op.attributes.items()], key=lambda entry: entry[0]):
            self.collector.visit(value)

    def location(self, owner: Operation | BlockArgument) -> None:
        if self.locate is not None:
            self.collector.visit(self.locate(owner))

    def region_argument(
        self, argument: BlockArgument, attributes: DictAttr | None = None, *, omit_type: bool = False
    ) -> None:
        del attributes, omit_type
        self.type(argument.type)
        self.location(argument)

    def predecessor_comment(self, block: Block) -> str:
        del block
        return ""


def _with_something(root: Operation) -> set[Operation]:
    """The operations with a type or an attribute that would have an alias, or in which there is one, and the operations
    around them."""
    search = _Search()
    found = [op for op in paced(root.walk()) if not search.is_plain(op)]
    if search.has_types:
        found = [op for op in paced(root.walk()) if not (search.is_plain(op) and search.uses_plain(op))]
    around: set[Operation] = set()
    for op in found:
        each: Operation | None = op
        while each is not None and each not in around:
            around.add(each)
            each = each.parent_op
    return around


class _Search:
    """What was found out about types and attributes so far."""

    def __init__(self) -> None:
        self.has_types = False
        """Whether some type is not plain."""
        self._plain: set[int] = set()
        """The identities of those that have no alias, nor has anything in them."""
        self._collector = AliasCollector()

    def is_plain(self, op: Operation) -> bool:
        """Whether no type that it defines, nor an attribute, has anything."""
        elements: list[Element] = [*op.properties.values()]
        if op.attributes:
            elements += op.attributes.values()
        for result in op.results:
            elements.append(result.type)
        for region in op.regions:
            for block in region.blocks:
                elements += [argument.type for argument in block.arguments]
        return self._are_plain(elements)

    def uses_plain(self, op: Operation) -> bool:
        """The same of the types that it uses."""
        return self._are_plain([operand.type for operand in op.operands])

    def _are_plain(self, elements: Sequence[Element]) -> bool:
        return self._plain.issuperset(map(id, elements)) or all(map(self._looked_at, elements))

    def _looked_at(self, element: Element) -> bool:
        if element.__class__ not in _PLAIN and self._collector.visit(element):
            self.has_types |= isinstance(element, Type)
            return False
        self._plain.add(id(element))
        return True


_PLAIN: Final = frozenset((*LEAVES, SymbolRefAttr)) - {AffineMapAttr, IntegerSetAttr}
"""The classes of attributes that never have an alias, and in which there is nothing."""
