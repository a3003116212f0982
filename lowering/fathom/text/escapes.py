"""How MLIR and LLVM IR write the characters of a string.

Source of the rules: *MLIR Language Reference*, "Common syntax"; *LLVM Language Reference*, "Identifiers".
"""

from __future__ import annotations

import re
from typing import Final

from fathom.text.encodings import utf8

_SAFE: Final = re.compile(r"[ !#-\[\]-~]*")
_SCARY: Final = re.compile(rb"[^ !#-\[\]-~]")


def quote(text: str) -> str:
    """A string in quotes."""
    return f'"{escape(text)}"'


def escape(text: str) -> str:
    """A text as it stands between quotes."""
    return text if _SAFE.fullmatch(text) else escape_bytes(utf8(text))


def escape_bytes(data: bytes) -> str:
    """Bytes as they stand between quotes: those that print as they are, a backslash twice, the others as two upper-case
    hexadecimal digits."""
    return _SCARY.sub(escaped, data).decode("ascii")


def escaped(match: re.Match[bytes]) -> bytes:
    """What stands for a byte that does not stand for itself."""
    return b"\\\\" if match[0] == b"\\" else b"\\%02X" % match[0][0]
