"""The types of the quant dialect in bytecode: each begins with the number of its kind.

Source of the rules: `mlir/Dialect/Quant/IR/QuantDialectBytecode.td` of MLIR 22; its verifiers for what may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter, Write, of_class
from fathom.dialects.quant import types as q
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import FloatType, IntegerType, TensorType, Type

_SIGNED: Final = 1
"""The flag of a type whose storage counts as signed."""
_WIDEST: Final = 32
_DOUBLE: Final = 64

# ---- reading


def _storage(flags: int, type: IntegerType, least: int, greatest: int) -> q.Storage:
    if not 0 < type.width <= _WIDEST:
        raise Malformed(f"illegal storage type size: {type.width}")
    storage = q.Storage(type, bool(flags & _SIGNED), least, greatest)
    lowest, highest = storage.limits
    if not lowest <= least < greatest <= highest:
        raise Malformed(f"illegal storage min and storage max: ({least}:{greatest})")
    return storage


def _integer(r: EntryReader) -> IntegerType:
    return r.type_of(IntegerType, "mlir::IntegerType")


def _expressed(r: EntryReader) -> FloatType:
    return r.type_of(FloatType, "mlir::FloatType")


def _double(r: EntryReader) -> int:
    return r.bytes.integer(_DOUBLE)


def _any(r: EntryReader, *, is_expressed: bool) -> Type:
    flags, type = r.bytes.varint(), _integer(r)
    expressed = _expressed(r) if is_expressed else None
    return q.AnyQuantizedType(_storage(flags, type, r.bytes.signed(), r.bytes.signed()), expressed)


def _calibrated(r: EntryReader) -> Type:
    return q.CalibratedType(_expressed(r), _double(r), _double(r))


def _uniform(r: EntryReader) -> Type:
    flags, type, expressed, scale, zero = r.bytes.varint(), _integer(r), _expressed(r), _double(r), r.bytes.signed()
    return q.UniformType(_storage(flags, type, r.bytes.signed(), r.bytes.signed()), expressed, (scale, zero))


def _per_axis(r: EntryReader) -> Type:
    flags, type, expressed, axis = r.bytes.varint(), _integer(r), _expressed(r), r.bytes.varint()
    storage = _storage(flags, type, r.bytes.signed(), r.bytes.signed())
    scales, zeros = r.list(lambda: _double(r)), r.list(r.bytes.signed)
    if len(scales) != len(zeros):
        raise Malformed(f"illegal number of scales and zeroPoints: {len(scales)}, {len(zeros)}")
    return q.UniformPerAxisType(storage, expressed, axis, tuple(zip(scales, zeros, strict=True)))


def _sub_channel(r: EntryReader) -> Type:
    flags, type, expressed = r.bytes.varint(), _integer(r), _expressed(r)
    storage = _storage(flags, type, r.bytes.signed(), r.bytes.signed())
    axes, sizes = r.list(r.bytes.signed), r.list(r.bytes.signed)
    scales, zeros = _elements(r, expressed), _elements(r, type)
    if len(axes) != len(sizes):
        raise Malformed(f"illegal number of quantized dimensions and block sizes: {len(axes)}, {len(sizes)}")
    if scales.type.shape != zeros.type.shape:
        raise Malformed("illegal shape of scales and zeroPoints")
    shape = scales.type.ranked_shape
    count = prod(shape)
    if count > max(len(scales.values), len(zeros.values), 1):
        raise Malformed("scales and zero points that are all the same are not read")
    pairs = zip(_spread(scales, count), _spread(zeros, count), strict=True)
    blocks = tuple(zip(axes, sizes, strict=True))
    return q.UniformSubChannelType(storage, expressed, blocks, shape, tuple(pairs))


def _elements(r: EntryReader, element: Type) -> DenseElementsAttr:
    attribute = r.attribute_of(DenseElementsAttr, "mlir::DenseElementsAttr")
    if attribute.type.element != element or not attribute.type.has_static_shape:
        raise Malformed(f"type of scales or zero points values {attribute.type.element} must match {element}")
    return attribute


def _spread(attribute: DenseElementsAttr, count: int) -> list[int]:
    """All elements, also of a splat."""
    values = [value for value in attribute.values if isinstance(value, int)]
    return values * count if len(values) == 1 else values


def _reserved(r: EntryReader) -> Type:
    raise Malformed("unknown type code: 0")


READERS: Final[tuple[Callable[[EntryReader], Type], ...]] = (
    _reserved,
    lambda r: _any(r, is_expressed=False),
    lambda r: _any(r, is_expressed=True),
    _calibrated,
    _uniform,
    _per_axis,
    _sub_channel,
)
"""What reads a type, by the number of its kind."""

# ---- writing


def _write_head(code: int, type: q.QuantizedType, w: EntryWriter) -> None:
    w.varint(code)
    w.varint(_SIGNED if type.storage.signed else 0)
    w.type(type.storage.type)
    if type.expressed is not None:
        w.type(type.expressed)


def _write_range(type: q.QuantizedType, w: EntryWriter) -> None:
    w.signed(type.storage.least)
    w.signed(type.storage.greatest)


def _write_any(type: q.AnyQuantizedType, w: EntryWriter) -> None:
    _write_head(1 if type.expressed is None else 2, type, w)
    _write_range(type, w)


def _write_calibrated(type: q.CalibratedType, w: EntryWriter) -> None:
    w.varint(3)
    w.type(type.expressed)
    w.integer(type.least, _DOUBLE)
    w.integer(type.greatest, _DOUBLE)


def _write_uniform(type: q.UniformType, w: EntryWriter) -> None:
    _write_head(4, type, w)
    scale, zero = type.scale
    w.integer(scale, _DOUBLE)
    w.signed(zero)
    _write_range(type, w)


def _write_per_axis(type: q.UniformPerAxisType, w: EntryWriter) -> None:
    _write_head(5, type, w)
    w.varint(type.axis)
    _write_range(type, w)
    w.list([scale for scale, _ in type.scales], lambda scale: w.integer(scale, _DOUBLE))
    w.list([zero for _, zero in type.scales], w.signed)


def _write_sub_channel(type: q.UniformSubChannelType, w: EntryWriter) -> None:
    _write_head(6, type, w)
    _write_range(type, w)
    w.list([axis for axis, _ in type.blocks], w.signed)
    w.list([size for _, size in type.blocks], w.signed)
    for element, values in (
        (type.expressed, [s for s, _ in type.scales]),
        (type.storage.type, [z for _, z in type.scales]),
    ):
        if element is not None:
            splat = values[:1] if len(set(values)) == 1 else values
            w.attribute(DenseElementsAttr(tuple(splat), TensorType(type.shape, element)))


WRITERS: Final[Mapping[type[Type], Write]] = dict(
    (
        of_class(q.AnyQuantizedType, _write_any),
        of_class(q.CalibratedType, _write_calibrated),
        of_class(q.UniformType, _write_uniform),
        of_class(q.UniformPerAxisType, _write_per_axis),
        of_class(q.UniformSubChannelType, _write_sub_channel),
    )
)
"""What writes a type, by its class."""
