"""The builtin attributes in bytecode: each begins with the number of its kind.

Source of the rules: `mlir/IR/BuiltinDialectBytecode.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter, Write, of_class
from fathom.elaborate.numbers import wrap
from fathom.ir import attributes as a
from fathom.ir import locations as l
from fathom.ir import types as t
from fathom.ir.dense import from_raw_bytes, raw_bytes, storage_width

# ---- reading


def _array(r: EntryReader) -> a.Attribute:
    return a.ArrayAttr(r.list(r.attribute))


def _dictionary(r: EntryReader) -> a.Attribute:
    entries = r.list(lambda: (r.text(), r.attribute()))
    by_name = dict(entries)
    if len(by_name) != len(entries):
        raise Malformed("an entry of a dictionary comes twice")
    return a.dict_attr(by_name)


def _flat_symbol(r: EntryReader) -> a.Attribute:
    return a.SymbolRefAttr(r.text())


def _symbol(r: EntryReader) -> a.Attribute:
    root = r.text()
    nested = r.list(lambda: r.attribute_of(a.SymbolRefAttr, "mlir::FlatSymbolRefAttr"))
    if any(reference.nested for reference in nested):
        raise Malformed("expected mlir::FlatSymbolRefAttr, but got a nested reference")
    return a.SymbolRefAttr(root, tuple(reference.root for reference in nested))


def _integer(r: EntryReader) -> a.Attribute:
    type = r.type()
    if isinstance(type, t.IntegerType):
        width = type.width
    elif isinstance(type, t.IndexType):
        width = 64
    else:
        raise Malformed(f"expected integer or index type for IntegerAttr, but got: {type}")
    return a.IntegerAttr(wrap(r.bytes.integer(width), type), type)


def _float(r: EntryReader) -> a.Attribute:
    type = r.type_of(t.FloatType, "mlir::FloatType")
    return a.FloatAttr(r.bytes.integer(type.width), type)


def _location(r: EntryReader) -> l.LocationAttr:
    return r.attribute_of(l.LocationAttr, "mlir::LocationAttr")


def _file(r: EntryReader) -> a.Attribute:
    return l.FileLineColLoc(r.text(), r.bytes.varint(), r.bytes.varint())


def _range(r: EntryReader) -> a.Attribute:
    file = r.text()
    numbers = r.list(r.bytes.varint)
    match numbers:
        case ():
            return l.FileLineColLoc(file, 0, 0)
        case (line,):
            return l.FileLineColLoc(file, line, 0)
        case (line, column):
            return l.FileLineColLoc(file, line, column)
        case (line, column, end):
            return l.FileLineColLoc(file, line, column, None, end)
        case (line, column, end_line, end):
            return l.FileLineColLoc(file, line, column, end_line, end)
        case _:
            raise Malformed(f"a range in a file has at most 4 numbers, and this has {len(numbers)}")


def _name(r: EntryReader) -> a.Attribute:
    name, child = r.text(), _location(r)
    return l.NameLoc(name, None if isinstance(child, l.UnknownLoc) else child)


def _resource(r: EntryReader) -> a.Attribute:
    return r.resource(r.type_of(t.ShapedType, "mlir::ShapedType"))


def _dense_array(r: EntryReader) -> a.Attribute:
    element, count, raw = r.type(), r.bytes.varint(), r.blob()
    if not isinstance(element, (t.IntegerType, t.FloatType)) or (element != t.I1 and element.width % 8):
        raise Malformed(f"expected integer or float type, got: '{element}'")
    size = max(element.width // 8, 1)
    if len(raw) != count * size:
        raise Malformed(f"expected {count * size} bytes of an array of {count} elements, but got {len(raw)}")
    numbers = [int.from_bytes(raw[i : i + size], "little") for i in range(0, len(raw), size)]
    return a.DenseArrayAttr(
        element, tuple(n if isinstance(element, t.FloatType) else wrap(n, element) for n in numbers)
    )


def _static_type(r: EntryReader) -> t.ShapedType:
    type = r.type_of(t.ShapedType, "mlir::ShapedType")
    if not type.has_static_shape:
        raise Malformed("elements literal type must have static shape")
    return type


def _dense(r: EntryReader) -> a.Attribute:
    type, raw = _static_type(r), r.blob()
    values = from_raw_bytes(raw, type) if _is_number(type.element) else None
    if values is None:
        raise Malformed(f"elements hex data size is invalid for provided type: '{type}'")
    return a.DenseElementsAttr(values, type)


def _is_number(type: t.Type) -> bool:
    return isinstance(type, (t.IntegerType, t.IndexType, t.FloatType, t.ComplexType))


def _strings(r: EntryReader) -> a.Attribute:
    type = _static_type(r)
    is_splat = r.bytes.varint()
    count = 1
    for extent in () if is_splat else type.ranked_shape:
        count *= extent
    if count > r.bytes.left:
        raise Malformed(f"attempting to parse {count} strings when only {r.bytes.left} bytes remain")
    return a.DenseStringsAttr(tuple(r.string() for _ in range(count)), type)


def _sparse(r: EntryReader) -> a.Attribute:
    type = r.type_of(t.ShapedType, "mlir::ShapedType")
    indices = r.attribute_of(a.DenseElementsAttr, "mlir::DenseIntElementsAttr")
    values = r.attribute_of(a.DenseElementsAttr, "mlir::DenseElementsAttr")
    return a.SparseElementsAttr(indices, values, type)


def _distinct(r: EntryReader) -> a.Attribute:
    return a.DistinctAttr(r.next_distinct(), r.attribute())


READERS: Final[tuple[Callable[[EntryReader], a.Attribute], ...]] = (
    _array,
    _dictionary,
    lambda r: a.StringAttr(r.string()),
    lambda r: a.StringAttr(r.string(), r.type()),
    _flat_symbol,
    _symbol,
    lambda r: a.TypeAttr(r.type()),
    lambda r: a.UNIT,
    _integer,
    _float,
    lambda r: l.CallSiteLoc(_location(r), _location(r)),
    _file,
    lambda r: l.fused(r.list(lambda: _location(r))),
    lambda r: l.fused(r.list(lambda: _location(r)), r.attribute()),
    _name,
    lambda r: l.UnknownLoc(),
    _resource,
    _dense_array,
    _dense,
    _strings,
    _sparse,
    _distinct,
    _range,
)
"""What reads an attribute, by the number of its kind."""


# ---- writing


def _write_string(value: a.StringAttr, w: EntryWriter) -> None:
    w.varint(2 if value.type is None else 3)
    w.string(value.value)
    if value.type is not None:
        w.type(value.type)


def _write_symbol(value: a.SymbolRefAttr, w: EntryWriter) -> None:
    w.varint(5 if value.nested else 4)
    w.text(value.root)
    if value.nested:
        w.list(value.nested, lambda name: w.attribute(a.SymbolRefAttr(name)))


def _write_dictionary(value: a.DictAttr, w: EntryWriter) -> None:
    w.varint(1)
    w.varint(len(value.entries))
    for name, entry in value.entries:
        w.text(name)
        w.attribute(entry)


def _write_integer(value: a.IntegerAttr, w: EntryWriter) -> None:
    w.varint(8)
    w.type(value.type)
    w.integer(value.value, value.type.width if isinstance(value.type, t.IntegerType) else 64)


def _write_float(value: a.FloatAttr, w: EntryWriter) -> None:
    w.varint(9)
    w.type(value.type)
    w.integer(value.bits, value.type.width)


def _write_file(value: l.FileLineColLoc, w: EntryWriter) -> None:
    line, column = value.line, value.column
    end_line = line if value.end_line is None else value.end_line
    end = column if value.end_column is None else value.end_column
    w.varint(11 if (line, column) == (end_line, end) else 22)
    w.text(value.file)
    if (line, column) == (end_line, end):
        w.varint(line)
        w.varint(column)
    elif line == end_line:
        w.list((line,) if not column else (line, column, end), w.varint)
    else:
        w.list((line, column, end_line, end), w.varint)


def _write_fused(value: l.FusedLoc, w: EntryWriter) -> None:
    w.varint(12 if value.metadata is None else 13)
    w.list(value.locations, w.attribute)
    if value.metadata is not None:
        w.attribute(value.metadata)


def _write_call_site(value: l.CallSiteLoc, w: EntryWriter) -> None:
    w.varint(10)
    w.attribute(value.callee)
    w.attribute(value.caller)


def _write_name(value: l.NameLoc, w: EntryWriter) -> None:
    w.varint(14)
    w.text(value.name)
    w.attribute(value.child if value.child is not None else l.UnknownLoc())


def _write_resource(value: a.DenseResourceAttr, w: EntryWriter) -> None:
    w.varint(16)
    w.type(value.type)
    w.resource(value)


def _write_dense_array(value: a.DenseArrayAttr, w: EntryWriter) -> None:
    w.varint(17)
    w.type(value.element)
    w.varint(len(value.values))
    width = value.element.width if isinstance(value.element, (t.IntegerType, t.FloatType)) else 64
    size, mask = max(width // 8, 1), (1 << width) - 1
    w.blob(lambda: b"".join([(number & mask).to_bytes(size, "little") for number in value.values]))


def _write_dense(value: a.DenseElementsAttr, w: EntryWriter) -> None:
    w.varint(18)
    w.type(value.type)
    is_bit = storage_width(value.type.element) == 1
    w.blob(lambda: b"\xff" if is_bit and tuple(value.values) == (1,) else raw_bytes(value))


def _write_strings(value: a.DenseStringsAttr, w: EntryWriter) -> None:
    w.varint(19)
    w.type(value.type)
    w.varint(len(value.values) == 1)
    for text in value.values:
        w.string(text)


def _write_sparse(value: a.SparseElementsAttr, w: EntryWriter) -> None:
    w.varint(20)
    w.type(value.type)
    w.attribute(value.indices)
    w.attribute(value.values)


def _write_distinct(value: a.DistinctAttr, w: EntryWriter) -> None:
    w.varint(21)
    w.attribute(value.referenced)


def _write_array(value: a.ArrayAttr, w: EntryWriter) -> None:
    w.varint(0)
    w.list(value.elements, w.attribute)


def _write_type(value: a.TypeAttr, w: EntryWriter) -> None:
    w.varint(6)
    w.type(value.type)


WRITERS: Final[Mapping[type[a.Attribute], Write]] = dict(
    (
        of_class(a.ArrayAttr, _write_array),
        of_class(a.DictAttr, _write_dictionary),
        of_class(a.StringAttr, _write_string),
        of_class(a.SymbolRefAttr, _write_symbol),
        of_class(a.TypeAttr, _write_type),
        of_class(a.UnitAttr, lambda _, w: w.varint(7)),
        of_class(a.IntegerAttr, _write_integer),
        of_class(a.FloatAttr, _write_float),
        of_class(l.CallSiteLoc, _write_call_site),
        of_class(l.FileLineColLoc, _write_file),
        of_class(l.FusedLoc, _write_fused),
        of_class(l.NameLoc, _write_name),
        of_class(l.UnknownLoc, lambda _, w: w.varint(15)),
        of_class(a.DenseResourceAttr, _write_resource),
        of_class(a.DenseArrayAttr, _write_dense_array),
        of_class(a.DenseElementsAttr, _write_dense),
        of_class(a.DenseStringsAttr, _write_strings),
        of_class(a.SparseElementsAttr, _write_sparse),
        of_class(a.DistinctAttr, _write_distinct),
    )
)
"""What writes an attribute, by its class; others are written as text."""
