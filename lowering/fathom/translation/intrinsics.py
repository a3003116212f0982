"""Intrinsics: which function of LLVM's own an operation calls, and how LLVM declares it.

What an operation calls is read from MLIR's definitions by `make dialects`, a text for each (`Call`). The name of an
intrinsic is followed by the overloaded types. Their declarations carry attributes that only LLVM knows; LLVM itself is
asked for them, once for each signature. Source of the rules: *'llvm' Dialect*, "Intrinsics".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.llvm import PRINT
from fathom.llvm.process import Died, Refused, ask
from fathom.records import record
from fathom.translation.spelling import mangle


@record
class Argument:
    """An argument of a call: an operand or an attribute by its `name`, all operands that have it if there may be
    `many`, or a number. With a `width`, the attribute or number is of so many bits."""

    name: str
    many: bool = False
    width: int = 0

    @property
    def number(self) -> int | None:
        """The number that it is."""
        return int(self.name, 0) if self.name[0].isdigit() else None


@record
class Overload:
    """What LLVM overloads the name of an intrinsic on: the type of an operand or a result. With an `index`, that of a
    field of a struct that is the result, or of one of the operands that have one name."""

    name: str
    index: int | None = None


@record
class Call:
    """What an operation calls: the intrinsic by its name without overloaded types, what it is overloaded on, its
    arguments in LLVM's order, and its result where the operation does not say it: always this vector, or what the type
    of one of its operands is."""

    base: str
    overloads: tuple[Overload, ...]
    arguments: tuple[Argument, ...]
    result: VectorType | Overload | None = None

    @property
    def names(self) -> frozenset[str]:
        """The operands and attributes that are arguments."""
        return frozenset(each.name for each in self.arguments)


_CALL: Final = re.compile(r"(llvm[\w.-]*?)((?:\.\{[\w.-]+\})*)\(([^()]*)\)(?: -> ([\w.{}]+))?")
_VECTOR: Final = re.compile(r"(nx)?v(\d+)(?:i(\d+)|(b?f\d+))")
_ARGUMENT: Final = re.compile(r"(?:i(\d+) )?([\w-]+)(\.\.\.)?")


@lru_cache(maxsize=2048)
def call_of(text: str) -> Call:
    """The call that a text is, such as `llvm.memcpy.{dst}.{src}.{len}(dst, src, len, isVolatile)`. Raises ValueError
    for one that is none."""
    found = _CALL.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is no call of an intrinsic")
    overloads: list[Overload] = []
    for each in re.findall(r"\{([\w.-]+)\}", found[2]):
        name, _, index = each.partition(".")
        overloads.append(Overload(name, int(index) if index else None))
    arguments: list[Argument] = []
    for each in filter(None, found[3].split(", ")):
        match = _ARGUMENT.fullmatch(each)
        if match is None:
            raise ValueError(f"'{each}' is no argument of an intrinsic")
        arguments.append(Argument(match[2], bool(match[3]), int(match[1] or 0)))
    return Call(found[1], tuple(overloads), tuple(arguments), _result(found[4]))


def _result(text: str | None) -> VectorType | Overload | None:
    """The type of an operand, or a vector that is mangled so: `v4f32`, `nxv2i64`."""
    if not text or text.startswith("{"):
        return Overload(text[1:-1]) if text else None
    found = _VECTOR.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is no vector")
    element = IntegerType(int(found[3])) if found[3] else FloatType(found[4])
    return VectorType((int(found[2]),), element, (bool(found[1]),))


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
