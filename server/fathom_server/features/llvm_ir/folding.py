"""What can be folded in a `.ll` file: the bodies of functions, their blocks, what is written in brackets over several
lines, runs of comments, and runs of metadata."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.slices import paced
from fathom_server.features.folding import Fold, outermost
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.units import Unit, UnitKind

_RUNS: Final = frozenset((UnitKind.METADATA, UnitKind.GROUP, UnitKind.DECLARATION, UnitKind.SUMMARY))
"""Of these units several that stand together, mostly one a line, are folded as one."""


def folds(snapshot: LlvmSnapshot, limit: int | None = None) -> list[Fold]:
    """What can be folded, in the order of the text; if that is more than a limit, the outermost."""
    return outermost(_folds(snapshot), limit)


def _folds(snapshot: LlvmSnapshot) -> Iterator[Fold]:
    line = 0
    run: tuple[UnitKind, int, int] | None = None
    """What units stand together, their first line and their last."""
    for unit in paced(snapshot.tree.units):
        last = unit.line_number(max(unit.end - 1, 0))
        if run is not None and run[0] is not unit.kind:
            yield from _run(*run[1:])
            run = None
        if unit.kind in _RUNS:
            run = (unit.kind, run[1] if run is not None else line, line + last)
        elif unit.kind is UnitKind.FUNCTION:
            yield from _of_function(unit, line, last)
        elif last > 1:
            yield Fold(line, line + last - 1, 0)
        yield from _comments(unit, line)
        line += unit.line_count
    if run is not None:
        yield from _run(*run[1:])


def _run(first: int, last: int) -> Iterator[Fold]:
    if last > first:
        yield Fold(first, last, 0, "region")


def _of_function(unit: Unit, line: int, last: int) -> Iterator[Fold]:
    """The body, and the blocks in it that have labels."""
    begin = unit.line_number(unit.names.body)
    if unit.text[unit.end - 1 : unit.end] != "}":
        last += 1
    if last - 1 > begin:
        yield Fold(line + begin, line + last - 1, 0)
    starts = [unit.line_number(mention.start) for _, mention in unit.names.labels if mention.start >= unit.names.body]
    for start, end in zip(starts, [*starts[1:], last], strict=False):
        while end - 1 > start and not unit.line(end - 1).strip():
            end -= 1
        if end - 1 > start:
            yield Fold(line + start, line + end - 1, 1)


def _comments(unit: Unit, line: int) -> Iterator[Fold]:
    """Runs of lines that are comments."""
    if ";" not in unit.text:
        return
    first = None
    for number in range(unit.line_count + 1):
        is_comment = number < unit.line_count and unit.line(number).lstrip().startswith(";")
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - 1 > first:
                yield Fold(line + first, line + number - 1, 2, "comment")
            first = None
