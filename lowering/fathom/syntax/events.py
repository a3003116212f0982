"""What the lines of a statement say, in order: operations, regions that open and close, labels, aliases, errors.

`base` is the index, among the tokens of the statement, of the first token that the event's references count from. For
an operation that spans several statements, each contributes a stretch of its tokens, beginning at reference `first`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fathom.syntax.frames import OpenOp
from fathom.syntax.nodes import Node, ParsedAlias, ParsedLabel, ParsedOp


@dataclass(frozen=True, slots=True)
class OpEvent:
    """An operation without regions, or with the last of its regions just closed by `ends_region`."""

    parsed: ParsedOp
    base: int
    first: int = 0
    ends_region: bool = False


@dataclass(frozen=True, slots=True)
class OpenEvent:
    """An operation up to the `{` of a region, at token `brace`; `reopens` when another region of it closed just
    before."""

    open: OpenOp
    base: int
    brace: int
    first: int = 0
    reopens: bool = False


@dataclass(frozen=True, slots=True)
class LabelEvent:
    label: ParsedLabel
    base: int


@dataclass(frozen=True, slots=True)
class AliasEvent:
    alias: ParsedAlias
    base: int


@dataclass(frozen=True, slots=True)
class MetadataEvent:
    """`{-# … #-}`."""

    metadata: Node
    base: int


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """Something that does not parse, from token `start` up to token `end`; the mistake shows at token `at`, or, below
    zero, behind token `~at`.

    `parsed` is what could be read of an operation before. `closes` tells that the mistake follows the end of a region.
    """

    message: str
    start: int
    at: int
    end: int
    parsed: ParsedOp | None = None
    base: int = 0
    closes: bool = False


@dataclass(frozen=True, slots=True)
class UnclosedEvent:
    """Before token `at`, `count` regions must end, though no brace says so: a function begins inside a function."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class BrokenEndEvent:
    """The closing brace, token `at`, of a region that belongs to a line that did not parse."""

    at: int


Event: TypeAlias = (
    OpEvent | OpenEvent | LabelEvent | AliasEvent | MetadataEvent | ErrorEvent | UnclosedEvent | BrokenEndEvent
)
