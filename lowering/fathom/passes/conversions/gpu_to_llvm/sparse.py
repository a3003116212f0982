"""Sparse matrices and products with them, by a library: cuSPARSE, and cuSPARSELt for those of which two elements of
four are zero.

What each operation calls is a row: the function, and the arguments in order. An argument is an operand by its name;
`*buffer` is the pointer that a memref was allocated at; `i:idxs` and `d:values` are the numbers by which the library
knows the types of their elements, `type` the one of what is computed with, and `modeA` whether a matrix is transposed.
`room:44104` is memory of so many bytes, for what the library knows of a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.dialects.llvm.types import PTR, VOID
from fathom.ir.attributes import TypeAttr, i64_attr
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
_MATRIX_ROOM: Final = "room:11032"
_HALVED_ROOM: Final = "room:44104"
_UNKNOWN: Final = Failure("the library does not compute with elements of this type")
_TOO_FEW: Final = Failure("the library needs a buffer for it that is not there")
_OTHERWISE: Final = Operations(
    "gpu.create_coo", "gpu.create_coo_aos", "gpu.create_csr", "gpu.create_csc", "gpu.create_bsr"
)


@record
class Call:
    """What an operation calls; `first` are those of the arguments that are made before the others, and `gives` the one
    that is a result of the operation, where the call has none."""

    function: str
    arguments: str
    result: Type = VOID
    first: str = ""
    gives: str = ""


class _Arguments:
    """The arguments of a call, each made once."""

    def __init__(
        self,
        op: Operation,
        operands: Sequence[Value],
        stream: Value,
        rewriter: ConversionRewriter,
        types: LLVMTypeConverter,
    ) -> None:
        self._op = op
        self._index = types.index
        self._given = groups(op, operands)
        self._made: dict[str, Value] = {}
        self.rewriter = rewriter
        self.stream = stream

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
        if kind == "room":
            return emit.cast(self.rewriter, "llvm.bitcast", self.room(I8, int(of)), PTR)
        if kind:
            return self.number(_number(kind, _element(self._op, of)))
        if name == "type":
            attribute = self._op.properties["computeType"]
            return self.number(_number("d", attribute.type if isinstance(attribute, TypeAttr) else I64))
        if name.startswith("mode"):
            return self.number(number_of(self._op.properties[name]))
        operand, _, place = name.removeprefix("*").partition("#")
        given = self._given[operand][int(place or 0) :]
        if not given:
            return _TOO_FEW
        return allocated(self.rewriter, given[0]) if name.startswith("*") else given[0]

    def number(self, number: int | None) -> Value | Failure:
        return _UNKNOWN if number is None else emit.i32(self.rewriter, number)

    def room(self, element: Type, count: int) -> Value:
        """Memory on the stack."""
        number = emit.index_constant(self.rewriter, self._index, count)
        return emit.alloca(self.rewriter, element, number, alignment=i64_attr(16))

    def place(self, pointer: Value, number: int) -> Value:
        """Where a number of 64 bits stands behind a pointer."""
        return emit.gep(self.rewriter, pointer, PTR, emit.index_constant(self.rewriter, self._index, number))


def _element(op: Operation, name: str) -> Type:
    type = op.one_of(name).type
    return type.element if isinstance(type, MemRefType) else type


def _number(kind: str, type: Type) -> int | None:
    if kind == "i":
        return _INDICES.get(type, _INDEX_OF_64)
    return _COMPLEX.get(type.element) if isinstance(type, ComplexType) else _DATA.get(type)


Results: TypeAlias = "list[Value] | Failure"
"""What takes the place of an operation's results but for its token."""


def _on_stream(pattern: str) -> Callable[[Callable[[Any, _Arguments], Results]], Lower]:
    """The lowering of an asynchronous operation: its results are what a function makes, and its token is the stream."""

    def of(make: Callable[[Any, _Arguments], Results]) -> Lower:
        @named(pattern)
        def lower(
            op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
        ) -> Failure | None:
            stream = stream_of(op, operands)
            if isinstance(stream, Failure):
                return stream
            results = make(op, _Arguments(op, operands, stream, rewriter, types))
            if isinstance(results, Failure):
                return results
            rewriter.replace(op, [*results, stream])
            return None

        return lower

    return of


def _call(call: Call, arguments: _Arguments) -> Results:
    """Makes a call, and gives its result."""
    if isinstance(first := arguments.made(call.first), Failure):
        return first
    # Pointers and numbers are made before what needs them, in the order in which they are passed.
    values = arguments.made(call.arguments)
    if isinstance(values, Failure):
        return values
    made = called(arguments.rewriter, call.function, [*values, arguments.stream], call.result)
    return arguments.made(call.gives) if call.gives else [*made.results]


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


@_on_stream("ConvertCreateDnTensorOpToGpuRuntimeCallPattern")
def create_dense(op: ops.CreateDnTensorOp, arguments: _Arguments) -> Results:
    """A dense vector or matrix; one that meets a halved one is of the other library."""
    rank, data = len(op.dims), "*memref d:memref"
    if rank not in (1, 2):
        return Failure("Only 1D and 2D tensors are supported")
    if rank == 1:
        call = Call("mgpuCreateDnVec", f"dims {data}", PTR, data)
    elif _meets_halved(op.dnTensor):
        call = Call("mgpuCreateCuSparseLtDnMat", f"{_MATRIX_ROOM} dims dims#1 {data}", first=data, gives=_MATRIX_ROOM)
    else:
        call = Call("mgpuCreateDnMat", f"dims dims#1 {data}", PTR, data)
    return _call(call, arguments)


