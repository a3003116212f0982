"""Sparse matrices and products with them, by a library: cuSPARSE, and cuSPARSELt for those of which two elements of
four are zero.

What each operation calls is a row: the function, and the arguments in order. An argument is an operand by its name;
`*buffer` is the pointer that a memref was allocated at; `i:idxs` and `d:values` are the numbers by which the library
knows the types of their elements, `type` the one of what is computed with, and `modeA` whether a matrix is transposed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, VOID
from fathom.ir.attributes import TypeAttr, i32_attr, i64_attr
from fathom.ir.types import BF16, F16, F32, F64, I8, I16, I32, I64, ComplexType, MemRefType
from fathom.irdl.cases import number_of, word_of
from fathom.ops import gpu as ops
from fathom.passes.conversions.gpu_to_llvm.runtime import allocated, called, stream_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.records import record
from fathom.rewriting.pattern import Failure, Operations, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_DATA: Final[Mapping[Type, int]] = {BF16: 14, F16: 2, F32: 0, F64: 1, I8: 3, I16: 20, I32: 10}
_COMPLEX: Final[Mapping[Type, int]] = {BF16: 15, F16: 6, F32: 4, F64: 5, I8: 7, I16: 21, I32: 11}
_INDICES: Final[Mapping[Type, int]] = {I16: 1, I32: 2}
_INDEX_OF_64: Final = 3
_HALVES: Final[Mapping[Type, int]] = {F16: 0, I32: 1}
"""What types are called by cuSPARSELt."""
_MATRIX_BYTES: Final = 11032
_HALVED_BYTES: Final = 44104
_UNKNOWN: Final = Failure("the library does not compute with elements of this type")
_OTHERWISE: Final = Operations(
    "gpu.create_coo", "gpu.create_coo_aos", "gpu.create_csr", "gpu.create_csc", "gpu.create_bsr"
)


@record
class Call:
    """What an operation calls; `first` are those of the arguments that are made before the others."""

    function: str
    arguments: str
    result: Type = VOID
    first: str = ""


class _Arguments:
    """The arguments of a call, each made once."""

    def __init__(
        self, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> None:
        self._op = op
        self._rewriter = rewriter
        self._types = types
        self._given = groups(op, operands)
        self._made: dict[str, Value] = {}

    def made(self, names: str) -> list[Value] | Failure:
        values: list[Value] = []
        for name in names.split():
            value = self._made.get(name) or self._make(name)
            if isinstance(value, Failure):
                return value
            self._made[name] = value
            values.append(value)
        return values

    def _make(self, name: str) -> Value | Failure:
        kind, _, of = name.rpartition(":")
        if kind:
            return self.number(_number(kind, _element(self._op, of)))
        if name == "type":
            attribute = self._op.properties["computeType"]
            return self.number(_number("d", attribute.type if isinstance(attribute, TypeAttr) else I64))
        if name.startswith("mode"):
            return self.number(number_of(self._op.properties[name]))
        if name.startswith("*"):
            return allocated(self._rewriter, self._given[name[1:]][0])
        if name == "stream":
            return self._given["asyncDependencies"][0]
        operand, _, place = name.partition("#")
        return self._given[operand][int(place or 0)]

    def number(self, number: int | None) -> Value | Failure:
        return _UNKNOWN if number is None else emit.constant(self._rewriter, I32, i32_attr(number))


def _element(op: Operation, name: str) -> Type:
    type = op.one_of(name).type
    return type.element if isinstance(type, MemRefType) else type


def _number(kind: str, type: Type) -> int | None:
    if kind == "i":
        return _INDICES.get(type, _INDEX_OF_64)
    return _COMPLEX.get(type.element) if isinstance(type, ComplexType) else _DATA.get(type)


def _calls(call: Call, pattern: str) -> Lower:
    @named(pattern)
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        stream = stream_of(op, operands)
        return stream if isinstance(stream, Failure) else _call(call, op, operands, rewriter, types)

    return lower


def _call(
    call: Call, op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Replaces an operation by a call, and its token by the stream."""
    arguments = _Arguments(op, operands, rewriter, types)
    if isinstance(first := arguments.made(call.first), Failure):
        return first
    # Pointers and numbers are made before what needs them, in the order in which they are passed.
    values = arguments.made(f"{call.arguments} stream")
    if isinstance(values, Failure):
        return values
    made = called(rewriter, call.function, values, call.result)
    rewriter.replace(op, [*made.results, values[-1]])
    return None


