"""The grammar of types, attributes and locations (`mlir.lark`), run over our own tokens.

A fragment is parsed to the longest text that the grammar accepts, since it stands inside an operation whose remaining
syntax only its definition knows. Its references count from its own first token, so that the tree can be used wherever
the same text stands (`fathom.syntax.fragments`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from typing import Final

from fathom.records import record
from fathom.slices import checkpoint, paced
from fathom.syntax.expectations import mistake
from fathom.syntax.kept_tables import tables
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import Leaf, Node
from fathom.syntax.tables import END, Automaton

_PUNCTUATION: Final = {
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
    "<": "LESS",
    ">": "GREATER",
    ",": "COMMA",
    ":": "COLON",
    "=": "EQUAL",
    "->": "ARROW",
    "::": "DOUBLE_COLON",
    "-": "MINUS",
    "+": "PLUS",
    "*": "STAR",
    "?": "QUESTION",
    ">=": "GE",
    "==": "EQ",
}
_KEYWORDS: Final = {
    **{word: word.upper() for word in ("tensor", "memref", "vector", "complex", "tuple", "dense", "array", "sparse")},
    **{
        word: word.upper()
        for word in ("dense_resource", "affine_map", "affine_set", "strided", "offset", "true", "false")
    },
    **{
        word: word.upper()
        for word in ("unit", "loc", "unknown", "callsite", "fused", "at", "to", "floordiv", "ceildiv")
    },
    **{word: word.upper() for word in ("mod", "distinct")},
}
_FLOATS: Final = frozenset(
    "f16 bf16 tf32 f32 f64 f80 f128 f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 f8E8M0FNU "
    "f6E3M2FN f6E2M3FN f4E2M1FN".split()
)
_SPELLINGS: Final = {terminal: text for text, terminal in (_PUNCTUATION | _KEYWORDS).items()}

_OF_PUNCTUATION: Final = {text: (terminal,) for text, terminal in _PUNCTUATION.items()}
_OF_WORD: Final = {word: (terminal, "BARE") for word, terminal in _KEYWORDS.items()}
_OF_KIND: Final = {kind: (kind,) for kind in "VALUE STRING SYMBOL BLOCK DIMS HEX FLOAT INTEGER EXCLAIM".split()} | {
    "ALIAS": ("HASH",)
}
_NAMES: Final = ("EXCLAIM", "ALIAS", "HASH")
_BARE: Final = ("BARE",)
_OF_FORMER_WORD: Final = {
    "offset": ("FORMER_OFFSET", "OFFSET", "BARE"),
    "strides": ("FORMER_STRIDES", "BARE"),
    "opaque": ("FORMER_OPAQUE", "BARE"),
}
"""What words can be besides in a text of a former release."""
_SIMPLE_TYPE: Final = ("SIMPLE_TYPE", "BARE")
_OTHER: Final = ("OTHER",)
_DIALECT_HASH: Final = ("DIALECT_HASH", "HASH")


_FORMER: Final = frozenset(terminals[0] for terminals in _OF_FORMER_WORD.values())


class FragmentError(Exception):
    """The text is no such fragment; `position` is the index of the token where that became clear. `further` is what
    MLIR says of that place besides."""

    def __init__(self, message: str, position: int, further: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.further = further


@lru_cache(maxsize=4096)
def is_simple_type(word: str) -> bool:
    """Whether the word alone is a type: `i32`, `si8`, `f32`, `index`, `none`."""
    if word in ("index", "none") or word in _FLOATS:
        return True
    digits = word.removeprefix("s").removeprefix("u").removeprefix("i") if word[:1] in "sui" else ""
    return digits.isascii() and digits.isdigit() and word in (f"i{digits}", f"si{digits}", f"ui{digits}")


def terminals_of(token: Token, former: Container[str] = ()) -> tuple[str, ...]:
    """The terminals that a token can be, the most special first; none for what ends every fragment. What words
    of former releases mean is among them for those that are `former`."""
    kind, text = token.kind, token.text
    if former and text in former and text in _OF_FORMER_WORD:
        return _OF_FORMER_WORD[text]
    if kind == "PUNCT":
        return _OF_PUNCTUATION.get(text, _OTHER)
    if kind == "BARE":
        return _SIMPLE_TYPE if is_simple_type(text) else _OF_WORD.get(text, _BARE)
    if kind == "HASH":
        return _DIALECT_HASH
    if kind == "FILE":
        return ("FILE_OPEN",) if text == "{-#" else ("FILE_CLOSE",)
    if kind == "BAD" and text != '"':
        # The body of a dialect's own type or attribute may hold any character.
        return _OTHER
    return _OF_KIND.get(kind, ())


MOST_BRACKETS: Final = 96
MOST_LEVELS: Final = 320
"""How deep brackets, and the tree altogether, may nest in a type or attribute; what reads them follows them by
calls."""

_CLOSERS: Final = {"(": "RPAR", "[": "RSQB", "<": "GREATER", "{": "RBRACE"}
_ENDS: Final = frozenset(_CLOSERS.values())


@record
class Parsed:
    """A fragment that was parsed: its tree, how many tokens it takes, and the states before the one that follows."""

    node: Node
    length: int
    states: Sequence[int]


def parse_fragment(start: str, token_at: Callable[[int], Token], position: int, former: Container[str] = ()) -> Parsed:
    """The longest fragment of kind `start` from `position`, in which some words mean what they did in former
    releases. Raises FragmentError where there is none."""
    automaton = Automaton(tables(), start)
    first = position
    before: Token | None = None
    open_brackets: list[str] = []
    body: int | None = None
    while True:
        if not position % 64:
            checkpoint()
        token = token_at(position)
        states = automaton.states
        terminal = _chosen(terminals_of(token, former), automaton.actions)
        if terminal is None:
            break
        spaced = space_between(before, token)
        if token.text == "<" and before is not None and before.kind in _NAMES and body is None:
            if spaced:
                break  # The body of a dialect's own type or attribute stands right behind its name.
            body = len(open_brackets)
        if not automaton.feed(terminal, Leaf.of(terminal, token.text, position - first, spaced=spaced)):
            break
        before = token
        if token.kind == "PUNCT":
            if token.text in _CLOSERS:
                open_brackets.append(_CLOSERS[token.text])
            elif token.text in ")]}>" and open_brackets:
                open_brackets.pop()
                if len(open_brackets) == body:
                    body = None
            if len(open_brackets) > MOST_BRACKETS:
                raise FragmentError(f"more than {MOST_BRACKETS} brackets stand open here", position)
        position += 1
    # The tables hold the ends of other brackets too, for a fragment that stands in them.
    others = _ENDS - set(open_brackets[-1:])
    possible = automaton.actions
    stack = automaton.stack
    # The token after the fragment may have been tried, and have reduced the fragment to its start symbol already.
    if not automaton.finish():
        expected = [name for name in possible if name != END and name not in others and name not in _FORMER]
        message, blamed, further = mistake(start, expected, stack, token_at(position), _SPELLINGS)
        raise FragmentError(message, position if blamed is None else first + blamed, further)
    node = automaton.node
    if position - first > MOST_LEVELS // 2:
        _limit_depth(node, first)
    return Parsed(node, position - first, states)


@record
class Unfinished:
    """A fragment of kind `start` whose text breaks off, behind `tokens`. `stack` is what was read of it, from the
    parser's stack, and `words` the keywords and punctuation that could stand next; `terminals` those that have no text
    of their own, such as `SIMPLE_TYPE` and `SYMBOL`."""

    start: str
    tokens: Sequence[Token]
    stack: Sequence[Leaf | Node | list[Leaf | Node]]
    words: tuple[str, ...]
    terminals: frozenset[str]


def unfinished(start: str, token_at: Callable[[int], Token], position: int) -> Unfinished | None:
    """What could stand where a fragment that begins at a position breaks off, as the text ends; None where it ends, or
    goes wrong, before that."""
    automaton = Automaton(tables(), start)
    tokens: list[Token] = []
    while (token := token_at(position + len(tokens))).kind != "END":
        if not len(tokens) % 64:
            checkpoint()
        terminal = _chosen(terminals_of(token), automaton.actions)
        if terminal is None or not automaton.feed(terminal, Leaf.of(terminal, token.text, len(tokens))):
            return None
        tokens.append(token)
    states = automaton.states
    possible = [name for name in automaton.actions if name.isupper() and tables().takes(states, name)]
    words = [_SPELLINGS[name] for name in possible if name in _SPELLINGS]
    rest = frozenset(name for name in possible if name not in _SPELLINGS and name not in _FORMER)
    return Unfinished(start, tokens, automaton.stack, tuple(words), rest)


def _chosen(terminals: tuple[str, ...], actions: Mapping[str, int]) -> str | None:
    for terminal in terminals:
        if terminal in actions:
            return terminal
    return None


def goes_on(states: Sequence[int], terminals: tuple[str, ...]) -> bool:
    """Whether a fragment that has come to these states takes a token that can be these terminals."""
    terminal = _chosen(terminals, tables().states[states[-1]])
    return terminal is not None and tables().takes(states, terminal)


def space_between(before: Token | None, token: Token) -> str:
    """The white space before a token of a fragment: line breaks, and as many blanks as there are characters; comments
    are left out."""
    if before is None:
        return ""
    if before.line == token.line:
        return " " * (token.column - before.end)
    return "\n" * (token.line - before.line) + " " * token.column


def _limit_depth(root: Node, start: int) -> None:
    level = [root]
    depth = 0
    while level:
        depth += 1
        if depth > MOST_LEVELS:
            raise FragmentError(f"this nests more than {MOST_LEVELS} levels deep", start)
        level = [child for node in paced(level) for child in node.nodes]
