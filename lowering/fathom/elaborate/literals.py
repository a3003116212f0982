"""String literals and symbol names as they are written.

Source of the rules: *MLIR Language Reference*, "Common syntax".
"""

from __future__ import annotations

import codecs
from typing import Final

from fathom.elaborate.failure import ElaborationFailure


def unquote(literal: str) -> str:
    """The value of a string literal: `\\n`, `\\t`, `\\\\`, `\\"` and two hexadecimal digits for a byte of UTF-8."""
    inner = literal[1:-1]
    if "\\" not in inner:
        return inner
    out = bytearray()
    data = inner.encode("utf-8", "surrogateescape")
    index = 0
    while index < len(data):
        byte = data[index]
        if byte != 0x5C or index + 1 >= len(data):
            out.append(byte)
            index += 1
            continue
        escape = chr(data[index + 1])
        if escape in _ESCAPES:
            out.append(_ESCAPES[escape])
            index += 2
        else:
            digits = data[index + 1 : index + 3].decode("ascii", "replace")
            try:
                out += codecs.decode(digits, "hex")
            except ValueError:
                raise ElaborationFailure("unknown escape in string literal", 0) from None
            index += 3
    return out.decode("utf-8", "surrogateescape")


_ESCAPES: Final = {"n": 0x0A, "t": 0x09, "\\": 0x5C, '"': 0x22}


def symbol_name(text: str) -> str:
    """The name in `@name` or `@"name"`."""
    return unquote(text[1:]) if text.startswith('@"') else text[1:]
