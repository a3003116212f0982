"""The types of the quant dialect: numbers that stand for others by a scale and a zero point.

Scales are kept as the bit patterns of `f64`. Source of the rules: *'quant' Dialect*, and the printer of MLIR 22; the
texts of errors are those of its parser and verifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final

from fathom.ir.attributes import FloatAttr
from fathom.ir.floats import SEMANTICS, from_float, infinity, spell_float, to_float
from fathom.ir.types import F64, FloatType, IntegerType, Speller, Type
from fathom.irdl.readers import BodyReader, TypeReader
from fathom.records import record

Scale = tuple[int, int]
"""The bits of a scale, and the zero point."""


@record
class Storage:
    """How numbers are stored, `i8<-8:7>`: a type, whether it counts as signed, and the least and greatest of them."""

    type: IntegerType
    signed: bool
    least: int
    greatest: int

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest that could be stored."""
        return limits_of(self.type.width, signed=self.signed)

    def __str__(self) -> str:
        range = "" if (self.least, self.greatest) == self.limits else f"<{self.least}:{self.greatest}>"
        return f"{'i' if self.signed else 'u'}{self.type.width}{range}"


def limits_of(width: int, *, signed: bool) -> tuple[int, int]:
    """The least and the greatest integer of a width."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)


@record
class QuantizedType(Type):
    """What all but the calibrated types have in common: a storage, and the type whose values they stand for."""

    storage: Storage
    expressed: FloatType | None


@record
class AnyQuantizedType(QuantizedType):
    """`!quant.any<i8:f32>`."""

    FULL_NAME: ClassVar[str] = "quant.any"

    def spell(self, of: Speller) -> str:
        expressed = f":{of(self.expressed)}" if self.expressed is not None else ""
        return f"!quant.any<{self.storage}{expressed}>"


@record
class UniformType(QuantizedType):
    """`!quant.uniform<i8:f32, 2.0:1>`."""

    FULL_NAME: ClassVar[str] = "quant.uniform"

    scale: Scale

    def spell(self, of: Speller) -> str:
        return f"!quant.uniform<{_head(self, of)}, {_spell_scale(self.scale)}>"


@record
class UniformPerAxisType(QuantizedType):
    """`!quant.uniform<i8:f32:1, {2.0, 3.0:1}>`: a scale for each index along an axis."""

    FULL_NAME: ClassVar[str] = "quant.uniform"

    axis: int
    scales: tuple[Scale, ...]

    def spell(self, of: Speller) -> str:
        return f"!quant.uniform<{_head(self, of)}:{self.axis}, {{{','.join(map(_spell_scale, self.scales))}}}>"


@record
class UniformSubChannelType(QuantizedType):
    """`!quant.uniform<i8:f32:{0:2, 1:4}, {{2.0, 3.0}}>`: a scale for each block, whose sizes are given for some axes.
    The scales are in the expressed type; `shape` says how they are nested."""

    FULL_NAME: ClassVar[str] = "quant.uniform"

    blocks: tuple[tuple[int, int], ...]
    shape: tuple[int, ...]
    scales: tuple[Scale, ...]

    def spell(self, of: Speller) -> str:
        blocks = ", ".join(f"{axis}:{size}" for axis, size in self.blocks)
        name = self.expressed.name if self.expressed is not None else "f64"
        texts = [_spell_scale(scale, name) for scale in self.scales]
        for extent in reversed(self.shape):
            groups = range(0, len(texts), extent)
            texts = [f"{{{', '.join(texts[start : start + extent])}}}" for start in groups]
        return f"!quant.uniform<{_head(self, of)}:{{{blocks}}}, {''.join(texts)}>"


@record
class CalibratedType(Type):
    """`!quant.calibrated<f32<-1.0:1.0>>`; the numbers are bits of `f64`."""

    FULL_NAME: ClassVar[str] = "quant.calibrated"

    expressed: FloatType
    least: int
    greatest: int

    def spell(self, of: Speller) -> str:
        range = f"{spell_float(self.least, 'f64')}:{spell_float(self.greatest, 'f64')}"
        return f"!quant.calibrated<{of(self.expressed)}<{range}>>"


def _head(type: QuantizedType, of: Speller) -> str:
    return f"{type.storage}:{of(type.expressed) if type.expressed is not None else ''}"


def _spell_scale(scale: Scale, type: str = "f64") -> str:
    bits, zero = scale
    return spell_float(bits, type) + (f":{zero}" if zero else "")


# ---- how they are read


MOST_BITS: Final = 32
"""The widest storage."""
MOST_LEVELS: Final = 64
"""How deep scales may be nested: deeper than any tensor."""


def _storage(reader: BodyReader) -> Storage:
    """`i8`, `u8`, `i8<-8:7>`."""
    if reader.at_type():
        type = reader.type()
        if not isinstance(type, IntegerType):
            reader.fail_before("invalid kind of type specified")
        signed = type.signedness != "u"
    else:
        word = reader.keyword()
        if not word.startswith("u"):
            reader.fail_before("illegal storage type prefix")
        if not word[1:].isdecimal() or len(word) > 9:
            reader.fail_before("expected storage type width")
        type, signed = IntegerType(int(word[1:])), False
    if not 0 < type.width <= MOST_BITS:
        reader.fail_before(f"illegal storage type size: {type.width}")
    least, greatest = limits_of(type.width, signed=signed)
    if not reader.accept("<"):
        return Storage(type, signed, least, greatest)
    low = _integer(reader)
    reader.expect(":")
    high = _integer(reader)
    reader.expect(">")
    if low < least:
        reader.fail_before(f"illegal storage type minimum: {low}")
    if high > greatest:
        reader.fail_before(f"illegal storage type maximum: {high}")
    return Storage(type, signed, low, high)


def _integer(reader: BodyReader) -> int:
    value = reader.integer()
    if not -(1 << 63) <= value < 1 << 63:
        reader.fail_before("integer value too large")
    return value


def _check(reader: BodyReader, storage: Storage) -> Storage:
    if storage.greatest <= storage.least:
        reader.fail(f"illegal storage min and storage max: ({storage.least}:{storage.greatest})")
    return storage


def _float(reader: BodyReader) -> int:
    """The bits of a float literal."""
    if not (reader.at_kind("FLOAT", "INTEGER", "HEX") or reader.at("-")):
        reader.fail_here("expected floating point literal")
    value = reader.number(F64)
    return value.bits if isinstance(value, FloatAttr) else 0


def _expressed(reader: BodyReader) -> FloatType:
    type = reader.type()
    return type if isinstance(type, FloatType) else reader.fail_before("invalid kind of type specified")


@cache
def _range(name: str) -> tuple[float, float]:
    """The least and the greatest positive number of a float type."""
    semantics = SEMANTICS[name]
    greatest = infinity(name) - 1 if semantics.special == "ieee" else (1 << (semantics.width - semantics.signed)) - 1
    if semantics.special == "fn":
        greatest -= 1
    return to_float(1, name), to_float(greatest, name)


def _scale(reader: BodyReader, expressed: FloatType) -> Scale:
    bits = _float(reader)
    least, greatest = _range(expressed.name)
    value = to_float(bits, "f64")
    if value < least or value > greatest:
        reader.fail_here(f"scale {value:e} out of expressed type range [{least:e}, {greatest:e}]")
    return bits, _integer(reader) if reader.accept(":") else 0


def _scales(reader: BodyReader, expressed: FloatType, scales: list[Scale], level: int = 0) -> tuple[int, ...]:
    """Nested lists of scales up to the closing brace, whose extents are returned."""
    if level > MOST_LEVELS:
        reader.fail_here(f"scales nest more than {MOST_LEVELS} levels deep")
    inner: tuple[int, ...] | None = None
    count = 0
    while not count or reader.accept(","):
        extents: tuple[int, ...] = ()
        if reader.accept("{"):
            extents = _scales(reader, expressed, scales, level + 1)
        else:
            scales.append(_scale(reader, expressed))
        count += 1
        if inner is not None and extents != inner:
            reader.fail_here("tensor literal is invalid; ranks are not consistent between elements")
        inner = extents
    reader.expect("}")
    return (count, *(inner or ()))


def _read_any(reader: BodyReader) -> Type:
    reader.expect("<")
    storage = _storage(reader)
    expressed = _expressed(reader) if reader.accept(":") else None
    reader.expect(">")
    return AnyQuantizedType(_check(reader, storage), expressed)


def _read_calibrated(reader: BodyReader) -> Type:
    reader.expect("<")
    type = reader.type()
    if not isinstance(type, FloatType):
        reader.fail_before("invalid kind of type specified")

    def range() -> tuple[int, int]:
        reader.expect("<")
        least = _float(reader)
        reader.expect(":")
        greatest = _float(reader)
        reader.expect(">")
        return least, greatest

    least, greatest = reader.part(range, "calibrated values must be present")
    reader.expect(">")
    low, high = to_float(least, "f64"), to_float(greatest, "f64")
    if high <= low:
        reader.fail(f"illegal min and max: ({low:e}:{high:e})")
    return CalibratedType(type, least, greatest)


def _blocks(reader: BodyReader) -> list[tuple[int, int]]:
    """`0:2, 1:4}`: axes with the sizes of their blocks."""
    pairs: list[tuple[int, int]] = []
    if reader.accept("}"):
        return pairs
    while not pairs or reader.accept(","):
        axis = _integer(reader)
        reader.expect(":")
        pairs.append((axis, _integer(reader)))
    reader.expect("}")
    return pairs


def _read_uniform(reader: BodyReader) -> Type:
    reader.expect("<")
    storage = _storage(reader)
    reader.expect(":")
    expressed = _expressed(reader)
    axis: int | None = None
    blocks: list[tuple[int, int]] | None = None
    if reader.accept(":"):
        if reader.accept("{"):
            blocks = _blocks(reader)
        else:
            axis = _integer(reader)
    reader.expect(",")
    if axis is None and blocks is None:
        scale = _scale(reader, expressed)
        reader.expect(">")
        return UniformType(_check(reader, storage), expressed, scale)
    reader.expect("{")
    scales: list[Scale] = []
    shape = _scales(reader, expressed, scales)
    reader.expect(">")
    _check(reader, storage)
    for dim in [axis] if axis is not None else [axis for axis, _ in blocks or ()]:
        if dim < 0:
            reader.fail(f"illegal quantized dimension: {dim}")
    if axis is not None:
        return UniformPerAxisType(storage, expressed, axis, tuple(scales))
    for _, size in blocks or ():
        if size <= 0:
            reader.fail(f"illegal block size: {size}")
    converted = tuple((from_float(to_float(bits, "f64"), expressed.name), zero) for bits, zero in scales)
    return UniformSubChannelType(storage, expressed, tuple(blocks or ()), shape, converted)


TYPES: Final[Mapping[str, TypeReader]] = {
    "any": _read_any,
    "calibrated": _read_calibrated,
    "uniform": _read_uniform,
}


def unknown_type(mnemonic: str) -> str:
    """What MLIR says of a type that the dialect does not have."""
    return f"unknown quantized type {mnemonic}"
