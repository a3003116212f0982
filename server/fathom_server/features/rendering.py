"""A stage as text, with links to the source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span
from fathom.ir.printer import Link
from fathom.records import record
from fathom.slices import read_ahead
from fathom.text.beginnings import beginning
from fathom_server.model.modules import Layout

LONGEST_LINE: Final = 8000
"""Of a longer line of LLVM IR, one of weights, the beginning is shown."""


@record
class Rendered:
    """A stage as text; places are those of the layout. It holds no IR, so it can be kept. `lacks` is the first thing
    that the text does not say; of one that `goes_on` more is made when it is asked for again."""

    layout: Layout
    text: str
    links: tuple[Link, ...]
    problem: Diagnostic | None
    diagnostics: tuple[Diagnostic, ...]
    lacks: Diagnostic | None = None
    goes_on: bool = False


def cut(lines: Iterable[str], sources: Iterable[tuple[Span, ...]]) -> tuple[str, tuple[Link, ...]]:
    """Lines, of those that are long their beginnings, with links to where they come from."""
    links: list[Link] = []
    shown: list[str] = []
    offset = 0
    for whole, spans in read_ahead(zip(lines, sources, strict=False)):
        length = len(whole)
        line = whole
        if length > LONGEST_LINE:
            line = f"{beginning(whole, LONGEST_LINE)}\n"
            length = len(line)
        shown.append(line)
        if spans:
            end = length - 1 if line[-1] == "\n" else length
            target = Span(offset + length - len(line.lstrip()), offset + end)
            for span in spans:
                links.append(Link(Span(span.start, span.end), target))
        offset += length
    return "".join(shown), tuple(links)
