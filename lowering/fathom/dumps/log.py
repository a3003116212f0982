"""The dumps in a log.

Headers are looked for first, at the speed of a search in bytes; lines are looked at where a text is asked for. So a log
of 100 MB is listed in a moment, and what is remembered of it is what its headers say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.dumps.ends import end_of
from fathom.dumps.headers import LONGEST, MARK, Header, Outcome, header_of
from fathom.dumps.lines import Bytes, lines_between, plain, stripping
from fathom.records import record

MOST_DUMPS: Final = 100_000
"""So many dumps of a log are listed."""
MOST_TEXT: Final = 64 << 20
"""So many bytes of the log are looked at for the text of a dump."""


@record
class Dump:
    """A dump in a log: what its header says, the line of that, counted from 1, and the part of the log, in bytes, in
    which its text stands."""

    header: Header
    line: int
    begin: int
    end: int

    @property
    def pass_name(self) -> str:
        """What people call the pass: what it is called on a command line, if that is said."""
        return self.header.argument or self.header.name or "the source"

    @property
    def subject(self) -> str:
        """What the pass ran on, as far as that is said: `func.func @f`, `f`, `[module]`."""
        symbol = self.header.symbol
        if self.header.operation:
            return f"{self.header.operation} @{symbol}" if symbol else self.header.operation
        return symbol


@record
class Log:
    """The dumps of a log, in its order; `left_off` says how many are not listed."""

    dumps: tuple[Dump, ...]
    left_off: int = 0


@record
class Text:
    """The text of a dump, as the tool printed it. It `is_cut` where the log ends, or a limit is, in the midst of it."""

    text: str
    is_cut: bool = False
    others: int = 0
    """How many lines in its midst another program wrote; they are left out."""


def read_log(data: Bytes) -> Log:
    """The dumps in a log, which may be anything."""
    dumps: list[Dump] = []
    left_off = 0
    line, counted = 1, 0
    found: tuple[Header, int, int] | None = None
    for start, stop, header in _headers(data):
        if found is not None:
            dumps.append(Dump(*found, start))
            found = None
        if len(dumps) >= MOST_DUMPS:
            left_off += 1
            continue
        line += _count(data, counted, start)
        counted = start
        found = header, line, stop
    if found is not None:
        dumps.append(Dump(*found, len(data)))
    kept = tuple(dump for dump in dumps if dump.header.outcome != "ignored")
    return Log(kept, left_off)


def text_of(data: Bytes, dump: Dump) -> Text:
    """The text of a dump in the log that it is of."""
    if not dump.header.has_text:
        return Text("")
    strip, belongs = stripping(dump.header.prefix), end_of(dump.header.language)
    kept: list[str] = []
    others = waiting = 0
    stop = min(dump.end, dump.begin + MOST_TEXT)
    for _, whole in lines_between(data, dump.begin, stop):
        line = strip(plain(whole))
        if line is None:
            waiting += 1
            continue
        if not belongs(line):
            break
        if line.strip():
            others += waiting
            waiting = 0
        kept.append(line)
    while kept and not kept[-1].strip():
        kept.pop()
    return Text("".join(f"{line}\n" for line in kept), dump.end > stop, others)


def outcome_of(dump: Dump, text: str, before: str | None) -> Outcome:
    """What became of what a pass ran on, whose text was another `before`, where that is known."""
    if dump.header.outcome or dump.header.when != "after":
        return dump.header.outcome
    return "unchanged" if before is not None and text == before else ""


def _headers(data: Bytes) -> Iterator[tuple[int, int, Header]]:
    """The headers, each with where its line begins and where the text behind it does."""
    at = 0
    for mark in MARK.finditer(data):
        if mark.start() < at:
            continue
        start = _line_start(data, mark.start())
        stop = data.find(b"\n", mark.end(), min(len(data), mark.end() + LONGEST)) + 1
        if not stop:
            stop = len(data) if len(data) - mark.end() < LONGEST else 0
        if start < 0 or not stop:
            continue
        header = header_of(plain(data[start:stop]))
        if header is not None:
            yield start, stop, header
            at = stop


def _line_start(data: Bytes, at: int) -> int:
    """Where the line begins that an offset is in; -1 if that is far."""
    first = max(0, at - LONGEST)
    before = data[first:at].rfind(b"\n")
    if before >= 0:
        return first + before + 1
    return 0 if first == 0 else -1


_CHUNK: Final = 1 << 20


def _count(data: Bytes, begin: int, end: int) -> int:
    """How many lines begin in a part."""
    return sum(data[at : min(at + _CHUNK, end)].count(b"\n") for at in range(begin, end, _CHUNK))
