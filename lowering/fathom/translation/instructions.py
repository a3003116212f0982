"""The instructions that follow a pattern: arithmetic, comparisons, casts, aggregates, vectors, constants.

Each emitter takes the function's emitter and one operation. Source of the rules: *LLVM Language Reference*,
"Instruction Reference", and *'llvm' Dialect*, for the names of attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.llvm.attributes import ir_words
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, numbers_property
from fathom.llvmir.constants import zero
from fathom.llvmir.instructions import (
    BinaryOperator,
    CastInst,
    CmpInst,
    ExtractElementInst,
    ExtractValueInst,
    FreezeInst,
    InsertElementInst,
    InsertValueInst,
    SelectInst,
    ShuffleVectorInst,
    UnaryOperator,
)
from fathom.llvmir.types import PTR, Type, VectorType
from fathom.llvmir.values import (
    Constant,
    ConstantTokenNone,
    DSOLocalEquivalent,
    PoisonValue,
    UndefValue,
    Value,
)
from fathom.ops import llvm as ops
from fathom.translation.address_folding import fold_cast
from fathom.translation.attribute_constants import why_none
from fathom.translation.block_addresses import BLOCK_ADDRESSES
from fathom.translation.folding import (
    boolean_type,
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
from fathom.translation.function import Emit, Emitter, FunctionEmitter, Untranslatable, emitter
from fathom.translation.memory import MEMORY, dereferenceable
from fathom.translation.properties import fastmath, result_fastmath


def constants(operands: list[Value]) -> list[Constant]:
    """The operands, if all are constants; else none."""
    found: list[Constant] = []
    for operand in operands:
        if not isinstance(operand, Constant):
            return []
        found.append(operand)
    return found


def _binary(opcode: str) -> Emit:
    has_fastmath = opcode[0] == "f"

    def emit(out: FunctionEmitter, op: Operation) -> None:
        left, right = op.operands
        a, b = out.operand(left, op), out.operand(right, op)
        if isinstance(a, Constant) and isinstance(b, Constant):
            folded = fold_binary(opcode, a, b)
            if folded is not None:
                out.define(op, folded)
                return
        flags = fastmath(op) if has_fastmath else _integer_flags(op)
        out.emit(op, BinaryOperator(a.type, [a, b], opcode, flags))

    return emit


def _integer_flags(op: Operation) -> tuple[str, ...]:
    properties = op.properties
    if not properties:
        return ()
    overflow = integer_property(op, "overflowFlags", 0)
    return _WRAPS[overflow & 3] + ("exact",) * ("isExact" in properties) + ("disjoint",) * ("isDisjoint" in properties)


_WRAPS: Final = ((), ("nsw",), ("nuw",), ("nuw", "nsw"))


def _negate(out: FunctionEmitter, op: ops.FnegOp) -> None:
    operand = out.operand(op.operand, op)
    folded = fold_negation(operand) if isinstance(operand, Constant) else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, UnaryOperator(operand.type, [operand], fastmath(op)))


def _freeze(out: FunctionEmitter, op: ops.FreezeOp) -> None:
    (operand,) = out.operands(op)
    out.emit(op, FreezeInst(operand.type, [operand]))


def _compare_integers(out: FunctionEmitter, op: ops.IcmpOp) -> None:
    predicate = integer_property(op, "predicate", 0)
    operands = out.operands(op)
    known = constants(operands)
    folded = fold_compare_integers(predicate, *known) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        result = boolean_type(operands[0].type)
        out.emit(op, CmpInst(result, operands, "icmp", ir_words("ICmpPredicate")[predicate]))


def _compare_floats(out: FunctionEmitter, op: ops.FcmpOp) -> None:
    predicate = op.predicate.value
    operands = out.operands(op)
    known = constants(operands)
    folded = fold_compare_floats(predicate, *known) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        result = boolean_type(operands[0].type)
        out.emit(op, CmpInst(result, operands, "fcmp", ir_words("FCmpPredicate")[predicate], fastmath(op)))


def _select(out: FunctionEmitter, op: ops.SelectOp) -> None:
    operands = out.operands(op)
    known = constants(operands)
    folded = fold_select(*known) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, SelectInst(operands[1].type, operands, result_fastmath(op)))


def _cast(opcode: str) -> Emit:
    def emit(out: FunctionEmitter, op: Operation) -> None:
        operand, type = out.operand(op.operands[0], op), out.types(op.result.type)
        if operand.type == type:
            out.values[op.result] = operand
            return
        folded = fold_cast(opcode, operand, type, out.module.layout) if isinstance(operand, Constant) else None
        if folded is not None:
            out.define(op, folded)
            return
        flags = ("nneg",) if "nonNeg" in op.properties else _integer_flags(op) + fastmath(op)
        out.emit(op, CastInst(type, [operand], opcode, flags), dereferenceable(out, op))

    return emit


def _extract_value(out: FunctionEmitter, op: ops.ExtractvalueOp) -> None:
    (operand,), position = out.operands(op), tuple(numbers_property(op, "position"))
    folded = fold_extract(operand, position) if isinstance(operand, Constant) else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, ExtractValueInst(out.types(op.result.type), [operand], position))


def _insert_value(out: FunctionEmitter, op: ops.InsertvalueOp) -> None:
    operands, position = out.operands(op), tuple(numbers_property(op, "position"))
    known = constants(operands)
    folded = fold_insert(known[0], known[1], position) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, InsertValueInst(operands[0].type, operands, position))


def _extract_element(out: FunctionEmitter, op: ops.ExtractelementOp) -> None:
    operands = out.operands(op)
    known = constants(operands)
    folded = fold_extract_element(*known) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, ExtractElementInst(out.types(op.result.type), operands))


def _insert_element(out: FunctionEmitter, op: ops.InsertelementOp) -> None:
    operands = out.operands(op)
    known = constants(operands)
    folded = fold_insert_element(*known) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, InsertElementInst(operands[0].type, operands))


def _shuffle(out: FunctionEmitter, op: ops.ShufflevectorOp) -> None:
    operands, mask, result = out.operands(op), tuple(op.mask.values), out.types(op.result.type)
    assert isinstance(result, VectorType)
    known = constants(operands)
    folded = fold_shuffle(known[0], known[1], mask, result) if known else None
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, ShuffleVectorInst(result, operands, mask))


def _constant(out: FunctionEmitter, op: ops.MlirConstantOp) -> None:
    value = op.value
    type = out.types(op.results[0].type)
    known = out.module
    constant = known.symbols.get(value.root) if isinstance(value, SymbolRefAttr) else known.constant(value, type)
    if constant is None:
        raise Untranslatable(op, why_none(value, type))
    out.define(op, constant)


def _address_of(out: FunctionEmitter, op: ops.MlirAddressofOp) -> None:
    constant = out.module.symbols.get(op.global_name.root)
    if constant is None:
        raise Untranslatable(
            op,
            "'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or "
            "'llvm.func'",
        )
    out.define(op, constant)


def _equivalent(out: FunctionEmitter, op: ops.DsoLocalEquivalentOp) -> None:
    function = out.module.symbols.get(op.function_name.root)
    if function is None:
        raise Untranslatable(op, "")
    out.define(op, DSOLocalEquivalent(PTR, function))


def _of_type(make: Callable[[Type], Constant]) -> Emit:
    return lambda out, op: out.define(op, make(out.types(op.results[0].type)))


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
    **BLOCK_ADDRESSES,
    "llvm.mlir.constant": emitter(_constant, "value"),
    "llvm.mlir.addressof": emitter(_address_of, "global_name"),
    "llvm.dso_local_equivalent": emitter(_equivalent, "function_name"),
    "llvm.mlir.undef": emitter(_of_type(UndefValue)),
    "llvm.mlir.poison": emitter(_of_type(PoisonValue)),
    "llvm.mlir.zero": emitter(_of_type(zero)),
    "llvm.mlir.none": emitter(_of_type(ConstantTokenNone)),
}  # fmt: skip
