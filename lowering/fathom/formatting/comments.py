"""Where comments stand: those on lines of their own beside what they are about, those behind code in a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from fathom.formatting.change import Change, put
from fathom.formatting.lines import content_end, is_blank, line_end, margin
from fathom.records import field, record
from fathom.syntax.lexer import indentation

_DIRECTIVE: Final = re.compile(
    r"//+[ \t]*(?:-----|RUN:|REQUIRES:|XFAIL:|UNSUPPORTED:|DEFINE:|REDEFINE:|ALLOW_RETRIES:"
    r"|expected-(?:error|warning|remark|note)|[A-Z][A-Z0-9_-]*(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?:)"
)


def is_directive(comment: str) -> bool:
    """Whether a comment is meant for a tool, such as FileCheck: its author put it in its column."""
    return _DIRECTIVE.match(comment) is not None


@record
class Move:
    """A line of code that stood at one column and stands at another now."""

    old: int
    new: int


def column_of(comment: str, column: int, following: Move | None, before: Move | None, otherwise: int) -> int:
    """The column for a comment on a line of its own: it moves with the line of code that it stands above, or else
    below. One at the margin stays there, and one that is meant for a tool where it is; others stand where code does."""
    for code in (following, before):
        if code is not None and code.old == column:
            return code.new
    return column if column == 0 or is_directive(comment) else otherwise


def between(lines: Iterable[tuple[int, str]], was_blank: bool, column: Callable[[str, int], int]) -> Iterator[Change]:
    """The changes in lines between those with code, each with its offset: of blank lines that follow each other the
    first stays, or none if a blank one stands before them; comments go where `column` says, which gets the comment and
    its column."""
    for start, line in lines:
        end, stop = content_end(line), len(line) - len(line_end(line))
        if is_blank(line):
            if was_blank:
                yield Change(start, start + len(line), "")
            elif stop:
                yield Change(start, start + stop, "")
            was_blank = True
            continue
        was_blank = False
        lead = indentation(line)
        yield from put(start, start + lead, line[:lead], " " * column(line[lead:end], margin(line)))
        yield from put(start + end, start + stop, line[end:stop], "")


@record
class _Behind:
    """A comment behind code: its line and column, what stands between the two, and how wide the code is now."""

    line: int
    column: int
    start: int
    end: int
    gap: str
    width: int


@record(frozen=False)
class Margin:
    """The comments behind code on lines that follow each other, in one column: they stay in one."""

    comments: list[_Behind] = field(default_factory=list[_Behind])

    def add(self, line: int, column: int, place: tuple[int, int], gap: str, width: int) -> Iterator[Change]:
        """Takes in a comment at a `place`, the white space before it, which is `gap`; gives the changes of those before
        it that it does not stand below."""
        last = self.comments[-1] if self.comments else None
        if last is not None and (line != last.line + 1 or column != last.column):
            yield from self.end()
        self.comments.append(_Behind(line, column, *place, gap, width))

    def end(self) -> Iterator[Change]:
        """The changes of all that were taken in."""
        comments, self.comments = self.comments, []
        if len(comments) == 1:
            only = comments[0]
            if not only.gap:
                yield Change(only.start, only.end, " ")
            return
        yield from _aligned(comments)


def _aligned(comments: Sequence[_Behind]) -> Iterator[Change]:
    if not comments:
        return
    column = max(comment.width for comment in comments) + max(min(len(comment.gap) for comment in comments), 1)
    for comment in comments:
        gap = " " * (column - comment.width)
        if gap != comment.gap:
            yield Change(comment.start, comment.end, gap)
