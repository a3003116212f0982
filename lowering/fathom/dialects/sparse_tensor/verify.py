"""What MLIR's verifiers say of the operations of sparse_tensor: here of those on tensors as a whole.

Source of the rules: *'sparse_tensor' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.sparse_tensor import levels as lv
from fathom.dialects.sparse_tensor.encoding import Encoding, encoding_in, encoding_of, extents, is_slice
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.operation import types_of
from fathom.ir.types import DYNAMIC, INDEX, IntegerType, MemRefType, TensorType, Type
from fathom.irdl.verifying import verifies
from fathom.ops import sparse_tensor as ops
from fathom.rewriting.folding import integer_constant

# ---- types


def element(type: Type) -> Type | None:
    return type.element if isinstance(type, (TensorType, MemRefType)) else None


def _level_shape(type: Type, encoding: Encoding) -> list[int]:
    """How many coordinates each level has."""
    shape = extents(type)

    def size(expression: AffineExpr) -> int:
        match expression:
            case AffineDim(position) if position < len(shape):
                return shape[position]
            case AffineBinary("floordiv", AffineDim(position), AffineConstant(block)) if (
                position < len(shape) and block
            ):
                return DYNAMIC if shape[position] == DYNAMIC else shape[position] // block
            case AffineBinary("mod", _, AffineConstant(block)):
                return block
            case _:
                return DYNAMIC

    return [size(expression) for expression in encoding.map.results]


def _width_type(width: int) -> Type:
    return IntegerType(width) if width else INDEX


# ---- storage


def _coordinate_start(levels: Sequence[int]) -> int:
    """The level at which the coordinates of several levels stand together, if they do; else behind the last."""
    if len(levels) <= 1:
        return len(levels)
    index = 0
    while index < len(levels):
        end = index + 1
        if lv.has_format(levels[index], lv.COMPRESSED, lv.LOOSE):
            while end < len(levels) and lv.has_format(levels[end], lv.SINGLETON):
                end += 1
            if end - index > 1:
                return len(levels) if levels[index + 1] & lv.SOA else index
        index = end
    return len(levels)


def _fields(encoding: Encoding) -> list[Type]:
    """The element types of the buffers behind a tensor, but for its values."""
    fields: list[Type] = []
    start = _coordinate_start(encoding.levels)
    for index, level in enumerate(encoding.levels):
        if lv.has_format(level, lv.COMPRESSED, lv.LOOSE):
            fields.append(_width_type(encoding.position_width))
        if lv.has_format(level, lv.COMPRESSED, lv.LOOSE, lv.SINGLETON, lv.STRUCTURED):
            fields.append(_width_type(encoding.coordinate_width))
        if index == start:
            break
    return fields


def _check_storage(tensor: Type, values: Type, levels: Sequence[Type], *, needs_shape: bool) -> str | None:
    """The buffers that a tensor is assembled of, or taken apart into."""
    if needs_shape and DYNAMIC in extents(tensor):
        return "the sparse-tensor must have static shape"
    encoding = encoding_in(tensor)
    if encoding is None:
        return "the sparse-tensor must have an encoding attribute"
    start, rank = _coordinate_start(encoding.levels), len(encoding.levels)
    if start < rank and levels:
        shape = extents(levels[-1])
        if len(shape) != 2 or shape[-1] != rank - start:
            return "input/output trailing COO level-ranks don't match"
    fields = _fields(encoding)
    if len(fields) != len(levels):
        return "inconsistent number of fields between input/output"
    if [element(level) for level in levels] != fields or element(values) != element(tensor):
        return "input/output element-types don't match"
    return None


@verifies("sparse_tensor.assemble", bare=True)
def _check_assembly(op: ops.AssembleOp) -> str | None:
    return _check_storage(op.result.type, op.values.type, types_of(op.levels), needs_shape=True)


@verifies("sparse_tensor.disassemble", bare=True)
def _check_disassembly(op: ops.DisassembleOp) -> str | None:
    levels, values = types_of(op.ret_levels), op.ret_values.type
    if op.out_values.type != values:
        return "output values and return value type mismatch"
    if types_of(op.out_levels) != levels:
        return "output levels and return levels type mismatch"
    return _check_storage(op.tensor.type, values, levels, needs_shape=False)


@verifies("sparse_tensor.coordinates", "sparse_tensor.positions", bare=True)
def _check_buffer(op: ops.CoordinatesOp | ops.PositionsOp) -> str | None:
    """A buffer of positions or coordinates of a level."""
    encoding = encoding_in(op.tensor.type)
    if encoding is None:
        return None
    if op.level.value >= len(encoding.levels):
        return "requested level is out of bounds"
    is_position = isinstance(op, ops.PositionsOp)
    width = encoding.position_width if is_position else encoding.coordinate_width
    if element(op.result.type) != _width_type(width):
        return f"unexpected type for {'positions' if is_position else 'coordinates'}"
    return None


@verifies("sparse_tensor.coordinates_buffer", bare=True)
def _check_joint_coordinates(op: ops.CoordinatesBufferOp) -> str | None:
    encoding = encoding_in(op.tensor.type)
    if encoding is not None and _coordinate_start(encoding.levels) >= len(encoding.levels):
        return "expected sparse tensor with a COO region"
    return None


@verifies("sparse_tensor.values", bare=True)
def _check_values(op: ops.ValuesOp) -> str | None:
    is_same = element(op.tensor.type) == element(op.result.type)
    return None if is_same else "unexpected mismatch in element types"


@verifies("sparse_tensor.storage_specifier.get", "sparse_tensor.storage_specifier.set", bare=True)
def _check_specifier(op: ops.StorageSpecifierGetOp | ops.StorageSpecifierSetOp) -> str | None:
    type, kind = op.specifier.type, op.specifierKind
    encoding = encoding_of(type.parameters[0]) if isinstance(type, DialectType) and type.parameters else None
    if encoding is None or not isinstance(kind, DialectAttr):
        return None
    number, level = kind.parameters[0], op.level.value if op.level is not None else None
    if number == _VALUES and level is not None:
        return "redundant level argument for querying value memory size"
    if number in _OF_SLICES and not encoding.is_slice:
        return "requested slice data on non-slice tensor"
    if number == _VALUES:
        return None
    if level is None:
        return "missing level argument"
    if level >= len(encoding.levels):
        return "requested level is out of bounds"
    if number == _POSITIONS and lv.has_format(encoding.levels[level], lv.SINGLETON):
        return "requested position memory size on a singleton level"
    return None


_POSITIONS, _VALUES, _OF_SLICES = 1, 3, (4, 5)
"""What a specifier is asked for, by the numbers of the enumeration."""

# ---- whole tensors


@verifies("sparse_tensor.convert", bare=True)
def _check_conversion(op: ops.ConvertOp) -> str | None:
    source, target = op.source.type, op.result.type
    if len(extents(source)) != len(extents(target)):
        return "unexpected conversion mismatch in rank"
    if is_slice(target):
        return "cannot convert to a sparse tensor slice"
    for index, (left, right) in enumerate(zip(extents(source), extents(target), strict=True)):
        if right not in (left, DYNAMIC):
            return f"unexpected conversion mismatch in dimension {index}"
    return None


@verifies("sparse_tensor.crd_translate", bare=True)
def _check_translation(op: ops.CrdTranslateOp) -> str | None:
    encoding, direction = encoding_of(op.encoder), op.direction
    if encoding is None or not isinstance(direction, DialectAttr):
        return None
    ranks = [encoding.map.dims, len(encoding.levels)]
    if direction.parameters[0] != 0:
        ranks.reverse()
    is_right = [len(op.operands), len(op.results)] == ranks
    return None if is_right else "Coordinate rank mismatch with encoding"


@verifies("sparse_tensor.lvl", bare=True)
def _check_level(op: ops.LvlOp) -> str | None:
    encoding, level = encoding_in(op.source.type), integer_constant(op.index)
    if encoding is not None and level is not None and level >= len(encoding.levels):
        return "Level index exceeds the rank of the input sparse tensor"
    return None


@verifies("sparse_tensor.reinterpret_map", bare=True)
def _check_reinterpretation(op: ops.ReinterpretMapOp) -> str | None:
    source, target = op.source.type, op.result.type
    left, right = encoding_in(source), encoding_in(target)
    if left is None or right is None:
        return None
    if len(left.levels) != len(right.levels):
        return "Level rank mismatch between source/dest tensors"
    if left.levels != right.levels:
        return "Level type mismatch between source/dest tensors"
    if left.widths != right.widths:
        return "Crd/Pos width mismatch between source/dest tensors"
    if element(source) != element(target):
        return "Element type mismatch between source/dest tensors"
    if _level_shape(source, left) != _level_shape(target, right):
        return "Level size mismatch between source/dest tensors"
    return None


@verifies("sparse_tensor.concatenate", bare=True)
def _check_concatenation(op: ops.ConcatenateOp) -> str | None:
    target, axis = extents(op.result.type), op.dimension.value
    if len(op.operands) <= 1:
        return "Need at least two tensors to concatenate."
    if axis >= len(target):
        return f"Concat-dimension is out of bounds for dimension-rank ({axis} >= {len(target)})"
    shapes = [extents(value.type) for value in op.operands]
    for index, shape in enumerate(shapes):
        if DYNAMIC in shape:
            return f"Input tensor ${index} has dynamic shape"
        if len(shape) != len(target):
            ranks = f"(rank={len(shape)}) from the output tensor (rank={len(target)})."
            return f"Input tensor ${index} has a different rank {ranks}"
    for index, extent in enumerate(target):
        given = [shape[index] for shape in shapes]
        if index == axis and extent not in (DYNAMIC, sum(given)):
            sums = "the sum of all the concatenation dimensions of the input tensors."
            return f"The concatenation dimension of the output tensor should be {sums}"
        if index != axis and len({*given, *([extent] if extent != DYNAMIC else [])}) > 1:
            return "All dimensions (expect for the concatenating one) should be equal."
    return None


@verifies("sparse_tensor.slice.offset", "sparse_tensor.slice.stride", bare=True)
def _check_slice_query(op: ops.SliceOffsetOp | ops.SliceStrideOp) -> str | None:
    is_inside = 0 <= op.dim.value < len(extents(op.slice.type))
    return None if is_inside else "requested dimension out of bound"


@verifies("sparse_tensor.push_back")
def _check_push(op: ops.PushBackOp) -> str | None:
    count = integer_constant(op.n) if op.n is not None else None
    return "n must be not less than 1" if count is not None and count < 1 else None


@verifies("sparse_tensor.compress")
def _check_compression(op: ops.CompressOp) -> str | None:
    encoding = encoding_in(op.tensor.type)
    if encoding is not None and len(encoding.levels) != 1 + len(op.lvlCoords):
        return "incorrect number of coordinates"
    return None


def _is_coordinates(encoding: Encoding) -> bool:
    first, *rest = encoding.levels or (0,)
    return lv.has_format(first, lv.COMPRESSED, lv.LOOSE) and all(lv.has_format(level, lv.SINGLETON) for level in rest)


@verifies("sparse_tensor.reorder_coo", bare=True)
def _check_reordering(op: ops.ReorderCooOp) -> str | None:
    source, target = op.input_coo.type, op.result.type
    left, right = encoding_in(source), encoding_in(target)
    if left is None or right is None:
        return None
    if not _is_coordinates(left) or not _is_coordinates(right):
        return "Expected COO sparse tensors only"
    if left.map != right.map:
        return "Unmatched dim2lvl map between input and result COO"
    if left.widths != right.widths or element(source) != element(target):
        return "Unmatched storage format between input and result COO"
    return None


@verifies("sparse_tensor.sort", bare=True)
def _check_sort(op: ops.SortOp) -> str | None:
    map = op.perm_map.map
    if map.dims < 1:
        return f"Expected rank(perm_map) > 1, got {map.dims}"
    positions = [result.position for result in map.results if isinstance(result, AffineDim)]
    if sorted(positions) != list(range(map.dims)) or len(positions) != len(map.results):
        return f"Expected a permutation map, got {map}"
    count = integer_constant(op.n)
    if count is None:
        return None
    most = count * (map.dims + (op.ny.value if op.ny is not None else 0))
    buffers = [(op.xy, most, "dimension(xy) >= n * (rank(perm_map) + ny)")]
    buffers += [(value, count, "dimension(y) >= n") for value in op.ys]
    for value, least, rule in buffers:
        shape = value.type.shape if isinstance(value.type, MemRefType) else None
        if shape and shape[0] != DYNAMIC and shape[0] < least:
            return f"Expected {rule} got {shape[0]} < {least}"
    return None
