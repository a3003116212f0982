"""String literals and symbol names as they are written.

Source of the rules: *MLIR Language Reference*, "Common syntax".
"""

from __future__ import annotations

import re
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.syntax.carried import whole
from fathom.text.encodings import utf8


def unquote(literal: str) -> str:
    """The value of a string literal: `\\n`, `\\t`, `\\\\`, `\\"` and two hexadecimal digits for a byte of UTF-8."""
    inner = whole(literal)[1:-1]
    if "\\" not in inner:
        return inner
    data = utf8(inner)
    if _UNKNOWN.search(data):
        raise ElaborationFailure("unknown escape in string literal", 0)
    return _ESCAPE.sub(_unescaped, data).decode("utf-8", "surrogateescape")


_ESCAPE: Final = re.compile(rb'\\([nt\\"]|[0-9a-fA-F]{2})')
_UNKNOWN: Final = re.compile(rb'(?<!\\)(?:\\\\)*+\\(?![nt\\"]|[0-9a-fA-F]{2}|\Z)')
_ESCAPES: Final = {b"n": b"\n", b"t": b"\t", b"\\": b"\\", b'"': b'"'}


def _unescaped(escape: re.Match[bytes]) -> bytes:
    letter = escape[1]
    return _ESCAPES.get(letter) or bytes([int(letter, 16)])


def symbol_name(text: str) -> str:
    """The name in `@name` or `@"name"`."""
    return unquote(text[1:]) if text.startswith('@"') else text[1:]
