"""How atomic updates and reductions combine two numbers, by the numbers of `arith::AtomicRMWKind`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fathom.dialects.memref.access import KINDS
from fathom.interpreting.numbers import FLOAT, INTEGER, rounded
from fathom.interpreting.values import Datum, NotUnderstood, bits_of
from fathom.ir.types import FloatType, Type

_WORDS: Final = [*KINDS]
_INTEGERS: Final[Mapping[str, str]] = {
    **{f"{name}i": name for name in ("add", "mul", "and", "or", "xor")},
    **{name: name for name in ("maxs", "maxu", "mins", "minu")},
}
_FLOATS: Final[Mapping[str, str]] = {
    **{f"{name}f": name for name in ("add", "mul")},
    **{f"{name}f": name for name in ("maximum", "minimum", "maxnum", "minnum")},
}


def combined(kind: int, type: Type, one: Any, other: Any) -> Datum:
    """Two numbers of a type, combined. Raises NotUnderstood for what combines none."""
    word = _WORDS[kind]
    if word in _INTEGERS:
        bits = bits_of(type)
        return INTEGER[_INTEGERS[word]](int(one), int(other), bits) % (1 << bits)
    if word in _FLOATS and isinstance(type, FloatType):
        return rounded(FLOAT[_FLOATS[word]](one, other), type.name)
    raise NotUnderstood(f"numbers combined by {word}")
