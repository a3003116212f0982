"""What could stand where the text of a dialect's own type or attribute breaks off: its reader reads it up to there, and
what that looks for at the end is noted."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Final, TypeVar

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.reader import Reader
from fathom.irdl.lazy import possible_names
from fathom.records import field, record
from fathom.syntax.grammar import Unfinished, unfinished
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import Leaf, Node

M = TypeVar("M")
_HEADS: Final = frozenset(("EXCLAIM", "HASH", "DIALECT_HASH"))


@record(frozen=False)
class ExpectedInBody:
    """`words` are keywords and punctuation that could stand there, `kinds` those of tokens, by the names of the lexer,
    and `type` and `attribute`. `unfinished` is a type or attribute inside it that breaks off, and holds no other."""

    words: dict[str, None] = field(default_factory=dict[str, None])
    kinds: dict[str, None] = field(default_factory=dict[str, None])
    unfinished: Unfinished | None = None


def expected_in_body(outer: Unfinished, meanings: Meanings) -> ExpectedInBody | None:
    """What could stand where a fragment breaks off in the body of a dialect's type or attribute; None where it breaks
    off elsewhere. Nothing is known of one that nobody can read."""
    head = _head(outer)
    if head is None:
        return None
    expected = ExpectedInBody()
    dialect_name, dot, mnemonic = str(head)[1:].partition(".")
    dialect = meanings.context.dialect(dialect_name)
    if dialect is None:
        return expected
    known = dialect.types if head.startswith("!") else dialect.attributes
    tokens = list(outer.tokens[head.ref + 1 :])
    if not dot:  # `!llvm<ptr`
        if len(tokens) == 1:
            expected.words.update(dict.fromkeys(possible_names(known)))
            return expected
        mnemonic, tokens = tokens[1].text, tokens[2:]
    read = known.get(mnemonic)
    if read is not None:
        reader = _Noting(tokens, meanings, expected)
        try:
            read(reader)
        except ElaborationFailure:
            reader.end()
    inner = expected.unfinished
    if inner is not None and (nested := expected_in_body(inner, meanings)) is not None:
        return nested
    return expected


def _head(outer: Unfinished) -> Leaf | None:
    """The name of the type or attribute in whose body a fragment breaks off, the outermost one."""
    for before, symbol in zip(outer.stack, outer.stack[1:], strict=False):
        if isinstance(before, Leaf) and before.type in _HEADS and isinstance(symbol, Leaf) and symbol.type == "LESS":
            return before
    return None


class _Noting(Reader):
    """A reader that notes what is asked for where its tokens end."""

    def __init__(self, tokens: list[Token], meanings: Meanings, expected: ExpectedInBody) -> None:
        super().__init__(tokens, meanings, 0, [])
        self._context = meanings.context
        self._expected = expected
        self._breaks_off: tuple[str, int] | None = None

    def end(self) -> None:
        """Reading has failed, maybe in a fragment that breaks off."""
        if self._breaks_off is not None:
            self._expected.unfinished = unfinished(self._breaks_off[0], self.token_at, self._breaks_off[1])

    def _note(self, words: Iterable[str] = (), kinds: Iterable[str] = ()) -> None:
        if self.at_end:
            self._expected.words.update(dict.fromkeys(words))
            self._expected.kinds.update(dict.fromkeys(kinds))

    def at(self, text: str) -> bool:
        self._note((text,))
        return super().at(text)

    def at_type(self) -> bool:
        self._note(kinds=("type",))
        return super().at_type()

    def at_attribute(self) -> bool:
        self._note(kinds=("attribute",))
        return False if self.at_end else super().at_attribute()

    def at_kind(self, *kinds: str) -> bool:
        self._note(kinds=kinds)
        return super().at_kind(*kinds)

    def suggest(self, words: Iterable[str]) -> None:
        self._note(words)

    def optional_keyword(self, choices: Iterable[str] | None = None) -> str | None:
        self._note(*((choices,) if choices is not None else ((), ("BARE",))))
        return super().optional_keyword(choices)

    def optional_mnemonic(self, prefix: str, choices: Container[str]) -> str | None:
        known = self._context.dialect(prefix[1:-1]) if self.at_end else None
        if known is not None:
            self._note(f"{prefix}{name}" for name in possible_names(known.types) if name in choices)
        return super().optional_mnemonic(prefix, choices)

    def symbol(self) -> str:
        self._note(kinds=("SYMBOL",))
        return super().symbol()

    def _fragment(self, start: str, meaning: Callable[[Node], M]) -> M:
        self._breaks_off = start, self.position
        fragment = super()._fragment(start, meaning)
        self._breaks_off = None
        return fragment
