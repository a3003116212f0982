"""The patterns for the operations of `mpi`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fathom.dialects.llvm.types import PTR, VOID, LLVMFunctionType, LLVMStructType
from fathom.ir.attributes import i32_attr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Operation, types_of
from fathom.ir.types import I32, I64, MemRefType, Type
from fathom.ops import mpi
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import function_of
from fathom.passes.to_llvm.descriptors import ALIGNED, OFFSET, SIZES, get
from fathom.passes.to_llvm.message_passing.implementations import (
    datatype_of,
    implementation,
    module_around,
    reduction_of,
)
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.message_passing.implementations import Handle
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Sends: TypeAlias = "mpi.SendOp | mpi.RecvOp"


def convert(type: Type) -> Type | None:
    """A communicator is wide enough for a number or an address; of what functions return nothing is said."""
    return I64 if isinstance(type, DialectType) and type.full_name == "mpi.comm" else None


# ---- what calls are made of


def _call(rewriter: ConversionRewriter, op: Operation, name: str, arguments: Sequence[Value]) -> list[Value]:
    """What a function of MPI returns. The module around declares it at its front, unless it has it."""
    function = function_of(rewriter, module_around(op), name, types_of(arguments), I32)
    type = function.function_type.type
    result = type.result if isinstance(type, LLVMFunctionType) else VOID
    return list(emit.call(rewriter, name, arguments, [result] if result != VOID else []).results)


class Buffer(NamedTuple):
    """What a function is told of a memref: where its elements begin, and how many there are along the first
    dimension."""

    pointer: Value
    length: Value


def _buffer(rewriter: ConversionRewriter, descriptor: Value, element: Type) -> Buffer:
    start, offset = emit.extract(rewriter, descriptor, PTR, ALIGNED), emit.extract(rewriter, descriptor, I64, OFFSET)
    pointer = emit.gep(rewriter, start, element, offset)
    struct = descriptor.type
    if isinstance(struct, LLVMStructType) and len(struct.body or ()) > SIZES:
        return Buffer(pointer, emit.cast(rewriter, "llvm.trunc", get(rewriter, descriptor, SIZES, 0), I32))
    return Buffer(pointer, rewriter.constant(i32_attr(1), I32))


def _no_datatype(type: Type) -> Failure:
    return Failure(f"MPI has no datatype for '{type}'")


def _element(memory: Value) -> tuple[Type, Handle] | Failure:
    """The type of the elements of a memref, and their datatype."""
    assert isinstance(memory.type, MemRefType), "the definition demands a memref"
    datatype = datatype_of(memory.type.element)
    return (memory.type.element, datatype) if datatype is not None else _no_datatype(memory.type.element)


def _put(rewriter: ConversionRewriter, op: Operation, returned: Sequence[Value], *others: Value) -> None:
    """Puts what a call returned, if the operation has that, and other values in its place."""
    rewriter.replace(op, [*returned, *others][-len(op.results) :] if op.results else [])


# ---- the patterns


@named("InitOpLowering")
def _init(
    op: mpi.InitOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`mpi.init` becomes `llvm.call @MPI_Init(%null, %null)`: it takes no arguments of the program."""
    null = emit.null(rewriter, PTR)
    _put(rewriter, op, _call(rewriter, op, "MPI_Init", [null, null]))
    return None


