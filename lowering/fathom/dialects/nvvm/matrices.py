"""What MLIR's verifiers say of the matrices that the threads of a warp load, multiply and store together: `nvvm.wmma`,
`ldmatrix`, `stmatrix` and `wgmma`; and of `nvvm.tcgen05`, the operations of tensor cores with a memory of their own.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType
from fathom.dialects.nvvm.rules import GENERIC, GLOBAL, SHARED, extents, members, space
from fathom.ir.property_values import integer_property
from fathom.ir.types import F16, F32, F64, I32, VectorType
from fathom.irdl.cases import word, word_of
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


Shape: TypeAlias = "tuple[int, ...]"
"""The extents m, n and k of a multiplication."""

# ---- wmma

_SIXTEENS: Final = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
INPUTS: Final[Mapping[str, tuple[Shape, ...]]] = {
    "f16": _SIXTEENS,
    "s8": _SIXTEENS,
    "u8": _SIXTEENS,
    "tf32": ((16, 16, 8),),
    "f64": ((8, 8, 4),),
}
"""The shapes in which the elements of the fragments a and b are of a type."""
SUMS: Final[Mapping[str, tuple[Shape, ...]]] = {
    "f16": _SIXTEENS,
    "f32": (*_SIXTEENS, (16, 16, 8)),
    "s32": _SIXTEENS,
    "f64": ((8, 8, 4),),
}
"""The shapes in which those of the fragments c and d are."""
PRODUCTS: Final = {"f16": ("f16", "f32"), "s8": ("s32",), "u8": ("s32",), "tf32": ("f32",), "f64": ("f64",)}
"""What products of elements of a type are added up in."""
_PARTS: Final = {8: 1, 16: 2, 32: 4}
"""How many registers hold a fragment of bytes with so many rows or columns."""
_INVALID: Final = "invalid attribute combination"


def _shape(op: Operation) -> Shape:
    return tuple(integer_property(op, name) or 0 for name in "mnk")


def registers(element: str, fragment: str, shape: Shape) -> tuple[Type, int]:
    """The registers that hold a thread's part of a fragment: their type, and how many there are."""
    is_input = fragment in ("a", "b")
    if element == "f16":
        return VectorType((2,), F16), 8 if is_input else 4
    if element == "f64":
        return F64, 1 if is_input else 2
    if element == "tf32":
        return I32, 4
    if element in ("s8", "u8"):
        return I32, _PARTS.get(shape[0] if fragment == "a" else shape[1], 0)
    return (F32 if element == "f32" else I32), 8


def _in_memory(op: ops.WmmaLoadOp | ops.WmmaStoreOp, what: str) -> Complaint:
    fits = space(op, "ptr") in (GENERIC, GLOBAL, SHARED)
    return None if fits else f"expected {what} in memory space 0, 1, 3"


def _struct_problem(op: ops.WmmaLoadOp | ops.WmmaMmaOp, element: Type, count: int) -> Complaint:
    if op.result.type == LLVMStructType((element,) * count):
        return None
    return f"expected destination type is a structure of {count} elements of type '{element}'"


@verifies("nvvm.wmma.load")
def _load(op: ops.WmmaLoadOp) -> Complaint:
    if problems := _in_memory(op, "source pointer"):
        return problems
    element, fragment, shape = word_of(op.eltype), word_of(op.frag), _shape(op)
    known = INPUTS if fragment in ("a", "b") else SUMS
    if shape not in known.get(element, ()):
        return _INVALID
    register, count = registers(element, fragment, shape)
    if register == F64 and count == 1:
        return None if op.result.type == F64 else "expected destination type to be f64"
    return _struct_problem(op, register, count)


@verifies("nvvm.wmma.store")
def _store(op: ops.WmmaStoreOp) -> Complaint:
    if problems := _in_memory(op, "operands to be a source pointer"):
        return problems
    element, shape = word_of(op.eltype), _shape(op)
    if shape not in SUMS.get(element, ()):
        return _INVALID
    register, count = registers(element, "c", shape)
    args = op.args
    if len(args) != count:
        return f"expected {count} data operands"
    if any(arg.type != register for arg in args):
        return f"expected data operands of type '{register}'"
    return None


@verifies("nvvm.wmma.mma")
def _multiply(op: ops.WmmaMmaOp) -> Complaint:
    element, total, shape = word_of(op.eltypeA), word_of(op.eltypeB), _shape(op)
    if shape not in INPUTS.get(element, ()) or total not in PRODUCTS[element]:
        return _INVALID
    held = (registers(element, "a", shape), registers(element, "b", shape), registers(total, "c", shape))
    expected = [register for register, count in held for _ in range(count)]
    args = op.args
    if len(args) != len(expected):
        return f"expected {len(expected)} arguments"
    for index, (arg, register) in enumerate(zip(args, expected, strict=True)):
        if arg.type != register:
            return f"expected argument {index} to be of type '{register}'"
    return _struct_problem(op, *held[2])


