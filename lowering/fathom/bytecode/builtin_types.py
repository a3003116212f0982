"""The builtin types in bytecode: each begins with the number of its kind.

Source of the rules: `mlir/IR/BuiltinDialectBytecode.td` of MLIR 22; its verifiers for the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter, Write, of_class
from fathom.ir import types as t
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr

_SIGNEDNESS: Final = ("", "s", "u")
_WIDEST: Final = (1 << 24) - 1
_FLOATS: Final = ("bf16", "f16", "f32", "f64", "f80", "f128")
_FIRST_FLOAT: Final = 3
_LESS: Final = (t.FunctionType, t.NoneType, t.TupleType)
"""What is no element of a tensor or memref."""

# ---- reading


def _integer(r: EntryReader) -> t.Type:
    number = r.bytes.varint()
    width, signedness = number >> 2, number & 3
    if width > _WIDEST:
        raise Malformed(f"integer bitwidth is limited to {_WIDEST} bits")
    if signedness >= len(_SIGNEDNESS):
        raise Malformed(f"unknown signedness: {signedness}")
    return t.IntegerType(width, _SIGNEDNESS[signedness])


def _function(r: EntryReader) -> t.Type:
    return t.FunctionType(r.list(r.type), r.list(r.type))


def _complex(r: EntryReader) -> t.Type:
    element = r.type()
    if not isinstance(element, (t.IntegerType, t.FloatType)):
        raise Malformed("invalid element type for complex")
    return t.ComplexType(element)


def _shape(r: EntryReader) -> tuple[int, ...]:
    shape = r.list(r.bytes.signed)
    if any(extent < 0 and extent != t.DYNAMIC for extent in shape):
        raise Malformed("invalid tensor dimension size")
    return shape


def _memref(r: EntryReader, space: Attribute | None = None) -> t.Type:
    shape, element, layout = _shape(r), _element(r, "memref"), r.attribute()
    if isinstance(layout, AffineMapAttr):
        if layout.map.dims != len(shape):
            ranks = f"{len(shape)} != {layout.map.dims}"
            raise Malformed(f"memref layout mismatch between rank and affine map: {ranks}")
        return t.MemRefType(shape, element, None if layout.map.is_identity else layout, space)
    if isinstance(layout, StridedLayoutAttr) and len(layout.strides) != len(shape):
        raise Malformed("expected the number of strides to match the rank")
    return t.MemRefType(shape, element, layout, space)


def _element(r: EntryReader, what: str) -> t.Type:
    element = r.type()
    if isinstance(element, _LESS) or (what == "memref" and isinstance(element, t.TensorType)):
        raise Malformed(f"invalid {what} element type")
    return element


def _space(r: EntryReader) -> Attribute | None:
    space = r.attribute()
    return None if isinstance(space, IntegerAttr) and space.value == 0 and space.type == t.I64 else space


def _tensor(r: EntryReader, encoding: Attribute | None = None) -> t.Type:
    return t.TensorType(_shape(r), _element(r, "tensor"), encoding)


def _vector(r: EntryReader, scalable: tuple[bool, ...] = ()) -> t.Type:
    shape, element = r.list(r.bytes.signed), r.type()
    if any(extent <= 0 for extent in shape):
        raise Malformed(f"vector types must have positive constant sizes but got {', '.join(map(str, shape))}")
    if isinstance(element, (*_LESS, t.ShapedType, t.ComplexType)):
        raise Malformed("failed to verify 'elementType': VectorElementTypeInterface instance")
    if scalable and len(scalable) != len(shape):
        raise Malformed(f"number of dims must match, got {len(scalable)} and {len(shape)}")
    return t.VectorType(shape, element, scalable if any(scalable) else ())


READERS: Final[tuple[Callable[[EntryReader], t.Type], ...]] = (
    _integer,
    lambda r: t.INDEX,
    _function,
    lambda r: t.BF16,
    lambda r: t.F16,
    lambda r: t.F32,
    lambda r: t.F64,
    lambda r: t.F80,
    lambda r: t.F128,
    _complex,
    _memref,
    lambda r: _memref(r, _space(r)),
    lambda r: t.NONE,
    _tensor,
    lambda r: _tensor(r, r.attribute()),
    lambda r: t.TupleType(r.list(r.type)),
    lambda r: t.MemRefType(None, _element(r, "memref")),
    lambda r: t.MemRefType(None, space=_space(r), element=_element(r, "memref")),
    lambda r: t.TensorType(None, _element(r, "tensor")),
    _vector,
    lambda r: _vector(r, r.list(r.bool)),
)
"""What reads a type, by the number of its kind."""


# ---- writing


def _write_integer(type: t.IntegerType, w: EntryWriter) -> None:
    w.varint(0)
    w.varint(type.width << 2 | _SIGNEDNESS.index(type.signedness))


def _write_float(type: t.FloatType, w: EntryWriter) -> bool:
    if type.name not in _FLOATS:
        return False
    w.varint(_FIRST_FLOAT + _FLOATS.index(type.name))
    return True


def _write_function(type: t.FunctionType, w: EntryWriter) -> None:
    w.varint(2)
    w.list(type.inputs, w.type)
    w.list(type.results, w.type)


def _write_complex(type: t.ComplexType, w: EntryWriter) -> None:
    w.varint(9)
    w.type(type.element)


def _write_memref(type: t.MemRefType, w: EntryWriter) -> None:
    w.varint((10 if type.shape is not None else 16) + (type.space is not None))
    if type.space is not None:
        w.attribute(type.space)
    if type.shape is None:
        w.type(type.element)
        return
    w.list(type.shape, w.signed)
    w.type(type.element)
    w.attribute(type.layout if type.layout is not None else AffineMapAttr(identity(len(type.shape))))


def identity(rank: int) -> AffineMap:
    """The map of so many dimensions to themselves."""
    return AffineMap(rank, 0, tuple(AffineDim(index) for index in range(rank)))


def _write_tensor(type: t.TensorType, w: EntryWriter) -> None:
    if type.shape is None:
        w.varint(18)
        w.type(type.element)
        return
    w.varint(13 if type.encoding is None else 14)
    if type.encoding is not None:
        w.attribute(type.encoding)
    w.list(type.shape, w.signed)
    w.type(type.element)


def _write_vector(type: t.VectorType, w: EntryWriter) -> None:
    w.varint(20 if type.scalable else 19)
    if type.scalable:
        w.list(type.scalable, w.byte)
    w.list(type.ranked_shape, w.signed)
    w.type(type.element)


def _write_tuple(type: t.TupleType, w: EntryWriter) -> None:
    w.varint(15)
    w.list(type.elements, w.type)


WRITERS: Final[Mapping[type[t.Type], Write]] = dict(
    (
        of_class(t.IntegerType, _write_integer),
        of_class(t.IndexType, lambda _, w: w.varint(1)),
        of_class(t.FunctionType, _write_function),
        of_class(t.FloatType, _write_float),
        of_class(t.ComplexType, _write_complex),
        of_class(t.MemRefType, _write_memref),
        of_class(t.NoneType, lambda _, w: w.varint(12)),
        of_class(t.TensorType, _write_tensor),
        of_class(t.TupleType, _write_tuple),
        of_class(t.VectorType, _write_vector),
    )
)
"""What writes a type, by its class, and gives False where it has none; others are written as text."""
