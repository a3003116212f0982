"""What operations on the memory of tensor cores are in LLVM IR.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.calling import Maker, calls, replaces
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.dialects.nvvm.rules import SHARED, space
from fathom.ir.types import I32, I64, VectorType
from fathom.irdl.cases import number_of, word, word_of
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type

    _Product: TypeAlias = (
        ops.Tcgen05MmaOp
        | ops.Tcgen05MmaSpOp
        | ops.Tcgen05MmaBlockScaleOp
        | ops.Tcgen05MmaSpBlockScaleOp
        | ops.Tcgen05MmaWsOp
        | ops.Tcgen05MmaWsSpOp
    )

_CORES: Final = "llvm.nvvm.tcgen05."


def _group(op: Operation, prop: str = "group") -> int:
    """How many blocks take part."""
    return 2 if word(op, prop) == "cta_2" else 1


def _shared(op: Operation) -> str:
    return ".shared" if space(op, "addr") == SHARED else ""


@calls("nvvm.tcgen05.alloc")
def _allocate(op: ops.Tcgen05AllocOp, _make: Maker) -> Called:
    return f"{_CORES}alloc{_shared(op)}.cg{_group(op)}", [op.addr, op.nCols]


@calls("nvvm.tcgen05.dealloc")
def _free(op: ops.Tcgen05DeallocOp, _make: Maker) -> Called:
    return f"{_CORES}dealloc.cg{_group(op)}", [op.taddr, op.nCols]


@calls("nvvm.tcgen05.relinquish_alloc_permit")
def _relinquish(op: ops.Tcgen05RelinquishAllocPermitOp, _make: Maker) -> Called:
    return f"{_CORES}relinq.alloc.permit.cg{_group(op)}", []


@calls("nvvm.tcgen05.shift")
def _shift(op: ops.Tcgen05ShiftOp, _make: Maker) -> Called:
    return f"{_CORES}shift.down.cg{_group(op)}", [op.taddr]


@calls("nvvm.tcgen05.commit")
def _commit(op: ops.Tcgen05CommitOp, _make: Maker) -> Called:
    mask = [op.multicastMask] if op.multicastMask is not None else []
    return f"{_CORES}commit{'.mc' * len(mask)}{_shared(op)}.cg{_group(op)}", [op.addr, *mask]


@calls("nvvm.tcgen05.fence")
def _fence(op: ops.Tcgen05FenceOp, _make: Maker) -> Called:
    return f"{_CORES}fence.{word_of(op.kind)}.thread.sync", []


@calls("nvvm.tcgen05.wait")
def _wait(op: ops.Tcgen05WaitOp, _make: Maker) -> Called:
    return f"{_CORES}wait.{'ld' if word_of(op.kind) == 'load' else 'st'}", []


@calls("nvvm.tcgen05.cp")
def _copy(op: ops.Tcgen05CpOp, _make: Maker) -> Called:
    shape, multicast = word_of(op.shape).removeprefix("shape_"), word(op, "multicast")
    many = f"_{multicast}" if multicast not in ("", "none") else ""
    format = f".{word_of(op.srcFormat)}" if op.srcFormat is not None else ""
    return f"{_CORES}cp.{shape}{many}{format}.cg{_group(op)}", [op.taddr, op.smem_desc]


_WORDS: Final = {"16x128b": 2, "16x256b": 4}
"""How many registers one step of a shape takes, of those that take several."""


def _steps(op: ops.Tcgen05LdOp | ops.Tcgen05StOp, type: Type) -> str:
    """The shape that is read or written, and how often."""
    shape = word_of(op.shape).removeprefix("shape_")
    registers = prod(type.ranked_shape) if isinstance(type, VectorType) else 1
    return f"{shape}.x{registers // _WORDS.get(shape, 1)}"


@calls("nvvm.tcgen05.ld")
def _load(op: ops.Tcgen05LdOp, make: Maker) -> Called:
    offset = [op.offset] if op.offset is not None else []
    return f"{_CORES}ld.{_steps(op, op.result.type)}", [op.tmemAddr, *offset, make.flag(op.pack is not None)]


@calls("nvvm.tcgen05.st")
def _store(op: ops.Tcgen05StOp, make: Maker) -> Called:
    offset = [op.offset] if op.offset is not None else []
    arguments = [op.tmemAddr, *offset, op.val, make.flag(op.unpack is not None)]
    return f"{_CORES}st.{_steps(op, op.val.type)}", arguments


_FIELDS: Final = (
    ("startAddr", 14, 0),
    ("leadingDimOffset", 14, 16),
    ("strideDimOffset", 14, 32),
    ("", 3, 46),
    ("baseOffset", 3, 49),
    ("leadingDimMode", 1, 52),
    ("swizzleMode", 3, 61),
)
"""What a descriptor is made of: the operands, how many bits they have, and where; without a name, a one."""


@replaces("nvvm.tcgen05.mma_smem_desc")
def _describe(op: ops.Tcgen05MmaSmemDescOp, make: Maker) -> Value:
    packed = make.number(0, 64)
    for name, width, offset in _FIELDS:
        value = op.one_of(name) if name else make.number(1)
        word = value if value.type == I32 else make.cast("zext", value, I32)
        wide = make.cast("zext", make.binary("and", word, make.number((1 << width) - 1)), I64)
        packed = make.binary("or", packed, make.binary("shl", wide, make.number(offset, 64)))
    return packed


# ---- products


def _factors(op: _Product) -> list[Value]:
    """What all products begin with."""
    sparse = op.all_of("sparseMetadata") if ".sp" in op.name else []
    return [op.matrixD, op.matrixA, op.matrixB, op.idesc, op.enableInputD, *sparse]


def _where(op: _Product) -> str:
    """Where the first factor is; the second is in shared memory."""
    sparse = "sp." if ".sp" in op.name else ""
    return sparse + ("tensor" if isinstance(op.matrixA.type, LLVMPointerType) else "shared")


def _case(make: Maker, attribute: Attribute | None) -> Value:
    return make.number(number_of(attribute) or 0)


@calls("nvvm.tcgen05.mma", "nvvm.tcgen05.mma.sp")
def _multiply(op: ops.Tcgen05MmaOp | ops.Tcgen05MmaSpOp, make: Maker) -> Called:
    group = _group(op, "ctaGroup")
    name, arguments = f"{_CORES}mma.{_where(op)}", _factors(op)
    if op.scaleInputD is not None:
        name, arguments = f"{name}.scale_d", [*arguments, op.scaleInputD]
    if op.disableOutputLane is not None:
        name, arguments = f"{name}.disable_output_lane.cg{group}", [*arguments, op.disableOutputLane]
    arguments.append(_case(make, op.kind))
    if op.disableOutputLane is None:
        arguments.append(make.number(group))
    return f"{name}{'.ashift' * (op.aShift is not None)}", [*arguments, _case(make, op.collectorOp)]


@calls("nvvm.tcgen05.mma.block_scale", "nvvm.tcgen05.mma.sp.block_scale")
def _multiply_scaled(op: ops.Tcgen05MmaBlockScaleOp | ops.Tcgen05MmaSpBlockScaleOp, make: Maker) -> Called:
    scale = word(op, "blockScale")
    name = f"{_CORES}mma.{_where(op)}.{word_of(op.kind)}.block_scale"
    name += f".{scale}" if scale not in ("", "default") else ""
    group = make.number(_group(op, "ctaGroup"))
    return name, [*_factors(op), op.scaleA, op.scaleB, group, _case(make, op.collectorOp)]


@calls("nvvm.tcgen05.mma.ws", "nvvm.tcgen05.mma.ws.sp")
def _multiply_by_warps(op: ops.Tcgen05MmaWsOp | ops.Tcgen05MmaWsSpOp, make: Maker) -> Called:
    mask = [op.zeroColMask] if op.zeroColMask is not None else []
    cases = [_case(make, each) for each in (op.kind, op.collectorBBuffer, op.collectorOp)]
    return f"{_CORES}mma.ws.{_where(op)}{'.zero_col_mask' * len(mask)}", [*_factors(op), *mask, *cases]
