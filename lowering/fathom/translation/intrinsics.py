"""Intrinsics: which function of LLVM's own an operation calls, and how LLVM declares it.

The name of an intrinsic is followed by the overloaded types. Their declarations carry attributes that only LLVM knows;
LLVM itself is asked for them, once for each signature. Source of the rules: *'llvm' Dialect*, "Intrinsics".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fathom.ir.types import Type
from fathom.llvm import PRINT
from fathom.llvm.process import Died, Refused, ask
from fathom.records import record
from fathom.translation.spelling import mangle


def mangled(base: str, types: Sequence[Type]) -> str:
    """An intrinsic's full name: `llvm.masked.load.v4f32.p0`."""
    return ".".join([base, *map(mangle, types)])


@record
class Explained:
    """What LLVM prints before an immediate argument: a name, and the word that the number stands for, if any."""

    name: str
    words: tuple[str, ...] = ()


COMMENTED: Final = {
    "llvm.nvvm.tcgen05.mma.tensor": {
        -3: Explained("kind", ("f16", "tf32", "f8f6f4", "i8")),
        -2: Explained("cta_group"),
        -1: Explained("collector", ("discard", "lastuse", "fill", "use")),
    }
}
"""The arguments that are explained, from the end (`ImmArgPrinter` in LLVM's definitions)."""


def comment(explained: Explained, number: str) -> str:
    """`/* kind=f16 */ `, before a number."""
    known = number.isdigit() and int(number) < len(explained.words)
    return f"/* {explained.name}={explained.words[int(number)] if known else ''} */ "


@record
class Declaration:
    """How LLVM prints a declaration: the name, with the overloaded types if they were left out; the line without its
    attribute group; and what that group says, as the comment above spells it and as the group does."""

    name: str
    line: str
    comment: str
    group: str


@lru_cache(maxsize=1024)
def declaration(result: str, name: str, parameters: tuple[str, ...]) -> Declaration:
    """The declaration of an intrinsic with this signature, with the attributes that LLVM gives it."""
    plain = f"declare {result} @{name}({', '.join(parameters)})"
    try:
        text = ask(PRINT, plain)
    except (Refused, Died):
        return Declaration(name, plain, "", "")
    line = next((line for line in text.splitlines() if line.startswith("declare ")), plain)
    comment = _COMMENT.search(text)
    group = _GROUP.search(text)
    full = _NAME.search(line)
    return Declaration(
        full[1] if full else name, _USE.sub("", line), comment[1] if comment else "", group[1] if group else ""
    )


_COMMENT: Final = re.compile(r"^; Function Attrs: (.*)$", re.MULTILINE)
_GROUP: Final = re.compile(r"^attributes #0 = \{ (.*) \}$", re.MULTILINE)
_NAME: Final = re.compile(r"@([-\w.$]+)\(")
_USE: Final = re.compile(r" #\d+$")
