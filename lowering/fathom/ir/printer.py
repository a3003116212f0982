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
    from fathom.ir.aliases import AliasTable
    from fathom.ir.element_printer import Element
    from fathom.ir.operation import Operation

__all__ = ["Link", "Locator", "Printer", "linked_text", "print_module", "print_op", "print_with_map"]


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
    texts: list[str] = []
    for op in ops:
        printer = Printer(names, flags, locate=locate)
        printer.op(op)
        texts.append("".join(printer.parts))
    return texts


def print_with_map(
    op: Operation, flags: PrintingFlags = DEFAULT_FLAGS, names: Names | None = None
) -> tuple[str, list[tuple[Operation, int, int]]]:
    """The text as `print_module` gives it, and the half-open range of each operation, outer ones first. Values have
    these names, if they are given.

    A range begins at the operation's first result or name, and ends behind its last character.
    """
    text, ranges = _print(op, flags, _locator(flags, None), mapped=True, names=names)
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
    return text, tuple(links_of(module, text, ranges))


def links_of(module: Operation, text: str, ranges: Iterable[tuple[Operation, int, int]]) -> list[Link]:
    """The links of a module's text, which `print_with_map` gave with these ranges."""
    links: list[Link] = []
    for op, start, end in paced(ranges):
        if op.span is None or op is module:
            continue
        if op.regions:
            line_end = text.find("\n", start)
            end = min(end, line_end if line_end >= 0 else end)
        links.append(Link(Span(op.span.start, op.span.end), Span(start, end)))
    return links


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
    names = names or name_values(op, flags)
    printer = Printer(names, flags, locate=locate)
    printer.ranges = [] if mapped else None
    first = ""
    table: AliasTable | None = None

    def define_aliases() -> None:
        """At the first type or attribute that has one. In what was printed until then there is none, and it stays."""
        from fathom.ir.alias_search import find_aliases

        nonlocal first, table
        table = find_aliases(op, names, flags, locate)
        printer.use_aliases(table.names)
        first = _definitions(printer, table.first, table)

    if not flags.local_scope:
        printer.at_alias = define_aliases
    printer.op(op)
    last = _definitions(printer, table.last, table) if table is not None else ""
    text = f"{first}{''.join(printer.parts)}\n{last}"
    ranges = _ranges(printer, len(first))
    if flags.local_scope or not (printer.blobs or external):
        return text, ranges
    metadata = spell_metadata(Metadata(printer.blobs, dict(external or {})), flags.elide_resources_above)
    return (f"{text}\n{metadata}" if metadata else text), ranges


def _definitions(printer: Printer, elements: Iterable[Element], table: AliasTable) -> str:
    """The lines that say what aliases stand for."""
    return "".join([f"{table.names[element]} = {_definition(printer, element)}\n" for element in elements])


def _definition(printer: Printer, element: Element) -> str:
    if printer.flags.pretty_debug_info and isinstance(element, LocationAttr):
        return spell_pretty(element, printer.spell)
    return printer.definition(element)


def _ranges(printer: Printer, start: int) -> list[tuple[Operation, int, int]]:
    """Where each operation stands in a text in which what was printed begins at an offset."""
    offsets = [*accumulate(map(len, printer.parts), initial=start)] if printer.ranges else []
    return [(op, offsets[first], offsets[last]) for op, first, last in paced(printer.ranges or ())]
