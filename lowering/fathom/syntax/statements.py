"""Parsing a statement from its tokens: the slow path, taken once for each shape.

A statement is a run of whole lines at whose end the parser stands between two events. It never fails: what does not
parse becomes an `ErrorEvent`, and parsing goes on at the next line that looks like the beginning of something.
"""

from __future__ import annotations

import re
from typing import Final

from fathom.records import field, record
from fathom.slices import checkpoint
from fathom.syntax.beginnings import begins_something, first_swallowed
from fathom.syntax.braces import Braces
from fathom.syntax.carried import MOST_IN_LINE, is_unread
from fathom.syntax.cursor import Cursor
from fathom.syntax.events import (
    AliasEvent,
    BrokenEndEvent,
    ErrorEvent,
    Event,
    LabelEvent,
    MetadataEvent,
    OpenEvent,
    OpEvent,
    UnclosedEvent,
)
from fathom.syntax.expectations import showing
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.frames import Frame, OpenOp, Reached
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import ParsedAlias, ParsedLabel, ParsedOp
from fathom.syntax.open_operations import OpenOperations, before_region
from fathom.syntax.operations import parse_operation
from fathom.syntax.prefixes import Prefix
from fathom.syntax.probes import would_take
from fathom.syntax.stream import MANY, MOST_TOKENS, LineAt, LineTokens, TokensFrom, TokenStream
from fathom.syntax.token_reader import SyntaxFailure
from fathom.syntax.vocabulary import OpSyntax, Vocabulary

_FAR: Final = 400
"""How many lines a function inside an unknown operation inside a function may be away from the end of the latter."""


@record(frozen=False)
class Statement:
    """The outcome: how many lines it takes, its events, what makes it the shape that it is, and what it does to the
    frame.

    `frame_bound` says that the meaning depends on the frame it stands in, beyond the default dialect.
    """

    lines: int
    events: tuple[Event, ...]
    tokens: tuple[Token, ...]
    fixed: frozenset[int]
    probes: frozenset[str]
    pops: int
    pushes: tuple[OpenOp, ...]
    frame_bound: bool
    has_errors: bool
    cacheable: bool = True
    open_ended: bool = False
    """Whether it ends with an unknown operation, which takes the lines after it that begin nothing."""
    reach: int = 0
    """How many lines after its own decided what it is, if that is more than whether the next one takes it up."""


@record(frozen=False)
class _State:
    events: list[Event] = field(default_factory=lambda: [])
    fixed: set[int] = field(default_factory=set[int])
    probes: frozenset[str] = frozenset()
    frame_bound: bool = False
    errors: bool = False
    cacheable: bool = True
    open_ended: bool = False


def parse_statement(frame: Frame, line_at: LineAt, vocabulary: Vocabulary, fragments: FragmentMemory) -> Statement:
    """The statement that begins at line 0 of `line_at`, in `frame`. The line must have at least one token."""
    return StatementParser(frame, line_at, vocabulary, fragments).parse()


_INTEGER_TYPE: Final = re.compile(r"[su]?i[0-9]+")
"""The one kind of word that is no name of an operation."""

NO_TOKENS: Final = {
    "#": "invalid attribute name",
    "%": "invalid SSA name",
    "^": "invalid block name",
    "!": "invalid type identifier",
    "@": "@ identifier expected to start with letter or '_'",
    '"': "expected '\"' in string literal",
    ".": "expected three consecutive dots for an ellipsis",
}
"""What MLIR says of a character that ought to begin a token and does not."""


def _no_token(text: str) -> str:
    if is_unread(text):
        return f"a line of more than {MOST_IN_LINE:,} characters is not read"
    if text == MANY:
        return f"of one statement no more than {MOST_TOKENS:,} tokens are read"
    return NO_TOKENS.get(text, "unexpected character")


