"""The memory of shapes: a statement whose shape was seen before is recognised by dictionary look-ups alone.

What was learnt about a shape, its events, is shared by all its statements. The
memory is a trie over the keys of lines, since a statement may span lines and may or may not go on in the next.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import attrgetter
from sys import intern
from typing import Any, Final, TypeAlias, TypeVar

from fathom.slices import paced
from fathom.syntax.beginnings import continues
from fathom.syntax.carried import LONG, Carried, short
from fathom.syntax.events import Event, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.frames import Frame, OpenOp
from fathom.syntax.lexer import (
    SPACE,
    Token,
    first_token,
    hole_indices,
    indentation,
    is_trivia,
    shape_key,
    split_line,
    tokens_of,
    without_lines,
)
from fathom.syntax.probes import words_and_kinds, would_take
from fathom.syntax.statements import Statement, parse_statement
from fathom.syntax.stream import TokenStream
from fathom.syntax.vocabulary import Vocabulary

MOST_SHAPES: Final = 20_000
"""No more shapes than this are remembered; when there are more, learning begins anew."""
LONGEST: Final = 1000
"""Nor are those of statements of more lines than this."""

MOST_LINES: Final = 20_000
"""Of no more different lines of a text it is remembered what they are split into."""

_line_of: Final = attrgetter("line")

Key: TypeAlias = "tuple[str, ...]"
Keyed: TypeAlias = "tuple[Key, list[str]]"
V = TypeVar("V")


def keyed(line: str) -> Keyed:
    """The key of a line, and the texts of its holes."""
    parts = split_line(line)
    holes = parts[1::2]
    return shape_key(parts, holes), holes


class MetLine:
    """A line of a text that was met: what `keyed` says of it, and the `shape` that it had in a frame of these `shared`
    shapes, if it was a whole statement that they have. It has the same one wherever they are the same, unless the next
    line goes on with it."""

    __slots__ = ("alone", "first", "holes", "key", "shape", "shared")

    def __init__(self, line: str, key: Key, holes: list[str]) -> None:
        self.alone = (line,)
        """The lines of a statement that it is: one object for all that are the same."""
        self.key = key
        self.holes = holes
        self.first = key[0][:1] or (holes[0][0] if holes else "")
        """The first character that is no white space; empty for a blank line."""
        self.shape: Shape | None = None
        self.shared: ShapeTrie | None = None


class RepeatedLines(dict[str, MetLine]):
    """The lines of a text, for whoever goes through all of it: half of them or more are like others, since names of
    values begin anew in each function. Each is split once, and its shape is found once."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[Key, Key] = {}

    def __missing__(self, line: str) -> MetLine:
        key, holes = keyed(line)
        if len(self) >= MOST_LINES:
            return MetLine(line, key, holes)
        # One object for all equal keys, so that a line that stays alone costs little.
        met = self[line] = MetLine(line, self._keys.setdefault(key, key), holes)
        return met


_ANY: Final = "".join(map(chr, range(128)))
"""All characters with which a token may begin of a kind that an operation asks for."""


