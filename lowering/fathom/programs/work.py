"""How much a call of a function computes and moves: counted while it runs, in a copy of the program that counts.

At the beginning of each block of LLVM IR stands a call with the operations on floats, and the bytes that are loaded
and stored, in that block. They are those of the program as it was lowered: what the optimiser does away with is in
them, and what caches keep from memory too.

    fadd, fsub, fmul, fdiv, frem, and functions such as llvm.sqrt    1 for each lane
    llvm.fma, llvm.fmuladd                                           2 for each lane
    llvm.vector.reduce.fadd, .fmul                                   1 for each lane
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.llvmir.instructions import (
    AllocaInst,
    BinaryOperator,
    CallInst,
    GetElementPtrInst,
    Instruction,
    LandingPadInst,
    LoadInst,
    PHINode,
    StoreInst,
)
from fathom.llvmir.module import Function
from fathom.llvmir.reader import read
from fathom.llvmir.types import (
    FLOAT_BITS,
    I64,
    PTR,
    VOID,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from fathom.llvmir.values import ConstantInt
from fathom.llvmir.writer import write
from fathom.records import record

if TYPE_CHECKING:
    from fathom.llvmir.instructions import BasicBlock
    from fathom.llvmir.values import Value

WORKED: Final = "fathom_worked"
_TYPE: Final = FunctionType(VOID, (I64, I64))
_FLOAT: Final = frozenset("fadd fsub fmul fdiv frem".split())
_FUSED: Final = re.compile(r"llvm\.(?:fma|fmuladd|vp\.fma|vp\.fmuladd)\.")
_OF_FLOATS: Final = re.compile(
    r"llvm\.(?:sqrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|exp10|log|log2|log10|pow|powi)\."
)
_REDUCED: Final = re.compile(r"llvm\.vector\.reduce\.f(?:add|mul)\.")
_MASKED_LOAD: Final = re.compile(r"llvm\.masked\.(?:load|gather|expandload)\.")
_MASKED_STORE: Final = re.compile(r"llvm\.masked\.(?:store|scatter|compressstore)\.")
_COPY: Final = re.compile(r"llvm\.mem(cpy|move|set)\.")


@record
class Work:
    """What one call does."""

    flops: int
    """Operations on floats."""
    bytes: int
    """Bytes that are loaded and stored."""

    def rates(self, seconds: float) -> str:
        """How much that is in a second."""
        told = ((self.flops, "FLOP/s"), (self.bytes, "B/s loaded and stored"))
        return ", ".join(f"{_scaled(count / seconds)}{unit}" for count, unit in told if count)


def counting(text: str) -> str:
    """LLVM IR that counts what it does, by calls of `fathom_worked(flops, bytes)`."""
    module = read(text)
    worked = Function(PTR, WORKED, _TYPE)
    for function in module.functions:
        for block in function.blocks:
            _count(block, worked)
    module.functions.append(worked)
    return write(module)


def _count(block: BasicBlock, worked: Function) -> None:
    flops = sum(map(_flops, block.instructions))
    moved = sum(map(_moved, block.instructions))
    first = next(
        place for place, each in enumerate(block.instructions) if not isinstance(each, (PHINode, LandingPadInst))
    )
    copies = [(place, each) for place, each in enumerate(block.instructions) if _COPY.match(_called(each))]
    for place, copy in reversed(copies):
        times = 1 if "memset" in _called(copy) else 2
        if copy.operands[2].type == I64:
            block.instructions[place:place] = [_call(worked, ConstantInt(I64, 0), copy.operands[2])] * times
    if flops or moved:
        block.instructions.insert(first, _call(worked, ConstantInt(I64, flops), ConstantInt(I64, moved)))


def _call(worked: Function, flops: Value, moved: Value) -> CallInst:
    return CallInst(VOID, [flops, moved], called=worked, function_type=_TYPE)


def _called(instruction: Instruction) -> str:
    """The name of the function that an instruction calls; empty if it calls none."""
    called = instruction.called if isinstance(instruction, CallInst) else None
    return called.name if isinstance(called, Function) else ""


def _flops(instruction: Instruction) -> int:
    if isinstance(instruction, BinaryOperator):
        return _lanes(instruction.type) if instruction.opcode in _FLOAT else 0
    name = _called(instruction)
    if _FUSED.match(name):
        return 2 * _lanes(instruction.type)
    if _REDUCED.match(name):
        return _lanes(instruction.operands[1].type)
    return _lanes(instruction.type) if _OF_FLOATS.match(name) else 0


def _moved(instruction: Instruction) -> int:
    """The bytes that an instruction loads or stores, but for those of the function's frame."""
    if isinstance(instruction, LoadInst):
        return 0 if _is_of_frame(instruction.operands[0]) else _size(instruction.type)
    if isinstance(instruction, StoreInst):
        return 0 if _is_of_frame(instruction.operands[1]) else _size(instruction.operands[0].type)
    name = _called(instruction)
    if _MASKED_LOAD.match(name):
        return _size(instruction.type)
    return _size(instruction.operands[0].type) if _MASKED_STORE.match(name) else 0


def _is_of_frame(pointer: Value) -> bool:
    """Whether a pointer leads to memory of the function's frame, as the sizes of a memref that are looked up do."""
    while isinstance(pointer, GetElementPtrInst):
        pointer = pointer.operands[0]
    return isinstance(pointer, AllocaInst)


def _lanes(type: Type) -> int:
    return type.count if isinstance(type, VectorType) else 1


def _size(type: Type) -> int:
    """The bytes of a value, without what is between its parts."""
    match type:
        case IntegerType(bits):
            return (bits + 7) // 8
        case PointerType():
            return 8
        case VectorType(IntegerType(bits), count):
            return (bits * count + 7) // 8
        case VectorType(element, count) | ArrayType(element, count):
            return count * _size(element)
        case StructType(elements):
            return sum(map(_size, elements))
        case IdentifiedStructType(body=StructType() as body):
            return _size(body)
        case _:
            return FLOAT_BITS.get(type, 0) // 8


def _scaled(number: float) -> str:
    """A number with three digits and the letter of its magnitude."""
    for letter in ("", "k", "M", "G", "T"):
        if number < 1000 or letter == "T":
            return f"{number:.3g} {letter}"
        number /= 1000
    return ""