class StatementParser:
    """A position in the text of one statement, and what was read of it before."""

    def __init__(self, frame: Frame, line_at: LineAt, vocabulary: Vocabulary, fragments: FragmentMemory) -> None:
        self.stream = LineTokens(line_at)
        self.nesting = OpenOperations(frame)
        self.vocabulary = vocabulary
        self.fragments = fragments
        self.position = 0
        self.state = _State()

    def parse(self) -> Statement:
        while True:
            checkpoint()
            last_line = self.stream.token(self.position).line
            self.event()
            if self.position > 0:
                last_line = self.stream.token(self.position - 1).line
            following = self.stream.token(self.position)
            if following.kind == "END" or following.line != last_line:
                break
        state, fixed = self.state, frozenset(self.state.fixed)
        if max(fixed, default=-1) >= self.position:  # The next statement decided something.
            state.cacheable = False
            fixed = frozenset([index for index in fixed if index < self.position])
        return Statement(
            last_line + 1,
            tuple(state.events),
            tuple(self.stream.tokens[: self.position]),
            fixed,
            state.probes,
            self.nesting.pops,
            tuple(self.nesting.pushes),
            state.frame_bound or self.nesting.pops > 0,
            state.errors,
            state.cacheable,
            state.open_ended,
            max(self.stream.lines_seen - last_line - 1, 0) if state.errors or not state.cacheable else 0,
        )

    # ---- events

    def event(self) -> None:
        token = self.stream.token(self.position)
        self.state.probes = frozenset()
        self.state.open_ended = False
        if token.kind == "PUNCT" and token.text == "}":
            self.close()
        elif token.kind == "BLOCK":
            self.label()
        elif token.kind in ("ALIAS", "HASH", "EXCLAIM") and self.nesting.innermost is None:
            self.state.frame_bound = True  # Inside a region this is no alias.
            self.alias()
        elif token.kind == "FILE":
            self.state.frame_bound = True
            self.file_metadata()
        elif token.kind in ("VALUE", "STRING") or (token.kind == "BARE" and not _INTEGER_TYPE.fullmatch(token.text)):
            self.operation()
        else:
            self.recover(SyntaxFailure("expected operation name in quotes", 0), self.position)

    def label(self) -> None:
        base = self.position
        cursor = self.cursor(base)
        label = ParsedLabel(0, [])
        cursor.position = 1
        try:
            if cursor.accept("("):
                while not cursor.at(")"):
                    label.arguments.append(cursor.block_argument())
                    if not cursor.accept(","):
                        break
                cursor.expect(")")
            cursor.expect(":", "expected ':' after block name")
        except SyntaxFailure as failure:
            self.keep(cursor, base)
            self.state.events.append(LabelEvent(label, base))
            self.recover(failure, base)
            return
        label.end = cursor.position
        self.finish(cursor, base)
        self.state.events.append(LabelEvent(label, base))

    def alias(self) -> None:
        base = self.position
        cursor = self.cursor(base)
        is_type = self.stream.token(base).kind == "EXCLAIM"
        cursor.position = 1
        try:
            if "." in cursor.peek(-1).text:
                what = "type" if is_type else "attribute"
                raise SyntaxFailure(f"{what} names with a '.' are reserved for dialect-defined names", 0)
            cursor.expect("=", f"expected '=' in {'type' if is_type else 'attribute'} alias definition")
            if is_type and "type" in self.vocabulary.language.former_words:
                cursor.accept("type")
            value = cursor.type() if is_type else cursor.attribute()
        except SyntaxFailure as failure:
            self.recover(failure, base)
            return
        self.finish(cursor, base)
        self.state.events.append(AliasEvent(ParsedAlias(0, value), base))

    def file_metadata(self) -> None:
        """`{-# … #-}`, at the top level only. A mistake in it takes all of it."""
        base = self.position
        cursor = self.cursor(base)
        failure = SyntaxFailure("expected operation name in quotes", 0) if self.nesting.innermost is not None else None
        try:
            metadata = cursor.fragment("file_metadata", fixed=False)
        except SyntaxFailure as again:
            failure = failure or again
        else:
            self.finish(cursor, base)
            if failure is None:
                self.state.events.append(MetadataEvent(metadata, base))
                return
        self.position = max(self.position, self.end_of_metadata(base))
        self.state.errors = True
        assert failure is not None, "metadata that is not kept has a mistake"
        message, at = failure.message, base + failure.position
        self.state.events.append(ErrorEvent(message, base, at, self.position, None, base, shows=showing(message)))

    def end_of_metadata(self, start: int) -> int:
        """The place after the next `#-}`, or the first line after `start` that must be something else."""
        depth, index = 0, start
        while (token := self.stream.token(index)).kind != "END":
            is_first = index > start and self.stream.token(index - 1).line != token.line
            if token.text == "#-}":
                return index + 1
            if is_first and (depth <= 0 or "." in token.text) and self.begins_something(index):
                break
            depth += (token.text == "{") - (token.text == "}")
            index += 1
        return max(index, start + 1)

    def operation(self) -> None:
        base = self.position
        cursor = self.cursor(base)
        self.run(cursor, base, 0, None)

    def close(self) -> None:
        brace = self.position
        current = self.nesting.innermost
        self.state.frame_bound = True
        if current is None:
            self.recover(SyntaxFailure("expected operation name in quotes", 0), brace)
            return
        self.position += 1
        self.nesting.close()
        if current.broken:
            self.state.errors = True
            self.state.events.append(BrokenEndEvent(brace))
            self.skip_rest_of_broken(current.syntax)
            return
        if current.parsed is not None and current.probes is not None:
            following = self.stream.token(self.position)
            if not would_take(current.probes, following):
                # It ends here; there is no need to read it once more.
                self.state.probes = current.probes
                self.state.events.append(OpEvent(current.parsed, self.position, len(current.tokens) + 1, True))
                return
        # The region counts as a token that ends where its brace stands.
        end = self.stream.token(brace)
        region = (Token("REGION", "", end.line, end.column),)
        before = current.tokens
        prefix = before.then(region) if isinstance(before, Prefix) else (*before, *region)
        base = self.position
        stream = TokensFrom(self.stream, base, prefix)
        self.run(self.cursor_over(stream, current.reached), base, len(prefix), current)

    def cursor(self, base: int) -> Cursor:
        """A cursor over the tokens from `base` on."""
        return self.cursor_over(TokensFrom(self.stream, base) if base else self.stream)

    def cursor_over(self, stream: TokenStream, reached: Reached | None = None) -> Cursor:
        """A cursor over the tokens of one operation, label or alias, of which so much was read before."""
        return Cursor(stream, self.fragments, margin=self.margin, reached=reached)

    @property
    def margin(self) -> int:
        """The column at which the statement begins."""
        return self.stream.token(0).column

    def run(self, cursor: Cursor, base: int, first: int, current: OpenOp | None) -> None:
        """Parses the operation whose first `first` tokens are those of `current` so far, and the others those of the
        stream from `base`."""
        parsed, syntax, failure = parse_operation(cursor, self.vocabulary, self.nesting.default_dialect)
        if current is None and syntax is not None and syntax.function:
            self.leave_function(base)
        self.keep(cursor, base, first)
        if cursor.opens >= 0:
            brace = base + cursor.opens - first
            is_complete = failure is None and parsed.known
            probes = cursor.final_probes() if is_complete else None
            open = OpenOp(
                before_region(cursor),
                parsed,
                syntax,
                False,
                self.nesting.default_dialect,
                probes,
                cursor.reached,
            )
            self.state.events.append(OpenEvent(open, base, brace, first, current is not None))
            self.nesting.open(open)
            self.position = brace + 1
        elif failure is not None:
            known = current.parsed if current is not None and current.parsed is not None else parsed
            self.recover(failure, base, known, first, current is not None)
        else:
            self.finish(cursor, base, first)
            self.state.open_ended = not parsed.known
            if current is not None and current.parsed is not None and cursor.position == first:
                parsed = current.parsed
            self.state.events.append(OpEvent(parsed, base, first, current is not None))

    def leave_function(self, base: int) -> None:
        """A function inside a function: the one before lacks its closing brace, unless an operation between the two is
        unknown, or a table of symbols, so that it may well hold functions, and the braces behind close all three."""
        self.state.frame_bound = True
        between = list(self.nesting.in_function())
        if any((open.syntax is None or open.syntax.table) and not open.broken for open in between):
            self.state.cacheable = False
            if self.are_closed(base, len(between)):
                return
        count = 0
        while (current := self.nesting.innermost) is not None and not current.is_container:
            if not (current.is_function or any(True for _ in self.nesting.in_function())):
                break
            count += 1
            self.nesting.close()
        if count:
            self.state.errors = True
            self.state.events.append(UnclosedEvent(base, count))

    def are_closed(self, start: int, count: int) -> bool:
        """Whether as many regions as `count` that are open before token `start` are closed soon after it."""
        depth = 0
        last_line = self.stream.token(start).line + _FAR
        index = start
        while (token := self.stream.token(index)).kind != "END" and token.line <= last_line:
            depth += (token.text == "{") - (token.text == "}")
            if depth == -count:
                return True
            index += 1
        return False

    # ---- bookkeeping

    def keep(self, cursor: Cursor, base: int, first: int = 0) -> None:
        if base or first:
            self.state.fixed.update([base + ref - first for ref in cursor.fixed if ref >= first])
        else:
            self.state.fixed |= cursor.fixed
        self.state.cacheable = self.state.cacheable and not cursor.looked_ahead

    def finish(self, cursor: Cursor, base: int, first: int = 0) -> None:
        self.keep(cursor, base, first)
        self.state.probes = cursor.final_probes()
        self.position = base + max(cursor.position - first, 0)

    # ---- errors

    def recover(
        self,
        failure: SyntaxFailure,
        start: int,
        parsed: ParsedOp | None = None,
        first: int = 0,
        closes: bool = False,
    ) -> None:
        """Notes the error in something that began at token `start`, the first `first` tokens of which stand before this
        statement, and goes to where parsing can resume.

        The rest of the line of the mistake is passed over, but for the braces in it, which keep their meaning; so are
        the lines after it that begin nothing.
        """
        self.state.errors = True
        message, at = failure.message, start + max(failure.position - first, 0)
        further = tuple((text, start + max(place - first, 0)) for text, place in failure.further)
        if self.stream.token(at).kind == "BAD" and not message.startswith("unbalanced "):
            message = _no_token(self.stream.token(at).text)
        # What stands before the name of an operation are its own results, also where they take several lines.
        named = start if parsed is None else max(start + parsed.name_token - first, start)
        at = first_swallowed(self.stream.token, named, at, self.nesting.default_dialect, self.vocabulary)
        token = self.stream.token(at)
        previous_line = self.stream.token(at - 1).line if at > 0 else token.line
        wraps = (at > start or closes) and token.line > previous_line
        resume = self.next_beginning(at if wraps else self.next_line(at))
        is_alias = parsed is None and self.stream.token(start).kind in ("ALIAS", "HASH", "EXCLAIM")
        braces = Braces(self.stream.token, start, is_alias)
        while braces.read_to(resume) and braces.closes_at(resume):
            resume = self.next_beginning(self.next_line(resume))
        for _ in range(braces.closed if not closes else 0):
            if self.nesting.innermost is not None:
                self.nesting.close()
        shows = showing(message)
        is_behind = token.kind == "END" or (wraps and shows == "behind")
        shown = ~(at - 1) if at > 0 and is_behind else at
        event = ErrorEvent(message, start, shown, resume, parsed, start - first, closes, further, shows)
        self.state.events.append(event)
        # A line that names a function begins one, broken or not: the next function stands behind it.
        syntax = self.syntax_of(parsed) if parsed is not None and not first else None
        self.open_broken(braces.regions, syntax if syntax is not None and syntax.function else None)
        self.position = max(resume, start + 1) if not wraps else resume
        if self.position == start and not closes:
            self.position = start + 1

    def next_line(self, index: int) -> int:
        """The first token behind the line of a token."""
        line = self.stream.token(index).line
        while self.stream.token(index).kind != "END" and self.stream.token(index).line == line:
            index += 1
        return index

    def next_beginning(self, index: int) -> int:
        """The first token of the first line from that of a token on that begins something."""
        while not self.begins_something(index):
            index = self.next_line(index)
        return index

    def syntax_of(self, parsed: ParsedOp) -> OpSyntax | None:
        """The syntax of an operation, by the name that it has today."""
        name = self.vocabulary.today(parsed.name) if parsed.unregistered else None
        return self.vocabulary.syntax(name or parsed.name)

    def open_broken(self, count: int, syntax: OpSyntax | None) -> None:
        """So many regions open on a line that could not be read. The first is that of a function, if it has the syntax
        of one."""
        for index in range(count):
            self.nesting.open(OpenOp((), None, syntax if not index else None, True))

    def skip_rest_of_broken(self, syntax: OpSyntax | None) -> None:
        """After the brace that closes a broken operation: what stands on its line belongs to it."""
        line = self.stream.token(self.position - 1).line
        depth = 0
        while (token := self.stream.token(self.position)).kind != "END" and token.line == line:
            if token.text == "}" and depth == 0:
                break
            depth += (token.text == "{") - (token.text == "}")
            self.position += 1
        self.open_broken(depth, syntax)

    def begins_something(self, index: int) -> bool:
        return begins_something(self.stream.token, index, self.nesting.default_dialect, self.vocabulary)
