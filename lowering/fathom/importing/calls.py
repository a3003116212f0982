"""Calls, and inline assembly.

Source of the rules: *'llvm' Dialect*, "`llvm.call`", "`llvm.invoke`", "`llvm.inline_asm`".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import calling_convention, cases, tail_call_kind
from fathom.dialects.llvm.ir_names import FUNCTION_FLAGS
from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.importing.attributes import call_attributes, memory_effects
from fathom.importing.control import passed
from fathom.importing.instructions import flag_properties
from fathom.importing.intrinsics import import_intrinsic
from fathom.ir.attributes import UNIT, ArrayAttr, DictAttr, StringAttr, TypeAttr, i64_attr
from fathom.ir.operation import Block
from fathom.irdl.build import segment_sizes
from fathom.llvmir import instructions as llvm
from fathom.llvmir.attributes import Attribute as LLVMAttribute
from fathom.llvmir.module import Function, GlobalIFunc
from fathom.llvmir.types import FunctionType, Type
from fathom.llvmir.values import InlineAsm

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport, Handler
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value

_OF_CALLS: Final = ("convergent", "no_unwind", "will_return", "no_inline", "always_inline", "inline_hint")
"""The flags of functions that calls have, too."""


def _call(into: BodyImport, of: llvm.CallInst) -> Operation | None:
    called = of.called
    if isinstance(called, Function) and called.is_intrinsic:
        return import_intrinsic(into, of)
    if isinstance(called, InlineAsm):
        return _assembly(into, of, called)
    operands = _operands(into, of)
    signature, fits = _signature(into, of)
    properties = _callee(into, of, signature, fits, operands)
    if of.tail_kind:
        properties["TailCallKind"] = tail_call_kind(of.tail_kind)
    if of.flags:
        properties |= flag_properties(of.flags)
    function = of.attributes.function
    if function:
        for name in _OF_CALLS:
            if function.get(FUNCTION_FLAGS[name]) is not None:
                properties[name] = UNIT
    if (effects := memory_effects(of)) is not None:
        properties["memory_effects"] = effects
    properties["operandSegmentSizes"] = segment_sizes(len(operands), 0)
    return into.make("llvm.call", operands, signature.results, properties)


def _invoke(into: BodyImport, of: llvm.InvokeInst) -> Operation:
    """What is passed to the block behind it may be its result: then this goes by a block of its own."""
    if isinstance(of.called, InlineAsm):
        raise into.module.error("invoke of inline assembly is not supported", into.location)
    operands = _operands(into, of)
    normal = into.blocks[of.normal]
    is_passed_on = _passes(into, of)
    target = normal
    if is_passed_on:
        target = Block()
        region = normal.parent
        assert region is not None
        region.insert_before(target, normal)
    unwind = passed(into, of.unwind)
    signature, fits = _signature(into, of)
    properties = _callee(into, of, signature, fits, operands)
    op = into.make("llvm.invoke", operands, signature.results, properties, (target, into.blocks[of.unwind]))
    if op.results:
        into.values[of] = op.results[0]
    arguments = passed(into, of.normal)
    if is_passed_on:
        here, into.block = into.block, target
        into.make("llvm.br", arguments, successors=(normal,))
        into.block, arguments = here, []
    op.set_operands([*operands, *arguments, *unwind])
    op.properties["operandSegmentSizes"] = segment_sizes(len(operands), len(arguments), len(unwind), 0)
    return op


def _passes(into: BodyImport, of: llvm.InvokeInst) -> bool:
    """Whether the result is passed to the block behind."""
    for instruction in of.normal.instructions:
        if not isinstance(instruction, llvm.PHINode):
            return False
        pairs = zip(instruction.operands, instruction.blocks, strict=True)
        if next(value for value, block in pairs if block is into.source) is of:
            return True
    return False


def _operands(into: BodyImport, of: llvm.CallBase) -> list[Value]:
    """What is called, unless it has a name, and the arguments."""
    values = [] if isinstance(of.called, Function | GlobalIFunc) else [into.value(of.called)]
    return [*values, *map(into.value, of.operands)]


def _signature(into: BodyImport, of: llvm.CallBase) -> tuple[LLVMFunctionType, bool]:
    """The type of what is called, or that of the call where this has another, which is said."""
    own = _function_type(into, of.function_type)
    called = of.called
    if not isinstance(called, Function | GlobalIFunc):
        return own, True
    declared = called.value_type
    if declared is of.function_type:
        return own, True
    callee = _function_type(into, declared)
    if _fits(own, callee):
        return callee, True
    into.module.warn(f"incompatible call and callee types: '{own}' and '{callee}'", into.location)
    return own, False


def _function_type(into: BodyImport, of: Type) -> LLVMFunctionType:
    assert isinstance(of, FunctionType)
    made = into.types(of)
    assert isinstance(made, LLVMFunctionType)
    return made


def _fits(call: LLVMFunctionType, callee: LLVMFunctionType) -> bool:
    """Whether what is called can be called so."""
    few, many = len(callee.params), len(call.params)
    if call.result != callee.result or (many < few if callee.varargs else many != few):
        return False
    return call.params[:few] == callee.params


def _callee(
    into: BodyImport, of: llvm.CallBase, signature: LLVMFunctionType, fits: bool, operands: list[Value]
) -> dict[str, Attribute]:
    """The properties that all calls have. What does not fit is called by its address."""
    properties: dict[str, Attribute] = {}
    if of.calling_convention:
        properties["CConv"] = convention(into.module, of.calling_convention)
    if signature.varargs:
        properties["var_callee_type"] = TypeAttr(signature)
    if isinstance(of.called, Function | GlobalIFunc):
        name = into.module.symbol(of.called)
        if fits:
            properties["callee"] = name
        else:
            operands.insert(0, into.make_one("llvm.mlir.addressof", (), into.module.pointer, {"global_name": name}))
    if fits:
        properties |= call_attributes(into.module, of)
    return properties


def convention(module: ModuleImport, number: int) -> Attribute:
    """A calling convention by its number. One that MLIR has not is printed as none."""
    if number not in cases("CConv").values():
        module.hint(number, f"calling convention {number} is none of MLIR's, which prints none in its place")
    return calling_convention(number)


# ---- inline assembly


def _assembly(into: BodyImport, of: llvm.CallInst, called: InlineAsm) -> Operation:
    operands = [into.value(operand) for operand in of.operands]
    properties: dict[str, Attribute] = {
        "asm_string": StringAttr(called.text),
        "constraints": StringAttr(called.constraints),
        "asm_dialect": i64_attr(int(called.is_intel_dialect)),
    }
    if called.has_side_effects:
        properties["has_side_effects"] = UNIT
    if called.is_align_stack:
        properties["is_align_stack"] = UNIT
    if of.tail_kind:
        properties["tail_call_kind"] = tail_call_kind(of.tail_kind)
    if (elements := _elements(into, of, called.constraints)) is not None:
        properties["operand_attrs"] = elements
    result = into.types(of.type)
    return into.make("llvm.inline_asm", operands, (result,), properties)


def _elements(into: BodyImport, of: llvm.CallInst, constraints: str) -> ArrayAttr | None:
    """The types of what operands point to that are passed by their address."""
    attributes: list[Attribute] = []
    is_any = False
    index = 0
    for constraint in constraints.split(",") if constraints else ():
        kind = constraint[:1]
        is_indirect = "*" in constraint[:2]
        if kind in ("~", "!") or (kind == "=" and not is_indirect):
            continue
        if is_indirect:
            attribute = of.attributes.parameter(index).get("elementtype")
            if isinstance(attribute, LLVMAttribute) and isinstance(attribute.value, Type):
                type = TypeAttr(into.types(attribute.value))
                attributes.append(DictAttr((("elementtype", type),)))
                is_any = True
        else:
            attributes.append(DictAttr(()))
        index += 1
    return ArrayAttr(tuple(attributes)) if is_any else None


CALLS: Final[dict[type, Handler]] = {llvm.CallInst: _call, llvm.InvokeInst: _invoke}
"""What imports the instructions of a class."""
