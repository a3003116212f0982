"""The instructions that follow a pattern: arithmetic, comparisons, casts, aggregates, vectors, constants.

Each emitter takes the function's emitter and one operation. Source of the rules: *LLVM Language Reference*,
"Instruction Reference", and *'llvm' Dialect*, for the names of attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property
from fathom.ir.types import Type, VectorType
from fathom.ops import llvm as ops
from fathom.records import replace
from fathom.translation.address_folding import fold_cast
from fathom.translation.attribute_constants import constant_of, why_none
from fathom.translation.constants import Constant, NoToken, Poison, Symbol, Undef, zero
from fathom.translation.folding import (
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    fold_binary,
    fold_compare_floats,
    fold_compare_integers,
    fold_extract,
    fold_extract_element,
    fold_insert,
    fold_insert_element,
    fold_negation,
    fold_select,
    fold_shuffle,
)
from fathom.translation.function import Emit, Emitter, FunctionEmitter, Local, Operand, Part, Untranslatable, emitter
from fathom.translation.memory import MEMORY, dereferenceable
from fathom.translation.properties import fastmath, result_fastmath


def _constants(out: FunctionEmitter, op: Operation) -> tuple[list[Operand], bool]:
    """The operands, and whether all of them are constants."""
    operands = [out.operand(value, op) for value in op.operands]
    return operands, not any(operand.__class__ is Local for operand in operands)


def _settle(out: FunctionEmitter, op: Operation, folded: Constant | None, *parts: Part) -> None:
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, *parts)


def _binary(mnemonic: str) -> Emit:
    head = mnemonic + " "
    has_fastmath = mnemonic[0] == "f"

    def emit(out: FunctionEmitter, op: Operation) -> None:
        left, right = op.operands
        a, b = out.operand(left, op), out.operand(right, op)
        if a.__class__ is not Local and b.__class__ is not Local:
            folded = fold_binary(mnemonic, a, b)  # type: ignore[arg-type]
            if folded is not None:
                out.define(op, folded)
                return
        flags = fastmath(op) if has_fastmath else _integer_flags(op)
        out.emit(op, f"{head}{flags}{out.types(left.type)} ", out.text(a), ", ", out.text(b))

    return emit


def _integer_flags(op: Operation) -> str:
    properties = op.properties
    if not properties:
        return ""
    overflow = integer_property(op, "overflowFlags", 0)
    flags = "nuw " * (overflow >> 1 & 1) + "nsw " * (overflow & 1)
    return flags + "exact " * ("isExact" in properties) + "disjoint " * ("isDisjoint" in properties)


def _negate(out: FunctionEmitter, op: ops.FnegOp) -> None:
    operand = out.operand(op.operand, op)
    folded = fold_negation(operand) if not isinstance(operand, Local) else None
    _settle(out, op, folded, "fneg ", fastmath(op), *out.typed(op, 0))


def _freeze(out: FunctionEmitter, op: ops.FreezeOp) -> None:
    out.emit(op, "freeze ", *out.typed(op, 0))


def _compare_integers(out: FunctionEmitter, op: ops.IcmpOp) -> None:
    predicate = op.predicate.value
    (a, b), constant = _constants(out, op)
    folded = fold_compare_integers(predicate, a, b) if constant else None  # type: ignore[arg-type]
    head = f"icmp {INTEGER_PREDICATES[predicate]} "
    _settle(out, op, folded, head, *out.typed(op, 0), ", ", out.text(b))


def _compare_floats(out: FunctionEmitter, op: ops.FcmpOp) -> None:
    predicate = op.predicate.value
    (a, b), constant = _constants(out, op)
    folded = fold_compare_floats(predicate, a, b) if constant else None  # type: ignore[arg-type]
    head = f"fcmp {fastmath(op)}{FLOAT_PREDICATES[predicate]} "
    _settle(out, op, folded, head, *out.typed(op, 0), ", ", out.text(b))


def _select(out: FunctionEmitter, op: ops.SelectOp) -> None:
    operands, constant = _constants(out, op)
    folded = fold_select(*operands) if constant else None  # type: ignore[arg-type]
    flags = result_fastmath(op)
    _settle(out, op, folded, "select ", flags, *out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2))


def _cast(mnemonic: str) -> Emit:
    def emit(out: FunctionEmitter, op: Operation) -> None:
        operand, type = out.operand(op.operands[0], op), op.result.type
        if operand.type == type:
            out.values[op.result] = operand
            return
        folded = fold_cast(mnemonic, operand, type, out.module.layout) if not isinstance(operand, Local) else None
        flags = "nneg " if "nonNeg" in op.properties else _integer_flags(op) + fastmath(op)
        parts: list[Part] = [f"{mnemonic} {flags}", *out.typed(op, 0), f" to {out.types(type)}"]
        if folded is not None:
            out.define(op, folded)
        else:
            out.emit(op, *parts, attachments=dereferenceable(out, op))

    return emit


def _extract_value(out: FunctionEmitter, op: ops.ExtractvalueOp) -> None:
    operand, position = out.operand(op.container, op), list(op.position.values)
    folded = fold_extract(operand, position) if not isinstance(operand, Local) else None
    _settle(out, op, folded, "extractvalue ", *out.typed(op, 0), "".join(f", {index}" for index in position))


def _insert_value(out: FunctionEmitter, op: ops.InsertvalueOp) -> None:
    operands, constant = _constants(out, op)
    position = list(op.position.values)
    folded = fold_insert(operands[0], operands[1], position) if constant else None  # type: ignore[arg-type]
    indices = "".join(f", {index}" for index in position)
    _settle(out, op, folded, "insertvalue ", *out.typed(op, 0), ", ", *out.typed(op, 1), indices)


def _extract_element(out: FunctionEmitter, op: ops.ExtractelementOp) -> None:
    operands, constant = _constants(out, op)
    folded = fold_extract_element(*operands) if constant else None  # type: ignore[arg-type]
    _settle(out, op, folded, "extractelement ", *out.typed(op, 0), ", ", *out.typed(op, 1))


def _insert_element(out: FunctionEmitter, op: ops.InsertelementOp) -> None:
    operands, constant = _constants(out, op)
    folded = fold_insert_element(*operands) if constant else None  # type: ignore[arg-type]
    _settle(out, op, folded, "insertelement ", *out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2))


def _shuffle(out: FunctionEmitter, op: ops.ShufflevectorOp) -> None:
    operands, constant = _constants(out, op)
    mask, result = list(op.mask.values), op.result.type
    assert isinstance(result, VectorType)
    folded = fold_shuffle(operands[0], operands[1], mask, result) if constant else None  # type: ignore[arg-type]
    _settle(out, op, folded, "shufflevector ", *out.typed(op, 0), ", ", *out.typed(op, 1), ", ", _mask(mask, result))


def _mask(mask: list[int], result: VectorType) -> str:
    kind = f"<{'vscale x ' * any(result.scalable)}{len(mask)} x i32>"
    if not any(mask):
        return f"{kind} zeroinitializer"
    if all(lane < 0 for lane in mask):
        return f"{kind} poison"
    return f"{kind} <{', '.join('i32 poison' if lane < 0 else f'i32 {lane}' for lane in mask)}>"


def _constant(out: FunctionEmitter, op: ops.MlirConstantOp) -> None:
    value = op.value
    is_symbol = isinstance(value, SymbolRefAttr)
    constant = out.module.address(value.root) if is_symbol else constant_of(value, op.result.type)
    if constant is None:
        raise Untranslatable(op, why_none(value, op.result.type))
    out.define(op, constant)


def _address_of(out: FunctionEmitter, op: ops.MlirAddressofOp) -> None:
    constant = out.module.address(op.global_name.root)
    if constant is None:
        raise Untranslatable(
            op,
            "'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or "
            "'llvm.func'",
        )
    out.define(op, constant)


def _equivalent(out: FunctionEmitter, op: ops.DsoLocalEquivalentOp) -> None:
    address = out.module.address(op.function_name.root)
    if not isinstance(address, Symbol):
        raise Untranslatable(op, "")
    out.define(op, replace(address, nearby=True))


def _of_type(make: Callable[[Type], Constant]) -> Emit:
    return lambda out, op: out.define(op, make(op.results[0].type))


INTEGER_FLAGS: Final = "overflowFlags isExact isDisjoint"
EMITTERS: Final[dict[str, Emitter]] = {
    **{
        f"llvm.{name}": emitter(_binary(name), "fastmathFlags" if name[0] == "f" else INTEGER_FLAGS)
        for name in (
            "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
            "fadd", "fsub", "fmul", "fdiv", "frem",
        )
    },
    **{
        f"llvm.{name}": emitter(_cast(name), "nonNeg overflowFlags fastmathFlags dereferenceable")
        for name in (
            "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr",
            "bitcast", "addrspacecast",
        )
    },
    "llvm.fneg": emitter(_negate, "fastmathFlags"),
    "llvm.freeze": emitter(_freeze),
    "llvm.icmp": emitter(_compare_integers, "predicate"),
    "llvm.fcmp": emitter(_compare_floats, "predicate fastmathFlags"),
    "llvm.select": emitter(_select, "fastmathFlags"),
    "llvm.extractvalue": emitter(_extract_value, "position"),
    "llvm.insertvalue": emitter(_insert_value, "position"),
    "llvm.extractelement": emitter(_extract_element),
    "llvm.insertelement": emitter(_insert_element),
    "llvm.shufflevector": emitter(_shuffle, "mask"),
    **MEMORY,
    "llvm.mlir.constant": emitter(_constant, "value"),
    "llvm.mlir.addressof": emitter(_address_of, "global_name"),
    "llvm.dso_local_equivalent": emitter(_equivalent, "function_name"),
    "llvm.mlir.undef": emitter(_of_type(Undef)),
    "llvm.mlir.poison": emitter(_of_type(Poison)),
    "llvm.mlir.zero": emitter(_of_type(zero)),
    "llvm.mlir.none": emitter(_of_type(NoToken)),
}  # fmt: skip