@named("FinalizeOpLowering")
def _finalize(
    op: mpi.FinalizeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`mpi.finalize` becomes `llvm.call @MPI_Finalize()`."""
    _put(rewriter, op, _call(rewriter, op, "MPI_Finalize", []))
    return None


@named("CommWorldOpLowering")
def _comm_world(
    op: mpi.CommWorldOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`mpi.comm_world` becomes a constant, or the address of a struct as a number."""
    rewriter.replace(op, [implementation(rewriter, op).world(rewriter, op)])
    return None


@named("CommSplitOpLowering")
def _comm_split(
    op: mpi.CommSplitOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %new = mpi.comm_split(%comm, %color, %key) : !mpi.comm
    becomes
        %room = llvm.alloca 1 x i32
        %0 = llvm.call @MPI_Comm_split(%native, %color, %key, %room)
        %1 = llvm.load %room : !llvm.ptr -> i32
        %new = llvm.sext %1 : i32 to i64
    """
    comm, color, key = operands
    native = implementation(rewriter, op).native(rewriter, comm)
    room = emit.alloca(rewriter, native.type, emit.i32(rewriter, 1))
    returned = _call(rewriter, op, "MPI_Comm_split", [native, color, key, room])
    split = emit.cast(rewriter, "llvm.sext", emit.load(rewriter, I32, room), I64)
    _put(rewriter, op, returned, split)
    return None


@named("CommRankOpLowering")
def _comm_rank(
    op: mpi.CommRankOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %rank = mpi.comm_rank(%comm) : i32
    becomes
        %room = llvm.alloca 1 x i32
        %0 = llvm.call @MPI_Comm_rank(%native, %room)
        %rank = llvm.load %room : !llvm.ptr -> i32
    """
    native = implementation(rewriter, op).native(rewriter, operands[0])
    room = emit.alloca(rewriter, I32, emit.i32(rewriter, 1))
    returned = _call(rewriter, op, "MPI_Comm_rank", [native, room])
    _put(rewriter, op, returned, emit.load(rewriter, I32, room))
    return None


def _transfer(function: str, peer: str, *, has_status: bool = False) -> Callable[..., Failure | None]:
    """`mpi.send` becomes `llvm.call @MPI_Send(%pointer, %count, %datatype, %dest, %tag, %native)`; who receives
    gives a pointer for the status besides, which says that nobody asks for it."""

    def rewrite(
        op: Sends, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        element = _element(op.ref)
        if isinstance(element, Failure):
            return element
        ((ref,), (tag,), (other,), (comm,)) = (groups(op, operands)[name] for name in ("ref", "tag", peer, "comm"))
        pointer, count = _buffer(rewriter, ref, element[0])
        used = implementation(rewriter, op)
        datatype = used.handle(rewriter, op, element[1])
        arguments = [pointer, count, datatype, other, tag, used.native(rewriter, comm)]
        if has_status:
            status = emit.i64(rewriter, used.status_ignore)
            arguments.append(emit.cast(rewriter, "llvm.inttoptr", status, PTR))
        _put(rewriter, op, _call(rewriter, op, function, arguments))
        return None

    return rewrite


@named("AllReduceOpLowering")
def _allreduce(
    op: mpi.AllreduceOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`mpi.allreduce(%send, %recv, MPI_SUM, %comm)` becomes
    `llvm.call @MPI_Allreduce(%from, %to, %count, %datatype, %sum, %native)`; where both are one buffer, `%from` says
    so."""
    element = _element(op.sendbuf)
    if isinstance(element, Failure):
        return element
    send, receive, comm = operands
    used = implementation(rewriter, op)
    (source, count), (target, _) = (_buffer(rewriter, buffer, element[0]) for buffer in (send, receive))
    if send is receive:
        source = emit.i64(rewriter, used.in_place)
        source = emit.cast(rewriter, "llvm.inttoptr", source, PTR)
    datatype = used.handle(rewriter, op, element[1])
    reduction = used.handle(rewriter, op, reduction_of(op.op.value))
    arguments = [source, target, count, datatype, reduction, used.native(rewriter, comm)]
    _put(rewriter, op, _call(rewriter, op, "MPI_Allreduce", arguments))
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "mpi.allreduce": _allreduce,
    "mpi.comm_rank": _comm_rank,
    "mpi.comm_split": _comm_split,
    "mpi.comm_world": _comm_world,
    "mpi.finalize": _finalize,
    "mpi.init": _init,
    "mpi.recv": named("RecvOpLowering")(_transfer("MPI_Recv", "source", has_status=True)),
    "mpi.send": named("SendOpLowering")(_transfer("MPI_Send", "dest")),
}
