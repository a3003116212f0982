"""The memory of fragments: types, attributes and locations that were read before are known by their tokens.

Statements of new shapes are made of few types over and over, so that a file's first opening runs the grammar once for
each type and not once for each place. The memory is a trie over tokens, which a fragment shares with all that begin as
it does. A name or number that decides nothing, as in an attribute, is represented by its kind. One that is new is often
like another but for its names and numbers: the grammar would go the same way, which depends on what its tokens can be.

The promise, held by a test: what is found is what `parse_fragment` would give. How far a fragment goes depends on its
tokens and on the one that follows, of which the states of the grammar's run tell whether it would have been taken.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from operator import itemgetter
from typing import Final

from fathom.syntax.grammar import Parsed, goes_on, parse_fragment, space_between, terminals_of
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import VARYING, Node, Ref
from fathom.syntax.stream import TokenStream

LONGEST: Final = 64
"""No longer fragments are remembered, in tokens: a list of numbers hardly comes twice."""
MOST_TOKENS: Final = 200_000
"""No more tokens than this are remembered altogether."""

MOST_WORDS: Final = 2000
"""Of no more words is it remembered what they can be in the grammar."""

_TELLING: Final = frozenset(("PUNCT", "BARE"))
"""Tokens whose text tells what they can be."""
_text_of: Final = itemgetter(1)

_WITH_SOURCE: Final = frozenset(("EXCLAIM", "HASH", "DIALECT_HASH", "DISTINCT"))
"""What has these in it may be kept as it is written, so that its spaces count."""


class Fragment:
    """What one run of the grammar gave. References count from the first token of the fragment."""

    __slots__ = ("_ends", "_former", "_states", "fixed", "node", "spaces")

    def __init__(
        self, parsed: Parsed, fixed: Sequence[Ref], spaces: tuple[str, ...] | None, former: Container[str] = ()
    ) -> None:
        self.node = parsed.node
        self.fixed = fixed
        """The tokens whose very text is part of the shape."""
        self.spaces = spaces
        """The white space before each token, where it counts."""
        self._states = parsed.states
        self._former = former
        self._ends: dict[tuple[str, ...], bool] = {}

    def like(self, texts: Sequence[str]) -> Fragment:
        """The fragment whose tokens can be the same, and have these texts."""
        fragment = Fragment.__new__(Fragment)
        fragment.node = self.node.again(texts)
        fragment.fixed, fragment.spaces = self.fixed, self.spaces
        fragment._states, fragment._former, fragment._ends = self._states, self._former, self._ends
        return fragment

    def ends_before(self, token: Token) -> bool:
        """Whether this is the longest fragment where the token follows it."""
        terminals = terminals_of(token, self._former)
        ends = self._ends.get(terminals)
        if ends is None:
            ends = self._ends[terminals] = not goes_on(self._states, terminals)
        return ends


class _Branch:
    """The fragments that begin with the same tokens."""

    __slots__ = ("by_kind", "by_text", "fragment")

    def __init__(self) -> None:
        # Most branches have one that goes on, and the last ones none.
        self.by_text: dict[str, _Branch] = _NONE
        self.by_kind: dict[str, _Branch] = _NONE
        self.fragment: Fragment | None = None


_NONE: Final[dict[str, _Branch]] = {}
"""What nothing is ever put into."""


class _Outline:
    """The fragments whose tokens begin by what can be the same terminals."""

    __slots__ = ("by_terminals", "fragment")

    def __init__(self) -> None:
        self.by_terminals: dict[tuple[str, ...], _Outline] = {}
        self.fragment: Fragment | None = None


class FragmentMemory:
    """All fragments learnt for one grammar, by the symbol of the grammar that they are. The
    `former` words mean what they did in former releases."""

    def __init__(self, former: Container[str] = ()) -> None:
        self._former = former
        self._roots: dict[str, _Branch] = {}
        self._outlines: dict[tuple[str, bool], _Outline] = {}
        self._terminals: dict[tuple[str, str], tuple[str, ...]] = {}
        self._count = 0

    def read(self, start: str, stream: TokenStream, first: Ref, *, fixed: bool) -> tuple[Node, Sequence[Ref]]:
        """The longest fragment of kind `start` from token `first`, and the tokens whose text it fixes, counted from
        `first`. `fixed` tells that all of them are, as those of a type are always.

        Raises FragmentError where there is none.
        """
        fragment = self._find(start, stream, first)
        if fragment is None:
            fragment = self._learn(start, stream, first, fixed=fixed)
        node = fragment.node
        if node.constant:
            return node.copy(first), fragment.fixed
        texts = [*map(_text_of, stream.tokens[first : first + node.end])]
        return node.placed(first, texts), fragment.fixed

    def _find(self, start: str, stream: TokenStream, first: Ref) -> Fragment | None:
        branch = self._roots.get(start)
        if branch is None:
            return None
        index, tokens = first, stream.tokens
        while True:
            token = tokens[index] if index < len(tokens) else stream.token(index)
            further = branch.by_text.get(token.text) or branch.by_kind.get(token.kind)
            if further is None:
                break
            branch = further
            index += 1
        fragment = branch.fragment
        if fragment is None or not fragment.ends_before(token):
            return None
        if fragment.spaces is not None and fragment.spaces != _spaces(stream, first, index):
            return None
        return fragment

    def _learn(self, start: str, stream: TokenStream, first: Ref, *, fixed: bool) -> Fragment:
        outline = self._outlines.setdefault((start, fixed), _Outline())
        fragment = self._like_another(outline, stream, first)
        if fragment is None:
            parsed = parse_fragment(start, stream.token, first, self._former)
            fragment = self._made(parsed, stream, first, fixed=fixed)
            if fragment.spaces is None and parsed.length <= LONGEST:
                for ref in range(parsed.length):
                    terminals = terminals_of(stream.token(first + ref), self._former)
                    outline = outline.by_terminals.setdefault(terminals, _Outline())
                outline.fragment = fragment
        if fragment.node.end <= LONGEST and self._count <= MOST_TOKENS:
            self._add(start, stream, first, fragment)
        return fragment

    def _like_another(self, outline: _Outline, stream: TokenStream, first: Ref) -> Fragment | None:
        """The fragment from token `first`, where the grammar went the same way for another one."""
        index, tokens, known = first, stream.tokens, self._terminals
        while True:
            token = tokens[index] if index < len(tokens) else stream.token(index)
            terminals = known.get(token[:2])
            if terminals is None:
                terminals = terminals_of(token, self._former)
                if len(known) < MOST_WORDS and token.kind in _TELLING:
                    known[token[:2]] = terminals
            further = outline.by_terminals.get(terminals)
            if further is None:
                break
            outline = further
            index += 1
        if outline.fragment is None or not outline.fragment.ends_before(token):
            return None
        return outline.fragment.like([*map(_text_of, stream.tokens[first:index])])

    def _made(self, parsed: Parsed, stream: TokenStream, first: Ref, *, fixed: bool) -> Fragment:
        """The fragment that a run of the grammar gave."""
        node = parsed.node
        fixing = [node] if fixed else [op for op in node.walk() if op.kind == "type"]
        refs: set[Ref] = set()
        for fixed_word in fixing:
            refs.update(range(fixed_word.start, fixed_word.end))
            for inner in fixed_word.walk():
                inner.constant = True
        with_source = any(leaf.type in _WITH_SOURCE for leaf in node.all_leaves())
        spaces = _spaces(stream, first, first + parsed.length) if with_source else None
        return Fragment(parsed, sorted(refs), spaces, self._former)

    def _add(self, start: str, stream: TokenStream, first: Ref, fragment: Fragment) -> None:
        branch = self._roots.setdefault(start, _Branch())
        length = fragment.node.end
        fixed = set(fragment.fixed) if len(fragment.fixed) < length else None
        for ref, (kind, text, _, _) in enumerate(stream.tokens[first : first + length]):
            if fixed is None or ref in fixed or kind not in VARYING:
                if branch.by_text is _NONE:
                    branch.by_text = {}
                key, branches = text, branch.by_text
            else:
                if branch.by_kind is _NONE:
                    branch.by_kind = {}
                key, branches = kind, branch.by_kind
            branch = branches.get(key) or branches.setdefault(key, _Branch())
        self._count += length
        branch.fragment = fragment


def _spaces(stream: TokenStream, first: Ref, last: Ref) -> tuple[str, ...]:
    tokens = stream.tokens[first:last]
    return tuple(map(space_between, (None, *tokens), tokens))
