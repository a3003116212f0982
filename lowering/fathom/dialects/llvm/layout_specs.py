"""A data layout of LLVM IR as `#dlti.dl_spec`.

Source of the rules: *LLVM Language Reference*, "Data Layout"; *DLTI Dialect*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.dialects.dlti import EntriesAttr, FunctionPointerAlignmentAttr, Key
from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.ir_names import LAYOUT_NUMBERS
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr, StringAttr, i64_attr
from fathom.ir.types import F16, F32, F64, F80, F128, I64, IntegerType, VectorType, signless
from fathom.records import record

_DEFAULT: Final = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:32:64-f16:16:16-f64:64:64-f128:128:128"
"""What holds besides, as MLIR has it."""
_FLOATS: Final = {float_.width: float_ for float_ in (F16, F32, F64, F80, F128)}
_NUMBERS: Final = {letter: name for name, letter in LAYOUT_NUMBERS.items()}
_TOKEN: Final = re.compile(r"([A-Za-z]+)(.*)", re.DOTALL)
_UNSIGNED: Final = IntegerType(64, "u")


class _Unknown(Exception):
    """A part of a layout that is none that is known."""


class _Malformed(Exception):
    """A part of a layout that cannot be read."""


@record
class LayoutSpec:
    """What a text says, as an attribute; None where one of its parts, `malformed`, cannot be read. `unknown` are the
    parts that MLIR has no entries for."""

    attribute: EntriesAttr | None
    unknown: tuple[str, ...] = ()
    malformed: str = ""


def layout_spec(layout: str) -> LayoutSpec:
    """The entries of a data layout, and those that hold besides. Of what is said twice, the first counts."""
    typed: dict[Key, Attribute] = {}
    named: dict[Key, Attribute] = {}
    unknown: list[str] = []
    for token in f"{layout}-{_DEFAULT}".split("-") if layout else _DEFAULT.split("-"):
        try:
            for key, value in _entries(token):
                (named if isinstance(key, str) else typed).setdefault(key, value)
        except _Unknown:
            unknown.append(token)
        except (_Malformed, ValueError):
            return LayoutSpec(None, malformed=token)
    return LayoutSpec(EntriesAttr("dl_spec", (*typed.items(), *named.items())), tuple(unknown))


def _entries(token: str) -> Iterator[tuple[Key, Attribute]]:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise _Malformed
    prefix, rest = match[1], match[2]
    match prefix:
        case "e" | "E":
            yield "dlti.endianness", StringAttr("little" if prefix == "e" else "big")
        case "m":
            yield "dlti.mangling_mode", StringAttr(rest.removeprefix(":"))
        case "P" | "G" | "A":
            if int(rest):
                yield _NUMBERS[prefix], IntegerAttr(int(rest), _UNSIGNED)
        case "S":
            yield _NUMBERS[prefix], i64_attr(int(rest))
        case "i":
            width, numbers = _numbers(rest)
            yield signless(width), _alignment(numbers)
        case "f":
            width, numbers = _numbers(rest)
            yield _FLOATS[width], _alignment(numbers)
        case "p":
            space, numbers = _numbers(rest)
            yield LLVMPointerType(space), _pointer(numbers)
        case "n":
            yield "dlti.legal_int_widths", i32_array(*map(int, rest.removeprefix(":").split(":")))
        case "Fi" | "Fn":
            yield "dlti.function_pointer_alignment", FunctionPointerAlignmentAttr(int(rest), prefix == "Fn")
        case _:
            raise _Unknown


def _numbers(rest: str) -> tuple[int, list[int]]:
    """The number before the first colon, 0 for none, and those behind."""
    first, _, others = rest.partition(":")
    return int(first or 0), [int(each) for each in others.split(":")]


def _alignment(numbers: list[int]) -> Attribute:
    if len(numbers) > 2:
        raise _Malformed
    return _dense(numbers[0], numbers[-1])


def _pointer(numbers: list[int]) -> Attribute:
    """The size, the two alignments, and how wide an index is."""
    if not 2 <= len(numbers) <= 4:
        raise _Malformed
    size, minimal, *rest = numbers
    return _dense(size, minimal, rest[0] if rest else minimal, rest[1] if len(rest) > 1 else size)


def _dense(*numbers: int) -> Attribute:
    values = numbers[:1] if len(set(numbers)) == 1 else numbers
    return DenseElementsAttr(values, VectorType((len(numbers),), I64))
