"""What writes an operation by its assembly format: the pieces of text that its directives are, put together once.

Most pieces are texts that follow from the operation, and what stands side by side is written at once. Regions, and what
code of a dialect prints, write themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpPrinter

Text: TypeAlias = "Callable[[Operation, OpPrinter], str]"
Write: TypeAlias = "Callable[[Operation, OpPrinter], None]"


@record(eq=False)
class Writer:
    """A piece that writes itself to the printer."""

    write: Write


Piece: TypeAlias = "str | Text | Writer"
"""A text that is always the same, one that follows from the operation, or what writes itself."""


def together(pieces: Iterable[Piece]) -> Text | Writer:
    """Pieces as one: a text, unless something in it writes itself."""
    merged: list[Text | Writer] = []
    run: list[str | Text] = []
    for piece in pieces:
        if not isinstance(piece, Writer):
            run.append(piece)
            continue
        if any(run):
            merged.append(_joined(run))
        merged.append(piece)
        run = []
    if any(run) or not merged:
        merged.append(_joined(run))
    if len(merged) == 1:
        return merged[0]
    steps = [writing(piece) for piece in merged]

    def write(op: Operation, printer: OpPrinter) -> None:
        for step in steps:
            step(op, printer)

    return Writer(write)


def writing(piece: Text | Writer) -> Write:
    """What writes a piece."""
    if isinstance(piece, Writer):
        return piece.write
    return lambda op, printer: printer.write(piece(op, printer))


def _joined(run: list[str | Text]) -> Text:
    """Texts that stand side by side, as one."""
    texts = [piece for piece in run if not isinstance(piece, str)]
    template = "".join([piece.replace("%", "%%") if isinstance(piece, str) else "%s" for piece in run])
    match texts:
        case []:
            constant = "".join([piece for piece in run if isinstance(piece, str)])
            return lambda op, printer: constant
        case [only] if template == "%s":
            return only
        case [only]:
            return lambda op, printer: template % only(op, printer)
        case [first, second]:
            return lambda op, printer: template % (first(op, printer), second(op, printer))
        case _:
            return lambda op, printer: template % tuple([text(op, printer) for text in texts])
