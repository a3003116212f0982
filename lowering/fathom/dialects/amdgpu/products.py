"""What MLIR's verifiers say of amdgpu's products of matrices: mfma, sparse and scaled ones, and wmma.

Source of the rules: *'amdgpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.ir.types import F64, I8, I16, FloatType, IntegerType, VectorType, element_type
from fathom.irdl.cases import word_of
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import amdgpu as ops

if TYPE_CHECKING:
    from fathom.ir.types import Type


def length(type: Type) -> int:
    """How many elements a vector has; one for a number."""
    return prod(type.ranked_shape) if isinstance(type, VectorType) else 1


def small_float(type: Type, *widths: int) -> bool:
    return isinstance(type, FloatType) and type.width in widths


_WAVE: Final = 64
"""How many lanes a wave has."""


def _counts(op: ops.MfmaOp | ops.SparseMfmaOp, source: int, target: int, blocks: int) -> Complaint:
    """The numbers of values that a lane holds of the factors, and of the result."""
    m, n, k = op.m.value, op.n.value, op.k.value
    for count, expected, what in ((source, m * k, "source"), (target, m * n, "result")):
        if count != expected * blocks // _WAVE:
            return f"expected {expected * blocks // _WAVE} {what} values for this operation but got {count}"
    return None


# ---- mfma


@verifies("amdgpu.mfma")
def _mfma(op: ops.MfmaOp) -> Complaint:
    a, b, c = op.sourceA.type, op.sourceB.type, op.destC.type
    if small_float(element_type(a), 4, 6, 8):
        if not small_float(element_type(b), 4, 6, 8):
            return "expected both source operands to have small-float elements if one does"
        if length(a) != length(b):
            return "expected both small-float source vectors to have the same length"
    elif a != b:
        return "expected both non-small-float source operand types to match exactly"
    # Wide integers are bytes side by side.
    wide = element_type(a)
    bytes = wide.width // 8 if isinstance(wide, IntegerType) and wide.width in (32, 64) else 1
    return _counts(op, length(a) * bytes, length(c), op.blocks.value) or _mfma_flags(op, element_type(c) == F64)


def _mfma_flags(op: ops.MfmaOp, double: bool) -> Complaint:
    size = op.cbsz.value
    if double and word_of(op.blgp) != "none":
        return "double-precision ops do not support permuting lanes of B"
    if double and size:
        return "double-precision ops do not support permuting lanes of A"
    if 0 <= size < 32 and op.abid.value % 2**32 >= 1 << size:
        return "block ID for permuting A (abid) must be below 2 ** cbsz"
    if not double and (op.negateA, op.negateB, op.negateC) != (None, None, None):
        return "negation flags only available for double-precision operations"
    return None


@verifies("amdgpu.sparse_mfma")
def _sparse_mfma(op: ops.SparseMfmaOp) -> Complaint:
    sparse, dense, target, index = op.sourceA.type, op.sourceB.type, op.destC.type, op.sparseIdx.type
    if length(dense) != 2 * length(sparse):
        exactly = "exactly double the number of elements of the sparse source operand"
        return f"expected dense source operand to have {exactly}"
    kind = element_type(sparse)
    if kind != element_type(dense) and not (small_float(kind, 8) and small_float(element_type(dense), 8)):
        return "expected source operands to have the same element type"
    is_byte = small_float(kind, 8) or kind == I8
    bits, most, width, expected = (8, 1, I16, 2) if is_byte else (16, 3, I8, 4)
    if not op.cbsz.value and op.abid.value % 2**32 > most:
        limits = "0 or 1" if is_byte else "between 0 and 3"
        return f"ABID must be {limits} for {bits}-bit source data"
    if length(index) != expected or element_type(index) != width:
        needed = f"vector<{expected}x{width}> sparse indices for {bits}-bit source data"
        return f"expected {needed}, but got '{index}'"
    return _counts(op, length(dense), length(target), 1)


# ---- wmma


@verifies("amdgpu.wmma")
def _wmma(op: ops.WmmaOp) -> Complaint:
    a, b, c = op.sourceA.type, op.sourceB.type, op.destC.type
    if length(a) != length(b):
        return f"source vectors have different lengths: '{a}' vs. '{b}'"
    of_floats = isinstance(element_type(a), FloatType)
    if of_floats != isinstance(element_type(c), FloatType):
        kind, target = ("int", "int") if of_floats else ("float", "float")
        return f"expected {kind} sources with {target} destination"
    if not small_float(element_type(a), 8) and element_type(a) != element_type(b):
        return f"source element types must match (except for fp8/bf8) but have '{a}' and '{b}'"
    if of_floats and op.clamp is not None:
        return "clamp flag is not supported for float types"
    if of_floats and (op.unsignedA is not None or op.unsignedB is not None):
        return "unsigned flags are not supported for float types"
    return None


_F8: Final = ("f8E4M3FN", "f8E5M2")
_F6: Final = ("f6E2M3FN", "f6E3M2FN")
_F4: Final = "f4E2M1FN"
_E8, _E4 = "f8E8M0FNU", "f8E4M3FN"


def _name(type: Type) -> str:
    part = element_type(type)
    return part.name if isinstance(part, FloatType) else ""


def _scaled_lengths(op: ops.ScaledWmmaOp) -> Complaint:
    m = op.m.value
    target = length(op.destC.type)
    expected = 8 if m == 16 else 16
    if target != expected:
        return f"expected output vector of length {expected} but got {target}"
    if m != 16 and _F4 not in (_name(op.sourceA.type), _name(op.sourceB.type)):
        return "32x16x128 only supports fp4 element types"
    for side, count in (("A", 64 if m == 16 else 128), ("B", 64)):
        given = length(op.one_of(f"source{side}").type)
        if given != count:
            return f"for {m}x16x128, source{side} must have {count} elements but got {given}"
    if m != 16 and op.a_first_scale_lane.value:
        return "for 32x16x128, a_first_scale_lane must be 0"
    return None


@verifies("amdgpu.scaled_wmma")
def _scaled_wmma(op: ops.ScaledWmmaOp) -> Complaint:
    if problems := _scaled_lengths(op):
        return problems
    types = {name: op.one_of(name).type for name in ("sourceA", "scaleA", "sourceB", "scaleB")}
    a, scale_a, b, scale_b = map(_name, types.values())
    if scale_a not in (_E8, _E4) or scale_b not in (_E8, _E4):
        return "scale operands must have f8 element types (E8M0FNU or E4M3FN)"
    wide = (*_F8, *_F6)
    fits = (
        (scale_a, scale_b) == (_E8, _E8)
        or (a in wide and scale_a == _E8 and b == _F4 and scale_b == _E4)
        or (a == _F4 and scale_a == _E4 and b in wide and scale_b == _E8)
        or (a == _F4 and b == _F4 and scale_a == _E4 and scale_b == _E4)
    )
    listed = ", ".join(f"{name}='{element_type(type)}'" for name, type in types.items())
    return None if fits else f"invalid combination of matrix and scale types: {listed}"
