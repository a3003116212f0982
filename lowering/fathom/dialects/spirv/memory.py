"""Variables, and what reads and writes them: `spirv.Variable`, `spirv.GlobalVariable`, `spirv.Load`, `spirv.Store`.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import ArrayType, PointerType, cases, may_be_same
from fathom.dialects.spirv.words import attribute_of, number, parse_string, spelling
from fathom.ir.attributes import IntegerAttr, StringAttr, TypeAttr
from fathom.ir.property_values import type_property
from fathom.ir.types import I32, Type, UnknownType, VectorType, element_type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

_ALIGNED: Final = 2


def _storage(value: Value) -> str:
    return value.type.storage if isinstance(value.type, PointerType) else "Function"


def _pointee(value: Value) -> Type:
    return value.type.pointee if isinstance(value.type, PointerType) else value.type


# ---- memory access


def _parse_access(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`["Volatile|Aligned", 4]`, or nothing."""
    if not parser.accept("["):
        return
    name, alignment = arguments
    access = parse_string(parser, parsed.name, "MemoryAccess", name)
    parsed.attributes[name] = attribute_of("MemoryAccess", access)
    if access & _ALIGNED:
        parser.expect(",")
        parsed.attributes[alignment] = parser.attribute(I32)
    parser.expect("]")


