"""Variables, aliases, indirect functions and comdats.

Source of the rules: *'llvm' Dialect*, "`llvm.mlir.global`", "`llvm.mlir.alias`", "`llvm.mlir.ifunc`", "`llvm.comdat`",
"`llvm.mlir.global_ctors`".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import ir_numbers, linkage
from fathom.importing.attributes import made, passed_through
from fathom.importing.body import BodyImport
from fathom.importing.calls import CALLS
from fathom.importing.constant_attributes import ScalableVectors, attribute_of
from fathom.importing.control import CONTROL
from fathom.importing.instructions import INSTRUCTIONS
from fathom.importing.state import UNKNOWN, Failed
from fathom.ir.attributes import UNIT, ArrayAttr, StringAttr, SymbolRefAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.operation import Block, Region
from fathom.llvmir.module import Comdat, Function, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable
from fathom.llvmir.types import PointerType
from fathom.llvmir.values import ConstantAggregate, ConstantAggregateZero, ConstantInt, ConstantPointerNull

if TYPE_CHECKING:
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.llvmir.values import Constant

HANDLERS: Final = INSTRUCTIONS | CONTROL | CALLS
"""What imports instructions, by their classes."""
_STRUCTORS: Final = {"llvm.global_ctors": "ctors", "llvm.global_dtors": "dtors"}
_COMDATS: Final = "__llvm_global_comdat"


def import_comdats(module: ModuleImport) -> None:
    """The comdats that variables and functions have, in a table."""
    holders = [*module.source.globals, *module.source.functions]
    used: dict[int, Comdat] = {id(each.comdat): each.comdat for each in holders if each.comdat is not None}
    if not used:
        return
    block = Block()
    name: dict[str, Attribute] = {"sym_name": StringAttr(_COMDATS)}
    module.insert_global(module.build("llvm.comdat", properties=name, regions=(Region((block,)),)))
    for comdat in used.values():
        properties = {
            "sym_name": StringAttr(comdat.name),
            "comdat": i64_attr(ir_numbers("Comdat")[comdat.selection_kind]),
        }
        block.append(module.build("llvm.comdat_selector", properties=properties)).location = module.place
        module.comdats[id(comdat)] = SymbolRefAttr(_COMDATS, (comdat.name,))


def global_words(of: GlobalValue) -> dict[str, Attribute]:
    """What all that is global says by words."""
    properties: dict[str, Attribute] = {}
    if of.is_dso_local or of.is_implicitly_local:
        properties["dso_local"] = UNIT
    if of.unnamed_addr:
        properties["unnamed_addr"] = i64_attr(ir_numbers("UnnamedAddr")[of.unnamed_addr])
    if of.visibility != "default":
        properties["visibility_"] = i64_attr(ir_numbers("Visibility")[of.visibility])
    return properties


def import_global(module: ModuleImport, of: GlobalVariable) -> None:
    """A variable, or the list of what runs before or after a program. Raises Failed."""
    try:
        if of.name in _STRUCTORS:
            _import_structors(module, of)
        else:
            _import_variable(module, of)
    except Failed:
        raise module.error(f"unhandled global variable: {module.texts.item(of)}", UNKNOWN) from None


def _import_variable(module: ModuleImport, of: GlobalVariable) -> None:
    value: Attribute | None = None
    if of.initializer is not None:
        try:
            value = attribute_of(of.initializer, module.types)
        except ScalableVectors:
            for _ in range(2):
                module.error("scalable vectors not supported")
    space = of.type.address_space if isinstance(of.type, PointerType) else 0
    properties: dict[str, Attribute] = {
        "global_type": TypeAttr(module.types(of.value_type)),
        "sym_name": module.name_property(of),
        "linkage": linkage(of.linkage),
        "addr_space": i32_attr(space),
        **global_words(of),
    }
    if value is not None:
        properties["value"] = value
    if of.is_constant:
        properties["constant"] = UNIT
    if of.thread_local:
        properties["thread_local_"] = UNIT
    if of.alignment:
        properties["alignment"] = i64_attr(of.alignment)
    if of.section:
        properties["section"] = StringAttr(of.section)
    if of.comdat is not None:
        properties["comdat"] = module.comdats[id(of.comdat)]
    if expressions := module.debug_info.global_expressions(of):
        properties["dbg_exprs"] = ArrayAttr(expressions)
    if attributes := passed_through(of.attributes, module, module.place):
        properties["target_specific_attrs"] = attributes
    region = Region()
    module.insert_global(module.build("llvm.mlir.global", properties=properties, regions=(region,)))
    if of.initializer is not None and value is None:
        _initialize(module, region, of.initializer)


def _initialize(module: ModuleImport, region: Region, by: Constant) -> None:
    """A region that returns a constant."""
    block = region.append(Block())
    body = BodyImport(module, HANDLERS, block)
    body.make("llvm.return", [body.value(by)]).location = body.module.place


def _import_structors(module: ModuleImport, of: GlobalVariable) -> None:
    functions: list[Attribute] = []
    priorities: list[Attribute] = []
    data: list[Attribute] = []
    if of.linkage != "appending" or not isinstance(of.initializer, ConstantAggregate | ConstantAggregateZero):
        raise Failed
    entries = of.initializer.operands if isinstance(of.initializer, ConstantAggregate) else ()
    if isinstance(of.initializer, ConstantAggregateZero) and getattr(of.value_type, "count", 0):
        raise Failed
    for entry in entries:
        match entry:
            case ConstantAggregate(_, (ConstantInt(_, priority), Function() as function, with_data)):
                functions.append(SymbolRefAttr(function.name))
                priorities.append(i32_attr(priority))
                if isinstance(with_data, GlobalValue):
                    data.append(SymbolRefAttr(with_data.name))
                elif isinstance(with_data, ConstantPointerNull):
                    data.append(made("ZeroAttr"))
                else:
                    raise Failed
            case _:
                raise Failed
    kind = _STRUCTORS[of.name]
    properties: dict[str, Attribute] = {
        kind: ArrayAttr(tuple(functions)),
        "priorities": ArrayAttr(tuple(priorities)),
        "data": ArrayAttr(tuple(data)),
    }
    module.insert_global(module.build(f"llvm.mlir.global_{kind}", properties=properties))


def import_alias(module: ModuleImport, of: GlobalAlias) -> None:
    """Another name for a constant. Raises Failed."""
    properties: dict[str, Attribute] = {
        "alias_type": TypeAttr(module.types(of.value_type)),
        "sym_name": StringAttr(of.name),
        "linkage": linkage(of.linkage),
        **global_words(of),
    }
    if of.thread_local:
        properties["thread_local_"] = UNIT
    region = Region()
    module.insert_global(module.build("llvm.mlir.alias", properties=properties, regions=(region,)))
    assert of.aliasee is not None
    try:
        _initialize(module, region, of.aliasee)
    except Failed:
        raise module.error(f"unhandled global alias: {module.texts.item(of)}", UNKNOWN) from None


def import_ifunc(module: ModuleImport, of: GlobalIFunc) -> Operation:
    """A function that is found when the program is loaded. It comes behind the last global, but no further one behind
    it."""
    assert of.resolver is not None
    resolver = of.resolver.name if isinstance(of.resolver, GlobalValue) else ""
    space = of.type.address_space if isinstance(of.type, PointerType) else 0
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(of.name),
        "i_func_type": TypeAttr(module.types(of.value_type)),
        "resolver": SymbolRefAttr(resolver),
        "resolver_type": TypeAttr(module.types(of.resolver.type)),
        "linkage": linkage(of.linkage),
        "address_space": i32_attr(space),
        **global_words(of),
    }
    last = module.last_global
    op = module.insert_global(module.build("llvm.mlir.ifunc", properties=properties))
    module.last_global = last
    return op
