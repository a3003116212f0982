"""Inputs that are no text: told by their first characters, so that nobody is shown their bytes as a mistake."""

from __future__ import annotations

from typing import Final

BYTECODE: Final = "ML\udcefR"
"""What bytecode begins with, as text whose bytes beyond UTF-8 are kept as surrogates."""
_BEGINNINGS: Final = (
    ("BC\udcc0\udcde", "LLVM bitcode: print it as text with llvm-dis first"),
    ("\x7fELF", "a binary file (ELF: a program, a library or an object file)"),
    ("\udccf\udcfa\udced\udcfe", "a binary file (Mach-O)"),
    ("!<arch>\n", "an archive of object files"),
    ("\x1f\udc8b", "a compressed file (gzip)"),
    ("PK\x03\x04", "a compressed file (zip)"),
    ("(\udcb5/\udcfd", "a compressed file (zstd)"),
    ("\udcff\udcfe", "text in UTF-16: MLIR is read as UTF-8"),
    ("\udcfe\udcff", "text in UTF-16: MLIR is read as UTF-8"),
)
"""By what a file begins with."""
_LOOKED_AT: Final = 1000
_MOST: Final = 0.1
"""The part of the characters that may be none of a text."""


def what_it_is(text: str) -> str | None:
    """What an input is that is neither text nor bytecode; None for one that may be MLIR."""
    if text.startswith(BYTECODE):
        return None
    for beginning, what in _BEGINNINGS:
        if text.startswith(beginning):
            return what
    looked_at = text[:_LOOKED_AT]
    strange = sum(_is_strange(character) for character in looked_at)
    return "a binary file" if strange > 4 and strange > _MOST * len(looked_at) else None


def _is_strange(character: str) -> bool:
    return (character < " " and character not in "\t\n\r\f\v") or "\udc80" <= character <= "\udcff"
