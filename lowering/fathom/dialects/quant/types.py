"""The types of the quant dialect: numbers that stand for others by a scale and a zero point.

Scales are kept as the bit patterns of `f64`. Source of the rules: *'quant' Dialect*, and the printer of MLIR 22.
"""

from __future__ import annotations

from typing import ClassVar

from fathom.ir.floats import spell_float
from fathom.ir.types import FloatType, IntegerType, Speller, Type
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
        return f"!quant.uniform<{_head(self, of)}, {_scale(self.scale)}>"


@record
class UniformPerAxisType(QuantizedType):
    """`!quant.uniform<i8:f32:1, {2.0, 3.0:1}>`: a scale for each index along an axis."""

    FULL_NAME: ClassVar[str] = "quant.uniform"

    axis: int
    scales: tuple[Scale, ...]

    def spell(self, of: Speller) -> str:
        return f"!quant.uniform<{_head(self, of)}:{self.axis}, {{{','.join(map(_scale, self.scales))}}}>"


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
        texts = [_scale(each, name) for each in self.scales]
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


def _scale(scale: Scale, type: str = "f64") -> str:
    bits, zero = scale
    return spell_float(bits, type) + (f":{zero}" if zero else "")
