"""Operations as text, byte for byte as mlir-opt 22 prints them.

`print_module` gives the whole output, `print_op` one operation, and `print_with_map` also where in the text each
operation stands. A `Printer` is what an irregular operation's own `print(op, printer)` writes to.
Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from fathom.ir.aliases import AliasCollector, AliasTable
from fathom.ir.attributes import Attribute, DictAttr
from fathom.ir.locations import UnknownLoc
from fathom.ir.metadata import Metadata, spell_metadata
from fathom.ir.naming import Names, name_values
from fathom.ir.operation_printer import Element, Locator, Printer

if TYPE_CHECKING:
    from fathom.ir.operation import Block, BlockArgument, Operation

__all__ = ["Locator", "Printer", "print_module", "print_op", "print_with_map"]


class _AliasPrinter(Printer):
    """Prints to nowhere, in the order in which MLIR looks for what to give an alias."""

    def __init__(self, names: Names, generic: bool, locate: Locator | None) -> None:
        super().__init__(names, generic=generic, locate=locate)
        self.collector = AliasCollector()

    def spell(self, element: Element) -> str:
        self.collector.visit(element)
        return ""

    def attribute_without_type(self, attribute: Attribute) -> None:
        self.collector.visit(attribute)

    def op(self, op: Operation) -> None:
        if self.locate is not None:
            self.collector.visit(self.locate(op), deferrable=True)
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


def print_module(
    op: Operation,
    *,
    generic: bool = False,
    debug_locations: bool = False,
    local_scope: bool = False,
    locate: Locator | None = None,
    external: Mapping[str, dict[str, str]] | None = None,
) -> str:
    """The whole output of mlir-opt for a module, with the empty line at its end that it has unless the scope is local.

    `debug_locations` prints locations: those that `locate` gives, by default the ones written in the source.
    `local_scope` uses no aliases, and leaves out the resources. `external` are the resources of other tools that the
    file came with.
    """
    text, _ = _print(op, generic, _locator(debug_locations, locate), local_scope, mapped=False, external=external)
    return text if local_scope else f"{text}\n"


def print_op(op: Operation, *, generic: bool = False, debug_locations: bool = False, local_scope: bool = True) -> str:
    """The text of one operation, without a line break at its end; by default without aliases."""
    text, _ = _print(op, generic, _locator(debug_locations, None), local_scope, mapped=False)
    return text.removesuffix("\n")


def print_with_map(
    op: Operation, *, generic: bool = False, local_scope: bool = False
) -> tuple[str, list[tuple[Operation, int, int]]]:
    """The text as `print_module` gives it in the global scope, and the half-open range of each operation, outer ones
    first.

    A range begins at the operation's first result or name, and ends behind its last character.
    """
    text, ranges = _print(op, generic, None, local_scope, mapped=True)
    return f"{text}\n", ranges


def _locator(debug_locations: bool, locate: Locator | None) -> Locator | None:
    if not debug_locations:
        return None
    return locate or (lambda owner: owner.location if owner.location is not None else UnknownLoc())


def _print(
    op: Operation,
    generic: bool,
    locate: Locator | None,
    local_scope: bool,
    *,
    mapped: bool,
    external: Mapping[str, dict[str, str]] | None = None,
) -> tuple[str, list[tuple[Operation, int, int]]]:
    text, ranges, blobs = _print_operations(op, generic, locate, local_scope, mapped)
    if local_scope or not (blobs or external):
        return text, ranges
    metadata = spell_metadata(Metadata(blobs, dict(external or {})))
    return (f"{text}\n{metadata}" if metadata else text), ranges


def _print_operations(
    op: Operation, generic: bool, locate: Locator | None, local_scope: bool, mapped: bool
) -> tuple[str, list[tuple[Operation, int, int]], dict[str, str]]:
    names = name_values(op, generic=generic)
    printer = _run(op, Printer(names, generic=generic, locate=locate), mapped)
    if not printer.met_alias or local_scope:
        return _finish(printer, None)
    scout = _AliasPrinter(names, generic, locate)
    scout.op(op)
    table = scout.collector.table()
    printer = Printer(names, generic=generic, locate=locate, aliases=table.names)
    for element in table.first:
        _define(printer, table, element)
    return _finish(_run(op, printer, mapped), table)


def _run(op: Operation, printer: Printer, mapped: bool) -> Printer:
    if mapped:
        printer.ranges = []
    printer.op(op)
    printer.write("\n")
    return printer


def _define(printer: Printer, table: AliasTable, element: Element) -> None:
    printer.write(f"{table.names[element]} = {printer.spell_in_full(element)}\n")


def _finish(printer: Printer, table: AliasTable | None) -> tuple[str, list[tuple[Operation, int, int]], dict[str, str]]:
    for element in table.last if table is not None else ():
        assert table is not None
        _define(printer, table, element)
    text = "".join(printer.parts)
    if printer.ranges is None:
        return text, [], printer.blobs
    offsets = [0, *accumulate(map(len, printer.parts))]
    return text, [(op, offsets[start], offsets[end]) for op, start, end in printer.ranges], printer.blobs
