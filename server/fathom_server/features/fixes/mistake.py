"""A mistake as a fix sees it: what was found of an item, and the text and the IR around it. Offsets count in the item,
edits in the document."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.elaborate.elaborated import Elaborated
from fathom.ir.operation import Operation, Span
from fathom.syntax.tree import Item
from fathom_server.features.edits import Replacement
from fathom_server.model.elaboration import elaborated
from fathom_server.model.snapshot import Snapshot

LAST: Final = 1 << 30
"""Stands for the last token of a statement."""

_NOT_IN_NAMES: Final = re.compile(r"[^\w$.-]+")


class Mistake:
    """`base` is where the item begins, `span` where in it the mistake stands."""

    def __init__(self, snapshot: Snapshot, item: Item, base: int, found: Diagnostic, span: Span) -> None:
        self.snapshot = snapshot
        self.item = item
        self.base = base
        self.found = found
        self.span = span

    @cached_property
    def known(self) -> Elaborated:
        return elaborated(self.snapshot, self.item)

    @cached_property
    def text(self) -> str:
        """The text of the item."""
        return self.item.text

    def op(self) -> Operation | None:
        """The operation that the mistake is about; not one that its text implies."""
        walked = (op for root in self.known.operations for op in root.walk())
        return next((op for op in walked if op.span == self.span), None)

    def replaced(self, start: int, end: int, text: str) -> Replacement:
        """The replacement of a stretch of the item's text."""
        return Replacement(self.base + start, self.base + end, text)

    def inserted(self, place: int, text: str) -> Replacement:
        return self.replaced(place, place, text)

    def statement(self, op: Operation) -> Span:
        """Where the text of an operation begins, with the names of its results, and where that before its regions
        ends, or all of it."""
        sites = self.known.sites_of(op)
        return Span(sites[0].span(0).start, sites[0].span(LAST).end) if sites else op.span or self.span

    def end_of(self, op: Operation) -> int:
        """Where the text of an operation ends, with that of its regions."""
        own = max((site.span(LAST).end for site in self.known.sites_of(op)), default=0)
        inner = (self.end_of(each) for region in op.regions for block in region.blocks for each in block)
        last = max((own, *inner))
        return last if not op.regions else max(own, self.text.find("}", max(last - 1, own - 1)) + 1)

    def before(self, op: Operation, statement: str) -> Replacement:
        """A statement of its own before that of an operation."""
        start = self.statement(op).start
        return self.inserted(start, f"{statement}{self.line_break}{self.indent(start)}")

    def indent(self, place: int) -> str:
        """The white space at the beginning of the line of a place."""
        line = self.item.line_at(place)[2]
        return line[: len(line) - len(line.lstrip())].rstrip("\r\n")

    @property
    def line_break(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def fresh(self, stem: str) -> str:
        """A name of a value, like the stem, that does not stand in the text."""
        stem = "%" + (_NOT_IN_NAMES.sub("_", stem.lstrip("%")).strip("_") or "v")
        number, name = 0, stem
        while re.search(re.escape(name) + r"(?![\w$.-])", self.text):
            name = f"{stem}_{number}"
            number += 1
        return name
