"""What operations on data are in LLVM IR: calls of the runtime library of OpenMP, which has OpenACC's needs too.

    acc.data dataOperands(%0 : !llvm.ptr) { … }
->
      call void @__tgt_target_data_begin_mapper(…, ptr %.offload_baseptrs, ptr %.offload_ptrs, ptr %.offload_sizes, …)
      br label %acc.data
    acc.data:
      …
      br label %acc.end_data
    acc.end_data:
      call void @__tgt_target_data_end_mapper(…)

Source of the rules: *OpenACC Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from fathom.ir.locations import FileLineColLoc, NameLoc, UnknownLoc
from fathom.ir.operation import OpResult
from fathom.ir.types import I64 as MLIR_I64
from fathom.ir.types import Type as MLIRType
from fathom.llvmir import attributes as llvm
from fathom.llvmir.constants import aggregate
from fathom.llvmir.instructions import AllocaInst, CallInst, GetElementPtrInst, StoreInst
from fathom.llvmir.module import GlobalVariable
from fathom.llvmir.types import I8, I32, I64, PTR, VOID, ArrayType, FunctionType, IdentifiedStructType, StructType
from fathom.llvmir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpr,
    ConstantInt,
    ConstantPointerNull,
    ConstantString,
    Value,
)
from fathom.ops import acc as ops
from fathom.rewriting.llvm_exports import Builder, builds
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ir import operation as mlir
    from fathom.ir.attributes import Attribute

Mapped: TypeAlias = "Sequence[tuple[int, Sequence[mlir.Value]]]"
"""Variables, by how they are mapped: flags of the runtime library."""

_CREATE, _TO, _FROM, _DELETE, _PRESENT = 0x000, 0x001, 0x002, 0x008, 0x1000
_HOLD: Final = 0x2000
"""The runtime library counts data regions by themselves."""
_ANY_DEVICE: Final = ConstantInt(I64, -1)
_BY_COMPILER: Final = 2
"""What a place in the source is marked with that a compiler made."""
_IDENT: Final = IdentifiedStructType("struct.ident_t", StructType((I32, I32, I32, I32, PTR)))
_NULL: Final = ConstantPointerNull(PTR)
_ZERO, _ONE = ConstantInt(I32, 0), ConstantInt(I32, 1)
_SIZE: Final = ConstantExpr(I64, "ptrtoint", (ConstantExpr(PTR, "getelementptr", (_NULL, _ONE), source_type=PTR),))
"""How large what is mapped is: that of a pointer, since nothing else is known of it."""
_MAPPER: Final = FunctionType(VOID, (PTR, I64, I32, PTR, PTR, PTR, PTR, PTR, PTR))
_NO_UNWIND: Final = llvm.AttributeList(llvm.attribute_set((llvm.Attribute("nounwind"),)))


@builds(
    "acc.create",
    "acc.copyin",
    "acc.copyout",
    "acc.delete",
    "acc.update_device",
    "acc.getdeviceptr",
)
def _said_elsewhere(op: mlir.Operation, build: Builder) -> None:
    """What they say, the operation says that takes them."""
    del op, build


@builds("acc.terminator", "acc.yield")
def _leave(op: mlir.Operation, build: Builder) -> None:
    del op
    build.leave()


@builds("acc.enter_data")
def _enter(op: ops.EnterDataOp, build: Builder) -> None:
    taken = op.dataClauseOperands
    mapped = [(_CREATE, _variables(taken, ops.CreateOp)), (_TO, _variables(taken, ops.CopyinOp))]
    _Mapping(build, op, taken, mapped).call("begin")


@builds("acc.exit_data")
def _exit(op: ops.ExitDataOp, build: Builder) -> None:
    taken = op.dataClauseOperands
    mapped = [(_DELETE, _left(taken, ops.DeleteOp)), (_FROM, _left(taken, ops.CopyoutOp))]
    _Mapping(build, op, taken, mapped).call("end")


@builds("acc.update")
def _update(op: ops.UpdateOp, build: Builder) -> None:
    taken = op.dataClauseOperands
    mapped = [(_FROM, _variables(taken, ops.GetdeviceptrOp)), (_TO, _variables(taken, ops.UpdateDeviceOp))]
    _Mapping(build, op, taken, mapped).call("update")


@builds("acc.data")
def _data(op: ops.DataOp, build: Builder) -> None:
    taken = op.dataClauseOperands
    mapping = _Mapping(
        build,
        op,
        taken,
        [
            (_TO | _HOLD, _variables(taken, ops.CopyinOp)),
            (_DELETE, _left(taken, ops.DeleteOp)),
            (_FROM | _HOLD, _left(taken, ops.CopyoutOp)),
            (_CREATE | _HOLD, _variables(taken, ops.CreateOp)),
            (_PRESENT | _HOLD, _variables(taken, ops.PresentOp)),
        ],
    )
    mapping.call("begin")
    build.region(op.region, "acc.data", "acc.end_data")
    mapping.call("end")


def _variables(taken: Sequence[mlir.Value], kind: type[mlir.Operation]) -> list[mlir.Value]:
    """What operations of a class map, of those that are taken."""
    return [value.op.one_of("var") for value in taken if isinstance(value, OpResult) and isinstance(value.op, kind)]


def _left(taken: Sequence[mlir.Value], kind: type[mlir.Operation]) -> list[mlir.Value]:
    """The variables whose place on the device operations of a class are given, of those that are taken."""
    return [
        value.op.var
        for value in taken
        if isinstance(value, OpResult) and isinstance(value.op, ops.GetdeviceptrOp)
        for user in reversed(list(value.uses))
        if isinstance(user, kind)
    ]


class _Mapping:
    """The arguments that the runtime library is called with: lists of pointers, sizes and flags."""

    def __init__(self, build: Builder, op: mlir.Operation, taken: Sequence[mlir.Value], mapped: Mapped) -> None:
        self._build = build
        self._count = len(taken)
        self._place = _place(build, op)
        pointers, sizes = (self._list_of(len(taken), type) for type in (LLVMPointerType(), MLIR_I64))
        self._lists = [pointers(".offload_baseptrs"), pointers(".offload_ptrs"), sizes(".offload_sizes")]
        build.at_entry(self._lists)
        flags: list[Constant] = []
        names: list[Constant] = []
        count = sum(len(variables) for _, variables in mapped)
        for flag, variables in mapped:
            for variable in variables:
                self._store(op, variable, len(flags), count)
                flags.append(ConstantInt(I64, flag))
                names.append(_name(build, variable))
        self._flags = self._constant(".offload_maptypes", aggregate(ArrayType(I64, len(flags)), flags))
        self._flags.unnamed_addr = "unnamed_addr"
        self._names = self._constant(".offload_mapnames", aggregate(ArrayType(PTR, len(names)), names))

    def call(self, when: str) -> None:
        """Calls the runtime library."""
        lists = [self._element(memory, 0, self._count, placed=False) for memory in self._lists]
        mapper = self._build.function(f"__tgt_target_data_{when}_mapper", _MAPPER)
        mapper.attributes = _NO_UNWIND
        count = ConstantInt(I32, self._count)
        arguments = [self._place, _ANY_DEVICE, count, *lists, self._flags, self._names, _NULL]
        self._build.add(CallInst(VOID, arguments, mapper, _MAPPER), placed=False)

    def _list_of(self, count: int, type: MLIRType) -> Callable[[str], AllocaInst]:
        listed = LLVMArrayType(count, type)
        alignment = self._build.alignment(listed, preferred=True)
        return lambda name: AllocaInst(PTR, [_ONE], self._build.type(listed), alignment, name=name)

    def _store(self, op: mlir.Operation, variable: mlir.Value, index: int, count: int) -> None:
        """Puts a variable on the lists."""
        if not isinstance(variable.type, LLVMPointerType):
            message = "Data operand must be legalized before translation.Unsupported type: "
            raise self._build.refuse(f"'{op.name}' op {message}{variable.type}")
        pointer = self._build.value(variable)
        of_pointer, of_size = (self._build.alignment(type) for type in (LLVMPointerType(), MLIR_I64))
        for memory, value, alignment in zip(
            self._lists, (pointer, pointer, _SIZE), (of_pointer, of_pointer, of_size), strict=True
        ):
            self._build.add(StoreInst(VOID, [value, self._element(memory, index, count)], alignment))

    def _element(self, memory: AllocaInst, index: int, count: int, *, placed: bool = True) -> Value:
        listed = memory.allocated_type
        assert isinstance(listed, ArrayType), "lists are arrays"
        type = ArrayType(listed.element, count)
        element = GetElementPtrInst(PTR, [memory, _ZERO, ConstantInt(I32, index)], type, ("inbounds",))
        return self._build.add(element, placed=placed)

    def _constant(self, name: str, value: Constant) -> GlobalVariable:
        variable = GlobalVariable(PTR, name, value.type, value, linkage="private")
        variable.is_constant = True
        return self._build.variable(variable)


# ---- places in the source


def _place(build: Builder, op: mlir.Operation) -> GlobalVariable:
    """Where an operation stands, as the runtime library is told."""
    from fathom.ir.traversal import ancestors
    from fathom.irdl.interfaces import FunctionLike, symbol_name

    function = next((each for each in ancestors(op) if each.interface(FunctionLike) is not None), None)
    text = _described(build.location(op), symbol_name(function) or "" if function is not None else "unknown")
    fields = (0, _BY_COMPILER, 0, len(text) - 1)
    place = ConstantAggregate(_IDENT, (*(ConstantInt(I32, number) for number in fields), _string(build, text)))
    return build.shared(place, 8)


def _name(build: Builder, variable: mlir.Value) -> GlobalVariable:
    """What a variable is called, and where it stands."""
    location = build.location(variable)
    if isinstance(location, NameLoc):
        return _string(build, _described(location.child or UnknownLoc(), location.name))
    return _string(build, _described(location, "unknown"))


def _described(location: Attribute, name: str) -> bytes:
    """Names and numbers between semicolons; a place in no file is written as it is."""
    match location:
        case FileLineColLoc(file, line, column):
            text = f";{file};{name};{line};{column};;"
        case _:
            text = f"{location}"
    return utf8(text) + b"\0"


def _string(build: Builder, text: bytes) -> GlobalVariable:
    return build.shared(ConstantString(ArrayType(I8, len(text)), text), 1)