class Shape:
    """What all statements of one shape have in common. `hole_of[token]` is the index of its hole, or -1.

    `tokens` and `indentations`, one for each line, are those of the statement that it was learnt from. One that
    `leaves_function` begins where a function must have ended, though no brace says so; one that `begins_split` is a
    line `// -----`, where everything must have ended. One that `is_shared` is that of the same lines in any frame with
    the same default dialect, and one that `is_free` in any frame at all. `firsts` are the characters with which a line
    may begin that goes on with the statement, or leaves that to the line behind it.
    """

    __slots__ = (
        "_memo",
        "begins_split",
        "events",
        "firsts",
        "has_errors",
        "hole_of",
        "indentations",
        "is_free",
        "is_shared",
        "kinds",
        "leaves_function",
        "lines",
        "only",
        "open_ended",
        "pops",
        "probes",
        "pushes",
        "reach",
        "tokens",
    )

    def __init__(self, statement: Statement, hole_of: Sequence[int], indentations: Sequence[int]) -> None:
        self.events: tuple[Event, ...] = statement.events
        self.leaves_function = bool(statement.events) and isinstance(statement.events[0], UnclosedEvent)
        self.lines = statement.lines
        self.tokens: tuple[Token, ...] = without_lines(statement.tokens)
        self.hole_of = tuple(hole_of)
        self.indentations = tuple(indentations)
        self.probes, self.kinds = words_and_kinds(statement.probes)
        self.firsts = _ANY if self.kinds else intern("".join(dict.fromkeys(["/", *(word[0] for word in self.probes)])))
        self.pops = statement.pops
        self.pushes: tuple[OpenOp, ...] = statement.pushes
        self.has_errors = statement.has_errors
        self.reach = statement.reach
        self.open_ended = statement.open_ended
        self.only = _only(statement)
        """All that it says, if that is one known operation without regions."""
        self.begins_split = False
        self.is_free = False
        self.is_shared = False
        self._memo: dict[Any, Any] | None = None

    def known(self, work: Callable[[Shape], V]) -> V:
        """What a function makes of this shape; worked out once."""
        memo = self._memo
        if memo is None:
            memo = self._memo = {}
        if work not in memo:
            memo[work] = work(self)
        return memo[work]

    @property
    def is_trivia(self) -> bool:
        """Whether it is a blank line or a comment that means nothing."""
        return not self.tokens and not self.begins_split

    def names_dialect(self, event: Event) -> bool:
        """Whether an event is a known operation that is written with its dialect, and in whose regions the dialect
        around it, which the generic form does not change, plays no part."""
        if isinstance(event, OpEvent):
            parsed = event.parsed
        elif isinstance(event, OpenEvent) and event.open.parsed is not None and not event.open.parsed.generic:
            parsed = event.open.parsed
        else:
            return False
        return parsed.known and "." in self.tokens[event.base + parsed.name_token].text


def _only(statement: Statement) -> OpEvent | None:
    if len(statement.events) != 1 or statement.has_errors:
        return None
    event = statement.events[0]
    return event if isinstance(event, OpEvent) and event.parsed.known and not event.ends_region else None


TRIVIA: Final = Shape(Statement(1, (), (), frozenset(), frozenset(), 0, (), False, False), (), (0,))
TRIVIA.is_free = TRIVIA.is_shared = True
SPLIT: Final = Shape(Statement(1, (), (), frozenset(), frozenset(), 0, (), False, False), (), (0,))
SPLIT.begins_split = True


class TrieNode:
    """Statements that agree so far. `fixed` are the holes whose text is part of the shape; `variants` is keyed by
    them, and by how far each line stands in if one of the statements `keeps_layout`."""

    __slots__ = ("children", "fixed", "keeps_layout", "variants")

    def __init__(self) -> None:
        self.fixed: tuple[int, ...] = ()
        self.keeps_layout = False
        self.variants: dict[tuple[str | int, ...], Shape] = {}
        self.children: ShapeTrie = {}

    def find(self, holes: list[str], lines: Sequence[str], first: int, end: int) -> Shape | None:
        """The shape of the statement with these holes, of which the first line and the one after it are given."""
        if not self.fixed and not self.keeps_layout:
            return self.variants.get(())
        return self.variants.get(self._key(holes, lines, first, end))

    def add(self, shape: Shape, fixed: frozenset[int], holes: list[str], lines: Sequence[str]) -> None:
        """Adds what was learnt of a statement of these lines."""
        union = tuple(sorted(fixed.union(self.fixed)))
        keeps_layout = self.keeps_layout or _keeps_layout(shape)
        if union != self.fixed or keeps_layout != self.keeps_layout:
            self.variants.clear()
            self.fixed, self.keeps_layout = union, keeps_layout
        self.variants[self._key(holes, lines, 0, len(lines))] = shape

    def _key(self, holes: list[str], lines: Sequence[str], first: int, end: int) -> tuple[str | int, ...]:
        layout = map(indentation, lines[first + 1 : end]) if self.keeps_layout else ()
        return (*[holes[i] for i in self.fixed], *layout)


