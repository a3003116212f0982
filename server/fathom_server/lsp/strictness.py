"""Texts and numbers of messages as what they are: without this, 5 would be read as the text `5` where one is asked for,
and `"5"` as a number."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pygls.protocol import default_converter

if TYPE_CHECKING:
    from cattrs import Converter

_IS_LENIENT: Final[ContextVar[bool]] = ContextVar("_IS_LENIENT", default=False)


@contextmanager
def lenience() -> Generator[None]:
    """What is read there is turned into what it should be, if that can be done."""
    before = _IS_LENIENT.set(True)
    try:
        yield
    finally:
        _IS_LENIENT.reset(before)


@cache
def strict_converter() -> Converter:
    """Reads messages, and refuses what is of another type than it should be. A number without a fraction is whole,
    however it is written. It writes code for each kind of message, so all servers of a process have one."""
    converter = default_converter()
    for kind, read in ((str, _text), (int, _whole), (float, _number)):
        converter.register_structure_hook(kind, read)
    return converter


def _text(value: Any, kind: type[str]) -> str:
    if kind is not str or isinstance(value, str) or _IS_LENIENT.get():
        return kind(value)
    raise _unlike(value, "a text")


def _whole(value: Any, kind: type[int]) -> int:
    # Truth values and the cases of enumerations come here too.
    is_whole = type(value) is int or (type(value) is float and value.is_integer())
    if kind is not int or is_whole or _IS_LENIENT.get():
        return kind(value)
    raise _unlike(value, "a whole number")


def _number(value: Any, kind: type[float]) -> float:
    if type(value) is int or type(value) is float or _IS_LENIENT.get():
        return kind(value)
    raise _unlike(value, "a number")


def _unlike(value: object, expected: str) -> TypeError:
    return TypeError(f"expected {expected}, got {type(value).__name__}")
