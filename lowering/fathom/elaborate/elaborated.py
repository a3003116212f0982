"""What elaboration yields: the IR, what is wrong with it, and the map between it and the text.

The map is kept with the statements: each has a `Site`, which knows what its text stands for. A place in the text is a
site and a token, so that it stays true while the text around the statement changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fathom.diagnostics import ELABORATE, FURTHER, OVERRUN, Diagnostic, Note
from fathom.elaborate.failure import ElaborationFailure
from fathom.ir.dismantle import dismantle
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Span, Value
from fathom.slices import checkpoint, paced
from fathom.syntax.nodes import Ref
from fathom.syntax.pieces import Piece, Pieces

if TYPE_CHECKING:
    from fathom.elaborate.scopes import BlockNames, ValueNames
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
        shape = self.piece.shape
        hole = shape.hole_of[token]
        return self.piece.holes()[hole] if hole >= 0 else shape.tokens[token].text

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
        if (uses := self.uses) is _NOTHING:
            uses = self._uses = {}
        uses[token] = value

    def define(self, token: int, values: list[Value]) -> None:
        """Notes that the name at a token is that of values, which get it there."""
        if (definitions := self.definitions) is _NOTHING:
            definitions = self._definitions = {}
        definitions[token] = values

    def mark_operation(self, token: int, op: Operation) -> None:
        """Notes that the name at a token is that of an operation."""
        if (operations := self.operations) is _NOTHING:
            operations = self._operations = {}
        operations[token] = op

    def mark_block(self, token: int, block: Block) -> None:
        """Notes that the label at a token is that of a block."""
        if self.blocks is _NOTHING:
            self.blocks = {}
        self.blocks[token] = block

    def let_go(self) -> None:
        """Forgets the IR."""
        self.op = self.end = self.template = self._uses = self._definitions = self._operations = None
        self.blocks = _NOTHING

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
        """Where a token stands."""
        spans = self._spans
        if spans is None or len(spans) <= token < len(self.piece.shape.tokens):
            # One token is often all that is asked for; where another is, all are looked up.
            spans = self._spans = self.piece.token_spans(token + 1 if spans is None else None)
        if not spans:
            return Span(0, 0, self)
        first, last = spans[max(min(token, len(spans) - 1), 0)]
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
        found = self.origin.span(self.token)
        self.first, self.last = found.first, found.last
        return self.first if name == "first" else self.last


class Place(NamedTuple):
    """A token of the text that is elaborated: its statement, and its index in it."""

    site: Site
    token: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return TokenSpan(self.site, self.token)


class Elaborated:
    """The IR of a run of items, and the map between it and the text. All offsets count from the first item."""

    def __init__(self, base: int = 0) -> None:
        self.operations: list[Operation] = []
        self.sites: dict[Piece, Site] = {}
        """The statements that say something, in the order of the text."""
        self.spread: dict[Operation, tuple[Site, ...]] = {}
        """The operations whose own text stands in several statements."""
        self.around: dict[Operation, Template] = {}
        """What operations with regions were made by, if they were made like others."""
        self.scopes: dict[Region, ValueNames] = {}
        """The names that are visible in each region."""
        self.labels: dict[Region, BlockNames] = {}
        """The labels of each region."""
        self.troubled: dict[Site, None] = {}
        """The statements with something wrong."""
        self.obscure: dict[Site, None] = {}
        """Those that could not be read or resolved, so that not all they mention shows in the IR."""
        self.length = base
        self.version: object = None
        """Another object whenever the text has changed."""
        self._pieces: Pieces | None = None
        """The statements of the text as it is now, if it has changed."""

    def add(self, piece: Piece) -> Site:
        """Takes in a piece that says something."""
        site = self.sites[piece] = Site(piece, self.length, self)
        if piece.shape.has_errors:
            self.obscure[site] = None
        self.length += piece.length
        return site

    def move(self, pieces: Pieces) -> None:
        """Goes on to the text as it is now: what stands where it stood may have moved."""
        self.version = object()
        self._pieces = pieces

    def start_of(self, piece: Piece) -> int:
        """Where a statement of the text as it is now begins."""
        assert self._pieces is not None, "only in a text that changes are places looked up"
        return self._pieces.offset(self._pieces.index_of(piece))

    def place_all(self) -> None:
        """Works out where all statements begin at once, for those who are about to ask for most of them."""
        for piece, start in self._pieces.with_offsets() if self._pieces is not None else ():
            site = self.sites.get(piece)
            if site is not None:
                site.place_at(start)

    def insert(self, pieces: Sequence[Piece], first: int, count: int) -> list[Site]:
        """Takes in those that say something of the statements from `first` on, `count` of them, that now stand among
        `pieces`, the whole text's."""
        fresh = [Site(piece, -1, self) for piece in pieces[first : first + count] if piece.shape.events]
        low = next((site.order for site in self._sites(pieces, range(first - 1, -1, -1))), 0)
        after = self._sites(pieces, range(first + count, len(pieces)))
        high = next((site.order for site in after), low + SPACING * (len(fresh) + 1))
        step = (high - low) // (len(fresh) + 1)
        for number, site in enumerate(fresh, 1):
            self.sites[site.piece] = site
            if site.piece.shape.has_errors:
                self.obscure[site] = None
            site.order = low + number * step
        if not step:
            for number, site in enumerate(self._sites(pieces, range(len(pieces))), 1):
                site.order = number * SPACING
        return fresh

    def _sites(self, pieces: Sequence[Piece], indices: range) -> Iterator[Site]:
        return (site for index in indices if (site := self.sites.get(pieces[index])) is not None)

    def dismantle(self) -> None:
        """Takes the IR and the map apart. Nobody may use any of it afterwards."""
        for op in self.operations:
            dismantle(op)
        for site in paced(self.sites.values()):
            site.let_go()
        for names in self.scopes.values():
            names.let_go()
        for known in (self.sites, self.spread, self.around, self.scopes, self.labels, self.troubled, self.obscure):
            checkpoint()
            known.clear()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong, statement by statement."""
        return [found for site in sorted(self.troubled, key=_order) for found in site.findings]

    def template(self, op: Operation) -> Template | None:
        """What an operation was made by, if it was made like others."""
        if op.regions:
            return self.around.get(op)
        site = home_of(op)
        # What a rewrite makes in place of an operation has its span.
        return site.template if site is not None and site.op is op else None

    # ---- the map

    def sites_of(self, op: Operation) -> tuple[Site, ...]:
        """The statements in which the text of an operation stands, without that of its regions."""
        found = self.spread.get(op)
        if found is not None:
            return found
        site = home_of(op)
        return (site,) if site is not None else ()

    def use_spans(self, value: Value) -> Iterator[Span]:
        """Where a value is used, in no order."""
        for user in value.uses:
            for site in self.sites_of(user):
                yield from (site.span(token) for token, used in site.uses.items() if used is value)

    def label_spans(self, block: Block) -> Iterator[Span]:
        """Where the label of a block stands, at the block itself and where it is a successor."""
        yield from (block.label_span,) if block.label_span is not None else ()
        for other in block.parent.blocks if block.parent is not None else ():
            if block in other.successors and other.last is not None:
                for site in self.sites_of(other.last):
                    yield from (site.span(token) for token, named in site.blocks.items() if named is block)

    def definitions(self) -> Iterator[tuple[Value, Place]]:
        """The values that have a name, in the order of the text."""
        for site in self.sites.values():
            for token, values in site.definitions.items():
                yield from ((value, Place(site, token)) for value in values)

    def value_at(self, piece: Piece, token: int) -> Value | None:
        """The value whose name stands at a token, at its definition or at a use."""
        site = self.sites.get(piece)
        if site is None:
            return None
        return site.uses.get(token) or next(iter(site.definitions.get(token, ())), None)

    def block_at(self, piece: Piece, token: int) -> Block | None:
        """The block whose label stands at a token."""
        site = self.sites.get(piece)
        return site.blocks.get(token) if site is not None else None

    def operation_at(self, piece: Piece, token: int) -> Operation | None:
        """The operation whose name stands at a token."""
        site = self.sites.get(piece)
        return site.operations.get(token) if site is not None else None


def _order(site: Site) -> int:
    return site.order


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
            if any(each is value for each in values):
                return Place(site, token)
    return None


def definition_span(value: Value) -> Span | None:
    """Where the name of a value is written at its definition."""
    place = definition(value)
    return place.span if place is not None else None


def note(message: str, place: Place | None, *, hint: bool = False) -> tuple[Note, ...]:
    """A note at a token; none where there is no such token."""
    return (Note(message, place.span, hint),) if place is not None else ()


def report(
    message: str,
    place: Place,
    *notes: Note,
    code: str = ELABORATE,
    part: tuple[int, int] | None = None,
    follows_from: Diagnostic | None = None,
) -> Diagnostic:
    """Notes an error at a token, or at a part of its characters, in its statement."""
    if code == ELABORATE and place.token >= len(place.site.piece.shape.tokens):
        code = OVERRUN
    span = place.span
    if part is not None:
        span = Span(span.start + part[0], span.start + part[1], place.site)
    found = Diagnostic(message, span, "error", code, notes, follows_from=follows_from)
    place.site.find(found)
    return found


def report_failure(failure: ElaborationFailure, place_of: Callable[[Ref], Place]) -> None:
    """Notes what made elaboration fail; `place_of` finds the tokens that it blames."""
    notes = [Note(text) for text in failure.notes]
    cause = report(failure.message, place_of(failure.place), *notes, part=failure.part)
    for message, ref in failure.further:
        report(message, place_of(ref), code=FURTHER, follows_from=cause)
