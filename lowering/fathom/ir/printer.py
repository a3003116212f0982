"""Operations as text, byte for byte as mlir-opt 22 prints them.

`print_module` gives the whole output, `print_op` one operation, `print_with_map` also where in the text each operation
stands, and `linked_text` where in the source it came from. A `Printer` is what an irregular operation's own
`print(op, printer)` writes to.
Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from fathom.ir.aliases import AliasCollector, AliasTable
from fathom.ir.attributes import Attribute, Blob, DictAttr
from fathom.ir.element_printer import Element, MetAlias
from fathom.ir.locations import LocationAttr, UnknownLoc, spell_pretty
from fathom.ir.metadata import Metadata, spell_metadata
from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Span
from fathom.ir.operation_printer import Locator, Printer
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.records import NamedTuple
from fathom.slices import paced

LOCAL: Final = PrintingFlags(local_scope=True)

if TYPE_CHECKING:
    from fathom.ir.operation import Block, BlockArgument, Operation

__all__ = ["Link", "Locator", "Printer", "linked_text", "print_module", "print_op", "print_with_map"]


class _AliasPrinter(Printer):
    """Prints to nowhere, in the order in which MLIR looks for what to give an alias."""

    def __init__(self, names: Names, flags: PrintingFlags, locate: Locator | None) -> None:
        super().__init__(names, flags, locate=locate)
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
    flags: PrintingFlags = DEFAULT_FLAGS,
    *,
    locate: Locator | None = None,
    external: Mapping[str, dict[str, str]] | None = None,
) -> str:
    """The whole output of mlir-opt for a module, with the empty line at its end that it has unless the scope is local.

    Locations are those that `locate` gives, by default the ones written in the source. `external` are the resources of
    other tools that the file came with.
    """
    text, _ = _print(op, flags, _locator(flags, locate), mapped=False, external=external)
    return text if flags.local_scope else f"{text}\n"


def print_op(
    op: Operation, flags: PrintingFlags = LOCAL, *, locate: Locator | None = None, names: Names | None = None
) -> str:
    """The text of one operation, without a line break at its end; by default without aliases.

    Values have these names, as those of an operation around it, by default the ones that they have in itself alone.
    """
    text, _ = _print(op, flags, _locator(flags, locate), mapped=False, names=names)
    return text.removesuffix("\n")


def print_ops(ops: Iterable[Operation], flags: PrintingFlags, scope: Operation) -> list[str]:
    """The texts of operations in `scope`, each as `print_op` gives it, without aliases."""
    names, locate = name_values(scope, flags), _locator(flags, None)
    printers = [_run(op, Printer(names, flags, locate=locate), mapped=False) for op in ops]
    return ["".join(printer.parts).removesuffix("\n") for printer in printers]


def print_with_map(op: Operation, flags: PrintingFlags = DEFAULT_FLAGS) -> tuple[str, list[tuple[Operation, int, int]]]:
    """The text as `print_module` gives it, and the half-open range of each operation, outer ones first.

    A range begins at the operation's first result or name, and ends behind its last character.
    """
    text, ranges = _print(op, flags, _locator(flags, None), mapped=True)
    return f"{text}\n", ranges


class Link(NamedTuple):
    """A piece of a text that stands for an operation, and the source that this came from; half-open ranges of
    offsets."""

    source: Span
    target: Span


def linked_text(module: Operation, flags: PrintingFlags = DEFAULT_FLAGS) -> tuple[str, tuple[Link, ...]]:
    """The text of a module with a link for each operation in it whose source is known. Of an operation with regions the
    first line is linked."""
    text, ranges = print_with_map(module, flags)
    links: list[Link] = []
    for op, start, end in paced(ranges):
        if op.span is None or op is module:
            continue
        if op.regions:
            line_end = text.find("\n", start)
            end = min(end, line_end if line_end >= 0 else end)
        links.append(Link(Span(op.span.start, op.span.end), Span(start, end)))
    return text, tuple(links)


def _locator(flags: PrintingFlags, locate: Locator | None) -> Locator | None:
    if not flags.debug_info:
        return None
    return locate or (lambda owner: owner.location if owner.location is not None else UnknownLoc())


def _print(
    op: Operation,
    flags: PrintingFlags,
    locate: Locator | None,
    *,
    mapped: bool,
    external: Mapping[str, dict[str, str]] | None = None,
    names: Names | None = None,
) -> tuple[str, list[tuple[Operation, int, int]]]:
    text, ranges, blobs = _print_operations(op, names or name_values(op, flags), flags, locate, mapped)
    if flags.local_scope or not (blobs or external):
        return text, ranges
    metadata = spell_metadata(Metadata(blobs, dict(external or {})), flags.elide_resources_above)
    return (f"{text}\n{metadata}" if metadata else text), ranges


def _print_operations(
    op: Operation, names: Names, flags: PrintingFlags, locate: Locator | None, mapped: bool
) -> tuple[str, list[tuple[Operation, int, int]], dict[str, Blob]]:
    printer = Printer(names, flags, locate=locate)
    printer.stops_at_alias = not flags.local_scope
    try:
        return _finish(_run(op, printer, mapped), None)
    except MetAlias:
        pass
    scout = _AliasPrinter(names, flags, locate)
    scout.op(op)
    table = scout.collector.table()
    printer = Printer(names, flags, locate=locate, aliases=table.names)
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
    if printer.flags.pretty_debug_info and isinstance(element, LocationAttr):
        text = spell_pretty(element, printer.spell)
    else:
        text = printer.definition(element)
    printer.write(f"{table.names[element]} = {text}\n")


def _finish(
    printer: Printer, table: AliasTable | None
) -> tuple[str, list[tuple[Operation, int, int]], dict[str, Blob]]:
    for element in table.last if table is not None else ():
        assert table is not None
        _define(printer, table, element)
    text = "".join(printer.parts)
    if printer.ranges is None:
        return text, [], printer.blobs
    offsets = [0, *accumulate(map(len, printer.parts))]
    return text, [(op, offsets[start], offsets[end]) for op, start, end in paced(printer.ranges)], printer.blobs
