"""Where in the nesting of regions a line stands.

Frames are hash-consed: two places with the same nesting of the same headers have the identical frame, so that "the rest
of the document means what it meant" is one comparison (`fathom.syntax.reparse`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from fathom.records import record
from fathom.syntax.beginnings import ANY_DIALECT
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import ParsedOp, ParsedRegion, Ref
from fathom.syntax.prefixes import Prefix

if TYPE_CHECKING:
    from fathom.syntax.shapes import ShapeTrie
    from fathom.syntax.vocabulary import OpSyntax


@record
class Reached:
    """How far a list of any number of regions, which begins at `begin`, was read when one of them opened: up to
    `position`, behind that region. `heads` are what stood before each of them. `operation` is what stands before the
    list, where that depends on nothing but the tokens: the operation as it was read up to there."""

    begin: Ref
    position: Ref
    regions: Prefix[ParsedRegion]
    heads: Prefix[object]
    operation: ParsedOp | None = None


class OpenOp:
    """An operation of whose regions one is open.

    `tokens` are all its tokens before the open region, with one `REGION` token for each that was closed, on lines with
    negative numbers. `reached` is how far one with any number of regions need not be read again. `parsed` is what is
    known of it before the rest is read. An operation that could not be parsed, but whose line opens a brace, has no
    syntax and is `broken`. If it is complete once the region is closed, `probes` are the beginnings of words that would
    continue it nevertheless; else None.
    """

    __slots__ = ("broken", "default_dialect", "parsed", "probes", "reached", "syntax", "tokens")

    def __init__(
        self,
        tokens: Sequence[Token],
        parsed: ParsedOp | None,
        syntax: OpSyntax | None,
        broken: bool,
        outer_dialect: str = "",
        probes: frozenset[str] | None = None,
        reached: Reached | None = None,
    ) -> None:
        """`outer_dialect` is the default dialect around the operation, which the generic form does not change."""
        self.default_dialect = _default_dialect(parsed, syntax, outer_dialect)
        self.tokens = tokens
        self.parsed = parsed
        self.syntax = syntax
        self.broken = broken
        self.probes = probes
        self.reached = reached

    @property
    def is_container(self) -> bool:
        return self.syntax is not None and self.syntax.container

    @property
    def is_table(self) -> bool:
        return self.syntax is not None and self.syntax.table

    @property
    def is_function(self) -> bool:
        return self.syntax is not None and self.syntax.function


def _default_dialect(parsed: ParsedOp | None, syntax: OpSyntax | None, outer: str) -> str:
    if parsed is not None and parsed.generic:
        return outer
    if syntax is not None:
        return syntax.default_dialect
    return ANY_DIALECT if parsed is not None and not parsed.known else ""


class Frame:
    """The open operation and the frame around it; the root frame, at the top level, has neither.

    `shared` holds the shapes that mean the same in every frame with this default dialect, `local` those that depend on
    the frame itself, such as closing braces. A frame lives for as long as something stands in it.
    """

    __slots__ = (
        "__weakref__",
        "_children",
        "containers",
        "default_dialect",
        "depth",
        "is_container",
        "local",
        "open",
        "parent",
        "shared",
    )

    def __init__(self, parent: Frame | None, open: OpenOp | None, shared: ShapeTrie) -> None:
        self.parent = parent
        self.open = open
        self.shared = shared
        self.local: ShapeTrie = {}
        self.default_dialect = open.default_dialect if open is not None else "builtin"
        self.is_container: bool = open is None or parent is None or (open.is_container and parent.is_container)
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.containers: int = self.depth if self.is_container or parent is None else parent.containers
        """How many containers are open; all of them are outside all that is none."""
        self._children: WeakValueDictionary[OpenOp, Frame] | None = None

    def child(self, open: OpenOp, shared: ShapeTrie) -> Frame:
        """The frame in a region of an operation that is open here; none of its own shapes is known where it is new."""
        if self._children is None:
            self._children = WeakValueDictionary()
        frame = self._children.get(open)
        if frame is None:
            frame = self._children[open] = Frame(self, open, shared)
        return frame

    def within(self) -> Iterator[Frame]:
        """The frame and all those in it."""
        pending = [self]
        while pending:
            frame = pending.pop()
            yield frame
            pending += list(frame._children.values()) if frame._children is not None else ()
