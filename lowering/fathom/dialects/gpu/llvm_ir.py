"""What binaries and their launches are in LLVM IR: calls of the runtime library for GPUs.

Source of the rules: *'gpu' Dialect*, "Offloading Attributes", and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import struct_of
from fathom.ir.attributes import DictAttr, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.interfaces import symbol_name
from fathom.llvmir.instructions import (
    AllocaInst,
    BasicBlock,
    CallInst,
    GetElementPtrInst,
    LoadInst,
    ReturnInst,
    StoreInst,
)
from fathom.llvmir.module import Function, GlobalVariable
from fathom.llvmir.types import (
    I8,
    I32,
    I64,
    PTR,
    VOID,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    StructType,
)
from fathom.llvmir.values import ConstantInt, ConstantPointerNull, ConstantString, Value
from fathom.rewriting.llvm_exports import Builder, builds
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import gpu as ops

_ASSEMBLY: Final = 2
"""The format of objects that are assembly, which is compiled when it is loaded."""
_PRIORITY: Final = 123
"""When modules are loaded and unloaded, among constructors and destructors."""
_POINTER_BYTES: Final = 8
_NULL: Final = ConstantPointerNull(PTR)


def _of_module(name: str) -> str:
    """The name of the variable in which the loaded module is kept."""
    return f"{name}_module"


@builds("gpu.binary")
def _binary(op: ops.BinaryOp, build: Builder) -> None:
    """The object as a string, a variable for the loaded module, a constructor that loads and a destructor."""
    name = symbol_name(op)
    chosen = _selected(op, build)
    is_assembly = chosen.parameter("format") == _ASSEMBLY
    data = chosen.parameter("object")
    text = (utf8(data.value) if isinstance(data, StringAttr) else b"") + b"\0" * is_assembly
    type = ArrayType(I8, len(text))
    binary = GlobalVariable(PTR, f"{name}_binary", type, ConstantString(type, text), linkage="internal", alignment=8)
    binary.is_constant = True
    level = 0
    properties = chosen.parameter("properties")
    if isinstance(properties, DictAttr):
        section, said = properties.get("section"), properties.get("O")
        binary.section = section.value if isinstance(section, StringAttr) else ""
        level = said.value if isinstance(said, IntegerAttr) else 0
    build.variable(binary)
    module = build.variable(GlobalVariable(PTR, _of_module(name), PTR, _NULL, linkage="internal"))
    load, block = _procedure(f"{name}_load")
    build.define(load)
    if is_assembly:
        loader = build.function("mgpuModuleLoadJIT", FunctionType(PTR, (PTR, I32)))
        loaded = _call(loader, binary, ConstantInt(I32, level))
    else:
        loader = build.function("mgpuModuleLoad", FunctionType(PTR, (PTR, I64)))
        loaded = _call(loader, binary, ConstantInt(I64, len(text)))
    store = StoreInst(VOID, [loaded, module], _POINTER_BYTES)
    block.instructions += (loaded, store, ReturnInst(VOID, []))
    build.constructor("ctors", load, _PRIORITY)
    unload, block = _procedure(f"{name}_unload")
    build.define(unload)
    unloader = build.function("mgpuModuleUnload", FunctionType(VOID, (PTR,)))
    known = LoadInst(PTR, [module], _POINTER_BYTES)
    block.instructions += (known, _call(unloader, known), ReturnInst(VOID, []))
    build.constructor("dtors", unload, _PRIORITY)


def _procedure(name: str) -> tuple[Function, BasicBlock]:
    """A function without arguments, and its only block."""
    block = BasicBlock("entry")
    type = FunctionType(VOID)
    return Function(PTR, name, type, blocks=[block], linkage="internal", section=".text.startup"), block


def _call(function: Function, *arguments: Value) -> CallInst:
    return CallInst(function.value_type.result, [*arguments], function, function.value_type)


def _selected(op: ops.BinaryOp, build: Builder) -> DialectAttr:
    """The object that is used of several: the first, that of a number, or the last one for a target."""
    objects = [each for each in op.objects.elements if isinstance(each, DialectAttr)]
    handler = op.offloadingHandler
    target = handler.parameters[0] if isinstance(handler, DialectAttr) and handler.parameters else None
    index = 0
    if isinstance(target, IntegerAttr):
        index = target.value
    elif target is not None:
        index = max((at for at, each in enumerate(objects) if each.parameter("target") == target), default=-1)
    if not 0 <= index < len(objects):
        raise build.refuse("the requested target object couldn't be found")
    return objects[index]


@builds("gpu.launch_func")
def _launch(op: ops.LaunchFuncOp, build: Builder) -> None:
    """The kernel is looked up in its module, and launched with pointers to its arguments."""
    grid, block = _sizes(op, build, "gridSize"), _sizes(op, build, "blockSize")
    shared = op.dynamicSharedMemorySize
    memory = build.value(shared) if shared is not None else ConstantInt(I32, 0)
    arguments = _arguments(op, build)
    name = op.kernel.root
    variable = build.symbol(_of_module(name))
    if variable is None:
        raise build.refuse(f"Couldn't find the binary: {_of_module(name)}")
    module = build.add(LoadInst(PTR, [variable], _POINTER_BYTES))
    kernel = build.call(
        build.function("mgpuModuleGetFunction", FunctionType(PTR, (PTR, PTR))),
        [module, _name_of(op.kernel.nested[-1], f"{name}_{op.kernel.nested[-1]}_name", build)],
    )
    is_own = op.asyncObject is None
    stream = (
        build.value(op.asyncObject)
        if op.asyncObject is not None
        else build.call(build.function("mgpuStreamCreate", FunctionType(PTR)), [])
    )
    if op.clusterSizeX is not None:
        sizes = [*_sizes(op, build, "clusterSize"), *grid, *block]
        _start(build, "mgpuLaunchClusterKernel", [kernel, *sizes, memory, stream, arguments, _NULL])
    else:
        count = ConstantInt(I64, len(op.kernelOperands))
        _start(build, "mgpuLaunchKernel", [kernel, *grid, *block, memory, stream, arguments, _NULL, count])
    if is_own:
        for end in ("mgpuStreamSynchronize", "mgpuStreamDestroy"):
            build.call(build.function(end, FunctionType(VOID, (PTR,))), [stream])


def _sizes(op: Operation, build: Builder, name: str) -> list[Value]:
    return [build.value(op.one_of(f"{name}{axis}")) for axis in "XYZ"]


def _start(build: Builder, name: str, arguments: list[Value]) -> None:
    build.call(build.function(name, _STARTS[name]), arguments)


_STARTS: Final = {
    "mgpuLaunchKernel": FunctionType(VOID, (PTR, *(I64,) * 6, I32, PTR, PTR, PTR, I64)),
    "mgpuLaunchClusterKernel": FunctionType(VOID, (PTR, *(I64,) * 9, I32, PTR, PTR, PTR)),
}
"""What launches take: sizes, shared memory, the stream, the arguments."""


def _arguments(op: ops.LaunchFuncOp, build: Builder) -> Value:
    """An array of pointers to the fields of a struct, in which the arguments lie."""
    values = [build.value(operand) for operand in op.kernelOperands]
    struct = IdentifiedStructType("", StructType(tuple(value.type for value in values)))
    alignment = build.alignment(struct_of(*(operand.type for operand in op.kernelOperands)), preferred=True)
    fields = build.add(AllocaInst(PTR, [ConstantInt(I32, 1)], struct, alignment))
    array = build.add(AllocaInst(PTR, [ConstantInt(I64, len(values))], PTR, _POINTER_BYTES))
    for number, (operand, value) in enumerate(zip(op.kernelOperands, values, strict=True)):
        index = ConstantInt(I32, number)
        place = GetElementPtrInst(PTR, [fields, ConstantInt(I32, 0), index], struct, ("inbounds", "nusw", "nuw"))
        field = build.add(place)
        build.add(StoreInst(VOID, [value, field], build.alignment(operand.type)))
        entry = build.add(GetElementPtrInst(PTR, [array, index], PTR))
        build.add(StoreInst(VOID, [field, entry], _POINTER_BYTES))
    return array


def _name_of(kernel: str, name: str, build: Builder) -> Value:
    """The name of a kernel as a string, which is there once."""
    known = build.symbol(name)
    if known is not None:
        return known
    text = utf8(kernel) + b"\0"
    type = ArrayType(I8, len(text))
    made = GlobalVariable(PTR, name, type, ConstantString(type, text), linkage="private", alignment=1)
    made.is_constant, made.unnamed_addr = True, "unnamed_addr"
    return build.variable(made)
