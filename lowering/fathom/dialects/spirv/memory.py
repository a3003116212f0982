"""Variables, and what reads and writes them: `spirv.Variable`, `spirv.GlobalVariable`, `spirv.Load`, `spirv.Store`.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import ArrayType, PointerType, cases, may_be_same
from fathom.dialects.spirv.words import attribute_of, number, parse_pair, parse_string, spelling
from fathom.ir.attributes import IntegerAttr, StringAttr, TypeAttr
from fathom.ir.property_values import type_property
from fathom.ir.types import I32, Type, UnknownType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

_ALIGNED: Final = 2


def _storage(value: Value) -> str:
    return value.type.storage if isinstance(value.type, PointerType) else "Function"


def _pointee(value: Value) -> Type:
    return value.type.pointee if isinstance(value.type, PointerType) else value.type


# ---- memory access


def _parse_access(parser: OpParser, parsed: ParsedOp, prefix: str = "") -> None:
    """`["Volatile|Aligned", 4]`, or nothing."""
    if not parser.accept("["):
        return
    access = parse_string(parser, parsed.name, "MemoryAccess", f"{prefix}memory_access")
    parsed.attributes[f"{prefix}memory_access"] = attribute_of("MemoryAccess", access)
    if access & _ALIGNED:
        parser.expect(",")
        parsed.attributes[f"{prefix}alignment"] = parser.attribute(I32)
    parser.expect("]")


def _print_access(op: Operation, p: OpPrinter, prefix: str = "") -> list[str]:
    """Writes the access, and gives the names of what it has written."""
    name = f"{prefix}memory_access"
    if name not in op.properties:
        return []
    text = spelling(op, name, "MemoryAccess")
    p.write(f' ["{text}"')
    alignment = op.properties.get(f"{prefix}alignment")
    written = [name]
    if (number(op, name) or 0) & _ALIGNED and isinstance(alignment, IntegerAttr):
        p.write(f", {alignment.value}")
        written.append(f"{prefix}alignment")
    p.write("]")
    return written


def _access_problem(op: ops.CopyMemoryOp | ops.LoadOp | ops.StoreOp, prefix: str = "") -> Complaint:
    access, alignment = number(op, f"{prefix}memory_access"), op.properties.get(f"{prefix}alignment")
    if access is None:
        if alignment is not None:
            return "invalid alignment specification without aligned memory access specification"
        return None
    if access & _ALIGNED and alignment is None:
        return "missing alignment value"
    if not access & _ALIGNED and alignment is not None:
        return "invalid alignment specification with non-aligned memory access specification"
    return None


# ---- spirv.Load and spirv.Store


def _parse_load(parser: OpParser, parsed: ParsedOp) -> str:
    storage = _parse_storage(parser, parsed)
    parsed.operands["ptr"] = [parser.value_use()]
    _parse_access(parser, parsed)
    parser.attr_dict(parsed)
    parser.expect(":")
    parsed.types["value"] = [parser.type()]
    return storage


def _parse_storage(parser: OpParser, parsed: ParsedOp) -> str:
    found = parse_string(parser, parsed.name, "StorageClass", "storage_class")
    return next(word for word, each in cases("StorageClass").items() if each == found)


def _resolve_load(resolver: Resolver, parsed: ParsedOp, storage: str) -> None:
    type = resolver.type(parsed.types["value"][0])
    resolver.operands = [resolver.operand(parsed.operands["ptr"][0], PointerType(type, storage))]
    resolver.result_types = [type]


def _print_load(op: ops.LoadOp, p: OpPrinter) -> None:
    p.write(f' "{_storage(op.ptr)}" ')
    p.value(op.ptr)
    p.attributes_but(op, _print_access(op, p))
    p.write(" : ")
    p.type(op.result.type)


def _parse_store(parser: OpParser, parsed: ParsedOp) -> str:
    storage = _parse_storage(parser, parsed)
    parsed.operands["values"] = parse_pair(parser, parsed.name)
    _parse_access(parser, parsed)
    parser.expect(":")
    parsed.types["value"] = [parser.type()]
    return storage


def _resolve_store(resolver: Resolver, parsed: ParsedOp, storage: str) -> None:
    type = resolver.type(parsed.types["value"][0])
    pointee = type
    if parsed.name == "spirv.INTEL.SubgroupBlockWrite" and isinstance(type, VectorType):
        pointee = type.element
    resolver.operands = resolver.operand_list(parsed.operands["values"], [PointerType(pointee, storage), type])


def _print_store(op: ops.StoreOp, p: OpPrinter) -> None:
    p.write(f' "{_storage(op.ptr)}" ')
    p.values(op.operands)
    written = _print_access(op, p)
    p.write(" : ")
    p.type(op.value.type)
    p.attributes_but(op, written)


def _parse_block_write(parser: OpParser, parsed: ParsedOp) -> str:
    storage = _parse_storage(parser, parsed)
    parsed.operands["values"] = parse_pair(parser, parsed.name)
    parser.expect(":")
    parsed.types["value"] = [parser.type()]
    return storage


def _print_block_write(op: ops.INTELSubgroupBlockWriteOp, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.write(" : ")
    p.type(op.value.type)


@verifies("spirv.Load", "spirv.Store")
def _verify_access(op: ops.LoadOp | ops.StoreOp) -> Complaint:
    value = op.result if op.results else op.operands[1]
    pointer = op.ptr.type
    if isinstance(pointer, PointerType) and not may_be_same(pointer.pointee, value.type):
        return "mismatch in result type and pointer type"
    return _access_problem(op)


# ---- spirv.CopyMemory


def _parse_copy(parser: OpParser, parsed: ParsedOp) -> tuple[str, str]:
    target = _parse_storage(parser, parsed)
    parsed.operands["target"] = [parser.value_use()]
    parser.expect(",")
    source = _parse_storage(parser, parsed)
    parsed.operands["source"] = [parser.value_use()]
    _parse_access(parser, parsed)
    if parser.accept(","):
        _parse_access(parser, parsed, "source_")
    parser.expect(":")
    parsed.types["pointee"] = [parser.type()]
    parser.attr_dict(parsed)
    return target, source


def _resolve_copy(resolver: Resolver, parsed: ParsedOp, storages: tuple[str, str]) -> None:
    type = resolver.type(parsed.types["pointee"][0])
    tokens = (parsed.operands["target"][0], parsed.operands["source"][0])
    pairs = zip(tokens, storages, strict=True)
    resolver.operands = [resolver.operand(token, PointerType(type, storage)) for token, storage in pairs]


def _print_copy(op: ops.CopyMemoryOp, p: OpPrinter) -> None:
    p.write("  ")
    for index, value in enumerate(op.operands):
        p.write(f'{",  " if index else ""}"{_storage(value)}" ')
        p.value(value)
    written = _print_access(op, p)
    p.write(", ")
    # MLIR says the access of the target again where that of the source is not told.
    written += _print_access(op, p, "source_" if op.source_memory_access is not None else "")
    p.attributes_but(op, written)
    p.write(" : ")
    p.type(_pointee(op.target))


@verifies("spirv.CopyMemory")
def _verify_copy(op: ops.CopyMemoryOp) -> Complaint:
    target, source = (value.type for value in op.operands)
    if isinstance(target, PointerType) and isinstance(source, PointerType) and target.pointee != source.pointee:
        return "both operands must be pointers to the same type"
    return _access_problem(op) or _access_problem(op, "source_")


# ---- variables


def _parse_decorations(parser: OpParser, parsed: ParsedOp) -> None:
    """`bind(0, 1)` or `built_in("Position")`, and further attributes."""
    if parser.accept("bind"):
        parser.expect("(")
        parsed.attributes["descriptor_set"] = parser.attribute(I32)
        parser.expect(",")
        parsed.attributes["binding"] = parser.attribute(I32)
        parser.expect(")")
    elif parser.accept("built_in"):
        parser.expect("(")
        parsed.attributes["built_in"] = parser.attribute()
        parser.expect(")")
    parser.attr_dict(parsed)


def _print_decorations(op: ops.GlobalVariableOp | ops.VariableOp, p: OpPrinter, elided: list[str]) -> None:
    space, binding = op.attribute("descriptor_set"), op.attribute("binding")
    if isinstance(space, IntegerAttr) and isinstance(binding, IntegerAttr):
        p.write(f" bind({space.value}, {binding.value})")
        elided += ["descriptor_set", "binding"]
    built_in = op.attribute("built_in")
    if isinstance(built_in, StringAttr):
        p.write(f' built_in("{built_in.value}")')
        elided.append("built_in")
    p.attributes_but(op, elided)


def _pointer_type(resolver: Resolver, node: Node, name: str) -> Type:
    type = resolver.type(node)
    if not isinstance(type, (PointerType, UnknownType)):
        resolver.fail(f"custom op '{name}' expected spirv.ptr type", node.start)
    return type


def _parse_variable(parser: OpParser, parsed: ParsedOp) -> None:
    if parser.accept("init"):
        parser.expect("(")
        parsed.operands["initializer"] = [parser.value_use()]
        parser.expect(")")
    _parse_decorations(parser, parsed)
    parser.expect(":")
    parsed.types["pointer"] = [parser.type()]


def _resolve_variable(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    type = _pointer_type(resolver, parsed.types["pointer"][0], parsed.name)
    resolver.result_types = [type]
    if isinstance(type, PointerType):
        storage = cases("StorageClass")[type.storage]
        resolver.properties["storage_class"] = attribute_of("StorageClass", storage)
        for token in parsed.operands.get("initializer", ()):
            resolver.operands.append(resolver.operand(token, type.pointee))


def _print_variable(op: ops.VariableOp, p: OpPrinter) -> None:
    if op.operands:
        p.write(" init(")
        p.value(op.operands[0])
        p.write(")")
    _print_decorations(op, p, ["storage_class"])
    p.write(" : ")
    p.type(op.result.type)


_ONLY_GLOBAL: Final = ("descriptor_set", "binding", "built_in")
_INITIALIZERS: Final = ("spirv.Constant", "spirv.mlir.addressof", "spirv.mlir.referenceof")
_ALIASING: Final = ("aliased_pointer", "restrict_pointer")


@verifies("spirv.Variable")
def _variable(op: ops.VariableOp) -> Complaint:
    type = op.result.type
    if number(op, "storage_class") != cases("StorageClass")["Function"]:
        further = "Use spirv.GlobalVariable for module-level variables."
        return f"can only be used to model function-level variables. {further}"
    if not isinstance(type, PointerType):
        return None
    if type.storage != "Function":
        return "storage class must match result pointer's storage class"
    if op.operands:
        definer = op.operands[0].defining_op
        if definer is None or (definer.definition is not None and definer.name not in _INITIALIZERS):
            return "initializer must be the result of a constant or spirv.GlobalVariable op"
    for name in _ONLY_GLOBAL:
        if op.attribute(name) is not None:
            return f"cannot have '{name}' attribute (only allowed in spirv.GlobalVariable)"
    inner = type.pointee.element if isinstance(type.pointee, ArrayType) else type.pointee
    if isinstance(inner, PointerType) and inner.storage == "PhysicalStorageBuffer":
        given = sum(op.attribute(name) is not None for name in _ALIASING)
        if not given:
            return " with physical buffer pointer must be decorated either 'AliasedPointer' or 'RestrictPointer'"
        if given > 1:
            return " with physical buffer pointer must have exactly one aliasing decoration"
    return None


def _parse_global(parser: OpParser, parsed: ParsedOp) -> None:
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    if parser.accept("initializer"):
        parser.expect("(")
        parsed.attributes["initializer"] = parser.attribute()
        parser.expect(")")
    _parse_decorations(parser, parsed)
    parser.expect(":")
    parsed.types["type"] = [parser.type()]


def _resolve_global(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.properties["type"] = TypeAttr(_pointer_type(resolver, parsed.types["type"][0], parsed.name))


def _print_global(op: ops.GlobalVariableOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    if op.initializer is not None:
        p.write(" initializer(")
        p.symbol(op.initializer.root)
        p.write(")")
    _print_decorations(op, p, ["storage_class", "sym_name", "initializer", "type"])
    p.write(" : ")
    p.attribute(op.type)


@verifies("spirv.GlobalVariable")
def _verify_global(op: ops.GlobalVariableOp) -> Complaint:
    type = type_property(op)
    if isinstance(type, UnknownType):
        return None
    if not isinstance(type, PointerType):
        return "result must be of a !spv.ptr type"
    if type.storage in ("Generic", "Function"):
        return f"storage class cannot be '{type.storage}'"
    return None


CODE: Final = {
    "CopyMemory": OpCode(custom=CustomSyntax(_parse_copy, _print_copy, _resolve_copy)),
    "GlobalVariable": OpCode(custom=CustomSyntax(_parse_global, _print_global, _resolve_global)),
    "INTEL.SubgroupBlockWrite": OpCode(custom=CustomSyntax(_parse_block_write, _print_block_write, _resolve_store)),
    "Load": OpCode(custom=CustomSyntax(_parse_load, _print_load, _resolve_load)),
    "Store": OpCode(custom=CustomSyntax(_parse_store, _print_store, _resolve_store)),
    "Variable": OpCode(custom=CustomSyntax(_parse_variable, _print_variable, _resolve_variable)),
}
