"""Where something begins, and where an operation that no definition covers goes on: told from the next few tokens.

Both matter at line breaks only. After a mistake, parsing resumes at a line that begins something; an unknown operation
takes the lines after it that cannot begin anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from fathom.syntax.lexer import Token
from fathom.syntax.vocabulary import Vocabulary

TokenAt: TypeAlias = Callable[[int], Token]

ANY_DIALECT: Final = "?"
"""The default dialect inside an unknown operation: any bare word may be the name of an operation there."""

_CONTINUING: Final = frozenset(
    """as at attributes attrs by case default do else from in init ins into iter_args of on outs step then to using
    while with""".split()
)
"""Words that often begin a further line of an operation, and name none."""

UNFINISHED: Final = frozenset((":", ",", "->", "=", "::", "|", "+", "*"))
"""What ends no operation."""

_TYPE: Final = re.compile(r"[su]?i[0-9]+|b?f[0-9]+\w*|index|none")
"""Types that are words."""


def begins_something(token_at: TokenAt, index: int, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether the token looks like the beginning of a statement, or is the end of the document."""
    token, following = token_at(index), token_at(index + 1)
    if following.line != token.line:
        following = Token("END", "", token.line, token.end)
    match token.kind:
        case "END" | "BLOCK" | "FILE":
            return True
        case "PUNCT":
            return token.text == "}"
        case "VALUE":
            return following.text in ("=", ":", ",") and has_equals(token_at, index)
        case "STRING":
            return following.text == "("
        case "ALIAS" | "HASH" | "EXCLAIM":
            return following.text == "="
        case "BARE":
            if "." in token.text or is_operation(token.text, default_dialect, vocabulary):
                return following.text != "="
            return following.text != "=" and vocabulary.today(token.text) is not None
        case _:
            return False


def is_type(word: str) -> bool:
    """Whether a word is a type."""
    return _TYPE.fullmatch(word) is not None


def is_operation(word: str, default_dialect: str, vocabulary: Vocabulary) -> bool:
    """Whether a word without a dialect names an operation."""
    if default_dialect == ANY_DIALECT:
        return False
    return vocabulary.syntax(vocabulary.full_name(word, default_dialect)) is not None


def continues(
    token_at: TokenAt, index: int, previous: str, is_deeper: bool, default_dialect: str, vocabulary: Vocabulary
) -> bool:
    """Whether the first token of a line belongs to the unknown operation before it, whose last token is `previous`.

    A word that names no operation here does if the line `is_deeper` than that of the operation, or if something must
    follow what stands before it; else it may well be a mistyped name.
    """
    # It is asked again for other lines after the same statement, of which no more is at hand.
    token_at = on_line(token_at, token_at(index).line)
    token, following = token_at(index), token_at(index + 1)
    is_near = following.kind != "END"
    if token.kind == "BARE":
        if "." in token.text or is_operation(token.text, default_dialect, vocabulary):
            return False
        if is_deeper or previous in UNFINISHED or token.text in _CONTINUING or is_type(token.text):
            return True
        if following.kind == "BARE" and is_near and token_at(index + 2).text in ("(", "{", "="):
            return True
        is_called = is_near and following.text in ("(", "=")
        return is_called or (is_near and following.text in ("{", "<", "[") and default_dialect != ANY_DIALECT)
    if token.kind == "VALUE":
        # Names alone on a line may be results, or operands.
        is_open = previous in UNFINISHED or is_deeper
        return not defines_results(token_at, index) and (is_open or not _are_alone(token_at, index))
    if token.kind == "BLOCK":
        return end_of_label(token_at, index) is None
    return not begins_something(token_at, index, default_dialect, vocabulary)


def on_line(token_at: TokenAt, line: int) -> TokenAt:
    """The tokens of a line, and the end after them."""

    def token(index: int) -> Token:
        close = token_at(index)
        return close if close.line == line else Token("END", "", line, 0)

    return token


def end_of_label(token_at: TokenAt, index: int) -> int | None:
    """The place behind `^b:` or `^b(%x: i32):`, or behind the line if it ends in the brackets; None if the name is
    that of a successor."""
    line, depth = token_at(index).line, 0
    while (token := token_at(index + 1)).line == line and token.kind != "END":
        if not depth and token.text == ":":
            return index + 2
        depth += (token.text == "(") - (token.text == ")")
        if not depth and token.text != ")":
            return None
        index += 1
    return index + 1 if depth > 0 else None


def begins_operation(token_at: TokenAt, index: int) -> bool:
    """Whether the first token of a line must be the beginning of an operation, even though a bracket is still open."""
    token, following = token_at(index), token_at(index + 1)
    is_near = following.line == token.line
    if token.kind == "VALUE":
        return defines_results(token_at, index)
    return token.kind == "BARE" and "." in token.text and is_near and following.text not in ("=", ",", "}", ":")


def defines_results(token_at: TokenAt, index: int) -> bool:
    """Whether `%x = foo`, `%x:2 =` or `%x, %y =` begins at the token, as far as its line tells."""
    end = end_of_results(token_at, index)
    # What is bound to another value is an argument of a region.
    return end is not None and token_at(end).kind not in ("VALUE", "INTEGER", "FLOAT")


def end_of_results(token_at: TokenAt, index: int) -> int | None:
    """The place behind `%x =`, `%x:2 =` or `%x, %y =`, whose names are on one line; None if that is none."""
    end = _end_of_list(token_at, index)
    return end + 1 if token_at(end).text == "=" else None


def _are_alone(token_at: TokenAt, index: int) -> bool:
    """Whether there is nothing on the line but `%x`, `%x:2` or `%x, %y`, with a comma behind it or none."""
    return token_at(_end_of_list(token_at, index)).kind == "END"


def _end_of_list(token_at: TokenAt, index: int) -> int:
    """The place after `%x`, `%x:2` or `%x, %y`, on one line."""
    line = token_at(index).line
    while (token := token_at(index)).kind == "VALUE" and token.line == line:
        index += 1
        if token_at(index).text == ":" and token_at(index + 1).kind == "INTEGER":
            index += 2
        if token_at(index).text != "," or token_at(index).line != line:
            break
        index += 1
    return index


def has_equals(token_at: TokenAt, index: int) -> bool:
    """Whether there is a `=` on the rest of the line."""
    line = token_at(index).line
    while (token := token_at(index)).kind != "END" and token.line == line:
        if token.text == "=":
            return True
        index += 1
    return False


def first_swallowed(token_at: TokenAt, start: int, at: int, default_dialect: str, vocabulary: Vocabulary) -> int:
    """The first token after the line of `start` and before `at` that clearly begins an operation of its own, else `at`.

    An open bracket may have taken in what follows it; where that is so, the mistake is that the bracket is open.
    """
    line = token_at(start).line
    for index in range(start + 1, at):
        token = token_at(index)
        if token.line == line:
            continue
        line = token.line
        following = token_at(index + 1)
        if token.kind == "VALUE" and following.text == "=" and following.line == line:
            return index
        if token.kind == "BARE" and following.text not in ("=", ",", ":"):
            word = token.text
            name = word if "." in word else vocabulary.full_name(word, default_dialect)
            if vocabulary.syntax(name) is not None:
                return index
    return at
