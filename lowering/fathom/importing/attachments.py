"""What metadata that is attached to instructions and functions says of the operations that stand for them.

Source of the rules: *LLVM Language Reference*, "Metadata Nodes and Metadata Strings"; *'llvm' Dialect*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import i32_array
from fathom.importing.aliasing import integer_in, operands_of, unsigned
from fathom.importing.attributes import made
from fathom.ir.attributes import ArrayAttr, TypeAttr, i32_attr, i64_attr
from fathom.llvmir.constants import integer
from fathom.llvmir.metadata import MDNode, MDString, ValueAsMetadata
from fathom.llvmir.types import I32
from fathom.ops.llvm import CallOp

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.locations import LocationAttr
    from fathom.ir.operation import Operation
    from fathom.llvmir.instructions import Instruction
    from fathom.llvmir.metadata import Metadata
    from fathom.llvmir.module import Function

Attach: TypeAlias = "Callable[[ModuleImport, Operation, MDNode, LocationAttr], bool]"
"""Says with an operation what a node says, and tells whether it could."""


def attach(into: BodyImport, of: Instruction, op: Operation) -> None:
    """What is attached to an instruction, but where it stands."""
    module = into.module
    for kind, node in of.metadata:
        handle = _KINDS.get(kind)
        if handle is None or handle(module, op, node, into.location):
            continue
        if module.options.emit_expensive_warnings:
            text = f"{module.texts.node(node)} on {module.texts.instruction(of, into.function)}"
            module.warn(f"unhandled metadata: {text}", into.location)


def attach_to_function(module: ModuleImport, of: Function, op: Operation) -> None:
    """What is attached to a function, but its debug information."""
    location = module.debug_info.function_location(of)
    for kind, node in of.metadata:
        handle = _KINDS.get(kind)
        if handle is not None and not handle(module, op, node, location):
            text = f"{module.texts.node(node)} on {module.texts.item(of)}"
            module.warn(f"unhandled function metadata: {text}", location)


# ---- profiles


def _profile(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    operands = operands_of(node)
    first = operands[0] if operands else None
    if not isinstance(first, MDString):
        return False
    if first.text == "function_entry_count":
        return _entry_count(module, op, operands, location)
    if first.text != "branch_weights" or len(operands) < 2:
        return False
    weights = operands[1:]
    if isinstance(weights[0], MDString):
        if weights[0].text != "expected":
            return False
        weights = weights[1:]
    numbers = [integer_in(weight) for weight in weights]
    if any(number is None for number in numbers) or not (module.has(op, "branch_weights") or isinstance(op, CallOp)):
        return False
    if op.successors:  # A call may have weights in LLVM IR, where MLIR has none.
        values = [integer(I32, unsigned(number)).value for number in numbers if number is not None]
        op.properties["branch_weights"] = i32_array(*values)
    return True


def _entry_count(
    module: ModuleImport, op: Operation, operands: Sequence[Metadata | None], location: LocationAttr
) -> bool:
    count = integer_in(operands[1]) if len(operands) == 2 else None
    if count is None:
        return False
    if not module.has(op, "function_entry_count"):
        module.warn("expected function_entry_count to be attached to a function", location)
        return False
    op.properties["function_entry_count"] = i64_attr(count.value)
    return True


# ---- accesses


def _tbaa(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    del location
    tag = module.aliasing.tag(node)
    if tag is None or not module.has(op, "tbaa"):
        return False
    op.properties["tbaa"] = tag
    return True


def _listed(prop: str, *, groups: bool = False) -> Attach:
    def handle(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
        del location
        found = module.aliasing.groups(node) if groups else module.aliasing.scopes(node)
        if found is None or not module.has(op, prop):
            return False
        op.properties[prop] = ArrayAttr(found)
        return True

    return handle


def _dereferenceable(*, may_be_null: bool) -> Attach:
    def handle(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
        del location
        operands = operands_of(node)
        if len(operands) != 1:
            message = "dereferenceable metadata must have one operand"
            module.error(f"{message}: {module.texts.node(node)}", module.place)
            return False
        number = integer_in(operands[0])
        if number is None or number.value < 0:
            message = "dereferenceable metadata operand must be a non-negative constant integer"
            module.error(f"{message}: {module.texts.node(node)}", module.place)
            return False
        if not module.has(op, "dereferenceable"):
            return False
        op.properties["dereferenceable"] = made("DereferenceableAttr", bytes=number.value, mayBeNull=may_be_null)
        return True

    return handle


def _loop(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    annotation = module.loops.annotation(node, location)
    if annotation is None or not module.has(op, "loop_annotation"):
        return False
    op.properties["loop_annotation"] = annotation
    return True


def _memory_model(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    del module, location
    tag = _tag(node)
    if tag is not None:
        op.attributes["llvm.mmra"] = tag
        return True
    tags = [_tag(each) for each in operands_of(node)]
    if any(each is None for each in tags):
        return False
    op.attributes["llvm.mmra"] = ArrayAttr(tuple(each for each in tags if each is not None))
    return True


def _tag(of: Metadata | None) -> Attribute | None:
    """An annotation for the memory model: two texts."""
    operands = operands_of(of) if isinstance(of, MDNode) else ()
    texts = [operand.text for operand in operands if isinstance(operand, MDString)]
    if len(operands) != 2 or len(texts) != 2:
        return None
    return made("MMRATagAttr", prefix=texts[0], suffix=texts[1])


# ---- kernels


def _number(of: Metadata | None) -> int | None:
    number = integer_in(of)
    return None if number is None else integer(I32, number.value).value


def _vector_hint(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    del location
    operands = operands_of(node)
    if not module.has(op, "vec_type_hint") or len(operands) != 2:
        return False
    hint, is_signed = operands[0], _number(operands[1])
    if not isinstance(hint, ValueAsMetadata) or is_signed is None:
        return False
    type = TypeAttr(module.types(hint.value.type))
    op.properties["vec_type_hint"] = made("VecTypeHintAttr", hint=type, is_signed=is_signed != 0)
    return True


def _sizes(prop: str) -> Attach:
    def handle(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
        del location
        numbers = [_number(operand) for operand in operands_of(node)]
        if not module.has(op, prop) or any(number is None for number in numbers):
            return False
        op.properties[prop] = i32_array(*(number for number in numbers if number is not None))
        return True

    return handle


def _group_size(module: ModuleImport, op: Operation, node: MDNode, location: LocationAttr) -> bool:
    del location
    operands = operands_of(node)
    number = _number(operands[0]) if len(operands) == 1 else None
    if number is None or not module.has(op, "intel_reqd_sub_group_size"):
        return False
    op.properties["intel_reqd_sub_group_size"] = i32_attr(number)
    return True


_KINDS: Final[dict[str, Attach]] = {
    "prof": _profile,
    "tbaa": _tbaa,
    "llvm.access.group": _listed("access_groups", groups=True),
    "llvm.loop": _loop,
    "alias.scope": _listed("alias_scopes"),
    "noalias": _listed("noalias_scopes"),
    "dereferenceable": _dereferenceable(may_be_null=False),
    "dereferenceable_or_null": _dereferenceable(may_be_null=True),
    "mmra": _memory_model,
    "vec_type_hint": _vector_hint,
    "work_group_size_hint": _sizes("work_group_size_hint"),
    "reqd_work_group_size": _sizes("reqd_work_group_size"),
    "intel_reqd_sub_group_size": _group_size,
}
"""What kinds of metadata say."""
