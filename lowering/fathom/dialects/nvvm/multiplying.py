"""What loads, products and stores of matrices are in LLVM IR, which the threads of a warp hold together.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.calling import Maker, calls
from fathom.dialects.nvvm.products import element_word
from fathom.dialects.nvvm.rules import extents, members
from fathom.irdl.cases import word, word_of
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_NVVM: Final = "llvm.nvvm."
_NARROW: Final = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")

# ---- loads and stores of small matrices


@calls("nvvm.ldmatrix")
def _load(op: ops.LdmatrixOp, _make: Maker) -> Called:
    rows, columns = extents(op)
    # Of one shape each layout can be read; one is always turned, and one never.
    turned = word_of(op.layout) == "col" if (rows, columns) == (8, 8) else rows == 16
    return f"{_NVVM}ldmatrix.sync.aligned.{_matrix(op, op.num.value, turned)}", [op.ptr]


@calls("nvvm.stmatrix")
def _store(op: ops.StmatrixOp, _make: Maker) -> Called:
    rows = extents(op)[0]
    turned = word_of(op.layout) == "col" if rows == 8 else True
    return f"{_NVVM}stmatrix.sync.aligned.{_matrix(op, len(op.sources), turned)}", [op.ptr, *op.sources]


def _matrix(op: Operation, count: int, turned: bool) -> str:
    rows, columns = extents(op)
    return f"m{rows}n{columns}.x{count}{'.trans' * turned}.{word(op, 'eltType')}"


# ---- products of matrices that are loaded and stored as such


def _geometry(op: ops.WmmaLoadOp | ops.WmmaMmaOp | ops.WmmaStoreOp) -> str:
    return f"m{op.m.value}n{op.n.value}k{op.k.value}"


@calls("nvvm.wmma.load")
def _load_part(op: ops.WmmaLoadOp, _make: Maker) -> Called:
    kind = f"load.{word_of(op.frag)}.{word_of(op.layout)}.stride.{word_of(op.eltype)}"
    return f"{_NVVM}wmma.{_geometry(op)}.{kind}", [op.ptr, op.stride]


@calls("nvvm.wmma.store")
def _store_part(op: ops.WmmaStoreOp, _make: Maker) -> Called:
    kind = f"store.d.{word_of(op.layout)}.stride.{word_of(op.eltype)}"
    return f"{_NVVM}wmma.{_geometry(op)}.{kind}", [op.ptr, *op.args, op.stride]


@calls("nvvm.wmma.mma")
def _multiply_parts(op: ops.WmmaMmaOp, _make: Maker) -> Called:
    a, d = word_of(op.eltypeA), word_of(op.eltypeB)
    types = f"{d}.{d}" if a == "f16" else a
    layouts = f"{word_of(op.layoutA)}.{word_of(op.layoutB)}"
    return f"{_NVVM}wmma.{_geometry(op)}.mma.{layouts}.{types}", op.args


# ---- products of matrices in registers


def _signature(op: ops.MmaSyncOp | ops.MmaSpSyncOp | ops.MmaBlockScaleOp | ops.MmaSpBlockScaleOp) -> str:
    """What the name says of the types of elements: those of the sum too where several fit."""
    a, b = word_of(op.multiplicandAPtxType), word_of(op.multiplicandBPtxType)
    c, d = _summed(op.operandC[0].type), _summed(op.result.type)
    if a in _NARROW:
        types = (d, a, b, c)
    elif a == "f16":
        types = (d, c)
    else:
        types = (a,) if a == b else (a, b)
    return ".".join(types)


def _summed(type: Type) -> str:
    body = members(type)
    return element_word(body[0] if body else type, sum=True) or ""


def _shape(op: Operation) -> str:
    m, n, k = extents(op)
    return f"m{m}n{n}k{k}"


def _saturated(op: Operation) -> str:
    return ".satfinite" if word(op, "intOverflowBehavior") == "satfinite" else ""


@calls("nvvm.mma.sync")
def _multiply(op: ops.MmaSyncOp, _make: Maker) -> Called:
    bits = f".{(word(op, 'b1Op') or 'xor_popc').replace('_', '.')}" if word(op, "multiplicandAPtxType") == "b1" else ""
    layouts = f"{word_of(op.layoutA)}.{word_of(op.layoutB)}"
    return f"{_NVVM}mma{bits}.{_shape(op)}.{layouts}{_saturated(op)}.{_signature(op)}", op.operands


@calls("nvvm.mma.sp.sync")
def _multiply_sparse(op: ops.MmaSpSyncOp, _make: Maker) -> Called:
    ordered = ".ordered.metadata" if op.orderedMetadata is not None else ""
    kind = f".kind.{word_of(op.kind)}" if op.kind is not None else ""
    return f"{_NVVM}mma.sp{ordered}.{_shape(op)}.row.col{kind}{_saturated(op)}.{_signature(op)}", op.operands


@calls("nvvm.mma.block_scale", "nvvm.mma.sp.block_scale")
def _multiply_scaled(op: ops.MmaBlockScaleOp | ops.MmaSpBlockScaleOp, _make: Maker) -> Called:
    sparse = ".sp.ordered.metadata" if isinstance(op, ops.MmaSpBlockScaleOp) else ""
    scale = f".scale.{word_of(op.scaleVecSize)[1:]}x"
    how = f"{word_of(op.kind)}{scale}.{_signature(op)}.{word_of(op.blockScaleFormat)}"
    return f"{_NVVM}mma{sparse}.block.scale.{_shape(op)}.row.col.{how}", op.operands
