"""What MLIR's verifiers say of `nvvm.mma.sync` and its family: which shapes there are, and in what registers each
operand is held.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMStructType
from fathom.dialects.nvvm.products import PAIR, element_word
from fathom.dialects.nvvm.rules import extents
from fathom.ir.types import F32, F64, I32, Type
from fathom.irdl.cases import word, word_of
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import nvvm as ops
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_INTEGERS: Final = ("s4", "u4", "s8", "u8", "b1")
_SMALL_FLOATS: Final = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
_DENSE: Final = {"tf32": 4, "bf16": 8, "f16": 8, "s4": 32, "u4": 32, "b1": 128, "s8": 16, "u8": 16}
"""The extent k of a tile, of which one or two make a product of 16 rows, by the type of a."""
_SPARSE: Final = {name: size for name, size in _DENSE.items() if name != "b1"} | dict.fromkeys(_SMALL_FLOATS, 32)
_SPARSE_DEPTHS: Final = {**{name: (2 * size, 4 * size) for name, size in _SPARSE.items()}} | dict.fromkeys(
    _SMALL_FLOATS, (64,)
)
_EIGHTS: Final = {"s4": 32, "u4": 32, "s8": 16, "u8": 16, "b1": 128}
"""The extent k of a product of 8 rows, by the type of a."""


def _struct(type: Type, count: int) -> Type:
    return LLVMStructType((type,) * count)


@record
class _Held:
    """What a product of a shape is held in: how many registers of which types each operand may have, and the types of
    the result. Nothing, for a shape that there is not."""

    a: tuple[tuple[int, Type], ...] = ()
    b: tuple[tuple[int, Type], ...] = ()
    c: tuple[tuple[int, Type], ...] = ()
    results: tuple[Type, ...] = ()


_SUMS: Final = ((2, PAIR), (4, F32))


def _of_sixteen(kind: str, shape: tuple[int, ...], sparse: bool) -> _Held:
    _, n, k = shape
    tile = (_SPARSE if sparse else _DENSE)[kind]
    depths = _SPARSE_DEPTHS[kind] if sparse else (tile, 2 * tile)
    if n != 8 or k not in depths:
        return _Held()
    register = PAIR if kind == "f16" else I32
    count = k // tile
    # Of a sparse factor half is left out.
    a, b = ((count if sparse else 2 * count, register),), ((count, register),)
    if kind in _INTEGERS:
        return _Held(a, b, ((4, I32),), (_struct(I32, 4),))
    results = (_struct(F32, 4),) if kind in ("tf32", "bf16") else (_struct(PAIR, 2), _struct(F32, 4))
    return _Held(a, b, _SUMS, results)


def _of_eight(kind: str, shape: tuple[int, ...], sparse: bool) -> _Held:
    depth = {"f16": 4, "f64": 4, **_EIGHTS}.get(kind)
    if shape[1] != 8 or shape[2] != depth or (sparse and kind == "b1"):
        return _Held()
    if kind == "f16":
        held = ((2, PAIR),)
        return _Held(held, held, ((4, PAIR), (8, F32)), (_struct(PAIR, 4), _struct(F32, 8)))
    one = F64 if kind == "f64" else I32
    held = ((1, one),)
    return _Held(held, held, ((2, one),), (_struct(one, 2),))


def _check_types(op: ops.MmaSpSyncOp | ops.MmaSyncOp, sparse: bool) -> Complaint:
    """What the shape and the type of a demand."""
    kind, shape = word_of(op.multiplicandAPtxType), extents(op)
    if len(shape) != 3 or not kind:
        return None
    held = _Held()
    if shape[0] == 16:
        if kind not in (_SPARSE if sparse else _DENSE):
            return bare(f"invalid shape or multiplicand type: {kind}")
        sums = [value.type for value in op.operandC[:1]]
        if [element_word(op.result.type, sum=True)] != [element_word(type, sum=True) for type in sums]:
            return "ctype does not match dtype"
        held = _of_sixteen(kind, shape, sparse)
    elif shape[0] == 8:
        held = _of_eight(kind, shape, sparse)
    if not held.a:
        return f"unimplemented variant for MMA shape <{', '.join(map(str, shape))}>"
    for name, expected in (("A", held.a), ("B", held.b), ("C", held.c)):
        types = [value.type for value in op.all_of(f"operand{name}")]
        if not any(types == [register] * count for count, register in expected):
            listed = "".join(f"{count}x{register} " for count, register in expected)
            found = ", ".join(map(str, types))
            return f"Could not match types for the {name} operands; expected one of {listed}but got {found}"
    if op.result.type not in held.results:
        listed = ", ".join(map(str, held.results))
        what = "Could not match allowed types for the result; expected one of"
        return f"{what} {listed} but got {op.result.type}"
    return None


def _overflow(op: ops.MmaSpSyncOp | ops.MmaSyncOp) -> Complaint:
    if word_of(op.multiplicandAPtxType) in ("s4", "u4", "s8", "u8") and op.intOverflowBehavior is None:
        return "op requires intOverflowBehavior attribute"
    return None


@verifies("nvvm.mma.sync")
def dense(op: ops.MmaSyncOp) -> Complaint:
    """`nvvm.mma.sync`."""
    if problems := _check_types(op, sparse=False):
        return problems
    kind, shape = word_of(op.multiplicandAPtxType), extents(op)
    if kind == "b1" and op.b1Op is None:
        return "op requires b1Op attribute"
    if problems := _overflow(op):
        return problems
    plain = word_of(op.layoutA) == "row" and word_of(op.layoutB) == "col"
    if plain or (shape == (8, 8, 4) and kind == "f16"):
        return None
    layouts = "requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col>"
    types = f"with element types {kind} and {word(op, 'multiplicandBPtxType')}"
    return f"{layouts} for shape <{', '.join(map(str, shape))}> {types}. Only m8n8k4 with f16 supports other layouts."


@verifies("nvvm.mma.sp.sync")
def sparse(op: ops.MmaSpSyncOp) -> Complaint:
    """`nvvm.mma.sp.sync`."""
    return _check_types(op, sparse=True) or _overflow(op)


# ---- scaled


@record
class _Scaled:
    """The shapes of a scaled product: of factors of 4 bits, and of others."""

    narrow: int
    wide: int
    noun: str


_DENSE_SCALED: Final = _Scaled(64, 32, "mma")
_SPARSE_SCALED: Final = _Scaled(128, 64, "sparse mma")
_FOURS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "mxf4": (("x2", "ue8m0"),),
    "mxf4nvf4": (("x2", "ue8m0"), ("x4", "ue4m3")),
}
"""The sizes and formats of scales for each kind of factors of 4 bits."""


def _scaled(op: ops.MmaBlockScaleOp | ops.MmaSpBlockScaleOp, shapes: _Scaled) -> Complaint:
    shape = extents(op)
    if shape == (16, 8, shapes.narrow):
        return _narrow(op, f"mma.m16n8k{shapes.narrow}")
    if shape != (16, 8, shapes.wide):
        return f"unsupported Geom for {shapes.noun} with block scaling"
    found = word_of(op.kind), word_of(op.scaleVecSize), word_of(op.blockScaleFormat)
    attributes = f"Kind, ScaleVecSize and BlockScaleFormat attributes for mma.m16n8k{shapes.wide}"
    return None if found == ("mxf8f6f4", "x1", "ue8m0") else f"unsupported {attributes}"


def _narrow(op: Operation, name: str) -> Complaint:
    kind, scale = word(op, "kind"), (word(op, "scaleVecSize"), word(op, "blockScaleFormat"))
    if any(word(op, f"multiplicand{side}PtxType") != "e2m1" for side in "AB"):
        return f"unsupported MMATypes attribute for {name}.(mxf4nvf4|mxf4)"
    known = _FOURS.get(kind)
    if known is None:
        return f"unsupported Kind attribute for {name}"
    if kind == "mxf4":
        if scale[0] != known[0][0]:
            return f"unsupported ScaleVecSize attribute for {name}.{kind}"
        if scale[1] != known[0][1]:
            return f"unsupported BlockScaleFormat attribute for {name}.{kind}"
    elif scale not in known:
        return f"unsupported ScaleVecSize and BlockScaleFormat attributes for {name}.{kind}"
    return None


@verifies("nvvm.mma.block_scale")
def scaled(op: ops.MmaBlockScaleOp) -> Complaint:
    """`nvvm.mma.block_scale`."""
    return _scaled(op, _DENSE_SCALED)


@verifies("nvvm.mma.sp.block_scale")
def sparse_scaled(op: ops.MmaSpBlockScaleOp) -> Complaint:
    """`nvvm.mma.sp.block_scale`."""
    if op.orderedMetadata is None:
        return "'orderedMetadata' attribute is mandatory"
    return _scaled(op, _SPARSE_SCALED)
