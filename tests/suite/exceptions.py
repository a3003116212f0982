"""Which tests over dialects that Fathom defines do not pass, and why: `exceptions.toml`, kept by hand."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PART: Final = "language"
"""The part in which every test over these dialects is to pass."""
EXCEPTIONS: Final = Path(__file__).with_name("exceptions.toml")
FOLDERS: Final = (
    "Bytecode",
    "Dialect/Affine",
    "Dialect/Arith",
    "Dialect/Builtin",
    "Dialect/Complex",
    "Dialect/ControlFlow",
    "Dialect/DLTI",
    "Dialect/Func",
    "Dialect/Index",
    "Dialect/LLVMIR",
    "Dialect/Math",
    "Dialect/MemRef",
    "Dialect/SCF",
    "Dialect/UB",
    "IR",
)
"""The folders of the language itself, and of the dialects that Fathom defines."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """A reason, and the tests that do not pass for it."""

    reason: str
    tests: tuple[str, ...]


def exceptions() -> list[Unmet]:
    """The reasons, in the order of the file."""
    tables = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))["exception"]
    return [Unmet(table["reason"], tuple(table["tests"])) for table in tables]


def is_over_own_dialects(test: str) -> bool:
    """Whether a test stands in one of the folders."""
    return test.startswith(tuple(f"{folder}/" for folder in FOLDERS))