@_on_stream("ConvertDestroyDnTensorOpToGpuRuntimeCallPattern")
def destroy_dense(op: ops.DestroyDnTensorOp, arguments: _Arguments) -> Results:
    """As it was made."""
    maker = op.dnTensor.defining_op
    if not isinstance(maker, ops.CreateDnTensorOp):
        return Failure("nothing says what kind of tensor it is")
    if len(maker.dims) != 2:
        kind = "DnVec"
    else:
        kind = "CuSparseLtDnMat" if _meets_halved(op.dnTensor) else "DnMat"
    return _call(Call(f"mgpuDestroy{kind}", "dnTensor"), arguments)


@_on_stream("ConvertDestroySpMatOpToGpuRuntimeCallPattern")
def destroy_sparse(op: ops.DestroySpMatOp, arguments: _Arguments) -> Results:
    """As it was made."""
    halved = is_halved(op.spmat)
    if halved is None:
        return _NOWHERE
    kind = "CuSparseLtSpMat" if halved else "SpMat"
    return _call(Call(f"mgpuDestroy{kind}", "spmat"), arguments)


_PRODUCT: Final = "modeA modeB spmatA dnmatB dnmatC type"


@_on_stream("ConvertSpMMBufferSizeOpToGpuRuntimeCallPattern")
def product_size(op: ops.SpmmBufferSizeOp, arguments: _Arguments) -> Results:
    """How much memory a product needs; one with a halved matrix needs three pieces."""
    halved, rewriter = is_halved(op.spmatA), arguments.rewriter
    if halved is None:
        return _NOWHERE
    if not halved:
        return _call(Call("mgpuSpMMBufferSize", _PRODUCT, I64), arguments)
    matrix = op.spmatA.defining_op
    assert isinstance(matrix, ops.Create2to4SpmatOp), "it is a halved one"
    modes = arguments.made("modeA modeB")
    pruning = arguments.number(number_of(matrix.pruneFlag))
    type = arguments.number(_HALVES.get(op.computeType.type))
    matrices = arguments.made("spmatA dnmatB dnmatC")
    if isinstance(modes, Failure) or isinstance(pruning, Failure) or isinstance(matrices, Failure):
        return _UNKNOWN
    if isinstance(type, Failure):
        return type
    sizes = arguments.room(PTR, 3)
    passed = [sizes, *modes, *matrices, type, pruning, arguments.stream]
    called(rewriter, "mgpuCuSparseLtSpMMBufferSize", passed)
    places = [sizes, *(arguments.place(sizes, number) for number in (1, 2))]
    return [emit.load(rewriter, I64, place) for place in places]


@_on_stream("ConvertSpMMOpToGpuRuntimeCallPattern")
def product(op: ops.SpmmOp, arguments: _Arguments) -> Results:
    """A product of a sparse and a dense matrix."""
    halved = is_halved(op.spmatA)
    if halved is None:
        return _NOWHERE
    if not halved:
        return _call(Call("mgpuSpMM", f"{_PRODUCT} *buffers"), arguments)
    unused = arguments.made("modeA modeB type")
    if isinstance(unused, Failure):
        return unused
    buffers = [f"*buffers#{place}" for place in range(len(op.buffers))]
    if len(buffers) < 3:
        return Failure("a product with a matrix of which two elements of four are zero needs three buffers")
    passed = " ".join(["spmatA", "dnmatB", "dnmatC", *buffers[:3]])
    return _call(Call("mgpuCuSparseLtSpMM", passed, first=" ".join(buffers)), arguments)


@_on_stream("ConvertSpMatGetSizeOpToGpuRuntimeCallPattern")
def sizes_of_sparse(op: ops.SpmatGetSizeOp, arguments: _Arguments) -> Results:
    """Rows, columns and elements that are not zero, which the library writes to memory."""
    matrix, rewriter = arguments.made("spmat"), arguments.rewriter
    if isinstance(matrix, Failure):
        return matrix
    buffer = arguments.room(I64, 3)
    places = [arguments.place(buffer, number) for number in range(3)]
    called(rewriter, "mgpuSpMatGetSize", [*matrix, *places, arguments.stream])
    return [emit.load(rewriter, I64, place) for place in places]


_GENERAL: Final = "desc modeA modeB spmatA spmatB spmatC type"
_STEPS: Final = {"WORK_ESTIMATION": "mgpuSpGEMMWorkEstimation", "COMPUTE": "mgpuSpGEMMCompute"}


@_on_stream("ConvertSpGEMMWorkEstimationOrComputeOpToGpuRuntimeCallPattern")
def general_step(op: ops.SpgemmWorkEstimationOrComputeOp, arguments: _Arguments) -> Results:
    """A step of a product of two sparse matrices."""
    call = Call(_STEPS[word_of(op.kind)], f"{_GENERAL} bufferSz *buffer", I64, "type modeA modeB *buffer")
    return _call(call, arguments)


def _calls(call: Call, pattern: str) -> Lower:
    return _on_stream(pattern)(lambda op, arguments: _call(call, arguments))


_CALLS: Final[Mapping[str, tuple[str, Call]]] = {
    "create_2to4_spmat": (
        "Create2To4SpMatOp",
        Call(
            "mgpuCusparseLtCreate2To4SpMat",
            f"{_HALVED_ROOM} rows cols *memref d:memref",
            first="*memref d:memref",
            gives=_HALVED_ROOM,
        ),
    ),
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
    "gpu.destroy_sp_mat": destroy_sparse,
    "gpu.spmm_buffer_size": product_size,
    "gpu.spmm": product,
    "gpu.spmat_get_size": sizes_of_sparse,
    "gpu.spgemm_work_estimation_or_compute": general_step,
}
