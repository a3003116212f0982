"""Which intrinsic of LLVM an operation calls, on which arguments: what the tables of intrinsics say.

What an operation calls is read from MLIR's definitions by `make dialects`, a text for each (`Call`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from fathom.dialects.llvm.types import VOID, LLVMVoidType
from fathom.ir.types import FloatType, IntegerType, VectorType
from fathom.records import record


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
    arguments in LLVM's order, and its result where the operation does not say it: always this vector, what the type of
    one of its operands is, or none."""

    base: str
    overloads: tuple[Overload, ...]
    arguments: tuple[Argument, ...]
    result: VectorType | LLVMVoidType | Overload | None = None

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


def _result(text: str | None) -> VectorType | LLVMVoidType | Overload | None:
    """The type of an operand, none, or a vector that is mangled so: `v4f32`, `nxv2i64`."""
    if text == "void":
        return VOID
    if not text or text.startswith("{"):
        return Overload(text[1:-1]) if text else None
    found = _VECTOR.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is no vector")
    element = IntegerType(int(found[3])) if found[3] else FloatType(found[4])
    return VectorType((int(found[2]),), element, (bool(found[1]),))
