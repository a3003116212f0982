"""An operation that is an instruction of PTX, as `llvm.inline_asm`: its text, its registers, its results.

    %0, %1 = nvvm.inline_ptx "foo {$rw0}, {$w0}, {$w1}, {$r0};" ro(%a : i32) rw(%b : f32) -> i32, i32
->
    %s = llvm.inline_asm … "foo $0, $1, $2, $3;", "=f,=r,=r,r,0" %b, %a : (f32, i32) -> !llvm.struct<(f32, i32, i32)>
    (its parts stand for %b, %0 and %1 from then on)

Source of the rules: `BasicPtxBuilderInterface` of MLIR 22.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType, struct_of
from fathom.dialects.nvvm.rules import SHARED
from fathom.ir.types import BF16, F16, F32, F64, I1, I8, I16, I32, I64, FloatType, Type, VectorType
from fathom.ops.llvm import MlirConstantOp
from fathom.passes.to_llvm import emit
from fathom.rewriting.inline_ptx import INLINE_PTX, Ptx, Register
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_KINDS: Final[dict[Type, str]] = {I1: "b", I16: "h", I32: "r", I64: "l", F32: "f", F64: "d"}
_CONSTANT: Final = "n"
_PLACEHOLDER: Final = re.compile(r"\{\$(rw|w|r)([0-9]+)\}")


def lowerings(root: Operation) -> list[Pattern]:
    """The patterns for operations in `root` that their dialect has an instruction for."""
    definitions = {op.name: op.definition for op in root.walk()}
    return [
        Pattern(name, lower, benefit=2)
        for name, definition in definitions.items()
        if definition is not None and definition.told(INLINE_PTX) is not None
    ]


@named("PtxLowering")
def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    give = op.definition.told(INLINE_PTX) if op.definition is not None else None
    ptx = give(op, rewriter) if give is not None else None
    if ptx is None:
        return NO_MATCH
    registers = _registers(op, ptx, rewriter)
    if isinstance(registers, Failure):
        return registers
    constraints, taken = registers
    changed = [value for (_, register), value in zip(ptx.values, taken, strict=False) if register is Register.CHANGED]
    given = [value.type for value in op.results]
    several = len(changed) + len(given) > 1 and not ptx.is_numbered
    types = [value.type for value in changed] + given if several or not given else given
    results = [struct_of(*types)] if several else types
    made = emit.inline_asm(rewriter, _text(ptx, len(taken)), constraints, taken, results)
    if not several:
        rewriter.replace(op, made.results if given else [])
        return None
    parts = [emit.extract(rewriter, made.result, type, index) for index, type in enumerate(types)]
    for value, part in zip(changed, parts, strict=False):
        _use_elsewhere(value, part, (op, made), rewriter)
    rewriter.replace(op, parts[len(changed) :])
    return None


def _use_elsewhere(value: Value, part: Value, but: Sequence[Operation], rewriter: ConversionRewriter) -> None:
    """Has what uses a value use what the instruction made of it, before it too: MLIR's rule is for code in a row."""
    for user in [user for user in value.uses if user not in but]:
        rewriter.record_modification(user, list(user.operands), dict(user.properties), dict(user.attributes))
        for index in value.places_in(user):
            user.set_operand(index, part)


# ---- the text


def _text(ptx: Ptx, taken: int) -> str:
    """The text with registers by their numbers, behind the predicate if there is one."""
    text = ptx.text if ptx.is_numbered else _numbered(ptx.text)
    return (f"@%{taken - 1} {text}" if ptx.guarded else text).replace("%", "$")


def _numbered(text: str) -> str:
    """The text with numbers for placeholders: of those that are changed first, then of the written and of the read."""
    found = {(kind, _number(digits)) for kind, digits in _PLACEHOLDER.findall(text)}
    ordered = sorted(found, key=lambda each: (("rw", "w", "r").index(each[0]), each[1]))
    numbers = {each: f"${number}" for number, each in enumerate(ordered)}
    return _PLACEHOLDER.sub(lambda match: numbers[match[1], _number(match[2])], text)


def _number(digits: str) -> int:
    """A number of 32 bits; a greater one is none, and read as the first."""
    number = int(digits) if len(digits) < 11 else 0
    return number if number < 2**32 else 0


# ---- the registers


def _registers(op: Operation, ptx: Ptx, rewriter: ConversionRewriter) -> tuple[str, list[Value]] | Failure:
    """The constraints of the registers, and the values that the instruction takes. Those that are changed are taken in
    the registers in which they are given back."""
    constraints: list[str] = []
    again: list[str] = []
    taken: list[Value] = []
    for value, register in ptx.values:
        body = value.type.body if isinstance(value.type, LLVMStructType) else None
        if register is not Register.WRITTEN:
            taken += (
                [value]
                if body is None
                else [emit.extract(rewriter, value, type, index) for index, type in enumerate(body)]
            )
        for index, type in enumerate((value.type,) if body is None else body):
            if body is not None and register is Register.CHANGED:
                constraints.append(str(index))
                continue
            is_constant = body is None and defined_by(value, MlirConstantOp) is not None
            kind = _CONSTANT if is_constant else _kind(type)
            if kind is None:
                return Failure(UNKNOWN.format(type), said_of=op, placed=True)
            if register is Register.CHANGED:
                again.append(str(len(constraints)))
            constraints.append(kind if register is Register.READ else f"={kind}")
    return ",".join([*constraints, *again]), taken


UNKNOWN: Final = (
    "The register type could not be deduced from MLIR type. The '{}' is not supported. Supported types are:"
    "i1, i16, i32, i64, f32, f64,pointers.\nPlease use llvm.bitcast if you have different type. \n"
    "See the constraints from here: https://docs.nvidia.com/cuda/inline-ptx-assembly/index.html#constraints"
)


def _kind(type: Type) -> str | None:
    """The letter of the registers that hold a type."""
    if isinstance(type, VectorType):
        type = _packed(type)
    if isinstance(type, LLVMPointerType):
        # Pointers to shared memory have 32 bits.
        return "r" if type.address_space == SHARED else "l"
    return _KINDS.get(type)


def _packed(type: VectorType) -> Type:
    """The type of the register that holds a short vector; that of the elements where there is none."""
    element, lanes = type.element, prod(type.ranked_shape)
    width = element.width if isinstance(element, FloatType) else 0
    if lanes == 2:
        return F32 if element in (F16, BF16) else I16 if width == 8 else element
    if lanes == 4:
        return I32 if element == I8 else F32 if width == 8 else I16 if width == 4 else element
    return element
