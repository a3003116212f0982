"""What stands between two tokens of a statement that are on one line.

The rules are those by which MLIR's printers print: commas and brackets, arrows, types behind colons. Where printers
differ from operation to operation, a blank is left where the author has one. Inside the body of a type or attribute of
a dialect nothing is known but commas; and of a dialect that nobody knows, the body is a text in which blanks count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.dialects import dialect_names
from fathom.formatting.brackets import before_bracket
from fathom.records import field, record
from fathom.syntax.lexer import Token

KEPT: Final = "\x00"
"""Stands for white space that is left as it is written, but for how deep a line stands."""
RAW: Final = "\x01"
"""Stands for white space that is part of what is meant."""
ANY: Final = None
"""Stands for one blank or none, as it is written."""

_WORDS: Final = frozenset("BARE VALUE SYMBOL BLOCK DIMS HEX FLOAT INTEGER STRING EXCLAIM ALIAS HASH".split())
_NUMBERS: Final = frozenset("HEX FLOAT INTEGER".split())
_NAMED: Final = frozenset(("EXCLAIM", "HASH", "ALIAS"))
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_BUILTIN: Final = frozenset("tensor memref vector complex tuple".split())
_AFFINE: Final = frozenset(("affine_map", "affine_set"))
_LISTS: Final = frozenset(("array", "strided", "dense"))
"""Words behind whose `<` a colon belongs to the word before it."""
_TIGHT_NAMES: Final = frozenset(("kind", "map_idx", "size_hint"))
"""Words behind which some operations print an equals sign without blanks."""
_OPERATORS: Final = frozenset("+ * == >=".split())
_AFFINE_WORDS: Final = frozenset("floordiv ceildiv mod".split())


@record(frozen=False)
class Roles:
    """What the syntax tree says of tokens, by their indices.

    `names` are the colons that belong to what stands before them, as in `%x: i32` or `^bb0:`, `doubtful` those of
    arguments that some operations print so, `packs` those without any blank, as in `%x:2`. `braces` open and close
    regions. `op_names` are the names of operations in the custom form, and `operations` says to which of these a token
    belongs. `kept` are tokens before which all stays as it is.
    """

    names: set[int] = field(default_factory=set[int])
    doubtful: set[int] = field(default_factory=set[int])
    packs: set[int] = field(default_factory=set[int])
    braces: set[int] = field(default_factory=set[int])
    op_names: set[int] = field(default_factory=set[int])
    kept: set[int] = field(default_factory=set[int])
    operations: dict[int, str] = field(default_factory=dict[int, str])


def _is_unknown(symbol: str) -> bool:
    """Whether a type or attribute is one of a dialect that nobody knows, so that its text means what it is."""
    return symbol[1:].partition(".")[0] not in dialect_names()


class _Bracket:
    """An open bracket: its character, the word before it, and what of it is inherited by what stands inside."""

    __slots__ = ("before", "is_affine", "is_location", "is_loose", "is_raw", "text")

    def __init__(self, text: str, before: Token | None, outer: _Bracket | None) -> None:
        self.text = text
        self.before = before.text if before is not None else ""
        kind = before.kind if before is not None else ""
        is_body = text == "<" and kind in _NAMED
        self.is_raw: bool = (outer is not None and outer.is_raw) or (is_body and _is_unknown(self.before))
        self.is_affine = (text == "<" and self.before in _AFFINE) or (outer is not None and outer.is_affine)
        is_location = text == "(" and self.before == "loc"
        self.is_location: bool = is_location or (outer is not None and outer.is_location and text != "<")
        is_own = text == "<" and kind == "BARE" and self.before not in _BUILTIN and self.before not in _AFFINE
        # What stands in a body may be written in any way, a map or a type of the builtin dialect in it too.
        self.is_loose: bool = is_body or is_own or (outer is not None and outer.is_loose)


def gaps(tokens: Sequence[Token], roles: Roles) -> Iterator[str | None]:
    """What is to stand before each token if the one before it is on the same line: one blank, nothing, either (ANY), or
    what stands there (KEPT, RAW)."""
    stack: list[_Bracket] = []
    before: Token | None = None
    for index, token in enumerate(tokens):
        inner = stack[-1] if stack else None
        if before is None:
            yield ""
        elif inner is not None and inner.is_raw:
            yield RAW
        elif index in roles.kept:
            yield KEPT
        else:
            yield _gap(tokens, index, inner, roles)
        if token.kind == "PUNCT" and index not in roles.braces:
            if token.text in _OPENING:
                stack.append(_Bracket(token.text, before, inner))
            elif token.text in _CLOSING and any(bracket.text == _CLOSING[token.text] for bracket in stack):
                while stack.pop().text != _CLOSING[token.text]:
                    pass
        before = token


def _gap(tokens: Sequence[Token], index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    """The gap before a token that is not the first."""
    before, token = tokens[index - 1], tokens[index]
    if index - 1 in roles.braces or index in roles.braces:
        return _around_brace(before, token, index, roles)
    if inner is not None and inner.is_loose:
        return _in_body(before, token, inner)
    if token.kind == "PUNCT":
        return _before_sign(tokens, index, inner, roles)
    if before.kind == "PUNCT":
        return _behind_sign(tokens, index, inner, roles)
    if "DIMS" in (before.kind, token.kind):
        return ANY
    return " "


def _around_brace(before: Token, token: Token, index: int, roles: Roles) -> str | None:
    """Beside a brace of a region, unless a line ends there."""
    if index in roles.braces and token.text == "{":
        return "" if before.text == "(" else " "
    if token.text in (",", ")"):
        return ""
    if index in roles.braces and index - 1 in roles.braces and before.text == "{":
        return ""
    return " "


def _in_body(before: Token, token: Token, inner: _Bracket) -> str | None:
    """In the body of a dialect's type or attribute."""
    if before.text == "<" or token.text == ">":
        return "" if "{" not in (before.text, token.text) and "}" not in (before.text, token.text) else ANY
    if token.text == ",":
        return ""
    if before.text == ",":
        return " " if inner.text == "[" or inner.before in _LISTS else ANY
    if inner.text == "<" and inner.before in _LISTS and ":" in (before.text, token.text):
        return "" if token.text == ":" else " "
    return ANY


