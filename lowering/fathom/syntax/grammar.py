"""The grammar of types, attributes and locations (`mlir.lark`), run over our own tokens.

A fragment is parsed to the longest text that the grammar accepts, since it stands inside an operation whose remaining
syntax only its definition knows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fathom.syntax.expectations import mistake
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import Leaf, Node
from fathom.syntax.tables import END, Automaton, tables

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


class FragmentError(Exception):
    """The text is no such fragment; `position` is the index of the token where that became clear."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


@lru_cache(maxsize=4096)
def is_simple_type(word: str) -> bool:
    """Whether the word alone is a type: `i32`, `si8`, `f32`, `index`, `none`."""
    if word in ("index", "none") or word in _FLOATS:
        return True
    digits = word.removeprefix("s").removeprefix("u").removeprefix("i") if word[:1] in "sui" else ""
    return digits.isascii() and digits.isdigit() and word in (f"i{digits}", f"si{digits}", f"ui{digits}")


def _terminals(token: Token) -> tuple[str, ...]:
    """The terminals that a token can be, the most special first."""
    kind, text = token.kind, token.text
    if kind == "PUNCT":
        return (_PUNCTUATION.get(text, "OTHER"),)
    if kind == "FILE":
        return ("FILE_OPEN" if text == "{-#" else "FILE_CLOSE",)
    if kind == "HASH" and "." in text:
        return ("DIALECT_HASH", "HASH")
    if kind != "BARE":
        return (kind if kind in _PLAIN else "OTHER",)
    if is_simple_type(text):
        return ("SIMPLE_TYPE", "BARE")
    keyword = _KEYWORDS.get(text)
    return (keyword, "BARE") if keyword is not None else ("BARE",)


MOST_BRACKETS: Final = 96
MOST_LEVELS: Final = 320
"""How deep brackets, and the tree altogether, may nest in a type or attribute; what reads them follows them by
calls."""

_CLOSERS: Final = {"(": "RPAR", "[": "RSQB", "<": "GREATER", "{": "RBRACE"}
_ENDS: Final = frozenset(_CLOSERS.values())

_PLAIN: Final = frozenset("VALUE STRING SYMBOL BLOCK DIMS HEX FLOAT INTEGER EXCLAIM HASH".split())


def parse_fragment(start: str, token_at: Callable[[int], Token], position: int) -> tuple[Node, int]:
    """The tree of the longest fragment of kind `start` from `position`, and the position after it.

    Raises FragmentError where there is none.
    """
    automaton = Automaton(tables(), start)
    first = position
    before: Token | None = None
    open_brackets: list[str] = []
    while True:
        token = token_at(position)
        if token.kind in ("END", "REGION", "BAD"):
            break
        actions = automaton.actions
        terminal = next((t for t in _terminals(token) if t in actions), None)
        if terminal is None:
            break
        near = before is not None and before.line == token.line
        spaced = token.column - before.end if before is not None and near else 1
        before = token
        if not automaton.feed(terminal, Leaf.of(terminal, token.text, position, spaced=spaced)):
            break
        if token.kind == "PUNCT":
            if token.text in _CLOSERS:
                open_brackets.append(_CLOSERS[token.text])
            elif token.text in ")]}>" and open_brackets:
                open_brackets.pop()
            if len(open_brackets) > MOST_BRACKETS:
                raise FragmentError(f"more than {MOST_BRACKETS} brackets stand open here", position)
        position += 1
    # The tables hold the ends of other brackets too, for a fragment that stands in them.
    others = _ENDS - set(open_brackets[-1:])
    expected = [name for name in automaton.actions if name != END and name not in others]
    stack = automaton.stack
    # The token after the fragment may have been tried, and have reduced the fragment to its start symbol already.
    if not automaton.finish():
        message, blamed = mistake(start, expected, stack, token_at(position), _SPELLINGS)
        raise FragmentError(message, position if blamed is None else blamed)
    node = automaton.node
    _finish(node, first, position)
    return node, position


def _finish(root: Node, start: int, end: int) -> None:
    """Gives each node the range of its tokens; one without any, the whole range."""
    levels = [[root]]
    while levels[-1]:
        if len(levels) > MOST_LEVELS:
            raise FragmentError(f"this nests more than {MOST_LEVELS} levels deep", start)
        levels.append([child for node in levels[-1] for child in node.nodes])
    for node in [node for level in reversed(levels) for node in level]:
        children = [child for child in node.children if child is not None]
        if not children:
            node.start, node.end = start, end
            continue
        first, last = children[0], children[-1]
        node.start = first.ref if isinstance(first, Leaf) else first.start
        node.end = last.ref + 1 if isinstance(last, Leaf) else last.end
