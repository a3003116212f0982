"""What LLVM finds wrong with an open `.ll` file, at its places.

LLVM's parser ends at its first mistake. So the body of the function with that mistake is taken out, and LLVM is asked
again, until nothing is wrong or the mistake stands in no body. The verifier has no places, but repeats the text of what
it is about, in which the place is found again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from fathom.llvm import VERIFY
from fathom.llvm.process import Died, Refused
from fathom.llvmir.loading import too_nested
from fathom.llvmir.placing import HEADING, PLACED, span_of
from fathom.records import record
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.llvm_ir.tokens import Kind, key_of, tokens_in
from fathom_server.model.llvm_ir.units import Unit, UnitKind

MOST: Final = 50
"""Of no more functions the mistakes are looked for."""
MOST_SECONDS: Final = 2.0
"""When this time is over, LLVM is not asked again."""

_VALUES: Final = frozenset((Kind.TYPE, Kind.LOCAL, Kind.GLOBAL, Kind.METADATA, Kind.NODE, Kind.NUMBER, Kind.GROUP))
"""What a line of the verifier begins with that repeats something; other lines are messages."""

Ask = Callable[[int, str], str]
"""Asks LLVM (`fathom.llvm.process`)."""


@record
class Finding:
    """What is wrong, between two offsets of the text."""

    start: int
    end: int
    message: str


def findings(tree: LlvmText, ask: Ask) -> list[Finding]:
    """All that is found, in the order of the text."""
    found = dict.fromkeys(_findings(tree, ask))
    return sorted(found, key=lambda finding: (finding.start, finding.end))


def _findings(tree: LlvmText, ask: Ask) -> Iterator[Finding]:
    text = tree.text
    deadline = time.monotonic() + MOST_SECONDS
    emptied: set[Unit] = set()
    while len(emptied) < MOST and (not emptied or time.monotonic() < deadline):
        try:
            ask(VERIFY, text)
            return
        except Died as died:
            if not emptied:
                yield _deepest(tree) or _at_beginning(tree, f"LLVM ended: {str(died) or 'it does not say why'}")
            return
        except Refused as refused:
            said = HEADING.sub("", str(refused)).strip()
        placed = PLACED.search(said)
        if placed is None:
            yield from _of_verifier(tree, said)
            return
        line = int(placed[1]) - 1
        index, first = tree.units.find_line(line)
        unit, base = tree.units[index], tree.units.offset(index)
        is_inside = line - first < unit.line_count
        number, column = (line - first, int(placed[2]) - 1) if is_inside else (unit.line_count - 1, unit.length)
        start, end = _token(unit, number, column)
        is_in_body = unit.kind is UnitKind.FUNCTION and unit not in emptied and start >= unit.names.body
        # What is no mistake of its own is about blocks that were taken out.
        if emptied and not is_in_body:
            return
        yield Finding(base + start, base + end, placed[3])
        if not is_in_body:
            return
        emptied.add(unit)
        text = "".join(_without_body(unit) if unit in emptied else unit.text for unit in tree.units)


def _without_body(unit: Unit) -> str:
    """A function of as many lines, with nothing in it."""
    text, body, end = unit.text, unit.names.body, unit.end
    lines = "\n" * text.count("\n", body, end)
    return f"{text[:body]} unreachable }}{lines}{text[end:]}"


def _token(unit: Unit, number: int, byte: int) -> tuple[int, int]:
    """The token that begins at a column of a line, in bytes; the last one before it if there is none."""
    start, line = unit.line_starts[number], unit.line(number)
    column = len(line.encode(errors="replace")[:byte].decode(errors="ignore"))
    tokens = [token for token in unit.tokens_of_line(number) if token.kind is not Kind.COMMENT]
    token = next((token for token in tokens if token.start <= start + column < token.end), None)
    if token is None and tokens:
        token = next((token for token in tokens if token.start >= start + column), tokens[-1])
    return (token.start, token.end) if token is not None else (start, start + len(line.rstrip("\r\n")))


def _deepest(tree: LlvmText) -> Finding | None:
    """Where more brackets are open than LLVM may live through."""
    problem = too_nested(tree.text)
    if problem is None:
        return None
    start = tree.line_and_start(problem.line - 1)[1] + problem.column - 1
    return Finding(start, start + 1, problem.message)


def _at_beginning(tree: LlvmText, message: str) -> Finding:
    """About the file as a whole: its first line."""
    return Finding(0, len(tree.line(0).rstrip("\r\n")), message)


# ---- the verifier


def _of_verifier(tree: LlvmText, said: str) -> Iterator[Finding]:
    """What the verifier says: messages, each with lines that repeat what it is about."""
    message, about = "", list[str]()
    for line in [*said.split("\n"), "end"]:
        first = next(tokens_in(line), None)
        is_value = first is not None and (first.kind in _VALUES or first.text in "[{<")
        if message and (line.startswith(" ") or is_value):
            about.append(line)
        elif line.strip():
            if message:
                yield _placed(tree, message, about)
            message, about = line.strip(), []


def _placed(tree: LlvmText, message: str, about: Sequence[str]) -> Finding:
    """A message at the place of what it is about."""
    span = span_of(about, tree.text, partial(_given, tree))
    return Finding(*span, message) if span is not None else _at_beginning(tree, "\n".join([message, *about]))


def _given(tree: LlvmText, name: str) -> tuple[int, int] | None:
    """Where a name is given, which may be that of an argument or of a block, or a number that is not written."""
    key = key_of(name)
    for unit, base in tree.with_offsets():
        if name[1:2] == '"' or name[1:] in unit.text:
            mention = unit.names.definition(key)
            if mention is not None:
                return base + mention.start, base + mention.end
    return None