# ---- matrices of which two elements of four are zero


def is_halved(matrix: Value) -> bool | None:
    """Whether a matrix is one of which two elements of four are zero; None where nothing says it."""
    if isinstance(matrix.defining_op, ops.Create2to4SpmatOp):
        return True
    return False if _OTHERWISE.defining(matrix) is not None else None


def _meets_halved(tensor: Value) -> bool:
    """Whether a dense matrix is multiplied with such a one."""
    return any(isinstance(user, ops.SpmmOp) and is_halved(user.spmatA) for user in tensor.uses)


_NOWHERE: Final = Failure("nothing says what kind of sparse matrix it is")


def _room(rewriter: ConversionRewriter, types: LLVMTypeConverter, size: int) -> Value:
    """Memory for a descriptor of the library."""
    count = emit.index_constant(rewriter, types.index, size)
    pointer = emit.alloca(rewriter, I8, count, alignment=i64_attr(16))
    return emit.cast(rewriter, "llvm.bitcast", pointer, PTR)


@named("ConvertCreateDnTensorOpToGpuRuntimeCallPattern")
def create_dense(
    op: ops.CreateDnTensorOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A dense vector or matrix; one that meets a halved one is of the other library."""
    stream, rank = stream_of(op, operands), len(op.dims)
    if isinstance(stream, Failure):
        return stream
    if rank not in (1, 2):
        return Failure("Only 1D and 2D tensors are supported")
    made = _Arguments(op, operands, rewriter, types).made("*memref d:memref dims#0" + " dims#1" * (rank == 2))
    if isinstance(made, Failure):
        return made
    pointer, number, *dims = made
    arguments = [*dims, pointer, number, stream]
    if rank == 2 and _meets_halved(op.dnTensor):
        handle = _room(rewriter, types, _MATRIX_BYTES)
        called(rewriter, "mgpuCreateCuSparseLtDnMat", [handle, *arguments])
    else:
        handle = called(rewriter, "mgpuCreateDnMat" if rank == 2 else "mgpuCreateDnVec", arguments, PTR).result
    rewriter.replace(op, [handle, stream])
    return None


@named("ConvertDestroyDnTensorOpToGpuRuntimeCallPattern")
def destroy_dense(
    op: ops.DestroyDnTensorOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """As it was made."""
    stream, maker = stream_of(op, operands), op.dnTensor.defining_op
    if isinstance(stream, Failure):
        return stream
    if not isinstance(maker, ops.CreateDnTensorOp):
        return Failure("nothing says what kind of tensor it is")
    if len(maker.dims) != 2:
        kind = "DnVec"
    else:
        kind = "CuSparseLtDnMat" if _meets_halved(op.dnTensor) else "DnMat"
    return _call(Call(f"mgpuDestroy{kind}", "dnTensor"), op, operands, rewriter, types)


@named("ConvertCreate2To4SpMatOpToGpuRuntimeCallPattern")
def create_halved(
    op: ops.Create2to4SpmatOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A halved matrix."""
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    made = _Arguments(op, operands, rewriter, types).made("*memref d:memref rows cols")
    if isinstance(made, Failure):
        return made
    pointer, number, rows, columns = made
    handle = _room(rewriter, types, _HALVED_BYTES)
    called(rewriter, "mgpuCusparseLtCreate2To4SpMat", [handle, rows, columns, pointer, number, stream])
    rewriter.replace(op, [handle, stream])
    return None


@named("ConvertDestroySpMatOpToGpuRuntimeCallPattern")
def destroy_sparse(
    op: ops.DestroySpMatOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """As it was made."""
    stream, halved = stream_of(op, operands), is_halved(op.spmat)
    if isinstance(stream, Failure):
        return stream
    if halved is None:
        return _NOWHERE
    kind = "CuSparseLtSpMat" if halved else "SpMat"
    return _call(Call(f"mgpuDestroy{kind}", "spmat"), op, operands, rewriter, types)


_PRODUCT: Final = "modeA modeB spmatA dnmatB dnmatC type"


@named("ConvertSpMMBufferSizeOpToGpuRuntimeCallPattern")
def product_size(
    op: ops.SpmmBufferSizeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """How much memory a product needs; one with a halved matrix needs three pieces."""
    stream, halved = stream_of(op, operands), is_halved(op.spmatA)
    if isinstance(stream, Failure):
        return stream
    if halved is None:
        return _NOWHERE
    if not halved:
        return _call(Call("mgpuSpMMBufferSize", _PRODUCT, I64), op, operands, rewriter, types)
    matrix = op.spmatA.defining_op
    assert isinstance(matrix, ops.Create2to4SpmatOp), "it is a halved one"
    arguments = _Arguments(op, operands, rewriter, types)
    modes = arguments.made("modeA modeB")
    pruning = arguments.number(number_of(matrix.pruneFlag))
    type = arguments.number(_HALVES.get(op.computeType.type))
    matrices = arguments.made("spmatA dnmatB dnmatC")
    if isinstance(modes, Failure) or isinstance(pruning, Failure) or isinstance(matrices, Failure):
        return _UNKNOWN
    if isinstance(type, Failure):
        return type
    sizes = emit.alloca(rewriter, PTR, emit.index_constant(rewriter, types.index, 3), alignment=i64_attr(16))
    called(rewriter, "mgpuCuSparseLtSpMMBufferSize", [sizes, *modes, *matrices, type, pruning, stream])
    places = [sizes, *(_place(rewriter, types, sizes, number) for number in (1, 2))]
    rewriter.replace(op, [*(emit.load(rewriter, I64, place) for place in places), stream])
    return None


def _place(rewriter: ConversionRewriter, types: LLVMTypeConverter, pointer: Value, number: int) -> Value:
    return emit.gep(rewriter, pointer, PTR, emit.index_constant(rewriter, types.index, number))


@named("ConvertSpMMOpToGpuRuntimeCallPattern")
def product(
    op: ops.SpmmOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A product of a sparse and a dense matrix."""
    stream, halved = stream_of(op, operands), is_halved(op.spmatA)
    if isinstance(stream, Failure):
        return stream
    if halved is None:
        return _NOWHERE
    if not halved:
        return _call(Call("mgpuSpMM", f"{_PRODUCT} *buffers"), op, operands, rewriter, types)
    arguments = _Arguments(op, operands, rewriter, types)
    unused, matrices = arguments.made("modeA modeB type"), arguments.made("spmatA dnmatB dnmatC")
    if isinstance(unused, Failure) or isinstance(matrices, Failure):
        return _UNKNOWN
    buffers = [allocated(rewriter, buffer) for buffer in groups(op, operands)["buffers"]]
    if len(buffers) < 3:
        return Failure("a product with a matrix of which two elements of four are zero needs three buffers")
    called(rewriter, "mgpuCuSparseLtSpMM", [*matrices, *buffers[:3], stream])
    rewriter.replace(op, [stream])
    return None


@named("ConvertSpMatGetSizeOpToGpuRuntimeCallPattern")
def sizes_of_sparse(
    op: ops.SpmatGetSizeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Rows, columns and elements that are not zero, which the library writes to memory."""
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    buffer = emit.alloca(rewriter, I64, emit.index_constant(rewriter, types.index, 3), alignment=i64_attr(16))
    places = [_place(rewriter, types, buffer, number) for number in range(3)]
    called(rewriter, "mgpuSpMatGetSize", [operands[-1], *places, stream])
    rewriter.replace(op, [*(emit.load(rewriter, I64, place) for place in places), stream])
    return None


_GENERAL: Final = "desc modeA modeB spmatA spmatB spmatC type"
_STEPS: Final = {"WORK_ESTIMATION": "mgpuSpGEMMWorkEstimation", "COMPUTE": "mgpuSpGEMMCompute"}


@named("ConvertSpGEMMWorkEstimationOrComputeOpToGpuRuntimeCallPattern")
def general_step(
    op: ops.SpgemmWorkEstimationOrComputeOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """A step of a product of two sparse matrices."""
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    call = Call(_STEPS[word_of(op.kind)], f"{_GENERAL} bufferSz *buffer", I64, "type modeA modeB *buffer")
    return _call(call, op, operands, rewriter, types)


_CALLS: Final[Mapping[str, tuple[str, Call]]] = {
    "create_coo": (
        "CreateCooOp",
        Call("mgpuCreateCoo", "rows cols nnz *rowIdxs *colIdxs *values i:colIdxs d:values", PTR),
    ),
    "create_coo_aos": ("CreateCooAoSOp", Call("mgpuCreateCooAoS", "rows cols nnz *idxs *values i:idxs d:values", PTR)),
    "create_csr": (
        "CreateCsrOp",
        Call("mgpuCreateCsr", "rows cols nnz *rowPos *colIdxs *values i:rowPos i:colIdxs d:values", PTR),
    ),
    "create_csc": (
        "CreateCscOp",
        Call("mgpuCreateCsc", "rows cols nnz *colPos *rowIdxs *values i:colPos i:rowIdxs d:values", PTR),
    ),
    "create_bsr": (
        "CreateBsrOp",
        Call(
            "mgpuCreateBsr",
            "brows bcols bnnz rBlockSize cBlockSize *bRowPos *bColIdxs *values i:bRowPos i:bColIdxs d:values",
            PTR,
        ),
    ),
    "spmv_buffer_size": ("SpMVBufferSizeOp", Call("mgpuSpMVBufferSize", "modeA spmatA dnX dnY type", I64)),
    "spmv": ("SpMVOp", Call("mgpuSpMV", "modeA spmatA dnX dnY type *buffer")),
    "sddmm_buffer_size": (
        "SDDMMBufferSizeOp",
        Call("mgpuSDDMMBufferSize", "modeA modeB dnmatA dnmatB spmatC type", I64),
    ),
    "sddmm": ("SDDMMOp", Call("mgpuSDDMM", "modeA modeB dnmatA dnmatB spmatC type *buffer", first="type")),
    "spgemm_create_descr": ("SpGEMMCreateDescrOp", Call("mgpuSpGEMMCreateDescr", "", PTR)),
    "spgemm_destroy_descr": ("SpGEMMDestroyDescrOp", Call("mgpuSpGEMMDestroyDescr", "desc")),
    "spgemm_copy": ("SpGEMMCopyOp", Call("mgpuSpGEMMCopy", _GENERAL, first="type")),
    "set_csr_pointers": ("SetCsrPointersOp", Call("mgpuSetCsrPointers", "spmat *positions *coordinates *values")),
}
SPARSE: Final[Mapping[str, Lower]] = {
    **{f"gpu.{name}": _calls(call, f"Convert{op}ToGpuRuntimeCallPattern") for name, (op, call) in _CALLS.items()},
    "gpu.create_dn_tensor": create_dense,
    "gpu.destroy_dn_tensor": destroy_dense,
    "gpu.create_2to4_spmat": create_halved,
    "gpu.destroy_sp_mat": destroy_sparse,
    "gpu.spmm_buffer_size": product_size,
    "gpu.spmm": product,
    "gpu.spmat_get_size": sizes_of_sparse,
    "gpu.spgemm_work_estimation_or_compute": general_step,
}
