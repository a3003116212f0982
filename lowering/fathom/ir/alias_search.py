"""What gets an alias in the text of an operation: found by printing it to nowhere, in MLIR's order.

Operations in which nothing could have an alias, nor in what is nested in them, are passed over: most have plain types
and attributes. Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.aliases import AliasCollector, AliasTable
from fathom.ir.operation_printer import Locator, Printer
from fathom.slices import paced

if TYPE_CHECKING:
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
    return printer.collector.table()


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
    found: set[Operation] = set()
    plain = set[int]()
    """The identities of types and attributes that were looked at."""
    collector = AliasCollector()

    def is_plain(element: Element) -> bool:
        if collector.visit(element):
            return False
        plain.add(id(element))
        return True

    for op in paced(root.walk()):
        elements: list[Element] = [operand.type for operand in op.operands]
        elements += [result.type for result in op.results]
        elements += op.properties.values()
        elements += op.attributes.values()
        for region in op.regions:
            elements += [argument.type for block in region.blocks for argument in block.arguments]
        if plain.issuperset(map(id, elements)) or all(map(is_plain, elements)):
            continue
        around: Operation | None = op
        while around is not None and around not in found:
            found.add(around)
            around = around.parent_op
    return found
