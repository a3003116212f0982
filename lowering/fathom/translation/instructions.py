"""The instructions that follow a pattern: arithmetic, comparisons, casts, aggregates, vectors, memory.

Each emitter takes the function's emitter and one operation. Source of the rules: *LLVM Language Reference*,
"Instruction Reference", and *'llvm' Dialect*, for the names of attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.translation.address_folding import fold_cast, fold_gep
from fathom.translation.attribute_constants import constant_of
from fathom.translation.attribute_sets import inside
from fathom.translation.constants import (
    Constant,
    Int,
    NoToken,
    Poison,
    Undef,
    integer,
    spell_flags,
    zero,
)
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
from fathom.translation.function import FunctionEmitter, Local, Operand, Part, Untranslatable
from fathom.translation.metadata import Node

Emitter: TypeAlias = Callable[[FunctionEmitter, Operation], None]

FASTMATH_ORDER: Final = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
ORDERINGS: Final = {1: "unordered", 2: "monotonic", 4: "acquire", 5: "release", 6: "acq_rel", 7: "seq_cst"}
ATOMIC_OPERATIONS: Final = (
    "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap usub_cond usub_sat "
    "fmaximum fminimum"
).split()
DYNAMIC_INDEX: Final = -(2**31)
"""The constant index of a getelementptr that stands for an operand."""
I32: Final = IntegerType(32)


@lru_cache(maxsize=256)
def _fastmath(attribute: Attribute) -> str:
    flags = {flag.strip() for flag in inside(attribute).split(",")}
    if "fast" in flags or flags.issuperset(FASTMATH_ORDER):
        return "fast "
    return "".join(f"{flag} " for flag in FASTMATH_ORDER if flag in flags)


def fastmath(op: Operation) -> str:
    """The fast-math flags, with a space after each."""
    attribute = op.properties.get("fastmathFlags")
    return _fastmath(attribute) if attribute is not None else ""


def is_float(type: Type) -> bool:
    return isinstance(type.element if isinstance(type, VectorType) else type, FloatType)


def number(op: Operation, name: str, default: int = 0) -> int:
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else default


def text_of(op: Operation, name: str) -> str | None:
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, StringAttr) else None


def _constants(out: FunctionEmitter, op: Operation) -> tuple[list[Operand], bool]:
    """The operands, and whether all of them are constants."""
    operands = [out.operand(value, op) for value in op.operands]
    return operands, not any(operand.__class__ is Local for operand in operands)


def _settle(out: FunctionEmitter, op: Operation, folded: Constant | None, *parts: Part) -> None:
    if folded is not None:
        out.define(op, folded)
    else:
        out.emit(op, *parts)


def _binary(mnemonic: str) -> Emitter:
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
    overflow = number(op, "overflowFlags")
    flags = "nuw " * (overflow >> 1 & 1) + "nsw " * (overflow & 1)
    return flags + "exact " * ("isExact" in properties) + "disjoint " * ("isDisjoint" in properties)


def _negate(out: FunctionEmitter, op: Operation) -> None:
    operand = out.operand(op.operands[0], op)
    folded = fold_negation(operand) if not isinstance(operand, Local) else None
    _settle(out, op, folded, "fneg ", fastmath(op), *out.typed(op, 0))


def _freeze(out: FunctionEmitter, op: Operation) -> None:
    out.emit(op, "freeze ", *out.typed(op, 0))


def _compare(out: FunctionEmitter, op: Operation) -> None:
    predicate = number(op, "predicate")
    operands, constant = _constants(out, op)
    a, b = operands
    if op.name == "llvm.icmp":
        folded = fold_compare_integers(predicate, a, b) if constant else None  # type: ignore[arg-type]
        head = f"icmp {INTEGER_PREDICATES[predicate]} "
    else:
        folded = fold_compare_floats(predicate, a, b) if constant else None  # type: ignore[arg-type]
        head = f"fcmp {fastmath(op)}{FLOAT_PREDICATES[predicate]} "
    _settle(out, op, folded, head, *out.typed(op, 0), ", ", out.text(b))


def _select(out: FunctionEmitter, op: Operation) -> None:
    operands, constant = _constants(out, op)
    folded = fold_select(*operands) if constant else None  # type: ignore[arg-type]
    flags = fastmath(op) if is_float(op.results[0].type) else ""
    _settle(out, op, folded, "select ", flags, *out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2))


def _cast(mnemonic: str) -> Emitter:
    def emit(out: FunctionEmitter, op: Operation) -> None:
        operand, type = out.operand(op.operands[0], op), op.results[0].type
        if operand.type == type:
            out.values[op.results[0]] = operand
            return
        folded = fold_cast(mnemonic, operand, type, out.module.layout) if not isinstance(operand, Local) else None
        flags = "nneg " if "nonNeg" in op.properties else _integer_flags(op) + fastmath(op)
        attachments: list[Part] = _dereferenceable(out, op) if mnemonic == "inttoptr" else []
        _settle(out, op, folded, f"{mnemonic} {flags}", *out.typed(op, 0), f" to {out.types(type)}", *attachments)

    return emit


def _dereferenceable(out: FunctionEmitter, op: Operation) -> list[Part]:
    node = _dereferenceable_node(out, op)
    return out.attach(op, {node[0]: node[1]}) if node is not None else []


def _dereferenceable_node(out: FunctionEmitter, op: Operation) -> tuple[str, Node] | None:
    attribute = op.properties.get("dereferenceable")
    if attribute is None:
        return None
    text = inside(attribute)
    count = "".join(c for c in text.partition("bytes")[2].partition(",")[0] if c.isdigit())
    kind = "dereferenceable_or_null" if "mayBeNull = true" in text else "dereferenceable"
    return kind, out.module.metadata.node(f"i64 {count}")


def _extract_value(out: FunctionEmitter, op: Operation) -> None:
    operand, position = out.operand(op.operands[0], op), _position(op)
    folded = fold_extract(operand, position) if not isinstance(operand, Local) else None
    _settle(out, op, folded, "extractvalue ", *out.typed(op, 0), "".join(f", {index}" for index in position))


def _insert_value(out: FunctionEmitter, op: Operation) -> None:
    operands, constant = _constants(out, op)
    position = _position(op)
    folded = fold_insert(operands[0], operands[1], position) if constant else None  # type: ignore[arg-type]
    indices = "".join(f", {index}" for index in position)
    _settle(out, op, folded, "insertvalue ", *out.typed(op, 0), ", ", *out.typed(op, 1), indices)


def _position(op: Operation) -> list[int]:
    attribute = op.properties.get("position")
    return list(attribute.values) if isinstance(attribute, DenseArrayAttr) else []


def _extract_element(out: FunctionEmitter, op: Operation) -> None:
    operands, constant = _constants(out, op)
    folded = fold_extract_element(*operands) if constant else None  # type: ignore[arg-type]
    _settle(out, op, folded, "extractelement ", *out.typed(op, 0), ", ", *out.typed(op, 1))


def _insert_element(out: FunctionEmitter, op: Operation) -> None:
    operands, constant = _constants(out, op)
    folded = fold_insert_element(*operands) if constant else None  # type: ignore[arg-type]
    _settle(out, op, folded, "insertelement ", *out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2))


def _shuffle(out: FunctionEmitter, op: Operation) -> None:
    operands, constant = _constants(out, op)
    mask_attribute = op.properties.get("mask")
    mask = list(mask_attribute.values) if isinstance(mask_attribute, DenseArrayAttr) else []
    result = op.results[0].type
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


def _gep(out: FunctionEmitter, op: Operation) -> None:
    element = op.properties.get("elem_type")
    raw = op.properties.get("rawConstantIndices")
    if not isinstance(element, TypeAttr) or not isinstance(raw, DenseArrayAttr):
        raise Untranslatable(op, "'llvm.getelementptr' op requires attribute 'elem_type'")
    base = out.operand(op.operands[0], op)
    dynamic = iter(op.operands[1:])
    indices: list[Operand] = [
        out.operand(next(dynamic), op) if index == DYNAMIC_INDEX else integer(I32, index) for index in raw.values
    ]
    flags = number(op, "noWrapFlags")
    constants = [operand for operand in (base, *indices) if not isinstance(operand, Local)]
    if len(constants) == len(indices) + 1:
        folded = fold_gep(element.type, constants[0], constants[1:], flags, out.module.layout)
        if folded is not None:
            out.define(op, folded)
            return
    parts: list[Part] = []
    for operand in indices:
        parts += [f", {out.types(operand.type)} ", out.text(operand)]
    head = f"getelementptr{spell_flags(flags)} {out.types(element.type)}, "
    out.emit(op, head, *out.typed(op, 0), *parts)


def _alloca(out: FunctionEmitter, op: Operation) -> None:
    element = op.properties.get("elem_type")
    type = op.results[0].type
    if not isinstance(element, TypeAttr) or not isinstance(type, LLVMPointerType):
        raise Untranslatable(op, "'llvm.alloca' op requires attribute 'elem_type'")
    size = out.operand(op.operands[0], op)
    count: list[Part] = [] if size == Int(I32, 1) else [", ", *out.typed(op, 0)]
    alignment = number(op, "alignment") or out.module.layout.alignment(element.type, preferred=True)
    space = f", addrspace({type.address_space})" if type.address_space else ""
    inalloca = "inalloca " if "inalloca" in op.properties else ""
    out.emit(op, f"alloca {inalloca}{out.types(element.type)}", *count, f", align {alignment}{space}")


def _atomic_head(op: Operation) -> str:
    return "atomic " * bool(number(op, "ordering")) + "volatile " * ("volatile_" in op.properties)


def _scope(op: Operation) -> str:
    scope = text_of(op, "syncscope")
    return f' syncscope("{scope}")' if scope else ""


def _access_tail(out: FunctionEmitter, op: Operation, type: Type) -> list[Part]:
    """What follows the operands of a load or a store."""
    ordering = ORDERINGS.get(number(op, "ordering"))
    alignment = number(op, "alignment") or out.module.layout.alignment(type)
    tail = f"{_scope(op)} {ordering}" if ordering else ""
    nodes = out.module.metadata
    attachments: dict[str, Node] = {}
    if "nontemporal" in op.properties:
        attachments["nontemporal"] = nodes.node("i32 1")
    if "invariant" in op.properties:
        attachments["invariant.load"] = nodes.node()
    if "invariantGroup" in op.properties:
        attachments["invariant.group"] = nodes.node()
    if (dereferenceable := _dereferenceable_node(out, op)) is not None:
        attachments[dereferenceable[0]] = dereferenceable[1]
    return [f"{tail}, align {alignment}", *out.attach(op, attachments)]


def _load(out: FunctionEmitter, op: Operation) -> None:
    type = op.results[0].type
    tail = _access_tail(out, op, type)
    out.emit(op, f"load {_atomic_head(op)}{out.types(type)}, ", *out.typed(op, 0), *tail)


def _store(out: FunctionEmitter, op: Operation) -> None:
    tail = _access_tail(out, op, op.operands[0].type)
    out.emit(op, f"store {_atomic_head(op)}", *out.typed(op, 0), ", ", *out.typed(op, 1), *tail)


def _atomic_update(out: FunctionEmitter, op: Operation) -> None:
    kind = ATOMIC_OPERATIONS[number(op, "bin_op")]
    volatile = "volatile " * ("volatile_" in op.properties)
    alignment = number(op, "alignment") or out.module.layout.store_size(op.operands[1].type)
    tail = f"{_scope(op)} {ORDERINGS[number(op, 'ordering')]}, align {alignment}"
    out.emit(op, f"atomicrmw {volatile}{kind} ", *out.typed(op, 0), ", ", *out.typed(op, 1), tail)


def _compare_exchange(out: FunctionEmitter, op: Operation) -> None:
    head = "weak " * ("weak" in op.properties) + "volatile " * ("volatile_" in op.properties)
    orders = f"{ORDERINGS[number(op, 'success_ordering')]} {ORDERINGS[number(op, 'failure_ordering')]}"
    alignment = number(op, "alignment") or out.module.layout.store_size(op.operands[1].type)
    operands: list[Part] = [*out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2)]
    out.emit(op, f"cmpxchg {head}", *operands, f"{_scope(op)} {orders}, align {alignment}")


def _fence(out: FunctionEmitter, op: Operation) -> None:
    out.emit(op, f"fence{_scope(op)} {ORDERINGS[number(op, 'ordering')]}")


def _va_arg(out: FunctionEmitter, op: Operation) -> None:
    out.emit(op, "va_arg ", *out.typed(op, 0), f", {out.types(op.results[0].type)}")


def _constant(out: FunctionEmitter, op: Operation) -> None:
    value, type = op.properties.get("value"), op.results[0].type
    constant = None
    if isinstance(value, SymbolRefAttr):
        constant = out.module.address(value.root)
    elif value is not None:
        constant = constant_of(value, type)
    if constant is None:
        raise Untranslatable(op, "unsupported constant value")
    out.define(op, constant)


def _address_of(out: FunctionEmitter, op: Operation) -> None:
    name = op.properties.get("global_name")
    constant = out.module.address(name.root) if isinstance(name, SymbolRefAttr) else None
    if constant is None:
        raise Untranslatable(
            op,
            "'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or "
            "'llvm.func'",
        )
    out.define(op, constant)


def _of_type(make: Callable[[Type], Constant]) -> Emitter:
    return lambda out, op: out.define(op, make(op.results[0].type))


EMITTERS: Final[dict[str, Emitter]] = {
    **{
        f"llvm.{name}": _binary(name)
        for name in (
            "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
            "fadd", "fsub", "fmul", "fdiv", "frem",
        )
    },
    **{
        f"llvm.{name}": _cast(name)
        for name in (
            "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr",
            "bitcast", "addrspacecast",
        )
    },
    "llvm.fneg": _negate,
    "llvm.freeze": _freeze,
    "llvm.icmp": _compare,
    "llvm.fcmp": _compare,
    "llvm.select": _select,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle,
    "llvm.getelementptr": _gep,
    "llvm.alloca": _alloca,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.atomicrmw": _atomic_update,
    "llvm.cmpxchg": _compare_exchange,
    "llvm.fence": _fence,
    "llvm.va_arg": _va_arg,
    "llvm.mlir.constant": _constant,
    "llvm.mlir.addressof": _address_of,
    "llvm.mlir.undef": _of_type(Undef),
    "llvm.mlir.poison": _of_type(Poison),
    "llvm.mlir.zero": _of_type(zero),
    "llvm.mlir.none": _of_type(NoToken),
}  # fmt: skip
