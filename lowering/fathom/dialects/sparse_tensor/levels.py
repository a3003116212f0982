"""How one level of a sparse tensor is stored: `dense`, `compressed(nonunique)`, `structured[2, 4]`.

A level is a number, of bits that MLIR gives their meaning: 16 of properties, 16 of the format, and n and m of n:m
sparsity above. Source of the rules: *'sparse_tensor' Dialect*, "SparseTensorEncodingAttr", and MLIR 22's parser.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.keywords import bracketed
from fathom.irdl.readers import ParameterReader

DENSE: Final = 0x00010000
BATCH: Final = 0x00020000
COMPRESSED: Final = 0x00040000
SINGLETON: Final = 0x00080000
LOOSE: Final = 0x00100000
STRUCTURED: Final = 0x00200000
FORMATS: Final = {
    "dense": DENSE,
    "batch": BATCH,
    "compressed": COMPRESSED,
    "structured": STRUCTURED,
    "loose_compressed": LOOSE,
    "singleton": SINGLETON,
}
"""The formats by their keywords."""

NONUNIQUE: Final = 1
NONORDERED: Final = 2
SOA: Final = 4
PROPERTIES: Final = {"nonunique": NONUNIQUE, "nonordered": NONORDERED, "soa": SOA}
"""What may be said of a format, in the order in which it is written."""

_PLAIN: Final = DENSE | BATCH | STRUCTURED
_N_BITS: Final = 32
_M_BITS: Final = 40


def format_of(level: int) -> int:
    """The format, one of the bits above."""
    return level & 0xFFFF0000


def has_format(level: int, *formats: int) -> bool:
    return format_of(level) in formats


def structured_m(level: int) -> int:
    """The m of n:m sparsity."""
    return level >> _M_BITS & 0xFF


def spell_level(level: int) -> str:
    """The level as it is written."""
    text = next((name for name, bits in FORMATS.items() if bits == format_of(level)), "undef")
    if has_format(level, STRUCTURED):
        text += f"[{level >> _N_BITS & 0xFF}, {structured_m(level)}]"
    said = [name for name, bit in PROPERTIES.items() if level & bit]
    return f"{text}({', '.join(said)})" if said else text


def read_level(reader: ParameterReader) -> int:
    """The level that stands next."""
    reader.suggest(FORMATS)
    if not reader.at_kind("BARE"):
        reader.fail_here("expected valid level format (e.g. dense, compressed or singleton)")
    base = reader.optional_keyword() or ""
    sizes = _read_sizes(reader) if base == "structured" else (0, 0)
    properties = _read_properties(reader)
    if base not in FORMATS:
        reader.fail_before(f"unknown level format: {base}")
    if FORMATS[base] & _PLAIN and properties:
        reader.fail_before("invalid level type: level format doesn't support the properties")
    return FORMATS[base] | properties | (sizes[0] & 0xFF) << _N_BITS | (sizes[1] & 0xFF) << _M_BITS


def _read_sizes(reader: ParameterReader) -> tuple[int, int]:
    """`[n, m]`."""
    sizes = bracketed(reader, "[]", lambda: _read_size(reader), "structured n out of m") if reader.at("[") else []
    if len(sizes) != 2:
        reader.fail_before("expected exactly 2 structured sizes")
    if sizes[0] > sizes[1]:
        reader.fail_before("expected n <= m in n_out_of_m")
    return sizes[0], sizes[1]


def _read_size(reader: ParameterReader) -> int:
    if not (reader.at("-") or reader.at_kind("INTEGER", "HEX")):
        reader.fail_here("expected valid integer for structured size")
    size = reader.integer()
    if size < 0:
        reader.fail_before("expected structured size to be >= 0")
    return size


def _read_properties(reader: ParameterReader) -> int:
    """`(nonunique, soa)`, or nothing."""

    def read() -> int:
        reader.suggest(PROPERTIES)
        if not reader.at_kind("BARE"):
            reader.fail_here("expected valid level property (e.g. nonordered, nonunique or high)")
        word = reader.optional_keyword() or ""
        if word not in PROPERTIES:
            reader.fail_before(f"unknown level property: {word}")
        return PROPERTIES[word]

    properties = bracketed(reader, "()", read, "level property list") if reader.at("(") else ()
    return sum({*properties})