def _print_access(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    name, alignment = arguments
    if name in op.properties:
        given = op.properties.get(alignment) if (number(op, name) or 0) & _ALIGNED else None
        bytes = f", {given.value}" if isinstance(given, IntegerAttr) else ""
        p.write(f' ["{spelling(op, name, "MemoryAccess")}"{bytes}]')


_ACCESS: Final = "memory_access", "alignment"
_SOURCE: Final = "source_memory_access", "source_alignment"


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


def _parse_storage(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`"Function"`, which says with a type that stands behind it what the type of a pointer is."""
    number = parse_string(parser, parsed.name, "StorageClass", "storage_class")
    storage = next(word for word, case in cases("StorageClass").items() if case == number)
    pointer, value = arguments

    def make(type: Callable[[Node], Type], _: object) -> Type:
        pointee = type(parsed.types[value][0])
        is_block = parsed.name == "spirv.INTEL.SubgroupBlockWrite" and isinstance(pointee, VectorType)
        return PointerType(element_type(pointee) if is_block else pointee, storage)

    parsed.composed_types[pointer] = parser.composed_type(make)


def _print_storage(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    # Of a block MLIR reads the storage class, and does not write it.
    if not isinstance(op, ops.INTELSubgroupBlockWriteOp):
        p.write(f' "{_storage(op.one_of(arguments[0]))}"')


@verifies("spirv.Load", "spirv.Store")
def _verify_access(op: ops.LoadOp | ops.StoreOp) -> Complaint:
    value = op.value if isinstance(op, ops.StoreOp) else op.result
    pointer = op.ptr.type
    if isinstance(pointer, PointerType) and not may_be_same(pointer.pointee, value.type):
        return "mismatch in result type and pointer type"
    return _access_problem(op)


# ---- spirv.CopyMemory


def _parse_copy(parser: OpParser, parsed: ParsedOp) -> None:
    for group in ("target", "source"):
        if group == "source":
            parser.expect(",")
        _parse_storage(parser, parsed, (group, "pointee"))
        parsed.operands[group] = [parser.value_use()]
    _parse_access(parser, parsed, _ACCESS)
    if parser.accept(","):
        _parse_access(parser, parsed, _SOURCE)
    parser.expect(":")
    parsed.types["pointee"] = [parser.type()]
    parser.attr_dict(parsed)


def _print_copy(op: ops.CopyMemoryOp, p: OpPrinter) -> None:
    p.write("  ")
    for index, value in enumerate(op.operands):
        p.write(f'{",  " if index else ""}"{_storage(value)}" ')
        p.value(value)
    _print_access(op, p, _ACCESS)
    p.write(", ")
    # MLIR says the access of the target again where that of the source is not told.
    _print_access(op, p, _SOURCE if op.source_memory_access is not None else _ACCESS)
    p.attributes_but(op, (*_ACCESS, *_SOURCE))
    p.write(" : ")
    p.type(_pointee(op.target))


@verifies("spirv.CopyMemory")
def _verify_copy(op: ops.CopyMemoryOp) -> Complaint:
    target, source = (value.type for value in op.operands)
    if isinstance(target, PointerType) and isinstance(source, PointerType) and target.pointee != source.pointee:
        return "both operands must be pointers to the same type"
    return _access_problem(op) or _access_problem(op, "source_")


# ---- variables


def _parse_decorations(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`bind(0, 1)` or `built_in("Position")`, further attributes, and the type."""
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
    parser.expect(":")
    parsed.types["pointer"] = [parser.type()]


def _print_decorations(op: ops.GlobalVariableOp | ops.VariableOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    elided = ["storage_class", "sym_name", "initializer", "type"]
    space, binding = op.attribute("descriptor_set"), op.attribute("binding")
    if isinstance(space, IntegerAttr) and isinstance(binding, IntegerAttr):
        p.write(f" bind({space.value}, {binding.value})")
        elided += ["descriptor_set", "binding"]
    built_in = op.attribute("built_in")
    if isinstance(built_in, StringAttr):
        p.write(f' built_in("{built_in.value}")')
        elided.append("built_in")
    p.attributes_but(op, elided)
    p.write(" : ")
    p.type(op.type.type if isinstance(op, ops.GlobalVariableOp) else op.result.type)


def _pointer_type(resolver: Resolver, parsed: ParsedOp) -> Type:
    (node,) = parsed.types["pointer"]
    type = resolver.type(node)
    if not isinstance(type, (PointerType, UnknownType)):
        resolver.fail(f"custom op '{parsed.name}' expected spirv.ptr type", node.start)
    return type


def _resolve_variable(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    type = _pointer_type(resolver, parsed)
    resolver.result_types = [type]
    if isinstance(type, PointerType):
        storage = cases("StorageClass")[type.storage]
        resolver.properties["storage_class"] = attribute_of("StorageClass", storage)
        for token in parsed.operands.get("initializer", ()):
            resolver.operands.append(resolver.operand(token, type.pointee))


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
    if op.initializer is not None:
        definer = op.initializer.defining_op
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


def _resolve_global(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.properties["type"] = TypeAttr(_pointer_type(resolver, parsed))


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


DIRECTIVES: Final = {
    "Access": CustomDirective(_parse_access, _print_access, lambda parser: parser.at("["), spaced=True),
    "Decorations": CustomDirective(_parse_decorations, _print_decorations, spaced=True),
    "Storage": CustomDirective(_parse_storage, _print_storage, spaced=True),
}
_STORED: Final = 'custom<Storage>(type($ptr), "value") custom<Pair>($ptr, $value)'
CODE: Final = {
    "CopyMemory": OpCode(custom=CustomSyntax(_parse_copy, _print_copy)),
    "GlobalVariable": OpCode(
        custom=two_way(
            "custom<Name>($sym_name) (`initializer` `(` $initializer^ `)`)? custom<Decorations>()", _resolve_global
        )
    ),
    "INTEL.SubgroupBlockWrite": OpCode(custom=two_way(f"{_STORED} `:` qualified(type($value))")),
    "Load": OpCode(
        custom=two_way(
            'custom<Storage>(type($ptr), "value") $ptr custom<Access>($memory_access, $alignment) '
            "attr-dict `:` qualified(type($value))"
        )
    ),
    "Store": OpCode(
        custom=two_way(f"{_STORED} custom<Access>($memory_access, $alignment) `:` qualified(type($value)) attr-dict")
    ),
    "Variable": OpCode(custom=two_way("(`init` `(` $initializer^ `)`)? custom<Decorations>()", _resolve_variable)),
}
