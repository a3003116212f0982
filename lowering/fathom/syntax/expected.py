"""What could stand where a text breaks off: the parser reads it up to there, and what it looks for at its end is noted.

Nothing lists for an operation what may stand where: whoever reads its syntax asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from fathom.records import field, record
from fathom.slices import checkpoint
from fathom.syntax.cursor import Cursor
from fathom.syntax.events import ErrorEvent, Event, OpenEvent, OpEvent
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.frames import Frame, OpenOp, Reached
from fathom.syntax.grammar import Unfinished, unfinished
from fathom.syntax.nodes import Argument, FunctionSignature, Node, ParsedOp, Ref
from fathom.syntax.probes import BY_KIND, PREFIX
from fathom.syntax.statements import StatementParser
from fathom.syntax.stream import LineAt, TokenStream
from fathom.syntax.vocabulary import Vocabulary

_KINDS: Final = {prefix: kind for kind, prefix in PREFIX.items()}


@record(frozen=False)
class Expected:
    """What could stand at the end of a text.

    `words` are keywords and punctuation, in the order in which the parser asked for them, and `kinds` those of tokens
    (`fathom.syntax.probes`). A `new` name of a value or symbol is given there, and none is used. A `statement` may
    begin there, or the name of an operation stand behind its results; `around` is the operation in whose region that
    would be. `parsed` is what was read of the operation that breaks off, with the names of the `operands` in each
    group; `groups` are those of operands that could go on there, `""` one that nobody named. `unfinished` is the type
    or attribute that breaks off, or could go on; `in_argument` if this is the dictionary of an argument. Of a text that
    went wrong before its end nothing is known: it `is_lost`.
    """

    words: dict[str, None] = field(default_factory=dict[str, None])
    kinds: dict[str, None] = field(default_factory=dict[str, None])
    new: bool = False
    statement: bool = False
    operation: bool = False
    parsed: ParsedOp | None = None
    operands: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"])
    groups: dict[str, None] = field(default_factory=dict[str, None])
    unfinished: Unfinished | None = None
    in_argument: bool = False
    is_lost: bool = False
    around: OpenOp | None = None
    default_dialect: str = ""


class _Noting(Cursor):
    """A cursor that notes what is asked for where its tokens end."""

    def __init__(self, stream: TokenStream, fragments: FragmentMemory, margin: int, reached: Reached | None) -> None:
        super().__init__(stream, fragments, margin=margin, reached=reached)
        self._group = ""
        self.groups: dict[str, None] = {}
        self.suggested: dict[str, None] = {}
        self.unfinished: Unfinished | None = None
        self.breaks_off: str | None = None
        """What sort of fragment could not be read here."""
        self.new = False
        self.in_argument = False

    @property
    def at_end(self) -> bool:
        return self.token.kind == "END"

    def suggest(self, words: Iterable[str]) -> None:
        if self.at_end:
            self.suggested.update(dict.fromkeys(words))

    def read_group(self, name: str) -> None:
        self._group = name

    def at_kind(self, kind: str) -> bool:
        if kind == "value" and self.at_end:
            self.groups[self._group] = None
        return super().at_kind(kind)

    def fragment(self, start: str, *, fixed: bool) -> Node:
        first = self.position
        self.breaks_off = start
        node = super().fragment(start, fixed=fixed)
        self.breaks_off = None
        if self.at_end:
            self.unfinished = unfinished(start, self.stream.token, first)
        return node

    def optional_dictionary(self) -> Node | None:
        self.in_argument = True
        dictionary = super().optional_dictionary()
        self.in_argument = False
        return dictionary

    # ---- names that are given

    def value_definition(self) -> Ref:
        self.new = self.new or self.at_end
        return super().value_definition()

    def symbol_name(self) -> Ref:
        self.new = self.new or self.at_end
        return super().symbol_name()

    def argument(self, *, allow_type: bool = True, allow_attributes: bool = True) -> Argument:
        self.new = self.new or self.at_end
        return super().argument(allow_type=allow_type, allow_attributes=allow_attributes)

    def signature(self, parsed: ParsedOp, *, variadic: bool = False) -> FunctionSignature:
        outer, self.new = self.new, True
        signature = super().signature(parsed, variadic=variadic)
        self.new = outer
        return signature

    def block_argument(self) -> Argument:
        self.new = self.new or self.at_end
        return super().block_argument()

    # ---- what was noted

    def tell(self, expected: Expected) -> None:
        """Says what was asked for at the end."""
        if self.breaks_off is not None:
            self.unfinished = unfinished(self.breaks_off, self.stream.token, self.position)
        elif not self.at_end:
            self.unfinished = None
        expected.is_lost = self.unfinished is None and not self.at_end
        if expected.is_lost:
            return
        expected.unfinished, expected.in_argument, expected.new = self.unfinished, self.in_argument, self.new
        if self.breaks_off is None or self.unfinished is None or not self.unfinished.tokens:
            _add_probes(expected, self.probes if self.probed_at == self.position else ())
            expected.words |= self.suggested
            expected.groups = self.groups


def _add_probes(expected: Expected, probes: Iterable[str]) -> None:
    for probe in probes:
        if probe.startswith(BY_KIND):
            expected.kinds[probe[1:]] = None
        elif probe in _KINDS:
            expected.kinds[_KINDS[probe]] = None
        else:
            expected.words[probe] = None


class _UpToEnd(StatementParser):
    """Reads all statements of a text, the last of which may break off."""

    def __init__(self, frame: Frame, line_at: LineAt, vocabulary: Vocabulary, fragments: FragmentMemory) -> None:
        super().__init__(frame, line_at, vocabulary, fragments)
        self.last: _Noting | None = None

    def cursor_over(self, stream: TokenStream, reached: Reached | None = None) -> Cursor:
        self.last = _Noting(stream, self.fragments, self.margin, reached)
        return self.last

    def read(self) -> Expected:
        while self.stream.token(self.position).kind != "END":
            checkpoint()
            self.last = None
            self.event()
        expected = Expected(around=self.nesting.innermost, default_dialect=self.nesting.default_dialect)
        events, last = self.state.events, self.last
        event = events[-1] if events else None
        expected.statement = not isinstance(event, ErrorEvent)
        expected.parsed = _parsed_in(event)
        if last is None:
            # What a closing brace ends may go on behind it.
            _add_probes(expected, sorted(self.state.probes))
        elif not isinstance(event, OpenEvent):
            last.tell(expected)
        parsed = expected.parsed
        if last is not None and parsed is not None:
            operands = parsed.operands.items()
            expected.operands = {name: [last.token_at(ref).text for ref in refs] for name, refs in operands}
        if last is not None and parsed is not None and not parsed.name and not expected.is_lost:
            expected.operation = last.token_at(parsed.name_token).kind == "END"
            expected.new = not expected.operation
        return expected


def _parsed_in(event: Event | None) -> ParsedOp | None:
    return event.parsed if isinstance(event, (OpEvent, ErrorEvent)) else None


def expected_after(frame: Frame, lines: Sequence[str], vocabulary: Vocabulary, fragments: FragmentMemory) -> Expected:
    """What could stand behind some lines, the first of which stands in `frame`."""
    return _UpToEnd(frame, lambda number: lines[number] if number < len(lines) else None, vocabulary, fragments).read()
