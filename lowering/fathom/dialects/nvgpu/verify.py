"""What MLIR's verifiers say of nvgpu's copies and of the matrices that the threads of a warp hold together.

Source of the rules: *'nvgpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.nvgpu.tensor_maps import element_width, is_shared
from fathom.ir.attributes import IntegerAttr
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import F32, F64, FloatType, IntegerType, MemRefType, VectorType
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import nvgpu as ops

if TYPE_CHECKING:
    from fathom.ir.types import Type

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
    if not is_shared(target):
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
        found = f"Requested copy elements is {count} with width {width}."
        return bare(f"{found} But copy elements could be one of {''.join(fits)}")
    if op.bypassL1 is not None and size != 16:
        found = f"bypassL1 does not satify alignment for '{target}' with destination element {count}."
        return f"{found} Unset bypassL1, or set destination element to {128 // width}"
    return None


@verifies("nvgpu.ldmatrix")
def _load(op: ops.LdmatrixOp) -> Complaint:
    source, result = op.srcMemref.type, op.result.type
    width = element_width(result)
    if not isinstance(result, VectorType) or not width:
        return None
    if not is_shared(source):
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
    tile, extents = _tile(kind), [each.value for each in op.mmaShape.elements if isinstance(each, IntegerAttr)]
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


PARTS: Final = ("tensor_maps",)
