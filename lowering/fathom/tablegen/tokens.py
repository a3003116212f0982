"""Texts to tokens.

What a directive (`#ifdef`) or an `include` does to what follows depends on what was read before, so a text is divided
in *chunks*: the tokens from an offset up to the next of these, to a mistake, or to the end. A chunk depends on the text
and its offset alone, and is kept with the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.records import NamedTuple
from fathom.slices import rest

_FEW: Final = 256
"""Tokens between two rests."""

KEYWORDS: Final = frozenset(
    "assert bit bits class code dag def defm defset deftype defvar dump else false field foreach if in include int let "
    "list multiclass string then true".split()
)
STATEMENTS: Final = frozenset("assert class def defm defset deftype defvar dump foreach if let multiclass".split())
"""The keywords that begin a statement."""
OPERATORS: Final = frozenset(
    "add and cast con cond dag div empty eq exists filter find foldl foreach ge getdagarg getdagname getdagop "
    "getdagopname gt head if initialized instances interleave isa le listconcat listflatten listremove listsplat "
    "logtwo lt match mul ne not or range repr setdagarg setdagname setdagop setdagopname shl size sra srl strconcat "
    "sub subst substr tail tolower toupper xor".split()
)

ID: Final = "id"
NUMBER: Final = "number"
BINARY: Final = "binary number"
STRING: Final = "string literal"
CODE: Final = "code literal"
NAME: Final = "$name"
OPERATOR: Final = "!operator"
END: Final = ""
"""The end of a chunk."""
EOF: Final = "end of file"

DIRECTIVES: Final = ("ifdef", "ifndef", "else", "endif", "define")

_TOKEN: Final = re.compile(
    r"""[\ \t\r\n]*+ (?://[^\r\n]*+[\ \t\r\n]*+)*+
    (?:
      (?P<word> [A-Za-z_][0-9A-Za-z_]*+ )
    | (?P<mark> [:;,<>\]{}()=?] | \[(?!\{) | \.\.\. | \.(?!\.) )
    | (?P<string> "(?:[^"\\\r\n]++|\\[\\'"tn])*+" )
    | (?P<code> \[\{(?:[^}]++|\}[^\]])*+\}\] )
    | (?P<name> \$[A-Za-z_][0-9A-Za-z_]*+ )
    | (?P<operator> ![A-Za-z]++ )
    | (?P<hexadecimal> 0x[0-9a-fA-F]++ )
    | (?P<binary> 0b[01]++ )
    | (?P<long> [0-9]++(?=x[0-9a-fA-F]|b[01]) )
    | (?P<digits> [0-9]++[A-Za-z_][0-9A-Za-z_]*+ )
    | (?P<number> [-+]?[0-9]++ )
    | (?P<sign> [-+] )
    | (?P<paste> \# )
    | (?P<comment> /\* )
    | (?P<end> \Z )
    )""",
    re.VERBOSE,
)
_BLANKS: Final = re.compile(r"[ \t\r\n]*+(?://[^\r\n]*+[ \t\r\n]*+)*+")
_LINE_COMMENT: Final = re.compile(r"//[^\r\n]*")
_DIRECTIVE: Final = re.compile(rf"\#({'|'.join(DIRECTIVES)})(?=[ \t\r\n]|\Z|/[*/])")
_COMMENT_MARK: Final = re.compile(r"/\*|\*/")
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final[Mapping[str, str]] = {"t": "\t", "n": "\n"}
_WRAP: Final = 1 << 64
_HIGHEST: Final = _WRAP - 1
_LOWEST: Final = -(1 << 63)


TokenValue: TypeAlias = "str | int | tuple[int, int]"


class LexicalMistake(NamedTuple):
    message: str
    offset: int


class Chunk(NamedTuple):
    """Tokens: what each is, what it says, where it begins and ends. The last is END. `stop` says what is there:
    `include`, a directive, EOF, or a mistake."""

    kinds: list[str]
    values: list[TokenValue]
    starts: list[int]
    ends: list[int]
    stop: str | LexicalMistake


def chunk_at(text: str, offset: int) -> Chunk:
    """The chunk that begins at an offset."""
    kinds: list[str] = []
    values: list[TokenValue] = []
    starts: list[int] = []
    ends: list[int] = []
    match_at = _TOKEN.match
    before = offset
    """Where the token before ended."""
    while True:
        if not len(kinds) % _FEW:
            rest()
        match = match_at(text, offset)
        if match is None:
            stop: str | LexicalMistake = _mistake(text, _behind_blanks(text, offset))
            start = offset = stop.offset
            break
        group = match.lastgroup
        assert group is not None
        start, offset = match.span(group)
        word = match[group]
        if group == "mark":
            kind, value = word, word
        elif group == "word":
            kind, value = (word if word in KEYWORDS else ID), word
            if word == "include":
                stop = word
                break
        elif group == "comment":
            end = end_of_comment(text, start)
            if end is None:
                stop = LexicalMistake("unterminated comment", start)
                break
            offset = end
            continue
        elif group == "paste":
            kind, value = word, word
            if (directive := _directive(text, before, start)) is not None:
                stop = directive
                break
        elif group == "end":
            stop = EOF
            break
        else:
            kind, value = _READERS[group](word)
            if not kind:
                stop = LexicalMistake(str(value), start)
                break
        kinds.append(kind)
        values.append(value)
        starts.append(start)
        ends.append(offset)
        before = offset
    kinds.append(END)
    values.append("")
    starts.append(start)
    ends.append(offset)
    return Chunk(kinds, values, starts, ends, stop)


def _string(text: str) -> tuple[str, TokenValue]:
    inner = text[1:-1]
    return STRING, _ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner


def _operator(text: str) -> tuple[str, TokenValue]:
    return (OPERATOR, text[1:]) if text[1:] in OPERATORS else ("", "unknown operator")


def _integer(text: str) -> tuple[str, TokenValue]:
    number = _number("number", text)
    return (NUMBER, number) if number is not None else _TOO_GREAT


def _hexadecimal(text: str) -> tuple[str, TokenValue]:
    number = _number("hexadecimal", text)
    return (NUMBER, number) if number is not None else _TOO_GREAT


def _binary(text: str) -> tuple[str, TokenValue]:
    number = _number("binary", text)
    return (BINARY, (number, len(text) - 2)) if number is not None else _TOO_GREAT


_TOO_GREAT: Final[tuple[str, TokenValue]] = ("", "number out of range")
_READERS: Final[Mapping[str, Callable[[str], tuple[str, TokenValue]]]] = {
    "string": _string,
    "code": lambda text: (CODE, text[2:-2]),
    "name": lambda text: (NAME, text[1:]),
    "operator": _operator,
    "digits": lambda text: (ID, text),
    "sign": lambda text: (text, text),
    "number": _integer,
    "long": _integer,
    "hexadecimal": _hexadecimal,
    "binary": _binary,
}
"""What a token of each group is, and its value; without a kind, what is wrong with it."""


def _number(group: str, text: str) -> int | None:
    """None where it has more than 64 bits."""
    if group == "hexadecimal":
        number = int(text, 16)
    elif group == "binary":
        number = int(text, 2)
    elif len(text) > 40:  # Noughts in front make no number great, but Python reads no number of thousands of digits.
        digits = text.lstrip("+-0")
        return None if len(digits) > 20 else _number("number", text[: 1 if text[0] in "+-" else 0] + (digits or "0"))
    else:
        number = int(text)
    if not _LOWEST <= number <= _HIGHEST:
        return None
    return number - _WRAP if number >> 63 > 0 else number


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[1], match[1])


def _directive(text: str, before: int, start: int) -> str | None:
    """The directive that `#` begins, if it is the first thing on its line."""
    match = _DIRECTIVE.match(text, start)
    if match is None:
        return None
    if before == 0 or _breaks_line(text, before, start):
        return match[1]
    return None


def _breaks_line(text: str, before: int, start: int) -> bool:
    """Whether a line ends between two tokens, outside of comments."""
    while before < start:
        if text[before] in "\r\n":
            return True
        if text.startswith("//", before):
            match = _LINE_COMMENT.match(text, before)
            before = match.end() if match else start
        elif text.startswith("/*", before):
            before = end_of_comment(text, before) or start
        else:
            before += 1
    return False


def end_of_comment(text: str, start: int) -> int | None:
    """Where the comment `/* … */` that begins at an offset ends; comments nest. None where it does not."""
    depth = 0
    while True:
        match = _COMMENT_MARK.search(text, start)
        if match is None:
            return None
        depth += 1 if match[0] == "/*" else -1
        start = match.end()
        if depth == 0:
            return start


def _behind_blanks(text: str, offset: int) -> int:
    """Where the token begins that cannot be read."""
    match = _BLANKS.match(text, offset)
    return match.end() if match else offset


def _mistake(text: str, at: int) -> LexicalMistake:
    """What is wrong with the token that begins at an offset."""
    first = text[at : at + 1]
    if first == '"':
        return _string_mistake(text, at)
    if first == "[":
        return LexicalMistake("unterminated code block", at)
    if first == "$":
        return LexicalMistake("invalid variable name", at)
    if first == "!":
        return LexicalMistake('invalid "!operator"', at)
    if text.startswith("..", at):
        return LexicalMistake("invalid '..' punctuation", at)
    if first == "\0":
        return LexicalMistake("NUL character is invalid in source; treated as space", at)
    return LexicalMistake("unexpected character", at)


def _string_mistake(text: str, at: int) -> LexicalMistake:
    index = at + 1
    while index < len(text) and text[index] not in "\r\n":
        if text[index] == "\\":
            escaped = text[index + 1 : index + 2]
            if not escaped:
                break
            if escaped in "\r\n":
                return LexicalMistake("escaped newlines not supported in tblgen", index + 1)
            if escaped not in "\\'\"tn":
                return LexicalMistake("invalid escape in string literal", index + 1)
            index += 1
        index += 1
    if index >= len(text):
        return LexicalMistake("end of file in string literal", at + 1)
    return LexicalMistake("end of line in string literal", at + 1)
