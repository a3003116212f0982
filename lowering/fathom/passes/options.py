"""The options of passes: what values one takes, how they are read, checked and written.

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

Source of the rules: *Pass Infrastructure*, "Options Specification". Names, values and messages are mlir-opt 22's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Final, TypeVar

from fathom.records import field, fields, record

Value = bool | int | float | str | tuple[str, ...] | tuple[int, ...]
"""What an option can hold."""

ValueT = TypeVar("ValueT", bound=Value)


class Refused(Exception):
    """A text that is no value of an option; the message is what mlir-opt says of it."""


@record
class Kind:
    """The values that an option takes: how they are called in a list of options, read and written.

    `read` raises `Refused`. `cases` are the values of an enumeration, each with its help.
    """

    word: str
    read: Callable[[str], Value]
    write: Callable[[Value], str] = str
    cases: tuple[tuple[str, str], ...] = ()
    many: bool = False


def _read_boolean(text: str) -> bool:
    if text in ("", "true", "TRUE", "True", "1"):
        return True
    if text in ("false", "FALSE", "False", "0"):
        return False
    raise Refused(f"'{text}' is invalid value for boolean argument! Try 0 or 1")


_INTEGER: Final = re.compile(r"(-?)(0x[0-9a-fA-F]+|0b[01]+|0o?[0-7]+|[1-9][0-9]*|0)", re.ASCII)


def _integer(word: str, lowest: int, highest: int) -> Callable[[str], int]:
    """Reads an integer as LLVM does: decimal, or with a prefix that names another base."""

    def read(text: str) -> int:
        match = _INTEGER.fullmatch(text)
        if match is not None:
            digits = match[2]
            octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xbo"
            number = int(match[1] + (f"0o{digits[1:]}" if octal else digits), 0)
            if lowest <= number <= highest and not (match[1] and lowest == 0):
                return number
        raise Refused(f"'{text}' value invalid for {word} argument!")

    return read


BOOL: Final = Kind("", _read_boolean, lambda value: "true" if value else "false")
UINT: Final = Kind("uint", _integer("uint", 0, 2**32 - 1))
ULONG: Final = Kind("ulong", _integer("ulong", 0, 2**64 - 1))
INT: Final = Kind("int", _integer("integer", -(2**31), 2**31 - 1))
LONG: Final = Kind("long", _integer("long", -(2**63), 2**63 - 1))
_NUMBER: Final = re.compile(
    r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?|0x[0-9a-f]+|[+-]?(inf|nan)", re.IGNORECASE | re.ASCII
)


def _read_number(text: str) -> float:
    if text and _NUMBER.fullmatch(text) is None:
        raise Refused(f"'{text}' value invalid for floating point argument!")
    return float(int(text, 16)) if text[:2].lower() == "0x" else float(text or 0)


def _write_number(value: Value) -> str:
    assert isinstance(value, (int, float)), "a number is written"
    return f"{value:.6e}" if isfinite(value) else str(float(value)).upper()


NUMBER: Final = Kind("number", _read_number, _write_number)
STRING: Final = Kind("string", str, lambda value: f"{{{value}}}" if " " in str(value) else str(value))

PIPELINE: Final = Kind("pass-manager", str)
"""Passes on an operation: `func.func(canonicalize,cse)`."""


def one_of(cases: Mapping[str, str]) -> Kind:
    """An enumeration; `cases` gives the help of each value."""

    def read(text: str) -> str:
        if text not in cases:
            raise Refused(f"Cannot find option named '{text}'!")
        return text

    return Kind("value", read, cases=tuple(cases.items()))


def list_of(kind: Kind) -> Kind:
    """Values with commas between them; an empty list is the default and is not written."""

    def read(text: str) -> tuple[str, ...] | tuple[int, ...]:
        values = [kind.read(part) for part in _split(text)] if text else []
        numbers = tuple(value for value in values if isinstance(value, int))
        return numbers if len(numbers) == len(values) else tuple(map(str, values))

    def write(value: Value) -> str:
        return ",".join(kind.write(part) for part in value) if isinstance(value, tuple) else ""

    return Kind(kind.word, read, write, many=True)


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no braces, parentheses or quotes."""
    depth, quote, part = 0, "", ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "{}()":
            depth += 1 if character in "{(" else -1
        elif character == "," and depth == 0:
            yield _unquoted(part)
            part = ""
            continue
        part += character
    yield _unquoted(part)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and (text[0], text[-1]) in (("{", "}"), ("'", "'"), ('"', '"')):
        return text[1:-1].strip()
    return text


@record
class Option:
    """One option of a pass. `field` is the name that its value has in the pass's class."""

    name: str
    field: str
    kind: Kind
    default: Value
    help: str

    def read(self, text: str | None) -> Value:
        """The value that a text stands for; only what is on or off needs none. Raises Refused."""
        if text is None and self.kind is not BOOL:
            raise Refused("requires a value!")
        return self.kind.read(text or "")

    def spell(self, value: Value) -> str:
        """`name=value`, or nothing for an empty list."""
        if self.kind.many:
            return f"{self.name}={{{self.kind.write(value)}}}" if value else ""
        return f"{self.name}={self.kind.write(value)}"


class NotGiven(int):
    """The default of a number where that it was given makes a difference, whatever it is: it equals nothing else."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = int.__hash__


_OPTION: Final = "option"


def option(default: ValueT, help: str, kind: Kind, name: str = "") -> ValueT:
    """A field of a pass's class that is an option of the pass, by this name; by default that of the field, with `-` for
    `_`."""

    def named(field: str) -> Option:
        return Option(name or field.replace("_", "-"), field, kind, default, help)

    return field(default=default, metadata={_OPTION: named})


def options_of(cls: type) -> tuple[Option, ...]:
    """The options that the fields of a pass's class declare, by name as mlir-opt sorts them."""
    declared = [one.metadata[_OPTION](one.name) for one in fields(cls) if _OPTION in one.metadata]
    return tuple(sorted(declared, key=lambda of_field: of_field.name))


def arguments(text: str) -> Iterator[tuple[str, str | None]]:
    """The names and values in `a=1 b={c d} e`; without braces or quotes around a value, None where there is none."""
    position = 0
    while position < len(text):
        start = position
        while position < len(text) and text[position] not in " =":
            position += 1
        name, value = text[start:position], None
        if position < len(text) and text[position] == "=":
            end = _end_of_value(text, position + 1)
            value, position = _unquoted(text[position + 1 : end]), end
        position += 1
        if name:
            yield name, value


def _end_of_value(text: str, position: int) -> int:
    depth, quote = 0, ""
    while position < len(text):
        character = text[position]
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and text.find(character, position + 1) >= 0:
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == " " and depth <= 0:
            break
        position += 1
    return position
