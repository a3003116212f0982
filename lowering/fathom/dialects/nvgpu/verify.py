"""What MLIR's verifiers say of nvgpu's copies, of tensor maps, and of the matrices that the threads of a
warp hold together.

Source of the rules: *'nvgpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.types import is_workgroup
from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import (
    BF16,
    F16,
    F32,
    F64,
    FloatType,
    IntegerType,
    MemRefType,
    ShapedType,
    VectorType,
    element_width,
)
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import nvgpu as ops

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.types import Type


# ---- tensor maps


_MOST_COORDINATES: Final = 5
_LONGEST: Final = 256
"""The most elements of a map in one dimension."""
_SWIZZLED: Final = (0, 32, 64, 128)
"""The bytes of the last dimension for each way to swizzle."""


def _parameter(type: Type, name: str) -> Parameter:
    known = isinstance(type, DialectType) and name in type.definition.names
    return type.parameter(name) if known and isinstance(type, DialectType) else None


def _described(type: Type, name: str = "tensor") -> ShapedType | None:
    """The memref or the vector that a type describes."""
    described = _parameter(type, name)
    return described if isinstance(described, ShapedType) and described.shape is not None else None


# ---- maps


def _map_problem(type: Type, memref: Type | None = None) -> Complaint:
    """What is wrong with the type of a map, and with the memref that it is copied to or from."""
    tensor = _described(type)
    if not isinstance(tensor, MemRefType):
        return None
    shape, noun = tensor.ranked_shape, "the tensor map descriptor"
    if _parameter(type, "interleave"):
        return bare("Interleave options are not supported yet.")
    if not is_workgroup(tensor):
        return bare(f"{noun} has incorrect address space, it must be shared memory address space.")
    if not tensor.has_static_shape:
        return bare(f"{noun} must be static shaped")
    wrong_extent = next((extent for extent in shape if not 0 < extent <= _LONGEST), None)
    if wrong_extent is not None:
        return bare(f"{noun} must have dimensions between 1 and {_LONGEST} but it is {wrong_extent}")
    swizzle = _parameter(type, "swizzle")
    last = element_width(tensor) * shape[-1] // 8 if shape else 0
    if len(shape) > 1 and isinstance(swizzle, int) and 0 < swizzle < len(_SWIZZLED) and last != _SWIZZLED[swizzle]:
        expected = f"the tensormap descriptor must have last dimension of {_SWIZZLED[swizzle]} bytes"
        return bare(f"{expected} but it is {last} bytes")
    return _memref_problem(tensor, memref, last) if isinstance(memref, MemRefType) else None


def _memref_problem(tensor: MemRefType, memref: MemRefType, last: int) -> Complaint:
    if tensor.element != memref.element:
        return bare("the element type of tensor map descriptor and memref must be same")
    if not is_workgroup(memref):
        return bare("the destination memref has incorrect address space, it must be shared memory address space.")
    if not memref.has_static_shape:
        return bare("the destination memref must be static shaped")
    if len(memref.ranked_shape) != len(tensor.ranked_shape):
        return bare("the shape of tensor map descriptor and memref must have same rank")
    if memref.shape != tensor.shape:
        return bare(f"memref and tensor map shapes mismatch '{tensor}' != '{memref}'")
    if last % 16:
        return bare("the bytes in the last dimension of the tensor map must be a multiple of 16")
    return None


def _transfer(operand: str) -> Check:
    """A copy by a map to or from an operand."""

    def check(op: ops.TmaAsyncLoadOp | ops.TmaAsyncStoreOp) -> Complaint:
        map = op.tensorMapDescriptor.type
        if problems := _map_problem(map, op.one_of(operand).type):
            return problems
        tensor, count = _described(map), len(op.coordinates)
        if count > _MOST_COORDINATES:
            return bare(f"Maximum {_MOST_COORDINATES} coordinates are supported.")
        if tensor is not None and count != len(tensor.ranked_shape):
            return bare("number of coordinates do not match with the rank of tensor descriptor map.")
        return None

    return check


@verifies("nvgpu.tma.create.descriptor")
def _create(op: ops.TmaCreateDescriptorOp) -> Complaint:
    if len(op.boxDimensions) > _MOST_COORDINATES:
        return bare(f"Maximum {_MOST_COORDINATES} coordinates are supported.")
    return _map_problem(op.result.type)


@verifies("nvgpu.warpgroup.generate.descriptor")
def _generate(op: ops.WarpgroupGenerateDescriptorOp) -> Complaint:
    map = op.tensorMap.type
    if problems := _map_problem(map):
        return problems
    fits = _parameter(map, "swizzle") in (3, None)
    return None if fits else bare("supports only swizzle_128b is supported for the time being")


# ---- products of a group of warps

_F8: Final = ("f8E5M2", "f8E4M3FN")
_WIDTHS: Final = frozenset(range(8, 257, 8))
_WIDTHS_OF_INTEGERS: Final = frozenset((8, 24, *range(16, 257, 16)))


def _fits_width(width: int, type: Type) -> bool:
    """Whether a product of elements of a type may be as wide."""
    if isinstance(type, FloatType) and type.name in ("bf16", "f16", "f32", "tf32", *_F8):
        return width in _WIDTHS
    return isinstance(type, IntegerType) and type.width in (1, 8) and width in _WIDTHS_OF_INTEGERS


def _fit(total: Type, left: Type, right: Type) -> bool:
    """Whether there is a product of elements of these types."""
    if isinstance(left, FloatType) and isinstance(right, FloatType):
        if left.name == "tf32":
            return right.name == "tf32" and total == F32
        same = left.name in ("f16", "bf16") and left == right
        return (same or (left.name in _F8 and right.name in _F8)) and total in (F16, F32)
    integers = isinstance(left, IntegerType) and left == right and left.width in (1, 16)
    return integers and isinstance(total, IntegerType) and total.width == 32


@verifies("nvgpu.warpgroup.mma")
def _warpgroup_multiply(op: ops.WarpgroupMmaOp) -> Complaint:
    if op.transposeA is not None and op.transposeB is None:
        order = "non-transpose A (Row Major) and transpose B (Column Major)"
        return f"supports {order} for the time being "
    a, b = (_described(op.one_of(f"descriptor{side}").type) for side in "AB")
    c, d = (_described(type, "fragmented") for type in (op.matrixC.type, op.result.type))
    if a is None or b is None or c is None or d is None:
        return None
    if c != d:
        return "type of matrix C and matrix D must be the same"
    if any(len(operand.ranked_shape) != 2 for operand in (a, b, c)):
        return "has matrices A, B, C and D, they must be 2 dimensional"
    return _extents(a, b, c) or _elements(a, b, c)


def _extents(a: ShapedType, b: ShapedType, c: ShapedType) -> Complaint:
    (rows, depth), (height, columns), total = a.ranked_shape, b.ranked_shape, c.ranked_shape
    if depth != height:
        return f"2nd dim matrix-A ({depth})!= 1st dim matrix-B ({height} )"
    if rows != total[0]:
        return f"1st dim matrix-A ( {rows} )!= 1st dim matrix-C ( {total[0]} )"
    if columns != total[1]:
        return f"2nd dim matrix-B ( {columns} ) != 2nd dim matrix-C ( {total[1]} )"
    return None


def _elements(a: ShapedType, b: ShapedType, c: ShapedType) -> Complaint:
    product = f"'{c.element}' += '{a.element}' * '{b.element}'"
    columns = b.ranked_shape[1]
    if not _fit(c.element, a.element, b.element):
        return f"{product}, it is not supported."
    if not _fits_width(columns, a.element):
        return f"has input type '{b}' n is set to {columns}, it is not supported"
    if c.element != F32 and a.element not in (F16, BF16):
        return f"hit a limitation: {product}, it is not supported yet"
    return None


@verifies("nvgpu.warpgroup.mma.store")
def _store(op: ops.WarpgroupMmaStoreOp) -> Complaint:
    held, memref = _described(op.matrixD.type, "fragmented"), op.dstMemref.type
    if held is None or not isinstance(memref, MemRefType) or memref.shape is None:
        return None
    if held.element != F32:
        return "hit a limitation: only f32 results for the time being"
    shape, target = held.ranked_shape, memref.ranked_shape
    if len(shape) < 2 or len(target) < 2 or shape[:2] == target[:2]:
        return None
    held_values = f"results ['{held}'][{shape[1]}] values. However, destination memref[{target[0]}][{target[1]}]"
    return f"{held_values}  does not have same size as results"


@verifies("nvgpu.warpgroup.mma.init.accumulator")
def _accumulator(op: ops.WarpgroupMmaInitAccumulatorOp) -> Complaint:
    held = _described(op.result.type, "fragmented")
    if not isinstance(held, VectorType) or len(held.ranked_shape) < 2:
        return None
    rows, columns = held.ranked_shape[:2]
    if not rows % 64 and _fits_width(columns, held.element):
        return None
    what = "warp-group level (wgmma) matrix multiplication instruction (or not supported yet)"
    return f"has type '{held}'. It does not fit into {what}"


_SPACE: Final = "must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)"


# ---- copies


@verifies("nvgpu.device_async_copy")
def _copy(op: ops.DeviceAsyncCopyOp) -> Complaint:
    source, target = op.src.type, op.dst.type
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return None
    if source.shape is None or target.shape is None:
        return None
    for type, what in ((source, "source"), (target, "destination")):
        if not has_unit_stride(type):
            return bare(f"{what} memref most minor dim must have unit stride")
    if not is_workgroup(target):
        return bare(f"destination memref {_SPACE}")
    if source.element != target.element:
        return bare("source and destination must have the same element type")
    for type, what, given in ((source, "source", op.srcIndices), (target, "destination", op.dstIndices)):
        rank, count = len(type.ranked_shape), len(given)
        if rank != count:
            return f"expected {rank} {what} indices, got {count}"
    return _copied(op, target)


def _copied(op: ops.DeviceAsyncCopyOp, target: MemRefType) -> Complaint:
    """How many elements are copied at once."""
    count, width = op.dstElements.value, element_width(target)
    if not width:
        return None
    size = width * count // 8
    if size not in (4, 8, 16):
        fits = [f"{bits // width}{end}" for bits, end in ((32, ", "), (64, ", "), (128, ".")) if bits >= width]
        request = f"Requested copy elements is {count} with width {width}."
        return bare(f"{request} But copy elements could be one of {''.join(fits)}")
    if op.bypassL1 is not None and size != 16:
        request = f"bypassL1 does not satify alignment for '{target}' with destination element {count}."
        return f"{request} Unset bypassL1, or set destination element to {128 // width}"
    return None


@verifies("nvgpu.ldmatrix")
def _load(op: ops.LdmatrixOp) -> Complaint:
    source, result = op.srcMemref.type, op.result.type
    width = element_width(result)
    if not isinstance(result, VectorType) or not width:
        return None
    if not is_workgroup(source):
        return bare(f"expected nvgpu.ldmatrix srcMemref {_SPACE}")
    if width > 32:
        return bare("nvgpu.ldmatrix works for 32b or lower")
    if bool(op.transpose.value) and width != 16:
        return bare("nvgpu.ldmatrix transpose works only at 16b granularity")
    shape = result.ranked_shape
    if len(shape) != 2:
        return bare("results must be 2 dimensional vector")
    if shape[1] != 32 // width:
        return bare(f"expected vector register shape[1] = {32 // width}")
    if shape[0] != op.numTiles.value:
        return bare("expected vector register shape[0] and numTiles to match")
    return None


# ---- products

_WARP: Final = 32
_FLOATS: Final = ("f32", "bf16", "f16")


def _tile(type: Type) -> tuple[int, int] | None:
    """The extent k of the smallest product of elements of a type, and how many a thread holds of it."""
    if type == F64:
        return 4, 1
    known = isinstance(type, FloatType) and type.name in _FLOATS
    if known or (isinstance(type, IntegerType) and not type.signedness and type.width in (4, 8)):
        width = element_width(type)
        return 128 // width, 32 // width
    return None


@verifies("nvgpu.mma.sync")
def _multiply(op: ops.MmaSyncOp | ops.MmaSpSyncOp, sparse: bool = False) -> Complaint:
    vectors = op.matrixA.type, op.matrixB.type, op.matrixC.type
    shapes = [type.ranked_shape for type in vectors if isinstance(type, VectorType)]
    first = vectors[0]
    kind = first.element if isinstance(first, VectorType) else first
    if sparse and kind == F64:
        return bare("f64 is not supported for sparse mode")
    tile, extents = _tile(kind), [element.value for element in op.mmaShape.elements if isinstance(element, IntegerAttr)]
    if tile is None:
        return bare(f"expected input data type (i4,i8,f16,bf16,tf32,f64) supported by {op.name}")
    for name, shape in zip("ABC", shapes, strict=False):
        if len(shape) != 2:
            return bare(f"matrix{name} must be 2 dimensional vector")
    if len(shapes) != 3 or len(extents) != 3:
        return None
    m, n, k = extents
    factor = 2 if sparse else 1
    for name, shape, count, part in zip("ABC", shapes, (m * k, k * n, m * n), (factor, 1, 1), strict=True):
        if shape[0] * shape[1] * _WARP != count // part:
            return f"expected {count} warp-wide matrix {name} elements"
    if op.tf32Enabled is not None and kind != F32:
        return "expected tf32 tensor cores only for F32 operands"
    rows, columns, depth = m // 8, n // 8, k // tile[0]
    held = ((rows * depth, tile[1]), (depth * columns, tile[1]), (rows * columns, 2))
    for name, shape, (tiles, count), part in zip("ABC", shapes, held, (factor, 1, 1), strict=True):
        if shape != (tiles // part, count):
            return f"expected matrix {name} to be shaped ({tiles} x {count})"
    return None


@verifies("nvgpu.mma.sp.sync")
def _multiply_sparse(op: ops.MmaSpSyncOp) -> Complaint:
    if op.sparsitySelector.value % 2**32 > 1:
        return "sparsity selector should be 0 or 1"
    return _multiply(op, sparse=True)


@verifies("nvgpu.rcp")
def _reciprocal(op: ops.RcpOp) -> Complaint:
    mode = word_of(op.rounding)
    if mode == "approx" and op.ftz is not None:
        return None
    return f"has a limitation. #nvgpu<rcp_rounding_mode {mode}> or non-ftz is not supported yet."


VERIFY: Final[Checks] = {
    "nvgpu.tma.async.load": _transfer("dst"),
    "nvgpu.tma.async.store": _transfer("src"),
}