# ---- ldmatrix, stmatrix

_PACKED: Final = ("b8x16.b4x16_p64", "b8x16.b6x16_p32")


@verifies("nvvm.ldmatrix")
def _load_matrix(op: ops.LdmatrixOp) -> Complaint:
    count, shape = (op.num.value or 0) % 2**32, extents(op)
    problems = _load_problem(op, count, shape)
    if problems:
        return problems
    registers = count * 2 if shape == (16, 16) else count
    if registers == 1:
        return None if op.result.type == I32 else "expected destination type is i32"
    if op.result.type != LLVMStructType((I32,) * registers):
        return f"expected destination type is a structure of {registers} elements of type i32"
    return None


def _load_problem(op: ops.LdmatrixOp, count: int, shape: Shape) -> Complaint:
    """What is wrong with the number of matrices, their layout and their elements."""
    layout, element = word_of(op.layout), word_of(op.eltType)
    if shape == (8, 8):
        if count not in (1, 2, 4):
            return "expected num attribute to be 1, 2 or 4 for 8x8 matrix"
        return None if element == "b16" else "expected element type to be b16 for 8x8 matrix"
    if shape == (8, 16):
        if count not in (1, 2, 4):
            return "expected num attribute to be 1, 2 or 4 for 8x16 matrix"
        if layout != "row":
            return "expected layout to be row for 8x16 matrix"
        fits = element in _PACKED
        return None if fits else f"expected element type to be {' or '.join(_PACKED)} for 8x16 matrix"
    if shape != (16, 16):
        return "expected shape to be 8x8, 8x16 or 16x16"
    if count not in (1, 2):
        return "expected num attribute to be 1 or 2 for 16x16 matrix"
    if layout != "col":
        return "expected layout to be col for 16x16 matrix"
    fits = element in ("b8", *_PACKED)
    return None if fits else f"expected element type to be b8, {' or '.join(_PACKED)} for 16x16 matrix"


@verifies("nvvm.stmatrix")
def _store_matrix(op: ops.StmatrixOp) -> Complaint:
    shape, element = extents(op), word_of(op.eltType)
    if len(op.sources) not in (1, 2, 4):
        return "expected num attribute to be 1, 2 or 4"
    if shape == (8, 8):
        return None if element == "b16" else "expected element type to be B16 for 8x8 matrix"
    if shape != (16, 8):
        return "expected shape to be 8x8 or 16x8"
    if element != "b8":
        return "expected element type to be B8 for 16x8 matrix"
    return None if word_of(op.layout) == "col" else "expected layout to be col for 16x8 matrix"


# ---- wgmma

_DEPTHS: Final = {"tf32": 8, "f16": 16, "bf16": 16, "s8": 32, "u8": 32, "e4m3": 32, "e5m2": 32, "b1": 256}
"""The extent k for the types of a."""
_FLOATS: Final = ("f16", "f32")
_FACTORS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "f16": (_FLOATS, ("f16",)),
    "bf16": (_FLOATS, ("bf16",)),
    "tf32": (("f32",), ("tf32",)),
    "s8": (("s32",), ("s8", "u8")),
    "u8": (("s32",), ("s8", "u8")),
    "b1": (("s32",), ("b1",)),
    "e4m3": (_FLOATS, ("e4m3", "e5m2")),
    "e5m2": (_FLOATS, ("e4m3", "e5m2")),
}
"""The types of d and of b that fit a type of a."""
_WIDTHS: Final = frozenset(range(8, 257, 8))
_WIDTHS_OF_INTEGERS: Final = frozenset((8, 24, *range(16, 257, 16)))


@verifies("nvvm.wgmma.mma_async")
def _wgmma(op: ops.WgmmaMmaAsyncOp) -> Complaint:
    body = members(op.result.type)
    if body is None:
        return "expected results to be struct"
    for type_ in body:
        if type_ != body[0]:
            return f"all elements in struct must be same type but there is '{type_}'"
    return _wgmma_types(op) or _wgmma_shape(op) or _wgmma_rest(op, len(body))


def _wgmma_types(op: ops.WgmmaMmaAsyncOp) -> Complaint:
    d, a, b = word_of(op.typeD), word_of(op.typeA), word_of(op.typeB)
    if d not in (*_FLOATS, "s32"):
        return f"does not support the given output type {d}"
    if d == "s32" and "neg" in (word_of(op.scaleA), word_of(op.scaleB)):
        return "has s32 output, scaleA and scaleB cannot be neg"
    totals, factors = _FACTORS.get(a, ((), ()))
    return None if d in totals and b in factors else f"{d} += {a} * {b}, it is not supported."