ShapeTrie: TypeAlias = "dict[Key, TrieNode]"


class ShapeMemory:
    """All shapes learnt for one vocabulary, and the frames in which they stand."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.fragments = FragmentMemory(vocabulary.language.former_words)
        self._shared: dict[str, ShapeTrie] = {}
        self._count = 0
        self.root = Frame(None, None, self._shared_trie("builtin"))

    def _shared_trie(self, default_dialect: str) -> ShapeTrie:
        return self._shared.setdefault(default_dialect, {})

    def leave(self, frame: Frame, shape: Shape) -> Frame:
        """The frame after a statement of the shape that began in `frame`."""
        for _ in range(shape.pops):
            if frame.parent is not None:
                frame = frame.parent
        if shape.pushes:
            for open in paced(shape.pushes):
                frame = frame.child(open, self._shared_trie(open.default_dialect))
        return frame

    def shape_at(
        self, frame: Frame, lines: Sequence[str], index: int, met: RepeatedLines | None = None
    ) -> tuple[Shape, list[str] | None, tuple[str] | None]:
        """The shape of the statement that begins at a line, learnt now if it is new; the texts of its holes if they
        were met on the way, and its lines if it is one that was met before. `met` are lines that were read before."""
        line = lines[index]
        known = met[line] if met is not None and len(line) < LONG else None
        if known is None:
            key, holes = keyed(line)
        else:
            key, holes, shape = known.key, known.holes, known.shape
            if shape is not None and known.shared is frame.shared:
                following = met.get(lines[index + 1]) if met is not None and index + 1 < len(lines) else None
                if following is not None and following.first not in shape.firsts:
                    return shape, holes, known.alone
                if not (shape.probes or shape.kinds) or not _is_taken(shape, lines, index + 1):
                    return shape, holes, known.alone
        if not key[0] and (not holes or holes[0][0] == "/") and is_trivia(line):
            return TRIVIA, None, None
        for trie in (frame.shared, frame.local):
            node = trie.get(key)
            if node is not None:
                shape = node.find(holes, lines, index, index + 1)
                if shape is not None and not self._goes_on(shape, frame, lines, index, index + 1):
                    if known is not None and trie is frame.shared and not shape.open_ended:
                        known.shape, known.shared = shape, trie
                    return shape, holes, None
                seen = self._longer(node, holes, frame, lines, index) if node.children else None
                if seen is not None:
                    return *seen, None
        return self._learn(frame, lines, index), None, None

    def _longer(
        self, node: TrieNode, holes: list[str], frame: Frame, lines: Sequence[str], first: int
    ) -> tuple[Shape, list[str]] | None:
        """The shape of several lines that fits from line `first` on, with the texts of its holes; the longest where a
        statement may end at several lines. `node` is that of the first line."""
        index = first + 1
        while node.children and index < len(lines):
            line = lines[index]
            parts = split_line(line)
            child = node.children.get(_further_key(parts, line, indentation(lines[first])))
            if child is None:
                return None
            node = child
            holes = holes + parts[1::2]
            index += 1
            shape = node.find(holes, lines, first, index)
            if shape is not None and not self._goes_on(shape, frame, lines, first, index):
                return shape, holes
        return None

    def _goes_on(self, shape: Shape, frame: Frame, lines: Sequence[str], first: int, index: int) -> bool:
        """Whether the line takes up the statement before it, whose first line is `first`."""
        if (shape.probes or shape.kinds) and _is_taken(shape, lines, index):
            return True
        if not shape.open_ended:
            return False
        while index < len(lines) and is_trivia(lines[index]):
            index += 1
        if index >= len(lines):
            return False
        stream = TokenStream(tokens_of(lines[index]), Token("END", "", 1, 0))
        dialect = self.leave(frame, shape).default_dialect
        is_deeper = indentation(lines[index]) > indentation(lines[first])
        return continues(stream.token, 0, shape.tokens[-1].text, is_deeper, dialect, self.vocabulary)

    def _learn(self, frame: Frame, lines: Sequence[str], index: int) -> Shape:
        """The shape of a statement that nothing known fits."""

        def line_at(number: int) -> str | None:
            return lines[index + number] if index + number < len(lines) else None

        statement = parse_statement(frame, line_at, self.vocabulary, self.fragments)
        keys: list[Key] = []
        holes: list[str] = []
        hole_of: list[int] = []
        decisive: set[int] = set()
        taken = lines[index : index + statement.lines]
        tokens = statement.tokens
        first = 0
        is_long = len(taken) > LONGEST
        for number, line in enumerate(paced(taken) if is_long else taken):
            parts = split_line(line)
            here = parts[1::2]
            key = _further_key(parts, line, indentation(lines[index])) if number else shape_key(parts, here)
            is_last = number + 1 == len(taken)
            last = len(tokens) if is_last else bisect_right(tokens, number, first, key=_line_of)
            indices = hole_indices(parts, tokens[first:last])
            first = last
            # A hole that is no token of its own, nor a comment, is a part of one that belongs to the shape.
            for place in {*range(len(here))}.difference(indices):
                if not here[place].startswith("//"):
                    decisive.add(len(holes) + place)
            hole_of += [len(holes) + place if place >= 0 else -1 for place in indices] if holes else indices
            keys.append(key)
            holes += here
        shape = Shape(statement, hole_of, [indentation(line) for line in (paced(taken) if is_long else taken)])
        decisive.update(map(hole_of.__getitem__, statement.fixed))
        decisive.discard(-1)
        is_kept = statement.cacheable and not any(isinstance(holes[hole], Carried) for hole in decisive)
        if is_kept and not statement.has_errors and len(keys) <= LONGEST:
            if self._count >= MOST_SHAPES:
                self._forget()
            self._count += 1
            trie = frame.local if statement.frame_bound else frame.shared
            node = trie.setdefault(keys[0], TrieNode())
            for key in keys[1:]:
                node = node.children.setdefault(key, TrieNode())
            node.add(shape, frozenset(decisive), holes, taken)
            shape.is_shared = not statement.frame_bound
            shape.is_free = shape.is_shared and not shape.open_ended and all(map(shape.names_dialect, shape.events))
        return shape

    def _forget(self) -> None:
        """Gives up all shapes that are known. What was read with them stays as it is."""
        for trie in (*self._shared.values(), *(frame.local for frame in self.root.within())):
            trie.clear()
        self._count = 0


def _keeps_layout(shape: Shape) -> bool:
    """Whether a statement of several lines has a type or attribute of a dialect in it, whose text may be kept as it is
    written."""
    tokens = shape.tokens
    return shape.lines > 1 and any(
        token.kind in ("EXCLAIM", "HASH") or (token.kind == "ALIAS" and following.text == "<")
        for token, following in pairwise(tokens)
    )


def _further_key(parts: list[str], line: str, margin: int) -> Key:
    """The key of a line that is not the first of its statement. What it is to that may depend on whether it stands
    deeper."""
    key = shape_key(parts, parts[1::2])
    return (*key, ">") if indentation(line) > margin else key


def _is_taken(shape: Shape, lines: Sequence[str], index: int) -> bool:
    """Whether the next line that is no trivia begins with something that the statement before would take."""
    while index < len(lines):
        text = short(lines[index]).lstrip(SPACE)
        if text and not text.startswith("//"):
            if text.startswith(shape.probes):
                return True
            following = first_token(text, 0) if shape.kinds else None
            return following is not None and would_take(shape.kinds, following)
        index += 1
    return False