def _before_sign(tokens: Sequence[Token], index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    before, token = tokens[index - 1], tokens[index]
    match token.text:
        case "," | ")" | "]" | ">" | "::":
            return ""
        case "->" | "==" | ">=":
            return " "
        case "}":
            is_only = index > 1 and tokens[index - 2].text == "{"
            return ANY if is_only and _may_be_operation(tokens, index - 1, roles) else ""
        case "<":
            return _before_angle(tokens, index, roles)
        case ":":
            return _before_colon(tokens, index, inner, roles)
        case "=":
            return _around_equals(before, inner)
        case "{":
            return _before_dictionary(before, index, roles)
        case "(":
            return _before_parenthesis(before, index, inner, roles)
        case "[":
            return _before_square(before, index, inner, roles)
        case _:
            return _around_operator(tokens, index, inner)


def _before_angle(tokens: Sequence[Token], index: int, roles: Roles) -> str | None:
    before = tokens[index - 1]
    if index - 1 in roles.op_names:
        return ANY
    if before.kind in _NAMED and _is_unknown(before.text):
        return RAW
    if before.kind in _NAMED or before.text in (*_BUILTIN, *_AFFINE, *_LISTS, "<"):
        return ""
    is_properties = index + 1 < len(tokens) and tokens[index + 1].text == "{"
    return " " if is_properties and before.text in (")", "]") else ANY


def _before_colon(tokens: Sequence[Token], index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    if index in roles.names or index in roles.packs or _is_in_place(tokens, index, inner):
        return ""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is not None and following.kind == "BLOCK":
        return ""
    if inner is not None and inner.text == "<" and inner.before in _LISTS:
        return ""
    if inner is not None and inner.is_affine:
        return " "
    if tokens[index - 1].kind == "BARE":
        return "" if following is not None and following.text == "[" else " " if inner is None else ANY
    return ANY if index in roles.doubtful else " "


def _around_equals(name: Token, inner: _Bracket | None) -> str | None:
    """On both sides of the sign behind a name."""
    is_entry = inner is not None and inner.text == "{"
    return ANY if name.text in _TIGHT_NAMES and not is_entry else " "


def _is_in_place(tokens: Sequence[Token], index: int, inner: _Bracket | None) -> bool:
    """Whether a colon stands in a location, between a file, a line and a column."""
    is_number = index + 1 < len(tokens) and tokens[index + 1].kind == "INTEGER"
    return is_number and inner is not None and inner.is_location


def _before_dictionary(before: Token, index: int, roles: Roles) -> str | None:
    if before.text in ("(", "[", "<", "{"):
        return ""
    return _before_bracket(before, "{", index, roles) if before.kind == "BARE" else " "


def _before_parenthesis(before: Token, index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    if before.kind in ("HASH", "ALIAS") or before.text in ("(", "[", "<", "{"):
        return ""
    if before.text in ("->", ":", "=", ","):
        return " "
    if inner is not None and inner.is_affine:
        return " " if before.kind == "BARE" or before.text in _OPERATORS else ANY
    return _before_bracket(before, "(", index, roles)


def _before_bracket(before: Token, bracket: str, index: int, roles: Roles) -> str | None:
    return before_bracket(before, bracket, roles.operations.get(index, ""), index - 1 in roles.op_names)


def _before_square(before: Token, index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    if before.text in ("(", "[", "<", "{"):
        return ""
    if before.text in ("->", ":", "=", ","):
        return " "
    if inner is not None and inner.is_affine:
        return ""
    return _before_bracket(before, "[", index, roles)


def _around_operator(tokens: Sequence[Token], index: int, inner: _Bracket | None) -> str | None:
    """Before one of `- + * ? | / &`."""
    before = tokens[index - 1]
    if before.text in ("(", "[", "<", "{"):
        return ""
    if before.text in ("->", ":", "=", ","):
        return " "
    if inner is not None and inner.is_affine:
        return " "
    return ANY


def _behind_sign(tokens: Sequence[Token], index: int, inner: _Bracket | None, roles: Roles) -> str | None:
    match tokens[index - 1].text:
        case "(" | "[" | "<" | "::":
            return ""
        case "{":
            return ANY if _may_be_operation(tokens, index, roles) else ""
        case "," | "->" | "==" | ">=" | ")" | "]" | "}" | ">":
            return " "
        case "=":
            return _around_equals(tokens[index - 2], inner)
        case ":":
            return "" if index - 1 in roles.packs or _is_in_place(tokens, index - 1, inner) else " "
        case "-":
            return _behind_minus(tokens, index, inner)
        case _:
            return " " if inner is not None and inner.is_affine else ANY


def _may_be_operation(tokens: Sequence[Token], index: int, roles: Roles) -> bool:
    """Whether the first token in braces names an operation, as in `linalg.map { arith.addf }`."""
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return "." in tokens[index].text and index - 2 in roles.op_names and following not in ("=", ",")


def _behind_minus(tokens: Sequence[Token], index: int, inner: _Bracket | None) -> str | None:
    """After a minus: of two operands, or the sign of one."""
    first = tokens[index - 2] if index >= 2 else None
    is_operand = first is not None and (first.kind in _WORDS or first.text in (")", "]"))
    if not is_operand or (first is not None and first.text in _AFFINE_WORDS):
        return ""
    return " " if inner is not None and inner.is_affine else ANY