def _wgmma_shape(op: ops.WgmmaMmaAsyncOp) -> Complaint:
    a, shape = word_of(op.typeA), extents(op)
    if len(shape) != 3:
        return None
    m, n, k = shape
    if m != 64:
        return "shape 'm' must be 64"
    if k != _DEPTHS[a]:
        return f"shape 'k' must be {_DEPTHS[a]} for input type {a}"
    if n not in (_WIDTHS_OF_INTEGERS if a in ("u8", "s8", "b1") else _WIDTHS):
        return f"has input type {a} n is set to {n}, it is not supported."
    return None


def _wgmma_rest(op: ops.WgmmaMmaAsyncOp, count: int) -> Complaint:
    d, a, shape = word_of(op.typeD), word_of(op.typeA), extents(op)
    left, right = word_of(op.layoutA), word_of(op.layoutB)
    if a not in ("f16", "bf16") and (left == "col" or right == "row"):
        return (
            f"given layouts layout_a = {left} and layout_b = {right} for input types {a} and {word(op, 'typeB')}"
            " requires transpose. However, this is only supported for: f16 and bf16"
        )
    expected = shape[1] // (4 if d == "f16" else 2) if len(shape) == 3 else count
    if count != expected:
        return f"results {expected}, however output struct has {count} elements"
    if d != "s32" and word_of(op.satfinite) == "satfinite":
        only = "can be only used with s32 accumulator, however the current accumulator is"
        return f" `satfinite` {only} {d}"
    return None


# ---- tcgen05


_LANES: Final = {"cta_1": 4, "cta_2": 8}
"""How many lanes of output a group of blocks can have disabled."""
_LEAST: Final = {"shape_16x128b": 2, "shape_16x256b": 4}
"""The least number of registers for the shapes that ask for more than one."""
_HALVES: Final = "shape_16x32bx2"


def _length(type: Type) -> int:
    return prod(type.ranked_shape) if isinstance(type, VectorType) else 1


@verifies("nvvm.tcgen05.cp")
def _copy(op: ops.Tcgen05CpOp) -> Complaint:
    shape, multicast = word_of(op.shape), word_of(op.multicast)
    if shape == "shape_64x128b":
        fits = multicast in ("warpx2_01_23", "warpx2_02_13")
        need = "Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op"
        return None if fits else bare(need)
    if shape == "shape_32x128b":
        fits = multicast == "warpx4"
        return None if fits else bare("Shape 32x128b requires multicast warpx4 for tcgen05.cp Op")
    return None if multicast == "none" else bare("Invalid multicast type for tcgen05.cp Op")


@verifies("nvvm.tcgen05.ld")
def _tcgen05_load(op: ops.Tcgen05LdOp) -> Complaint:
    shape, has_offset = word_of(op.shape), op.offset is not None
    if missing := _missing_offset(op):
        return missing
    if shape != _HALVES and has_offset:
        return bare("offset argument is only supported for shape 16x32bx2")
    length = _length(op.result.type)
    if length < _LEAST.get(shape, 0):
        return bare(f"invalid result type length {length} for shape {shape} in tcgen05.ld Op")
    return None


@verifies("nvvm.tcgen05.st")
def _tcgen05_store(op: ops.Tcgen05StOp) -> Complaint:
    shape, length = word_of(op.shape), _length(op.val.type)
    if missing := _missing_offset(op):
        return missing
    if length < _LEAST.get(shape, 0):
        return bare(f"invalid input length {length} for shape {shape} in tcgen05.st Op")
    return None


def _missing_offset(op: ops.Tcgen05LdOp | ops.Tcgen05StOp) -> Complaint:
    missing = word_of(op.shape) == _HALVES and op.offset is None
    return bare("shape 16x32bx2 requires offset argument") if missing else None


@verifies("nvvm.tcgen05.mma", "nvvm.tcgen05.mma.sp")
def _tcgen05_multiply(op: ops.Tcgen05MmaOp | ops.Tcgen05MmaSpOp) -> Complaint:
    if op.disableOutputLane is not None:
        length = _length(op.disableOutputLane.type)
        if length != _LANES.get(word_of(op.ctaGroup)):
            return bare(f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr")
    if op.aShift is None:
        return None
    if not isinstance(op.matrixA.type, LLVMPointerType):
        return bare("A-shift can be applied only when matrix A is in tensor memory")
    if word_of(op.collectorOp) in ("fill", "use"):
        return bare("Cannot use collector buffer operation fill or use with ashift")
    return None


@verifies("nvvm.tcgen05.mma.block_scale", "nvvm.tcgen05.mma.sp.block_scale")
def _multiply_scaled(op: ops.Tcgen05MmaBlockScaleOp | ops.Tcgen05MmaSpBlockScaleOp) -> Complaint:
    scale, kind = word_of(op.blockScale), word_of(op.kind)
    if scale == "default" and kind == "mxf4nvf4":
        return bare("mxf4nvf4 requires block scale attribute")
    if scale == "block16" and kind != "mxf4nvf4":
        return bare(f"{kind} kind does not support block16 attribute")
    return None
