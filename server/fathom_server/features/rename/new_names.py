"""New names as a person writes them: with the sign before it (`%x`, `@f`) or without, and read by the rules of MLIR.

Source of the rules: *MLIR Language Reference*, "Identifiers and keywords"; the names that an alias may have are those
that MLIR's parser takes.
"""

from __future__ import annotations

import re
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.ir.spelling import is_bare_identifier
from fathom.text.escapes import quote
from fathom_server.features.edits import Refusal

LONGEST: Final = 1000
"""Characters that a new name may have."""

_SUFFIX: Final = re.compile(r"[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*")
_LITERAL: Final = re.compile(r'"(?:[^"\\\n\v\f]|\\.)*"')
_WHAT: Final = {
    "%": "the name of a value: letters, digits, `$`, `.`, `_` and `-`, or digits alone",
    "^": "the name of a block: letters, digits, `$`, `.`, `_` and `-`, or digits alone",
    "#": "the name of an alias: letters, digits, `$`, `_` and `-`, or digits alone",
    "!": "the name of an alias: letters, digits, `$`, `_` and `-`, or digits alone",
}


def new_name(sign: str, written: str) -> str | Refusal:
    """The name without its sign that a person wrote for what has this sign, or why it is none. That of a symbol may be
    any text, in quotes or not."""
    name = written.strip().removeprefix(sign)
    if len(name) > LONGEST:
        return Refusal(f"a name has at most {LONGEST} characters")
    if sign == "@":
        return _symbol(name)
    is_name = _SUFFIX.fullmatch(name) is not None and not (sign in "#!" and "." in name)
    return name if is_name else Refusal(f"'{written}' is not {_WHAT[sign]}")


def _symbol(name: str) -> str | Refusal:
    if not name.startswith('"'):
        wrong = not name or any(character < " " for character in name)
        return Refusal("a symbol has a name") if wrong else name
    try:
        if _LITERAL.fullmatch(name) is None or not (plain := unquote(name)):
            return Refusal(f"{name} is not the name of a symbol")
    except ElaborationFailure as failure:
        return Refusal(f"{name} is not the name of a symbol: {failure.message}")
    return plain


def spelled(name: str, *, as_string: bool = False) -> str:
    """The name of a symbol as it is written: `@f`, `@"a name"`, or as a string, which it is in the generic form."""
    if not as_string and is_bare_identifier(name, dotted=True):
        return f"@{name}"
    return f'{"" if as_string else "@"}"{"".join(map(_escaped, name))}"'


def _escaped(character: str) -> str:
    # What prints stays as the person wrote it.
    return character if character.isprintable() and character not in '"\\' else quote(character)[1:-1]
