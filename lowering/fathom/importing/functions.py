"""Functions: their signatures, and their blocks in the order in which values are defined before they are used.

Source of the rules: *'llvm' Dialect*, "`llvm.func`", "PHI Nodes and Block Arguments".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.importing.attachments import attach_to_function
from fathom.importing.attributes import function_properties, function_signature
from fathom.importing.body import BodyImport
from fathom.importing.calls import convention
from fathom.importing.control import in_postorder
from fathom.importing.globals import HANDLERS, global_words
from fathom.importing.intrinsics import is_convertible
from fathom.importing.records import Records
from fathom.ir.attributes import StringAttr, SymbolRefAttr, i64_attr
from fathom.ir.operation import Block, Region
from fathom.llvmir import instructions as llvm
from fathom.llvmir.module import Function, GlobalValue
from fathom.llvmir.values import ConstantExpr

if TYPE_CHECKING:
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.locations import LocationAttr

_BLOCK_TAG: Final = "llvm.blocktag"


def import_function(module: ModuleImport, of: Function) -> None:
    """A function, unless it is an intrinsic for whose calls operations stand. Raises Failed."""
    type = module.types(of.value_type)
    assert isinstance(type, LLVMFunctionType)
    if of.is_intrinsic and is_convertible(module, of):
        return
    location = module.debug_info.function_location(of)
    region = Region()
    properties = _properties(module, of, type, location)
    op = module.append(module.build("llvm.func", properties=properties, regions=(region,)))
    op.location = location
    attach_to_function(module, of, op)
    if of.blocks:
        _import_body(module, of, region, location)


def _properties(
    module: ModuleImport, of: Function, type: LLVMFunctionType, location: LocationAttr
) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(of.name),
        "function_type": module.types.attribute(of.value_type),
        "linkage": linkage(of.linkage),
        **function_signature(of, module),
        **global_words(of),
    }
    if of.calling_convention:
        properties["CConv"] = convention(module, of.calling_convention)
    if of.personality is not None:
        name = _personality(of)
        if name:
            properties["personality"] = SymbolRefAttr(name)
        else:
            module.warn("could not deduce personality, skipping it", location)
    if of.gc:
        properties["garbageCollector"] = StringAttr(of.gc)
    if of.section:
        properties["section"] = StringAttr(of.section)
    if of.comdat is not None:
        properties["comdat"] = module.comdats[id(of.comdat)]
    if of.alignment:
        properties["alignment"] = i64_attr(of.alignment)
    properties.update(function_properties(of, module, location))
    return properties


def _personality(of: Function) -> str:
    """The name of what handles exceptions; empty for what has none."""
    match of.personality:
        case GlobalValue(name=name):
            return name
        case ConstantExpr(opcode="bitcast", operands=(GlobalValue(name=name),)):
            return name
        case _:
            return ""


def _import_body(module: ModuleImport, of: Function, region: Region, location: LocationAttr) -> None:
    order = in_postorder(of.blocks[0])
    reached = set(order)
    taken = module.addresses.of_function(of)
    entry = Block()
    body = BodyImport(module, HANDLERS, entry, of)
    for source in of.blocks:
        if source in reached:
            block = entry if not body.blocks else Block()
            body.blocks[source] = region.append(block)
        elif source in taken:
            raise module.error(f"unreachable block '{source.name}' with address taken", location)
    for argument in of.arguments:
        value = entry.add_argument(module.types(argument.type))
        value.location = location
        body.values[argument] = value
    records = Records(body)
    warns = module.options.emit_expensive_warnings
    # MLIR loses the records before intrinsics, which calls in their place are not.
    loses = not module.options.convert_debug_rec_to_intrinsics
    for source in reversed(order):
        body.source, body.block = source, body.blocks[source]
        for instruction in source.instructions:
            if instruction.records and not (loses and _is_intrinsic(instruction)):
                records.meet(instruction)
            if body.convert(instruction) is None and warns and not isinstance(instruction, llvm.PHINode):
                text = module.texts.instruction(instruction, of)
                module.warn(f"dropped instruction: {text}", body.location)
        if source in taken:
            tag = module.build(_BLOCK_TAG, properties={"tag": module.addresses.tag(of, source)})
            body.block.insert_before(tag, body.block.first)
    records.place()


def _is_intrinsic(of: llvm.Instruction) -> bool:
    return isinstance(of, llvm.CallInst) and isinstance(of.called, Function) and of.called.is_intrinsic
