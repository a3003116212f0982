"""What operations of the LLVM dialect do, as far as lowering makes them; memory is that of memrefs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.llvm.interpreted_memory import field_at, load, nested, size_in_memory, store
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret, Jump
from fathom.interpreting.memory import size_of
from fathom.interpreting.numbers import INTEGER
from fathom.interpreting.printing import call_of_runtime
from fathom.interpreting.values import (
    Array,
    Datum,
    NotUnderstood,
    Trap,
    bits_of,
    check_elements,
    of_attribute,
    signed,
    signed_index,
    zero_of,
)
from fathom.ir.types import Type, VectorType, element_type
from fathom.irdl.interfaces import Branch, FunctionLike

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import llvm as ops

_DYNAMIC: Final = -(1 << 31)
"""In the place of an index that is a value."""


def _made_of(type: Type, of: Callable[[Type], Datum]) -> Datum:
    """A value of a type, whose numbers and vectors are made by a function."""
    if isinstance(type, LLVMStructType):
        return Array((len(type.body or ()),), tuple(_made_of(field, of) for field in type.body or ()))
    if isinstance(type, LLVMArrayType):
        check_elements((type.size,))
        return Array((type.size,), (_made_of(type.element, of),) * type.size)
    return of(type)


def _zero(op: Operation, _: list[Any], __: Frame) -> Datum:
    return _made_of(op.result.type, zero_of)


def _nothing_known(op: Operation, _: list[Any], frame: Frame) -> Datum:
    return _made_of(op.result.type, frame.machine.undefined)


def _constant(op: ops.MlirConstantOp, _: list[Any], __: Frame) -> Datum:
    return of_attribute(op.value)


def _compare(op: ops.IcmpOp, operands: list[Any], _: Frame) -> Datum:
    return each.compared(op, op.predicate.value, operands)


def _compare_floats(op: ops.FcmpOp, operands: list[Any], _: Frame) -> Datum:
    return each.compared_floats(op.predicate.value, operands)


# ---- aggregates


def _extract_value(op: ops.ExtractvalueOp, operands: list[Any], _: Frame) -> Datum:
    (value,) = operands
    for at in op.position.values:
        value = value.items[at]
    return value


def _insert_value(op: ops.InsertvalueOp, operands: list[Any], _: Frame) -> Datum:
    container, value = operands
    return _with(container, op.position.values, value)


def _with(container: Datum, position: Sequence[int], value: Datum) -> Datum:
    if not position:
        return value
    assert isinstance(container, Array)
    items = list(container.items)
    items[position[0]] = _with(items[position[0]], position[1:], value)
    return Array(container.shape, tuple(items))


def _extract_element(_: ops.ExtractelementOp, operands: list[Any], __: Frame) -> Datum:
    vector, position = operands
    return vector.items[position] if position < len(vector.items) else 0


def _insert_element(_: ops.InsertelementOp, operands: list[Any], __: Frame) -> Datum:
    vector, value, position = operands
    items = list(vector.items)
    if position < len(items):
        items[position] = value
    return Array(vector.shape, tuple(items))


def _shuffle(op: ops.ShufflevectorOp, operands: list[Any], _: Frame) -> Datum:
    both = (*operands[0].items, *operands[1].items)
    return Array((len(op.mask.values),), tuple(both[max(at, 0)] for at in op.mask.values))


# ---- control


def to(op: Operation, number: int, frame: Frame) -> Jump:
    """The jump to one of the successors of a branch."""
    branch = op.interface(Branch)
    assert branch is not None, "it is a branch"
    edge = branch.edges(op)[number]
    return Jump(edge.target, frame.of(edge.passed))


def _branch(op: ops.BrOp, _: list[Any], frame: Frame) -> Jump:
    return to(op, 0, frame)


def _conditional(op: ops.CondBrOp, operands: list[Any], frame: Frame) -> Jump:
    return to(op, 0 if operands[0] else 1, frame)


def _switch(op: ops.SwitchOp, operands: list[Any], frame: Frame) -> Jump:
    cases = of_attribute(op.case_values) if op.case_values is not None else None
    items = list(cases.items) if isinstance(cases, Array) else []
    return to(op, items.index(operands[0]) + 1 if operands[0] in items else 0, frame)


def _call(op: ops.CallOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    name = op.callee.root if op.callee is not None else ""
    callee = frame.machine.symbol(name)
    if callee is None:
        raise NotUnderstood("a call of a pointer")
    interface = callee.interface(FunctionLike)
    if interface is not None and interface.body(callee) is not None:
        return frame.machine.call(callee, operands)
    known = _LIBRARY.get(name)
    if known is None and call_of_runtime(frame.machine, name, operands):
        return []
    if known is None:
        raise NotUnderstood(f"the function @{name} without a body")
    return known(operands, frame)


def _allocate(operands: list[Any], frame: Frame) -> Sequence[Datum]:
    return [frame.memory.reserve(operands[-1], operands[0] if len(operands) > 1 else 64)]


def _free(operands: list[Any], frame: Frame) -> Sequence[Datum]:
    frame.memory.free(operands[0])
    return []


def _abort(_: list[Any], __: Frame) -> Sequence[Datum]:
    raise Trap("crash", "the program called abort")


def _say(_: list[Any], __: Frame) -> Sequence[Datum]:
    return [0]


_LIBRARY: Final = {"malloc": _allocate, "aligned_alloc": _allocate, "free": _free, "abort": _abort, "puts": _say}


# ---- memory


def _element(op: ops.GetelementptrOp, operands: list[Any], _: Frame) -> Datum:
    address, *dynamic = operands
    values = iter(zip(dynamic, op.dynamicIndices, strict=True))
    type: Type = op.elem_type.type
    for number, index in enumerate(op.rawConstantIndices.values):
        if index == _DYNAMIC:
            value, of = next(values)
            index = signed(value, bits_of(of.type))
        if number == 0:
            address += index * size_in_memory(type)[0]
        elif isinstance(type, LLVMStructType):
            start, type = field_at(type, index)
            address += start
        elif isinstance(type, (LLVMArrayType, VectorType)):
            type = type.element
            address += index * size_in_memory(type)[0]
        else:
            raise NotUnderstood(f"an element of {type}")
    return address % (1 << 64)


def _load(op: ops.LoadOp, operands: list[Any], frame: Frame) -> Datum:
    return load(frame, operands[0], op.res.type)


def _store(op: ops.StoreOp, operands: list[Any], frame: Frame) -> None:
    value, address = operands
    store(frame, address, value, op.value.type)


def _alloca(op: ops.AllocaOp, operands: list[Any], frame: Frame) -> Datum:
    return frame.memory.reserve(signed_index(operands[0]) * size_in_memory(op.elem_type.type)[0])


def _address_of(op: ops.MlirAddressofOp, _: list[Any], frame: Frame) -> Datum:
    name = op.global_name.root
    variable = frame.machine.symbol(name)
    known = frame.machine.globals.get(name)
    if known is not None:
        return known
    type = getattr(variable, "global_type", None)
    value = getattr(variable, "value", None)
    if variable is None or type is None or any(region.first is not None for region in variable.regions):
        raise NotUnderstood(f"the variable @{name}")
    address = frame.memory.allocate(size_in_memory(type.type)[0])
    if value is not None:
        array = of_attribute(value)
        store(frame, address, nested(array, type.type), type.type)
    frame.machine.globals[name] = address
    return address


def _copy(_: Operation, operands: list[Any], frame: Frame) -> None:
    target, source, size, *_rest = operands
    frame.memory.write(target, frame.memory.read(source, size))


def _absolute(op: Operation, operands: list[Any], _: Frame) -> Datum:
    bits = bits_of(element_type(op.operands[0].type))
    return each.unary(lambda a: abs(signed(a, bits)) % (1 << bits), operands[:1])


def _combined(name: str) -> Interpret:
    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        bits = bits_of(op.result.type)
        total, *rest = operands[0].items
        for item in rest:
            total = INTEGER[name](total, item, bits) % (1 << bits)
        return total

    return interpret


def _with_start(op: Operation, operands: list[Any], _: Frame) -> Datum:
    from fathom.interpreting.numbers import FLOAT, rounded

    start, array = operands
    type = each.float_name(op.result.type)
    of = FLOAT["add" if op.name.endswith("fadd") else "mul"]
    for item in array.items:
        start = rounded(of(start, item), type)
    return start


def _masked_load(op: Operation, operands: list[Any], frame: Frame) -> Datum:
    address, mask, *otherwise = operands
    element = element_type(op.result.type)
    size = size_of(element)
    items: list[Datum] = []
    for at, is_read in enumerate(mask.items):
        other = otherwise[0].items[at] if otherwise else 0
        items.append(frame.memory.load(address + at * size, element) if is_read else other)
    return Array(mask.shape, tuple(items))


def _multiplied_and_added(op: Operation, operands: list[Any], _: Frame) -> Datum:
    from fathom.interpreting.numbers import rounded

    type = each.float_name(op.result.type)
    return each.ternary(lambda a, b, c: rounded(rounded(a * b, type) + c, type), operands)


def _nothing(_: Operation, __: list[Any], ___: Frame) -> None:
    return None


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _zero,
    "llvm.mlir.undef": _nothing_known,
    "llvm.mlir.poison": _nothing_known,
    "llvm.mlir.addressof": _address_of,
    "llvm.add": each.integers("add"),
    "llvm.sub": each.integers("sub"),
    "llvm.mul": each.integers("mul"),
    "llvm.udiv": each.integers("divu"),
    "llvm.sdiv": each.integers("divs"),
    "llvm.urem": each.integers("remu"),
    "llvm.srem": each.integers("rems"),
    "llvm.and": each.integers("and"),
    "llvm.or": each.integers("or"),
    "llvm.xor": each.integers("xor"),
    "llvm.shl": each.integers("shl"),
    "llvm.lshr": each.integers("shru"),
    "llvm.ashr": each.integers("shrs"),
    "llvm.icmp": _compare,
    "llvm.fcmp": _compare_floats,
    "llvm.select": each.chosen,
    "llvm.fadd": each.floats("add"),
    "llvm.fsub": each.floats("sub"),
    "llvm.fmul": each.floats("mul"),
    "llvm.fdiv": each.floats("div"),
    "llvm.frem": each.floats("rem"),
    "llvm.fneg": each.negated,
    "llvm.zext": each.resized(has_sign=False),
    "llvm.sext": each.resized(has_sign=True),
    "llvm.trunc": each.resized(has_sign=False),
    "llvm.sitofp": each.to_float(has_sign=True),
    "llvm.uitofp": each.to_float(has_sign=False),
    "llvm.fptosi": each.from_float,
    "llvm.fptoui": each.from_float,
    "llvm.fpext": each.of_other_precision,
    "llvm.fptrunc": each.of_other_precision,
    "llvm.ptrtoint": each.same,
    "llvm.inttoptr": each.same,
    "llvm.freeze": each.same,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle,
    "llvm.br": _branch,
    "llvm.cond_br": _conditional,
    "llvm.switch": _switch,
    "llvm.call": _call,
    "llvm.getelementptr": _element,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.alloca": _alloca,
    "llvm.intr.memcpy": _copy,
    "llvm.intr.memmove": _copy,
    "llvm.intr.abs": _absolute,
    "llvm.intr.smax": each.integers("maxs"),
    "llvm.intr.smin": each.integers("mins"),
    "llvm.intr.umax": each.integers("maxu"),
    "llvm.intr.umin": each.integers("minu"),
    "llvm.intr.maximum": each.floats("maximum"),
    "llvm.intr.minimum": each.floats("minimum"),
    "llvm.intr.maxnum": each.floats("maxnum"),
    "llvm.intr.minnum": each.floats("minnum"),
    "llvm.intr.fma": each.fused,
    "llvm.intr.fmuladd": _multiplied_and_added,
    "llvm.intr.masked.load": _masked_load,
    "llvm.intr.fabs": each.function("absf"),
    "llvm.intr.sqrt": each.function("sqrt"),
    "llvm.intr.exp": each.function("exp"),
    "llvm.intr.exp2": each.function("exp2"),
    "llvm.intr.log": each.function("log"),
    "llvm.intr.sin": each.function("sin"),
    "llvm.intr.cos": each.function("cos"),
    "llvm.intr.floor": each.function("floor"),
    "llvm.intr.ceil": each.function("ceil"),
    "llvm.intr.trunc": each.function("trunc"),
    "llvm.intr.round": each.function("round"),
    "llvm.intr.roundeven": each.function("roundeven"),
    "llvm.intr.pow": each.power,
    "llvm.intr.vector.reduce.add": _combined("add"),
    "llvm.intr.vector.reduce.mul": _combined("mul"),
    "llvm.intr.vector.reduce.and": _combined("and"),
    "llvm.intr.vector.reduce.or": _combined("or"),
    "llvm.intr.vector.reduce.xor": _combined("xor"),
    "llvm.intr.vector.reduce.smax": _combined("maxs"),
    "llvm.intr.vector.reduce.smin": _combined("mins"),
    "llvm.intr.vector.reduce.umax": _combined("maxu"),
    "llvm.intr.vector.reduce.umin": _combined("minu"),
    "llvm.intr.vector.reduce.fadd": _with_start,
    "llvm.intr.vector.reduce.fmul": _with_start,
    "llvm.intr.lifetime.start": _nothing,
    "llvm.intr.lifetime.end": _nothing,
    "llvm.intr.assume": _nothing,
}
