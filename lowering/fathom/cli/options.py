"""The options of a command line as data: records with a name, a help text and a type.

    SPLIT = text("split-input-file", "take the parts of the input each on its own", bare="// -----")

What a value may be, and what is said of one that it may not be, is as LLVM's tools have it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, Generic, TypeVar

from fathom.records import record, replace

_ARRAY: Final = re.compile(r"\.np[yz](\[[^\[\]]+\])?\Z")
"""How a word ends that names an array of NumPy."""
_LONGEST: Final = 1e9
"""Seconds that nobody waits for."""
T = TypeVar("T")


class Refusal(Exception):
    """Why the value of an option cannot be taken; raised by `Option.read` only."""


class Takes(Enum):
    """Where an option finds its value."""

    MAYBE = "none, or one behind `=`"
    ONE = "one behind `=`, or else the next word"
    REST = "all words up to the next option"


@record(eq=False, slots=False)
class Option(Generic[T]):
    """An option of a command. `read` turns what was given (None for the bare name) into the value, or raises Refusal;
    given more than once, an option has the last value, or what `add` makes of the one before and the new one."""

    name: str
    help: str
    default: T
    read: Callable[[str | None], T]
    takes: Takes
    metavar: str = ""
    alias: str = ""
    add: Callable[[T, T], T] | None = None
    until: Callable[[str], bool] | None = None
    """Of one that takes the rest: whether a word is no value, but the file that the command works on."""
    joined: bool = False
    """Whether the value may stand right behind the letter that is its name: `-Iinclude`."""
    names_passes: bool = False
    """Whether the value are names of passes, which those of dialects may be that the command line names."""
    writes: bool = False
    """Whether the value is a file, or a folder, that the command writes to."""

    @property
    def spelling(self) -> str:
        """The name as a person types it."""
        return f"{'-' if len(self.name) == 1 else '--'}{self.name}"

    @property
    def usage(self) -> str:
        """The name and its value, as the help shows them."""
        value = f"={self.metavar}" if len(self.name) > 1 else f" {self.metavar}"
        if not self.metavar:
            value = ""
        elif self.takes is Takes.MAYBE:
            value = f"[{value}]"
        return ", ".join([*([f"-{self.alias}"] if self.alias else []), f"{self.spelling}{value}"])


# ---- the types of options


def flag(name: str, help: str, *, default: bool = False) -> Option[bool]:
    """An option that is given or not: `--name`, `--name=false`."""
    return Option(name, help, default, _boolean, Takes.MAYBE)


def text(
    name: str, help: str, metavar: str, *, default: str = "", bare: str | None = None, alias: str = ""
) -> Option[str]:
    """An option with a text; `bare` is its value when it is given without one, which then can only stand behind `=`."""

    def read(value: str | None) -> str:
        if not value and bare is not None:
            return bare
        return value or ""

    return Option(name, help, default, read, _takes(bare), metavar, alias)


def written(name: str, help: str, metavar: str = "FILE", *, default: str = "") -> Option[str]:
    """An option with a file or a folder that the command writes to."""
    return replace(text(name, help, metavar, default=default), writes=True)


def number(
    name: str, help: str, metavar: str = "N", *, default: int | None = None, signed: bool = False
) -> Option[int | None]:
    """An option with a whole number."""

    def read(value: str | None) -> int | None:
        pattern = r"-?\d+" if signed else r"\d+"
        if value is None or not re.fullmatch(pattern, value):
            raise Refusal(f"'{value}' value invalid for {'long' if signed else 'uint'} argument!")
        return int(value)

    return Option(name, help, default, read, Takes.ONE, metavar)


def digits(name: str, help: str, *, default: int = 8) -> Option[int | None]:
    """An option with a number of digits; `all` is None."""

    def read(value: str | None) -> int | None:
        if value == "all":
            return None
        if value is None or not re.fullmatch(r"\d{1,2}", value):
            raise Refusal(f"'{value}' is no number of digits: give one, or all")
        return int(value)

    return Option(name, help, default, read, Takes.ONE, "N|all")


def seconds(name: str, help: str, *, default: float) -> Option[float]:
    """An option with a time in seconds."""

    def read(value: str | None) -> float:
        try:
            given = float(value or "")
        except ValueError:
            raise Refusal(f"'{value}' value invalid for floating point argument!") from None
        if not 0 < given < _LONGEST:
            raise Refusal(f"'{value}' is no time: give seconds above 0 and below {_LONGEST:g}")
        return given

    return Option(name, help, default, read, Takes.ONE, "SECONDS")


def choice(name: str, help: str, values: Sequence[str], *, default: str = "", bare: str | None = None) -> Option[str]:
    """An option with one of several words; `bare` as for `text`."""

    def read(value: str | None) -> str:
        if not value and bare is not None:
            return bare
        if value is None or value not in values:
            raise Refusal(f"Cannot find option named '{value}'!")
        return value

    return Option(name, help, default, read, _takes(bare), "|".join(values))


def passes(name: str, help: str) -> Option[tuple[str, ...]]:
    """An option with names of passes, separated by commas; given again, it names more. The command knows which there
    are, when it knows the dialects that it is given."""

    def read(value: str | None) -> tuple[str, ...]:
        return tuple((value or "").split(","))

    def add(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
        return before + new

    return Option(name, help, (), read, Takes.ONE, "PASS,...", add=add, names_passes=True)


def several(letter: str, help: str, metavar: str) -> Option[tuple[str, ...]]:
    """An option with a text, which may stand right behind its letter; given again, it has another besides."""

    def add(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
        return before + new

    return Option(letter, help, (), lambda value: (value or "",), Takes.ONE, metavar, add=add, joined=True)


def words(name: str, help: str, metavar: str, until: Callable[[str], bool] | None = None) -> Option[tuple[str, ...]]:
    """An option with all words that follow, up to the next option, or to a word that is the command's file."""

    def add(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
        return before + new

    return Option(name, help, (), lambda value: (value or "",), Takes.REST, metavar, add=add, until=until)


def listed(name: str, help: str, metavar: str) -> Option[tuple[str, ...]]:
    """An option with words between commas; given again, it has more."""

    def read(value: str | None) -> tuple[str, ...]:
        return tuple(filter(None, (value or "").split(",")))

    return Option(name, help, (), read, Takes.ONE, metavar, add=lambda before, new: before + new)


def names_a_file(word: str) -> bool:
    """Whether a word that stands among values names the input: by its ending, or because there is such a file, and the
    word is neither a number nor names an array."""
    if word == "-" or word.endswith((".mlir", ".mlirbc")):
        return True
    if _ARRAY.search(word.rstrip(",")):
        return False
    try:
        float(word.rstrip(","))
    except ValueError:
        return _is_file(word)
    return False


def _is_file(word: str) -> bool:
    """Whether there is a file of this name; a text that cannot be a name, such as a list of numbers, names none."""
    from pathlib import Path

    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


def unsupported(name: str, reason: str, *, takes: Takes = Takes.MAYBE) -> Option[bool]:
    """An option of LLVM's tool that this one refuses, saying why."""

    def read(value: str | None) -> bool:
        if value in ("false", "0"):
            return False
        raise Refusal(f"not supported: {reason}")

    return Option(name, reason, False, read, takes)


def _boolean(value: str | None) -> bool:
    if value in (None, "", "true", "TRUE", "True", "1"):
        return True
    if value in ("false", "FALSE", "False", "0"):
        return False
    raise Refusal(f"'{value}' is invalid value for boolean argument! Try 0 or 1")


def _takes(bare: str | None) -> Takes:
    return Takes.ONE if bare is None else Takes.MAYBE
