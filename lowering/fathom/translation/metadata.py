"""What nodes of metadata are made of: strings and numbers."""

from __future__ import annotations

from fathom.llvmir.constants import integer
from fathom.llvmir.metadata import MDString, ValueAsMetadata
from fathom.llvmir.types import I1, I32, I64

quoted = MDString
"""A string."""


def bit(value: object) -> ValueAsMetadata:
    """Whether something is so."""
    return ValueAsMetadata(integer(I1, int(bool(value))))


def i32(value: int) -> ValueAsMetadata:
    """A number of 32 bits."""
    return ValueAsMetadata(integer(I32, value))


def i64(value: int) -> ValueAsMetadata:
    """A number of 64 bits."""
    return ValueAsMetadata(integer(I64, value))
