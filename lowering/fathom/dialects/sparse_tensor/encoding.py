"""The encoding of a sparse tensor, `#sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>`, and the
slice of a dimension, `#sparse_tensor<slice(0, 4, 1)>`.

Source of the rules: *'sparse_tensor' Dialect*, "SparseTensorEncodingAttr"; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from typing import Final

from fathom.dialects.sparse_tensor import levels as lv
from fathom.dialects.sparse_tensor.maps import Mapping, block_sizes, infer_back, read_mapping
from fathom.ir.affine import AffineDim, AffineMap, spell_expr
from fathom.ir.attributes import AffineMapAttr, Attribute, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.types import DYNAMIC, Speller, TensorType, Type
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader
from fathom.records import record

NAMES: Final = ("lvlTypes", "dimToLvl", "lvlToDim", "posWidth", "crdWidth", "explicitVal", "implicitVal", "dimSlices")
_WIDTHS: Final = (0, 8, 16, 32, 64)


@record
class Encoding:
    """What an encoding says. Widths are 0 where they are those of the machine."""

    levels: tuple[int, ...]
    map: AffineMap
    position_width: int
    coordinate_width: int
    explicit: Attribute | None
    implicit: Attribute | None
    slices: tuple[DialectAttr, ...]

    @property
    def is_slice(self) -> bool:
        return bool(self.slices)

    @property
    def widths(self) -> tuple[int, int]:
        return self.position_width, self.coordinate_width


def encoding_of(attribute: object) -> Encoding | None:
    """The encoding that an attribute is, if it is one."""
    if not isinstance(attribute, DialectAttr) or attribute.full_name != "sparse_tensor.encoding":
        return None
    return _encoding(dict(zip(NAMES, attribute.parameters, strict=True)))


def _encoding(values: Values[str, Parameter]) -> Encoding:
    types, map, slices = values["lvlTypes"], values["dimToLvl"], values["dimSlices"]
    levels = tuple(level for level in types if isinstance(level, int)) if isinstance(types, tuple) else ()
    identity = AffineMap(len(levels), 0, tuple(AffineDim(index) for index in range(len(levels))))
    position, coordinate = values["posWidth"], values["crdWidth"]
    explicit, implicit = values["explicitVal"], values["implicitVal"]
    return Encoding(
        levels,
        map.map if isinstance(map, AffineMapAttr) else identity,
        position if isinstance(position, int) else 0,
        coordinate if isinstance(coordinate, int) else 0,
        explicit if isinstance(explicit, Attribute) else None,
        implicit if isinstance(implicit, Attribute) else None,
        tuple(slice_ for slice_ in slices if isinstance(slice_, DialectAttr)) if isinstance(slices, tuple) else (),
    )


# ---- tensors


def is_sparse(type: object) -> bool:
    """Whether a type is a tensor with an encoding."""
    return isinstance(type, TensorType) and type.shape is not None and encoding_of(type.encoding) is not None


def is_slice(type: object) -> bool:
    """Whether it is one that stands for a part of another."""
    encoding = encoding_of(type.encoding) if isinstance(type, TensorType) else None
    return encoding is not None and encoding.is_slice


def encoding_in(type: Type) -> Encoding | None:
    """The encoding of a tensor."""
    return encoding_of(type.encoding) if isinstance(type, TensorType) else None


def extents(type: Type) -> tuple[int, ...]:
    """The shape of a ranked tensor."""
    return type.shape or () if isinstance(type, TensorType) else ()


# ---- text


def _read(reader: ParameterReader) -> list[Parameter]:
    """`{map = …, posWidth = 32, crdWidth = 32, explicitVal = 1 : i64, implicitVal = 0 : i64}`."""
    reader.expect("{")
    fields: dict[str, Parameter] = {}
    mapping: Mapping | None = None
    keys = ("map", *_WIDTH_NOUNS, *_VALUES)
    reader.suggest(keys)
    while (key := reader.optional_keyword()) is not None:
        if key == "map":
            reader.expect("=")
            mapping = read_mapping(reader)
        elif key in _WIDTH_NOUNS or key in _VALUES:
            reader.expect("=")
            fields[key] = _read_field(reader, key)
        else:
            reader.fail(f"unexpected key: {key}")
        if not reader.accept(","):
            break
        reader.suggest(keys)
    reader.expect("}")
    mapping = mapping or Mapping(AffineMap(0, 0, ()), (), None, ())
    fields["lvlTypes"] = mapping.levels
    fields["dimToLvl"] = AffineMapAttr(mapping.to_levels)
    back = mapping.to_dimensions or infer_back(mapping.to_levels)
    fields["lvlToDim"] = AffineMapAttr(back) if back is not None else None
    fields["dimSlices"] = _whole_slices(mapping.slices)
    return [fields.get(name, 0 if name.endswith("Width") else None) for name in NAMES]


_WIDTH_NOUNS: Final = {"posWidth": "position", "crdWidth": "index"}
_VALUES: Final = ("explicitVal", "implicitVal")


def _read_field(reader: ParameterReader, key: str) -> Parameter:
    value = reader.attribute()
    if key in _WIDTH_NOUNS:
        if not isinstance(value, IntegerAttr):
            reader.fail(f"expected an integral {_WIDTH_NOUNS[key]} bitwidth")
        return value.value
    is_complex = isinstance(value, DialectAttr) and value.full_name == "complex.number"
    if not isinstance(value, (FloatAttr, IntegerAttr)) and not is_complex:
        reader.fail(f"expected a numeric value for {key}")
    return value


def _whole_slices(slices: Sequence[DialectAttr | None]) -> tuple[DialectAttr, ...]:
    """A slice for each dimension, if one has any: all of a dimension is `(0, ?, 1)`."""
    known = next((slice_ for slice_ in slices if slice_ is not None), None)
    if known is None:
        return ()
    default = DialectAttr(known.dialect, known.name, (0, DYNAMIC, 1), known.definition)
    return tuple(slice_ if slice_ is not None else default for slice_ in slices)


def _spell(values: Sequence[Parameter], of: Speller) -> str:
    encoding = _encoding(dict(zip(NAMES, values, strict=True)))
    map = encoding.map
    symbols = f"[{', '.join(f's{index}' for index in range(map.symbols))}]" if map.symbols else ""
    dimensions = [
        f"d{index} : {of(encoding.slices[index])}" if index < len(encoding.slices) else f"d{index}"
        for index in range(map.dims)
    ]
    stored = [
        f"{spell_expr(expression)} : {lv.spell_level(level)}"
        for expression, level in zip(map.results, encoding.levels, strict=False)
    ]
    text = f"{{ map = {symbols}({', '.join(dimensions)}) -> ({', '.join(stored)})"
    for key, width in zip(_WIDTH_NOUNS, encoding.widths, strict=True):
        text += f", {key} = {width}" if width else ""
    for key, value in zip(_VALUES, (encoding.explicit, encoding.implicit), strict=True):
        text += f", {key} = {of(value)}" if value is not None else ""
    return text + " }"


# ---- what is wrong


def verify_parameters(values: Values[str, Parameter]) -> str | None:
    """What is wrong with an encoding by itself."""
    encoding = _encoding(values)
    for what, width in zip(("position", "coordinate"), encoding.widths, strict=True):
        if width not in _WIDTHS:
            return f"unexpected {what} bitwidth: {width}"
    back = values["lvlToDim"]
    return (
        _verify_singletons(encoding.levels)
        or _verify_formats(encoding.levels)
        or _verify_structured(encoding)
        or _verify_map(encoding, back.map if isinstance(back, AffineMapAttr) else None)
    )


def _verify_singletons(levels: Sequence[int]) -> str | None:
    previous = 0
    for index, level in enumerate(levels):
        if lv.has_format(level, lv.SINGLETON):
            if index == 0 or not lv.has_format(previous, lv.COMPRESSED, lv.LOOSE, lv.SINGLETON):
                return "expected compressed or loose_compressed level before singleton level"
            if lv.has_format(previous, lv.SINGLETON) and (previous ^ level) & lv.SOA:
                return "expected all singleton lvlTypes stored in the same memory layout (SoA vs AoS)."
        previous = level
    return None


def _verify_formats(levels: Sequence[int]) -> str | None:
    batches = [index for index, level in enumerate(levels) if lv.has_format(level, lv.BATCH)]
    if batches != list(range(len(batches))):
        return "Batch lvlType can only be leading levels."
    if any(level & lv.SOA and not lv.has_format(level, lv.SINGLETON) for level in levels):
        return "SoA is only applicable to singleton lvlTypes."
    return None


def _verify_structured(encoding: Encoding) -> str | None:
    """What n:m sparsity asks of the other levels."""
    index = next((i for i, level in enumerate(encoding.levels) if lv.has_format(level, lv.STRUCTURED)), None)
    if index is None:
        return None
    if index != len(encoding.levels) - 1:
        return "expected n_out_of_m to be the last level type"
    if not all(lv.has_format(level, lv.DENSE) for level in encoding.levels[:index]):
        return "expected all dense lvlTypes before a n_out_of_m level"
    if encoding.map.dims == len(encoding.map.results):
        return None
    sizes = block_sizes(encoding.map)
    if sizes is None:
        return "expected 1xm block structure for n_out_of_m level"
    blocks = {size for size in sizes if size}
    if len(blocks) > 1:
        return "expected only one blocked level with the same coefficients"
    if blocks != {lv.structured_m(encoding.levels[index])}:
        return "expected coeffiencts of Affine expressions to be equal to m of n_out_of_m level"
    return None


def _verify_map(encoding: Encoding, back: AffineMap | None) -> str | None:
    rank, map, slices = len(encoding.levels), encoding.map, encoding.slices
    if rank == 0:
        return "expected a non-empty array for lvlTypes"
    inferred = infer_back(map)
    if inferred is None and map.symbols == 0:
        return "failed to infer lvlToDim from dimToLvl"
    if back is not None and back != inferred:
        return "expected lvlToDim to be an inverse of dimToLvl"
    if map.dims > rank:
        return f"unexpected dimToLvl mapping from {map.dims} to {rank}"
    if slices and len(slices) != map.dims:
        return f"dimension-rank mismatch between dimSlices and dimToLvl: {len(slices)} != {map.dims}"
    if slices and map.dims != rank:
        return f"dimSlices expected dimension-rank to match level-rank: {map.dims} != {rank}"
    return None


def verify_encoding(values: Values[str, Parameter], shape: Sequence[int], element: Type) -> str | None:
    """What is wrong with an encoding as that of a tensor of a shape and an element type."""
    encoding = _encoding(values)
    if not shape:
        return "expected non-scalar sparse tensor"
    if encoding.map.dims != len(shape):
        return f"dimension-rank mismatch between encoding and tensor shape: {encoding.map.dims} != {len(shape)}"
    for what, value in (("explicit", encoding.explicit), ("implicit", encoding.implicit)):
        type = getattr(value, "type", None)
        if value is not None and type != element:
            return f"{what} value type mismatch between encoding and tensor element type: '{type}' != '{element}'"
    if encoding.implicit is not None and not _is_zero(encoding.implicit):
        return "implicit value must be zero"
    return None


def _is_zero(value: Attribute) -> bool:
    match value:
        case IntegerAttr() | FloatAttr():
            return value.value == 0
        case DialectAttr():
            return all(not isinstance(part, FloatAttr) or part.value == 0 for part in value.parameters)
        case _:
            return True


# ---- specifiers


def _read_specifier(reader: ParameterReader) -> list[Parameter]:
    """`#CSR`: of the encoding a specifier keeps what matters to it, the levels and slices."""
    attribute = reader.attribute()
    encoding = encoding_of(attribute)
    if encoding is None or not isinstance(attribute, DialectAttr):
        return [attribute]
    levels = tuple(level & ~(lv.NONUNIQUE | lv.NONORDERED) for level in encoding.levels)
    kept: dict[str, Parameter] = {"lvlTypes": levels, "dimSlices": encoding.slices, "posWidth": 0, "crdWidth": 0}
    return [
        DialectAttr(attribute.dialect, attribute.name, tuple(kept.get(name) for name in NAMES), attribute.definition)
    ]


def _spell_specifier(values: Sequence[Parameter], of: Speller) -> str:
    (encoding,) = values
    return of(encoding) if isinstance(encoding, Attribute) else str(encoding)


# ---- slices


def _read_slice(reader: ParameterReader) -> list[Parameter]:
    """`(0, 4, ?)`: offset, size and stride."""
    reader.expect("(")
    numbers = [_read_extent(reader)]
    for _ in range(2):
        reader.expect(",")
        numbers.append(_read_extent(reader))
    reader.expect(")")
    return list(numbers)


def _read_extent(reader: ParameterReader) -> int:
    if reader.at("-") or reader.at_kind("INTEGER", "HEX"):
        extent = reader.integer()
        if extent < 0:
            reader.fail_here("expect positive value or ? for slice offset/size/stride")
        return extent
    reader.expect("?")
    return DYNAMIC


def _spell_slice(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return f"({', '.join('?' if value == DYNAMIC else str(value) for value in values)})"


def verify_slice(values: Values[str, Parameter]) -> str | None:
    """A size or stride that is known must be positive."""
    name = next((name for name in ("size", "stride") if values[name] == 0), None)
    return f"expect positive value or ? for slice {name}" if name is not None else None


ENCODING: Final = CustomBody(NAMES, _read, _spell, alias="sparse", verify_encoding=verify_encoding)
SLICE: Final = CustomBody(("offset", "size", "stride"), _read_slice, _spell_slice, opening="(")
SPECIFIER: Final = CustomBody(("encoding",), _read_specifier, _spell_specifier)
