"""What the emitters read off an operation: fast-math flags, kinds of types, strings."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.operation import Operation
from fathom.translation.attribute_sets import inside

FASTMATH_ORDER: Final = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")


@lru_cache(maxsize=256)
def _fastmath(attribute: Attribute) -> str:
    flags = {flag.strip() for flag in inside(attribute).split(",")}
    if "fast" in flags or flags.issuperset(FASTMATH_ORDER):
        return "fast "
    return "".join(f"{flag} " for flag in FASTMATH_ORDER if flag in flags)


def fastmath(op: Operation) -> str:
    """The fast-math flags, with a space after each."""
    attribute = op.properties.get("fastmathFlags")
    return _fastmath(attribute) if attribute is not None else ""


def text_of_string(attribute: Attribute | None) -> str | None:
    """A string attribute's value; None for any other."""
    return attribute.value if isinstance(attribute, StringAttr) else None
