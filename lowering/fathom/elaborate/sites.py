"""What the text of a statement stands for, kept with the statement.

A place in the text is a site and a token, so that it stays true while the text around the statement changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Span, Value
from fathom.records import NamedTuple
from fathom.syntax.pieces import Piece

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom.elaborate.elaborated import Elaborated
    from fathom.elaborate.templates import Template

_NOTHING: Final[dict[int, Any]] = {}
_NONE: Final[list[Diagnostic]] = []
"""What statements have in common of which there is nothing to say; never written to."""


SPACING: Final = 1 << 10
"""The room for other statements between two that stand side by side, as `Site.order` counts, for each character."""


class Site:
    """A statement of the text that was elaborated, where it begins, and what its tokens stand for.

    `uses`, `blocks` and `operations` go by the token's index in the statement; of `definitions`, the values that a
    name was given to. `findings` are what is wrong with it.

    Where its operation was made by a template, `op` and `template` are these, and the rest follows from them when it is
    asked for.
    """

    __slots__ = (
        "_definitions",
        "_operations",
        "_owner",
        "_spans",
        "_start",
        "_uses",
        "_version",
        "blocks",
        "end",
        "findings",
        "op",
        "order",
        "piece",
        "template",
    )

    def __init__(self, piece: Piece, start: int, owner: Elaborated) -> None:
        self.piece = piece
        self._owner = owner
        self._start = start
        self._version: object = owner.version if start >= 0 else self
        self.order = start * SPACING
        """Greater than that of all statements before it."""
        self.end: Operation | Block | Region | None = None
        """The operation after which the next statement's stands; if there is none yet, its block, or its region. None
        for a statement that says nothing."""
        self.blocks: dict[int, Block] = _NOTHING
        self.findings = _NONE
        self.op: Operation | None = None
        self.template: Template | None = None
        self._uses: dict[int, Value] | None = None
        self._definitions: dict[int, list[Value]] | None = None
        self._operations: dict[int, Operation] | None = None
        self._spans: list[tuple[int, int]] | None = None

    @property
    def start(self) -> int:
        """Where it begins, in characters from the beginning of the first item."""
        if self._version is not self._owner.version:
            self.place_at(self._owner.start_of(self.piece))
        return self._start

    def place_at(self, start: int) -> None:
        """Takes note of where it begins now."""
        self._version = self._owner.version
        self._start = start

    def text(self, token: int) -> str:
        """The text of a token."""
        return self.piece.token_text(token)

    def mentions(self, name: str) -> bool:
        """Whether a name, such as `%x`, stands in its text, alone or with the number of a result."""
        return any(hole.partition("#")[0] == name for hole in self.piece.holes())

    def clear(self) -> None:
        """Forgets what its tokens stand for."""
        self.op = self.template = None
        self._uses = self._definitions = self._operations = None
        self.blocks = _NOTHING
        self._owner.troubled.pop(self, None)
        if not self.piece.shape.has_errors:
            self._owner.obscure.pop(self, None)
        self.findings = _NONE

    @property
    def uses(self) -> dict[int, Value]:
        """The values that are used here."""
        if self._uses is None and self.template is not None and self.op is not None:
            self._uses = self.template.uses_of(self.op)
        return self._uses or _NOTHING

    @property
    def definitions(self) -> dict[int, list[Value]]:
        """The values that get a name here."""
        if self._definitions is None and self.template is not None and self.op is not None:
            self._definitions = self.template.definitions_of(self.op)
        return self._definitions or _NOTHING

    @property
    def operations(self) -> dict[int, Operation]:
        """The operations whose names stand here."""
        if self._operations is None and self.template is not None and self.op is not None:
            self._operations = {self.template.name_token: self.op}
        return self._operations or _NOTHING

    def mark_use(self, token: int, value: Value) -> None:
        """Notes that the name at a token is that of a value, which is used there."""
        if (uses := self._uses) is None and (uses := self.uses) is _NOTHING:
            uses = self._uses = {}
        uses[token] = value

    def define(self, token: int, values: list[Value]) -> None:
        """Notes that the name at a token is that of values, which get it there."""
        if (definitions := self._definitions) is None and (definitions := self.definitions) is _NOTHING:
            definitions = self._definitions = {}
        definitions[token] = values

    def mark_operation(self, token: int, op: Operation) -> None:
        """Notes that the name at a token is that of an operation."""
        if (operations := self._operations) is None and (operations := self.operations) is _NOTHING:
            operations = self._operations = {}
        operations[token] = op

    def mark_block(self, token: int, block: Block) -> None:
        """Notes that the label at a token is that of a block."""
        if self.blocks is _NOTHING:
            self.blocks = {}
        self.blocks[token] = block

    def forget(self) -> None:
        """Forgets the IR."""
        self.op = self.end = self.template = self._uses = self._definitions = self._operations = None
        self.blocks = _NOTHING
        self.findings = _NONE
        if self._version is self:
            self._version = None

    def mark_obscure(self) -> None:
        """Notes that not all it mentions shows in the IR."""
        self._owner.obscure[self] = None

    def find(self, diagnostic: Diagnostic) -> None:
        """Notes that something is wrong here."""
        if self.findings is _NONE:
            self.findings = []
            self._owner.troubled[self] = None
        self.findings.append(diagnostic)

    def acquit(self, diagnostic: Diagnostic) -> None:
        """Notes that something is wrong no more."""
        self.findings.remove(diagnostic)
        if not self.findings:
            self.findings = _NONE
            self._owner.troubled.pop(self, None)

    def span(self, token: int) -> Span:
        """Where a token stands; the last one for those of the same operation that stand in a later statement."""
        index = max(min(token, len(self.piece.shape.tokens) - 1), 0)
        spans = self._spans
        if spans is None or len(spans) <= index:
            # One token is often all that is asked for; where another is, all are looked up.
            spans = self._spans = self.piece.token_spans(index + 1 if spans is None else None)
        first, last = spans[index] if spans else (0, 0)
        return Span(first, last, self)


class TokenSpan(Span):
    """The span of a token of a statement; where it begins and ends is found out when it is asked for."""

    __slots__ = ("token",)

    def __init__(self, site: Site, token: int) -> None:
        self.origin = site
        self.token = token

    def __getattr__(self, name: str) -> int:
        if name not in ("first", "last"):
            raise AttributeError(name)
        span = self.origin.span(self.token)
        self.first, self.last = span.first, span.last
        return self.first if name == "first" else self.last


class Place(NamedTuple):
    """A token of the text that is elaborated: its statement, and its index in it."""

    site: Site
    token: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return TokenSpan(self.site, self.token)


def home_of(owner: Operation | BlockArgument) -> Site | None:
    """The statement in which an operation, or the name of an argument, stands."""
    origin = owner.span.origin if owner.span is not None else None
    return origin if isinstance(origin, Site) else None


def site_of(value: Value) -> Site | None:
    """The statement that defines a value."""
    owner = value.op if isinstance(value, OpResult) else value
    return home_of(owner) if isinstance(owner, (Operation, BlockArgument)) else None


def definition(value: Value) -> Place | None:
    """Where the name of a value is written at its definition."""
    site = site_of(value)
    if site is not None:
        for token, values in site.definitions.items():
            if any(defined is value for defined in values):
                return Place(site, token)
    return None


def definition_span(value: Value) -> Span | None:
    """Where the name of a value is written at its definition."""
    place = definition(value)
    return place.span if place is not None else None
