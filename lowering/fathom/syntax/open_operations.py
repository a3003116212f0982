"""The operations that are open at a point of a statement: those of its frame but what it closed, and what it opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from fathom.syntax.cursor import Cursor
from fathom.syntax.frames import Frame, OpenOp
from fathom.syntax.lexer import Token, without_lines
from fathom.syntax.prefixes import Prefix
from fathom.syntax.stream import JoinedTokens


class OpenOperations:
    """The operations whose regions are open as a statement goes on that began in `frame`: of those around it `pops` are
    closed by now, and `pushes` were opened since."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.pops = 0
        self.pushes: list[OpenOp] = []

    @property
    def innermost(self) -> OpenOp | None:
        """The operation in whose region the statement stands now; None at the top."""
        return next(iter(self), None)

    @property
    def default_dialect(self) -> str:
        innermost = self.innermost
        return innermost.default_dialect if innermost is not None else "builtin"

    def __iter__(self) -> Iterator[OpenOp]:
        """The open operations, from the innermost outwards."""
        yield from reversed(self.pushes)
        frame: Frame | None = self._frame
        for _ in range(self.pops):
            frame = frame.parent if frame is not None else None
        while frame is not None and frame.open is not None:
            yield frame.open
            frame = frame.parent

    def open(self, operation: OpenOp) -> None:
        """A region of an operation opens."""
        self.pushes.append(operation)

    def close(self) -> None:
        """The innermost region closes."""
        if self.pushes:
            self.pushes.pop()
        else:
            self.pops += 1

    def in_function(self) -> Iterator[OpenOp]:
        """The open operations up to the innermost function; none unless there is one, and no container lies between."""
        open_ops: list[OpenOp] = []
        for open in self:
            if open.is_container:
                return
            open_ops.append(open)
            if open.is_function:
                yield from open_ops
                return


def before_region(cursor: Cursor) -> Sequence[Token]:
    """The tokens before the region at which a cursor opened one, on lines of their own, before those of the statement
    that will follow. Of a list of any number of regions, those that were there before are shared."""
    tokens = cursor.stream.tokens
    count = len(tokens) - 1
    before = tokens.before if isinstance(tokens, JoinedTokens) else ()
    shared = len(before) if cursor.reached is not None else 0
    behind = islice(tokens.behind(), count - shared) if isinstance(tokens, JoinedTokens) and shared else tokens[:count]
    new = without_lines([*behind], frozenset(ref - shared for ref in cursor.fixed if ref >= shared))
    lines = (new[-1].line if new else 0) + 1
    earlier = [Token(kind, text, line - lines, column) for kind, text, line, column in new]
    if cursor.reached is None:
        return tuple(earlier)
    return before.then(earlier) if isinstance(before, Prefix) else Prefix(earlier)
