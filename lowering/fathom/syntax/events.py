"""What the lines of a statement say, in order: operations, regions that open and close, labels, aliases, errors.

`base` is the index, among the tokens of the statement, of the first token that the event's references count from. For
an operation that spans several statements, each contributes a stretch of its tokens, beginning at reference `first`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from fathom.records import record
from fathom.syntax.frames import OpenOp
from fathom.syntax.nodes import Node, ParsedAlias, ParsedLabel, ParsedOp

Showing: TypeAlias = Literal["at", "behind", "past"]


@record
class OpEvent:
    """An operation without regions, or with the last of its regions just closed by `ends_region`."""

    parsed: ParsedOp
    base: int
    first: int = 0
    ends_region: bool = False


@record
class OpenEvent:
    """An operation up to the `{` of a region, at token `brace`; `reopens` when another region of it closed just
    before."""

    open: OpenOp
    base: int
    brace: int
    first: int = 0
    reopens: bool = False


@record
class LabelEvent:
    label: ParsedLabel
    base: int


@record
class AliasEvent:
    alias: ParsedAlias
    base: int


@record
class MetadataEvent:
    """`{-# … #-}`."""

    metadata: Node
    base: int


@record
class ErrorEvent:
    """Something that does not parse, from token `start` up to token `end`; the mistake shows at token `at`, or, below
    zero, behind token `~at`.

    `parsed` is what could be read of an operation before. `closes` tells that the mistake follows the end of a region.
    `further` is what MLIR says besides, each with its token. MLIR shows the mistake at the token that does not fit,
    `behind` the one before, or where that token ends (`past`), as `shows` tells.
    """

    message: str
    start: int
    at: int
    end: int
    parsed: ParsedOp | None = None
    base: int = 0
    closes: bool = False
    further: tuple[tuple[str, int], ...] = ()
    shows: Showing = "at"


@record
class UnclosedEvent:
    """Before token `at`, `count` regions must end, though no brace says so: a function begins inside a function."""

    at: int
    count: int


@record
class BrokenEndEvent:
    """The closing brace, token `at`, of a region that belongs to a line that did not parse."""

    at: int


Event: TypeAlias = (
    OpEvent | OpenEvent | LabelEvent | AliasEvent | MetadataEvent | ErrorEvent | UnclosedEvent | BrokenEndEvent
)
